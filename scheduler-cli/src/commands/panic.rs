//! `scheduler panic`: cancels what is due and takes down what is live, everywhere at once.

use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use clap::Args;
use futures_util::stream::{StreamExt as _, iter};
use scheduler_core::app::{TakeDownReport, TakeDownResult, TakenDown};
use scheduler_core::ids::PostId;
use scheduler_core::post::{PostStatus, PostView, UNDO_WITHIN};
use scheduler_core::target::TargetStatus;
use serde::Serialize;

use super::posts::pages;
use crate::client::{Call, Client};
use crate::config::ClientOptions;
use crate::confirming::confirm;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{PostName, account_name, instant, known_accounts};
use crate::printer::{Column, cell, counted, one_line};
use crate::times::Reader;

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler panic 01993b5c-2b7e-7000-8000-000000000001
  scheduler panic --label spring
  scheduler panic --since yesterday";

/// Posts that are asked for at once; of each all networks are asked at once.
const AT_ONCE: usize = 4;
/// How long until what was going out is asked for again, and how many times: a film takes a minute.
const PAUSE: Duration = Duration::from_secs(2);
const LOOKS: usize = 30;

/// Which posts are taken down: what is said has to hold for all of them.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("which").multiple(true).required(true))]
pub(crate) struct PanicArguments {
    /// These posts, by their ids or the first 8 characters of them, or more
    #[arg(value_name = "POST", group = "which", conflicts_with_all = ["label", "since"])]
    posts: Vec<PostName>,
    /// Posts with this label
    #[arg(long, value_name = "LABEL", group = "which")]
    label: Option<String>,
    /// Posts that went out or are due from this day or time on
    #[arg(long, value_name = "TIME", value_parser = bound, group = "which")]
    since: Option<DateTime<Utc>>,
    /// Do it without asking
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    client: ClientOptions,
}

fn bound(text: &str) -> Result<DateTime<Utc>, String> {
    Reader::here().bound(text).map_err(|error| error.to_string())
}

/// What came of it, for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    canceled: usize,
    taken_down: usize,
    left: usize,
    posts: Vec<Taken>,
}

/// A post that was asked for.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Taken {
    post_id: PostId,
    #[serde(skip)]
    content: String,
    results: Vec<TakeDownResult>,
    /// Why nothing is known of the last call.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Taken {
    fn new(post: PostView) -> Self {
        Self { post_id: post.id, content: post.content, results: Vec::new(), error: None }
    }

    /// True where another call may find more to take down.
    fn is_unfinished(&self) -> bool {
        self.error.is_some()
            || self.results.iter().any(|result| result.outcome == TakenDown::GoingOut)
    }

    /// Takes it down, or what is left of it.
    async fn ask(mut self, client: &Client) -> Self {
        match client.take_down_post(self.post_id).await {
            Ok(TakeDownReport { results, .. }) => {
                self.error = None;
                self.add(results);
            }
            Err(error) => self.error = Some(Failure::from(error).to_string()),
        }
        self
    }

    /// Notes what a call has come to. What one before has done is not live any more, which the later
    /// one says.
    fn add(&mut self, results: Vec<TakeDownResult>) {
        for result in results {
            match self.results.iter_mut().find(|known| known.target_id == result.target_id) {
                Some(known) if result.outcome == TakenDown::NotLive && !known.outcome.is_left() => {
                }
                Some(known) => *known = result,
                None => self.results.push(result),
            }
        }
    }
}

pub(crate) async fn run(context: Context, arguments: PanicArguments) -> Result<Exit, Failure> {
    let PanicArguments { posts, label, since, yes, client } = arguments;
    let client = context.client(client).await?;
    let posts = if posts.is_empty() {
        found(&context, &client, label.as_ref(), since).await?
    } else {
        named(&client, &posts).await?
    };
    if posts.is_empty() {
        return Err(Failure::advised(
            none_found(label.as_deref(), since),
            "`scheduler posts list` shows what there is; drafts and cancelled posts are left alone",
        ));
    }
    let statuses =
        |post: &PostView| post.targets.iter().map(|target| target.status).collect::<Vec<_>>();
    confirm(yes, &question(&posts.iter().map(statuses).collect::<Vec<_>>()))?;
    let count = counted(posts.len(), "post");
    let taken = posts.into_iter().map(Taken::new).collect();
    let taken =
        context.with_spinner(&format!("taking down {count}"), take_down(&client, taken)).await;
    tell(&context, &client, taken).await
}

/// What is said where no post is meant.
fn none_found(label: Option<&str>, since: Option<DateTime<Utc>>) -> String {
    let label = label.map(|label| format!(" with the label {label:?}")).unwrap_or_default();
    let since = since.map(|since| format!(" from {} on", instant(since))).unwrap_or_default();
    format!("no post{label} has gone out or is to come{since}")
}

/// What is asked before posts are taken down whose targets have these statuses.
fn question(posts: &[Vec<TargetStatus>]) -> String {
    let with = |meant: &[TargetStatus]| {
        posts.iter().filter(|post| post.iter().any(|status| meant.contains(status))).count()
    };
    let live = with(&[TargetStatus::Published]);
    let to_come = with(&[TargetStatus::Pending, TargetStatus::Publishing]);
    let (count, minutes) = (counted(posts.len(), "post"), UNDO_WITHIN.num_minutes());
    format!(
        "Cancel and take down {count} ({live} live, {to_come} with something to come)? For {minutes} minutes `scheduler undo` brings back a cancelled post of which nothing had begun to go out; nothing brings back what is taken down"
    )
}

