//! What the rules say of what is written: how long each text is, what is wrong, when it would go
//! out, and how each network would get it.

use std::collections::BTreeMap;

use scheduler_core::account::AccountView;
use scheduler_core::app::{CheckInput, CheckReport, TextCount};
use scheduler_core::error::ErrorCode;
use scheduler_core::platform::TextUnit;
use scheduler_core::rules::Severity;
use scheduler_core::text::compose;
use scheduler_core::timing::parse_local;
use scheduler_http::visit::Declined;

use super::written::{When, Written};
use crate::filters::cleaned;
use crate::mark::{self, Mark};
use crate::visitor::Visitor;
use crate::when;

/// A text is nearly too long from this share of its limit on, in tenths.
const NEAR_TENTHS: usize = 9;

/// What the server says of what is written.
#[derive(Default)]
pub(super) struct Check {
    pub(super) issues: Vec<Issue>,
    pub(super) errors: usize,
    pub(super) previews: Vec<Preview>,
    /// The text, and the later parts of its thread.
    pub(super) parts: Vec<TextPart>,
    /// What will happen, in sentences.
    pub(super) will: Vec<String>,
}

pub(super) struct Issue {
    pub(super) is_error: bool,
    pub(super) message: String,
    pub(super) rule: String,
}

/// A part of the text, and how long it is for the networks that get it so.
pub(super) struct TextPart {
    /// Its place; the text itself is at 0.
    pub(super) place: usize,
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) is_first: bool,
    pub(super) is_last: bool,
    pub(super) is_focused: bool,
    /// By networks.
    pub(super) counts: Vec<(&'static str, Count)>,
}

/// How a network would get it.
pub(super) struct Preview {
    pub(super) mark: Mark,
    pub(super) account: String,
    /// The pictures of the files, with their descriptions.
    pub(super) files: Vec<(String, String)>,
    pub(super) parts: Vec<Part>,
    pub(super) link: Option<String>,
    pub(super) errors: usize,
}

/// A text that is sent, and how long it is.
pub(super) struct Part {
    pub(super) fits: String,
    /// What is beyond the limit.
    pub(super) beyond: String,
    pub(super) counts: Vec<Count>,
}

pub(super) struct Count {
    pub(super) class: &'static str,
    pub(super) words: String,
}

impl Check {
    /// Asks the rules.
    pub(super) async fn of(
        visitor: &Visitor,
        written: &Written,
        accounts: &[AccountView],
    ) -> Result<Self, Declined> {
        let picked: Vec<&AccountView> =
            accounts.iter().filter(|account| written.accounts.contains(&account.id)).collect();
        if picked.is_empty() {
            let will = vec!["Choose at least one account.".to_owned()];
            let parts = parts(written, &picked, None);
            return Ok(Self { will, parts, ..Self::default() });
        }
        let input = written.scheduled(accounts, visitor.zone()?);
        let mut input = CheckInput::from(input);
        // A time that is missing or over is said once, beside what the texts have.
        let mut problem = None;
        let report = loop {
            match visitor.scheduler().check_post(&visitor.caller, input.clone()).await {
                Ok(report) => break report,
                Err(error) => {
                    let declined = Declined::from(error);
                    let is_timed = input.scheduled_at.is_some()
                        || input.scheduled_local.is_some()
                        || input.queue.is_some();
                    if declined.code() != ErrorCode::InvalidRequest || problem.is_some() {
                        return Err(declined);
                    }
                    problem = Some(declined.message().to_owned());
                    if !is_timed {
                        let will = problem.into_iter().collect();
                        let parts = parts(written, &picked, None);
                        return Ok(Self { will, parts, errors: 1, ..Self::default() });
                    }
                    (input.scheduled_at, input.scheduled_local, input.queue) = (None, None, None);
                }
            }
        };
        Ok(Self::shown(visitor, written, &picked, &report, problem))
    }

