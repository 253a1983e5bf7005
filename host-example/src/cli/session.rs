//! What a command works with: the scope, the store, and the claim check over it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use claim_check_host::{
    Absence, CallError, CheckInError, ClaimCheck, Engine, FetchError, Limits, OpenError, OpenStoreError, Scope,
    SqliteStore,
};

use super::Common;
use super::config::{self, Config, PolicyFlags};
use super::exit::{Exit, Failure};
use super::folders::{Folders, private_folder};
use super::store_at::StoreAt;
use super::terminal::Terminal;

/// Here nobody else waits for the processor, and the largest text of nothing but control characters takes its time.
const DEADLINE: Duration = Duration::from_secs(120);

/// Where the claims are, and whose they are.
pub(crate) struct Place {
    pub(crate) terminal: Terminal,
    pub(crate) store: SqliteStore,
    pub(crate) tenant: String,
    /// The run that was named, or the user's.
    run: Option<String>,
    config: Config,
    folders: Option<Folders>,
}

/// A place, and the claim check over it.
pub(crate) struct Session {
    pub(crate) terminal: Terminal,
    pub(crate) claims: ClaimCheck,
    pub(crate) engine: Engine,
    pub(crate) scope: Scope,
    store: String,
}

impl Place {
    /// Opens the store. `makes` says whether the command puts claims, and so may make the file that was named.
    pub(crate) fn open(common: &Common, flags: &PolicyFlags, makes: bool) -> Result<Self, Failure> {
        let folders = Folders::of_user();
        let config = Config::read(common.config.as_deref(), folders.as_ref(), flags)?;
        let home = folders.as_ref().map(|folders| folders.home.as_path());
        let named = common.store.clone().map(|store| store.resolved(None, home)).or_else(|| config.store.clone());
        let path = match named {
            Some(StoreAt::Memory) => {
                return Err(Failure::refused(
                    "memory: ends with this command, and every handle with it; use --store sqlite:PATH, \
                     or no --store for the one in your data folder",
                ));
            }
            Some(StoreAt::Sqlite(path)) if !makes && holds_nothing(&path) => {
                return Err(Failure::refused(format!(
                    "there is no store at {}; check the path, or check something in there first",
                    path.display()
                )));
            }
            Some(StoreAt::Sqlite(path)) => path,
            None => own_store(folders.as_ref())?,
        };
        let store = config.options().open(&path).map_err(|error| match error {
            OpenStoreError::Store(error) => Failure::store(&error),
            OpenStoreError::NotAFile(_) | OpenStoreError::IsAFolder(_) => Failure::refused(error.to_string()),
            error => Failure::failed(error.to_string()),
        })?;
        let tenant = common.tenant.clone().unwrap_or_else(|| "local".into());
        let terminal = common.terminal();
        Ok(Self { terminal, store, tenant, run: common.run.clone(), config, folders })
    }

    pub(crate) fn run(&self) -> Result<String, Failure> {
        match (&self.run, &self.folders) {
            (Some(run), _) => Ok(run.clone()),
            (None, Some(folders)) => folders.run(),
            (None, None) => Err(homeless("name a run with --run")),
        }
    }

    pub(crate) async fn session(self, run: String) -> Result<Session, Failure> {
        let engine = engine(self.folders.as_ref()).map_err(|error| Failure::call(&error))?;
        let settings = self.config.settings;
        let store = self.store.path().display().to_string();
        let claims = match ClaimCheck::open_in(&engine, settings.clone(), Arc::new(self.store)).await {
            Ok(claims) => claims,
            Err(OpenError::InvalidSettings(error)) => return Err(config::refused(&error, &settings)),
            Err(OpenError::Failed(error)) => return Err(Failure::call(&error)),
        };
        let scope = Scope::new(self.tenant, run);
        Ok(Session { terminal: self.terminal, claims, engine, scope, store })
    }
}

impl Session {
    pub(crate) async fn open(common: &Common, flags: &PolicyFlags, makes: bool) -> Result<Self, Failure> {
        let place = Place::open(common, flags, makes)?;
        let run = place.run()?;
        place.session(run).await
    }

    pub(crate) fn not_checked_in(&self, error: &CheckInError) -> Failure {
        match error {
            CheckInError::InvalidSettings(error) => config::refused(error, self.claims.settings()),
            CheckInError::InvalidScope(reason) => Failure::scope(reason),
            CheckInError::TooLarge => too_large("the input"),
            CheckInError::Store(error) => Failure::store(error),
            CheckInError::Failed(error) => Failure::call(error),
        }
    }

    pub(crate) fn not_read(&self, error: &FetchError) -> Failure {
        let Scope { tenant, run } = &self.scope;
        match error {
            FetchError::ClaimUnavailable(Absence::Damaged) => Failure::new(
                Exit::ClaimUnavailable,
                format!(
                    "what {} holds under this handle is not what was checked in; check the original in again, \
                     and look at that file and its disk",
                    self.store
                ),
            ),
            FetchError::ClaimUnavailable(_) => Failure::new(
                Exit::ClaimUnavailable,
                format!(
                    "nothing is held under this handle for tenant {tenant:?} and run {run:?} in {}: it was never \
                     checked in there, has expired, or was forgotten. See --tenant, --run and `claim-check list`, \
                     or check the original in again",
                    self.store
                ),
            ),
            FetchError::InvalidOffset(offset) => {
                Failure::refused(format!("the offset {offset} is negative; characters count from 0"))
            }
            FetchError::InvalidScope(reason) => Failure::scope(reason),
            FetchError::Store(error) => Failure::store(error),
            FetchError::Failed(error) => Failure::call(error),
        }
    }
}

pub(crate) fn too_large(what: &str) -> Failure {
    Failure::new(
        Exit::TooLarge,
        format!(
            "{what} is larger than 64 MiB (67108864 bytes), and nothing was stored; split it, say with `split -C 60m`"
        ),
    )
}

/// Compiling the component takes longer than any command, so it is kept where that can be.
pub(crate) fn engine(folders: Option<&Folders>) -> Result<Engine, CallError> {
    let cache_dir = folders.map(|folders| folders.cache.clone()).filter(|cache| private_folder(cache).is_ok());
    let limits = Limits { pool_size: 2, deadline: DEADLINE, cache_dir, ..Limits::default() };
    Engine::new(&limits).or_else(|error| match &limits.cache_dir {
        Some(_) => Engine::new(&Limits { cache_dir: None, ..limits.clone() }),
        None => Err(error),
    })
}

/// Whether there is no file at the path, or an empty one, which a store could still be made of.
fn holds_nothing(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |file| file.is_file() && file.len() == 0)
}

fn own_store(folders: Option<&Folders>) -> Result<PathBuf, Failure> {
    let Some(folders) = folders else { return Err(homeless("name a store with --store sqlite:PATH")) };
    private_folder(&folders.data).map_err(|error| {
        Failure::failed(format!(
            "the folder {} can't be made: {error}; name a store with --store sqlite:PATH",
            folders.data.display()
        ))
    })?;
    Ok(folders.data.join("claims.db"))
}

fn homeless(instead: &str) -> Failure {
    Failure::refused(format!("you have no home folder in the environment (HOME is not set); {instead}"))
}
