//! What the rules say of what is written: how long each text is, what is wrong, and how each network
//! would get it.

use std::collections::BTreeMap;

use scheduler_core::account::AccountView;
use scheduler_core::app::{CheckInput, CheckReport, TextCount};
use scheduler_core::error::{AppError, ErrorCode};
use scheduler_core::ids::AccountId;
use scheduler_core::links::Sent;
use scheduler_core::media::MediaView;
use scheduler_core::platform::TextUnit;
use scheduler_core::rules::Severity;
use scheduler_http::visit::Declined;

use super::issues::{Place, Slots, is_of_time, place_of_field};
use super::own_files::FilesById;
use super::will::{self, Approval};
use super::written::{When, Written};
use super::{files, own_files};
use crate::filters::cleaned;
use crate::mark::{self, Mark};
use crate::media::{self, Shown};
use crate::visitor::Visitor;

/// A text is nearly too long from this share of its limit on, in tenths.
const NEAR_TENTHS: usize = 9;

/// What the server says of what is written.
#[derive(Default)]
pub(super) struct Check {
    /// What is wrong, under the fields that it concerns.
    pub(super) slots: Slots,
    pub(super) errors: usize,
    pub(super) previews: Vec<Preview>,
    /// The text, and the later parts of its thread.
    pub(super) parts: Vec<TextPart>,
    /// What will happen, in sentences.
    pub(super) will: Vec<String>,
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

impl TextPart {
    /// The id of its field.
    pub(super) fn field(&self) -> String {
        Place::Part(self.place).field()
    }
}

/// How a network would get it.
pub(super) struct Preview {
    pub(super) mark: Mark,
    pub(super) account: String,
    /// Its account's id, which tells it from others.
    pub(super) key: String,
    pub(super) files: Vec<FileShown>,
    pub(super) parts: Vec<Part>,
    pub(super) link: Option<String>,
    pub(super) errors: usize,
}

/// A file as it lies here, which is what is sent where nothing is made of it.
#[derive(Clone)]
pub(super) struct FileShown {
    pub(super) shown: Shown,
    pub(super) name: String,
    pub(super) alt: String,
    pub(super) word: String,
}

impl FileShown {
    /// A file with what is said of it.
    pub(super) fn of(visitor: &Visitor, media: &MediaView, alt: &str) -> Self {
        Self {
            shown: Shown::of(visitor, media),
            name: media::name(media),
            alt: cleaned(alt),
            word: media::word(media),
        }
    }
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
        own_files: &FilesById,
        approval: Option<&Approval>,
    ) -> Result<Self, Declined> {
        let picked: Vec<&AccountView> =
            accounts.iter().filter(|account| written.accounts.contains(&account.id)).collect();
        if picked.is_empty() {
            let mut slots = Slots::default();
            let missing = "Choose at least one account.";
            slots.say(&Place::Accounts, missing);
            let will = vec![missing.to_owned()];
            let parts = parts(written, &picked, None);
            return Ok(Self { slots, will, parts, errors: 1, ..Self::default() });
        }
        let input = written.scheduled(accounts, visitor.zone()?);
        let mut input = CheckInput::from(input);
        if let (When::Slot, Some(at)) = (written.when, written.slot) {
            // The slot of now is an instant like any other.
            (input.queue, input.scheduled_at) = (None, Some(at.to_rfc3339()));
        }
        // A time that is missing or over is said beside what the texts have.
        let mut problem = None;
        let report = loop {
            let refused = match visitor.scheduler().check_post(&visitor.caller, input.clone()).await
            {
                Ok(report) => break report,
                Err(refused) => refused,
            };
            let field = match &refused {
                AppError::Refused(refusal) => refusal.field.clone().unwrap_or_default(),
                _ => String::new(),
            };
            let declined = Declined::from(refused);
            if declined.code() != ErrorCode::InvalidRequest {
                return Err(declined);
            }
            let message = declined.message().to_owned();
            if problem.is_none() && is_of_time(&field) {
                problem = Some(message);
                (input.scheduled_at, input.scheduled_local) = (None, None);
                (input.queue, input.publish_now) = (None, None);
                continue;
            }
            let mut slots = Slots::default();
            slots.say(&place_of_field(&field, written, &picked), &message);
            let (will, parts) = (vec![message], parts(written, &picked, None));
            return Ok(Self { slots, will, parts, errors: 1, ..Self::default() });
        };
        let views = files::views(visitor, written).await?;
        let files = views.iter().zip(&written.files);
        let files = files.map(|(media, (_, alt))| FileShown::of(visitor, media, alt));
        let files: Vec<FileShown> = files.collect();
        let own = own_files::shown(visitor, written, own_files);
        let problem = problem.as_deref();
        Ok(Self::shown(visitor, written, &picked, (&files, &own), &report, approval, problem))
    }

    fn shown(
        visitor: &Visitor,
        written: &Written,
        picked: &[&AccountView],
        (files, own): (&[FileShown], &BTreeMap<AccountId, Vec<FileShown>>),
        report: &CheckReport,
        approval: Option<&Approval>,
        problem: Option<&str>,
    ) -> Self {
        let mut slots = Slots::of(written, picked, &report.issues);
        problem.into_iter().for_each(|problem| slots.say(&Place::When, problem));
        let errors = slots.errors();
        let previews = picked.iter().enumerate();
        Self {
            previews: previews
                .map(|(index, account)| {
                    let files = own.get(&account.id).map_or(files, Vec::as_slice);
                    preview(written, account, files, index, report)
                })
                .collect(),
            will: will::sentences(visitor, written, picked, report, approval, (problem, errors)),
            errors,
            slots,
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
    written: &Written,
    account: &AccountView,
    files: &[FileShown],
    index: usize,
    report: &CheckReport,
) -> Preview {
    let target = written.target_of(account);
    let options = target.options.unwrap_or_default();
    let link = Some(written.link.trim()).filter(|link| !link.is_empty());
    let has_files = !files.is_empty();
    let changes = report.links.iter().filter(|link| link.target == index);
    let changes: Vec<_> = changes.map(|link| link.change.clone()).collect();
    let sent = Sent::of(&written.content, link, &options, &changes);
    let composed = sent.compose(has_files, account.platform);
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
        key: account.id.to_string(),
        files: files.to_vec(),
        parts: texts
            .enumerate()
            .map(|(place, text)| {
                // What is counted is sent: with what the account adds by itself.
                let counts = of_target(place);
                part(counts.first().map_or(text, |count| &count.text), &counts)
            })
            .collect(),
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