    fn shown(
        visitor: &Visitor,
        written: &Written,
        picked: &[&AccountView],
        report: &CheckReport,
        problem: Option<String>,
    ) -> Self {
        let issues: Vec<Issue> = report
            .issues
            .iter()
            .map(|issue| Issue {
                is_error: issue.severity == Severity::Error,
                message: cleaned(&issue.message),
                rule: issue.rule.to_string(),
            })
            .collect();
        let errors = issues.iter().filter(|issue| issue.is_error).count();
        let previews = picked.iter().enumerate();
        Self {
            previews: previews
                .map(|(index, account)| preview(visitor, written, account, index, report))
                .collect(),
            will: will(visitor, written, picked, report, problem.clone(), errors),
            errors: errors + usize::from(problem.is_some()),
            issues,
            parts: parts(written, picked, Some(report)),
        }
    }
}

/// The parts of what is written.
fn parts(
    written: &Written,
    picked: &[&AccountView],
    report: Option<&CheckReport>,
) -> Vec<TextPart> {
    let texts = std::iter::once(&written.content).chain(&written.thread);
    texts
        .enumerate()
        .map(|(place, text)| TextPart {
            place,
            number: place + 1,
            text: text.clone(),
            is_first: place == 0,
            is_last: place == written.thread.len(),
            is_focused: false,
            counts: report.map_or_else(Vec::new, |report| counts(written, picked, report, place)),
        })
        .collect()
}

/// How long the part at a place is, for the networks that have no text of their own.
fn counts(
    written: &Written,
    picked: &[&AccountView],
    report: &CheckReport,
    place: usize,
) -> Vec<(&'static str, Count)> {
    // A part that is empty is not sent.
    let is_sent = |part: &&String| !part.trim().is_empty();
    let later = &written.thread[..place];
    if later.last().is_some_and(|part| !is_sent(&part)) {
        return Vec::new();
    }
    let name = name_of_part(later.iter().filter(is_sent).count());
    let counts = report.counts.iter().filter(|count| count.part == name);
    let counts = counts.filter_map(|count| Some((picked.get(count.target)?, count)));
    counts
        .filter(|(account, _)| place > 0 || written.own_text(account.id).is_empty())
        .map(|(account, count)| (account.platform.sheet().short_name, counted(count)))
        .collect()
}

/// What the rules call the part at a place among those that are sent.
fn name_of_part(place: usize) -> String {
    place.checked_sub(1).map_or_else(|| "text".to_owned(), |later| later.to_string())
}

fn preview(
    visitor: &Visitor,
    written: &Written,
    account: &AccountView,
    index: usize,
    report: &CheckReport,
) -> Preview {
    let target = written.target_of(account);
    let options = target.options.unwrap_or_default();
    let link = Some(written.link.trim()).filter(|link| !link.is_empty());
    let has_files = !written.files.is_empty();
    let composed = compose(&written.content, link, has_files, account.platform, &options);
    let of_target = |part: usize| {
        let name = name_of_part(part);
        report
            .counts
            .iter()
            .filter(move |count| count.target == index && count.part == name)
            .collect::<Vec<_>>()
    };
    let texts =
        std::iter::once(composed.text()).chain(composed.thread().iter().map(String::as_str));
    let errors = report
        .issues
        .iter()
        .filter(|issue| issue.severity == Severity::Error && issue.target == Some(index));
    Preview {
        mark: account.platform.into(),
        account: mark::name(account),
        files: written
            .files
            .iter()
            .map(|(id, alt)| (visitor.at(&format!("media/{id}/thumb")), cleaned(alt)))
            .collect(),
        parts: texts.enumerate().map(|(place, text)| part(text, &of_target(place))).collect(),
        link: composed.link_card.as_deref().map(cleaned),
        errors: errors.count(),
    }
}

fn part(text: &str, counts: &[&TextCount]) -> Part {
    let over_at = counts.iter().filter_map(|count| count.over_at).min();
    let (fits, beyond) = over_at.map_or((text, ""), |at| text.split_at(byte_of_utf16(text, at)));
    Part {
        fits: cleaned(fits),
        beyond: cleaned(beyond),
        counts: counts.iter().map(|count| counted(count)).collect(),
    }
}

