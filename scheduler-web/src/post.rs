//! The page of a post: how it stands, what to do, and what can be done.

use std::collections::HashMap;

use askama::Template;
use chrono::{DateTime, Utc};
use http::Method;
use scheduler_core::account::AccountView;
use scheduler_core::error::Refusal;
use scheduler_core::ids::{AccountId, PostId, TargetId};
use scheduler_core::post::{AskedTiming, Field, PostInput, PostView, TargetView};
use scheduler_core::session::Role;
use scheduler_core::target::{FailureCode, TargetStatus};
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, changed};
use warp::reply::Response;

use crate::card::{State, first_words};
use crate::filters::{self, cleaned};
use crate::mark::{self, Mark};
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered};
use crate::when;

macro_rules! post_page {
    ($endpoint:ident, $name:literal, $method:ident, $path:literal, $least:ident, $show:ident) => {
        pub(crate) static $endpoint: Endpoint = Endpoint::page(
            $name,
            Method::$method,
            concat!("/w/{workspaceId}/posts/{id}", $path),
            |visit| Box::pin(entered(visit, Role::$least, $show)),
        );
    };
}

post_page!(SHOW, "web_post", GET, "", Reader, show);
post_page!(RETRY, "web_retry_post", POST, "/retry", Editor, retry);
post_page!(CANCEL, "web_cancel_post", POST, "/cancel", Editor, cancel);
post_page!(MOVE, "web_move_post_form", GET, "/move", Editor, move_form);
post_page!(MOVED, "web_move_post", POST, "/move", Editor, moved);
post_page!(DUPLICATE, "web_duplicate_post", POST, "/duplicate", Drafter, duplicate);
post_page!(UNDO, "web_undo_post", POST, "/undo", Editor, undo);
post_page!(TAKE_DOWN, "web_take_down", POST, "/take-down", Editor, take_down);

#[derive(Template)]
#[template(path = "post/show.html")]
struct Show {
    frame: Frame,
    id: String,
    href: String,
    words: String,
    state: State,
    sentence: String,
    text: String,
    link: Option<String>,
    files: Vec<File>,
    note: Option<String>,
    labels: String,
    planned: String,
    made: String,
    revision: i64,
    approval: Option<&'static str>,
    issues: Vec<String>,
    targets: Vec<Target>,
    can_move: bool,
    can_edit: bool,
    can_cancel: bool,
    can_retry: bool,
    can_ask: bool,
    can_undo: bool,
    needs_look: bool,
}

struct File {
    picture: String,
    alt: String,
}

/// What the page says of one network.
struct Target {
    id: String,
    mark: Mark,
    account: String,
    state: State,
    word: String,
    link: Option<String>,
    what: Option<String>,
    advice: Option<&'static str>,
    attempts: String,
    figures: Vec<(String, String)>,
    own_text: Option<String>,
    options: Vec<(String, String)>,
    can_take_down: bool,
    network: &'static str,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    let zone = visitor.zone()?;
    let accounts = visitor.accounts().await?;
    let changes = visitor.scheduler().changes_to_undo(&visitor.caller).await?;
    let state = State::of(&post);
    let words = first_words(&post);
    let is_open = matches!(state, State::Draft | State::Waits | State::Scheduled);
    let has_failed = state == State::Failed;
    let mut targets: Vec<Target> =
        post.targets.iter().map(|target| of_target(&visitor, target, &accounts, zone)).collect();
    targets.sort_by_key(|target| target.state != State::Failed);
    let may = visitor.may(Role::Editor);
    let frame = Frame::of(&visitor, "calendar", words.clone()).await?;
    let alts = post.alt_texts.iter().map(|alt| alt.clone().unwrap_or_default());
    let alts = alts.chain(std::iter::repeat(String::new()));
    Ok(page::shown(&Show {
        frame,
        id: post.id.to_string(),
        href: visitor.at(&format!("posts/{}", post.id)),
        words,
        state,
        sentence: sentence(&post, state, zone, &visitor),
        text: post.content.clone(),
        link: post.link_url.clone(),
        files: post
            .media_ids
            .iter()
            .zip(alts)
            .map(|(id, alt)| File { picture: visitor.at(&format!("media/{id}/thumb")), alt })
            .collect(),
        note: post.note.clone(),
        labels: post.labels.join(", "),
        planned: planned(&post, zone),
        made: when::instant(post.created_at, zone),
        revision: post.revision,
        approval: post.approval_state.map(|state| state.as_str()),
        issues: post.issues.iter().flatten().map(|issue| cleaned(&issue.message)).collect(),
        can_move: may && is_open && state != State::Draft,
        can_edit: visitor.may(Role::Drafter) && is_open,
        can_cancel: may && !matches!(state, State::Published | State::Canceled),
        can_retry: may && has_failed,
        can_ask: visitor.may(Role::Drafter) && is_open,
        can_undo: may && changes.iter().any(|change| change.post_id == post.id),
        needs_look: post
            .targets
            .iter()
            .any(|target| target.error_code == Some(FailureCode::InDoubt)),
        targets,
    }))
}

