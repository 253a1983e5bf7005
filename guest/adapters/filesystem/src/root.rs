//! Which of the granted folders is the store's.
//!
//! A host may grant a user's documents, or all of its disk. The store writes into a folder that is called `claims`, and
//! takes it for its own only if it was empty the first time.

use claim_check_store_layout::StoreError;

use crate::folder::{Fault, File, Folder};

/// What the store's folder is called, by the path under which it is granted.
const NAME: &str = "claims";

/// The file that says whose folder it is.
pub const MARK: &str = "claim-check-store";

/// What stands in that file; the number changes when the files do.
const CONTENT: &str = "claim-check store 1\n";

/// The place of the store's folder in the list of granted ones.
///
/// # Errors
/// There is none, or more than one; says what to grant.
pub fn choose<'a>(granted: impl IntoIterator<Item = &'a str>) -> Result<usize, StoreError> {
    let named = |path: &str| path.trim_end_matches('/').rsplit('/').next() == Some(NAME);
    let mut found = granted.into_iter().enumerate().filter(|(_, path)| named(path)).map(|(place, _)| place);
    match (found.next(), found.next()) {
        (Some(place), None) => Ok(place),
        (None, _) => Err(StoreError::Failed(format!(
            "no folder is granted whose path ends in `/{NAME}`: make an empty one, and grant it with read and write access"
        ))),
        (Some(_), Some(_)) => Err(StoreError::Failed(format!(
            "more than one folder is granted whose path ends in `/{NAME}`: grant one of them"
        ))),
    }
}

/// Makes sure that the folder is the store's, and makes an empty one so.
///
/// # Errors
/// [`StoreError::Failed`] where it is somebody else's, or another version's.
pub fn claim<F: Folder>(folder: &F) -> Result<(), StoreError> {
    let file = match folder.open(MARK) {
        Ok(file) => file,
        Err(Fault::NotThere) => {
            if !folder.names("")?.iter().all(|name| name == MARK) {
                return Err(StoreError::Failed(format!(
                    "the folder `{NAME}` holds files that are not the store's: grant one that is empty"
                )));
            }
            return match folder.create(MARK) {
                Ok(file) => Ok(file.write(0, CONTENT.as_bytes())?),
                // Another instance was first.
                Err(Fault::Exists) => Ok(()),
                Err(fault) => Err(fault.into()),
            };
        }
        Err(fault) => return Err(fault.into()),
    };
    let content = file.read(0, 64)?;
    // Cut short where the process that began the store was stopped just then.
    if CONTENT.as_bytes().starts_with(&content) {
        return Ok(());
    }
    Err(StoreError::Failed(format!("the folder `{NAME}` is a store of another version: grant one that is empty")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_one_that_is_called_claims() {
        assert_eq!(choose(["/docs", "/var/lib/claims/", "/"]), Ok(1));
        assert_eq!(choose(["claims"]), Ok(0));
        for granted in
            [vec![], vec!["/"], vec!["."], vec!["/myclaims", "/claims/x", "/Claims"], vec!["/a/claims", "/b/claims"]]
        {
            assert!(matches!(choose(granted.clone()), Err(StoreError::Failed(_))), "{granted:?}");
        }
    }
}
