//! Where the settings come from: defaults, then the TOML file, then flags.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use claim_check_host::{Policy, Settings, SettingsError, SqliteOptions, SqliteStore, ToolPolicy};
use serde::Deserialize;

use super::escaping::{one_line, one_line_with_tabs};
use super::exit::{Exit, Failure};
use super::folders::Folders;
use super::store_at::StoreAt;

/// The store's own defaults, for a file that names one bound and not the other.
const TENANT_BYTES: u64 = 1 << 30;
const TOTAL_BYTES: u64 = 16 << 30;

/// What the man page says of the file.
pub(crate) const FILE_HELP: &str = "\
Settings file (--config; by default claim-check/config.toml in your configuration folder, if it is there). Every
key may be left out; what [tools.NAME] leaves out it takes from [policy] (in the library a tool's policy applies
whole, and takes nothing from the one for all tools); a flag wins over the file:

    # Relative paths start from this file's folder.
    store = \"sqlite:/var/lib/agents/claims.db\"
    tenant_bytes = 1073741824       # what one tenant may hold
    total_bytes = 17179869184       # what all of them may
    patience_seconds = 20           # to wait while others write
    window_chars = 4096             # what fetch prints
    fetch_tool = \"fetch_result\"     # the tool in the notice; \"\" is refused
    find_tool = \"find_in_result\"    # the tool that searches; \"\" for none
    neutralise = true

    [policy]
    threshold_chars = 4096          # more than this is checked in
    head_chars = 512
    tail_chars = 0
    ttl_seconds = 3600

    # For check-in --tool build.
    [tools.build]
    tail_chars = 800";

/// The flags that make a policy.
#[derive(Debug, Default, Clone, clap::Args)]
pub(crate) struct PolicyFlags {
    /// Check in what has more characters than this [default: 4096]
    #[arg(long, value_name = "N", help_heading = "Policy")]
    pub(crate) threshold_chars: Option<u32>,
    /// Keep at most so many characters of the beginning [default: 512]
    #[arg(long, value_name = "N", help_heading = "Policy")]
    pub(crate) head_chars: Option<u32>,
    /// Keep at most so many characters of the end [default: 0]
    #[arg(long, value_name = "N", help_heading = "Policy")]
    pub(crate) tail_chars: Option<u32>,
    /// For how long, at least, the handle can be redeemed [default: 3600]
    #[arg(long, value_name = "SECONDS", help_heading = "Policy")]
    pub(crate) ttl_seconds: Option<u32>,
}

impl PolicyFlags {
    fn over(&self, policy: &Policy) -> Policy {
        Policy {
            threshold_chars: self.threshold_chars.unwrap_or(policy.threshold_chars),
            head_chars: self.head_chars.unwrap_or(policy.head_chars),
            tail_chars: self.tail_chars.unwrap_or(policy.tail_chars),
            ttl_seconds: self.ttl_seconds.unwrap_or(policy.ttl_seconds),
        }
    }
}

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    store: Option<String>,
    window_chars: Option<u32>,
    fetch_tool: Option<String>,
    find_tool: Option<String>,
    neutralise: Option<bool>,
    tenant_bytes: Option<u64>,
    total_bytes: Option<u64>,
    patience_seconds: Option<u32>,
    #[serde(default)]
    policy: PolicyInFile,
    #[serde(default)]
    tools: BTreeMap<String, PolicyInFile>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyInFile {
    threshold_chars: Option<u32>,
    head_chars: Option<u32>,
    tail_chars: Option<u32>,
    ttl_seconds: Option<u32>,
}

impl PolicyInFile {
    fn over(&self, policy: &Policy) -> Policy {
        let Self { threshold_chars, head_chars, tail_chars, ttl_seconds } = *self;
        PolicyFlags { threshold_chars, head_chars, tail_chars, ttl_seconds }.over(policy)
    }
}

/// What the file and the flags come to.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) settings: Settings,
    /// As the file has it.
    pub(crate) store: Option<StoreAt>,
    /// What a tenant may hold, and what all may, in bytes, where the file says either.
    bounds: Option<(u64, u64)>,
    patience: Option<Duration>,
}

