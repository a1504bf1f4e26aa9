//! Rules of RFC 5545 over wall-clock times.
//!
//! A rule knows no zone: it gives the local times at which something comes again, and
//! [`Zone::instant`](crate::timing::Zone::instant) says which instant each is, also where clocks
//! skip it or show it twice.

use std::collections::BTreeSet;

use chrono::{NaiveDateTime, NaiveTime};
use rrule::{RRule, RRuleSet, Tz};
use serde::{Deserialize, Serialize};

use crate::error::Refusal;
use crate::object::only_from_object;
use crate::timing::{Zone, format_local, parse_local};

/// Bytes that the text of a rule has at most.
///
/// Source: our decision.
pub const RRULE_MAX_BYTES: usize = 500;

/// The largest INTERVAL and COUNT of a rule.
///
/// Source: our decision.
pub const RRULE_MAX_NUMBER: u32 = 10_000;

/// Times that a rule leaves out at most.
///
/// Source: our decision.
pub const EXCLUDED_MAX: usize = 500;

/// Times of a day that a rule names at most.
///
/// Source: our decision.
pub const TIMES_OF_DAY_MAX: usize = 24;

/// The parts of a rule that are taken; `BYSECOND` is not, for posts go out by the minute.
const PARTS: [&str; 13] = [
    "FREQ",
    "INTERVAL",
    "COUNT",
    "UNTIL",
    "WKST",
    "BYMONTH",
    "BYWEEKNO",
    "BYYEARDAY",
    "BYMONTHDAY",
    "BYDAY",
    "BYHOUR",
    "BYMINUTE",
    "BYSETPOS",
];

/// When something comes again, as the API writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RecurrenceRule"))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct RuleInput {
    /// A recurrence rule of RFC 5545, such as `FREQ=WEEKLY;BYDAY=MO,TH`: daily at most, with times
    /// of the day by `BYHOUR` and `BYMINUTE`. `UNTIL` is a local time, without `Z`.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = RRULE_MAX_BYTES)))]
    pub rrule: String,
    /// The local time at which it begins, `YYYY-MM-DDTHH:MM`; its time of the day holds where the
    /// rule names none. It is an occurrence if the rule says so.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$")))]
    pub start: String,
    /// Local times that are left out; `COUNT` counts them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = EXCLUDED_MAX)))]
    pub exclude: Vec<String>,
    /// The zone in which all of it is read; the zone of each account when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub zone: Option<Zone>,
}

only_from_object!(RuleInput);

/// When something comes again, by the clock on the wall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RuleInput", into = "RuleInput")]
pub struct Rule {
    text: String,
    expanded: RRuleSet,
    exclude: BTreeSet<NaiveDateTime>,
    /// The zone in which it is read; that of each account where there is none.
    pub zone: Option<Zone>,
}

impl Rule {
    /// The local times from one on to before another, in order.
    ///
    /// ```
    /// use scheduler_core::recurrence::{Rule, RuleInput};
    ///
    /// let input = RuleInput {
    ///     rrule: "FREQ=MONTHLY;BYDAY=-1FR".to_owned(),
    ///     start: "2026-12-01T09:00".to_owned(),
    ///     exclude: vec!["2027-01-29T09:00".to_owned()],
    ///     zone: None,
    /// };
    /// let rule = Rule::try_from(input)?;
    /// let (from, to) = ("2026-12-01T00:00:00".parse()?, "2027-04-01T00:00:00".parse()?);
    /// let days: Vec<_> = rule.between(from, to).iter().map(|at| at.date().to_string()).collect();
    /// assert_eq!(days, ["2026-12-25", "2027-02-26", "2027-03-26"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn between(&self, from: NaiveDateTime, to: NaiveDateTime) -> Vec<NaiveDateTime> {
        let all = self.expanded.into_iter().map(|at| at.naive_utc());
        // Two of its times are one where a list of the rule repeats itself.
        let mut last = None;
        let distinct = all.filter(|at| last.replace(*at) != Some(*at));
        let until = distinct.take_while(|at| *at < to).skip_while(|at| *at < from);
        until.filter(|at| !self.exclude.contains(at)).collect()
    }
}

impl From<Rule> for RuleInput {
    fn from(rule: Rule) -> Self {
        Self {
            rrule: rule.text,
            start: format_local(rule.expanded.get_dt_start().naive_utc()),
            exclude: rule.exclude.into_iter().map(format_local).collect(),
            zone: rule.zone,
        }
    }
}

impl TryFrom<RuleInput> for Rule {
    type Error = Refusal;