/// The place in bytes of a place in UTF-16 code units.
fn byte_of_utf16(text: &str, units: usize) -> usize {
    let mut passed = 0;
    for (place, sign) in text.char_indices() {
        if passed >= units {
            return place;
        }
        passed += sign.len_utf16();
    }
    text.len()
}

pub(super) fn counted(count: &TextCount) -> Count {
    let unit = match count.unit {
        TextUnit::Bytes => "bytes",
        _ => "characters",
    };
    let TextCount { used, limit, .. } = count;
    if used > limit {
        let words = format!("{} over {limit} {unit}", used - limit);
        return Count { class: "over", words };
    }
    let class = if used * 10 >= limit * NEAR_TENTHS { "near" } else { "" };
    Count { class, words: format!("{used} of {limit} {unit}") }
}

/// What will happen, in sentences.
fn will(
    visitor: &Visitor,
    written: &Written,
    picked: &[&AccountView],
    report: &CheckReport,
    problem: Option<String>,
    errors: usize,
) -> Vec<String> {
    let accounts = match picked.len() {
        1 => "1 account".to_owned(),
        many => format!("{many} accounts"),
    };
    let mut sentences = Vec::new();
    match written.when {
        When::Draft => sentences.push(format!("Stays a draft for {accounts}; nothing goes out.")),
        When::Now => sentences.push(format!("Goes out at once, to {accounts}.")),
        When::Queue | When::Local | When::Instant => {
            if !report.times.is_empty() {
                sentences.push(format!("Goes to {accounts}."));
            }
        }
    }
    if !matches!(written.when, When::Draft | When::Now) {
        let mut minutes: BTreeMap<_, Vec<&str>> = BTreeMap::new();
        for time in &report.times {
            let names = minutes.entry((time.instant, time.zone.name())).or_default();
            if let Some(account) = picked.get(time.target) {
                names.push(account.platform.sheet().name);
            }
            if time.shifted
                && let (Some(asked), Ok(local)) = (&time.asked, parse_local(&time.local))
            {
                let asked = asked.split('T').next_back().unwrap_or_default();
                let goes = when::clock(local);
                let place = when::zone(time.zone, time.instant);
                sentences.push(format!(
                    "Clocks in {place} go over {asked} that day: it goes at {goes}."
                ));
            }
        }
        for ((instant, zone), names) in minutes {
            let Ok(zone) = zone.parse() else { continue };
            let local = zone_local(zone, instant);
            let place = when::zone(zone, instant);
            let utc = if zone.local(instant) == instant.naive_utc() {
                String::new()
            } else {
                format!(" ({} UTC)", instant.format("%H:%M"))
            };
            sentences.push(format!("{}: {local} in {place}{utc}.", names.join(", ")));
        }
    }
    for cost in &report.costs {
        let name = cost.platform.sheet().name;
        sentences.push(format!("{name} charges about {} {}.", cost.amount, cost.currency));
    }
    sentences.extend(problem);
    match errors {
        0 => {}
        1 => sentences.push("Not before one thing is fixed.".to_owned()),
        many => sentences.push(format!("Not before {many} things are fixed.")),
    }
    if !visitor.may(scheduler_core::session::Role::Editor) && written.when != When::Draft {
        sentences.push("Your role stores drafts only: choose “No time yet”.".to_owned());
    }
    sentences
}

fn zone_local(zone: scheduler_core::timing::Zone, at: chrono::DateTime<chrono::Utc>) -> String {
    let local = zone.local(at);
    format!("{}, {}", when::day(local.date()), when::clock(local))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_utf16_is_one_in_bytes() {
        for (text, units, want) in
            [("abc", 2, "ab"), ("é😀b", 3, "é😀"), ("👩‍👩‍👧x", 8, "👩‍👩‍👧"), ("ab", 9, "ab")]
        {
            assert_eq!(text.split_at(byte_of_utf16(text, units)).0, want, "{text}");
        }
    }
}
