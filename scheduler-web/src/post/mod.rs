//! The page of a post: how it stands, what to do, and what can be done.

mod actions;
mod moving;
mod target;
mod timeline;

use askama::Template;
use http::Method;
use scheduler_core::post::{AskedTiming, PostView};
use scheduler_core::session::Role;
use scheduler_core::target::{FailureCode, TargetStatus};
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use self::actions::{cancel, change_live, duplicate, point, read, retry, take_down, undo};
use self::moving::{move_form, moved};
use self::target::Target;
use self::timeline::Timeline;
use crate::card::{State, first_words};
use crate::filters::{self, cleaned};
use crate::page::{self, Frame};
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
post_page!(CHANGE_LIVE, "web_change_live_post", POST, "/live", Editor, change_live);
post_page!(POINT, "web_point_target", POST, "/account", Editor, point);
post_page!(READ, "web_read_figures", POST, "/figures", Reader, read);

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
    timeline: Option<Timeline>,
    /// Why something was refused.
    problem: Option<String>,
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

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    Ok(page::shown(&page_of(&visitor, &post).await?))
}

async fn page_of(visitor: &Visitor, post: &PostView) -> Result<Show, Declined> {
    let zone = visitor.zone()?;
    let accounts = visitor.accounts().await?;
    let changes = visitor.scheduler().changes_to_undo(&visitor.caller).await?;
    let state = State::of(post);
    let words = first_words(post);
    let is_open = matches!(state, State::Draft | State::Waits | State::Scheduled);
    let has_failed = state == State::Failed;
    let of = |target| Target::of(visitor, target, post, &accounts, zone);
    let mut targets: Vec<Target> = post.targets.iter().map(of).collect();
    targets.sort_by_key(|target| target.state != State::Failed);
    let may = visitor.may(Role::Editor);
    let frame = Frame::of(visitor, "calendar", words.clone()).await?;
    let alts = post.alt_texts.iter().map(|alt| alt.clone().unwrap_or_default());
    let alts = alts.chain(std::iter::repeat(String::new()));
    Ok(Show {
        frame,
        id: post.id.to_string(),
        href: visitor.at(&format!("posts/{}", post.id)),
        words,
        state,
        sentence: sentence(post, state, zone, visitor),
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
        planned: planned(post, zone),
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
        timeline: Timeline::of(post, &accounts, zone, visitor.now()),
        targets,
        problem: None,
    })
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
