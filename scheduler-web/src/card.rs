//! A post as the calendar shows it: one card for each minute at which something of it goes out.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, NaiveDateTime, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::ids::{AccountId, TargetId};
use scheduler_core::post::{ApprovalState, AskedTiming, PostStatus, PostView, TargetView};
use scheduler_core::target::TargetStatus;
use scheduler_core::timing::Zone;

use crate::filters::cleaned;
use crate::mark::Mark;
use crate::when;

/// Characters of a text that a card shows.
const WORDS: usize = 80;

/// Marks that a card shows; the others are counted.
const MARKS: usize = 3;

/// How a post stands, as people see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    Draft,
    Waits,
    Scheduled,
    Publishing,
    Published,
    Failed,
    Canceled,
}

impl State {
    /// In the order of the legend.
    pub(crate) const ALL: [Self; 7] = [
        Self::Draft,
        Self::Waits,
        Self::Scheduled,
        Self::Publishing,
        Self::Published,
        Self::Failed,
        Self::Canceled,
    ];

    /// As addresses, classes and icons name it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Waits => "wait",
            Self::Scheduled => "scheduled",
            Self::Publishing => "publishing",
            Self::Published => "published",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }

    /// In words.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Waits => "waits for approval",
            Self::Scheduled => "scheduled",
            Self::Publishing => "publishing",
            Self::Published => "published",
            Self::Failed => "failed",
            Self::Canceled => "cancelled",
        }
    }

    /// How a post stands.
    pub(crate) fn of(post: &PostView) -> Self {
        let is = |status| post.targets.iter().any(|target| target.status == status);
        match post.status {
            PostStatus::Draft => Self::Draft,
            PostStatus::Canceled => Self::Canceled,
            _ if is(TargetStatus::Failed) => Self::Failed,
            PostStatus::Done => Self::Published,
            PostStatus::Publishing => Self::Publishing,
            PostStatus::Scheduled if post.approval_state == Some(ApprovalState::Pending) => {
                Self::Waits
            }
            PostStatus::Scheduled => Self::Scheduled,
        }
    }
}

/// A card.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) id: String,
    /// Those targets of its post that go out then.
    pub(crate) targets: Vec<TargetId>,
    pub(crate) revision: i64,
    /// When it was changed last, as events tell it.
    pub(crate) changed: i64,
    pub(crate) instant: DateTime<Utc>,
    pub(crate) local: NaiveDateTime,
    /// True when clocks have shown this time before, on the day on which they go back.
    pub(crate) is_again: bool,
    pub(crate) clock: String,
    pub(crate) state: State,
    pub(crate) marks: Vec<Mark>,
    pub(crate) more: usize,
    /// The networks in words.
    pub(crate) networks: String,
    pub(crate) words: String,
    /// Why it failed, in the network's words or ours.
    pub(crate) why: Option<String>,
    /// `1 of 2`, where the targets of a post fall on several minutes.
    pub(crate) part: Option<String>,
    /// The wall-clock time that was asked for and the one that it is, where clocks go over it.
    pub(crate) asked: Option<String>,
    /// Why it cannot be moved.
    pub(crate) stuck: Option<String>,
    /// What a rehearsal says of it.
    pub(crate) rehearsed: Option<String>,
}

/// The first words of a post, or its title.
pub(crate) fn first_words(post: &PostView) -> String {
    let titles = post.targets.iter().filter_map(|target| target.options.get("title")?.as_str());
    let captions = post.targets.iter().filter_map(|target| target.options.get("caption")?.as_str());
    let mut texts = [post.content.as_str()].into_iter().chain(titles).chain(captions);
    let words = texts.find_map(words_of);
    let none = if post.media_ids.is_empty() { "No text yet" } else { "Without a text" };
    words.unwrap_or_else(|| none.to_owned())
}

/// The first words of a text; `None` of one that has none.
pub(crate) fn words_of(text: &str) -> Option<String> {
    let line = text.trim().lines().next()?;
    let words: String = line.chars().take(WORDS).collect();
    Some(cleaned(&words))
}

/// The cards of posts, in the order of their times.
pub(crate) fn cards(
    posts: &[PostView],
    accounts: &HashMap<AccountId, AccountView>,
    workspace: Option<Zone>,
    zone: Zone,
) -> Vec<Card> {
    let mut cards: Vec<Card> =
        posts.iter().flat_map(|post| cards_of(post, accounts, workspace, zone)).collect();
    cards.sort_by(|one, other| (one.instant, &one.id).cmp(&(other.instant, &other.id)));
    cards
}

