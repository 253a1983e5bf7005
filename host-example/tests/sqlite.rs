//! What the SQLite store does beyond the rules that every store keeps.
#![cfg(feature = "sqlite")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use claim_check_host::{
    Claim, Clock, Erasure, ManualClock, OpenStoreError, Scope, SqliteStore, Store, StoreError, WallClock,
};

const LONG: u32 = 86_400;

/// A folder that is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sqlite-{name}"));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn handle(n: usize) -> String {
    format!("claim:{n:032x}")
}

fn claim(text: &str, pages: usize) -> Claim {
    let page = format!("{text} ").repeat(16_384 / (text.len() + 1));
    let chars = page.len() * pages;
    Claim::new(format!("claim/1\nchars {chars}\nbytes {chars}\n"), vec![page; pages])
}

fn scope(run: &str) -> Scope {
    Scope::new("tenant", run)
}

/// How many lines of the store's three files hold the text, counted by another process: to open and close the file in
/// this one would end SQLite's locks.
fn traces(file: &Path, text: &str) -> usize {
    let count = |side: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(side);
        let grep = Command::new("grep").args(["-a", "-c", "-F", "-e", text]).arg(name).output().unwrap();
        String::from_utf8(grep.stdout).unwrap().trim().parse::<usize>().unwrap_or(0)
    };
    count("") + count("-wal") + count("-shm")
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("private").join("deeper");
    let store = SqliteStore::open(folder.join("claims.db")).unwrap();
    store.put(&scope("run"), &handle(1), claim("text", 2), LONG).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(mode(folder.parent().unwrap()), 0o700);
    for name in ["claims.db", "claims.db-wal", "claims.db-shm"] {
        assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
    }
}

#[tokio::test]
async fn claims_outlive_the_store() {
    let file = folder("outlive").join("claims.db");
    let whole = claim("text", 5);
    let store = SqliteStore::open(&file).unwrap();
    store.put(&scope("run"), &handle(1), whole.clone(), LONG).await.unwrap();
    drop(store);
    let store = SqliteStore::open(&file).unwrap();
    assert_eq!(store.fetch(&scope("run"), &handle(1), 0, 9).await, Ok(whole.clone()));
    assert_eq!(store.fetch(&scope("run"), &handle(1), 3, 1).await, Ok(whole.part(3, 1)));
    assert_eq!(store.forget(&Erasure::Tenant("tenant".into())).await, Ok(1));
}

#[tokio::test]
async fn the_same_claim_twice_is_kept_once() {
    let store = SqliteStore::open(folder("once").join("claims.db")).unwrap();
    store.put(&scope("run"), &handle(1), claim("text", 50), LONG).await.unwrap();
    let once = store.stats().await.unwrap();
    for _ in 0..5 {
        store.put(&scope("run"), &handle(1), claim("text", 50), LONG).await.unwrap();
    }
    let again = store.stats().await.unwrap();
    assert_eq!((again.claims, again.held_bytes), (1, once.held_bytes));
    assert!(again.file_bytes <= once.file_bytes + 65_536, "{again:?} after {once:?}");
}

#[tokio::test]
async fn nothing_of_what_was_forgotten_or_swept_is_left_in_raw_bytes() {
    let file = folder("traces").join("claims.db");
    let clock = Arc::new(ManualClock::new());
    let store = SqliteStore::options().clock(clock.clone()).open(&file).unwrap();
    let short = |text: &str, n: usize| Claim::new("claim/1\n", [format!("{text} {n}. ").repeat(1 + n * 37 % 25)]);
    for n in 0..250 {
        store.put(&scope("secret"), &handle(n), short("MARK-FORGET", n), LONG).await.unwrap();
        store.put(&scope("brief"), &handle(n), short("MARK-SWEEP", n), 10).await.unwrap();
        store.put(&scope(&format!("run-{}", n * n % 7)), &handle(n), short("MARK-KEEP", n), LONG).await.unwrap();
    }
    // What lay between them goes first: then SQLite moves rows together, and may leave copies behind.
    for run in [1, 2] {
        store.forget(&Erasure::Run(scope(&format!("run-{run}")))).await.unwrap();
    }
    assert!(traces(&file, "MARK-FORGET") > 0 && traces(&file, "MARK-SWEEP") > 0);
    assert_eq!(store.forget(&Erasure::Run(scope("secret"))).await, Ok(250));
    assert_eq!(traces(&file, "MARK-FORGET"), 0);

    clock.advance(Duration::from_secs(10));
    let expired = async || store.stats().await.unwrap().claims - store.stats().await.unwrap().live;
    assert_eq!(expired().await, 250);
    let mut puts = 0;
    while expired().await > 0 {
        store.put(&scope("other"), &handle(puts), short("MARK-KEEP", puts), LONG).await.unwrap();
        puts += 1;
    }
    // 64 texts a put, of which each claim has two.
    assert_eq!(puts, 8);
    assert_eq!(traces(&file, "MARK-SWEEP"), 0);
    assert!(traces(&file, "MARK-KEEP") > 0);
}

