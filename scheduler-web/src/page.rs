//! What all pages have: the frame, the headers, and how a problem is told.

use askama::Template;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue, StatusCode};
use scheduler_core::app::Scheduler;
use scheduler_core::error::{AppError, ErrorCode};
use scheduler_core::inbox::InboxInput;
use scheduler_core::post::{ApprovalState, ListInput, PostView, TargetView};
use scheduler_core::session::Role;
use scheduler_core::target::TargetStatus;
use scheduler_core::timing::Zone;
use scheduler_core::workspace::Workspace;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::assets;
use crate::filters;
use crate::mark;
use crate::visitor::{Visitor, short_name};
use crate::when;

/// What pages may load, and where their forms may lead: to this server alone.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' blob:; media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types scheduler";
/// The type of every page.
pub(crate) const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");

/// What pages may ask of a device: nothing.
const DENIED: &str =
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";

/// What a script asks for that shows anew what has changed on a page.
const PART: &str = "page";

/// Posts that the attention line looks at.
const ATTENTION_POSTS: &str = "3";

/// What stands around every page of a workspace.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) title: String,
    /// The part of the menu that the page belongs to.
    pub(crate) part: &'static str,
    pub(crate) workspace: String,
    pub(crate) short: String,
    /// The id of the workspace, for what is sent to no page of it.
    pub(crate) workspace_id: String,
    /// The other workspaces that the browser is signed in to.
    pub(crate) others: Vec<Place>,
    pub(crate) role: Role,
    /// Who the visitor is, where their session names somebody.
    pub(crate) person: Option<String>,
    /// Posts that wait for clients.
    pub(crate) waiting: usize,
    /// Comments that nobody has read.
    pub(crate) unread: u64,
    pub(crate) attention: Vec<Attention>,
    pub(crate) assets: Assets,
    pub(crate) said: Option<&'static str>,
    /// True when a script asks for what the page shows, to put it in place of what it did.
    pub(crate) is_part: bool,
    /// The place in the stream of events that the page has come to.
    pub(crate) since: i64,
    /// What the clocks of the workspace show.
    pub(crate) minute: String,
}

/// A workspace that a visitor can go to.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) short: String,
}

impl Place {
    fn of(workspace: &Workspace) -> Self {
        Self { name: workspace.name.clone(), short: short_name(workspace) }
    }
}

/// What a page says was done. An address names it, and cannot say anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Stored,
    Draft,
    Retried,
    Found,
    Cancelled,
    Undone,
    TakenDown,
    ChangedLive,
    Pointed,
    Read,
    Moved,
    Stopped,
    Restored,
    KeptBeside,
    Slots,
    Replied,
    CommentChanged,
    CommentDeleted,
    Withdrawn,
    Disconnected,
    Described,
    FileAdded,
    FileDeleted,
    Cropped,
    SessionEnded,
    PasskeyAdded,
    PasskeyRemoved,
    CalendarOff,
    FeedPolled,
    FeedPaused,
    FeedResumed,
    FeedRemoved,
    RecurrencePaused,
    RecurrenceResumed,
    RecurrenceEnded,
    RecurrenceRemoved,
    ProgramRemoved,
    ApprovedByTeam,
    KeyRevoked,
    WebhookRemoved,
    SentAgain,
}

