//! `scheduler approvals`: shows posts to clients, who approve them before they go out.

use chrono::{DateTime, Datelike as _, Days, NaiveDate, TimeDelta, Utc};
use clap::{Args, Subcommand};
use http::Method;
use scheduler_core::app::{ApprovalInput, ApprovalLinkView, ApprovalView};
use scheduler_core::post::{ApprovalState, PostView, RemarkBy};
use scheduler_core::timing::Zone;
use serde_json::json;
use url::Url;

use crate::client::{Call, Client};
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names;
use crate::posting::{PostName, instant};
use crate::printer::{Column, Shows, cell, escape_control, one_line};
use crate::times::{NoTime, Reader, length};

/// What to do with approval links.
#[derive(Debug, Subcommand)]
pub(crate) enum ApprovalsCommand {
    /// Make the link under which a client sees posts and approves them; shows it, this once
    ///
    /// From then on these posts go out only with their approval: at their time they wait for them. A
    /// new link takes the place of an earlier one of the same post.
    #[command(
        after_help = "Examples:\n  scheduler approvals create 01993b5c-2b7e-7000-8000-000000000001 --expires 7d\n  scheduler approvals create --week next --client Ana --zone Europe/Lisbon --note \"Our plan for December\""
    )]
    Create(CreateArguments),
    /// List what clients were asked, newest first
    #[command(after_help = "Example:\n  scheduler approvals list")]
    List(ListArguments),
    /// Show what the client of a post has said
    #[command(
        after_help = "Example:\n  scheduler approvals show 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Show(PostArguments),
    /// Write to the client of a post, who reads it on the page of their link
    #[command(
        after_help = "Example:\n  scheduler approvals reply 01993b5c-2b7e-7000-8000-000000000001 \"The picture is a new one now.\""
    )]
    Reply(ReplyArguments),
    /// Ask the client of a post no more: it goes out without an approval
    #[command(
        after_help = "Example:\n  scheduler approvals withdraw 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Withdraw(PostArguments),
}

/// A new link.
#[derive(Args, Debug)]
pub(crate) struct CreateArguments {
    /// The ids of the posts, up to 100
    #[arg(required_unless_present = "week")]
    posts: Vec<PostName>,
    /// Every scheduled post of a week that is not approved: `this`, `next`, or a day in it
    #[arg(long, value_name = "WEEK", conflicts_with = "posts")]
    week: Option<String>,
    /// Who is asked; they are greeted by this name
    #[arg(long, value_name = "NAME")]
    client: Option<String>,
    /// What they are told above the posts
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// The client's zone, in which they are told all times; else the zone of each account
    #[arg(long, value_name = "ZONE", value_parser = names::zone)]
    zone: Option<Zone>,
    /// How long the link is valid, such as 36h or 14d: an hour to 365 days
    #[arg(long, default_value = "14d", value_parser = lifetime)]
    expires: TimeDelta,
    /// How the client reaches the server, where it is not its own public URL
    #[arg(long, value_name = "URL")]
    public_url: Option<Url>,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Whose links.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// At most so many
    #[arg(long, default_value_t = 50)]
    limit: u32,
    #[command(flatten)]
    of: OfWorkspace,
}

/// A post that was shown to a client.
#[derive(Args, Debug)]
pub(crate) struct PostArguments {
    /// The post's id, or its first 8 characters or more
    post: PostName,
    #[command(flatten)]
    of: OfWorkspace,
}

/// What to write about a post.
#[derive(Args, Debug)]
pub(crate) struct ReplyArguments {
    /// The post's id, or its first 8 characters or more
    post: PostName,
    /// What the client reads, up to 2000 characters
    text: String,
    #[command(flatten)]
    of: OfWorkspace,
}

pub(crate) async fn run(context: Context, command: ApprovalsCommand) -> Result<Exit, Failure> {
    match command {
        ApprovalsCommand::Create(arguments) => create(&context, arguments).await,
        ApprovalsCommand::List(ListArguments { limit, of }) => {
            let call = Call::get("/approvals").query("limit", Some(limit));
            list(&context, &of.open(&context).await?.ask(call).await?.data()?)
        }
        ApprovalsCommand::Show(PostArguments { post, of }) => {
            let client = of.open(&context).await?;
            let path = path(&client, &post).await?;
            show(&context, &client.ask(Call::get(&path)).await?.read()?)
        }
        ApprovalsCommand::Reply(ReplyArguments { post, text, of }) => {
            let client = of.open(&context).await?;
            let path = format!("{}/remarks", path(&client, &post).await?);
            let answer = client.ask(Call::post(&path, &json!({ "text": text }))).await?;
            context.done(
                &answer.read::<ApprovalView>()?,
                "written; the client reads it under their link",
            )
        }
        ApprovalsCommand::Withdraw(PostArguments { post, of }) => {
            let client = of.open(&context).await?;
            let path = path(&client, &post).await?;
            let post: PostView = client.ask(Call::new(Method::DELETE, &path)).await?.read()?;
            context.done(&json!({"postId": post.id, "withdrawn": true}), "withdrawn")
        }
    }
}

async fn path(client: &Client, post: &PostName) -> Result<String, Failure> {
    Ok(format!("/approvals/{}", post.id_of_application(client).await?))
}

