//! The signals that ask the program to end.

use super::exit::{Exit, Failure};

/// Waits until the user, a supervisor or the terminal's end asks the program to stop, and says which it was. From the
/// first poll on the signals no longer end the process by themselves.
pub(crate) async fn stopped() -> Failure {
    let (exit, how) = match asked().await {
        Ok(asked) => asked,
        Err(error) => return Failure::failed(format!("signals can't be listened to: {error}; no file was written")),
    };
    Failure::new(exit, format!("{how}; no file was written"))
}

#[cfg(unix)]
async fn asked() -> std::io::Result<(Exit, &'static str)> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let mut hang_up = if ignores_hang_up() { None } else { Some(signal(SignalKind::hangup())?) };
    let hung_up = async {
        match &mut hang_up {
            Some(hang_up) => hang_up.recv().await,
            None => std::future::pending().await,
        }
    };
    Ok(tokio::select! {
        _ = interrupt.recv() => (Exit::Interrupted, "interrupted"),
        _ = terminate.recv() => (Exit::Terminated, "terminated"),
        _ = hung_up => (Exit::HungUp, "hung up"),
    })
}

#[cfg(not(unix))]
async fn asked() -> std::io::Result<(Exit, &'static str)> {
    tokio::signal::ctrl_c().await.map(|()| (Exit::Interrupted, "interrupted"))
}

/// Whoever started the program with `nohup` wants it to outlive the terminal, and to listen would undo that. Only Linux
/// says so in a file; elsewhere the signal is taken for meant.
#[cfg(unix)]
fn ignores_hang_up() -> bool {
    // Signal n is bit n - 1 of this mask, and SIGHUP is 1 everywhere.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}