#[tokio::test]
async fn a_large_expired_claim_is_swept_in_parts() {
    let clock = Arc::new(ManualClock::new());
    let store = SqliteStore::options().clock(clock.clone()).open(folder("parts").join("claims.db")).unwrap();
    store.put(&scope("run"), &handle(1), claim("large", 300), 10).await.unwrap();
    clock.advance(Duration::from_secs(10));
    let mut puts = 0;
    while store.stats().await.unwrap().claims > puts {
        store.put(&scope("other"), &handle(puts as usize), claim("small", 1), LONG).await.unwrap();
        puts += 1;
        // What has been swept in part never comes back, not even when the clock does.
        clock.set(Duration::from_secs(5));
        assert_eq!(store.fetch(&scope("run"), &handle(1), 0, 1).await, Err(StoreError::NotFound));
        clock.set(Duration::from_secs(10));
    }
    assert_eq!(puts, 3, "301 texts: 64 with every put, and with every fetch that finds it expired");
}

#[tokio::test]
async fn expired_claims_make_room() {
    let clock = Arc::new(ManualClock::new());
    let options = SqliteStore::options().clock(clock.clone()).bounds(10 << 20, 1 << 30);
    let store = options.open(folder("room").join("claims.db")).unwrap();
    for n in 0..5 {
        store.put(&scope("run"), &handle(n), claim("text", 120), 10).await.unwrap();
    }
    let full = store.put(&scope("run"), &handle(5), claim("text", 120), 10).await;
    assert!(matches!(&full, Err(StoreError::Full(text)) if text.contains("may hold 10485760 bytes")), "{full:?}");
    clock.advance(Duration::from_secs(10));
    store.put(&scope("run"), &handle(5), claim("text", 600), 10).await.unwrap();
    assert_eq!(store.stats().await.unwrap().claims, 1);
}

#[tokio::test]
async fn a_total_bound_holds_for_all_tenants() {
    let options = SqliteStore::options().bounds(1 << 30, 1 << 20);
    let store = options.open(folder("total").join("claims.db")).unwrap();
    store.put(&Scope::new("one", "run"), &handle(1), claim("text", 40), LONG).await.unwrap();
    let full = store.put(&Scope::new("two", "run"), &handle(1), claim("text", 40), LONG).await;
    assert!(matches!(&full, Err(StoreError::Full(text)) if text.contains("the store may hold 1048576")), "{full:?}");
    store.forget(&Erasure::Tenant("one".into())).await.unwrap();
    store.put(&Scope::new("two", "run"), &handle(1), claim("text", 40), LONG).await.unwrap();
}

#[tokio::test]
async fn lists_and_counts_what_is_live_and_never_content() {
    let clock = Arc::new(ManualClock::new());
    let store = SqliteStore::options().clock(clock.clone()).open(folder("list").join("claims.db")).unwrap();
    clock.set(Duration::from_secs(1_000));
    store.put(&scope("b"), &handle(1), claim("text", 2), 60).await.unwrap();
    store.put(&scope("a"), &handle(2), Claim::new("not ours", ["text"]), 90).await.unwrap();
    store.put(&scope("a"), &handle(3), claim("text", 1), 30).await.unwrap();
    store.put(&Scope::new("other", "a"), &handle(4), claim("text", 1), 30).await.unwrap();
    clock.set(Duration::from_secs(1_031));
    let listed = store.list("tenant", None).await.unwrap();
    let seen: Vec<_> =
        listed.iter().map(|l| (l.scope.run.as_str(), l.handle.clone(), l.chars, l.expires.as_secs())).collect();
    assert_eq!(seen, [("a", handle(2), None, 1_090), ("b", handle(1), Some(32_760), 1_060)]);
    assert_eq!(listed[0].bytes, 12);
    assert_eq!(store.list("tenant", Some("b")).await.unwrap().len(), 1);
    assert_eq!(store.list("Tenant", None).await.unwrap(), []);
    let stats = store.stats().await.unwrap();
    assert_eq!((stats.tenants, stats.claims, stats.live), (2, 4, 2));
    let tenant = store.tenant_stats("tenant").await.unwrap();
    assert_eq!((tenant.claims, tenant.live, tenant.bound_bytes), (3, 2, 1 << 30));
    assert_eq!(store.tenant_stats("nobody").await.unwrap().claims, 0);
}

