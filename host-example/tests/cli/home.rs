//! A user with a home folder, who types commands.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A home folder with nothing in it.
pub(crate) struct Home(TempDir);

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The user's data folder for the program.
    pub(crate) fn data(&self) -> PathBuf {
        self.path(".local/share/claim-check")
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder");
        fs::write(&path, content).expect("the file");
        path
    }

    /// The program, in this home; only the compiled component is shared with other homes, because compiling takes time.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_claim-check"));
        command.env_clear().env("HOME", self.0.path()).env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
        command.env("PATH", "/usr/bin:/bin").current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// A command line, split at spaces.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.args(&line.split(' ').collect::<Vec<_>>())
    }

    pub(crate) fn args(&self, args: &[&str]) -> Ran {
        ran(self.command().args(args))
    }

    pub(crate) fn with_stdin(&self, line: &str, stdin: &[u8]) -> Ran {
        let mut command = self.command();
        command.args(line.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        child.stdin.take().expect("a pipe").write_all(stdin).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        Ran::of(&output)
    }

    /// Checks a text in, and returns its handle.
    pub(crate) fn check_in(&self, text: &str, flags: &str) -> String {
        let path = self.write("checked-in.txt", text);
        let line = format!("check-in --json {flags} {}", path.display());
        let json = self.args(&line.split_whitespace().collect::<Vec<_>>()).json();
        json["handle"].as_str().expect("a handle").to_owned()
    }
}

fn ran(command: &mut Command) -> Ran {
    Ran::of(&command.output().expect("the program starts"))
}

impl Ran {
    fn of(output: &std::process::Output) -> Self {
        Self {
            code: output.status.code().expect("no signal"),
            stdout: String::from_utf8(output.stdout.clone()).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr.clone()).expect("UTF-8"),
        }
    }

    /// What it printed, where all went well.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.stdout
    }

    #[track_caller]
    pub(crate) fn json(self) -> Value {
        let text = self.ok();
        assert!(text.ends_with("}\n") && text.lines().count() == 1, "one line: {text:?}");
        serde_json::from_str(&text).expect("JSON")
    }

    /// The message, where it ended with `code` and printed nothing.
    #[track_caller]
    pub(crate) fn refused(self, code: i32) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (code, ""), "{self:?}");
        self.stderr
    }
}

/// A text of so many lines, in which a character is not a byte and no line is like another.
pub(crate) fn text(lines: usize) -> String {
    (0..lines).map(|n| format!("Line {n}: die Straße führt über Łódź → 東京 🦀, mile {}.\n", n * 7)).collect()
}

/// The file's permission bits.
#[cfg(unix)]
pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode() & 0o777
}