/// How the post stands, in one sentence.
fn sentence(post: &PostView, state: State, zone: Zone, visitor: &Visitor) -> String {
    let is = |status| post.targets.iter().filter(|target| target.status == status).count();
    let (all, live) = (post.targets.len(), is(TargetStatus::Published));
    let failed = is(TargetStatus::Failed);
    match state {
        State::Draft => "A draft: it has no time, and nothing goes out.".to_owned(),
        State::Canceled => "Cancelled: nothing more goes out.".to_owned(),
        State::Published => format!("Live on {live} of {all}."),
        State::Failed => {
            let waits = all - live - failed;
            let more = if waits == 0 { String::new() } else { format!(" {waits} still to come.") };
            format!("Live on {live} of {all}; {failed} failed.{more}")
        }
        State::Publishing => format!("Going out now: live on {live} of {all}."),
        State::Waits | State::Scheduled => {
            let at = post.scheduled_at.map(|at| {
                format!("{} ({})", when::instant(at, zone), when::distance(at, visitor.now()))
            });
            let goes = at.map_or_else(|| "Scheduled.".to_owned(), |at| format!("Goes out {at}."));
            if state == State::Waits { format!("{goes} It waits for approval.") } else { goes }
        }
    }
}

fn planned(post: &PostView, zone: Zone) -> String {
    match (post.timing, post.scheduled_at) {
        (Some(AskedTiming::Local { local }), _) => {
            format!("{}, each account’s clock", local.format("%a %-d %b %Y, %H:%M"))
        }
        (Some(AskedTiming::Queue), Some(at)) => {
            format!("{}, the next free slot", when::instant(at, zone))
        }
        (_, Some(at)) => when::instant(at, zone),
        (_, None) => "no time yet".to_owned(),
    }
}

