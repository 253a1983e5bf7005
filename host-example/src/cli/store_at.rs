//! Where claims are kept, as the command line and the settings file name it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where claims are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoreAt {
    Sqlite(PathBuf),
    Memory,
}

impl FromStr for StoreAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            // SQLite's own names for a store in memory and for a URI: here they would be files that are called so.
            Some(("sqlite", path)) if path == ":memory:" || path.starts_with("file:") => Err(format!(
                "a store is a file here, no URI and not in memory; give its path, as in sqlite:claims.db \
                 (or sqlite:./{path} if the file is really called so)"
            )),
            Some(("sqlite", path)) if !path.is_empty() => Ok(Self::Sqlite(path.into())),
            Some(("memory", "")) => Ok(Self::Memory),
            _ => Err("a store is sqlite:PATH or memory:".into()),
        }
    }
}

impl fmt::Display for StoreAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Memory => f.write_str("memory:"),
        }
    }
}

impl StoreAt {
    /// The shell does not expand a `~` that stands after `sqlite:`, and nothing at all in a file.
    pub(crate) fn resolved(self, folder: Option<&Path>, home: Option<&Path>) -> Self {
        let Self::Sqlite(path) = self else { return self };
        if let (Ok(rest), Some(home)) = (path.strip_prefix("~"), home) {
            return Self::Sqlite(home.join(rest));
        }
        match folder {
            Some(folder) => Self::Sqlite(folder.join(path)),
            None => Self::Sqlite(path),
        }
    }
}
