//! `scheduler doctor`: checks what a server needs, and says what to do about what is wrong.
//!
//! A check is a file and a line in [`CHECKS`]; what it can find wrong has a name in
//! [`finding::Id`], under which `docs/troubleshooting.md` explains it. It looks at a
//! [`subject::Subject`], which has been gathered once for all, and returns findings; it changes
//! nothing that stays.

mod accounts;
mod api_versions;
mod apps;
mod assistant;
mod clock;
mod configuration;
mod data_folder;
mod database;
mod disk_space;
mod figures;
mod file_links;
mod file_store;
mod finding;
mod gathering;
mod listening;
mod networks;
mod openid;
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

use std::io;
use std::pin::pin;
use std::sync::Arc;

use async_trait::async_trait;
use clap::Args;
use futures_util::stream::{self, Stream, StreamExt as _};
use scheduler_core::ids::WorkspaceId;
use scheduler_http::Doctor;
use serde_json::{Value, json};

use crate::client::Call;
use crate::config::{ServerOptions, Sources, StorageOptions};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use finding::{Found as _, Looking};
use report::{Report, Told};
use settings::Settings;
use subject::Subject;

/// Examples of the command.
pub(crate) const EXAMPLES: &str = "\
Examples:
  scheduler doctor
  scheduler doctor --data /var/lib/scheduler --public-url https://social.example.com
  scheduler doctor --database postgres://scheduler@db/scheduler --json
  scheduler doctor --sandbox
  scheduler doctor --profile posts.example.com

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

/// Something to check.
struct Check {
    /// Its name in output.
    name: &'static str,
    /// Looks whether it is well.
    look: for<'a> fn(&'a Subject) -> Looking<'a>,
}

/// Makes the table of checks from their names and modules.
macro_rules! checks {
    ($($name:literal: $module:ident,)*) => {
        &[$(Check {
            name: $name,
            look: |subject| Box::pin(async { $module::check(subject).await.all() }),
        },)*]
    };
}

/// Every check, in the order in which they are told.
static CHECKS: &[Check] = checks! {
    "configuration": configuration,
    "private hosts": private_addresses,
    "data folder": data_folder,
    "secret key": secret_key,
    "database": database,
    "other servers": other_servers,
    "file store": file_store,
    "listening": listening,
    "public URL": public_url,
    "file links": file_links,
    "disk space": disk_space,
    "clock": clock,
    "video tools": video_tools,
    "networks": networks,
    "API versions": api_versions,
    "figures": figures,
    "apps": apps,
    "sandbox": sandbox,
    "accounts": accounts,
    "workspaces": workspaces,
    "webhooks": webhooks,
    "work": work,
    "assistant": assistant,
    "OpenID": openid,
};

/// Looks at the server that runs in this process, with the settings that it was started with.
pub(crate) struct OwnDoctor {
    /// Where its settings come from.
    pub(crate) sources: Arc<Sources>,
    /// The options of `serve`.
    pub(crate) server: ServerOptions,
    /// Those of its storage.
    pub(crate) storage: StorageOptions,
    /// Whether it runs on sandbox networks.
    pub(crate) sandbox: bool,
}

#[async_trait]
impl Doctor for OwnDoctor {
    async fn examine(&self, workspace: WorkspaceId) -> io::Result<Value> {
        let (server, storage) = (self.server.clone(), self.storage.clone());
        let settings = Settings::read(server, storage, self.sandbox, &self.sources);
        let mut subject = gathering::subject(settings).await.map_err(io::Error::other)?;
        if let Ok(Some(stored)) = &mut subject.stored {
            stored.workspaces.retain(|held| held.workspace.id == workspace);
        }
        subject.is_of_one_workspace = true;
        let report = Report::from(looks(&subject).concat().await);
        subject.close().await;
        Ok(json!(report))
    }
}

/// Runs every check and prints what each has found; under a profile that is named, what its server
/// finds.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written; those of the server of a profile.
pub(crate) async fn run(context: Context, arguments: DoctorArguments) -> Result<Exit, Failure> {
    let DoctorArguments { server, storage, sandbox } = arguments;
    if context.profile.is_some()
        && let Some(client) = context.remote(&storage, None)?
    {
        let report = client.ask(Call::get("/doctor"));
        let report: Report = context.with_spinner("the server", report).await?.read()?;
        report::lines(context.printer, &report.checks)?;
        return report::document(context.printer, &report);
    }
    let settings = Settings::read(server, storage, sandbox, &context.sources);
    let subject = gathering::subject(settings).await?;
    let mut findings = Vec::new();
    {
        let mut looks = pin!(looks(&subject));
        while let Some(found) = context.with_spinner("the checks", looks.next()).await {
            report::lines(context.printer, &found)?;
            findings.extend(found);
        }
    }
    subject.close().await;
    report::document(context.printer, &findings.into())
}

/// What each check finds: side by side, since several may wait for somebody who does not answer;
/// told in their order, each as soon as those before it are known.
fn looks(subject: &Subject) -> impl Stream<Item = Vec<Told>> + Send + '_ {
    let looks = CHECKS.iter().map(move |check| async move {
        let found = (check.look)(subject).await;
        found.into_iter().map(|finding| Told::of(check.name, finding)).collect()
    });
    stream::iter(looks).buffered(CHECKS.len())
}
