//! Which posts a caller wants to see.

use chrono::{DateTime, TimeDelta, Utc};

use serde::{Deserialize, Serialize};

use std::collections::BTreeSet;

use super::{ListFilter, Post, PostStatus};
use crate::cursor::Cursor;
use crate::error::Refusal;
use crate::ids::{AccountId, WorkspaceId};

/// How many days back a list reaches when it says nothing.
///
/// Source: interface description, GET /posts.
pub const DAYS_DEFAULT: i64 = 120;

/// How many days back a list reaches at most.
pub const DAYS_MAX: i64 = 730;

/// How many posts a page holds when it says nothing.
///
/// Source: interface description, GET /posts.
pub const LIMIT_DEFAULT: u32 = 200;

/// How many posts a page holds at most.
pub const LIMIT_MAX: u32 = 500;

/// Bytes of posts that one page holds at most, unless a single post is larger.
///
/// Source: our decision.
pub const PAGE_MAX_BYTES: usize = 8 << 20;

/// An instant after every one that a post may have.
const AFTER_ALL: DateTime<Utc> = DateTime::from_timestamp(253_402_300_800, 0).unwrap();

/// Posts that are read from the store at once. Each may be as large as a body, 1 MiB.
///
/// Source: our decision.
const READ_AT_ONCE: u32 = 16;

/// The parameters of a list as a caller sends them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListInput {
    /// Only posts of this status.
    pub status: Option<String>,
    /// Only posts that are in this state.
    pub state: Option<String>,
    /// Only posts that go to one of these networks, at most 20.
    pub platform: Vec<String>,
    /// Only posts that go to one of these accounts, at most 20.
    pub account_id: Vec<String>,
    /// Only posts with one of these labels, at most 20, whatever their case.
    pub label: Vec<String>,
    /// Only posts with words that begin like each of these, 1 to 200 characters.
    pub q: Option<String>,
    /// Only posts that went out or are due from here on.
    pub from: Option<String>,
    /// Only posts that went out or are due before.
    pub to: Option<String>,
    /// How many days back, 1 to 730, when no range is given.
    pub days: Option<String>,
    /// `recent` or `due`.
    pub order: Option<String>,
    /// How many posts, 1 to 500.
    pub limit: Option<String>,
    /// The cursor of the page before.
    pub before: Option<String>,
}

/// The parameters of a list that has no others, as a caller sends them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageInput {
    /// How many posts, 1 to 500.
    pub limit: Option<String>,
    /// The cursor of the page before.
    pub before: Option<String>,
}

/// A page of a list, as a store is asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageQuery {
    /// At most so many.
    pub limit: u32,
    /// Only posts after this place in the order.
    pub before: Option<Cursor>,
}

/// Collects the posts of a page as a store reads them, a few at a time: no more than the page has
/// room for, and one that tells that more follow.
///
/// All of them must be read as of one moment: a post that goes out meanwhile would move to a place
/// that was read before, and be missing.
#[derive(Clone, Debug)]
pub struct PageReader {
    page: PageQuery,
    bytes: usize,
    posts: Vec<Post>,
}

impl PageReader {
    /// Begins a page.
    #[must_use]
    pub const fn new(page: PageQuery) -> Self {
        Self { page, bytes: 0, posts: Vec::new() }
    }

    /// Which posts to read next; `None` when the page is whole.
    #[must_use]
    pub fn next(&self) -> Option<PageQuery> {
        let left = usize::try_from(self.page.limit).unwrap_or(usize::MAX) - self.posts.len();
        let limit = u32::try_from(left).unwrap_or(u32::MAX).min(READ_AT_ONCE);
        let is_whole = limit == 0 || self.bytes > PAGE_MAX_BYTES;
        let before = self.posts.last().map_or(self.page.before, |post| Some(Cursor::of(post)));
        (!is_whole).then_some(PageQuery { limit, before })
    }

    /// Takes what was read.
    pub fn take(&mut self, posts: Vec<Post>) {
        self.bytes += posts.iter().map(Post::held_bytes).sum::<usize>();
        self.posts.extend(posts);
    }

    /// The posts that were read.
    #[must_use]
    pub fn into_posts(self) -> Vec<Post> {
        self.posts
    }
}

impl PageQuery {
    /// Reads the parameters of a page.
    ///
    /// # Errors
    /// `invalid_request` naming the parameter that is out of bounds or unreadable.
    pub fn parse(limit: Option<&str>, before: Option<&str>) -> Result<Self, Refusal> {
        Self::parse_in(ListOrder::Recent, limit, before)
    }

