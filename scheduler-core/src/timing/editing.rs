//! What a person does with the slots of a week, and what clocks do with them.

use chrono::{
    DateTime, Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc, Weekday,
};

use super::{Resolved, SlotTime, WeeklySchedule, Zone};

/// The minutes of an hour at which a slot is put that is asked for within it, the first free one.
///
/// Source: our decision.
const IN_AN_HOUR: [u32; 4] = [0, 30, 15, 45];

/// The last minute of a day to which a slot is moved in steps.
///
/// Source: our decision; the last that is a multiple of five.
const LAST_MINUTE: i64 = 23 * 60 + 55;

/// Days ahead that are looked at for changes of the clocks: both of a year.
const CLOCKS_LOOKED_AT: usize = 366;

/// A slot that clocks move, or show twice, on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClockChange {
    /// The day, and the time of the slot.
    pub asked: NaiveDateTime,
    /// What the clock shows when it goes out.
    pub goes_at: NaiveDateTime,
}

impl ClockChange {
    /// True when clocks show the time twice, and the slot is at the first.
    #[must_use]
    pub fn comes_twice(&self) -> bool {
        self.asked == self.goes_at
    }
}

impl SlotTime {
    /// The slot so many minutes later, or earlier, within its day, and so many days on.
    #[must_use]
    pub fn shifted(self, minutes: i64, days: i64) -> Self {
        let now = (self.time - NaiveTime::MIN).num_minutes();
        let minute = now.saturating_add(minutes).clamp(0, LAST_MINUTE.max(now));
        let days = days.rem_euclid(7);
        let day = (0..days).fold(self.day, |day, _| day.succ());
        Self { day, time: NaiveTime::MIN + TimeDelta::minutes(minute) }
    }
}

impl WeeklySchedule {
    /// True when this is one of its slots.
    #[must_use]
    pub fn has(&self, slot: SlotTime) -> bool {
        self.slots().contains(&slot)
    }

    /// The same with these slots too.
    #[must_use]
    pub fn with(&self, slots: &[SlotTime]) -> Self {
        Self::new([self.slots(), slots].concat())
    }

    /// The same without these slots.
    #[must_use]
    pub fn without(&self, slots: &[SlotTime]) -> Self {
        let kept = self.slots().iter().filter(|slot| !slots.contains(slot));
        Self::new(kept.copied().collect())
    }

    /// Where a slot comes to lie that is moved by steps of so many minutes, or days: at the first
    /// place on the way that no other slot has. `None` where there is none.
    #[must_use]
    pub fn place_after(&self, slot: SlotTime, minutes: i64, days: i64) -> Option<SlotTime> {
        let mut to = slot;
        loop {
            let next = to.shifted(minutes, days);
            if next == to || next == slot {
                return None;
            }
            if !self.has(next) {
                return Some(next);
            }
            to = next;
        }
    }

    /// The first free place for another slot in an hour of a day; `None` where there is none.
    #[must_use]
    pub fn free_in(&self, day: Weekday, hour: u32) -> Option<SlotTime> {
        let slot = |minute| Some(SlotTime { day, time: NaiveTime::from_hms_opt(hour, minute, 0)? });
        IN_AN_HOUR.into_iter().filter_map(slot).find(|slot| !self.has(*slot))
    }

    /// The same with the slots of one day on other days too, in place of those that they have.
    #[must_use]
    pub fn copied(&self, from: Weekday, onto: &[Weekday]) -> Self {
        let stays = |slot: &&SlotTime| slot.day == from || !onto.contains(&slot.day);
        let copied: Vec<SlotTime> = self.slots().iter().filter(stays).copied().collect();
        let of_day: Vec<NaiveTime> =
            self.slots().iter().filter(|slot| slot.day == from).map(|slot| slot.time).collect();
        let new = onto
            .iter()
            .flat_map(|day| of_day.iter().map(|time| SlotTime { day: *day, time: *time }));
        Self::new(copied.into_iter().chain(new).collect())
    }

    /// The slots of the year to come that clocks move or show twice, in order.
    #[must_use]
    pub fn clock_changes(&self, zone: Zone, from: DateTime<Utc>) -> Vec<ClockChange> {
        let days = zone.local(from).date().iter_days().take(CLOCKS_LOOKED_AT);
        let days = days.filter(|day| is_irregular(*day, zone));
        let of_day = |day: NaiveDate| {
            let slots = self.slots().iter().filter(move |slot| slot.day == day.weekday());
            slots.filter_map(move |slot| {
                let asked = day.and_time(slot.time);
                let goes_at = match zone.resolve(asked) {
                    Resolved::Once(_) => return None,
                    Resolved::Twice(..) => asked,
                    Resolved::Skipped(_) => zone.local(zone.instant(asked)),
                };
                Some(ClockChange { asked, goes_at })
            })
        };
        days.flat_map(of_day).collect()
    }
}

