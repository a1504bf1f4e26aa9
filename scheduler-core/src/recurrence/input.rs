//! What callers send to create and change recurrences.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::{
    COOL_DOWN_MAX_DAYS, ENTRIES_MAX, Entry, RECURRENCE_NAME_MAX_CHARACTERS, RecurrenceState, Rule,
    RuleInput, TEXTS_IN_ALL_MAX, TEXTS_MAX,
};
use crate::error::Refusal;
use crate::ids::EntryId;
use crate::object::only_from_object;
use crate::post::{CONTENT_MAX_CHARACTERS, PostInput, check_text};
use crate::timing::{format_local, parse_local};

/// How long before now a rule may begin.
///
/// Source: our decision.
const START_MAX_BACK: TimeDelta = TimeDelta::days(5 * 366);

/// The body that creates a recurrence: either with a rule, or evergreen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct RecurrenceInput {
    /// What people call it.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = RECURRENCE_NAME_MAX_CHARACTERS)))]
    pub name: String,
    /// When it comes again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleInput>,
    /// `true` for a pool that fills the free slots of its accounts' posting schedules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evergreen: Option<bool>,
    /// How many days lie at least between two publications of an entry on an account, by the
    /// calendar of the account's zone: 1 at least for a pool, 0 with a rule unless it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(max = COOL_DOWN_MAX_DAYS)))]
    pub cool_down_days: Option<u32>,
    /// What is repeated; the one that was published least recently is next.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = ENTRIES_MAX)))]
    pub entries: Vec<EntryInput>,
}

only_from_object!(RecurrenceInput);

/// A post that is repeated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct EntryInput {
    /// In a change: the id of the entry that it replaces; one without is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<EntryId>,
    /// What is sent to create a post, without a time or an `Idempotency-Key`.
    pub post: PostInput,
    /// Texts that take turns, in place of the `content` of the post.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = TEXTS_MAX)))]
    pub texts: Vec<String>,
}

only_from_object!(EntryInput);

/// The body that changes a recurrence; only the fields sent change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct RecurrenceChange {
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = RECURRENCE_NAME_MAX_CHARACTERS)))]
    pub name: Option<String>,
    /// `paused` takes the posts back that wait and nobody has changed; `active` makes them again;
    /// `ended` is for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<RecurrenceState>,
    /// When it comes again; not of a pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleInput>,
    /// How many days lie at least between two publications of an entry on an account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(max = COOL_DOWN_MAX_DAYS)))]
    pub cool_down_days: Option<u32>,
    /// What is repeated, all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = ENTRIES_MAX)))]
    pub entries: Option<Vec<EntryInput>>,
}

only_from_object!(RecurrenceChange);

/// Checks a name.
pub(crate) fn checked_name(name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    if name.is_empty() {
        let message =
            format!("A name has 1 to {RECURRENCE_NAME_MAX_CHARACTERS} characters; give it one.");
        return Err(Refusal::invalid("name", message));
    }
    check_text("name", name, RECURRENCE_NAME_MAX_CHARACTERS)?;
    Ok(name.to_owned())
}

/// Reads a rule, which begins not too long before now: all of its times from there on are counted.
pub(crate) fn checked_rule(rule: RuleInput, now: DateTime<Utc>) -> Result<Rule, Refusal> {
    let earliest = (now - START_MAX_BACK).naive_utc();
    if parse_local(&rule.start).is_ok_and(|start| start < earliest) {
        let message = format!(
            "A rule begins at most 5 years back, here not before {}; give it a later start that it comes at.",
            format_local(earliest)
        );
        return Err(Refusal::invalid("rule.start", message));
    }
    Rule::try_from(rule).map_err(|refusal| within("rule", refusal))
}