async fn create(context: &Context, arguments: CreateArguments) -> Result<Exit, Failure> {
    let CreateArguments { posts, week, client, note, zone, expires, public_url, of } = arguments;
    let reader = Reader::here();
    let days = match week {
        Some(week) => Some(days_of(reader, &week).map_err(|no| Failure::Usage(no.to_string()))?),
        None => None,
    };
    let application = of.open(context).await?;
    let mut post_ids = Vec::with_capacity(posts.len());
    for post in &posts {
        post_ids.push(post.id_of_application(&application).await?);
    }
    let input = ApprovalInput {
        post_ids,
        from: days.map(|[from, _]| from),
        to: days.map(|[_, to]| to),
        client,
        note,
        timezone: zone,
        expires_at: Some(reader.now().to_utc() + expires),
    };
    let body = serde_json::to_value(&input).map_err(anyhow::Error::from)?;
    let answer = application.ask(Call::post("/approvals", &body)).await?;
    let mut link: ApprovalLinkView = answer.read()?;
    if let Some((server, (_, secret))) = public_url.as_ref().zip(link.url.rsplit_once('/')) {
        link.url = format!("{}/approve/{secret}", server.as_str().trim_end_matches('/'));
    }
    context.print(&link, &link.url)?;
    if !context.printer.is_json() {
        let posts = match link.data.len() {
            1 => "one post".to_owned(),
            count => format!("{count} posts"),
        };
        context.printer.message(&format!(
            "the link shows {posts}; it is told this once and valid until {}",
            instant(link.expires_at)
        ));
    }
    Ok(Exit::Done)
}

/// From when to when a week lasts, in the zone of the reader: Monday to Monday.
fn days_of(reader: Reader, week: &str) -> Result<[DateTime<Utc>; 2], NoTime> {
    let today = reader.now().date_naive();
    let day = match week {
        "this" => today,
        "next" => today + Days::new(7),
        day => reader.local(reader.bound(day)?).date_naive(),
    };
    let monday = day - Days::new(day.weekday().num_days_from_monday().into());
    let begins = |day: NaiveDate| reader.bound(&day.to_string());
    Ok([begins(monday)?, begins(monday + Days::new(7))?])
}

fn list(context: &Context, views: &[ApprovalView]) -> Result<Exit, Failure> {
    let columns: [Shows<ApprovalView>; 8] = [
        (Column::words("post"), |view| cell(view.post_id)),
        (Column::text("client"), |view| cell(one_line(view.client.as_deref().unwrap_or_default()))),
        (Column::text("told"), |view| cell(one_line(view.message.as_deref().unwrap_or_default()))),
        (Column::words("status"), |view| cell(view.post_status.as_str())),
        (Column::words("approval"), |view| cell(state(view))),
        (Column::words("decided"), |view| cell(decided(view).unwrap_or_default())),
        (Column::words("link until"), |view| cell(instant(view.expires_at))),
        (Column::text("note"), |view| cell(one_line(view.note.as_deref().unwrap_or_default()))),
    ];
    context.list(&json!({"data": views}), views, &columns, "No approval links.")
}

fn show(context: &Context, view: &ApprovalView) -> Result<Exit, Failure> {
    context.show(view, |printer| {
        printer.line(&format!("post     {} ({})", view.post_id, view.post_status.as_str()))?;
        printer.line(&format!("approval {}", state(view)))?;
        if let Some(client) = &view.client {
            printer.line(&format!("client   {}", escape_control(client)))?;
        }
        if let Some(message) = &view.message {
            printer.line(&format!("told     {}", escape_control(message)))?;
        }
        if let Some(decided) = decided(view) {
            printer.line(&format!("decided  {decided}"))?;
        }
        printer.line(&format!("link     until {}", instant(view.expires_at)))?;
        view.remarks.iter().try_for_each(|remark| {
            let by = match remark.by {
                RemarkBy::Client => "client",
                RemarkBy::Team => "team",
            };
            let (at, text) = (instant(remark.at), escape_control(&remark.text));
            printer.line(&format!("{by:<8} {at}: {text}"))
        })
    })
}

/// When the client has decided; a post that has changed since is pending again.
fn decided(view: &ApprovalView) -> Option<String> {
    let at = instant(view.decided_at?);
    let is_of_now = view.approval_state != Some(ApprovalState::Pending);
    Some(if is_of_now { at } else { format!("{at}, before it changed") })
}

fn state(view: &ApprovalView) -> &'static str {
    view.approval_state.map_or("none", ApprovalState::as_str)
}

fn lifetime(text: &str) -> Result<TimeDelta, &'static str> {
    length(text).ok_or("say how long in hours or days, such as 36h or 14d")
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::*;

    #[test]
    fn weeks_begin_on_mondays_of_the_reader() {
        let reader = Reader::at(Tz::Europe__Berlin, "2026-11-28T22:00:00Z");
        for (week, want) in [
            ("this", Some(["2026-11-22T23:00:00Z", "2026-11-29T23:00:00Z"])),
            ("next", Some(["2026-11-29T23:00:00Z", "2026-12-06T23:00:00Z"])),
            ("2026-12-06", Some(["2026-11-29T23:00:00Z", "2026-12-06T23:00:00Z"])),
            // The clocks change in it.
            ("2027-03-28", Some(["2027-03-21T23:00:00Z", "2027-03-28T22:00:00Z"])),
            ("soon", None),
        ] {
            let want = want.map(|days| days.map(|at| at.parse::<DateTime<Utc>>().unwrap()));
            assert_eq!(days_of(reader, week).ok(), want, "{week}");
        }
    }
}
