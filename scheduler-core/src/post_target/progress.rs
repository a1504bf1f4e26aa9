//! How far a publish has come.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How far a publish has come, as its adapter wrote it down, and what the engine must know of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Progress {
    /// The adapter's own state.
    pub state: Value,
    /// A call of this step that others can see and that may have been done: there is one from
    /// before it is sent until its answer is stored. A holder that finds one looks the post up
    /// before it sends again.
    pub open: Option<OpenCall>,
    /// When this publish first began. Stays the same over every attempt, so that what is derived
    /// from it is the same on a repeat.
    pub begun_at: DateTime<Utc>,
}

impl Progress {
    /// A publish at the beginning of a step, of which nothing was sent.
    #[must_use]
    pub const fn new(state: Value, begun_at: DateTime<Utc>) -> Self {
        Self { state, open: None, begun_at }
    }
}

/// A call of which it is not known whether it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// The call; the latest of them where it was repeated.
    pub call: VisibleCall,
    /// What happens when its network cannot tell what became of it.
    pub when_unknown: WhenUnknown,
}

/// What happens when a network cannot tell what became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenUnknown {
    /// The target fails, and a person is told to look.
    Ask,
    /// It is sent again: a person was told to look, has looked, and asked for another try.
    SendAgain,
}

/// A call that others can see, stored before it is made. Until it must have ended, nobody can
/// tell that it has done nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisibleCall {
    /// When it began.
    pub began_at: DateTime<Utc>,
    /// How many milliseconds after its beginning it can have an effect at the latest.
    pub lasts_ms: u32,
}

impl VisibleCall {
    /// A call that begins now and lasts at most so long; at most 49 days are kept.
    #[must_use]
    pub fn new(now: DateTime<Utc>, lasts: TimeDelta) -> Self {
        let lasts_ms = lasts.num_milliseconds().clamp(0, i64::from(u32::MAX));
        Self { began_at: now, lasts_ms: u32::try_from(lasts_ms).unwrap_or(u32::MAX) }
    }

    /// When it must have ended; `None` once it has.
    #[must_use]
    pub fn ends_after(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let ends_at = self.began_at + TimeDelta::milliseconds(i64::from(self.lasts_ms));
        (ends_at > now).then_some(ends_at)
    }

    /// The same, beginning no later than now: a call of a clock that has been set back since is
    /// waited for no longer than it lasts.
    #[must_use]
    pub fn begun_by(self, now: DateTime<Utc>) -> Self {
        Self { began_at: self.began_at.min(now), ..self }
    }
}

/// Progress as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    state: Value,
    sending: bool,
    /// Rows of earlier releases have none beside `sending`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<VisibleCall>,
    resend_unknown: bool,
    begun_at: DateTime<Utc>,
}

impl From<Stored> for Progress {
    fn from(stored: Stored) -> Self {
        let Stored { state, sending, call, resend_unknown, begun_at } = stored;
        let open = sending.then(|| OpenCall {
            call: call.unwrap_or_else(|| VisibleCall::new(begun_at, TimeDelta::zero())),
            when_unknown: if resend_unknown { WhenUnknown::SendAgain } else { WhenUnknown::Ask },
        });
        Self { state, open, begun_at }
    }
}

impl From<Progress> for Stored {
    fn from(progress: Progress) -> Self {
        let Progress { state, open, begun_at } = progress;
        let resend_unknown = open.is_some_and(|open| open.when_unknown == WhenUnknown::SendAgain);
        let call = open.map(|open| open.call);
        Self { state, sending: open.is_some(), call, resend_unknown, begun_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn progress_is_stored_as_it_always_was() {
        let begun_at = DateTime::UNIX_EPOCH;
        let call = VisibleCall::new(begun_at, TimeDelta::seconds(63));
        let open = |when_unknown| Some(OpenCall { call, when_unknown });
        for (name, open, stored) in [
            (
                "nothing is open",
                None,
                json!({"state": 1, "sending": false, "resend_unknown": false, "begun_at": "1970-01-01T00:00:00Z"}),
            ),
            (
                "a call is open",
                open(WhenUnknown::Ask),
                json!({
                    "state": 1, "sending": true, "resend_unknown": false, "begun_at": "1970-01-01T00:00:00Z",
                    "call": {"began_at": "1970-01-01T00:00:00Z", "lasts_ms": 63_000},
                }),
            ),
            (
                "and may be sent again",
                open(WhenUnknown::SendAgain),
                json!({
                    "state": 1, "sending": true, "resend_unknown": true, "begun_at": "1970-01-01T00:00:00Z",
                    "call": {"began_at": "1970-01-01T00:00:00Z", "lasts_ms": 63_000},
                }),
            ),
        ] {
            let progress = Progress { open, ..Progress::new(json!(1), begun_at) };
            assert_eq!(serde_json::to_value(&progress).unwrap(), stored, "{name}");
            assert_eq!(serde_json::from_value::<Progress>(stored).unwrap(), progress, "{name}");
        }
    }

    #[test]
    fn rows_of_earlier_releases_are_read() {
        let read = |sending, call: Value| -> Progress {
            let begun_at = "1970-01-01T00:00:00Z";
            let mut stored = json!({
                "state": 1, "sending": sending, "resend_unknown": false, "begun_at": begun_at,
            });
            if !call.is_null() {
                stored["call"] = call;
            }
            serde_json::from_value(stored).unwrap()
        };
        let now = DateTime::UNIX_EPOCH;
        let open = read(true, Value::Null).open.unwrap();
        assert_eq!(open.call.ends_after(now), None, "a call without an end has ended");
        let refused = json!({"began_at": "1970-01-01T00:00:00Z", "lasts_ms": 63_000});
        assert_eq!(read(false, refused).open, None, "one that was answered is not open");
    }
}
