//! When a post goes out: the five ways to say it, local time, and slots.
//!
//! ```
//! use scheduler_core::timing::{Zone, parse_local};
//!
//! let local = parse_local("2026-12-01T09:00")?;
//! let (berlin, tokyo): (Zone, Zone) = ("Europe/Berlin".parse()?, "Asia/Tokyo".parse()?);
//! assert_eq!((berlin.instant(local) - tokyo.instant(local)).num_hours(), 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod editing;
mod local;
mod schedule;
mod shared;
mod slot;
mod zone;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};

pub use editing::ClockChange;
pub use local::{LocalTimeError, format_local, parse_local};
pub use schedule::{ScheduleError, WeeklySchedule};
pub use shared::{CLOCK_DIFFERENCE_MAX, SharedTime, clock_difference};
pub use slot::{Day, SlotTime, SlotView};
pub use zone::{Passes, Resolved, UnknownZone, Zone};

#[cfg(feature = "engine")]
use crate::error::{Invalid, Refusal};
#[cfg(feature = "engine")]
use crate::key::Scope;

/// How long a post that somebody sends from a page waits, and can be stopped.
///
/// Source: our decision.
pub const STOP_WITHIN: TimeDelta = TimeDelta::seconds(10);

/// How long ago an instant may lie and still mean "now".
///
/// Source: our decision on the interface description, PostInput.scheduledAt.
pub const PAST_TOLERANCE: TimeDelta = TimeDelta::seconds(60);

/// How far ahead of now the earliest slot of a queue lies at least.
pub const SLOT_LEAD: TimeDelta = TimeDelta::seconds(60);

/// When a post goes out. Read once, from [`TimingInput`], and never a set of flags again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// One instant for every target.
    At(DateTime<Utc>),
    /// A wall-clock time, read in each target account's own zone.
    Local(NaiveDateTime),
    /// Each target takes its account's next free slot.
    NextSlot,
    /// One instant for every target, which is the slot of each account that has one then, and
    /// nobody else's.
    Slot(DateTime<Utc>),
    /// Due at once.
    Now,
    /// Parked, without a time.
    Draft,
}

#[cfg(feature = "engine")]
/// The five timing fields as a request sends them; `false` and `null` count as not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimingInput {
    /// `scheduledAt`.
    pub scheduled_at: Option<String>,
    /// `scheduledLocal`.
    pub scheduled_local: Option<String>,
    /// `queue`.
    pub queue: bool,
    /// The slot that is taken of the queue, where it is not the next.
    pub slot: Option<DateTime<Utc>>,
    /// `publishNow`.
    pub publish_now: bool,
    /// `saveAsDraft`.
    pub save_as_draft: bool,
}

impl Timing {
    #[cfg(feature = "engine")]
    /// Reads the one way that was chosen; `None` when none was.
    ///
    /// ```
    /// use scheduler_core::timing::{Timing, TimingInput};
    ///
    /// let now = "2026-11-21T12:00:00Z".parse()?;
    /// let queued = TimingInput { queue: true, ..TimingInput::default() };
    /// assert_eq!(Timing::parse(&queued, now).unwrap(), Some(Timing::NextSlot));
    /// let both = TimingInput { publish_now: true, ..queued };
    /// let refusal = Timing::parse(&both, now).unwrap_err();
    /// assert_eq!(refusal.field.as_deref(), Some("publishNow"), "the second one is named");
    /// # Ok::<(), chrono::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// `invalid_request` naming the second field when two or more are given, or the field whose
    /// text is not a time, or `scheduledAt` when it lies more than 60 s before `now`.
    pub fn parse(input: &TimingInput, now: DateTime<Utc>) -> Result<Option<Self>, Refusal> {
        let given: Vec<&'static str> = [
            ("scheduledAt", input.scheduled_at.is_some()),
            ("scheduledLocal", input.scheduled_local.is_some()),
            ("queue", input.queue),
            ("publishNow", input.publish_now),
            ("saveAsDraft", input.save_as_draft),
        ]
        .into_iter()
        .filter_map(|(name, sent)| sent.then_some(name))
        .collect();
        if let [first, second, ..] = given[..] {
            return Err(Refusal::invalid(second, Invalid::TwoTimings { first, second }));
        }
        if let Some(text) = &input.scheduled_at {
            return parse_instant(text, now).map(|at| Some(Self::At(at)));
        }
        if let Some(text) = &input.scheduled_local {
            return match parse_local(text) {
                Ok(local) => Ok(Some(Self::Local(local))),
                Err(error) => {
                    Err(Refusal::invalid("scheduledLocal", Invalid::NotALocalTime(error)))
                }
            };
        }
        Ok(if input.queue {
            Some(input.slot.map_or(Self::NextSlot, Self::Slot))
        } else if input.publish_now {
            Some(Self::Now)
        } else if input.save_as_draft {
            Some(Self::Draft)
        } else {
            None
        })
    }

    #[cfg(feature = "engine")]
    /// The refusal for a new post that says nothing about its time.
    #[must_use]
    pub fn missing() -> Refusal {
        Refusal::invalid("scheduledAt", Invalid::NoTiming)
    }

    #[cfg(feature = "engine")]
    /// What a key needs to give a post this time.
    #[must_use]
    pub const fn scope(self) -> Scope {
        if self.goes_out() { Scope::PostsPublish } else { Scope::PostsWrite }
    }

    /// True when the post is to go out, false when it is parked.
    #[must_use]
    pub const fn goes_out(self) -> bool {
        !matches!(self, Self::Draft)
    }
}

