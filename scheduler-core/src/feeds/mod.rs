//! Feeds whose items become posts: RSS, Atom and JSON Feed.
//!
//! A feed is polled by one node at a time. Each of its items becomes one post, whose idempotency
//! key is made of the feed and the item: a poll that dies between the post and noting that it was
//! made makes no second one.

mod document;
mod known;
mod poll;
mod template;

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::error::Refusal;
use crate::idempotency::IdempotencyKey;
use crate::ids::{FeedId, WorkspaceId};
use crate::object::only_from_object;
use crate::platform::Platform;
use crate::post::{CONTENT_MAX_CHARACTERS, NewPost, PostInput, TargetInput, check_labels};
use crate::session::Person;

pub use document::{FeedAnswer, FeedDocument, FeedItem, FeedRequest};
pub use known::{ItemHash, KnownItems};
pub use poll::{Polled, Turn};
pub use template::{Template, TemplateError};

/// The most feeds of a workspace.
///
/// Source: our decision.
pub const FEEDS_MAX: u32 = 50;

/// The most characters of a feed's name.
///
/// Source: our decision.
pub const NAME_MAX_CHARACTERS: usize = 100;

/// The most targets of a feed.
///
/// Source: our decision.
pub const TARGETS_MAX: usize = 50;

/// The shortest and the longest time between two polls of a feed, in minutes, and the time where
/// nothing is said.
///
/// Source: our decision; a feed that is asked more often costs its server more than it tells.
pub const EVERY_MINUTES: [u32; 3] = [15, 7 * 24 * 60, 30];

/// The most items of one poll that become posts; what is beyond them waits for the next.
///
/// Source: our decision; what was imported into a blog should not become a hundred posts at once.
pub const ITEMS_A_POLL: usize = 10;

/// The most items of a feed that are looked at, from its beginning.
///
/// Source: our decision; feeds have 10 to 100.
pub const ITEMS_READ_MAX: usize = 500;

/// The most items of a feed; one with more is refused before it is read, since items without words
/// take a hundred times the memory of their bytes.
///
/// Source: our decision; feeds have 10 to 100.
pub const ITEMS_MAX: usize = 5_000;

/// How long after a poll a person may ask for the next.
///
/// Source: our decision; whoever presses a button again and again tells the feed's server nothing new.
pub const REST: TimeDelta = TimeDelta::minutes(1);

/// Failures in a row after which people are told.
///
/// Source: our decision; one or two are a server that is down for an hour.
pub const FAILING_AFTER: u32 = 3;

/// The longest wait after failures, unless the feed itself is polled less often.
///
/// Source: our decision.
pub const BACK_OFF_MAX: TimeDelta = TimeDelta::days(1);

/// What becomes of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FeedMode {
    /// A draft, which somebody looks at.
    #[default]
    Drafts,
    /// A post in the next free slot of each account; a draft where that is refused.
    Queue,
}

impl FeedMode {
    /// Every mode.
    pub const ALL: [Self; 2] = [Self::Drafts, Self::Queue];

    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Drafts => "drafts",
            Self::Queue => "queue",
        }
    }
}

const fn every_minutes() -> u32 {
    EVERY_MINUTES[2]
}

/// What is asked of a feed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct FeedInput {
    /// What to call it; 1 to 100 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = NAME_MAX_CHARACTERS)))]
    pub name: String,
    /// Where it is: the address of an RSS, Atom or JSON feed, https and public.
    #[cfg_attr(feature = "schema", schemars(length(max = crate::webhook::URL_MAX_BYTES)))]
    pub url: String,
    /// Where its posts go.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = TARGETS_MAX)))]
    pub targets: Vec<TargetInput>,
    /// The text of its posts, with `{title}`, `{link}`, `{summary}` and `{author}`, each of which
    /// may be cut, as `{summary:200}` is after 200 characters; `{title}` when it is left out. The
    /// link of the item is that of the post in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// The text for single networks, in place of `template`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub templates: BTreeMap<Platform, String>,
    /// What becomes of an item; a draft when it is left out.
    #[serde(default)]
    pub mode: FeedMode,
    /// How often it is polled, in minutes; 15 to 10 080, and 30 when it is left out.
    #[serde(default = "every_minutes")]
    #[cfg_attr(feature = "schema", schemars(range(min = EVERY_MINUTES[0], max = EVERY_MINUTES[1])))]
    pub every_minutes: u32,
    /// The labels of its posts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Whether items that stand in it when it is added become posts too.
    #[serde(default)]
    pub existing: bool,
    /// True while it is not polled.
    #[serde(default)]
    pub paused: bool,
}

