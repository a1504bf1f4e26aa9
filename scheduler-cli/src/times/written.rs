//! Dates and times of day as people write them.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

/// The times that a text may mean, each once.
pub(crate) fn readings(text: &str) -> Vec<NaiveDateTime> {
    let (date, time) = match text.split_once(['T', ' ', ',']) {
        Some((date, rest)) => (date, rest.trim_start_matches([' ', ','])),
        None => (text, "00:00"),
    };
    let separators = ['-', '.', '/'];
    let numbers: Option<Vec<u32>> = date.split(separators).map(|part| part.parse().ok()).collect();
    let (Some(time), Some([first, second, third])) = (clock(time.trim()), numbers.as_deref())
    else {
        return Vec::new();
    };
    let is_year_first = date.find(separators) == Some(4);
    let orders = match (is_year_first, date.contains('.')) {
        (true, _) => vec![(first, second, third)],
        // Dots are written where the day comes first.
        (false, true) => vec![(third, second, first)],
        (false, false) => vec![(third, second, first), (third, first, second)],
    };
    let day = |(year, month, day): (&u32, &u32, &u32)| {
        let year = i32::try_from(if *year < 100 { 2000 + year } else { *year }).ok()?;
        NaiveDate::from_ymd_opt(year, *month, *day).map(|date| date.and_time(time))
    };
    let mut readings: Vec<NaiveDateTime> = orders.into_iter().filter_map(day).collect();
    readings.dedup();
    readings
}

/// A time of day, of 24 hours or with AM and PM.
pub(super) fn clock(text: &str) -> Option<NaiveTime> {
    let upper = text.to_ascii_uppercase();
    let forms = ["%H:%M:%S%.f", "%H:%M", "%I:%M:%S %p", "%I:%M %p", "%I:%M%p"];
    let of_hour = || {
        // 9am, 9 pm: the parser wants minutes.
        let (hour, half) = upper.split_at_checked(upper.len().checked_sub(2)?)?;
        let whole = format!("{}:00 {half}", hour.trim());
        NaiveTime::parse_from_str(&whole, "%I:%M %p").ok()
    };
    forms.iter().find_map(|form| NaiveTime::parse_from_str(&upper, form).ok()).or_else(of_hour)
}