/// True of a day that has more or fewer hours than 24.
fn is_irregular(day: NaiveDate, zone: Zone) -> bool {
    let begin = |day: NaiveDate| zone.instant(day.and_time(NaiveTime::MIN));
    let next = day.checked_add_days(Days::new(1));
    next.is_some_and(|next| begin(next) - begin(day) != TimeDelta::days(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn week(text: &str) -> WeeklySchedule {
        text.parse().unwrap()
    }

    fn slot(text: &str) -> SlotTime {
        week(text).slots()[0]
    }

    fn named(slot: SlotTime) -> String {
        WeeklySchedule::new(vec![slot]).to_string()
    }

    #[test]
    fn slots_are_moved_in_steps() {
        for (name, from, (minutes, days), want) in [
            ("later", "mon 09:00", (15, 0), Some("mon 09:15")),
            ("earlier", "mon 09:00", (-5, 0), Some("mon 08:55")),
            ("past another", "mon 09:00", (30, 0), Some("mon 10:00")),
            ("not past midnight", "mon 23:55", (15, 0), None),
            ("nor before it", "mon 00:00", (-15, 0), None),
            ("up to it", "mon 00:05", (-15, 0), Some("mon 00:00")),
            ("a day on", "sun 09:00", (0, 1), Some("tue 09:00")),
            ("a day back", "mon 09:00", (0, -1), Some("sat 09:00")),
            ("an odd minute stays in its day", "mon 23:58", (15, 0), None),
        ] {
            let week = week("mon 09:00; mon 09:30; sun 09:00").with(&[slot(from)]);
            let found = week.place_after(slot(from), minutes, days).map(named);
            assert_eq!(found.as_deref(), want, "{name}");
        }
        assert_eq!(week("daily 09:00").place_after(slot("mon 09:00"), 0, 1), None, "all are taken");
    }

    #[test]
    fn an_hour_takes_four_slots() {
        let mut of_hour = WeeklySchedule::new(Vec::new());
        let mut found = Vec::new();
        while let Some(free) = of_hour.free_in(Weekday::Mon, 9) {
            of_hour = of_hour.with(&[free]);
            found.push(named(free));
        }
        assert_eq!(found, ["mon 09:00", "mon 09:30", "mon 09:15", "mon 09:45"]);
        assert_eq!(of_hour.free_in(Weekday::Mon, 24), None);
    }

    #[test]
    fn days_are_copied() {
        for (name, from, onto, want) in [
            ("onto others", Weekday::Mon, &[Weekday::Tue, Weekday::Wed][..], "mon-wed 09:00,13:00"),
            ("onto itself", Weekday::Mon, &[Weekday::Mon], "mon 09:00,13:00; wed 18:00"),
            ("a day without any", Weekday::Sun, &[Weekday::Wed], "mon 09:00,13:00"),
        ] {
            let copied = week("mon 09:00,13:00; wed 18:00").copied(from, onto);
            assert_eq!(copied.to_string(), want, "{name}");
        }
        let without = week("mon 09:00,13:00").without(&[slot("mon 09:00")]);
        assert_eq!(without.to_string(), "mon 13:00");
    }

    #[test]
    fn clocks_move_slots_and_show_them_twice() {
        let from = "2026-11-30T00:00:00Z".parse().unwrap();
        for (zone, slots, want) in [
            (
                "Europe/Stockholm",
                "sun 02:30,09:00",
                vec![
                    ("2027-03-28T02:30", "2027-03-28T03:30"),
                    ("2027-10-31T02:30", "2027-10-31T02:30"),
                ],
            ),
            ("Europe/Stockholm", "daily 09:00", vec![]),
            ("Asia/Tokyo", "daily 02:30", vec![]),
        ] {
            let found = week(slots).clock_changes(zone.parse().unwrap(), from);
            let found: Vec<(String, String)> = found
                .iter()
                .map(|change| (change.asked, change.goes_at))
                .map(|(asked, goes)| {
                    (super::super::format_local(asked), super::super::format_local(goes))
                })
                .collect();
            let want: Vec<(String, String)> =
                want.into_iter().map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
            assert_eq!(found, want, "{zone} {slots}");
        }
    }
}
