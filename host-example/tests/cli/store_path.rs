//! What `--store` may name, and what is left alone.

use std::fs;

use crate::home::{Home, mode, text};

#[test]
fn a_store_in_memory_would_end_with_its_handles() {
    let home = Home::new();
    home.write("large.txt", text(200));
    let handle = format!("claim:{}", "0".repeat(32));
    for line in [
        "check-in large.txt",
        &format!("fetch {handle}"),
        &format!("find {handle} x"),
        "list",
        "stats",
        "forget --tenant local --all-runs",
    ] {
        let message = home.run(&format!("{line} --store memory:")).refused(2);
        assert!(message.contains("memory: ends with this command, and every handle with it"), "{message}");
    }
}

/// What SQLite's other programs take for a store in memory, or for a URI, would make a file of that name here.
#[test]
fn sqlites_own_names_are_refused_with_what_to_use() {
    let home = Home::new();
    home.write("large.txt", text(200));
    for name in [":memory:", "file:x?mode=memory", "file:claims.db"] {
        for store in [&["--store", &format!("sqlite:{name}")][..], &["--config", "settings.toml"]] {
            home.write("settings.toml", format!("store = \"sqlite:{name}\"\n"));
            let message = home.args(&[&["check-in", "large.txt"], store].concat()).refused(2);
            let advice =
                format!("give its path, as in sqlite:claims.db (or sqlite:./{name} if the file is really called so)");
            assert!(message.contains(&advice), "{message}");
        }
        assert!(!home.path(name).exists());
        home.args(&["check-in", "large.txt", "--store", &format!("sqlite:./{name}")]).ok();
        assert!(home.path(name).exists());
    }
}

#[test]
fn a_file_that_is_no_store_is_left_alone() {
    let home = Home::new();
    home.write(
        "notes.txt",
        "my own notes, and nothing that this program has ever written, in some more than 100 bytes of text, that is",
    );
    home.write("large.txt", text(200));
    let before = fs::read(home.path("notes.txt")).expect("the file");
    let message = home.run("check-in large.txt --store sqlite:notes.txt").refused(1);
    assert!(message.contains("notes.txt is not a claim store"), "{message}");
    assert_eq!(fs::read(home.path("notes.txt")).expect("the file"), before);
}

#[test]
fn reading_a_store_makes_none() {
    let home = Home::new();
    for line in ["list", "stats", &format!("fetch claim:{}", "0".repeat(32))] {
        let message = home.run(&format!("{line} --store sqlite:typo.db")).refused(2);
        assert!(message.contains("there is no store at typo.db"), "{message}");
    }
    assert!(!home.path("typo.db").exists());
    assert_eq!(home.run("list --json").json()["claims"], serde_json::json!([]));
}

/// A newcomer's `touch claims.db` became a database by being read, and lost its mode.
#[cfg(unix)]
#[test]
fn reading_an_empty_file_leaves_it_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let file = home.write("empty.db", "");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("its mode");
    let handle = format!("claim:{}", "0".repeat(32));
    let forget = "forget --tenant local --all-runs";
    for line in ["list", "stats", forget, &format!("fetch {handle}"), &format!("find {handle} x")] {
        let message = home.run(&format!("{line} --store sqlite:empty.db")).refused(2);
        assert!(message.contains("there is no store at empty.db; check the path"), "{message}");
        assert_eq!((fs::metadata(&file).expect("the file").len(), mode(&file)), (0, 0o644), "after {line}");
    }
    // A check-in may make a store of it, which is then private.
    home.check_in(&text(200), "--store sqlite:empty.db");
    assert_eq!((fs::read(&file).expect("the file").starts_with(b"SQLite format 3"), mode(&file)), (true, 0o600));
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_and_left_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.write("large.txt", text(200));
    let socket = home.path("socket");
    let _listens = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    let pipe = home.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let folder = home.path("folder");
    fs::create_dir(&folder).expect("a folder");
    for path in [&socket, &pipe, &folder] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its mode");
        let name = path.file_name().expect("a name").to_str().expect("UTF-8");
        let reason =
            if path == &folder { "is a folder; name a file in it" } else { "is not a regular file; name another one" };
        for line in ["list", "stats", "check-in large.txt"] {
            let message = home.run(&format!("{line} --store sqlite:{name}")).refused(2);
            assert_eq!(message, format!("claim-check: {} {reason}\n", path.display()));
            assert_eq!(mode(path), 0o755, "after {line}");
        }
    }
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 0);
}
