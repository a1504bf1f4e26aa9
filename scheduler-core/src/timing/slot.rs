//! A slot of a weekly schedule.

use chrono::{NaiveTime, Weekday};
use serde::{Deserialize, Serialize};

use super::ScheduleError;
use super::schedule::parse_time;
use crate::object::only_from_object;

/// A place of a weekly schedule: a day of the week and a wall-clock minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotTime {
    /// The day of the week.
    pub day: Weekday,
    /// The wall-clock time; whole minutes.
    pub time: NaiveTime,
}

impl SlotTime {
    pub(super) fn key(self) -> (u32, NaiveTime) {
        (self.day.num_days_from_monday(), self.time)
    }
}

/// A day of the week, as the API writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Day {
    /// Monday.
    Mon,
    /// Tuesday.
    Tue,
    /// Wednesday.
    Wed,
    /// Thursday.
    Thu,
    /// Friday.
    Fri,
    /// Saturday.
    Sat,
    /// Sunday.
    Sun,
}

impl Day {
    /// Every day, from Monday on.
    pub const ALL: [Self; 7] =
        [Self::Mon, Self::Tue, Self::Wed, Self::Thu, Self::Fri, Self::Sat, Self::Sun];
}

/// A slot as the API writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Slot"))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SlotView {
    /// The day of the week.
    pub weekday: Day,
    /// The wall-clock time, `HH:MM`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")))]
    pub time: String,
}

only_from_object!(SlotView);

impl From<SlotTime> for SlotView {
    fn from(slot: SlotTime) -> Self {
        let weekday = Day::ALL[slot.day.num_days_from_monday() as usize % Day::ALL.len()];
        Self { weekday, time: slot.time.format("%H:%M").to_string() }
    }
}

impl TryFrom<&SlotView> for SlotTime {
    type Error = ScheduleError;

    fn try_from(slot: &SlotView) -> Result<Self, ScheduleError> {
        let day = (0..slot.weekday as u8).fold(Weekday::Mon, |day, _| day.succ());
        Ok(Self { day, time: parse_time(&slot.time)? })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::WeeklySchedule;
    use super::*;

    #[test]
    fn slots_are_written_and_read_as_they_are() {
        let schedule: WeeklySchedule = "daily 00:00,23:59; sun 11:30".parse().unwrap();
        let views: Vec<SlotView> = schedule.slots().iter().copied().map(SlotView::from).collect();
        assert_eq!(json!(views[0]), json!({"weekday": "mon", "time": "00:00"}));
        assert_eq!(json!(views[13]), json!({"weekday": "sun", "time": "11:30"}));
        let read: Result<Vec<SlotTime>, _> = views.iter().map(SlotTime::try_from).collect();
        assert_eq!(WeeklySchedule::new(read.unwrap()), schedule);
        for time in ["9:00", "24:00", "09:60", "0900", "", "09:00:00"] {
            let slot = SlotView { weekday: Day::Mon, time: time.to_owned() };
            assert_eq!(SlotTime::try_from(&slot), Err(ScheduleError::Time(time.to_owned())));
        }
    }
}
