//! `scheduler calendar feed`: the address at which other calendars read posts.

use clap::Subcommand;
use http::Method;
use scheduler_core::calendar::CalendarFeedView;
use serde_json::json;

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::instant;

const PATH: &str = "/calendar-feed";

/// What to do with the calendar feed.
#[derive(Debug, Subcommand)]
pub(crate) enum FeedCommand {
    /// Make the address, and print it once
    ///
    /// Whoever has it sees the posts of the workspace, and changes nothing. The address that there
    /// was before shows nothing any more.
    #[command(after_help = "Example:\n  scheduler calendar feed make")]
    Make(OfWorkspace),
    /// Say whether there is an address
    #[command(after_help = "Example:\n  scheduler calendar feed show")]
    Show(OfWorkspace),
    /// Switch the address off
    #[command(after_help = "Example:\n  scheduler calendar feed remove")]
    Remove(OfWorkspace),
}

pub(super) async fn run(context: &Context, command: FeedCommand) -> Result<Exit, Failure> {
    match command {
        FeedCommand::Make(of) => {
            let client = of.open(context).await?;
            let answer = client.ask(Call::post(PATH, &json!({}))).await?;
            let made: CalendarFeedView = answer.read()?;
            context.done(&made, made.url.as_deref().unwrap_or_default())
        }
        FeedCommand::Show(of) => {
            let call = Call::get(PATH);
            let feed: CalendarFeedView = of.open(context).await?.ask(call).await?.read()?;
            let line = match feed.created_at {
                Some(at) => format!("There has been an address since {}.", instant(at)),
                None => "There is no address; `scheduler calendar feed make` makes one.".to_owned(),
            };
            context.done(&feed, &line)
        }
        FeedCommand::Remove(of) => {
            of.open(context).await?.ask(Call::new(Method::DELETE, PATH)).await?;
            context.done(&json!({"removed": true}), "removed")
        }
    }
}
