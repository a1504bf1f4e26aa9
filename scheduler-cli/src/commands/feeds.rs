//! `scheduler feeds`: has posts made of the items of RSS, Atom and JSON feeds.

use std::collections::BTreeMap;
use std::io;

use clap::{Args, Subcommand};
use http::Method;
use scheduler_core::app::{FeedTrial, TriedItem};
use scheduler_core::feeds::{FeedInput, FeedMode, FeedView};
use scheduler_core::ids::FeedId;
use scheduler_core::platform::Platform;
use scheduler_core::post::TargetInput;
use serde_json::{Value, json};

use crate::client::{Call, Client};
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::named_accounts::{accounts, several};
use crate::names::{self, OneOf};
use crate::posting::{instant, read_network};
use crate::printer::{Column, Printer, Shows, cell, excerpt, one_line};

/// Characters of a text that are shown of what would be made of an item.
const TEXT_SHOWN: usize = 200;

/// What to do with feeds.
#[derive(Debug, Subcommand)]
pub(crate) enum FeedsCommand {
    /// Have posts made of what appears in a feed from now on
    #[command(
        after_help = "Examples:\n  scheduler feeds add https://blog.example.com/feed.xml --to bluesky,mastodon\n  scheduler feeds add https://blog.example.com/feed.xml --to mastodon --template \"{title}\" --mode queue --label blog"
    )]
    Add(Box<AddArguments>),
    /// Show what would be made of a feed, and make nothing
    ///
    /// Reads the feed, and prints what would become of its first items and what the networks say.
    #[command(
        after_help = "Examples:\n  scheduler feeds check https://blog.example.com/feed.xml --to bluesky\n  scheduler feeds check 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Check(Box<CheckArguments>),
    /// List feeds, and what came of their last polls
    #[command(after_help = "Example:\n  scheduler feeds list")]
    List(OfWorkspace),
    /// Change what is made of a feed
    #[command(
        after_help = "Example:\n  scheduler feeds edit 01993b5c-2b7e-7000-8000-000000000001 --mode queue --every 60"
    )]
    Edit(Box<EditArguments>),
    /// Poll a feed within seconds
    #[command(after_help = "Example:\n  scheduler feeds poll 01993b5c-2b7e-7000-8000-000000000001")]
    Poll(OneArguments),
    /// Stop polling a feed until it is resumed
    #[command(
        after_help = "Example:\n  scheduler feeds pause 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Pause(OneArguments),
    /// Go on with a feed that is paused
    #[command(
        after_help = "Example:\n  scheduler feeds resume 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Resume(OneArguments),
    /// Remove a feed; posts that were made of it stay
    #[command(
        after_help = "Example:\n  scheduler feeds remove 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Remove(OneArguments),
}

/// What is made of a feed.
#[derive(Args, Debug)]
struct Wishes {
    /// Where its posts go: accounts by id, network or NETWORK:@HANDLE, with commas between; all for
    /// all
    #[arg(long, value_name = "ACCOUNTS")]
    to: Option<String>,
    /// What to call it
    #[arg(long)]
    name: Option<String>,
    /// The text of its posts, with {title}, {link}, {summary} and {author}; {summary:200} cuts it
    #[arg(long, value_name = "TEXT")]
    template: Option<String>,
    /// The text for one network; once for each
    #[arg(long, value_name = "NETWORK=TEXT", value_parser = template_for)]
    template_for: Vec<(Platform, String)>,
    /// What becomes of an item: drafts, or queue for the next free slots
    #[arg(long, value_parser = OneOf::<FeedMode>::new())]
    mode: Option<FeedMode>,
    /// Minutes between two polls, 15 to 10080
    #[arg(long, value_name = "MINUTES")]
    every: Option<u32>,
    /// A label of its posts; once for each
    #[arg(long = "label", value_name = "LABEL")]
    labels: Vec<String>,
    /// Make posts of what stands in it already, too
    #[arg(long)]
    existing: bool,
}

/// A feed to add.
#[derive(Args, Debug)]
pub(crate) struct AddArguments {
    /// Its address: https, and public
    url: String,
    #[command(flatten)]
    wishes: Wishes,
    #[command(flatten)]
    of: OfWorkspace,
}

