//! What will happen, in sentences.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::app::CheckReport;
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::PostId;
use scheduler_core::post::ApprovalState;
use scheduler_core::session::Role;
use scheduler_core::timing::{Resolved, STOP_WITHIN, Zone, parse_local};
use scheduler_http::visit::Declined;

use super::written::{When, Written};
use crate::visitor::Visitor;
use crate::when;

/// Whom a post waits for.
pub(super) struct Approval {
    client: Option<String>,
    is_given: bool,
}

impl Approval {
    /// Who approves a post; `None` for one that nobody was shown.
    pub(super) async fn of(visitor: &Visitor, post: PostId) -> Result<Option<Self>, Declined> {
        let found = visitor.scheduler().approval(visitor.workspace().id, post).await;
        let approval = match found.map_err(Declined::from) {
            Ok(approval) => approval,
            Err(declined) if declined.code() == ErrorCode::NotFound => return Ok(None),
            Err(declined) => return Err(declined),
        };
        Ok(approval.approval_state.map(|state| Self {
            client: approval.client,
            is_given: state == ApprovalState::Approved,
        }))
    }

    fn sentence(&self) -> String {
        let client = self.client.as_deref();
        if self.is_given {
            let who = client.map_or_else(|| "the client".to_owned(), str::to_owned);
            return format!("Approved; if the content changes, {who} is asked again.");
        }
        let whose = client.map_or_else(|| "the client’s".to_owned(), |name| format!("{name}’s"));
        format!("Waits for {whose} approval.")
    }
}

/// What will happen when the main button is pressed.
pub(super) fn sentences(
    visitor: &Visitor,
    written: &Written,
    picked: &[&AccountView],
    report: &CheckReport,
    approval: Option<&Approval>,
    (problem, errors): (Option<&str>, usize),
) -> Vec<String> {
    let zone = visitor.zone().unwrap_or(Zone::UTC);
    let accounts = match picked.len() {
        1 => "1 account".to_owned(),
        many => format!("{many} accounts"),
    };
    let names: Vec<&str> =
        picked.iter().map(|account| account.platform.sheet().short_name).collect();
    let names = listed(&names);
    let mut said = Vec::new();
    match written.when {
        When::Kept => said.push(kept(written, &accounts, zone)),
        When::Draft => said.push(format!("Stays a draft for {accounts}; nothing goes out.")),
        When::Now => said.push(format!(
            "Leaves {} seconds after you press, to {accounts}: {names}. Until then you can stop it.",
            STOP_WITHIN.num_seconds()
        )),
        When::Queue | When::Slot | When::Local | When::Instant if report.times.is_empty() => {}
        When::Queue if picked.len() == 1 => {
            said.push(format!("Goes to {accounts}, in its next free slot."));
        }
        When::Queue => said.push(format!("Goes to {accounts}, each in its next free slot.")),
        When::Slot | When::Local | When::Instant => said.push(format!("Goes to {accounts}.")),
    }
    if !matches!(written.when, When::Draft | When::Now) {
        said.extend(times(picked, report));
        said.extend(clock_changes(written, report, zone));
    }
    if written.when != When::Draft {
        said.extend(costs(report));
        said.extend(approval.map(Approval::sentence));
        if visitor.workspace().second_pair {
            said.push("Somebody else of the team approves it before it goes out.".to_owned());
        }
    }
    said.extend(problem.map(str::to_owned));
    match errors {
        0 => {}
        1 => said.push("Not before one thing is fixed.".to_owned()),
        many => said.push(format!("Not before {many} things are fixed.")),
    }
    if !visitor.may(Role::Editor) && written.when != When::Draft {
        said.push(
            "Your role stores drafts, and asks for approval; an editor schedules.".to_owned(),
        );
    }
    said
}

/// That a post keeps the time that it has.
fn kept(written: &Written, accounts: &str, zone: Zone) -> String {
    let at = written.planned.map(|at| when::instant(at, zone)).unwrap_or_default();
    format!("Goes to {accounts} at the time already planned: {at}.")
}

/// When it goes where, by clocks.
fn times(picked: &[&AccountView], report: &CheckReport) -> Vec<String> {
    let mut minutes: BTreeMap<(DateTime<Utc>, &str), Vec<&str>> = BTreeMap::new();
    for time in &report.times {
        let names = minutes.entry((time.instant, time.zone.name())).or_default();
        names.extend(picked.get(time.target).map(|account| account.platform.sheet().short_name));
    }
    let sentence = |((instant, zone), names): ((DateTime<Utc>, &str), Vec<&str>)| {
        let zone: Zone = zone.parse().ok()?;
        let local = zone.local(instant);
        let (day, clock) = (when::day(local.date()), when::clock(local));
        let place = when::zone(zone, instant);
        let utc = if local == instant.naive_utc() {
            String::new()
        } else {
            format!(" ({} UTC)", instant.format("%H:%M"))
        };
        Some(format!("{}: {day}, {clock} in {place}{utc}.", listed(&names)))
    };
    minutes.into_iter().filter_map(sentence).collect()
}

/// What clocks do to the time that was asked for: they skip it, or show it twice.
fn clock_changes(written: &Written, report: &CheckReport, zone: Zone) -> Vec<String> {
    let Ok(asked) = parse_local(&format!("{}T{}", written.day, written.time)) else {
        return Vec::new();
    };
    let zones: Vec<Zone> = match written.when {
        When::Local => report.times.iter().map(|time| time.zone).collect(),
        When::Instant => vec![zone],
        When::Kept | When::Queue | When::Slot | When::Now | When::Draft => Vec::new(),
    };
    let mut said: Vec<String> = Vec::new();
    for zone in zones {
        let resolved = zone.resolve(asked);
        let (at, clock) = (zone.instant(asked), when::clock(asked));
        let place = when::place(zone);
        let sentence = match resolved {
            Resolved::Once(_) => continue,
            Resolved::Skipped(_) => {
                let goes = when::clock(zone.local(at));
                format!("Clocks in {place} go over {clock} that day: it goes at {goes}.")
            }
            Resolved::Twice(..) => {
                let which = when::zone(zone, at);
                format!("Clocks show {clock} twice that day: it goes the first time, {which}.")
            }
        };
        if !said.contains(&sentence) {
            said.push(sentence);
        }
    }
    said
}

/// What networks charge.
fn costs(report: &CheckReport) -> Vec<String> {
    if report.costs.is_empty() {
        return vec!["Costs nothing.".to_owned()];
    }
    let cost = |cost: &scheduler_core::rules::Cost| {
        format!(
            "{} charges about {} {}.",
            cost.platform.sheet().short_name,
            cost.amount,
            cost.currency
        )
    };
    report.costs.iter().map(cost).collect()
}

/// Names in a row.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_row() {
        for (names, want) in
            [(&["A"][..], "A"), (&["A", "B"], "A and B"), (&["A", "B", "C"], "A, B and C")]
        {
            assert_eq!(listed(names), want);
        }
    }

    #[test]
    fn whom_a_post_waits_for() {
        let approval = |client: Option<&str>, is_given| {
            Approval { client: client.map(str::to_owned), is_given }.sentence()
        };
        for (said, want) in [
            (approval(Some("Jonas"), false), "Waits for Jonas’s approval."),
            (approval(None, false), "Waits for the client’s approval."),
            (
                approval(Some("Jonas"), true),
                "Approved; if the content changes, Jonas is asked again.",
            ),
        ] {
            assert_eq!(said, want);
        }
    }
}