fn of_target(
    visitor: &Visitor,
    target: &TargetView,
    accounts: &HashMap<AccountId, AccountView>,
    zone: Zone,
) -> Target {
    let at = |at| when::instant(at, zone);
    let (state, word) = match target.status {
        TargetStatus::Pending if target.attempts > 0 => {
            let next = target.next_attempt_at.map_or_else(String::new, |next| {
                format!(" at {} ({})", at(next), when::distance(next, visitor.now()))
            });
            (State::Scheduled, format!("Tried again{next}"))
        }
        TargetStatus::Pending => {
            let next = target
                .next_attempt_at
                .map_or_else(|| "Waits".to_owned(), |next| format!("Goes out {}", at(next)));
            (State::Scheduled, next)
        }
        TargetStatus::Publishing => (State::Publishing, "Going out now".to_owned()),
        TargetStatus::Published => {
            let since =
                target.published_at.map_or_else(String::new, |live| format!(" since {}", at(live)));
            (State::Published, format!("Live{since}"))
        }
        TargetStatus::Failed => (State::Failed, "Failed".to_owned()),
        TargetStatus::Skipped => (State::Canceled, "Left out or taken down".to_owned()),
    };
    let shown =
        |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let network = target.platform.sheet().name;
    let figures = target.metrics.iter().flatten();
    let account = accounts.get(&target.account_id).map(mark::name);
    Target {
        id: target.id.to_string(),
        mark: target.platform.into(),
        account: account.unwrap_or_else(|| "an account that is disconnected".to_owned()),
        state,
        word,
        link: target.remote_url.clone(),
        what: target.error.clone(),
        advice: target.error_code.map(advice),
        attempts: match target.attempts {
            0 => String::new(),
            1 => "1 try".to_owned(),
            many => format!("{many} tries"),
        },
        figures: figures
            .filter(|(_, value)| value.is_number())
            .map(|(name, value)| (name.clone(), value.to_string()))
            .collect(),
        own_text: target.options.get("caption").map(shown),
        options: target
            .options
            .iter()
            .filter(|(key, _)| *key != "caption")
            .map(|(key, value)| (key.clone(), shown(value)))
            .collect(),
        can_take_down: visitor.may(Role::Editor) && target.can_delete_remote,
        network,
    }
}

/// What a person does about a failure.
const fn advice(code: FailureCode) -> &'static str {
    match code {
        FailureCode::ChannelLimit => "The plan covers fewer accounts: see Settings.",
        FailureCode::NotFound => "The network does not know what is named. Change it, then retry.",
        FailureCode::AccountNotConnected => "Connect the account again, then retry.",
        FailureCode::MediaUnusable => "Choose another file, then retry.",
        FailureCode::ValidationFailed => "Change the post, then retry.",
        FailureCode::RateLimited => {
            "The network takes no more from this account at present. It is tried again by itself."
        }
        FailureCode::NetworkError => {
            "The network could not be reached. Retry when it answers again."
        }
        FailureCode::NetworkRefused => "Change what the network refuses, then retry.",
        FailureCode::Unsupported => {
            "The network does not offer this. Duplicate the post without it."
        }
        FailureCode::InDoubt => {
            "It is not known whether the network took it: the answer was lost. Look at the account first; a retry could post it twice."
        }
    }
}

async fn retry(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let post = visitor.post().await?;
    let is_doubtful =
        post.targets.iter().any(|target| target.error_code == Some(FailureCode::InDoubt));
    if is_doubtful && form.only("looked").is_none() {
        let message = "Look at the account first, and tick that you have: what is live there would be posted twice.";
        return Err(Refusal::invalid("looked", message).into());
    }
    visitor.scheduler().retry_post(&visitor.caller, post.id).await?;
    Ok(back(&visitor, post.id, Said::Retried))
}

async fn cancel(visitor: Visitor) -> Result<Response, Declined> {
    let id: PostId = visitor.id()?;
    visitor.scheduler().delete_post(&visitor.caller, id, None).await?;
    Ok(back(&visitor, id, Said::Cancelled))
}

/// What a script that has changed a post knows of it then: its revision, and when that was made.
fn known(revision: i64, changed_at: DateTime<Utc>) -> String {
    format!("{revision} {}", changed_at.timestamp_micros())
}

async fn undo(visitor: Visitor) -> Result<Response, Declined> {
    let id: PostId = visitor.id()?;
    let post = visitor.scheduler().undo_post(&visitor.caller, id).await?;
    if visitor.fragment().is_some() {
        return Ok(changed(Response::new(known(post.revision, post.updated_at).into())));
    }
    Ok(back(&visitor, id, Said::Undone))
}

