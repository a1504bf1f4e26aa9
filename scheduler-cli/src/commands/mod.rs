//! The commands: one file each.

mod accounts;
mod approvals;
mod backup;
mod calendar;
mod captions;
mod channels;
mod check;
mod comment;
mod comments;
mod completions;
mod config;
mod deliveries;
mod demo;
mod doctor;
mod export;
mod feeds;
mod grants;
mod groups;
mod health;
mod import;
mod inbox;
mod insights;
mod keys;
mod links;
mod log;
mod login;
mod man;
mod mcp;
mod media;
mod metrics;
mod migrate;
mod move_to;
mod notifications;
mod panic;
mod platforms;
mod post;
mod posts;
mod queue;
mod recurring;
mod rehearse;
mod restore;
mod retry;
mod review;
mod sandbox;
mod schedule;
mod secrets;
mod serve;
mod sessions;
mod snippets;
mod undo;
mod upcoming;
mod web;
mod webhooks;
mod workspace;

use std::path::PathBuf;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use tracing::Level;

use crate::config::StorageOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::AskedArguments;

const EXAMPLES: &str = "\
Examples:
  scheduler serve --sandbox
  scheduler post \"Hello\" --to bluesky,mastodon --now --wait
  scheduler posts";

/// Schedules posts to social networks: the server, the application, and posting from scripts.
///
/// Settings come from the options, else from the environment (SCHEDULER_…), else from
/// scheduler.toml, else from a default. Exit codes: 0 done, 1 refused or failed, 2 wrong usage,
/// 3 the server could not be reached.
#[derive(Debug, Parser)]
#[command(
    name = "scheduler",
    version,
    max_term_width = groups::HELP_COLUMNS,
    help_template = groups::template(),
    after_help = EXAMPLES
)]
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
    /// Work on the server of this profile, which `scheduler login` has made [default: the one of the
    /// last login, unless an option or a setting names a server or a database]
    #[arg(long, global = true, value_name = "NAME", help_heading = "Common options")]
    pub(crate) profile: Option<String>,
    /// Print JSON on standard output, and nothing else
    #[arg(long, global = true, help_heading = "Common options")]
    pub(crate) json: bool,
    /// When to use colours; auto means on a terminal, and never where NO_COLOR is set
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Common options"
    )]
    pub(crate) color: Colours,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colours {
    Auto,
    Always,
    Never,
}

