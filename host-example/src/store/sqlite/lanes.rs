//! Who uses the file when: one writer at a time, a few readers beside it, all on tokio's blocking pool.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction};
use tokio::sync::{OwnedMutexGuard, Semaphore};
use tokio::task::spawn_blocking;

use super::disk::{is_busy, persist, store_error};
use super::open_error::OpenStoreError;
use super::schema;
use super::work::Work;
use crate::store::{Clock, StoreError};

/// How many reads of one handle run at once; more would wait for the disk or the processor anyway.
const READERS: usize = 4;
/// While calls queue up, the WAL is truncated after sweeps so often at most.
const PURGE_EVERY: Duration = Duration::from_millis(250);
/// How long a put waits for readers so that the WAL can be truncated; a forget waits for as long as it takes.
const PURGE_PATIENCE: Duration = Duration::from_millis(20);

pub(super) struct Lanes {
    path: PathBuf,
    identity: Option<(u64, u64)>,
    clock: Arc<dyn Clock>,
    patience: Duration,
    // Readers are closed first: the last connection to be closed cleans up after all, and has to be one that writes.
    idle: Mutex<Vec<Connection>>,
    readers: Arc<Semaphore>,
    writer: Arc<tokio::sync::Mutex<Writer>>,
    queued: AtomicUsize,
}

struct Writer {
    connection: Option<Connection>,
    /// Since when the WAL may hold content that has been erased.
    unpurged: Option<Instant>,
}