    fn parse_in(
        order: ListOrder,
        limit: Option<&str>,
        before: Option<&str>,
    ) -> Result<Self, Refusal> {
        let (default, max) = (i64::from(LIMIT_DEFAULT), i64::from(LIMIT_MAX));
        let limit = parse_number("limit", limit, default, max)?;
        Ok(Self {
            limit: u32::try_from(limit).unwrap_or(LIMIT_MAX),
            before: before
                .map(|text| Cursor::decode_in(order, text))
                .transpose()
                .map_err(|_| unreadable_cursor())?,
        })
    }

    /// True when the post does not belong to a page before this one.
    #[must_use]
    pub fn is_after(&self, post: &Post) -> bool {
        self.before.is_none_or(|before| Cursor::of(post) < before)
    }
}

/// Which moments a list covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Posts whose moment is not before this instant, and all drafts and posts to come.
    Since(DateTime<Utc>),
    /// Posts that went out or are due in `[from, to)`; no drafts, and of what was cancelled only
    /// what went out before.
    Between {
        /// The first instant.
        from: DateTime<Utc>,
        /// The instant after the last.
        to: DateTime<Utc>,
    },
}

/// In which order posts are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum ListOrder {
    /// By their moment ([`Post::sort_at`]), then their id, the latest first.
    #[default]
    Recent,
    /// Only what is to come: by the instant at which it is due ([`Post::next_due`]), then its id,
    /// the soonest first.
    Due,
}

impl ListOrder {
    /// The place of a post in this order; `None` when it has none.
    #[must_use]
    pub fn place(self, post: &Post) -> Option<Cursor> {
        match self {
            Self::Recent => Some(Cursor::of(post)),
            Self::Due => post.next_due().map(|sort_at| Cursor { sort_at, id: post.id }),
        }
    }
}

/// A page of posts, as a store is asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuery {
    /// Whose posts.
    pub workspace_id: WorkspaceId,
    /// Only posts of this status.
    pub status: Option<PostStatus>,
    /// What else they have.
    pub filter: ListFilter,
    /// The range that the moment of a post lies in; by [`ListOrder::Due`] only a
    /// [`Window::Between`] counts, and then for the instant at which it is due.
    pub window: Window,
    /// In which order.
    pub order: ListOrder,
    /// Which of them.
    pub page: PageQuery,
}

impl ListQuery {
    /// Reads the parameters of a list.
    ///
    /// ```
    /// use scheduler_core::ids::WorkspaceId;
    /// use scheduler_core::post::{ListInput, ListQuery};
    /// use uuid::Uuid;
    ///
    /// let (workspace, now) = (WorkspaceId(Uuid::nil()), "2026-11-21T12:00:00Z".parse()?);
    /// let query = ListQuery::parse(&ListInput::default(), workspace, now).unwrap();
    /// assert_eq!(query.page.limit, 200);
    /// let state = ListInput { state: Some("late".into()), ..ListInput::default() };
    /// let refusal = ListQuery::parse(&state, workspace, now).unwrap_err();
    /// assert_eq!(refusal.field.as_deref(), Some("state"));
    /// # Ok::<(), chrono::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// `invalid_request` naming the parameter that is out of bounds or unreadable.
    pub fn parse(
        input: &ListInput,
        workspace_id: WorkspaceId,
        now: DateTime<Utc>,
    ) -> Result<Self, Refusal> {
        let status = input.status.as_deref().map(parse_status).transpose()?;
        let days = parse_number("days", input.days.as_deref(), DAYS_DEFAULT, DAYS_MAX)?;
        let instant = |field, text: &Option<String>| {
            text.as_deref().map(|text| parse_instant(field, text)).transpose()
        };
        let window = match (instant("from", &input.from)?, instant("to", &input.to)?) {
            (None, None) => Window::Since(now - TimeDelta::days(days)),
            (Some(from), Some(to)) if from >= to => {
                return Err(Refusal::invalid("to", "to must be later than from."));
            }
            (from, to) => Window::Between {
                from: from.unwrap_or(DateTime::UNIX_EPOCH),
                to: to.unwrap_or(AFTER_ALL),
            },
        };
        let filter = ListFilter::parse(input)?;
        let order = input.order.as_deref().map_or(Ok(ListOrder::Recent), parse_order)?;
        let page = PageQuery::parse_in(order, input.limit.as_deref(), input.before.as_deref())?;
        Ok(Self { workspace_id, status, filter, window, order, page })
    }