impl Colours {
    /// Decides for everything that is printed from now on.
    pub(crate) fn apply(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// Every command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start the API and its workers
    #[command(
        after_help = "Examples:\n  scheduler serve --sandbox\n  scheduler serve --listen 0.0.0.0:8080 --public-url https://posts.example.com\n  scheduler serve --role worker --database postgres://scheduler@db.example/scheduler"
    )]
    Serve(serve::ServeArguments),
    /// Start the sandbox networks alone
    #[command(
        after_help = "Examples:\n  scheduler sandbox\n  scheduler sandbox --listen 127.0.0.1:9000 --quotas"
    )]
    Sandbox(sandbox::SandboxArguments),
    /// Send one post with a picture to every sandbox network that takes one, and verify the events
    #[command(after_help = "Examples:\n  scheduler demo\n  scheduler demo --json")]
    Demo,
    /// Check the configuration, the database, the file store and the accounts, and say what to do
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(doctor::DoctorArguments),
    /// Ask a server whether it can do its work: exit 0 when it can, 1 when not, 3 without an answer
    #[command(after_help = health::EXAMPLES)]
    Health(health::HealthArguments),
    /// Show, check and explain the settings
    #[command(subcommand)]
    Config(Box<config::ConfigCommand>),
    /// Bring a database up to date
    #[command(
        after_help = "Example:\n  scheduler migrate --database postgres://scheduler@db.example/scheduler"
    )]
    Migrate(StorageOptions),
    /// Take the whole installation from SQLite to PostgreSQL, or back
    ///
    /// The old database takes no changes from the begin on, so that nothing is published twice; a
    /// server that still uses it reads on. Every row is copied and then compared. Run again, the
    /// command goes on where it was broken off.
    #[command(after_help = move_to::EXAMPLES)]
    Move(move_to::MoveArguments),
    /// Copy the database and the files into a new data folder, while a server runs
    ///
    /// Works on the database directly. PostgreSQL is copied by its own pg_dump.
    #[command(after_help = backup::EXAMPLES)]
    Backup(backup::BackupArguments),
    /// Open a sealed backup into a new data folder
    #[command(after_help = restore::EXAMPLES)]
    Restore(restore::RestoreArguments),
    /// Write everything of a workspace but secrets into one file, a line of JSON each
    ///
    /// Works on the database directly. `scheduler import` takes the posts of such a file.
    #[command(after_help = export::EXAMPLES)]
    Export(export::ExportArguments),
    /// Make, list and change workspaces
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler workspace create acme --plan pro\n  scheduler workspace list"
    )]
    Workspace(workspace::WorkspaceCommand),
    /// Make, list and revoke API keys
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler keys create --name laptop --preset publish\n  scheduler keys list"
    )]
    Keys(keys::KeysCommand),
    /// Log in to a server, to work on it from this machine
    ///
    /// Shows a code that is confirmed on the server, and keeps a session for 90 days in the user's
    /// configuration folder. From then on every command works on that server.
    #[command(after_help = login::EXAMPLES)]
    Login(login::LoginArguments),
    /// Show who changed what
    #[command(after_help = log::EXAMPLES)]
    Log(log::LogArguments),
    /// End the session of a login, and forget it
    #[command(after_help = "Examples:\n  scheduler logout\n  scheduler logout posts.example.com")]
    Logout(login::LogoutArguments),
    /// List the servers that you have logged in to, and choose the one that counts
    #[command(after_help = "Examples:\n  scheduler profiles\n  scheduler profiles use local")]
    Profiles(login::ProfilesArguments),
    /// Let programs in that people log in with, list them, and end their sessions
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler sessions confirm WDJB-MJHT\n  scheduler sessions list"
    )]
    Sessions(sessions::SessionsCommand),
    /// List the programs that people have connected by OAuth, and remove them
    #[command(subcommand)]
    #[command(after_help = "Example:\n  scheduler grants list")]
    Grants(grants::GrantsCommand),
    /// Open the pages in a browser
    #[command(subcommand)]
    #[command(after_help = "Example:\n  scheduler web open")]
    Web(web::WebCommand),
    /// Offer tools to agents, by the Model Context Protocol
    ///
    /// A client such as Claude, Cursor or VS Code starts this command, which speaks the protocol on
    /// standard input and output. Over HTTP a server offers the same tools at /mcp.
    #[command(
        after_help = "Examples:\n  scheduler mcp\n  scheduler mcp --profile posts.example.com"
    )]
    Mcp(mcp::McpArguments),
    /// Change the key that seals secrets, or give up those whose key is lost
    ///
    /// Works on the database directly.
    #[command(subcommand)]
    #[command(after_help = "Examples:\n  scheduler secrets rotate\n  scheduler secrets forget")]
    Secrets(secrets::SecretsCommand),
    /// Connect, list, disconnect and change accounts
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler accounts connect bluesky --identifier me.bsky.social\n  scheduler accounts list"
    )]
    Accounts(accounts::AccountsCommand),
    /// Show the slots to come, and move or swap what holds them
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler queue list\n  scheduler queue list bluesky --free"
    )]
    Queue(queue::QueueCommand),
    /// Play the calendar of the next days through: what goes out when, and what would keep posts back
    ///
    /// Imitations of the networks count by what is known of them, on a simulated clock. Nothing is
    /// sent, and nothing is changed.
    #[command(after_help = rehearse::EXAMPLES)]
    Rehearse(rehearse::RehearseArguments),
    /// Have posts come again: by a rule, or from a pool that fills free slots
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler recurring add \"Bread of the week\" --text \"Rye.\" --to mastodon --rule \"FREQ=WEEKLY;BYDAY=MO\" --start 2026-12-07T09:00\n  scheduler recurring list"
    )]
    Recurring(recurring::RecurringCommand),
    /// Show or set the weekly posting schedules of accounts
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler schedule set bluesky \"mon-fri 09:00,13:00; sat 11:00\"\n  scheduler schedule show bluesky"
    )]
    Schedule(schedule::ScheduleCommand),
    /// Create a post
    ///
    /// Files of this machine are measured and checked against the networks' rules before a byte of
    /// them is sent; then they are uploaded, and the post is created once all are ready.
    #[command(after_help = post::EXAMPLES)]
    Post(Box<post::PostArguments>),
    /// Check a post against its networks, without creating it: what is wrong, how long its texts
    /// are, when it would go out; takes the arguments of `post`
    #[command(mut_args(check::hide_without_use), after_help = check::EXAMPLES)]
    Check(Box<check::CheckArguments>),
    /// Create many posts from a table (CSV), from JSON lines, or from Buffer, Mixpost or Postiz
    ///
    /// Every line is checked first, on this machine and then by the server; what is wrong is shown
    /// by line, and nothing is created while anything is. A run that was broken off is gone on with
    /// by the same command, which makes nothing twice.
    #[command(after_help = import::EXAMPLES)]
    Import(Box<import::ImportArguments>),
    /// List, show, change, cancel and retry posts, and change or take down what is live
    #[command(after_help = posts::EXAMPLES)]
    Posts(Box<posts::PostsArguments>),
    /// Show what goes out next, soonest first
    #[command(after_help = upcoming::EXAMPLES)]
    Upcoming(upcoming::UpcomingArguments),
    /// Show a month of posts, in the zone of this machine
    #[command(after_help = calendar::EXAMPLES)]
    Calendar(calendar::CalendarArguments),
    /// Take back that a post was edited or cancelled, within ten minutes
    #[command(after_help = undo::EXAMPLES)]
    Undo(undo::UndoArguments),
    /// Try what has failed again
    #[command(after_help = retry::EXAMPLES)]
    Retry(retry::RetryManyArguments),
    /// Cancel what is due and take down what is live, on all networks at once
    ///
    /// Says what cannot be taken down, and where it is seen. Run again, it goes on with what was left.
    #[command(after_help = panic::EXAMPLES)]
    Panic(panic::PanicArguments),
    /// Show what others have written under live posts, and mark it as read
    #[command(after_help = inbox::EXAMPLES)]
    Inbox(inbox::InboxArguments),
    /// Have the assistant write a caption of a text for each network
    #[command(
        after_help = "Example:\n  scheduler captions \"We open on Monday\" --to bluesky,linkedin"
    )]
    Captions(captions::CaptionsArguments),
    /// Have the assistant review a live post, or show its last review
    #[command(
        after_help = "Examples:\n  scheduler review 01993b5c-2b7e-7000-8000-000000000001\n  scheduler review 01993b5c-2b7e-7000-8000-000000000001 --refresh"
    )]
    Review(review::ReviewArguments),
    /// Show the figures of a post's live targets: the latest stored, live, or their history
    #[command(after_help = metrics::EXAMPLES)]
    Metrics(Box<metrics::MetricsArguments>),
    /// Show how long viewers of a video stay and where they came from, where the network tells
    #[command(after_help = insights::EXAMPLE)]
    Insights(AskedArguments),
    /// Show the comments of a live post, read from its network now
    #[command(after_help = comments::EXAMPLE)]
    Comments(AskedArguments),
    /// Reply to a comment, publicly as the connected account
    #[command(after_help = comment::REPLY_EXAMPLE)]
    Reply(comment::TextArguments),
    /// Edit, hide, unhide, like, unlike and delete comments, publicly as the connected account
    #[command(subcommand)]
    #[command(
        after_help = "Example:\n  scheduler comment hide 01993b5c-2b7e-7000-8000-000000000001 instagram 178912"
    )]
    Comment(comment::CommentCommand),
    /// Keep texts, sets of hashtags and templates to write posts with
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler snippets save tags \"#bread #bakery #berlin\"\n  scheduler post \"Out of the oven\" --to all --snippet tags --now"
    )]
    Snippets(snippets::SnippetsCommand),
    /// Upload, list, show and delete files
    #[command(subcommand)]
    #[command(after_help = "Examples:\n  scheduler media upload clip.mp4\n  scheduler media list")]
    Media(media::MediaCommand),
    /// Ask a server for accounts, and what networks tell of them: audience, boards, playlists,
    /// mentions
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler channels list\n  scheduler channels boards pinterest"
    )]
    Channels(channels::ChannelsCommand),
    /// Show what the networks take
    #[command(
        after_help = "Examples:\n  scheduler platforms\n  scheduler platforms bluesky\n  scheduler platforms mastodon --rules"
    )]
    Platforms(platforms::PlatformsArguments),
    /// Add, list and remove webhooks, and receive events
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler webhooks add https://example.com/events\n  scheduler webhooks listen --port 9000"
    )]
    Webhooks(webhooks::WebhooksCommand),
    /// List what became of events, and send them again
    #[command(subcommand)]
    #[command(after_help = "Example:\n  scheduler deliveries list --status failed")]
    Deliveries(deliveries::DeliveriesCommand),
    /// Tell people what happens: by e-mail, in Slack or Discord, or by ntfy
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler notifications add email ana@example.com --quiet 22:00-07:00\n  scheduler notifications list"
    )]
    Notifications(notifications::NotificationsCommand),
    /// Have posts made of the items of RSS, Atom and JSON feeds
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler feeds add https://blog.example.com/feed.xml --to mastodon\n  scheduler feeds list"
    )]
    Feeds(feeds::FeedsCommand),
    /// Tag and shorten the links of posts, and see how often they are followed
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler links rules set --tag --utm \"source={network}\"\n  scheduler links list"
    )]
    Links(links::LinksCommand),
    /// Show posts to clients, who approve them before they go out
    #[command(subcommand)]
    #[command(
        after_help = "Examples:\n  scheduler approvals create 01993b5c-2b7e-7000-8000-000000000001\n  scheduler approvals list"
    )]
    Approvals(approvals::ApprovalsCommand),
    /// Print what a shell needs to complete commands and options
    #[command(after_help = completions::EXAMPLES)]
    Completions(completions::CompletionsArguments),
    /// Print the page of the manual, or write one for each command
    #[command(after_help = man::EXAMPLES)]
    Man(man::ManArguments),
}

