//! `scheduler doctor`: checks what a server needs, and says what to do about what is wrong.
//!
//! A check is a file and a line in [`Check`]. It looks at a [`Subject`], which has been gathered
//! once for all, and returns findings; it changes nothing that stays.

mod accounts;
mod api_versions;
mod assistant;
mod clock;
mod configuration;
mod data_folder;
mod database;
mod disk_space;
mod file_links;
mod file_store;
mod finding;
mod probe;
mod public_url;
mod reach;
mod report;
mod secret_key;
mod subject;
mod video_tools;

use clap::Args;

use super::Context;
use crate::config::{ServerOptions, StorageOptions};
use crate::exit::Exit;
use crate::failure::Failure;
use finding::{Finding, Verdict};
use subject::Subject;

/// What to check: the same options as those of `serve`.
#[derive(Args, Debug)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    server: ServerOptions,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Every check, in the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    Configuration,
    DataFolder,
    SecretKey,
    Database,
    FileStore,
    PublicUrl,
    FileLinks,
    DiskSpace,
    Clock,
    VideoTools,
    ApiVersions,
    Accounts,
    Assistant,
}

impl Check {
    const ALL: [Self; 13] = [
        Self::Configuration,
        Self::DataFolder,
        Self::SecretKey,
        Self::Database,
        Self::FileStore,
        Self::PublicUrl,
        Self::FileLinks,
        Self::DiskSpace,
        Self::Clock,
        Self::VideoTools,
        Self::ApiVersions,
        Self::Accounts,
        Self::Assistant,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Configuration => "configuration",
            Self::DataFolder => "data folder",
            Self::SecretKey => "secret key",
            Self::Database => "database",
            Self::FileStore => "file store",
            Self::PublicUrl => "public URL",
            Self::FileLinks => "file links",
            Self::DiskSpace => "disk space",
            Self::Clock => "clock",
            Self::VideoTools => "video tools",
            Self::ApiVersions => "API versions",
            Self::Accounts => "accounts",
            Self::Assistant => "assistant",
        }
    }

    async fn look(self, subject: &Subject) -> Vec<Finding> {
        match self {
            Self::Configuration => configuration::check(subject),
            Self::DataFolder => vec![data_folder::check(subject)],
            Self::SecretKey => vec![secret_key::check(subject)],
            Self::Database => vec![database::check(subject)],
            Self::FileStore => vec![file_store::check(subject).await],
            Self::PublicUrl => vec![public_url::check(subject).await],
            Self::FileLinks => vec![file_links::check(subject).await],
            Self::DiskSpace => disk_space::check(subject),
            Self::Clock => vec![clock::check(subject).await],
            Self::VideoTools => video_tools::check(subject).await,
            Self::ApiVersions => api_versions::check(subject),
            Self::Accounts => accounts::check(subject),
            Self::Assistant => vec![assistant::check(subject).await],
        }
    }
}

/// Runs every check and prints what each has found.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written.
pub(crate) async fn run(context: Context, arguments: DoctorArguments) -> Result<Exit, Failure> {
    let subject = Subject::gather(arguments.server, arguments.storage, &context.sources).await?;
    let mut findings = Vec::new();
    for check in Check::ALL {
        let found = context.patiently(check.name(), check.look(&subject)).await;
        // Whoever does not answer takes long; what is known already is told before.
        report::lines(context.printer, check, &found)?;
        findings.extend(found.into_iter().map(|finding| (check, finding)));
    }
    subject.close().await;
    report::document(context.printer, &findings)?;
    let is_ill = findings.iter().any(|(_, finding)| finding.verdict == Verdict::Problem);
    Ok(if is_ill { Exit::Failed } else { Exit::Done })
}
