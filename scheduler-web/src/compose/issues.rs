//! What is wrong with what is written: each thing once, under the field that it concerns.

use std::collections::BTreeMap;

use scheduler_core::account::AccountView;
use scheduler_core::error::NextStep;
use scheduler_core::ids::AccountId;
use scheduler_core::platform::{CapabilitySheet, OptionFact, THREAD};
use scheduler_core::rules::{self, Detail, Severity, ValidationIssue};

use super::fields::{has_field, named};
use super::tiktok;
use super::written::Written;
use crate::filters::cleaned;

/// A field of the composer, or a group of fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Accounts,
    /// The text for all.
    Text,
    /// A later part of the thread; the text itself is at 0.
    Part(usize),
    Files,
    Link,
    Labels,
    Note,
    When,
    OwnText(AccountId),
    Option(AccountId, String),
    /// A field of a panel, by its id.
    Panel(String),
}

impl Place {
    /// The id of its field.
    pub(super) fn field(&self) -> String {
        match self {
            Self::Accounts => "accounts".to_owned(),
            Self::Text | Self::Part(0) => "content".to_owned(),
            Self::Part(place) => format!("part-{place}"),
            Self::Files => "files-at".to_owned(),
            Self::Link => "link".to_owned(),
            Self::Labels => "labels".to_owned(),
            Self::Note => "note".to_owned(),
            Self::When => "when".to_owned(),
            Self::OwnText(id) => format!("own-{id}"),
            Self::Option(id, key) => format!("o-{id}-{key}"),
            Self::Panel(field) => field.clone(),
        }
    }
}

/// What is wrong, by the ids of fields.
#[derive(Debug, Default)]
pub(super) struct Slots(BTreeMap<String, Vec<Issue>>);

/// Something that is wrong.
#[derive(Debug)]
pub(super) struct Issue {
    pub(super) is_error: bool,
    pub(super) message: String,
    /// The id of the rule, where a rule has found it.
    pub(super) rule: Option<String>,
    pub(super) fixes: Vec<Fix>,
}

/// What mends it.
#[derive(Debug)]
pub(super) struct Fix {
    /// What a button sends; without, the field is led to.
    pub(super) button: Option<String>,
    pub(super) word: &'static str,
}

impl Fix {
    fn press(button: impl Into<String>, word: &'static str) -> Self {
        Self { button: Some(button.into()), word }
    }

    const fn go(word: &'static str) -> Self {
        Self { button: None, word }
    }
}

impl Slots {
    /// What the rules have found.
    pub(super) fn of(
        written: &Written,
        picked: &[&AccountView],
        issues: &[ValidationIssue],
    ) -> Self {
        let mut slots = Self::default();
        for issue in issues {
            let account = issue.target.and_then(|target| picked.get(target)).copied();
            let place = place_of(written, account, issue);
            let is_error = issue.severity == Severity::Error;
            let message = cleaned(&sentence(account, issue));
            let rule = Some(issue.rule.to_string());
            let fixes = fixes(written, account, issue, &place);
            slots.add(&place, Issue { is_error, message, rule, fixes });
        }
        // Errors come first; otherwise they keep the order of the rules.
        slots.0.values_mut().for_each(|issues| issues.sort_by_key(|issue| !issue.is_error));
        slots
    }

    /// Says something that no rule has found.
    pub(super) fn say(&mut self, place: &Place, message: &str) {
        let message = cleaned(message);
        self.add(place, Issue { is_error: true, message, rule: None, fixes: Vec::new() });
    }

    fn add(&mut self, place: &Place, issue: Issue) {
        self.0.entry(place.field()).or_default().push(issue);
    }

    /// What is wrong with a field.
    pub(super) fn at(&self, field: &str) -> &[Issue] {
        self.0.get(field).map_or(&[], Vec::as_slice)
    }

    /// Whether something stops the post at a field.
    pub(super) fn is_wrong(&self, field: &str) -> bool {
        self.at(field).iter().any(|issue| issue.is_error)
    }

    /// Whether something is wrong with the own text or an option of an account.
    pub(super) fn concern(&self, account: &str) -> bool {
        self.0.keys().any(|field| field.contains(account))
    }

    /// Everything, by fields: errors first.
    pub(super) fn all(&self) -> Vec<(&str, &Issue)> {
        let all = self
            .0
            .iter()
            .flat_map(|(field, issues)| issues.iter().map(move |issue| (field.as_str(), issue)));
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(_, issue)| !issue.is_error);
        all
    }

    /// The fields with what is wrong with each.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &[Issue])> {
        self.0.iter().map(|(field, issues)| (field.as_str(), issues.as_slice()))
    }

    pub(super) fn errors(&self) -> usize {
        self.0.values().flatten().filter(|issue| issue.is_error).count()
    }
}

