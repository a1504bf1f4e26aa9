//! The commands: one file each.

mod accounts;
mod approvals;
mod captions;
mod channels;
mod check;
mod comment;
mod comments;
mod deliveries;
mod demo;
mod doctor;
mod insights;
mod keys;
mod media;
mod metrics;
mod migrate;
mod platforms;
mod post;
mod posts;
mod review;
mod sandbox;
mod schedule;
mod serve;
mod webhooks;
mod workspace;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use tracing::Level;

use crate::client::Client;
use crate::config::{ClientOptions, ClientSettings, Sources};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Schedules posts to social networks: the server, the application, and posting from scripts.
///
/// Settings come from the options, else from the environment (SCHEDULER_…), else from
/// scheduler.toml, else from a default. Exit codes: 0 done, 1 refused or failed, 2 wrong usage,
/// 3 the server could not be reached.
#[derive(Debug, Parser)]
#[command(name = "scheduler", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The options of every command.
#[derive(Args, Clone, Debug)]
pub(crate) struct Common {
    /// The settings file [env: SCHEDULER_CONFIG] [default: scheduler.toml, if it is there]
    #[arg(long, global = true, value_name = "FILE", help_heading = "Common options")]
    pub(crate) config: Option<PathBuf>,
    /// Print JSON on standard output, and nothing else
    #[arg(long, global = true, help_heading = "Common options")]
    pub(crate) json: bool,
}

/// Every command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start the API and its workers
    Serve(serve::ServeArguments),
    /// Start the sandbox networks alone
    Sandbox(sandbox::SandboxArguments),
    /// Send one post with a picture to every sandbox network that takes one, and verify the events
    Demo,
    /// Check the configuration, the database, the file store and the accounts, and say what to do
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(doctor::DoctorArguments),
    /// Bring a database up to date
    Migrate(migrate::MigrateArguments),
    /// Make, list and change workspaces
    #[command(subcommand)]
    Workspace(workspace::WorkspaceCommand),
    /// Make, list and revoke API keys
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// Connect, list, disconnect and change accounts
    #[command(subcommand)]
    Accounts(accounts::AccountsCommand),
    /// Show or set an account's weekly posting schedule
    #[command(subcommand)]
    Schedule(schedule::ScheduleCommand),
    /// Create a post
    ///
    /// Files of this machine are measured and checked against the networks' rules before a byte of
    /// them is sent; then they are uploaded, and the post is created once all are ready.
    #[command(after_help = post::EXAMPLES)]
    Post(Box<post::PostArguments>),
    /// Check a post against its networks, without creating it; takes the arguments of `post`, of
    /// which its time, --key and --wait do nothing here
    #[command(mut_args(check::hide_without_use))]
    Check(Box<check::CheckArguments>),
    /// List, show, change, cancel and retry posts, and change or take down what is live
    Posts(Box<posts::PostsArguments>),
    /// Have the assistant write a caption of a text for each network
    Captions(captions::CaptionsArguments),
    /// Have the assistant review a live post, or show its last review
    Review(review::ReviewArguments),
    /// Show the figures of a post's live targets: the latest stored, live, or their history
    #[command(after_help = metrics::EXAMPLES)]
    Metrics(Box<metrics::MetricsArguments>),
    /// Show how long viewers of a video stay and where they came from, where the network tells
    #[command(after_help = insights::EXAMPLE)]
    Insights(insights::InsightsArguments),
    /// Show the comments of a live post, read from its network now
    #[command(after_help = comments::EXAMPLE)]
    Comments(comments::CommentsArguments),
    /// Reply to a comment, publicly as the connected account
    #[command(after_help = comment::REPLY_EXAMPLE)]
    Reply(comment::TextArguments),
    /// Edit, hide, unhide, like, unlike and delete comments, publicly as the connected account
    #[command(subcommand)]
    Comment(comment::CommentCommand),
    /// Upload, list, show and delete files
    #[command(subcommand)]
    Media(media::MediaCommand),
    /// Ask a server for accounts, and what networks tell of them: audience, boards, playlists,
    /// mentions
    #[command(subcommand)]
    Channels(channels::ChannelsCommand),
    /// Show what the networks take
    Platforms(platforms::PlatformsArguments),
    /// Add, list and remove webhooks, and receive events
    #[command(subcommand)]
    Webhooks(webhooks::WebhooksCommand),
    /// List what became of events, and send them again
    #[command(subcommand)]
    Deliveries(deliveries::DeliveriesCommand),
    /// Show posts to clients, who approve them before they go out
    #[command(subcommand)]
    Approvals(approvals::ApprovalsCommand),
}