only_from_object!(FeedInput);

impl FeedInput {
    /// A feed of this name at this address, for these targets, with everything else as it is when
    /// it is left out.
    #[must_use]
    pub fn new(name: impl Into<String>, url: impl Into<String>, targets: Vec<TargetInput>) -> Self {
        Self {
            name: name.into(),
            url: url.into(),
            targets,
            template: None,
            templates: BTreeMap::new(),
            mode: FeedMode::default(),
            every_minutes: every_minutes(),
            labels: Vec::new(),
            existing: false,
            paused: false,
        }
    }

    /// Checks it, but for where its address leads and what its targets name.
    ///
    /// # Errors
    /// `invalid_request` naming the field.
    pub fn check(&self) -> Result<(), Refusal> {
        let refused = |field: &str, message: String| Err(Refusal::invalid(field, message));
        let length = self.name.trim().chars().count();
        if length == 0 || length > NAME_MAX_CHARACTERS {
            return refused("name", format!("A name has 1 to {NAME_MAX_CHARACTERS} characters."));
        }
        if self.targets.is_empty() || self.targets.len() > TARGETS_MAX {
            return refused("targets", format!("A feed has 1 to {TARGETS_MAX} targets."));
        }
        let [least, most, _] = EVERY_MINUTES;
        if !(least..=most).contains(&self.every_minutes) {
            let message = format!("A feed is polled every {least} to {most} minutes.");
            return refused("everyMinutes", message);
        }
        check_labels(&self.labels)?;
        let of_networks = self.templates.iter();
        let of_networks = of_networks.map(|(name, text)| (format!("templates.{name}"), text));
        let all = self.template.iter().map(|text| ("template".to_owned(), text));
        for (field, text) in all.chain(of_networks) {
            Template::parse(text).map_err(|error| Refusal::invalid(field, format!("{error}.")))?;
        }
        // The bounds of options and texts are those of the posts that are made of it.
        self.post_of(&FeedItem::default(), FeedMode::Drafts).check_bounds()
    }

    /// The time between two polls.
    #[must_use]
    pub fn every(&self) -> TimeDelta {
        TimeDelta::minutes(i64::from(self.every_minutes))
    }

    /// The body of the post that is made of an item.
    #[must_use]
    pub fn post_of(&self, item: &FeedItem, mode: FeedMode) -> PostInput {
        let mut post = NewPost::text(rendered(self.template.as_deref(), item));
        if let Some(link) = &item.link {
            post = post.link(link);
        }
        for target in &self.targets {
            let mut target = target.clone();
            if let Some(template) = self.templates.get(&target.platform) {
                let own = target.platform.sheet().text.own_text.last().copied();
                let options = target.options.get_or_insert_default();
                let text = rendered(Some(template), item);
                options.insert(own.unwrap_or("caption").to_owned(), text.into());
            }
            post = post.to(target);
        }
        let post = match mode {
            FeedMode::Drafts => post.draft(),
            FeedMode::Queue => post.queue(),
        };
        let mut input = PostInput::from(post);
        if mode == FeedMode::Drafts {
            input.allow_issues = true.into();
        }
        if !self.labels.is_empty() {
            input.labels = self.labels.clone().into();
        }
        input
    }
}

/// The text of an item, as long as a post's may be; nothing where the template is none, which is refused before it is stored.
fn rendered(template: Option<&str>, item: &FeedItem) -> String {
    let text = Template::parse(template.unwrap_or("{title}"));
    let text = text.map_or_else(|_| String::new(), |it| it.of(item));
    match text.char_indices().nth(CONTENT_MAX_CHARACTERS) {
        Some((end, _)) => text[..end].to_owned(),
        None => text,
    }
}

