//! The weekly posting schedule of an account, and the instants of its slots.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Datelike, Days, NaiveTime, Timelike, Utc, Weekday};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{SLOT_LEAD, SlotTime, Zone};

/// When an account posts, week after week, in the account's own zone.
///
/// Written as `mon-fri 09:00,13:00; sat 11:00`; the empty text has no slots. Days may be written out,
/// and hours with one digit.
///
/// ```
/// use std::collections::BTreeSet;
///
/// use scheduler_core::timing::{WeeklySchedule, Zone};
///
/// let schedule: WeeklySchedule = "mon-fri 09:00,13:00; sat 11:00".parse()?;
/// // A Saturday, 12:00 in Berlin: its slot is over, and there is none on Sunday.
/// let now = "2026-11-21T11:00:00Z".parse()?;
/// let mut taken = BTreeSet::new();
/// let first = schedule.next_free("Europe/Berlin".parse()?, now, &taken).ok_or("no slots")?;
/// assert_eq!(first.to_rfc3339(), "2026-11-23T08:00:00+00:00");
/// taken.insert(first);
/// let second = schedule.next_free("Europe/Berlin".parse()?, now, &taken).ok_or("no slots")?;
/// assert_eq!(second.to_rfc3339(), "2026-11-23T12:00:00+00:00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeeklySchedule {
    slots: Vec<SlotTime>,
}

/// The text is not a weekly schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// A day is neither `mon` to `sun`, a range such as `mon-fri`, nor `daily`.
    #[error(
        "{0:?} is not a day; write mon, tue, wed, thu, fri, sat, sun, a range such as mon-fri, or daily"
    )]
    Day(String),
    /// A time is not `HH:MM`.
    #[error("{0:?} is not a time; write HH:MM, such as 09:00")]
    Time(String),
    /// A part has days but no times, or the other way round.
    #[error("{0:?} is not a part of a schedule; write days and times, such as mon-fri 09:00,13:00")]
    Part(String),
}

const DAYS: [(Weekday, &str); 7] = [
    (Weekday::Mon, "mon"),
    (Weekday::Tue, "tue"),
    (Weekday::Wed, "wed"),
    (Weekday::Thu, "thu"),
    (Weekday::Fri, "fri"),
    (Weekday::Sat, "sat"),
    (Weekday::Sun, "sun"),
];

impl WeeklySchedule {
    /// A schedule with these slots; order and repeats do not matter.
    #[must_use]
    pub fn new(mut slots: Vec<SlotTime>) -> Self {
        slots.sort_by_key(|slot| slot.key());
        slots.dedup();
        Self { slots }
    }

    /// The slots from Monday to Sunday, each once.
    #[must_use]
    pub fn slots(&self) -> &[SlotTime] {
        &self.slots
    }

    /// True when the schedule has no slot at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The earliest slot that lies at least [`SLOT_LEAD`] after `now` and is not in `taken`.
    ///
    /// A slot in a gap of the zone is shifted later by the gap; one in an overlap happens once.
    /// `None` for a schedule without slots.
    #[must_use]
    pub fn next_free(
        &self,
        zone: Zone,
        now: DateTime<Utc>,
        taken: &BTreeSet<DateTime<Utc>>,
    ) -> Option<DateTime<Utc>> {
        let earliest = now + SLOT_LEAD;
        self.upcoming(zone, earliest).find(|at| !taken.contains(at))
    }

    /// Every slot from `from` on, in order, without end; none for a schedule without slots.
    ///
    /// ```
    /// use scheduler_core::timing::{WeeklySchedule, Zone};
    ///
    /// let mornings: WeeklySchedule = "mon-fri 09:00".parse()?;
    /// let friday = "2026-11-20T09:00:00Z".parse()?;
    /// let slots: Vec<String> =
    ///     mornings.upcoming(Zone::UTC, friday).take(2).map(|at| at.to_rfc3339()).collect();
    /// assert_eq!(slots, ["2026-11-20T09:00:00+00:00", "2026-11-23T09:00:00+00:00"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn upcoming(
        &self,
        zone: Zone,
        from: DateTime<Utc>,
    ) -> impl Iterator<Item = DateTime<Utc>> + '_ {
        // A gap may shift a slot into the next day, so the days are read from one earlier, and
        // sorted again day by day with what the day before may have pushed across midnight.
        let first_day = zone.local(from).date().checked_sub_days(Days::new(2));
        let days = first_day.into_iter().flat_map(|day| day.iter_days());
        let days = days.take(if self.slots.is_empty() { 0 } else { usize::MAX });
        let mut last = None;
        days.flat_map(move |day| {
            let mut instants: Vec<DateTime<Utc>> = self
                .slots
                .iter()
                .filter(|slot| slot.day == day.weekday())
                .map(|slot| zone.instant(day.and_time(slot.time)))
                .collect();
            instants.sort_unstable();
            instants
        })
        .filter(move |at| {
            let ascends = last.is_none_or(|last| *at > last);
            if ascends {
                last = Some(*at);
            }
            ascends
        })
        .filter(move |at| *at >= from)
    }
}

