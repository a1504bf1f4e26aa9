//! `scheduler move`: takes a whole installation from SQLite to PostgreSQL, or back.

use clap::Args;
use scheduler_core::ports::Clock as _;
use scheduler_store::{MoveError, cancel_move, move_database};
use scheduler_worker::SystemClock;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;

use crate::config::{StorageOptions, StorageSettings};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::opening::{cannot_open, refuse_missing, sealing_key};
use crate::printer::count;

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler move --to postgres://scheduler@db.internal/scheduler
  scheduler move --database postgres://scheduler@db.internal/scheduler --to sqlite:new/scheduler.db
  scheduler move --cancel

Stop the server first, or let it read on: nothing is published, and nothing can be changed, from the
begin of a move on. See docs/operating.md.";

/// Where an installation goes.
#[derive(Args, Debug)]
pub(crate) struct MoveArguments {
    /// The database that it goes to, which is empty or holds a part of this move: postgres://… or
    /// sqlite:PATH
    #[arg(long, value_name = "URL", required_unless_present = "cancel")]
    to: Option<SecretString>,
    /// Open the database for changes again that a move has closed, unless it has come to its end
    #[arg(long, conflicts_with = "to")]
    cancel: bool,
    #[command(flatten)]
    storage: StorageOptions,
}

pub(crate) async fn run(context: Context, arguments: MoveArguments) -> Result<Exit, Failure> {
    context.need_local(&arguments.storage)?;
    let storage = StorageSettings::load(arguments.storage, &context.sources)?;
    refuse_missing(&storage).await?;
    let from = storage.database.expose_secret();
    let Some(to) = arguments.to else {
        let is_open = cancel_move(from).await.map_err(told)?;
        let line = if is_open { "it can be changed again" } else { "no move was under way" };
        return context.done(&json!({"cancelled": is_open}), line);
    };
    let key = sealing_key(&storage).await?;
    let moving = move_database(from, to.expose_secret(), &key, SystemClock::new().now());
    let moving = context.with_spinner("moving the installation", Box::pin(moving));
    let moved = moving.await.map_err(told)?;
    let shown = json!({"copied": moved.copied, "compared": moved.compared});
    let line = format!(
        "{} rows copied, {} compared: all are the same",
        count(moved.copied),
        count(moved.compared)
    );
    context.print(&shown, &line)?;
    context.printer.advice(
        "set `database` (or SCHEDULER_DATABASE) to the new one on every server and start them; the \
         secret key and the files stay where they are, and the old database takes no changes any more",
    );
    Ok(Exit::Done)
}

/// Why a move has stopped, and what to do.
fn told(error: MoveError) -> Failure {
    let advice = match &error {
        MoveError::Open(..) => None,
        MoveError::SameKind => {
            Some("`scheduler backup` copies an SQLite file, and pg_dump a PostgreSQL database")
        }
        MoveError::NotEmpty(_) => {
            Some("name an empty database, such as one that you have just made")
        }
        MoveError::Elsewhere => Some("set `database` to where it was moved"),
        MoveError::Unfinished => Some("finish that move, or name another database"),
        MoveError::Form(_) => Some("run the same release against both databases"),
        MoveError::Differs { .. } => Some(
            "empty the new database and run the command again; `scheduler move --cancel` goes back to the old one",
        ),
        MoveError::Store(_) => Some(
            "run the command again: it goes on where it was; `scheduler move --cancel` goes back to the old one",
        ),
    };
    match (error, advice) {
        (MoveError::Open(_, error), _) => cannot_open(error).into(),
        (error, Some(advice)) => Failure::advised(format!("{error}"), advice),
        (error, None) => anyhow::Error::from(error).into(),
    }
}
