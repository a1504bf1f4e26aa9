//! What differs between the documents: that of the API of keys, and that of the application.

use scheduler_core::key::Scope;
use scheduler_core::session::Role;
use serde_json::{Value, json};

use crate::endpoint::Surface;

/// What a document says besides its operations.
pub(super) struct Outline {
    /// Which endpoints it describes.
    pub(super) surface: Surface,
    /// Its title.
    pub(super) title: &'static str,
    /// A line.
    pub(super) summary: &'static str,
    /// What every caller has to know.
    pub(super) introduction: &'static str,
    /// The tags in their order, each with the begin of its paths and its words.
    pub(super) tags: &'static [(&'static str, &'static str, &'static str)],
    /// How callers authenticate.
    pub(super) bearer: fn() -> Value,
    /// Whether events are sent to webhooks.
    pub(super) has_events: bool,
}

/// That of the API of keys.
pub(super) const API: Outline = Outline {
    surface: Surface::Api,
    title: "scheduler",
    summary: "A self-hosted scheduler of social media posts.",
    introduction: API_INTRODUCTION,
    tags: API_TAGS,
    bearer: key,
    has_events: true,
};

/// That of the application.
pub(super) const APPLICATION: Outline = Outline {
    surface: Surface::Application,
    title: "scheduler, the application",
    summary: "What people set up: accounts, schedules, the queue, keys, approvals.",
    introduction: APPLICATION_INTRODUCTION,
    tags: APPLICATION_TAGS,
    bearer: session,
    has_events: false,
};

const API_INTRODUCTION: &str = "\
Create a post once, for any number of network accounts; it is checked against each network's rules, \
and goes out at once, at an instant, at a local time, in the next free slot, or stays a draft.

**Keys.** Every operation but `GET /platforms` needs `Authorization: Bearer <API_KEY>`. A key \
belongs to one workspace and is made with `scheduler keys create`. The scope `*` includes all others.

**Requests.** Bodies are JSON of at most 1 MiB. A field or a query parameter that an operation does \
not know is answered 400, so that a slip of the pen is not taken for a default. Wherever GET is \
taken, HEAD is taken as well. Another method on a path that exists is answered 405 with the header \
`Allow`; a path that does not exist, 404.

**Time.** Instants are ISO 8601 with an offset or `Z`, and are answered in UTC.

**Repeats.** Every operation that makes something takes an `Idempotency-Key`: a second request with \
the same key is answered 200 with what the first has made, and `Idempotent-Replayed: true`; where \
its body is another one, also `Idempotent-Body: other`. Operations that make nothing ignore the key.

**Errors.** Every refusal has the body `Error`, with a stable `code`. Every answer has the header \
`x-request-id`, which finds it in the server's log; send one of your own, of letters, digits and \
`._:-`, to have it taken over.

**Rates.** 600 requests a minute a key, in bursts of up to 100, unless the operator has set other \
limits; `RateLimit` says how many are left. Beyond that the answer is 429 with `Retry-After`.

**Revisions.** A post has a `revision`, which every change raises and its `ETag` tells. Send it as \
`If-Match` with a change, and another's change since then is answered 412 instead of overwritten.

**Compression.** Answers of more than a kilobyte are compressed by gzip or zstd where \
`Accept-Encoding` allows it.

Outside of the API the server answers `/healthz`, `/readyz` and `/metrics`, and `/docs` with this \
document as a page.";

/// The tags in their order, each with the begin of its paths.
const API_TAGS: &[(&str, &str, &str)] = &[
    ("Networks", "/v1/platforms", "What each network takes, and the dry run."),
    (
        "Targets",
        "/v1/posts/{id}/targets",
        "One target of a post: figures, comments, the live post.",
    ),
    ("Posts", "/v1/posts", "Posts and when they go out."),
    ("Media", "/v1/media", "Files and their upload."),
    ("Snippets", "/v1/snippets", "Texts and templates to write with."),
    ("Accounts", "/v1/oauth", "Connected accounts, and what their networks say of them."),
    ("Assistant", "/v1/ai", "Captions and reviews."),
    ("Webhooks", "/v1/workspace", "Subscriptions to events."),
];

