//! Which file in which granted folder is meant, and which are not to be read.

/// What the store's folder is called: nothing in it is for a model to read.
const STORE: &str = "claims";

/// The place of the granted folder that holds this path, and the path from there on.
///
/// # Errors
/// None does, or it is the store's; says what to do, for the model.
pub fn locate<'a>(granted: impl IntoIterator<Item = &'a str>, path: &str) -> Result<(usize, String), String> {
    let wanted = parts(path).ok_or("The path has `..` in it: give the path without.")?;
    let folders = granted.into_iter().enumerate().filter_map(|(place, folder)| Some((place, parts(folder)?)));
    let holding = folders.filter_map(|(place, folder)| {
        let rest = wanted.strip_prefix(folder.as_slice())?;
        Some((folder.len(), place, folder.last() == Some(&STORE), rest.join("/")))
    });
    match holding.max_by_key(|(length, ..)| *length) {
        Some((_, place, false, rest)) if !rest.is_empty() => Ok((place, rest)),
        Some((_, _, false, _)) => Err("This is a folder: give the path of a file in it.".to_owned()),
        _ => {
            Err("This file is in no folder that was granted. Ask the user for access, or for another path.".to_owned())
        }
    }
}

/// The names in a path; none where one of them leads upwards.
fn parts(path: &str) -> Option<Vec<&str>> {
    let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    (!parts.contains(&"..")).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRANTED: [&str; 4] = ["/home/ada", "/home/ada/work/", "/var/lib/claims", "shared"];

    #[test]
    fn the_innermost_folder_holds_a_file() {
        assert_eq!(locate(GRANTED, "/home/ada/x.txt"), Ok((0, "x.txt".to_owned())));
        assert_eq!(locate(GRANTED, "/home/ada/work//a/./b.txt"), Ok((1, "a/b.txt".to_owned())));
        assert_eq!(locate(GRANTED, "shared/b.txt"), Ok((3, "b.txt".to_owned())));
        assert_eq!(locate(["."], "notes.txt"), Ok((0, "notes.txt".to_owned())));
        assert_eq!(locate(["/"], "/notes.txt"), Ok((0, "notes.txt".to_owned())));
    }

    #[test]
    fn what_is_not_granted_is_not_read() {
        for path in [
            "/home/adam/x.txt",
            "/etc/passwd",
            "",
            "/home/ada",
            "/home/ada/../eve/x.txt",
            "/home/ada/work",
            "/var/lib/claims/swept",
            "/var/lib/./claims//swept",
        ] {
            assert!(locate(GRANTED, path).is_err(), "{path}");
        }
        // A grant of everything does not open the store's folder, which is granted too.
        assert!(locate(["/", "/var/lib/claims"], "/var/lib/claims/swept").is_err());
    }
}
