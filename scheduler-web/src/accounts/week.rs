//! What the forms of the slot editor do with a week, before it is saved.

use scheduler_core::timing::{SlotTime, WeeklySchedule};
use scheduler_http::visit::Form;

use super::slots::DAYS;

/// A week as it is after what a form asks for.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) week: WeeklySchedule,
    /// What was done, in a sentence; `None` where the week is to be saved as it is.
    pub(super) said: Option<String>,
    /// The slot that it was done with.
    pub(super) at: Option<SlotTime>,
}

/// A slot as the text of a schedule writes it, such as `mon 09:00`.
pub(super) fn key(slot: SlotTime) -> String {
    WeeklySchedule::new(vec![slot]).to_string()
}

/// A slot as people read it, such as `Monday 09:00`.
pub(super) fn spoken(slot: SlotTime) -> String {
    let day = DAYS.iter().find(|(day, ..)| *day == slot.day).map_or("", |(.., name)| name);
    format!("{day} {}", slot.time.format("%H:%M"))
}

/// The week that was written, with what the form asks for.
pub(super) fn changed(written: &str, form: &Form) -> Result<Changed, String> {
    let week = read(written)?;
    if let Some(slot) = form.only("remove") {
        let slot = one(slot)?;
        let said = format!("{} is removed.", spoken(slot));
        return Ok(Changed { week: week.without(&[slot]), said: Some(said), at: None });
    }
    if let Some(slot) = form.only("move") {
        return moved(&week, one(slot)?, form);
    }
    if let Some(hour) = form.only("put") {
        let hour = one(&format!("{hour}:00"))?;
        let free = week.free_in(hour.day, chrono::Timelike::hour(&hour.time));
        let slot = free.ok_or("This hour has four slots; add others by their time.")?;
        return Ok(added(&week, slot));
    }
    if form.only("add").is_some() {
        let days = days_of(form, "day");
        if days.is_empty() {
            return Err("Tick the days on which the slot is.".to_owned());
        }
        let time = form.only("time").unwrap_or_default();
        let slots = read(&format!("{} {time}", days.join(",")))?;
        let at = slots.slots().first().copied();
        let said = Some("The slot is added.".to_owned());
        return Ok(Changed { week: week.with(slots.slots()), said, at });
    }
    if form.only("copy").is_some() {
        let onto = days_of(form, "onto");
        let [from] = days_of(form, "from")[..] else {
            return Err("Choose the day that is copied.".to_owned());
        };
        if onto.is_empty() {
            return Err("Tick the days onto which it is copied.".to_owned());
        }
        let day = |key: &str| DAYS.iter().find(|(_, known, _)| *known == key).map(|(day, ..)| *day);
        let onto: Vec<_> = onto.into_iter().filter_map(day).collect();
        let week = day(from).map_or_else(|| week.clone(), |from| week.copied(from, &onto));
        return Ok(Changed { week, said: Some("The day is copied.".to_owned()), at: None });
    }
    let said = form.only("look").map(|_| "This is how it was.".to_owned());
    Ok(Changed { week, said, at: None })
}

fn added(week: &WeeklySchedule, slot: SlotTime) -> Changed {
    let said = Some(format!("{} is added.", spoken(slot)));
    Changed { week: week.with(&[slot]), said, at: Some(slot) }
}

/// Moves a slot: to a time, or on by minutes or days, past those that are there.
fn moved(week: &WeeklySchedule, slot: SlotTime, form: &Form) -> Result<Changed, String> {
    if !week.has(slot) {
        return Err(format!("There is no slot {}.", spoken(slot)));
    }
    let to = match form.only("to") {
        Some(to) => {
            let to = one(to)?;
            if to != slot && week.has(to) {
                return Err(format!("There is a slot {} already.", spoken(to)));
            }
            to
        }
        None => {
            let by = |name| form.only(name).and_then(|by| by.parse().ok()).unwrap_or_default();
            // At the end of the day it stays where it is.
            week.place_after(slot, by("minutes"), by("days")).unwrap_or(slot)
        }
    };
    let said = Some(format!("{} is now {}.", spoken(slot), spoken(to)));
    Ok(Changed { week: week.without(&[slot]).with(&[to]), said, at: Some(to) })
}

fn read(text: &str) -> Result<WeeklySchedule, String> {
    text.parse().map_err(|error: scheduler_core::timing::ScheduleError| error.to_string())
}

fn one(text: &str) -> Result<SlotTime, String> {
    match read(text)?.slots() {
        [slot] => Ok(*slot),
        _ => Err(format!("“{text}” is not one slot.")),
    }
}

/// The days that fields name.
fn days_of<'a>(form: &'a Form, name: &'a str) -> Vec<&'a str> {
    form.all(name).filter(|day| DAYS.iter().any(|(_, known, _)| known == day)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_added_moved_copied_and_removed() {
        for (name, form, want) in [
            ("as written", "", Ok("mon 09:00")),
            ("removed", "remove=mon+09:00", Ok("")),
            ("one that is not there", "remove=tue+09:00", Ok("mon 09:00")),
            (
                "added on two days",
                "add=1&day=mon&day=sun&time=18:30",
                Ok("mon 09:00,18:30; sun 18:30"),
            ),
            ("added twice", "add=1&day=mon&time=09:00", Ok("mon 09:00")),
            ("without a day", "add=1&time=09:00", Err("Tick the days")),
            ("without a time", "add=1&day=mon", Err("")),
            ("put into an hour", "put=tue+09", Ok("mon-tue 09:00")),
            ("put beside another", "put=mon+09", Ok("mon 09:00,09:30")),
            ("moved by minutes", "move=mon+09:00&minutes=-15", Ok("mon 08:45")),
            ("moved by a day", "move=mon+09:00&days=-1", Ok("sun 09:00")),
            ("moved to a time", "move=mon+09:00&to=wed+10:35", Ok("wed 10:35")),
            ("one moved that is not there", "move=tue+09:00&days=1", Err("There is no slot")),
            ("moved to no time", "move=mon+09:00&to=wed+25:00", Err("25:00")),
            ("copied", "copy=1&from=mon&onto=tue&onto=wed", Ok("mon-wed 09:00")),
            ("copied nowhere", "copy=1&from=mon", Err("Tick the days onto")),
            ("copied from nowhere", "copy=1&onto=tue", Err("Choose the day")),
        ] {
            let form = Form::parse(form.as_bytes()).unwrap();
            let found = changed("mon 09:00", &form).map(|changed| changed.week.to_string());
            match (found, want) {
                (Ok(found), Ok(want)) => assert_eq!(found, want, "{name}"),
                (Err(found), Err(want)) => assert!(found.contains(want), "{name}: {found}"),
                (found, want) => panic!("{name}: {found:?}, {want:?}"),
            }
        }
        let taken = Form::parse(b"move=mon+09:00&to=tue+09:00").unwrap();
        let refused = changed("mon-tue 09:00", &taken).unwrap_err();
        assert_eq!(refused, "There is a slot Tuesday 09:00 already.");
    }
}