/// What a command works with.
pub(crate) struct Context {
    /// Prints.
    pub(crate) printer: Printer,
    /// Where settings come from.
    pub(crate) sources: Sources,
}

impl Context {
    /// A client of the server that the settings name.
    ///
    /// # Errors
    /// [`Failure::Config`] for an address that is none.
    pub(crate) fn client(&self, options: ClientOptions) -> Result<Client, Failure> {
        Client::new(ClientSettings::load(options, &self.sources)?)
    }

    /// Prints a document, or this line for a person.
    ///
    /// # Errors
    /// [`Failure::Other`] when standard output cannot be written.
    pub(crate) fn print(
        &self,
        document: &impl serde::Serialize,
        line: &str,
    ) -> Result<(), Failure> {
        Ok(self.printer.report(document, line).map_err(anyhow::Error::from)?)
    }
}

impl Command {
    /// Whether the command tells what is wrong with settings instead of failing on them.
    pub(crate) const fn judges_settings(&self) -> bool {
        matches!(self, Self::Doctor(_))
    }

    /// The level of the log when no filter is set: servers tell what they do, other commands only
    /// what goes wrong.
    pub(crate) const fn default_log(&self) -> Level {
        match self {
            Self::Serve(_) | Self::Sandbox(_) => Level::INFO,
            Self::Demo
            | Self::Doctor(_)
            | Self::Migrate(_)
            | Self::Workspace(_)
            | Self::Keys(_)
            | Self::Accounts(_)
            | Self::Schedule(_)
            | Self::Post(_)
            | Self::Check(_)
            | Self::Posts(_)
            | Self::Captions(_)
            | Self::Review(_)
            | Self::Metrics(_)
            | Self::Insights(_)
            | Self::Comments(_)
            | Self::Reply(_)
            | Self::Comment(_)
            | Self::Media(_)
            | Self::Channels(_)
            | Self::Platforms(_)
            | Self::Webhooks(_)
            | Self::Deliveries(_)
            | Self::Approvals(_) => Level::WARN,
        }
    }

    /// Does what the command says.
    ///
    /// # Errors
    /// [`Failure`] by variant.
    pub(crate) async fn run(self, context: Context) -> Result<Exit, Failure> {
        match self {
            Self::Serve(arguments) => serve::run(context, arguments).await,
            Self::Sandbox(arguments) => sandbox::run(context, arguments).await,
            Self::Demo => demo::run(context).await,
            Self::Doctor(arguments) => doctor::run(context, arguments).await,
            Self::Migrate(arguments) => migrate::run(context, arguments).await,
            Self::Workspace(command) => workspace::run(context, command).await,
            Self::Keys(command) => keys::run(context, command).await,
            Self::Accounts(command) => accounts::run(context, command).await,
            Self::Schedule(command) => schedule::run(context, command).await,
            Self::Post(arguments) => post::run(context, *arguments).await,
            Self::Check(arguments) => check::run(context, *arguments).await,
            Self::Posts(arguments) => posts::run(context, *arguments).await,
            Self::Captions(arguments) => captions::run(context, arguments).await,
            Self::Review(arguments) => review::run(context, arguments).await,
            Self::Metrics(arguments) => metrics::run(context, *arguments).await,
            Self::Insights(arguments) => insights::run(context, arguments).await,
            Self::Comments(arguments) => comments::run(context, arguments).await,
            Self::Reply(arguments) => comment::reply(context, arguments).await,
            Self::Comment(command) => comment::run(context, command).await,
            Self::Media(command) => media::run(context, command).await,
            Self::Channels(command) => channels::run(context, command).await,
            Self::Platforms(arguments) => platforms::run(context, arguments).await,
            Self::Webhooks(command) => webhooks::run(context, command).await,
            Self::Deliveries(command) => deliveries::run(context, command).await,
            Self::Approvals(command) => approvals::run(context, command).await,
        }
    }
}