#[tokio::test]
async fn a_later_schema_is_refused_and_left_alone() {
    let file = folder("later").join("claims.db");
    drop(SqliteStore::open(&file).unwrap());
    let mut bytes = fs::read(&file).unwrap();
    // The schema's version stands at byte 60 (SQLite's file format, `user_version`).
    assert_eq!(bytes[60..64], 1_u32.to_be_bytes());
    bytes[60..64].copy_from_slice(&7_u32.to_be_bytes());
    fs::write(&file, &bytes).unwrap();
    let refusal = SqliteStore::open(&file).unwrap_err();
    assert!(matches!(refusal, OpenStoreError::Newer { found: 7, known: 1, .. }), "{refusal}");
    assert!(refusal.to_string().ends_with(
        "has schema version 7, and this program knows up to 1; use the program that wrote it, or another file"
    ));
    assert_eq!(fs::read(&file).unwrap(), bytes);
}

#[test]
fn what_is_not_a_claim_store_is_left_alone() {
    let folder = folder("foreign");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("notes.txt");
    for content in ["x", "a note", &"a longer note. ".repeat(500)] {
        fs::write(&file, content).unwrap();
        let refusal = SqliteStore::open(&file).unwrap_err();
        assert!(matches!(refusal, OpenStoreError::NotAStore(_)), "{refusal}");
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_and_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("pipe");
    fs::create_dir_all(&folder).unwrap();
    let refusal = SqliteStore::open(&folder).unwrap_err();
    assert!(matches!(&refusal, OpenStoreError::IsAFolder(path) if *path == folder), "{refusal}");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::set_permissions(&pipe, fs::Permissions::from_mode(0o622)).unwrap();
    let refusal = SqliteStore::open(&pipe).unwrap_err();
    assert!(matches!(&refusal, OpenStoreError::NotAFile(path) if *path == pipe), "{refusal}");
    assert_eq!(fs::metadata(&pipe).unwrap().permissions().mode() & 0o777, 0o622);
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_acknowledged_once_the_file_is_taken_away() {
    let file = folder("taken").join("claims.db");
    let store = SqliteStore::open(&file).unwrap();
    store.put(&scope("run"), &handle(1), claim("text", 1), LONG).await.unwrap();
    fs::rename(&file, file.with_extension("away")).unwrap();
    let refused = store.put(&scope("run"), &handle(2), claim("text", 1), LONG).await;
    assert!(matches!(&refused, Err(StoreError::Failed(text)) if text.contains("put the file back")), "{refused:?}");
    fs::rename(file.with_extension("away"), &file).unwrap();
    store.put(&scope("run"), &handle(2), claim("text", 1), LONG).await.unwrap();
    assert_eq!(store.forget(&Erasure::Tenant("tenant".into())).await, Ok(2));
}

#[tokio::test]
async fn an_empty_file_becomes_a_store() {
    let folder = folder("empty");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("claims.db"), "").unwrap();
    let store = SqliteStore::open(folder.join("claims.db")).unwrap();
    store.put(&scope("run"), &handle(1), claim("text", 1), LONG).await.unwrap();
}

#[tokio::test]
async fn time_is_the_time_of_day() {
    let store = SqliteStore::open(folder("time").join("claims.db")).unwrap();
    let before = WallClock.now();
    store.put(&scope("run"), &handle(1), claim("text", 1), 60).await.unwrap();
    let expires = store.list("tenant", None).await.unwrap()[0].expires;
    let minute = Duration::from_secs(60);
    assert!(expires >= before + minute && expires <= WallClock.now() + minute);
    // After 2026, and before the file's instants end.
    assert!(before.as_secs() > 1_767_225_600 && before.as_secs() < 9_223_372_036);
}

#[tokio::test(flavor = "current_thread")]
async fn the_runtime_is_never_blocked() {
    let store = SqliteStore::open(folder("blocked").join("claims.db")).unwrap();
    let putting = tokio::spawn({
        let store = store.clone();
        async move { store.put(&scope("run"), &handle(1), claim("large", 1_000), LONG).await }
    });
    // On the one thread there is, this can count only while the put is elsewhere.
    let mut turns = 0;
    while !putting.is_finished() {
        turns += 1;
        tokio::task::yield_now().await;
    }
    assert!(turns > 10, "{turns} turns");
    putting.await.unwrap().unwrap();
}

#[tokio::test]
async fn one_store_is_used_by_many_handles_at_once() {
    let file = folder("handles").join("claims.db");
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..4 {
        let store = SqliteStore::open(&file).unwrap();
        tasks.spawn(async move {
            for n in 0..25 {
                store.put(&scope(&format!("run-{task}")), &handle(n), claim("text", 2), LONG).await.unwrap();
            }
        });
    }
    tasks.join_all().await;
    let store = SqliteStore::open(&file).unwrap();
    assert_eq!(store.forget(&Erasure::Tenant("tenant".into())).await, Ok(100));
}
