//! Telling people what happens: who is told what, when they want to be left alone, and the message
//! that several events make together.
//!
//! A notifier follows the events of its workspace by their place, so that it tells each once,
//! however many came meanwhile, and nothing of what happened before it was made.

mod message;
mod quiet;

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ids::{EventId, NotifierId, WorkspaceId};
use crate::webhook::{EventKind, EventPlace};

pub use message::Message;
pub use quiet::{QuietHours, QuietHoursError};

/// The most notifiers of a workspace.
///
/// Source: our decision.
pub const NOTIFIERS_MAX: u32 = 20;

/// How often a notifier looks for news.
///
/// Source: our decision.
pub const LOOK_EVERY: TimeDelta = TimeDelta::seconds(30);

/// How long after a message the next one is sent at the earliest, so that many failures are one
/// message or two and not hundreds.
///
/// Source: our decision.
pub const SENT_EVERY: TimeDelta = TimeDelta::minutes(5);

/// How long an event is left alone after it happened: one that is stored later than another by
/// another node has an earlier place for that long at most.
///
/// Source: our decision; a transaction ends within seconds, and nodes share their time.
pub const SETTLES_WITHIN: TimeDelta = TimeDelta::seconds(10);

/// The most events that one message tells of.
///
/// Source: our decision.
pub const EVENTS_IN_A_MESSAGE: u32 = 200;

/// How people are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// By e-mail; the address is a mailbox.
    Email,
    /// In a channel of Slack; the address is that of an incoming webhook.
    Slack,
    /// In a channel of Discord; the address is that of a webhook.
    Discord,
    /// By ntfy; the address is that of a topic, such as `https://ntfy.sh/my-topic`.
    Ntfy,
}

impl Channel {
    /// Every channel.
    pub const ALL: [Self; 4] = [Self::Email, Self::Slack, Self::Discord, Self::Ntfy];

    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Slack => "slack",
            Self::Discord => "discord",
            Self::Ntfy => "ntfy",
        }
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The text is not the name of a channel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no channel; there are email, slack, discord and ntfy")]
pub struct UnknownChannel(pub String);

impl FromStr for Channel {
    type Err = UnknownChannel;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.into_iter();
        all.find(|channel| channel.as_str() == text).ok_or_else(|| UnknownChannel(text.to_owned()))
    }
}

/// What people are told of unless they say otherwise: what somebody has to see to.
pub const TOLD: [EventKind; 6] = [
    EventKind::Failed,
    EventKind::ApprovalDecided,
    EventKind::NeedsReconnect,
    EventKind::TokenExpiring,
    EventKind::MediaFailed,
    EventKind::FeedFailing,
];

/// Somebody who is told what happens.
#[derive(Clone, Debug)]
pub struct Notifier {
    /// Its id.
    pub id: NotifierId,
    /// The workspace of whose events it tells.
    pub workspace_id: WorkspaceId,
    /// How they are reached.
    pub channel: Channel,
    /// Where; secret, since whoever has the address of a webhook can write to it. Empty where what
    /// is stored cannot be opened.
    pub address: SecretString,
    /// What they are told of, each once.
    pub events: Vec<EventKind>,
    /// When they want to be left alone.
    pub quiet: Option<QuietHours>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

impl PartialEq for Notifier {
    fn eq(&self, other: &Self) -> bool {
        let parts = |one: &Self| (one.id, one.workspace_id, one.channel, one.quiet, one.created_at);
        parts(self) == parts(other)
            && self.events == other.events
            && self.address.expose_secret() == other.address.expose_secret()
    }
}

impl Notifier {
    /// The address as people may see it: a mailbox whole, of others the host and how it ends.
    #[must_use]
    pub fn shown_address(&self) -> String {
        let address = self.address.expose_secret();
        if self.channel == Channel::Email {
            return address.to_owned();
        }
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let host = rest.split('/').next().unwrap_or_default();
        let end = address.char_indices().rev().nth(3).map_or("", |(index, _)| &address[index..]);
        format!("{host}/…{end}")
    }
}

/// How far a notifier has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotifierState {
    /// Everything up to here was told, or was left out for good.
    pub told_until: EventPlace,
    /// When it looks for news next. Whoever looks sets this to the end of their lease first.
    pub next_at: DateTime<Utc>,
    /// How often in a row telling has failed.
    pub failures: u32,
    /// When it last told something.
    pub told_at: Option<DateTime<Utc>>,
    /// Why it last failed, for a person; `None` once it has told something again.
    pub error: Option<String>,
}

impl NotifierState {
    /// That of a notifier which is made now.
    #[must_use]
    pub const fn new(now: DateTime<Utc>) -> Self {
        let told_until = (now, EventId(Uuid::max()));
        Self { told_until, next_at: now, failures: 0, told_at: None, error: None }
    }

    /// After a look that found nothing to tell.
    #[must_use]
    pub fn looked(self, now: DateTime<Utc>) -> Self {
        Self { next_at: now + LOOK_EVERY, ..self }
    }

    /// After everything up to a place was told.
    #[must_use]
    pub fn told(self, until: EventPlace, now: DateTime<Utc>) -> Self {
        Self {
            told_until: until,
            next_at: now + SENT_EVERY,
            failures: 0,
            told_at: Some(now),
            error: None,
        }
    }

    /// After what was to be told up to a place could not be: it is tried again after a wait, and
    /// left out where there is none.
    #[must_use]
    pub fn failed(
        self,
        until: EventPlace,
        error: String,
        wait: Option<TimeDelta>,
        now: DateTime<Utc>,
    ) -> Self {
        let error = Some(error);
        match wait {
            Some(wait) => Self { next_at: now + wait, failures: self.failures + 1, error, ..self },
            None => {
                Self { told_until: until, next_at: now + SENT_EVERY, failures: 0, error, ..self }
            }
        }
    }
}

/// A notifier as people see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Notifier"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NotifierView {
    /// Its id.
    pub id: NotifierId,
    /// How they are reached.
    pub channel: Channel,
    /// Where: a mailbox whole, of others the host and the last characters.
    pub address: String,
    /// What they are told of.
    pub events: Vec<EventKind>,
    /// When they are left alone.
    pub quiet: Option<QuietHours>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When they were last told something.
    pub told_at: Option<DateTime<Utc>>,
    /// Why telling them last failed, while it does.
    pub error: Option<String>,
}

impl NotifierView {
    /// A notifier with how far it has come.
    #[must_use]
    pub fn new(notifier: &Notifier, state: &NotifierState) -> Self {
        Self {
            id: notifier.id,
            channel: notifier.channel,
            address: notifier.shown_address(),
            events: notifier.events.clone(),
            quiet: notifier.quiet,
            created_at: notifier.created_at,
            told_at: state.told_at,
            error: state.error.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