/// What begins the keys of posts that are made of items; no request may send one.
const KEYS: &str = "feed/";

/// The key under which the post of an item is made, which is how it is known that there is one.
pub(crate) fn key_of(feed: FeedId, item: &FeedItem) -> IdempotencyKey {
    IdempotencyKey::stored(format!("{KEYS}{feed}/{}", item.hash()), None)
}

/// The feed of whose item a post was made that has this key.
pub(crate) fn feed_of(key: &IdempotencyKey) -> Option<FeedId> {
    let (feed, _) = key.as_str().strip_prefix(KEYS)?.split_once('/')?;
    feed.parse().ok()
}

/// A feed whose items become posts.
#[derive(Clone, Debug, PartialEq)]
pub struct Feed {
    /// Its id.
    pub id: FeedId,
    /// The workspace that its posts are of.
    pub workspace_id: WorkspaceId,
    /// What is asked of it.
    pub input: FeedInput,
    /// Who has last changed more than when it is polled, where a session named somebody: the author
    /// of its posts.
    pub written_by: Option<Person>,
    /// When it was added.
    pub created_at: DateTime<Utc>,
}

/// How far the polls of a feed have come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedState {
    /// When it is polled next. Whoever polls it sets this to the end of their lease first.
    pub next_at: DateTime<Utc>,
    /// Until when nobody may ask for a poll: the end of the lease while it is polled, and a minute
    /// after a poll; `None` before the first.
    pub rests_until: Option<DateTime<Utc>>,
    /// When it was last read, whatever was new.
    pub read_at: Option<DateTime<Utc>>,
    /// When an item last became a post.
    pub posted_at: Option<DateTime<Utc>>,
    /// How often in a row a poll has failed.
    pub failures: u32,
    /// Why the last poll has failed, or has made posts of less than there was, for a person; `None`
    /// once one has done well.
    pub error: Option<String>,
    /// The `ETag` of what was read, sent with the next poll.
    pub etag: Option<String>,
    /// Its `Last-Modified`, as it was sent.
    pub last_modified: Option<String>,
    /// The items that need nothing any more.
    pub known: KnownItems,
}

impl FeedState {
    /// That of a feed which is added now.
    #[must_use]
    pub const fn new(now: DateTime<Utc>) -> Self {
        Self {
            next_at: now,
            rests_until: None,
            read_at: None,
            posted_at: None,
            failures: 0,
            error: None,
            etag: None,
            last_modified: None,
            known: KnownItems::NONE,
        }
    }

    /// An instant, or the end of its rest where that is later.
    #[must_use]
    pub fn after_rest(&self, at: DateTime<Utc>) -> DateTime<Utc> {
        self.rests_until.map_or(at, |until| until.max(at))
    }

    /// True when its next poll is the end of its rest, as it is while somebody polls it, and for a
    /// minute after that. Such a feed keeps its times when the clock of the store is set back, since
    /// a poll under way is recorded by them.
    pub(crate) fn is_due_after_rest(&self) -> bool {
        self.rests_until == Some(self.next_at)
    }
}

/// A feed as people see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Feed"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FeedView {
    /// Its id.
    pub id: FeedId,
    /// What is asked of it.
    pub feed: FeedInput,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When it is polled next; null while it is paused.
    pub next_at: Option<DateTime<Utc>>,
    /// When it was last read.
    pub read_at: Option<DateTime<Utc>>,
    /// When an item last became a post.
    pub posted_at: Option<DateTime<Utc>>,
    /// How often in a row a poll has failed.
    pub failures: u32,
    /// Why the last poll has failed; null once one has done well.
    pub error: Option<String>,
}

impl FeedView {
    /// A feed with how far its polls have come.
    #[must_use]
    pub fn new(feed: &Feed, state: &FeedState) -> Self {
        Self {
            id: feed.id,
            feed: feed.input.clone(),
            created_at: feed.created_at,
            next_at: Some(state.next_at).filter(|_| !feed.input.paused),
            read_at: state.read_at,
            posted_at: state.posted_at,
            failures: state.failures,
            error: state.error.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
