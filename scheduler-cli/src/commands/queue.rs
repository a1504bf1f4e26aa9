//! `scheduler queue`: the slots to come, and what holds them.

use chrono::{DateTime, NaiveDateTime, Utc};
use clap::{Args, Subcommand};
use scheduler_core::app::{AccountDetail, QueueSlot};
use scheduler_core::ids::{AccountId, TargetId};
use scheduler_core::post::PostView;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::client::{Call, Client};
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::named_accounts::{accounts, named};
use crate::posting::{PostName, instant};
use crate::printer::{Column, Shows, cell};

/// What to do with the queue.
#[derive(Debug, Subcommand)]
pub(crate) enum QueueCommand {
    /// Show the next 100 slots, taken or free, on the wall clocks of their accounts
    #[command(
        after_help = "Examples:\n  scheduler queue list\n  scheduler queue list bluesky --free"
    )]
    List(ListArguments),
    /// Move a queued post to another slot of its account
    #[command(
        after_help = "Example:\n  scheduler queue move 01993b5c-2b7e-7000-8000-000000000001 \"2026-12-05 11:00\""
    )]
    Move(MoveArguments),
    /// Have two queued posts change their slots
    #[command(
        after_help = "Example:\n  scheduler queue swap 01993b5c-2b7e-7000-8000-000000000001 01993b5c-2b7e-7000-8000-000000000002"
    )]
    Swap(SwapArguments),
    /// Have queued posts of an account go out in the order in which they are named
    #[command(after_help = "Example:\n  scheduler queue reorder 01993b6f 01993b5c 01993b61")]
    Reorder(ReorderArguments),
}

/// Whose slots.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// The account: its id, its network, or NETWORK:@HANDLE; all of them when left out
    account: Option<String>,
    /// Only free slots
    #[arg(long, conflicts_with = "taken")]
    free: bool,
    /// Only taken slots
    #[arg(long)]
    taken: bool,
    #[command(flatten)]
    of: OfWorkspace,
}

/// A queued post and its new slot.
#[derive(Args, Debug)]
pub(crate) struct MoveArguments {
    /// The post's id, or that of one of its targets where several of them are queued; its first 8
    /// characters or more do
    post: PostName,
    /// The slot, as `queue list` shows it: on the account's wall clock, or an instant with a zone
    slot: String,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Two queued posts.
#[derive(Args, Debug)]
pub(crate) struct SwapArguments {
    /// A post's id, or that of one of its targets; its first 8 characters or more do
    post: PostName,
    /// Another one's, of the same account
    with: PostName,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Several queued posts.
#[derive(Args, Debug)]
pub(crate) struct ReorderArguments {
    /// The posts' ids, or those of their targets, in the order in which they are to go out; their
    /// first 8 characters or more do. They share the slots that they hold
    #[arg(required = true, num_args = 2..)]
    posts: Vec<PostName>,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Posts that have changed their slots.
#[derive(Deserialize, Serialize)]
struct Moved {
    data: Vec<PostView>,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: QueueCommand) -> Result<Exit, Failure> {
    match command {
        QueueCommand::List(ListArguments { account, free, taken, of }) => {
            let client = of.open(&context).await?;
            let known = accounts(&client).await?;
            let account = match account {
                Some(name) => Some(named(&known, &name)?.account.id),
                None => None,
            };
            let mut slots = slots(&client, account).await?;
            let empty = match (slots.is_empty(), free, taken) {
                (false, true, _) => "No slot is free.",
                (false, _, true) => "No slot is taken.",
                _ => "No slots; `scheduler schedule set` makes some.",
            };
            slots.retain(|slot| match (free, taken) {
                (true, _) => slot.target_id.is_none(),
                (_, true) => slot.target_id.is_some(),
                (false, false) => true,
            });
            list(&context, &slots, &known, empty)
        }
        QueueCommand::Move(MoveArguments { post, slot, of }) => {
            let client = of.open(&context).await?;
            let held = slots_with(&client, &[&post]).await?;
            let held = held_by(&held, &post)?;
            let of_account = slots(&client, Some(held.account_id)).await?;
            let at = slot_named(of_account.iter(), &slot)?;
            let body = json!({"targetId": target(held)?, "instant": at});
            let moved: PostView = client.ask(Call::post("/queue/move", &body)).await?.read()?;
            context.done(&moved, &format!("moved to {}", instant(at)))
        }
        QueueCommand::Swap(SwapArguments { post, with, of }) => {
            let client = of.open(&context).await?;
            let slots = slots_with(&client, &[&post, &with]).await?;
            let (one, other) = (held_by(&slots, &post)?, held_by(&slots, &with)?);
            let body = json!({"targetId": target(one)?, "with": target(other)?});
            let swapped: Moved = client.ask(Call::post("/queue/swap", &body)).await?.read()?;
            let line = format!(
                "swapped: {post} goes out {}, {with} {}",
                instant(other.instant),
                instant(one.instant)
            );
            context.done(&swapped, &line)
        }
        QueueCommand::Reorder(ReorderArguments { posts, of }) => {
            let client = of.open(&context).await?;
            let slots = slots_with(&client, &posts.iter().collect::<Vec<_>>()).await?;
            let mut target_ids = Vec::with_capacity(posts.len());
            for post in &posts {
                target_ids.push(target(held_by(&slots, post)?)?);
            }
            let body = json!({ "targetIds": target_ids });
            let moved: Moved = client.ask(Call::post("/queue/reorder", &body)).await?.read()?;
            context.done(&moved, &format!("reordered {} posts", moved.data.len()))
        }
    }
}

/// The next slots of an account, or of all of them together.
async fn slots(client: &Client, account: Option<AccountId>) -> Result<Vec<QueueSlot>, Failure> {
    Ok(client.ask(Call::get("/queue").query("accountId", account)).await?.data()?)
}

/// The next slots of all accounts together; where one of the posts holds none of these, those of
/// each account, which reach further.
async fn slots_with(client: &Client, posts: &[&PostName]) -> Result<Vec<QueueSlot>, Failure> {
    let next = slots(client, None).await?;
    if posts.iter().all(|post| next.iter().any(|slot| is_held(slot, post))) {
        return Ok(next);
    }
    let mut of_each = Vec::new();
    for detail in accounts(client).await? {
        of_each.extend(slots(client, Some(detail.account.id)).await?);
    }
    Ok(of_each)
}

/// True when a post or a target that is named so holds a slot.
fn is_held(slot: &QueueSlot, name: &PostName) -> bool {
    slot.post_id.is_some_and(|post| name.is_of(post.0))
        || slot.target_id.is_some_and(|target| name.is_of(target.0))
}

/// The slot that a post or a target holds, among the next ones.
fn held_by<'a>(slots: &'a [QueueSlot], name: &PostName) -> Result<&'a QueueSlot, Failure> {
    let held: Vec<&QueueSlot> = slots.iter().filter(|slot| is_held(slot, name)).collect();
    match held.as_slice() {
        [slot] => Ok(slot),
        [] => Err(Failure::advised(
            format!("{name} holds none of the next 100 slots of its accounts"),
            "`scheduler queue list --taken` shows those that do",
        )),
        _ => Err(Failure::advised(
            format!("several queued targets are named by {name}"),
            "name one of them by its own id; `scheduler queue list --json` shows them",
        )),
    }
}

fn target(slot: &QueueSlot) -> Result<TargetId, Failure> {
    slot.target_id.ok_or_else(|| Failure::Usage("the slot is free".into()))
}

/// The instant of a slot that a person names.
fn slot_named<'a>(
    mut slots: impl Iterator<Item = &'a QueueSlot>,
    text: &str,
) -> Result<DateTime<Utc>, Failure> {
    if let Ok(at) = text.parse::<DateTime<Utc>>() {
        return Ok(at);
    }
    let found = slots.find(|slot| text == shown(slot) || text.replace(' ', "T") == slot.local);
    found.map(|slot| slot.instant).ok_or_else(|| {
        Failure::advised(
            format!("{text:?} is none of the account's next slots"),
            "write it as `scheduler queue list` shows it, such as \"2026-12-05 11:00\"",
        )
    })
}

