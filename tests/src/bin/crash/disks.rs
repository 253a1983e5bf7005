//! A disk that is full, a file that can't be written.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Context;
use claim_check_host::{Erasure, OpenStoreError, Scope, Store, StoreError};
use claim_check_tests::durable::{Folder, Known, Tally};

use super::{TTL, all_whole, in_time, known, open_refused, options, refused};

/// A user who owns nothing.
const NOBODY: u32 = 65_534;

pub(super) async fn full(folder: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    const WHAT: &str = "a full disk";
    let Some(disk) = Disk::mount(&folder.join("small-disk"))? else {
        tally.skip(WHAT, "a small file system can't be mounted here (it takes root)");
        return Ok(());
    };
    let ballast = disk.0.join("ballast");
    fs::write(&ballast, vec![0; 2 << 20])?;
    let file = disk.0.join("store").join("claims.db");
    let store = options().open(&file)?;
    Known::new(&Scope::new("tenant", "to forget"), 0, 300_000).put(&store, TTL).await?;
    let mut acknowledged = vec![];
    let refusal = loop {
        let next = Known::new(&Scope::new("tenant", "run"), acknowledged.len(), 50_000);
        let outcome = in_time(next.put(&store, TTL)).await;
        match outcome {
            Ok((Ok(()), _)) if acknowledged.len() < 1_000 => acknowledged.push(next),
            outcome => break outcome.map(|(outcome, _)| outcome),
        }
    };
    let is_full = |error: &StoreError| matches!(error, StoreError::Full(_));
    tally.check(WHAT, refusal.and_then(|refusal| refused(refusal, is_full, "free space on it")));
    tally.check("a full disk, read", all_whole(&store, &acknowledged).await);
    for _ in 0..20 {
        let _ = in_time(Known::new(&Scope::new("tenant", "run"), 5_000, 50_000).put(&store, TTL)).await;
    }
    tally.check("a full disk, after more attempts", all_whole(&store, &acknowledged).await);
    let forgotten = in_time(store.forget(&Erasure::Run(Scope::new("tenant", "to forget")))).await;
    tally.check(
        "a full disk, forget",
        match forgotten {
            Ok((Ok(1), _)) => Ok("forgotten".into()),
            Ok((Err(StoreError::Unavailable(text)), _)) if text.contains("free space on it") => Ok(text),
            other => Err(format!("{other:?}")),
        },
    );
    drop(store);
    fs::remove_file(&ballast)?;
    let store = options().open(&file)?;
    tally.check("space again, opened anew", all_whole(&store, &acknowledged).await);
    let more = Known::new(&Scope::new("tenant", "other-run"), 1, 50_000);
    let put = in_time(more.put(&store, TTL)).await;
    tally.check(
        "space again, put",
        put.and_then(|(put, _)| put.map(|()| "kept".into()).map_err(|error| error.to_string())),
    );
    let live = store.forget(&Erasure::Run(Scope::new("tenant", "run"))).await?;
    let said = format!("{live} of {} forgotten", acknowledged.len());
    tally.check("space again, forget", if live as usize == acknowledged.len() { Ok(said) } else { Err(said) });
    Ok(())
}

struct Disk(std::path::PathBuf);

impl Disk {
    fn mount(at: &Path) -> anyhow::Result<Option<Self>> {
        fs::create_dir_all(at)?;
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(at).output();
        Ok(mounted.is_ok_and(|mounted| mounted.status.success()).then(|| Self(at.into())))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

pub(super) async fn read_only(folder: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    // Root may write whatever the mode says: then somebody else has to try, who may not be let into root's own folders.
    let is_root = fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0);
    let public = is_root.then(|| Folder::new(&std::env::temp_dir(), "crash-stranger")).transpose()?;
    let folder = public.as_ref().map_or(folder, Folder::path).join("read-only");
    let file = folder.join("claims.db");
    let acknowledged = known("run", 20, 20_000);
    let store = options().open(&file)?;
    for known in &acknowledged {
        known.put(&store, TTL).await?;
    }
    drop(store);
    let program = folder.join("crash");
    fs::copy(std::env::current_exe()?, &program)?;
    for (what, file_mode, folder_mode) in
        [("a read-only file", 0o444, 0o755), ("a folder that can't be entered", 0o444, 0o600)]
    {
        if folder_mode == 0o600 && !is_root {
            tally.skip(what, "only another user can be kept out");
            continue;
        }
        let kept = if is_root { folder.join("kept") } else { folder.clone() };
        fs::create_dir_all(&kept)?;
        if is_root {
            fs::copy(&file, kept.join("claims.db"))?;
        }
        fs::set_permissions(kept.join("claims.db"), fs::Permissions::from_mode(file_mode))?;
        fs::set_permissions(&kept, fs::Permissions::from_mode(folder_mode))?;
        let mut stranger = Command::new(&program);
        stranger.args(["--as", "stranger", "--file"]).arg(kept.join("claims.db"));
        if is_root {
            for public in folder.ancestors().take(2) {
                fs::set_permissions(public, fs::Permissions::from_mode(0o755))?;
            }
            stranger.uid(NOBODY).gid(NOBODY);
        }
        let said = String::from_utf8(stranger.output()?.stdout)?;
        let said = said.trim_end().to_owned();
        tally.check(what, if said.starts_with("refused: ") { Ok(said) } else { Err(said) });
        fs::set_permissions(&kept, fs::Permissions::from_mode(0o755))?;
        fs::set_permissions(kept.join("claims.db"), fs::Permissions::from_mode(0o600))?;
        let store = options().open(kept.join("claims.db"))?;
        tally.check(&format!("{what}, writable again"), all_whole(&store, &acknowledged).await);
    }
    let a_file = folder.join("not-a-folder");
    fs::write(&a_file, "text").context("a file could not be made")?;
    let outcome = options().open(a_file.join("claims.db"));
    let is_io = |error: &OpenStoreError| matches!(error, OpenStoreError::Io { .. });
    tally.check("a folder that is a file", open_refused(outcome, is_io, "can't be opened"));
    Ok(())
}

/// What somebody who may not write is told.
pub(super) async fn open_as_stranger(file: &str) -> anyhow::Result<ExitCode> {
    match options().open(file) {
        Err(error @ OpenStoreError::ReadOnly(_)) if error.to_string().contains("writable for this user") => {
            println!("refused: {error}");
        }
        Err(error @ OpenStoreError::Io { .. }) => println!("refused: {error}"),
        Err(error) => println!("another error: {error:?}"),
        Ok(_) => println!("it was opened"),
    }
    Ok(ExitCode::SUCCESS)
}