impl Lanes {
    pub(super) fn open(path: &Path, clock: Arc<dyn Clock>, patience: Duration) -> Result<Self, OpenStoreError> {
        let path = schema::place(path)?;
        let connection = schema::connect(&path, Instant::now() + patience)?;
        let mut writer = Writer { connection: Some(connection), unpurged: Some(Instant::now()) };
        // A process that was killed may have left erased content in the WAL. Others may be at work: then they clean up.
        let _ = writer.purge(&path, Instant::now() + PURGE_PATIENCE);
        Ok(Self {
            identity: schema::identity(&path),
            path,
            clock,
            patience,
            idle: Mutex::default(),
            readers: Arc::new(Semaphore::new(READERS)),
            writer: Arc::new(tokio::sync::Mutex::new(writer)),
            queued: AtomicUsize::new(0),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }

    /// One write transaction, committed where `job` succeeds; it may be run several times.
    pub(super) async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl Fn(&mut Work<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let deadline = Instant::now() + self.patience;
        let mut writer = self.turn(deadline).await?;
        let lanes = Arc::clone(self);
        blocking(move || lanes.write_now(&mut writer, deadline, job)).await
    }

    /// The same where nobody else is writing; otherwise, and where it fails, nothing happens.
    pub(super) async fn write_if_free(
        self: &Arc<Self>,
        job: impl Fn(&mut Work<'_>) -> rusqlite::Result<()> + Send + 'static,
    ) {
        if let Ok(mut writer) = Arc::clone(&self.writer).try_lock_owned() {
            let lanes = Arc::clone(self);
            let _ = blocking(move || lanes.write_now(&mut writer, Instant::now(), job)).await;
        }
    }

    /// Brings every change into the file and empties the WAL; only then nothing that was erased is left there.
    pub(super) async fn purge(self: &Arc<Self>) -> Result<(), StoreError> {
        let deadline = Instant::now() + self.patience;
        let mut writer = self.turn(deadline).await?;
        let lanes = Arc::clone(self);
        blocking(move || {
            writer.unpurged = Some(Instant::now());
            writer.purge(&lanes.path, deadline)?;
            match writer.unpurged {
                None => Ok(()),
                Some(_) => Err(StoreError::Unavailable(format!(
                    "what was forgotten can't be fetched any more, but another process reads {0} all the time, so old bytes \
                     may be left in {0}-wal; end that process, and forget again",
                    lanes.path.display()
                ))),
            }
        })
        .await
    }

    /// One snapshot of the file; `job` may be run several times.
    pub(super) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl Fn(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let deadline = Instant::now() + self.patience;
        let turn = tokio::time::timeout_at(deadline.into(), Arc::clone(&self.readers).acquire_owned()).await;
        let Ok(Ok(permit)) = turn else { return Err(self.no_turn("reads")) };
        let lanes = Arc::clone(self);
        blocking(move || {
            let _permit = permit;
            lanes.is_in_place()?;
            let idle = lanes.idle().pop();
            let mut connection = match idle {
                Some(connection) => connection,
                None => schema::connect(&lanes.path, deadline)?,
            };
            let outcome = persist(deadline, || job(&connection.transaction()?));
            if outcome.as_ref().err().is_none_or(|error| !schema::is_spent(error)) {
                lanes.idle().push(connection);
            }
            outcome.map_err(|error| store_error(&lanes.path, &error))
        })
        .await
    }

    /// What is put into a file that has been taken away would be acknowledged, and lost.
    fn is_in_place(&self) -> Result<(), StoreError> {
        if schema::identity(&self.path) == self.identity {
            return Ok(());
        }
        Err(StoreError::Failed(format!(
            "{} was moved, removed or replaced while it was open; stop this program, put the file back, and start again",
            self.path.display()
        )))
    }

    async fn turn(&self, deadline: Instant) -> Result<OwnedMutexGuard<Writer>, StoreError> {
        let _queued = Queued::new(&self.queued);
        let turn = tokio::time::timeout_at(deadline.into(), Arc::clone(&self.writer).lock_owned());
        turn.await.map_err(|_| self.no_turn("writes"))
    }

    fn no_turn(&self, what: &str) -> StoreError {
        StoreError::Unavailable(format!(
            "other {what} to {} took all of {:?}; try again, send fewer at once, or give it more patience",
            self.path.display(),
            self.patience
        ))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_now<T>(
        &self,
        writer: &mut Writer,
        deadline: Instant,
        job: impl Fn(&mut Work<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.is_in_place()?;
        let connection = writer.connection(&self.path, deadline)?;
        let outcome = persist(deadline, || {
            let mut work = Work::begin(connection, &*self.clock)?;
            let value = job(&mut work)?;
            Ok((value, work.commit()?))
        });
        match outcome {
            Ok((value, erased)) => {
                if erased {
                    writer.unpurged.get_or_insert_with(Instant::now);
                }
                // Under load one purge serves many sweeps.
                let due = writer.unpurged.is_some_and(|since| since.elapsed() > PURGE_EVERY);
                if due || self.queued.load(Ordering::Relaxed) == 0 {
                    let _ = writer.purge(&self.path, Instant::now() + PURGE_PATIENCE);
                }
                Ok(value)
            }
            Err(error) => {
                // What was refused half-way lies in the WAL, too.
                if !is_busy(&error) {
                    writer.unpurged.get_or_insert_with(Instant::now);
                }
                if schema::is_spent(&error) {
                    writer.connection = None;
                }
                Err(store_error(&self.path, &error))
            }
        }
    }
}

impl Writer {
    fn connection(&mut self, path: &Path, deadline: Instant) -> Result<&mut Connection, StoreError> {
        Ok(match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(schema::connect(path, deadline)?),
        })
    }

    /// Leaves `unpurged` as it is where readers stay in the way until the deadline.
    fn purge(&mut self, path: &Path, deadline: Instant) -> Result<(), StoreError> {
        if self.unpurged.is_none() {
            return Ok(());
        }
        let connection = self.connection(path, deadline)?;
        let purged = persist(deadline, || {
            // Here SQLite itself has to wait: it keeps new readers off the WAL while old ones leave.
            connection.busy_timeout(deadline.saturating_duration_since(Instant::now()).min(Duration::from_secs(1)))?;
            let blocked = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
            connection.busy_timeout(Duration::ZERO)?;
            match blocked? {
                true if Instant::now() < deadline => Err(busy()),
                blocked => Ok(!blocked),
            }
        });
        match purged {
            Ok(true) => self.unpurged = None,
            Ok(false) => {}
            Err(error) if is_busy(&error) => {}
            Err(error) => return Err(store_error(path, &error)),
        }
        Ok(())
    }
}

fn busy() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY), None)
}

/// Counts who waits for the writer, also where the waiting is given up.
struct Queued<'a>(&'a AtomicUsize);

impl<'a> Queued<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn blocking<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    spawn_blocking(job).await.unwrap_or_else(|error| {
        Err(if error.is_panic() {
            StoreError::Failed("the store panicked; the program's error output says where".into())
        } else {
            StoreError::Unavailable("the runtime is shutting down".into())
        })
    })
}