    /// # Errors
    /// `invalid_request` naming the field: a rule that is none of RFC 5545, has parts that are not
    /// taken or never comes; a time that is none.
    fn try_from(input: RuleInput) -> Result<Self, Refusal> {
        let RuleInput { rrule, start, exclude, zone } = input;
        let local = |field: String, text: &str| {
            parse_local(text).map_err(|error| Refusal::invalid(field, format!("{error}.")))
        };
        let start = local("start".to_owned(), &start)?;
        if exclude.len() > EXCLUDED_MAX {
            let message = format!(
                "There are {} times, a rule leaves out {EXCLUDED_MAX} at most.",
                exclude.len()
            );
            return Err(Refusal::invalid("exclude", message));
        }
        let times = exclude.iter().enumerate();
        let exclude = times.map(|(index, text)| local(format!("exclude[{index}]"), text));
        let exclude = exclude.collect::<Result<_, _>>()?;
        let (text, expanded) = read(&rrule, start)?;
        Ok(Self { text, expanded, exclude, zone })
    }
}

/// Reads the text of a rule; the library is given wall-clock times as if they were of UTC, which
/// has no clock changes.
fn read(text: &str, start: NaiveDateTime) -> Result<(String, RRuleSet), Refusal> {
    let refuse = |message: String| Refusal::invalid("rrule", message);
    if text.len() > RRULE_MAX_BYTES {
        return Err(refuse(format!("A rule has {RRULE_MAX_BYTES} bytes at most.")));
    }
    let text = text.trim().to_ascii_uppercase();
    let text = text.strip_prefix("RRULE:").unwrap_or(&text).trim_end_matches(';');
    let (mut seen, mut read, mut times) = (BTreeSet::new(), Vec::new(), 1);
    for part in text.split(';') {
        let (name, value) = part.split_once('=').ok_or_else(|| {
            refuse(format!(
                "{part:?} is no part of a rule; write FREQ=WEEKLY;BYDAY=MO, for example."
            ))
        })?;
        if !PARTS.contains(&name) {
            return Err(refuse(format!(
                "{name} is not taken; a rule has FREQ, INTERVAL, COUNT or UNTIL, WKST, BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE and BYSETPOS."
            )));
        }
        if !seen.insert(name) {
            return Err(refuse(format!("{name} stands there twice; a rule has each part once.")));
        }
        let mut value = value.to_owned();
        match name {
            "FREQ" if !["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].contains(&&*value) => {
                return Err(refuse(format!(
                    "FREQ={value} is not taken; DAILY, WEEKLY, MONTHLY and YEARLY are, with BYHOUR for several times of a day."
                )));
            }
            "INTERVAL" | "COUNT" => {
                let number = value.parse::<u32>().ok();
                if !number.is_some_and(|number| (1..=RRULE_MAX_NUMBER).contains(&number)) {
                    return Err(refuse(format!("{name} is 1 to {RRULE_MAX_NUMBER}.")));
                }
            }
            "UNTIL" => value = until(&value).ok_or_else(|| {
                refuse(format!(
                    "UNTIL={value} is not taken; write a local date or time without Z, such as 20271231 or 20271231T180000."
                ))
            })?,
            "BYHOUR" | "BYMINUTE" => times *= value.split(',').count(),
            _ => {}
        }
        read.push(format!("{name}={value}"));
    }
    if times > TIMES_OF_DAY_MAX {
        return Err(refuse(format!("A rule names {TIMES_OF_DAY_MAX} times of a day at most.")));
    }
    if seen.contains("COUNT") && seen.contains("UNTIL") {
        return Err(refuse("A rule has COUNT or UNTIL, not both.".to_owned()));
    }
    let start = start.and_utc().with_timezone(&Tz::UTC);
    let parsed = read.join(";").parse::<RRule<rrule::Unvalidated>>();
    let rule = parsed
        .map_err(|error| refuse(none(&error)))?
        .validate(start)
        .map_err(|error| refuse(none(&error)))?;
    let expanded = RRuleSet::new(start).rrule(rule).limit();
    if (&expanded).into_iter().next().is_none() {
        return Err(refuse("This rule never comes; look at its days, and at UNTIL.".to_owned()));
    }
    Ok((text.to_owned(), expanded))
}

/// What is said of a text that is no rule.
fn none(error: &impl std::fmt::Display) -> String {
    format!(
        "This is no recurrence rule of RFC 5545: {error}; write one such as FREQ=WEEKLY;BYDAY=MO,TH."
    )
}

/// A local date or time of a rule, as the library reads it: a date holds to its end.
fn until(text: &str) -> Option<String> {
    let (date, time) = text.split_once('T').unwrap_or((text, "235959"));
    let is_date = chrono::NaiveDate::parse_from_str(date, "%Y%m%d").is_ok() && date.len() == 8;
    let is_time = NaiveTime::parse_from_str(time, "%H%M%S").is_ok() && time.len() == 6;
    (is_date && is_time).then(|| format!("{date}T{time}Z"))
}