/// The field that an issue concerns.
fn place_of(written: &Written, account: Option<&AccountView>, issue: &ValidationIssue) -> Place {
    let text = || match account {
        Some(account) if !written.own_text(account.id).is_empty() => Place::OwnText(account.id),
        _ => Place::Text,
    };
    let option = |key: &str| match account {
        Some(_) if key == THREAD.key => Place::Part(usize::from(!written.thread.is_empty())),
        Some(account) => match tiktok::field_of(account.id, account.platform, key) {
            Some(field) => Place::Panel(field),
            None if has_field(account.platform.sheet(), key) => {
                Place::Option(account.id, key.to_owned())
            }
            None => Place::OwnText(account.id),
        },
        None => Place::Accounts,
    };
    if let Some(part) = issue.part {
        return Place::Part(written.place_of_part(part));
    }
    match issue.detail.as_ref().map(Detail::place) {
        Some(rules::Place::Text) => return text(),
        Some(rules::Place::Link) => return Place::Link,
        Some(rules::Place::File(_) | rules::Place::AltText(_)) => return Place::Files,
        Some(rules::Place::Comment) => {
            let fact = account.and_then(|of| fact_of(of.platform.sheet(), "first_comment"));
            return fact.map_or_else(text, |fact| option(fact.key));
        }
        Some(rules::Place::Option(key)) => {
            return option(key.split('.').next().unwrap_or_default());
        }
        Some(rules::Place::Item(key, index)) if key == THREAD.key => {
            return Place::Part(written.place_of_part(index));
        }
        Some(rules::Place::Item(key, _)) => return option(&key),
        _ => {}
    }
    // What names no place is told by its rule: `bluesky.text.missing`, `pinterest.board_id.missing`.
    let subject = issue.rule.split('.').nth(1).unwrap_or_default();
    let of_sheet = account.and_then(|account| fact_of(account.platform.sheet(), subject));
    match (subject, of_sheet) {
        (_, Some(fact)) => option(fact.key),
        ("media" | "alt_text" | "alt_texts", _) => Place::Files,
        ("link" | "links", _) => Place::Link,
        ("account" | "plan", _) => Place::Accounts,
        _ => text(),
    }
}

/// The option of a sheet with this subject in the ids of rules.
fn fact_of(sheet: &CapabilitySheet, subject: &str) -> Option<&'static OptionFact> {
    sheet.options.iter().find(|fact| fact.subject == subject)
}

/// What is wrong, with the word that the page has for an option in place of its key.
fn sentence(account: Option<&AccountView>, issue: &ValidationIssue) -> String {
    let message = &issue.message;
    let (Some(account), Some(detail)) = (account, &issue.detail) else { return message.clone() };
    let rules::Place::Option(key) = detail.place() else { return message.clone() };
    let sheet = account.platform.sheet();
    let Some(fact) = sheet.option(key.split('.').next().unwrap_or_default()) else {
        return message.clone();
    };
    let label = tiktok::word_of(account.platform, fact.key).unwrap_or_else(|| named(fact).0);
    let network = sheet.short_name;
    match detail {
        Detail::MissingOption { allowed, .. } if !allowed.is_empty() => {
            format!("Choose “{label}”: {network} needs it.")
        }
        Detail::MissingOption { .. } => format!("Give “{label}”: {network} needs it."),
        _ => {
            let keys = [format!("{}.{key} ", account.platform), format!("{key} ")];
            let rest = keys.iter().find_map(|key| message.strip_prefix(key.as_str()));
            rest.map_or_else(|| message.clone(), |rest| format!("“{label}” {rest}"))
        }
    }
}

/// What mends an issue, as far as a page can do it.
fn fixes(
    written: &Written,
    account: Option<&AccountView>,
    issue: &ValidationIssue,
    place: &Place,
) -> Vec<Fix> {
    let mut fixes = Vec::new();
    if issue.next_step() == Some(NextStep::ListBoards) {
        fixes.push(Fix::go("Choose a board"));
        return fixes;
    }
    let (Some(account), Some(detail)) = (account, &issue.detail) else { return fixes };
    match (detail, place) {
        (Detail::TooLong { .. }, Place::Text | Place::OwnText(_)) => {
            let own = written.own_text(account.id);
            let text = if own.is_empty() { written.content.as_str() } else { own };
            if rules::fitted(account.platform, text).is_some() {
                fixes.push(Fix::press(format!("fit.{}", account.id), "Shorten here"));
            }
            let sheet = account.platform.sheet();
            if sheet.supports_thread && written.thread.is_empty() && own.is_empty() {
                fixes.push(Fix::press("split", "Make a thread"));
            }
        }
        (Detail::MissingFile { .. }, _) => fixes.push(Fix::go("Add a file")),
        _ if *place == Place::Files && issue.rule.contains(".alt_text") => {
            fixes.push(Fix::go("Add alt text"));
        }
        _ => {}
    }
    fixes
}

/// The field that a refused field of the body stands in.
pub(super) fn place_of_field(field: &str, written: &Written, picked: &[&AccountView]) -> Place {
    let target = field.strip_prefix("targets[").and_then(|rest| rest.split_once(']'));
    let account = target.and_then(|(index, _)| picked.get(index.parse::<usize>().ok()?));
    if let (Some((_, rest)), Some(account)) = (target, account) {
        let option = rest.strip_prefix(".options.").map(|key| key.split(['.', '[']).next());
        return match option.flatten() {
            Some(key) if key == THREAD.key => Place::Part(usize::from(!written.thread.is_empty())),
            Some(key) => Place::Option(account.id, key.to_owned()),
            None => Place::Accounts,
        };
    }
    match field.split(['.', '[']).next().unwrap_or_default() {
        "content" => Place::Text,
        "linkUrl" => Place::Link,
        "labels" => Place::Labels,
        "note" => Place::Note,
        "mediaIds" | "altTexts" => Place::Files,
        field if is_of_time(field) => Place::When,
        _ => Place::Accounts,
    }
}

/// True for a field of the body that says when.
pub(super) fn is_of_time(field: &str) -> bool {
    ["scheduledAt", "scheduledLocal", "queue", "publishNow"].contains(&field)
}