fn cards_of(
    post: &PostView,
    accounts: &HashMap<AccountId, AccountView>,
    workspace: Option<Zone>,
    zone: Zone,
) -> Vec<Card> {
    let mut minutes: BTreeMap<DateTime<Utc>, Vec<&TargetView>> = BTreeMap::new();
    for target in &post.targets {
        let of_account = accounts.get(&target.account_id).and_then(|account| account.timezone);
        let own = of_account.or(workspace).unwrap_or(Zone::UTC);
        if let Some(at) = planned(post, target, own) {
            minutes.entry(at).or_default().push(target);
        }
    }
    if minutes.is_empty()
        && let Some(at) = post.scheduled_at
    {
        minutes.insert(at, Vec::new());
    }
    let parts = minutes.len();
    let asked = match post.timing {
        Some(AskedTiming::Local { local }) => Some(local),
        _ => None,
    };
    let card = |(index, (instant, targets)): (usize, (DateTime<Utc>, Vec<&TargetView>))| {
        let local = zone.local(instant);
        let networks: Vec<Mark> = targets.iter().map(|target| target.platform.into()).collect();
        let own = targets.first().and_then(|target| accounts.get(&target.account_id)?.timezone);
        let goes = own.or(workspace).unwrap_or(Zone::UTC).local(instant);
        let shifted = asked.filter(|asked| goes != *asked);
        Card {
            id: post.id.to_string(),
            targets: targets.iter().map(|target| target.id).collect(),
            revision: post.revision,
            changed: post.updated_at.timestamp_micros(),
            instant,
            local,
            is_again: zone.is_again(instant),
            clock: when::clock(local),
            state: State::of(post),
            more: networks.len().saturating_sub(MARKS),
            networks: spoken(&networks),
            marks: networks.into_iter().take(MARKS).collect(),
            words: first_words(post),
            why: targets.iter().find_map(|target| why(target)),
            part: (parts > 1).then(|| format!("{} of {parts}", index + 1)),
            asked: shifted.map(|asked| {
                format!("asked for {}, goes at {}", when::clock(asked), when::clock(goes))
            }),
            stuck: stuck(post, zone),
            rehearsed: None,
        }
    };
    minutes.into_iter().enumerate().map(card).collect()
}

/// Why a post cannot be moved, and what can be done instead; `None` where it can.
pub(crate) fn stuck(post: &PostView, zone: Zone) -> Option<String> {
    let live = post.targets.iter().filter_map(|target| target.published_at).min();
    let is = |status| post.targets.iter().any(|target| target.status == status);
    let why = match (post.status, live) {
        (_, Some(at)) => format!("It is live since {}.", when::moment(zone.local(at))),
        (PostStatus::Canceled, None) => "It was cancelled.".to_owned(),
        (PostStatus::Publishing, None) => "It is going out now.".to_owned(),
        (PostStatus::Scheduled, None) if is(TargetStatus::Publishing) => {
            "It is going out now.".to_owned()
        }
        (PostStatus::Done, None) => "It has failed.".to_owned(),
        (PostStatus::Draft | PostStatus::Scheduled, None) => return None,
    };
    Some(format!("{why} Duplicate it to post again."))
}

fn why(target: &TargetView) -> Option<String> {
    let error = target.error.as_deref().filter(|_| target.status == TargetStatus::Failed)?;
    Some(cleaned(&format!("{}: {error}", target.platform.sheet().name)))
}

/// When a target was meant to go out: its retries come later.
fn planned(post: &PostView, target: &TargetView, own: Zone) -> Option<DateTime<Utc>> {
    match post.timing {
        Some(AskedTiming::Local { local }) => Some(own.instant(local)),
        Some(AskedTiming::Queue) if target.attempts == 0 => {
            target.next_attempt_at.or(target.published_at).or(post.scheduled_at)
        }
        Some(AskedTiming::Queue) => target.published_at.or(post.scheduled_at),
        _ => post.scheduled_at,
    }
}

/// Networks in words, such as `Instagram, Bluesky and 2 more`.
fn spoken(networks: &[Mark]) -> String {
    match networks {
        [] => "no account yet".to_owned(),
        [one] => one.name.to_owned(),
        [one, two] => format!("{} and {}", one.name, two.name),
        [one, two, others @ ..] => format!("{}, {} and {} more", one.name, two.name, others.len()),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Some card.
    pub(crate) fn card() -> Card {
        Card {
            id: String::new(),
            targets: Vec::new(),
            revision: 1,
            changed: 0,
            instant: DateTime::UNIX_EPOCH,
            local: NaiveDateTime::default(),
            is_again: false,
            clock: String::new(),
            state: State::Scheduled,
            marks: Vec::new(),
            more: 0,
            networks: String::new(),
            words: String::new(),
            why: None,
            part: None,
            asked: None,
            stuck: None,
            rehearsed: None,
        }
    }
}
