//! `scheduler doctor`: checks what a server needs, and says what to do about what is wrong.
//!
//! A check is a file and a line in [`Check`]; what it can find wrong has a name in [`id::Id`], under
//! which `docs/troubleshooting.md` explains it. It looks at a [`Subject`], which has been gathered
//! once for all, and returns findings; it changes nothing that stays.

mod accounts;
mod api_versions;
mod apps;
mod assistant;
mod clock;
mod configuration;
mod data_folder;
mod database;
mod disk_space;
mod file_links;
mod file_store;
mod finding;
mod id;
mod listening;
mod networks;
mod other_servers;
mod private_addresses;
mod probe;
mod public_url;
mod reach;
mod report;
mod sandbox;
mod secret_key;
mod settings;
mod stored;
mod subject;
mod video_tools;
mod webhooks;
mod work;
mod workspaces;

use clap::Args;
use futures_util::stream::{self, StreamExt as _};

use super::Context;
use crate::config::{ServerOptions, StorageOptions};
use crate::exit::Exit;
use crate::failure::Failure;
use finding::{Finding, Verdict};
use subject::Subject;

/// Examples of the command.
pub(crate) const EXAMPLES: &str = "\
Examples:
  scheduler doctor
  scheduler doctor --data /var/lib/scheduler --public-url https://social.example.com
  scheduler doctor --database postgres://scheduler@db/scheduler --json
  scheduler doctor --sandbox

Exits with 1 when there is a problem, and with 0 when there are warnings at most.";

/// What to check: the same options as those of `serve`.
#[derive(Args, Debug)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    server: ServerOptions,
    #[command(flatten)]
    storage: StorageOptions,
    /// The server runs on the sandbox networks [env: SCHEDULER_SANDBOX]
    #[arg(long)]
    sandbox: bool,
}

/// Every check, in the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    Configuration,
    PrivateAddresses,
    DataFolder,
    SecretKey,
    Database,
    OtherServers,
    FileStore,
    Listening,
    PublicUrl,
    FileLinks,
    DiskSpace,
    Clock,
    VideoTools,
    Networks,
    ApiVersions,
    Apps,
    Sandbox,
    Accounts,
    Workspaces,
    Webhooks,
    Work,
    Assistant,
}

impl Check {
    const ALL: [Self; 22] = [
        Self::Configuration,
        Self::PrivateAddresses,
        Self::DataFolder,
        Self::SecretKey,
        Self::Database,
        Self::OtherServers,
        Self::FileStore,
        Self::Listening,
        Self::PublicUrl,
        Self::FileLinks,
        Self::DiskSpace,
        Self::Clock,
        Self::VideoTools,
        Self::Networks,
        Self::ApiVersions,
        Self::Apps,
        Self::Sandbox,
        Self::Accounts,
        Self::Workspaces,
        Self::Webhooks,
        Self::Work,
        Self::Assistant,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Configuration => "configuration",
            Self::PrivateAddresses => "private hosts",
            Self::DataFolder => "data folder",
            Self::SecretKey => "secret key",
            Self::Database => "database",
            Self::OtherServers => "other servers",
            Self::FileStore => "file store",
            Self::Listening => "listening",
            Self::PublicUrl => "public URL",
            Self::FileLinks => "file links",
            Self::DiskSpace => "disk space",
            Self::Clock => "clock",
            Self::VideoTools => "video tools",
            Self::Networks => "networks",
            Self::ApiVersions => "API versions",
            Self::Apps => "apps",
            Self::Sandbox => "sandbox",
            Self::Accounts => "accounts",
            Self::Workspaces => "workspaces",
            Self::Webhooks => "webhooks",
            Self::Work => "work",
            Self::Assistant => "assistant",
        }
    }

    async fn look(self, subject: &Subject) -> Vec<Finding> {
        match self {
            Self::Configuration => configuration::check(subject),
            Self::PrivateAddresses => vec![private_addresses::check(subject)],
            Self::DataFolder => vec![data_folder::check(subject)],
            Self::SecretKey => vec![secret_key::check(subject)],
            Self::Database => vec![database::check(subject)],
            Self::OtherServers => vec![other_servers::check(subject)],
            Self::FileStore => vec![file_store::check(subject).await],
            Self::Listening => vec![listening::check(subject).await],
            Self::PublicUrl => vec![public_url::check(subject).await],
            Self::FileLinks => vec![file_links::check(subject).await],
            Self::DiskSpace => disk_space::check(subject),
            Self::Clock => vec![clock::check(subject).await],
            Self::VideoTools => video_tools::check(subject).await,
            Self::Networks => networks::check(subject).await,
            Self::ApiVersions => api_versions::check(subject),
            Self::Apps => apps::check(subject),
            Self::Sandbox => vec![sandbox::check(subject)],
            Self::Accounts => accounts::check(subject),
            Self::Workspaces => workspaces::check(subject),
            Self::Webhooks => webhooks::check(subject),
            Self::Work => vec![work::check(subject)],
            Self::Assistant => vec![assistant::check(subject).await],
        }
    }
}

/// Runs every check and prints what each has found.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written.
pub(crate) async fn run(context: Context, arguments: DoctorArguments) -> Result<Exit, Failure> {
    let subject = Subject::gather(arguments, &context.sources).await?;
    let mut findings = Vec::new();
    // Side by side, since several may wait for somebody who does not answer; told in their order,
    // each as soon as those before it are known.
    let seen = &subject;
    let looks = Check::ALL.map(|check| async move {
        let found = Box::pin(check.look(seen)).await;
        (check, found)
    });
    let mut looks = stream::iter(looks).buffered(Check::ALL.len());
    while let Some((check, found)) = context.patiently("the checks", looks.next()).await {
        report::lines(context.printer, check, &found)?;
        findings.extend(found.into_iter().map(|finding| (check, finding)));
    }
    drop(looks);
    subject.close().await;
    report::document(context.printer, &findings)?;
    let is_ill = findings.iter().any(|(_, finding)| finding.verdict == Verdict::Problem);
    Ok(if is_ill { Exit::Failed } else { Exit::Done })
}
