//! The page of a post: how it stands, what to do, and what can be done.

mod actions;
mod failure;
mod leaving;
pub(crate) mod moving;
mod target;
mod timeline;

use askama::Template;
use http::Method;
use scheduler_core::app::PostOrigin;
use scheduler_core::ids::PostId;
use scheduler_core::links::ShortLinkView;
use scheduler_core::post::{ApprovalState, AskedTiming, PageInput, PostView, ReviewView, decide};
use scheduler_core::session::{Person, Role};
use scheduler_core::target::TargetStatus;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use self::actions::{cancel, change_live, duplicate, found, point, read, retry, take_down, undo};
use self::failure::Remedy;
use self::leaving::{Leaving, stop};
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
post_page!(STOP, "web_stop_post", POST, "/stop", Editor, stop);
post_page!(DUPLICATE, "web_duplicate_post", POST, "/duplicate", Drafter, duplicate);
post_page!(UNDO, "web_undo_post", POST, "/undo", Editor, undo);
post_page!(TAKE_DOWN, "web_take_down", POST, "/take-down", Editor, take_down);
post_page!(CHANGE_LIVE, "web_change_live_post", POST, "/live", Editor, change_live);
post_page!(POINT, "web_point_target", POST, "/account", Editor, point);
post_page!(FOUND, "web_found_live", POST, "/found", Editor, found);
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
    /// What it was made by, and where that stands.
    origin: Option<(String, String)>,
    revision: i64,
    approval: Option<&'static str>,
    /// What the team says of it, where its workspace asks.
    review: Option<Review>,
    can_approve: bool,
    issues: Vec<String>,
    targets: Vec<Target>,
    /// Its short links, with how often each was followed.
    followed: Vec<ShortLinkView>,
    timeline: Option<Timeline>,
    /// What leaves within seconds.
    leaving: Option<Leaving>,
    /// Why something was refused.
    problem: Option<String>,
    can_move: bool,
    can_edit: bool,
    can_cancel: bool,
    /// The networks that one button tries again; none where each has a button of its own.
    retried: String,
    can_ask: bool,
    can_undo: bool,
    /// Where an account is connected.
    connect: String,
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
    let review = match &post.review {
        Some(review) => Some(Review::of(review, visitor, post.id, zone).await?),
        None => None,
    };
    let is_open = matches!(state, State::Draft | State::Waits | State::Scheduled);
    let of = |target| Target::of(visitor, target, post, &accounts, zone);
    let mut targets: Vec<Target> = post.targets.iter().map(of).collect();
    targets.sort_by_key(|target| target.state != State::Failed);
    let may = visitor.may(Role::Editor);
    let retried = if may { retried(&targets) } else { String::new() };
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
        origin: origin(visitor, post.id).await?,
        revision: post.revision,
        approval: post.approval_state.map(|state| state.as_str()),
        review,
        can_approve: may && !matches!(state, State::Published | State::Canceled),
        issues: post.issues.iter().flatten().map(|issue| cleaned(&issue.message)).collect(),
        can_move: may && is_open && state != State::Draft,
        can_edit: visitor.may(Role::Drafter) && is_open,
        can_cancel: may && !matches!(state, State::Published | State::Canceled),
        retried,
        can_ask: visitor.may(Role::Drafter) && is_open,
        can_undo: may && changes.iter().any(|change| change.post_id == post.id),
        connect: visitor.at("accounts/connect"),
        leaving: Leaving::of(post, visitor.now()).filter(|_| may),
        followed: followed(visitor, post).await?,
        timeline: Timeline::of(post, &accounts, zone, visitor.now()),
        targets,
        problem: None,
    })
}

/// What a post was made by, where no person has written it, and where that is seen to.
async fn origin(visitor: &Visitor, id: PostId) -> Result<Option<(String, String)>, Declined> {
    let origin = visitor.scheduler().origin_of_post(&visitor.caller, id).await?;
    Ok(origin.and_then(|origin| {
        let (what, name, place) = match origin {
            PostOrigin::Recurrence { name, .. } => ("recurring post", name, "recurring"),
            PostOrigin::Feed { name, .. } => ("feed", name, "feeds"),
            _ => return None,
        };
        let name = name.map_or_else(|| "removed since".to_owned(), |name| cleaned(&name));
        Some((
            format!("The {what} \u{201c}{name}\u{201d}"),
            visitor.at(&format!("settings#{place}")),
        ))
    }))
}

/// The short links of a post; where it has none, nothing is asked.
async fn followed(visitor: &Visitor, post: &PostView) -> Result<Vec<ShortLinkView>, Declined> {
    let mut links = post.targets.iter().flat_map(|target| &target.links);
    if !links.any(|link| link.short().is_some()) {
        return Ok(Vec::new());
    }
    let (caller, page) = (&visitor.caller, PageInput::default());
    Ok(visitor.scheduler().list_short_links(caller, &page, Some(post.id)).await?.data)
}

/// What the team says of a post.
struct Review {
    is_pending: bool,
    /// Why the visitor may not approve it.
    refused: Option<String>,
    /// Who has written or last changed it.
    written_by: Option<String>,
    /// Who has approved it, and when.
    approved_by: String,
    approved_at: String,
}

impl Review {
    async fn of(
        review: &ReviewView,
        visitor: &Visitor,
        id: PostId,
        zone: Zone,
    ) -> Result<Self, Declined> {
        let name = |person: &Person| person.name.to_string();
        let post = visitor.scheduler().post(&visitor.caller, id).await?;
        let allowed = decide::approver(post.author.as_ref(), visitor.member.person());
        Ok(Self {
            refused: allowed.err().map(|refusal| refusal.message()),
            is_pending: review.state == ApprovalState::Pending,
            written_by: review.written_by.as_ref().map(name),
            approved_by: review.approved_by.as_ref().map(name).unwrap_or_default(),
            approved_at: review.approved_at.map(|at| when::instant(at, zone)).unwrap_or_default(),
        })
    }
}

/// The networks that are tried again by one button, in words: those that failed, of which it is known
/// that they are not live.
fn retried(targets: &[Target]) -> String {
    let failed = targets.iter().filter(|target| target.state == State::Failed);
    let failed: Vec<&Target> = failed.collect();
    let is_doubtful = |target: &&Target| {
        let failure = target.failure.as_ref();
        failure.is_some_and(|failure| matches!(failure.remedy, Remedy::Look(_)))
    };
    if failed.len() < 2 || failed.iter().any(is_doubtful) {
        return String::new();
    }
    let names: Vec<&str> = failed.iter().map(|target| target.network).collect();
    let (last, others) = names.split_last().unwrap_or((&"", &[]));
    format!("{} and {last}", others.join(", "))
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