impl Default for WeeklySchedule {
    /// 09:00, 13:00 and 18:00 every day: what a newly connected account starts with.
    fn default() -> Self {
        let slots = DAYS.iter().flat_map(|(day, _)| {
            [9, 13, 18]
                .into_iter()
                .filter_map(|hour| NaiveTime::from_hms_opt(hour, 0, 0))
                .map(|time| SlotTime { day: *day, time })
        });
        Self::new(slots.collect())
    }
}

impl FromStr for WeeklySchedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut slots = Vec::new();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let (days, times) = part
                .split_once(char::is_whitespace)
                .ok_or_else(|| ScheduleError::Part(part.to_owned()))?;
            let mut in_part = Vec::new();
            for span in days.split(',') {
                in_part.extend(parse_days(span)?);
            }
            for time in times.split(',').map(str::trim) {
                let time = parse_said_time(time)?;
                slots.extend(in_part.iter().map(|day| SlotTime { day: *day, time }));
            }
        }
        Ok(Self::new(slots))
    }
}

fn parse_days(span: &str) -> Result<Vec<Weekday>, ScheduleError> {
    let lower = span.trim().to_ascii_lowercase();
    if lower == "daily" {
        return Ok(DAYS.iter().map(|(day, _)| *day).collect());
    }
    let day = |name: &str| {
        // Whole names too, as people write them in a time.
        let day = name.parse().ok();
        day.ok_or_else(|| ScheduleError::Day(span.trim().to_owned()))
    };
    let Some((first, last)) = lower.split_once('-') else {
        return Ok(vec![day(&lower)?]);
    };
    let (first, last) = (day(first)?, day(last)?);
    let mut days = vec![first];
    let mut current = first;
    while current != last {
        current = current.succ();
        days.push(current);
    }
    Ok(days)
}

/// Reads a time as a person writes it: the hour may have one digit.
fn parse_said_time(text: &str) -> Result<NaiveTime, ScheduleError> {
    let padded = format!("{text:0>5}");
    let has_hour = text.starts_with(|first: char| first.is_ascii_digit());
    parse_time(if has_hour { &padded } else { text })
        .map_err(|_| ScheduleError::Time(text.to_owned()))
}

/// Reads `HH:MM`.
pub(super) fn parse_time(text: &str) -> Result<NaiveTime, ScheduleError> {
    let shaped = text.len() == 5 && text.is_ascii();
    shaped
        .then(|| NaiveTime::parse_from_str(text, "%H:%M").ok())
        .flatten()
        .ok_or_else(|| ScheduleError::Time(text.to_owned()))
}

impl fmt::Display for WeeklySchedule {
    /// Days with the same times stand together: `mon-fri 09:00,13:00; sat 11:00`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times: Vec<(usize, String)> = DAYS
            .iter()
            .enumerate()
            .map(|(index, (day, _))| (index, self.times_of(*day)))
            .filter(|(_, times)| !times.is_empty())
            .collect();
        let runs = times.chunk_by(|left, right| left.0 + 1 == right.0 && left.1 == right.1);
        for (index, run) in runs.enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            let (first, last) = (DAYS[run[0].0].1, DAYS[run[run.len() - 1].0].1);
            let days = match run.len() {
                7 => "daily".to_owned(),
                1 => first.to_owned(),
                _ => format!("{first}-{last}"),
            };
            write!(formatter, "{separator}{days} {}", run[0].1)?;
        }
        Ok(())
    }
}

impl WeeklySchedule {
    fn times_of(&self, day: Weekday) -> String {
        let times: Vec<String> = self
            .slots
            .iter()
            .filter(|slot| slot.day == day)
            .map(|slot| format!("{:02}:{:02}", slot.time.hour(), slot.time.minute()))
            .collect();
        times.join(",")
    }
}

