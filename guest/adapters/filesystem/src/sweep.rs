//! What has expired.

use claim_check_store_layout::Instant;
use claim_check_store_layout::names::{DIGITS, is_name};

use crate::folder::{Fault, File, Folder};
use crate::record::Record;
use crate::store::names_or_none;

/// Where it is written when the folder was last swept, and which tenant was the last.
const SWEPT: &str = "swept";
/// The folder is swept by the first put after so many seconds.
const EVERY_SECONDS: u32 = 60;
/// A file that is being written is left alone for an hour; after that its process has been stopped.
const WRITING_SECONDS: u32 = 3600;
/// One sweep ends with the tenant in which it has looked at so many files.
const MOST: usize = 1024;

/// Deletes some of what has expired, if it is time. What can't be done now is done by a later put.
pub(crate) fn sweep<F: Folder>(folder: &F, now: Instant) {
    let _ = try_sweep(folder, now);
}

fn try_sweep<F: Folder>(folder: &F, now: Instant) -> Result<(), Fault> {
    let (last, tenant) = read(folder)?;
    // A last sweep in the future is a clock that was set back.
    if last.is_some_and(|last| last <= now && now < last.after(EVERY_SECONDS)) {
        return Ok(());
    }
    // Before the work, so that a folder which can't be swept does not cost every put.
    write(folder, now, &tenant)?;
    let mut tenants: Vec<_> = folder.names("")?.into_iter().filter(|name| is_name(name)).collect();
    tenants.sort_unstable();
    let start = tenants.partition_point(|name| *name <= tenant);
    let (before, after) = tenants.split_at_checked(start).unwrap_or_default();
    let mut seen = 0;
    for tenant in after.iter().chain(before) {
        for run in names_or_none(folder, tenant)? {
            let run = format!("{tenant}/{run}");
            for name in names_or_none(folder, &run)? {
                seen += 1;
                sweep_file(folder, now, &run, &name)?;
            }
            ignore_filled(folder.delete_folder(&run))?;
        }
        ignore_filled(folder.delete_folder(tenant))?;
        if seen >= MOST {
            return write(folder, now, tenant);
        }
    }
    Ok(())
}

fn sweep_file<F: Folder>(folder: &F, now: Instant, run: &str, name: &str) -> Result<(), Fault> {
    let path = format!("{run}/{name}");
    if !is_name(name) {
        let begun = name.get(DIGITS + 1..DIGITS + 17).and_then(Instant::parse);
        let stopped = begun.is_none_or(|begun| begun.after(WRITING_SECONDS) <= now);
        return if stopped { ignore_gone(folder.delete(&path)) } else { Ok(()) };
    }
    if !has_expired(folder, now, &path)? {
        return Ok(());
    }
    // A put may have renamed a new claim over it since it was looked at, so it is looked at under a name that is ours.
    let taken = format!("{path}.{now}.swept");
    ignore_gone(folder.rename(&path, &taken))?;
    if has_expired(folder, now, &taken)? {
        ignore_gone(folder.delete(&taken))
    } else {
        ignore_gone(folder.rename(&taken, &path))
    }
}

/// Whether the claim has expired, or is none that anybody could read. False where the file has gone.
fn has_expired<F: Folder>(folder: &F, now: Instant, path: &str) -> Result<bool, Fault> {
    match folder.open(path) {
        Err(Fault::NotThere) => Ok(false),
        file => Ok(Record::open(file?)?.is_none_or(|held| !held.header.is_live(now))),
    }
}

fn read<F: Folder>(folder: &F) -> Result<(Option<Instant>, String), Fault> {
    let bytes = match folder.open(SWEPT) {
        Err(Fault::NotThere) => vec![],
        file => file?.read(0, 64)?,
    };
    let text = String::from_utf8(bytes).unwrap_or_default();
    let (instant, tenant) = text.trim_end_matches('\n').split_once(' ').unwrap_or_default();
    Ok((Instant::parse(instant), tenant.to_owned()))
}

fn write<F: Folder>(folder: &F, now: Instant, tenant: &str) -> Result<(), Fault> {
    let temporary = format!("{SWEPT}.{now}");
    let file = match folder.create(&temporary) {
        // Another instance sweeps in the same nanosecond, or stopped in it.
        Err(Fault::Exists) => return folder.delete(&temporary),
        file => file?,
    };
    file.write(0, format!("{now} {tenant}\n").as_bytes())?;
    folder.rename(&temporary, SWEPT)
}

fn ignore_gone(result: Result<(), Fault>) -> Result<(), Fault> {
    if result == Err(Fault::NotThere) { Ok(()) } else { result }
}

fn ignore_filled(result: Result<(), Fault>) -> Result<(), Fault> {
    if result == Err(Fault::NotEmpty) { Ok(()) } else { ignore_gone(result) }
}