    /// True when the post stands in this page or in one after it; `unusable` are the accounts of
    /// the workspace that have to be connected again.
    #[must_use]
    pub fn lists(&self, post: &Post, unusable: &BTreeSet<AccountId>) -> bool {
        let is_placed = match self.order {
            ListOrder::Recent => self.covers(post) && self.page.is_after(post),
            ListOrder::Due => self.is_to_come(post),
        };
        post.workspace_id == self.workspace_id
            && self.status.is_none_or(|status| status == post.status)
            && is_placed
            && self.filter.takes(post, unusable)
    }

    fn is_to_come(&self, post: &Post) -> bool {
        let Some(place) = ListOrder::Due.place(post) else { return false };
        let is_covered = match self.window {
            Window::Since(_) => true,
            Window::Between { from, to } => from <= place.sort_at && place.sort_at < to,
        };
        is_covered && self.page.before.is_none_or(|before| place > before)
    }

    fn covers(&self, post: &Post) -> bool {
        let moment = post.sort_at();
        match self.window {
            Window::Since(since) => {
                moment >= since
                    || matches!(
                        post.status,
                        PostStatus::Draft | PostStatus::Scheduled | PostStatus::Publishing
                    )
            }
            Window::Between { from, to } => {
                let is_shown = match post.status {
                    PostStatus::Draft => false,
                    PostStatus::Canceled => {
                        self.status == Some(PostStatus::Canceled)
                            || post.targets.iter().any(|target| target.published_at().is_some())
                    }
                    PostStatus::Scheduled | PostStatus::Publishing | PostStatus::Done => true,
                };
                is_shown && from <= moment && moment < to
            }
        }
    }
}

/// The refusal of a `before` that is no cursor of the list.
pub(crate) fn unreadable_cursor() -> Refusal {
    let message = "before is not a cursor of this list; send the nextCursor of the page before.";
    Refusal::invalid("before", message)
}

fn parse_status(text: &str) -> Result<PostStatus, Refusal> {
    PostStatus::ALL.into_iter().find(|status| status.as_str() == text).ok_or_else(|| {
        Refusal::invalid(
            "status",
            format!(
                "{text:?} is not a status; send draft, scheduled, publishing, done or canceled."
            ),
        )
    })
}

fn parse_order(text: &str) -> Result<ListOrder, Refusal> {
    match text {
        "recent" => Ok(ListOrder::Recent),
        "due" => Ok(ListOrder::Due),
        _ => {
            Err(Refusal::invalid("order", format!("{text:?} is not an order; send recent or due.")))
        }
    }
}

/// A whole number of a query, from 1 to `max`.
pub(crate) fn parse_number(
    field: &str,
    text: Option<&str>,
    default: i64,
    max: i64,
) -> Result<i64, Refusal> {
    let Some(text) = text else { return Ok(default) };
    text.parse().ok().filter(|number| (1..=max).contains(number)).ok_or_else(|| {
        Refusal::invalid(field, format!("{field} is a whole number from 1 to {max}."))
    })
}