impl Config {
    /// Reads the file that was named, or the user's where it is there.
    pub(crate) fn read(named: Option<&Path>, folders: Option<&Folders>, flags: &PolicyFlags) -> Result<Self, Failure> {
        let of_user = folders.map(|folders| folders.config.join("config.toml"));
        let Some(path) = named.map(Path::to_owned).or(of_user) else { return Self::of(File::default(), flags) };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound && named.is_none() => String::new(),
            Err(error) => {
                return Err(Failure::refused(format!("the settings in {} can't be read: {error}", path.display())));
            }
        };
        let name = one_line(&path.display().to_string());
        let file = toml::from_str(&text).map_err(|error| {
            // Several lines, of which one is the file's own with a mark under it.
            let lines: Vec<_> = error.to_string().trim_end().lines().map(one_line_with_tabs).collect();
            let message = format!("the settings in {name} are refused: {}", lines.join("\n"));
            Failure { exit: Exit::Refused, message: Some(message) }
        })?;
        let home = folders.map(|folders| folders.home.as_path());
        let mut config = Self::of(file, flags)
            .map_err(|failure| Failure { message: failure.message.map(|m| format!("{name}: {m}")), ..failure })?;
        config.store = config.store.map(|store| store.resolved(path.parent(), home));
        Ok(config)
    }

    /// How the store is opened.
    pub(crate) fn options(&self) -> SqliteOptions {
        let options = SqliteStore::options();
        let options = match self.bounds {
            Some((tenant, total)) => options.bounds(tenant, total),
            None => options,
        };
        match self.patience {
            Some(patience) => options.patience(patience),
            None => options,
        }
    }

    fn of(file: File, flags: &PolicyFlags) -> Result<Self, Failure> {
        let defaults = Settings::default();
        let policy = file.policy.over(&defaults.policy);
        let per_tool = file
            .tools
            .iter()
            .map(|(tool, own)| ToolPolicy { tool: tool.clone(), policy: flags.over(&own.over(&policy)) });
        let store = file.store.map(|store| {
            store.parse().map_err(|reason| Failure::refused(format!("store = {store:?} is refused: {reason}")))
        });
        let bounds = match (file.tenant_bytes, file.total_bytes) {
            (None, None) => None,
            (tenant, total) => Some((tenant.unwrap_or(TENANT_BYTES), total.unwrap_or(TOTAL_BYTES))),
        };
        Ok(Self {
            bounds,
            patience: file.patience_seconds.map(|seconds| Duration::from_secs(seconds.into())),
            settings: Settings {
                per_tool: per_tool.collect(),
                policy: flags.over(&policy),
                fetch_tool: file.fetch_tool.unwrap_or(defaults.fetch_tool),
                find_tool: match file.find_tool {
                    Some(tool) => Some(tool).filter(|tool| !tool.is_empty()),
                    None => defaults.find_tool,
                },
                window_chars: file.window_chars.unwrap_or(defaults.window_chars),
                neutralise: file.neutralise.unwrap_or(defaults.neutralise),
            },
            store: store.transpose()?,
        })
    }
}

/// Why settings were refused, with the values that were.
pub(crate) fn refused(error: &SettingsError, settings: &Settings) -> Failure {
    let policy = match error {
        SettingsError::ExtractNotBelowThreshold(None) => Some(&settings.policy),
        SettingsError::ExtractNotBelowThreshold(Some(name)) => {
            settings.per_tool.iter().find(|own| own.tool == *name).map(|own| &own.policy)
        }
        _ => None,
    };
    let values = policy.map_or_else(String::new, |policy| {
        let Policy { threshold_chars, head_chars, tail_chars, .. } = policy;
        format!(" (threshold_chars is {threshold_chars}, head_chars {head_chars}, tail_chars {tail_chars})")
    });
    Failure::refused(format!("the settings are refused: {error}{values}"))
}
