//! A poll: its options, and what it does not go with.

use std::collections::BTreeSet;

use super::catalogue::Catalogue;
use super::draft::{TargetView, widened};
use super::issues::Issues;
use super::{Detail, Place, Rule, WhyLong, option_items, option_values};
use crate::platform::{CapabilitySheet, OptionFact, OptionValue, TextUnit};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let Some(OptionFact { value: OptionValue::Poll { min_items, max_items, max_length }, .. }) =
        target.sheet.option("poll")
    else {
        return;
    };
    let Some(value) = target.option("poll") else { return };
    if !target.draft.media.is_empty() {
        issues.error("poll.with_files", Detail::note_of("poll", "A poll cannot have files."));
    }
    let Some(items) = value.get("options").and_then(option_items::strings) else {
        let sent = match (value.is_object(), value.get("options")) {
            (true, Some(_)) => "has options that are no array of strings".to_owned(),
            (true, None) => "has no options".to_owned(),
            (false, _) => format!("is {}", option_values::kind_of(value)),
        };
        let expected = "{\"options\": [\"…\", \"…\"]} with strings";
        issues.error("poll.wrong_type", option_values::wrong_type("poll", sent, expected));
        return;
    };
    if value.as_object().is_some_and(|poll| poll.len() > 1) {
        issues.warning(
            "poll.unknown_key",
            Detail::note_of(
                "poll",
                "{name} takes only the options of a poll; what else it holds is not used.",
            ),
        );
    }
    if items.len() < widened(*min_items) || items.len() > widened(*max_items) {
        let (least, most) = (widened(*min_items), widened(*max_items));
        let place = Place::option("poll");
        issues
            .error("poll.options", Detail::PollOptions { found: items.len(), least, most, place });
    }
    let mut seen = BTreeSet::new();
    for (index, item) in items.iter().enumerate().take(widened(*max_items)) {
        let (place, most) = (|| Place::item("poll", index), widened(*max_length));
        if item.trim().is_empty() {
            issues.error("poll.option_empty", Detail::Empty { place: place() });
        } else if let Some(length) = count::over(TextUnit::CodePoints, item, most) {
            let detail = Detail::too_long(TextUnit::CodePoints, length, most, place());
            issues.error("poll.option_too_long", detail);
        } else if item.len() > most {
            let (unit, found, why) = (TextUnit::Bytes, item.len(), WhyLong::InBytes);
            let detail = Detail::Long { unit, found, most, place: place(), why };
            issues.warning("poll.option_long", detail);
        }
        if !seen.insert(item.trim()) {
            let detail = Detail::Repeated { place: place(), earlier: None };
            issues.error("poll.repeated", detail);
        }
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    let Some(OptionFact { value: OptionValue::Poll { min_items, max_items, max_length }, .. }) =
        sheet.option("poll")
    else {
        return;
    };
    list.error("poll.wrong_type", "poll is not an object with a list of options.");
    list.warning("poll.unknown_key", "The poll holds more than its options, which is not used.");
    list.error(
        "poll.options",
        format!("The poll has fewer than {min_items} or more than {max_items} options."),
    );
    list.error("poll.option_empty", "An option of the poll is empty.");
    list.error(
        "poll.option_too_long",
        format!("An option of the poll has more than {max_length} characters."),
    );
    list.warning(
        "poll.option_long",
        format!(
            "An option of the poll has more than {max_length} bytes, which may be what is counted."
        ),
    );
    list.error("poll.repeated", "Two options of the poll are the same.");
    list.error("poll.with_files", "A poll has files beside it.");
}