/// Checks a cool-down.
pub(crate) fn checked_cool_down(days: Option<u32>, is_evergreen: bool) -> Result<u32, Refusal> {
    let least = u32::from(is_evergreen);
    match days {
        None if !is_evergreen => Ok(0),
        Some(days) if (least..=COOL_DOWN_MAX_DAYS).contains(&days) => Ok(days),
        Some(_) | None => {
            let message = format!("A cool-down is {least} to {COOL_DOWN_MAX_DAYS} days; send one.");
            Err(Refusal::invalid("coolDownDays", message))
        }
    }
}

/// Checks entries; those that name an id are among these.
pub(crate) fn checked_entries(
    inputs: Vec<EntryInput>,
    known: &[Entry],
    mut new_id: impl FnMut() -> EntryId,
) -> Result<Vec<Entry>, Refusal> {
    if !(1..=ENTRIES_MAX).contains(&inputs.len()) {
        let message = format!("There are {} entries, 1 to {ENTRIES_MAX} are taken.", inputs.len());
        return Err(Refusal::invalid("entries", message));
    }
    let mut ids = BTreeSet::new();
    let entries = inputs.into_iter().enumerate().map(|(index, input)| {
        let place = format!("entries[{index}]");
        let EntryInput { id, post, texts } = input;
        if let Some(id) = id {
            if !known.iter().any(|entry| entry.id == id) {
                let message = format!("There is no entry {id}; leave the id of a new one out.");
                return Err(Refusal::invalid(format!("{place}.id"), message));
            }
            if !ids.insert(id) {
                let message = format!("The entry {id} stands there twice; name it once.");
                return Err(Refusal::invalid(format!("{place}.id"), message));
            }
        }
        check_post(&post).map_err(|refusal| within(&format!("{place}.post"), refusal))?;
        check_texts(&post, &texts).map_err(|refusal| within(&place, refusal))?;
        Ok(Entry { id: id.unwrap_or_else(&mut new_id), post, texts })
    });
    let entries: Vec<Entry> = entries.collect::<Result<_, _>>()?;
    let texts: usize = entries.iter().map(|entry| entry.texts().count()).sum();
    if texts > TEXTS_IN_ALL_MAX {
        let message =
            format!("There are {texts} texts, all entries have {TEXTS_IN_ALL_MAX} at most.");
        return Err(Refusal::invalid("entries", message));
    }
    Ok(entries)
}

/// A post that is repeated has a place, and no time of its own.
fn check_post(post: &PostInput) -> Result<(), Refusal> {
    if let Some(field) = post.field_of_one_post() {
        let message = "An entry has no time of its own: the rule or the slots say when.";
        return Err(Refusal::invalid(field, message));
    }
    if post.targets.value().is_none_or(Vec::is_empty) {
        return Err(Refusal::invalid("targets", crate::error::Invalid::NoTargets));
    }
    post.check_bounds()
}

fn check_texts(post: &PostInput, texts: &[String]) -> Result<(), Refusal> {
    if texts.is_empty() {
        return Ok(());
    }
    if post.content.is_sent() {
        let message =
            "Send the texts of an entry in texts, or one of them in the content of its post.";
        return Err(Refusal::invalid("texts", message));
    }
    if texts.len() > TEXTS_MAX {
        let message = format!("There are {} texts, an entry has {TEXTS_MAX} at most.", texts.len());
        return Err(Refusal::invalid("texts", message));
    }
    let mut seen = BTreeMap::new();
    for (index, text) in texts.iter().enumerate() {
        let field = format!("texts[{index}]");
        check_text(&field, text, CONTENT_MAX_CHARACTERS)?;
        if let Some(first) = seen.insert(text.trim(), index) {
            let message =
                format!("This text is the same as texts[{first}]; the texts of an entry differ.");
            return Err(Refusal::invalid(field, message));
        }
    }
    Ok(())
}

/// The same refusal of something that stands within a field.
pub(crate) fn within(outer: &str, refusal: Refusal) -> Refusal {
    let field = match refusal.field.as_deref() {
        Some(field) => format!("{outer}.{field}"),
        None => outer.to_owned(),
    };
    refusal.at(field)
}