/// Takes every post down, and then what was going out once it has ended.
async fn take_down(client: &Client, mut posts: Vec<Taken>) -> Vec<Taken> {
    for look in 0..=LOOKS {
        if look > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        let asked = iter(posts).map(async |post| {
            if look == 0 || post.is_unfinished() { post.ask(client).await } else { post }
        });
        posts = asked.buffered(AT_ONCE).collect().await;
        if !posts.iter().any(Taken::is_unfinished) {
            break;
        }
    }
    posts
}

async fn named(client: &Client, names: &[PostName]) -> Result<Vec<PostView>, Failure> {
    let mut posts = Vec::with_capacity(names.len());
    for name in names {
        posts.push(client.send(Call::get(&format!("/posts/{name}"))).await?.read()?);
    }
    Ok(posts)
}

/// The posts with a label, or from a time on, but for drafts and what was cancelled before anything
/// went out.
async fn found(
    context: &Context,
    client: &Client,
    label: Option<&String>,
    since: Option<DateTime<Utc>>,
) -> Result<Vec<PostView>, Failure> {
    let from = since.unwrap_or(DateTime::UNIX_EPOCH).to_rfc3339_opts(SecondsFormat::Secs, true);
    let call = || Call::get("/posts").query("from", Some(&from)).query("label", label);
    let mut posts = pages(context, client, call, None, true).await?.posts;
    posts.retain(|post| !matches!(post.status, PostStatus::Draft | PostStatus::Canceled));
    Ok(posts)
}

/// Says what was done, and what is left.
async fn tell(context: &Context, client: &Client, posts: Vec<Taken>) -> Result<Exit, Failure> {
    let all = || posts.iter().flat_map(|post| &post.results);
    let count = |outcome| all().filter(|result| result.outcome == outcome).count();
    let (canceled, taken_down) = (count(TakenDown::Canceled), count(TakenDown::TakenDown));
    let unknown = posts.iter().filter(|post| post.error.is_some()).count();
    let left = all().filter(|result| result.outcome.is_left()).count() + unknown;
    let document = Document { canceled, taken_down, left, posts };
    let accounts = known_accounts(client).await;
    context.show(&document, |printer| {
        let places = |count| counted(count, "target");
        printer.line(&format!(
            "{} cancelled, {} taken down, {} left",
            places(canceled),
            places(taken_down),
            places(left)
        ))?;
        let rows = document.posts.iter().flat_map(|post| {
            let unknown = post.error.iter().map(|error| {
                let nothing = || cell("");
                let text = cell(one_line(&post.content));
                vec![cell(post.post_id), text, nothing(), nothing(), cell(error), nothing()]
            });
            let left = post.results.iter().filter(|result| result.outcome.is_left());
            unknown.chain(left.map(|result| {
                vec![
                    cell(post.post_id),
                    cell(one_line(&post.content)),
                    cell(result.platform),
                    cell(account_name(result.account_id, &accounts)),
                    cell(why(result)),
                    cell(result.remote_url.as_deref().unwrap_or_default()),
                ]
            }))
        });
        let columns = [
            Column::words("id"),
            Column::text("text"),
            Column::words("network"),
            Column::words("account"),
            Column::sentences("why it is left"),
            Column::words("where"),
        ];
        if left > 0 { printer.columns(&columns, rows, "") } else { Ok(()) }
    })?;
    Ok(if left > 0 { Exit::Failed } else { Exit::Done })
}

/// Why a target is not taken down.
fn why(result: &TakeDownResult) -> String {
    match (result.outcome, &result.error) {
        (TakenDown::GoingOut, _) => "It is still going out: run the command again.".to_owned(),
        (TakenDown::InDoubt, _) => {
            "Nobody can tell whether it is live: look on the network.".to_owned()
        }
        (_, Some(error)) => error.message.clone(),
        (_, None) => "A part of it is live: take it down on the network.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TargetStatus::{Failed, Pending, Published, Publishing, Skipped};

    #[test]
    fn the_question_tells_what_is_live_and_what_is_to_come() {
        for (name, posts, want) in [
            ("one to come", vec![vec![Pending, Pending]], "1 post (0 live, 1 with something"),
            ("one live", vec![vec![Published, Failed]], "1 post (1 live, 0 with something"),
            ("both in one", vec![vec![Published, Publishing]], "1 post (1 live, 1 with something"),
            (
                "several",
                vec![vec![Published], vec![Pending], vec![Skipped]],
                "3 posts (1 live, 1 with something",
            ),
        ] {
            let asked = question(&posts);
            assert!(asked.starts_with(&format!("Cancel and take down {want}")), "{name}: {asked}");
            assert!(asked.contains("For 10 minutes `scheduler undo`"), "{name}: {asked}");
        }
    }

    #[test]
    fn what_was_looked_for_and_not_found_is_said() {
        let since = "2026-12-01T09:00:00Z".parse().ok();
        assert_eq!(
            none_found(Some("sprng"), None),
            "no post with the label \"sprng\" has gone out or is to come"
        );
        let said = none_found(None, since);
        assert!(said.starts_with("no post has gone out or is to come from "), "{said}");
    }
}