impl Said {
    const ALL: &[(Self, &'static str, &'static str)] = &[
        (Self::Stored, "stored", "Stored."),
        (Self::Draft, "draft", "Saved as a draft."),
        (Self::Retried, "retried", "What failed is tried again."),
        (Self::Found, "found", "It counts as live."),
        (Self::Disconnected, "disconnected", "The account is disconnected."),
        (Self::Cancelled, "cancelled", "Cancelled. It can be taken back for ten minutes."),
        (Self::Undone, "undone", "The last change is taken back."),
        (Self::TakenDown, "taken-down", "It is taken down."),
        (Self::ChangedLive, "changed-live", "What is live is changed."),
        (Self::Pointed, "pointed", "It goes to the other account now."),
        (Self::Read, "read", "The figures are as the network tells them now."),
        (Self::Moved, "moved", "Moved."),
        (Self::Stopped, "stopped", "Stopped: nothing was sent. It is a draft again."),
        (Self::Restored, "restored", "It says again what it said then."),
        (
            Self::KeptBeside,
            "kept-beside",
            "This is what the other window has stored. Yours is under Earlier versions.",
        ),
        (Self::Slots, "slots", "Stored. What is scheduled already keeps its time."),
        (Self::Replied, "replied", "The reply is live."),
        (
            Self::CommentChanged,
            "comment-changed",
            "Done. The network may take a moment to show it.",
        ),
        (Self::CommentDeleted, "comment-deleted", "The comment is deleted."),
        (Self::Withdrawn, "withdrawn", "Withdrawn: the post goes out without an approval."),
        (Self::Described, "described", "The description is stored."),
        (Self::FileAdded, "file-added", "The file is added, and examined next."),
        (Self::FileDeleted, "file-deleted", "The file is deleted."),
        (Self::Cropped, "cropped", "A new file is made of the part. The picture itself stays."),
        (Self::SessionEnded, "session-ended", "The session has ended."),
        (Self::PasskeyAdded, "passkey-added", "The passkey is added. Sign in with it from now on."),
        (
            Self::PasskeyRemoved,
            "passkey-removed",
            "The passkey is removed, and other sessions of its person have ended.",
        ),
        (
            Self::ProgramRemoved,
            "program-removed",
            "The program is removed: whatever it asks is refused.",
        ),
        (
            Self::CalendarOff,
            "calendar-off",
            "The calendar feed is switched off: its address shows nothing any more.",
        ),
        (Self::FeedPolled, "feed-polled", "The feed is polled within seconds."),
        (Self::FeedPaused, "feed-paused", "The feed is paused."),
        (Self::FeedResumed, "feed-resumed", "The feed is polled again."),
        (Self::FeedRemoved, "feed-removed", "The feed is removed. Its posts stay."),
        (
            Self::RecurrencePaused,
            "recurrence-paused",
            "The recurring post is paused: what waits and nobody has changed is taken back.",
        ),
        (Self::RecurrenceResumed, "recurrence-resumed", "The recurring post goes on."),
        (
            Self::RecurrenceEnded,
            "recurrence-ended",
            "The recurring post has ended: what waits and nobody has changed is taken back.",
        ),
        (Self::RecurrenceRemoved, "recurrence-removed", "The recurring post is removed."),
        (
            Self::ApprovedByTeam,
            "approved",
            "Approved for the team: it goes out at its time, unless a client still has to approve it.",
        ),
        (Self::KeyRevoked, "key-revoked", "The key is revoked: whoever uses it is refused."),
        (Self::WebhookRemoved, "webhook-removed", "The webhook is removed."),
        (Self::SentAgain, "sent-again", "It is sent again, with the id of the same event."),
    ];

    fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, known, _)| *known == name);
        found.map(|(said, ..)| *said)
    }

    fn row(self) -> (&'static str, &'static str) {
        let found = Self::ALL.iter().find(|(said, ..)| *said == self);
        found.map_or(("", ""), |&(_, name, text)| (name, text))
    }

    fn text(self) -> &'static str {
        self.row().1
    }

    /// What goes behind an address, so that its page says it.
    pub(crate) fn query(self) -> String {
        format!("said={}", self.row().0)
    }
}

/// A part of the attention line: what is wrong, and where it is solved.
#[derive(Debug)]
pub(crate) struct Attention {
    pub(crate) text: String,
    pub(crate) href: String,
    pub(crate) action: &'static str,
    pub(crate) is_bad: bool,
}

/// The addresses of what pages load.
#[derive(Debug)]
pub(crate) struct Assets {
    pub(crate) styles: String,
    pub(crate) icons: String,
    pub(crate) logo: String,
    pub(crate) frame: String,
    pub(crate) live: String,
    pub(crate) passkey: String,
}

impl Assets {
    pub(crate) fn new() -> Self {
        Self::under("/")
    }

    /// The same for a page from which this leads to the root of the server.
    pub(crate) fn under(root: &str) -> Self {
        let address = |file| assets::address(file).replacen('/', root, 1);
        Self {
            styles: address("ui.css"),
            icons: address("icons.svg"),
            logo: address("logo.svg"),
            frame: address("frame.js"),
            live: address("live.js"),
            passkey: address("passkey.js"),
        }
    }
}

impl Frame {
    /// The frame of a page of the visitor's workspace.
    pub(crate) async fn of(
        visitor: &Visitor,
        part: &'static str,
        title: impl Into<String>,
    ) -> Result<Self, AppError> {
        let scheduler = visitor.scheduler();
        let workspace = visitor.workspace();
        let now = visitor.now();
        Ok(Self {
            title: title.into(),
            part,
            workspace: workspace.name.clone(),
            short: short_name(workspace),
            workspace_id: workspace.id.to_string(),
            others: visitor.others.iter().map(Place::of).collect(),
            role: visitor.member.role,
            person: visitor.member.person().map(|person| person.name.to_string()),
            waiting: waiting(scheduler, visitor).await?,
            unread: unread(scheduler, visitor).await?,
            attention: attention(scheduler, visitor).await?,
            assets: Assets::new(),
            said: visitor.visit().query().only("said").and_then(Said::named).map(Said::text),
            is_part: visitor.fragment() == Some(PART),
            since: now.timestamp_micros(),
            minute: when::clock(workspace.timezone.unwrap_or(Zone::UTC).local(now)),
        })
    }