pub(crate) fn parse_instant(field: &str, text: &str) -> Result<DateTime<Utc>, Refusal> {
    let read = DateTime::parse_from_rfc3339;
    read(text).map(|at| at.with_timezone(&Utc)).map_err(|_| {
        // In the query of an address, + stands for a space.
        let with_plus = text.rsplit_once(' ').map(|(local, offset)| format!("{local}+{offset}"));
        let message = match with_plus.filter(|text| read(text).is_ok()) {
            Some(meant) => format!(
                "{text:?} is not an instant; for {meant}, write the + as %2B, or send the instant with Z."
            ),
            None => format!("{text:?} is not an instant; send ISO 8601 with an offset or Z."),
        };
        Refusal::invalid(field, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::PostId;
    use uuid::Uuid;

    #[test]
    fn instants() {
        for (text, want) in [
            ("2026-02-01T00:00:00+01:00", None),
            (
                "2026-02-01T00:00:00 01:00",
                Some(
                    "\"2026-02-01T00:00:00 01:00\" is not an instant; for 2026-02-01T00:00:00+01:00, write the + as %2B, or send the instant with Z.",
                ),
            ),
            (
                "1 February",
                Some("\"1 February\" is not an instant; send ISO 8601 with an offset or Z."),
            ),
        ] {
            let message = parse_instant("from", text).err().map(|refusal| refusal.message());
            assert_eq!(message.as_deref(), want, "{text}");
        }
    }

    #[test]
    fn parameters() {
        let now: DateTime<Utc> = "2026-11-21T12:00:00Z".parse().unwrap();
        let place = Cursor { sort_at: now, id: PostId(Uuid::from_u128(7)) };
        let (cursor, due_cursor) = (place.encode(), place.encode_in(ListOrder::Due));
        type Set = fn(&mut ListInput, &str);
        let status: Set = |input, text| input.status = Some(text.into());
        let from: Set = |input, text| input.from = Some(text.into());
        let to: Set = |input, text| input.to = Some(text.into());
        let days: Set = |input, text| input.days = Some(text.into());
        let limit: Set = |input, text| input.limit = Some(text.into());
        let before: Set = |input, text| input.before = Some(text.into());
        let platform: Set = |input, text| input.platform.push(text.into());
        let account: Set = |input, text| input.account_id.push(text.into());
        let label: Set = |input, text| input.label.push(text.into());
        let q: Set = |input, text| input.q = Some(text.into());
        let state: Set = |input, text| input.state = Some(text.into());
        let order: Set = |input, text| input.order = Some(text.into());
        let long = "a".repeat(201);
        let (early, late) = ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00+01:00");
        for (name, sent, want) in [
            ("nothing", vec![], None),
            ("a status", vec![(status, "done")], None),
            ("another status", vec![(status, "Done")], Some("status")),
            ("a range", vec![(from, early), (to, late)], None),
            ("from alone", vec![(from, early)], None),
            ("to alone", vec![(to, late)], None),
            ("a network", vec![(platform, "bluesky"), (platform, "twitter")], None),
            ("no network", vec![(platform, "myspace")], Some("platform")),
            ("an account", vec![(account, "00000000-0000-0000-0000-000000000001")], None),
            ("no account", vec![(account, "@anna")], Some("accountId")),
            ("labels", vec![(label, "Cakes"); 20], None),
            ("too many labels", vec![(label, "Cakes"); 21], Some("label")),
            ("an empty label", vec![(label, "")], Some("label")),
            ("words", vec![(q, "cakes & tea")], None),
            ("no words", vec![(q, "…")], Some("q")),
            ("an empty search", vec![(q, "")], Some("q")),
            ("a long search", vec![(q, long.as_str())], Some("q")),
            ("a state", vec![(state, "needs_attention")], None),
            ("no state", vec![(state, "done")], Some("state")),
            ("an order", vec![(order, "due"), (before, due_cursor.as_str())], None),
            ("no order", vec![(order, "oldest")], Some("order")),
            ("a cursor of another order", vec![(before, due_cursor.as_str())], Some("before")),
            (
                "the other way round",
                vec![(order, "due"), (before, cursor.as_str())],
                Some("before"),
            ),
            ("an empty range", vec![(from, early), (to, early)], Some("to")),
            ("from is no instant", vec![(from, "2026-01-01"), (to, late)], Some("from")),
            ("1 day", vec![(days, "1")], None),
            ("730 days", vec![(days, "730")], None),
            ("0 days", vec![(days, "0")], Some("days")),
            ("731 days", vec![(days, "731")], Some("days")),
            ("days in words", vec![(days, "ten")], Some("days")),
            ("limit 500", vec![(limit, "500")], None),
            ("limit 501", vec![(limit, "501")], Some("limit")),
            ("limit 0", vec![(limit, "0")], Some("limit")),
            ("a cursor", vec![(before, cursor.as_str())], None),
            ("another cursor", vec![(before, "abc")], Some("before")),
        ] {
            let mut input = ListInput::default();
            for (set, text) in sent {
                set(&mut input, text);
            }
            let parsed = ListQuery::parse(&input, WorkspaceId(Uuid::nil()), now);
            assert_eq!(parsed.err().and_then(|refusal| refusal.field).as_deref(), want, "{name}");
        }
        let query = ListQuery::parse(&ListInput::default(), WorkspaceId(Uuid::nil()), now).unwrap();
        assert_eq!(query.page.limit, 200);
        assert_eq!(query.window, Window::Since(now - TimeDelta::days(120)));
    }
}