impl Serialize for WeeklySchedule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for WeeklySchedule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn schedules_are_read_and_written() {
        for (text, want) in [
            ("mon-fri 09:00,13:00; sat 11:00", "mon-fri 09:00,13:00; sat 11:00"),
            ("daily 18:00,09:00", "daily 09:00,18:00"),
            ("sat,sun 10:00", "sat-sun 10:00"),
            ("mon,wed 10:00", "mon 10:00; wed 10:00"),
            ("fri-mon 08:00", "mon 08:00; fri-sun 08:00"),
            ("MON 08:00 , 08:00", "mon 08:00"),
            ("fri 9:00", "fri 09:00"),
            ("Friday 9:00,18:30", "fri 09:00,18:30"),
            ("monday-wednesday 0:15; sun 9:05", "mon-wed 00:15; sun 09:05"),
            ("", ""),
        ] {
            let schedule: WeeklySchedule = text.parse().unwrap();
            assert_eq!(schedule.to_string(), want, "{text:?}");
            assert_eq!(want.parse::<WeeklySchedule>().unwrap(), schedule, "{text:?}");
        }
        assert_eq!(WeeklySchedule::default().to_string(), "daily 09:00,13:00,18:00");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "mon",
            "someday 09:00",
            "mon 9",
            "mon 25:00",
            "mon :00",
            "mon-foo 09:00",
            "09:00",
            "m 9:00",
        ] {
            assert!(text.parse::<WeeklySchedule>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_next_free_slot() {
        let berlin: Zone = "Europe/Berlin".parse().unwrap();
        for (name, schedule, now, taken, want) in [
            (
                "later today",
                "daily 09:00,13:00",
                "2026-11-21T08:30:00Z",
                vec![],
                "2026-11-21T12:00:00Z",
            ),
            (
                "exactly 60 s ahead",
                "daily 09:00",
                "2026-11-21T07:59:00Z",
                vec![],
                "2026-11-21T08:00:00Z",
            ),
            (
                "59 s ahead is too near",
                "daily 09:00",
                "2026-11-21T07:59:01Z",
                vec![],
                "2026-11-22T08:00:00Z",
            ),
            (
                "the first is taken",
                "daily 09:00",
                "2026-11-21T07:00:00Z",
                vec!["2026-11-21T08:00:00Z"],
                "2026-11-22T08:00:00Z",
            ),
            ("next week", "mon 09:00", "2026-11-23T09:00:00Z", vec![], "2026-11-30T08:00:00Z"),
            ("in a gap", "sun 02:30", "2026-03-28T12:00:00Z", vec![], "2026-03-29T01:30:00Z"),
            (
                "two slots meet after a gap",
                "sun 02:30,03:30",
                "2026-03-28T12:00:00Z",
                vec!["2026-03-29T01:30:00Z"],
                "2026-04-05T00:30:00Z",
            ),
            (
                "in an overlap, once",
                "sun 02:30",
                "2026-10-25T00:29:30Z",
                vec![],
                "2026-11-01T01:30:00Z",
            ),
        ] {
            let taken = taken.into_iter().map(at).collect();
            let schedule: WeeklySchedule = schedule.parse().unwrap();
            assert_eq!(schedule.next_free(berlin, at(now), &taken), Some(at(want)), "{name}");
        }
        assert_eq!(
            WeeklySchedule::new(vec![]).next_free(
                berlin,
                at("2026-11-21T07:00:00Z"),
                &BTreeSet::new()
            ),
            None
        );
    }

    proptest! {
        /// Slots found one after the other are distinct, ascend, keep the lead, and each shows a
        /// time of the schedule on the wall unless the zone skipped it.
        #[test]
        fn slots_ascend_and_never_repeat(
            start in 1_700_000_000_i64..1_900_000_000,
            zone in 0_usize..chrono_tz::TZ_VARIANTS.len(),
            slots in prop::collection::vec((0_usize..7, 0_u32..1440), 1..12),
        ) {
            let zone: Zone = chrono_tz::TZ_VARIANTS[zone].name().parse().unwrap();
            let schedule = WeeklySchedule::new(slots.iter().map(|(day, minute)| SlotTime {
                day: DAYS[*day].0,
                time: NaiveTime::from_hms_opt(minute / 60, minute % 60, 0).unwrap(),
            }).collect());
            let now = DateTime::from_timestamp(start, 0).unwrap();
            let mut taken = BTreeSet::new();
            let mut last = now + SLOT_LEAD;
            for _ in 0..30 {
                let slot = schedule.next_free(zone, now, &taken).unwrap();
                prop_assert!(slot >= last);
                prop_assert!(taken.insert(slot));
                let local = zone.local(slot);
                let scheduled = schedule.slots().iter().any(|s| s.day == local.weekday() && s.time == local.time());
                let skipped = schedule.slots().iter().any(|s| {
                    (0..2).any(|back| {
                        let day = local.date() - Days::new(back);
                        day.weekday() == s.day && zone.instant(day.and_time(s.time)) == slot
                    })
                });
                prop_assert!(scheduled || skipped);
                last = slot;
            }
        }
    }
}