impl Command {
    /// The level of the log when no filter is set: servers tell what they do, other commands only
    /// what goes wrong.
    pub(crate) const fn default_log(&self) -> Level {
        if matches!(self, Self::Serve(_) | Self::Sandbox(_)) { Level::INFO } else { Level::WARN }
    }

    /// Whether it is the server, which runs until it is stopped.
    pub(crate) const fn is_server(&self) -> bool {
        matches!(self, Self::Serve(_))
    }

    /// Whether it tells itself what is wrong with the settings, and so must start with them.
    pub(crate) const fn reports_config_errors(&self) -> bool {
        matches!(self, Self::Doctor(_) | Self::Config(_))
    }

    pub(crate) async fn run(self, context: Context) -> Result<Exit, Failure> {
        match self {
            Self::Serve(arguments) => serve::run(context, arguments).await,
            Self::Sandbox(arguments) => sandbox::run(context, arguments).await,
            Self::Demo => Box::pin(demo::run(context)).await,
            Self::Doctor(arguments) => doctor::run(context, arguments).await,
            Self::Health(arguments) => health::run(context, arguments).await,
            Self::Config(command) => config::run(&context, *command),
            Self::Migrate(arguments) => migrate::run(context, arguments).await,
            Self::Move(arguments) => move_to::run(context, arguments).await,
            Self::Backup(arguments) => backup::run(context, arguments).await,
            Self::Restore(arguments) => restore::run(context, arguments).await,
            Self::Export(arguments) => Box::pin(export::run(context, arguments)).await,
            Self::Workspace(command) => workspace::run(context, command).await,
            Self::Keys(command) => keys::run(context, command).await,
            Self::Accounts(command) => Box::pin(accounts::run(context, command)).await,
            Self::Login(arguments) => login::login(context, arguments).await,
            Self::Log(arguments) => log::run(context, arguments).await,
            Self::Logout(arguments) => login::logout(context, arguments).await,
            Self::Profiles(arguments) => login::profiles(&context, arguments),
            Self::Sessions(command) => sessions::run(context, command).await,
            Self::Grants(command) => grants::run(context, command).await,
            Self::Web(command) => web::run(context, command).await,
            Self::Mcp(arguments) => Box::pin(mcp::run(context, arguments)).await,
            Self::Queue(command) => queue::run(context, command).await,
            Self::Rehearse(arguments) => rehearse::run(context, arguments).await,
            Self::Recurring(command) => Box::pin(recurring::run(context, command)).await,
            Self::Secrets(command) => secrets::run(context, command).await,
            Self::Schedule(command) => schedule::run(context, command).await,
            Self::Post(arguments) => post::run(context, *arguments).await,
            Self::Check(arguments) => check::run(context, *arguments).await,
            Self::Import(arguments) => import::run(context, *arguments).await,
            Self::Posts(arguments) => posts::run(context, *arguments).await,
            Self::Upcoming(arguments) => upcoming::run(context, arguments).await,
            Self::Calendar(arguments) => calendar::run(context, arguments).await,
            Self::Undo(arguments) => undo::run(context, arguments).await,
            Self::Retry(arguments) => retry::run(context, arguments).await,
            Self::Panic(arguments) => panic::run(context, arguments).await,
            Self::Captions(arguments) => captions::run(context, arguments).await,
            Self::Review(arguments) => review::run(context, arguments).await,
            Self::Metrics(arguments) => metrics::run(context, *arguments).await,
            Self::Inbox(arguments) => inbox::run(context, arguments).await,
            Self::Insights(arguments) => insights::run(context, arguments).await,
            Self::Comments(arguments) => comments::run(context, arguments).await,
            Self::Reply(arguments) => comment::reply(context, arguments).await,
            Self::Comment(command) => comment::run(context, command).await,
            Self::Snippets(command) => snippets::run(context, command).await,
            Self::Media(command) => media::run(context, command).await,
            Self::Channels(command) => channels::run(context, command).await,
            Self::Platforms(arguments) => platforms::run(context, arguments).await,
            Self::Webhooks(command) => webhooks::run(context, command).await,
            Self::Deliveries(command) => deliveries::run(context, command).await,
            Self::Notifications(command) => notifications::run(context, command).await,
            Self::Links(command) => Box::pin(links::run(context, command)).await,
            Self::Feeds(command) => Box::pin(feeds::run(context, command)).await,
            Self::Approvals(command) => approvals::run(context, command).await,
            Self::Completions(arguments) => {
                completions::run(&context, &arguments, Arguments::command())
            }
            Self::Man(arguments) => man::run(&context, &arguments, Arguments::command()),
        }
    }
}

#[cfg(test)]
mod tests;