    /// The address of a page of the workspace.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("/w/{}/{path}", self.short)
    }

    /// True when the visitor may schedule and publish.
    pub(crate) fn may_publish(&self) -> bool {
        self.role >= Role::Editor
    }

    /// True when the visitor may write.
    pub(crate) fn may_write(&self) -> bool {
        self.role >= Role::Drafter
    }

    /// True when the visitor may do everything.
    pub(crate) fn is_owner(&self) -> bool {
        self.role == Role::Owner
    }
}

/// How many posts wait for clients; as many as a page lists are counted.
async fn waiting(scheduler: &Scheduler, visitor: &Visitor) -> Result<usize, AppError> {
    let approvals = scheduler.approvals(visitor.workspace().id, 100).await?;
    Ok(approvals
        .iter()
        .filter(|approval| approval.approval_state == Some(ApprovalState::Pending))
        .count())
}

async fn unread(scheduler: &Scheduler, visitor: &Visitor) -> Result<u64, AppError> {
    let input = InboxInput { limit: Some("1".to_owned()), ..InboxInput::default() };
    Ok(scheduler.inbox(&visitor.caller, &input).await?.unread)
}

async fn attention(scheduler: &Scheduler, visitor: &Visitor) -> Result<Vec<Attention>, AppError> {
    let input = ListInput {
        state: Some("failed".to_owned()),
        limit: Some(ATTENTION_POSTS.to_owned()),
        days: Some("14".to_owned()),
        ..ListInput::default()
    };
    let failed = scheduler.list_posts(&visitor.caller, &input).await?;
    let mut attention: Vec<_> =
        failed.data.iter().filter_map(|post| failure(visitor, post)).collect();
    for account in visitor.account_list().await? {
        if account.needs_reconnect {
            let network = account.platform.sheet().name;
            attention.push(Attention {
                text: format!("{network} needs {} to be connected again.", mark::name(account)),
                href: visitor.at("accounts"),
                action: "Connect",
                is_bad: false,
            });
        }
    }
    Ok(attention)
}

fn failure(visitor: &Visitor, post: &PostView) -> Option<Attention> {
    let failed: Vec<&TargetView> =
        post.targets.iter().filter(|target| target.status == TargetStatus::Failed).collect();
    let first = failed.first()?;
    let others = failed.len() - 1;
    let network = first.platform.sheet().name;
    let more = if others == 0 { String::new() } else { format!(" and {others} more") };
    Some(Attention {
        text: format!("“{}” failed on {network}{more}.", crate::card::first_words(post)),
        href: visitor.at(&format!("posts/{}#t-{}", post.id, first.id)),
        action: "What to do",
        is_bad: true,
    })
}

/// The answer with a page.
pub(crate) fn shown(template: &impl Template) -> Response {
    shown_as(StatusCode::OK, template)
}

/// The same under a status.
pub(crate) fn shown_as(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => answer(status, text),
        Err(error) => {
            let text = format!("This page cannot be shown: {error}\n");
            answer(StatusCode::INTERNAL_SERVER_ERROR, text)
        }
    }
}

fn answer(status: StatusCode, text: String) -> Response {
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HTML);
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "same-origin"),
        (X_FRAME_OPTIONS, "DENY"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (OPENER, "same-origin"),
        (PERMISSIONS, DENIED),
        (CACHE_CONTROL, "no-store"),
        (VARY, "x-fragment, cookie"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Sends the browser to another page.
pub(crate) fn sent_to(address: &str) -> Response {
    let mut response = answer(StatusCode::SEE_OTHER, String::new());
    // Addresses are written by this crate, or by one of a network, of letters that headers take.
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(LOCATION, address);
    }
    response
}

/// A page that says what went wrong.
#[derive(Template)]
#[template(path = "problem.html")]
struct Problem<'a> {
    assets: Assets,
    title: &'a str,
    message: &'a str,
    may_sign_in: bool,
}

pub(crate) fn problem(status: StatusCode, title: &str, message: &str) -> Response {
    let may_sign_in = status == StatusCode::UNAUTHORIZED;
    shown_as(status, &Problem { assets: Assets::new(), title, message, may_sign_in })
}

/// The page of whoever was declined.
pub(crate) fn declined(declined: Declined) -> Response {
    let title = match declined.code() {
        ErrorCode::Unauthorized => "Please sign in",
        ErrorCode::Forbidden => "You may not do this",
        ErrorCode::NotFound => "There is nothing here",
        ErrorCode::RateLimited => "Too many requests",
        _ => "This did not work",
    };
    declined.into_page(|status, message| problem(status, title, message))
}