/// A feed to try out.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    /// Its address, or the id of one, as `feeds list` shows it
    feed: String,
    #[command(flatten)]
    wishes: Wishes,
    #[command(flatten)]
    of: OfWorkspace,
}

/// A feed to change.
#[derive(Args, Debug)]
pub(crate) struct EditArguments {
    /// The id, as `feeds list` shows it
    #[arg(value_parser = names::feed_id)]
    id: FeedId,
    #[command(flatten)]
    wishes: Wishes,
    #[command(flatten)]
    of: OfWorkspace,
}

/// A feed.
#[derive(Args, Debug)]
pub(crate) struct OneArguments {
    /// The id, as `feeds list` shows it
    #[arg(value_parser = names::feed_id)]
    id: FeedId,
    #[command(flatten)]
    of: OfWorkspace,
}

fn template_for(text: &str) -> Result<(Platform, String), String> {
    let (network, template) =
        text.split_once('=').ok_or("write the network, = and the text, such as bluesky={title}")?;
    Ok((read_network(network)?, template.to_owned()))
}

pub(crate) async fn run(context: Context, command: FeedsCommand) -> Result<Exit, Failure> {
    match command {
        FeedsCommand::Add(arguments) => {
            let AddArguments { url, wishes, of } = *arguments;
            let client = of.open(&context).await?;
            let input = wishes.of_new(&client, url).await?;
            let made: FeedView = client.ask(Call::post("/feeds", &body(&input)?)).await?.read()?;
            let line =
                format!("{} makes {} of {}", made.id, made.feed.mode.as_str(), made.feed.name);
            context.done(&made, &line)
        }
        FeedsCommand::Check(arguments) => check(&context, *arguments).await,
        FeedsCommand::List(of) => {
            let client = of.open(&context).await?;
            list(&context, &client.ask(Call::get("/feeds")).await?.data()?)
        }
        FeedsCommand::Edit(arguments) => {
            let EditArguments { id, wishes, of } = *arguments;
            let client = of.open(&context).await?;
            let feed = shown(&client, id).await?.feed;
            let changed = put(&client, id, &wishes.apply_to(&client, feed).await?).await?;
            context.done(&changed, "changed")
        }
        FeedsCommand::Poll(OneArguments { id, of }) => {
            let path = format!("/feeds/{id}/poll");
            let call = Call::new(Method::POST, &path);
            let view: FeedView = of.open(&context).await?.ask(call).await?.read()?;
            context.done(&view, "it is polled within seconds")
        }
        FeedsCommand::Pause(one) => set_paused(&context, one, true).await,
        FeedsCommand::Resume(one) => set_paused(&context, one, false).await,
        FeedsCommand::Remove(OneArguments { id, of }) => {
            let path = format!("/feeds/{id}");
            of.open(&context).await?.ask(Call::new(Method::DELETE, &path)).await?;
            context.done(&json!({"id": id, "removed": true}), "removed")
        }
    }
}

impl Wishes {
    /// What is asked of a feed that is new here.
    async fn of_new(self, client: &Client, url: String) -> Result<FeedInput, Failure> {
        if self.to.is_none() {
            return Err(Failure::Usage("say where its posts go: --to ACCOUNTS".to_owned()));
        }
        let host = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
        let name = host.split('/').next().unwrap_or_default().to_owned();
        self.apply_to(client, FeedInput::new(name, url, Vec::new())).await
    }

    /// What was asked of a feed, with what is said here.
    async fn apply_to(self, client: &Client, feed: FeedInput) -> Result<FeedInput, Failure> {
        let targets = match &self.to {
            Some(names) => {
                let accounts = accounts(client).await?;
                let chosen = several(&accounts, names)?.into_iter().map(|one| &one.account);
                chosen.map(|one| TargetInput::from(one.platform).by(one.id)).collect()
            }
            None => feed.targets,
        };
        let of_networks: BTreeMap<Platform, String> = self.template_for.into_iter().collect();
        Ok(FeedInput {
            name: self.name.unwrap_or(feed.name),
            targets,
            template: self.template.or(feed.template),
            templates: feed.templates.into_iter().chain(of_networks).collect(),
            mode: self.mode.unwrap_or(feed.mode),
            every_minutes: self.every.unwrap_or(feed.every_minutes),
            labels: if self.labels.is_empty() { feed.labels } else { self.labels },
            existing: self.existing || feed.existing,
            ..feed
        })
    }
}

