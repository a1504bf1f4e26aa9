//! Requests that may be sent again without making something twice.

mod fingerprint;
mod key_use;

use std::ops::RangeInclusive;

use crate::error::Refusal;
use crate::post::check_characters;

pub use fingerprint::Fingerprint;
pub use key_use::{KeyOutcome, KeyScope, KeyUse};

/// How many characters an Idempotency-Key has.
///
/// Source: interface description, Limits.
pub const IDEMPOTENCY_KEY_CHARACTERS: RangeInclusive<usize> = 8..=200;

/// How the keys begin that the scheduler itself makes posts under.
const OWN_BEGINNINGS: [&str; 2] = ["recurrence/", "feed/"];

/// A key of the caller's choice, and the body that came with it.
///
/// ```
/// use scheduler_core::idempotency::{Fingerprint, IdempotencyKey, Replay};
///
/// let first = IdempotencyKey::new("order-4711", Some(Fingerprint::of(br#"{"a": 1, "b": 2}"#)))?;
/// let same = IdempotencyKey::new("order-4711", Some(Fingerprint::of(br#"{"b":2,"a":1}"#)))?;
/// let other = IdempotencyKey::new("order-4711", Some(Fingerprint::of(br#"{"a": 1}"#)))?;
/// assert_eq!(first.replay(&same), Replay::SameBody);
/// assert_eq!(first.replay(&other), Replay::OtherBody);
/// assert!(IdempotencyKey::new("too few", None).is_err());
/// assert!(IdempotencyKey::new("recurrence/4711", None).is_err(), "one of the scheduler's own");
/// # Ok::<(), scheduler_core::error::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    text: String,
    body: Option<Fingerprint>,
}

impl IdempotencyKey {
    /// A key as a caller sends it; without a body where a caller has none to compare.
    ///
    /// # Errors
    /// `invalid_request` naming `Idempotency-Key` when it is not 8 to 200 characters long, or holds
    /// a NUL, which databases do not take; and when it begins as those of the scheduler itself do.
    pub fn new(text: impl Into<String>, body: Option<Fingerprint>) -> Result<Self, Refusal> {
        let text = text.into();
        let length = text.chars().count();
        if let Some(own) = OWN_BEGINNINGS.iter().find(|own| text.starts_with(**own)) {
            let message =
                format!("Keys that begin with {own} are the scheduler's own; begin it otherwise.");
            return Err(Refusal::invalid("Idempotency-Key", message));
        }
        if IDEMPOTENCY_KEY_CHARACTERS.contains(&length) {
            check_characters("Idempotency-Key", &text)?;
            return Ok(Self { text, body });
        }
        let (least, most) = (IDEMPOTENCY_KEY_CHARACTERS.start(), IDEMPOTENCY_KEY_CHARACTERS.end());
        Err(Refusal::invalid(
            "Idempotency-Key",
            format!("The key is {length} characters long, {least} to {most} are allowed."),
        ))
    }

    /// A key as a store has kept it, or as the scheduler itself makes it; one that an earlier version has kept has no body.
    #[must_use]
    pub const fn stored(text: String, body: Option<Fingerprint>) -> Self {
        Self { text, body }
    }

    /// The key itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What its first request said, where that is known.
    #[must_use]
    pub const fn body(&self) -> Option<Fingerprint> {
        self.body
    }

    /// How a later request with this key compares with the first.
    #[must_use]
    pub fn replay(&self, later: &Self) -> Replay {
        match (self.body, later.body) {
            (Some(first), Some(later)) if first == later => Replay::SameBody,
            (Some(_), Some(_)) => Replay::OtherBody,
            (None, _) | (_, None) => Replay::UnknownBody,
        }
    }
}

/// How a request compares with the first of its Idempotency-Key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replay {
    /// It says the same.
    SameBody,
    /// It says something else, and nothing was made of it.
    OtherBody,
    /// One of the two is not known: the first was kept by a version that did not compare them, or
    /// the later one could not be read.
    UnknownBody,
}

/// What a request has made, or the first of its Idempotency-Key.
#[derive(Clone, Debug, PartialEq)]
pub struct Made<T> {
    /// What there is now.
    pub value: T,
    /// `None` when this request has made it.
    pub replay: Option<Replay>,
}

impl<T> Made<T> {
    /// What this request has made.
    pub const fn new(value: T) -> Self {
        Self { value, replay: None }
    }

    /// What the first request with `key` has made.
    pub fn before(value: T, first: &IdempotencyKey, key: &IdempotencyKey) -> Self {
        Self { value, replay: Some(first.replay(key)) }
    }

    /// True when this request has made it.
    pub const fn is_new(&self) -> bool {
        self.replay.is_none()
    }
}