async fn take_down(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: PostId = visitor.id()?;
    let target: Option<TargetId> = form.only("target").and_then(|target| target.parse().ok());
    let Some(target) = target else {
        return Err(Refusal::invalid("target", "Choose a network.").into());
    };
    if form.only("sure").is_none() {
        let message = "Tick that likes and comments may be lost: a take-down cannot be undone.";
        return Err(Refusal::invalid("sure", message).into());
    }
    let caller = visitor.caller.clone();
    visitor
        .visit()
        .to_its_end(|scheduler| async move { scheduler.take_down(&caller, id, target).await })
        .await?;
    Ok(back(&visitor, id, Said::TakenDown))
}

async fn duplicate(visitor: Visitor) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    let copy = crate::compose::copy_of(&visitor, &post).await?;
    Ok(page::sent_to(&visitor.at(&format!("compose/{copy}"))))
}

/// Back to the page of the post, with a message.
fn back(visitor: &Visitor, id: PostId, said: Said) -> Response {
    page::sent_to(&visitor.at(&format!("posts/{id}?{}", said.query())))
}

#[derive(Template)]
#[template(path = "post/move.html")]
struct Move {
    frame: Frame,
    href: String,
    words: String,
    day: String,
    time: String,
    zone: String,
    revision: i64,
    problem: Option<String>,
}

async fn move_form(visitor: Visitor) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    Ok(page::shown(&move_page(&visitor, &post, None).await?))
}

async fn move_page(
    visitor: &Visitor,
    post: &PostView,
    problem: Option<String>,
) -> Result<Move, Declined> {
    let zone = visitor.zone()?;
    let local = match (post.timing, post.scheduled_at) {
        (Some(AskedTiming::Local { local }), _) => local,
        (_, Some(at)) => zone.local(at),
        (_, None) => zone.local(visitor.now()),
    };
    let words = first_words(post);
    Ok(Move {
        frame: Frame::of(visitor, "calendar", format!("Move · {words}")).await?,
        href: visitor.at(&format!("posts/{}", post.id)),
        words,
        day: local.date().to_string(),
        time: when::clock(local),
        zone: match post.timing {
            Some(AskedTiming::Local { .. }) => "each account’s clock".to_owned(),
            _ => when::zone(zone, visitor.now()),
        },
        revision: post.revision,
        problem,
    })
}

/// Moves a post to another wall-clock time: what was asked for by each account's clock stays so,
/// everything else gets that instant.
async fn moved(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let post = visitor.post().await?;
    let local = format!(
        "{}T{}",
        form.only("day").unwrap_or_default(),
        form.only("time").unwrap_or_default()
    );
    let change = match post.timing {
        Some(AskedTiming::Local { .. }) => {
            PostInput { scheduled_local: Field::Value(local), ..PostInput::default() }
        }
        _ => {
            let parsed = scheduler_core::timing::parse_local(&local);
            let message = "Give a day and a time.";
            let local = parsed.map_err(|_| Declined::from(Refusal::invalid("time", message)))?;
            let at = visitor.zone()?.instant(local).to_rfc3339();
            PostInput { scheduled_at: Field::Value(at), ..PostInput::default() }
        }
    };
    let revision = form.only("revision").and_then(|revision| revision.parse().ok());
    let expected = revision.map(|revision: i64| vec![revision]);
    let saved =
        visitor.scheduler().update_post(&visitor.caller, post.id, change, expected.as_deref());
    let saved = match saved.await {
        Ok(saved) => saved,
        Err(error) if visitor.fragment().is_none() => {
            let page = move_page(&visitor, &post, None).await?;
            return Ok(Declined::from(error).into_page(|status, message| {
                page::shown_as(status, &Move { problem: Some(message.to_owned()), ..page })
            }));
        }
        Err(error) => return Err(error.into()),
    };
    if visitor.fragment().is_some() {
        return Ok(changed(Response::new(known(saved.revision, saved.updated_at).into())));
    }
    Ok(back(&visitor, post.id, Said::Moved))
}