#[cfg(feature = "engine")]
fn parse_instant(text: &str, now: DateTime<Utc>) -> Result<DateTime<Utc>, Refusal> {
    let at = DateTime::parse_from_rfc3339(text)
        .map_err(|_| Refusal::invalid("scheduledAt", Invalid::NotAnInstant(text.to_owned())))?;
    let at = to_micros(at.with_timezone(&Utc));
    if at < now - PAST_TOLERANCE {
        return Err(Refusal::invalid("scheduledAt", Invalid::Past { sent: text.to_owned(), at }));
    }
    Ok(at.max(now))
}

/// Cuts an instant to whole microseconds, the precision that every store keeps.
#[must_use]
pub fn to_micros(at: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(at.timestamp_micros()).unwrap_or(at)
}

#[cfg(test)]
#[cfg(feature = "engine")]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-21T12:00:00Z".parse().unwrap()
    }

    fn input(fields: &[&str]) -> TimingInput {
        let mut input = TimingInput::default();
        for field in fields {
            match *field {
                "scheduledAt" => input.scheduled_at = Some("2026-12-01T09:00:00Z".into()),
                "scheduledLocal" => input.scheduled_local = Some("2026-12-01T09:00".into()),
                "queue" => input.queue = true,
                "publishNow" => input.publish_now = true,
                "saveAsDraft" => input.save_as_draft = true,
                other => panic!("{other}"),
            }
        }
        input
    }

    const FIELDS: [&str; 5] =
        ["scheduledAt", "scheduledLocal", "queue", "publishNow", "saveAsDraft"];

    #[test]
    fn each_field_alone_is_its_timing() {
        let at: DateTime<Utc> = "2026-12-01T09:00:00Z".parse().unwrap();
        let want = [
            Timing::At(at),
            Timing::Local(at.naive_utc()),
            Timing::NextSlot,
            Timing::Now,
            Timing::Draft,
        ];
        for (field, want) in FIELDS.into_iter().zip(want) {
            assert_eq!(Timing::parse(&input(&[field]), now()), Ok(Some(want)), "{field}");
        }
        assert_eq!(Timing::parse(&input(&[]), now()), Ok(None));
    }

    #[test]
    fn any_two_fields_are_refused_and_the_second_is_named() {
        for (index, first) in FIELDS.iter().enumerate() {
            for second in &FIELDS[index + 1..] {
                let refusal = Timing::parse(&input(&[second, first]), now()).unwrap_err();
                assert_eq!(refusal.field.as_deref(), Some(*second), "{first} + {second}");
            }
        }
        let refusal = Timing::parse(&input(&FIELDS), now()).unwrap_err();
        assert_eq!(refusal.field.as_deref(), Some("scheduledLocal"));
    }

    #[test]
    fn instants() {
        for (name, text, want) in [
            ("an offset", "2026-12-01T10:00:00+01:00", Some("2026-12-01T09:00:00Z")),
            ("no offset", "2026-12-01T10:00:00", None),
            ("no time", "2026-12-01", None),
            ("60 s ago is now", "2026-11-21T11:59:00Z", Some("2026-11-21T12:00:00Z")),
            ("61 s ago", "2026-11-21T11:58:59Z", None),
            (
                "nanoseconds are cut",
                "2026-12-01T09:00:00.0000019Z",
                Some("2026-12-01T09:00:00.000001Z"),
            ),
            ("empty", "", None),
        ] {
            let parsed = Timing::parse(
                &TimingInput { scheduled_at: Some(text.into()), ..TimingInput::default() },
                now(),
            );
            match want {
                Some(want) => {
                    assert_eq!(parsed, Ok(Some(Timing::At(want.parse().unwrap()))), "{name}");
                }
                None => {
                    assert_eq!(parsed.unwrap_err().field.as_deref(), Some("scheduledAt"), "{name}")
                }
            }
        }
    }
}