/// A line of the list: a taken slot, or what is free at one time.
struct Line<'a> {
    slot: &'a QueueSlot,
    accounts: Vec<String>,
}

/// How many accounts with a free slot are named; more are counted.
const NAMED_ACCOUNTS: usize = 3;

impl<'a> Line<'a> {
    /// The lines of slots: each taken one, and one for those that are free at the same time.
    fn all(slots: &'a [QueueSlot], known: &[AccountDetail]) -> Vec<Self> {
        let mut lines: Vec<Self> = Vec::new();
        for slot in slots {
            let account = known.iter().find(|detail| detail.account.id == slot.account_id);
            let label = account
                .map_or_else(|| slot.account_id.to_string(), |detail| detail.account.label());
            let is_free_then = |line: &&mut Self| {
                line.slot.post_id.is_none()
                    && (line.slot.instant, &line.slot.local) == (slot.instant, &slot.local)
            };
            let free = lines.iter_mut().rev().find(is_free_then);
            match free.filter(|_| slot.post_id.is_none()) {
                Some(line) => line.accounts.push(label),
                None => lines.push(Self { slot, accounts: vec![label] }),
            }
        }
        lines
    }

    fn accounts(&self) -> String {
        if self.accounts.len() > NAMED_ACCOUNTS {
            return format!("{} accounts", self.accounts.len());
        }
        self.accounts.join(", ")
    }
}

/// A slot's time on the wall clock of its account, with its weekday.
fn shown(slot: &QueueSlot) -> String {
    match NaiveDateTime::parse_from_str(&slot.local, "%Y-%m-%dT%H:%M") {
        Ok(local) => local.format("%a %Y-%m-%d %H:%M").to_string(),
        Err(_) => slot.local.clone(),
    }
}

fn list(
    context: &Context,
    slots: &[QueueSlot],
    known: &[AccountDetail],
    empty: &str,
) -> Result<Exit, Failure> {
    let columns: [Shows<Line<'_>>; 3] = [
        (Column::words("slot"), |line| cell(shown(line.slot))),
        (Column::text("account"), |line| cell(line.accounts())),
        (Column::words("post"), |line| {
            cell(line.slot.post_id.map_or_else(|| "free".to_owned(), |post| post.to_string()))
        }),
    ];
    context.list(&json!({"data": slots}), &Line::all(slots, known), &columns, empty)
}
