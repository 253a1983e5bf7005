//! Whose claims they are.

/// The environment variable with the tenant: the customer, user or workspace.
pub const TENANT: &str = "CLAIM_CHECK_TENANT";
/// The environment variable with the run: one conversation, or whatever may share its handles.
pub const RUN: &str = "CLAIM_CHECK_RUN";

/// Tenant and run, as the host's environment has them. There is no default: with one, everybody's would be the same.
///
/// # Errors
/// One is missing or empty; says which to set.
pub fn scope(environment: &[(String, String)]) -> Result<(&str, &str), String> {
    let value = |name: &str| {
        let found = environment.iter().find(|(key, value)| key == name && !value.is_empty());
        found.map(|(_, value)| value.as_str()).ok_or_else(|| {
            format!("Not set up: the host has to give this component the environment variable {name}. Tell the user.")
        })
    };
    Ok((value(TENANT)?, value(RUN)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_have_to_be_set() {
        let variable = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let both = [variable("HOME", "/root"), variable(RUN, "r"), variable(TENANT, "t")];
        assert_eq!(scope(&both), Ok(("t", "r")));
        assert!(scope(&both[..2]).is_err_and(|why| why.contains(TENANT)));
        assert!(scope(&[variable(TENANT, "t"), variable(RUN, "")]).is_err_and(|why| why.contains(RUN)));
    }
}