fn body(input: &FeedInput) -> Result<Value, Failure> {
    Ok(serde_json::to_value(input).map_err(anyhow::Error::from)?)
}

async fn shown(client: &Client, id: FeedId) -> Result<FeedView, Failure> {
    Ok(client.ask(Call::get(&format!("/feeds/{id}"))).await?.read()?)
}

async fn put(client: &Client, id: FeedId, input: &FeedInput) -> Result<FeedView, Failure> {
    let (path, body) = (format!("/feeds/{id}"), body(input)?);
    Ok(client.ask(Call::put(&path, &body)).await?.read()?)
}

async fn set_paused(context: &Context, one: OneArguments, paused: bool) -> Result<Exit, Failure> {
    let OneArguments { id, of } = one;
    let client = of.open(context).await?;
    let feed = shown(&client, id).await?.feed;
    let changed = put(&client, id, &FeedInput { paused, ..feed }).await?;
    context.done(&changed, if paused { "paused" } else { "resumed" })
}

async fn check(context: &Context, arguments: CheckArguments) -> Result<Exit, Failure> {
    let CheckArguments { feed, wishes, of } = arguments;
    let client = of.open(context).await?;
    let input = match names::feed_id(&feed) {
        Ok(id) => {
            let known = shown(&client, id).await?.feed;
            wishes.apply_to(&client, known).await?
        }
        Err(_) => wishes.of_new(&client, feed).await?,
    };
    let body = body(&input)?;
    let trial: FeedTrial = client.ask(Call::post("/feeds/check", &body)).await?.read()?;
    context.show(&trial, |printer| show_trial(printer, &trial))
}

fn show_trial(printer: Printer, trial: &FeedTrial) -> io::Result<()> {
    let title = one_line(trial.title.as_deref().unwrap_or("A feed without a title"));
    printer.line(&format!("{title}: {} items", trial.count))?;
    for TriedItem { title, post, report, .. } in &trial.items {
        printer.line("")?;
        let verdict = if report.ok { "" } else { " (a network would refuse it)" };
        printer.line(&format!("{}{verdict}", excerpt(&one_line(title), TEXT_SHOWN)))?;
        let content = post.content.value().map_or("", String::as_str);
        printer.line(&format!("  {}", excerpt(&one_line(content), TEXT_SHOWN)))?;
        for target in post.targets.value().into_iter().flatten() {
            let own = target.options.as_ref().and_then(|options| options.get("caption"));
            if let Some(own) = own.and_then(Value::as_str) {
                let text = excerpt(&one_line(own), TEXT_SHOWN);
                printer.line(&format!("  {}: {text}", target.platform))?;
            }
        }
        for issue in &report.issues {
            printer.line(&format!("  {}", one_line(&issue.message)))?;
        }
    }
    Ok(())
}

fn list(context: &Context, views: &[FeedView]) -> Result<Exit, Failure> {
    let columns: [Shows<FeedView>; 7] = [
        (Column::words("id"), |view| cell(view.id)),
        (Column::text("name"), |view| cell(one_line(&view.feed.name))),
        (Column::words("mode"), |view| cell(view.feed.mode.as_str())),
        (Column::words("read"), |view| cell(view.read_at.map(instant).unwrap_or_default())),
        (Column::words("posted"), |view| cell(view.posted_at.map(instant).unwrap_or_default())),
        (Column::words("next"), |view| {
            cell(view.next_at.map_or_else(|| "paused".to_owned(), instant))
        }),
        (Column::text("error"), |view| cell(one_line(view.error.as_deref().unwrap_or_default()))),
    ];
    context.list(&json!({"data": views}), views, &columns, "No feeds.")
}
