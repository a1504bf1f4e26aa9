//! Polls: the one shape in which posts hold them, and what each network takes of it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A poll under a text, in the same form for every network that has polls.
///
/// ```
/// use scheduler_core::platform::Poll;
/// let poll = Poll::new(["Tea", "Coffee"]);
/// assert_eq!(serde_json::to_string(&poll)?, r#"{"options":["Tea","Coffee"]}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Poll {
    /// What can be chosen.
    pub options: Vec<String>,
    /// What is asked, where the network has a place for it; without one the text of the post asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// How long it lasts, in minutes; a day without it, where a network needs to be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_minutes: Option<u32>,
    /// Whether several options can be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiple: Option<bool>,
    /// Whether the results are hidden until it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hide_results: Option<bool>,
}

impl Poll {
    /// How long a poll lasts that does not say so, in minutes. Our decision: a day.
    pub const DEFAULT_MINUTES: u32 = 1440;

    /// A poll with these options.
    pub fn new<T: Into<String>>(options: impl IntoIterator<Item = T>) -> Self {
        Self { options: options.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The poll of a target's options; `None` where there is none, or one of another form.
    #[must_use]
    pub fn of(options: &Map<String, Value>) -> Option<Self> {
        let mut poll = options.get("poll")?.as_object()?.clone();
        // What no poll has was warned of, and is not used.
        poll.retain(|key, _| Self::has(key));
        serde_json::from_value(Value::Object(poll)).ok()
    }

    /// Whether a poll has a field of this name.
    pub(crate) fn has(key: &str) -> bool {
        ["options", "question", "durationMinutes", "multiple", "hideResults"].contains(&key)
    }
}

/// What a poll may be on a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PollFigures {
    /// Fewest options.
    pub min_items: u32,
    /// Most options.
    pub max_items: u32,
    /// Longest option, in code points.
    pub max_length: u32,
    /// Whether the network may count an option in bytes, so that one of more bytes is warned of.
    pub warns_of_bytes: bool,
    /// Longest question, in code points, where a poll has one of its own. Without one the text of
    /// the post is the question.
    pub max_question: Option<u32>,
    /// How long it can last.
    pub duration: PollDuration,
    /// Whether several options can be chosen.
    pub multiple: bool,
    /// Whether its results can be hidden until it ends.
    pub hides_results: bool,
}

/// How long a poll lasts, in minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PollDuration {
    /// As long as the network says; another duration is answered with a warning.
    Fixed(u32),
    /// One of these.
    OneOf(&'static [u32]),
    /// From the first to the second.
    Between(u32, u32),
    /// Whole hours, from the first to the second.
    WholeHours(u32, u32),
}