const APPLICATION_INTRODUCTION: &str = "\
What the people of a workspace set up, and what no API key opens: accounts, schedules, the queue, \
keys, approvals, deliveries, the workspace itself. Posts and files are those of the API under `/v1`.

**Sessions.** Every operation but the login needs `Authorization: Bearer <SESSION>`; an API key is \
answered 401 here. A program asks for a login, shows the code, and claims the session once a person \
has confirmed the code with `scheduler sessions confirm` on the server, or an owner with `POST \
/login/confirm`. A session lasts 90 days. One that was asked for with `api` opens `/v1` too, with the \
scopes of its role.

**Roles.** Each may what those before it may: a `reader` sees, a `drafter` asks clients for \
approval, an `editor` changes the queue and sends events again, an `owner` does everything.

**The rest** is as under `/v1`: bodies of JSON, errors with a stable `code`, `x-request-id`, 600 \
requests a minute.";

const APPLICATION_TAGS: &[(&str, &str, &str)] = &[
    ("Login", "/app/v1/login", "How a program gets a session."),
    ("Sessions", "/app/v1/sessions", "Who is logged in."),
    ("Me", "/app/v1/me", "Who calls."),
    ("Workspace", "/app/v1/workspace", "The name, the plan and the zone."),
    ("Accounts", "/app/v1/accounts", "Connecting accounts, and their health."),
    ("Account sets", "/app/v1/account-sets", "Accounts that are picked together."),
    ("Schedules", "/app/v1/schedules", "When accounts post what is queued."),
    ("Posts", "/app/v1/posts", "Posts, by what people call them."),
    ("Media", "/app/v1/media", "Files, as people give them."),
    ("Undo", "/app/v1/undo", "What was done to posts and can be taken back."),
    ("Queue", "/app/v1/queue", "The slots to come, and what holds them."),
    ("Recurring", "/app/v1/recurring", "Posts that come again, by a rule or from a pool."),
    ("Rehearsal", "/app/v1/rehearsal", "What would go out when, and what would keep posts back."),
    ("Inbox", "/app/v1/inbox", "What others have written under live posts."),
    ("Keys", "/app/v1/keys", "API keys."),
    ("Grants", "/app/v1/grants", "Programs that people have connected by OAuth."),
    ("Deliveries", "/app/v1/deliveries", "What became of events on their way to webhooks."),
    ("Approvals", "/app/v1/approvals", "Links under which clients decide."),
    ("Notifiers", "/app/v1/notifiers", "Who is told what happens."),
    ("Feeds", "/app/v1/feeds", "Feeds whose items become posts."),
    ("Links", "/app/v1/links", "What becomes of the links of posts, and short links."),
    ("Calendar feed", "/app/v1/calendar-feed", "The address at which calendars read posts."),
    ("Log", "/app/v1/log", "Who changed what."),
    ("Doctor", "/app/v1/doctor", "What the server needs, and whether it has it."),
];

impl Outline {
    /// Where its paths begin.
    pub(super) const fn base(&self) -> &'static str {
        self.surface.base()
    }

    pub(super) fn tag_of(&self, pattern: &str) -> &'static str {
        let found = self.tags.iter().find(|(_, begin, _)| pattern.starts_with(begin));
        found.map_or("Posts", |(name, _, _)| name)
    }
}

fn key() -> Value {
    let scopes: Vec<String> = Scope::ALL.iter().map(|scope| format!("`{scope}`")).collect();
    json!({
        "type": "http",
        "scheme": "bearer",
        "description": format!(
            "An API key, `sk_…`. Its scopes are some of {}; each operation says which it needs.",
            scopes.join(", ")
        ),
    })
}

fn session() -> Value {
    let roles: Vec<String> = Role::ALL.iter().map(|role| format!("`{role}`")).collect();
    json!({
        "type": "http",
        "scheme": "bearer",
        "description": format!(
            "A session, `ses_…`. Its role is one of {}; each operation says which it needs.",
            roles.join(", ")
        ),
    })
}
