//! `scheduler posts list`, and what other lists of posts share with it.

use std::io;

use chrono::{DateTime, SecondsFormat, Utc};
use clap::Args;
use scheduler_core::account::AccountView;
use scheduler_core::post::{PostPage, PostView};
use serde_json::Value;

use super::filter::FilterArguments;
use crate::client::{Call, Client};
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{account_name, known_accounts, own_slot, post_status, post_tone, target_word};
use crate::printer::{Column, Printer, cell, one_line, toned};
use crate::times::Reader;

#[derive(Args, Debug)]
pub(super) struct ListArguments {
    /// Only posts of this status
    #[arg(long, value_name = "STATUS", value_parser = ["draft", "scheduled", "publishing", "done", "canceled"])]
    status: Option<String>,
    /// Only posts in this state
    #[arg(long, value_name = "STATE", value_parser = ["failed", "in_doubt", "needs_attention", "awaiting_approval", "unfinished"])]
    state: Option<String>,
    /// Only posts of which something has failed
    #[arg(long, conflicts_with = "state")]
    failed: bool,
    #[command(flatten)]
    filter: FilterArguments,
    /// Only posts that went out or are due from this day or time on, such as 2026-12-01, yesterday or
    /// "mon 9:00"
    #[arg(long, value_name = "TIME", value_parser = bound, conflicts_with = "days")]
    from: Option<DateTime<Utc>>,
    /// Only posts that went out or are due before this day or time
    #[arg(long, value_name = "TIME", value_parser = bound, conflicts_with = "days")]
    until: Option<DateTime<Utc>>,
    /// How many days to look back [default: 120]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=730))]
    days: Option<u32>,
    /// How many posts at most [default: 200]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=500))]
    limit: Option<u32>,
    /// Where the page begins: the cursor that the page before has ended with
    #[arg(long, value_name = "CURSOR")]
    before: Option<String>,
    /// Every page, one after the other
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    client: ClientOptions,
}

fn bound(text: &str) -> Result<DateTime<Utc>, String> {
    Reader::here().bound(text).map_err(|error| error.to_string())
}

/// Posts that were found: the document for programs, and the posts.
pub(in crate::commands) struct Found {
    pub(in crate::commands) document: Value,
    pub(in crate::commands) posts: Vec<PostView>,
    /// Where more begin.
    pub(in crate::commands) next_cursor: Option<String>,
}

pub(super) async fn run(context: &Context, arguments: ListArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let accounts = arguments.filter.accounts(&client).await?;
    let instant =
        |at: Option<DateTime<Utc>>| at.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true));
    let state = if arguments.failed { Some("failed") } else { arguments.state.as_deref() };
    let call = || {
        let call = Call::get("/posts")
            .query("status", arguments.status.as_deref())
            .query("state", state)
            .query("from", instant(arguments.from))
            .query("to", instant(arguments.until))
            .query("days", arguments.days)
            .query("limit", arguments.limit);
        arguments.filter.add_to(call, &accounts)
    };
    let found = pages(context, &client, call, arguments.before.clone(), arguments.all).await?;
    let done = show_found(context, &client, &found, "No posts.").await?;
    if arguments.failed && !context.printer.is_json() {
        let doubt = Call::get("/posts").query("state", Some("in_doubt")).query("limit", Some(1));
        let doubt = client.send(arguments.filter.add_to(doubt, &accounts)).await?;
        let doubt: PostPage = doubt.read()?;
        if !doubt.data.is_empty() {
            context.printer.message("of others it is not known whether they are live: `scheduler posts --state in_doubt` shows them");
        }
    }
    Ok(done)
}

/// Asks for a page of posts, or for every page from there on.
pub(in crate::commands) async fn pages<'a>(
    context: &Context,
    client: &Client,
    call: impl Fn() -> Call<'a>,
    before: Option<String>,
    all: bool,
) -> Result<Found, Failure> {
    let first = client.send(call().query("before", before));
    let answer = context.with_spinner("asking for posts", first).await?;
    let PostPage { data, next_cursor, .. } = answer.read()?;
    let mut found = Found { document: answer.body, posts: data, next_cursor };
    while all && let Some(cursor) = found.next_cursor.take() {
        let next = client.send(call().query("before", Some(cursor)));
        let what = format!("{} posts, asking for more", found.posts.len());
        let mut answer = context.with_spinner(&what, next).await?;
        let next: PostPage = answer.read()?;
        found.posts.extend(next.data);
        found.next_cursor = next.next_cursor;
        found.document["nextCursor"] = answer.body["nextCursor"].take();
        if let (Some(posts), Some(more)) =
            (found.document["data"].as_array_mut(), answer.body["data"].as_array_mut())
        {
            posts.append(more);
        }
    }
    Ok(found)
}

/// Ends a command with posts.
pub(in crate::commands) async fn show_found(
    context: &Context,
    client: &Client,
    found: &Found,
    empty: &str,
) -> Result<Exit, Failure> {
    let is_for_people = !context.printer.is_json();
    let accounts = if is_for_people { known_accounts(client).await } else { Vec::new() };
    context.show(&found.document, |printer| rows(printer, &found.posts, &accounts, empty))?;
    if let Some(cursor) = found.next_cursor.as_ref().filter(|_| is_for_people) {
        context.printer.message(&format!("more with --before {cursor}, everything with --all"));
    }
    Ok(Exit::Done)
}

/// Prints posts, a line each.
fn rows(
    printer: Printer,
    posts: &[PostView],
    accounts: &[AccountView],
    empty: &str,
) -> io::Result<()> {
    let reader = Reader::here();
    let columns = [
        Column::words("id"),
        Column::words("status"),
        Column::words("time"),
        Column::text("text"),
        Column::sentences("targets"),
    ];
    let row = |post: &PostView| {
        vec![
            cell(post.id),
            toned(post_status(post), post_tone(post)),
            cell(time(post).map(|at| reader.show_from_now(at)).unwrap_or_default()),
            cell(one_line(&post.content)),
            cell(targets(post, accounts, reader).join(", ")),
        ]
    };
    printer.columns(&columns, posts.iter().map(row), empty)
}

/// When a post went out, else when it is due.
pub(in crate::commands) fn time(post: &PostView) -> Option<DateTime<Utc>> {
    let went_out = post.targets.iter().filter_map(|target| target.published_at).min();
    went_out.or(post.scheduled_at)
}

/// Where a post goes: networks, with the account where the post goes to several of one, and the time
/// where it is not that of the post.
fn targets(post: &PostView, accounts: &[AccountView], reader: Reader) -> Vec<String> {
    let targets = post.targets.iter();
    targets
        .map(|target| {
            let of_network = post.targets.iter().filter(|other| other.platform == target.platform);
            let name = match of_network.count() {
                1 => target.platform.to_string(),
                _ => format!("{}:{}", target.platform, account_name(target.account_id, accounts)),
            };
            let word = target_word(target, post.approval_state);
            match own_slot(post, target) {
                Some(at) => format!("{name}: {word} {}", reader.show(at)),
                None => format!("{name}: {word}"),
            }
        })
        .collect()
}
