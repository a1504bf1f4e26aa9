//! A poll: its options, and what it does not go with.

use std::collections::BTreeSet;

use super::draft::widened;
use super::inspection::OfTarget;
use super::{Detail, Place, Rule, WhyLong, option_items, option_values};
use crate::platform::{OptionFact, OptionValue, TextUnit};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target(rule);

const OPTION: &str = "poll";

fn rule(on: &mut OfTarget<'_, '_>) {
    let Some(OptionFact { value: OptionValue::Poll { min_items, max_items, max_length }, .. }) =
        on.sheet.option(OPTION)
    else {
        return;
    };
    let wrong_type =
        on.error((OPTION, "wrong_type"), "poll is not an object with a list of options.");
    let unknown_key = on.warning(
        (OPTION, "unknown_key"),
        "The poll holds more than its options, which is not used.",
    );
    let options = on.error(
        (OPTION, "options"),
        format_args!("The poll has fewer than {min_items} or more than {max_items} options."),
    );
    let option_empty = on.error((OPTION, "option_empty"), "An option of the poll is empty.");
    let too_long = on.error(
        (OPTION, "option_too_long"),
        format_args!("An option of the poll has more than {max_length} characters."),
    );
    let long = on.warning(
        (OPTION, "option_long"),
        format_args!(
            "An option of the poll has more than {max_length} bytes, which may be what is counted."
        ),
    );
    let repeated = on.error((OPTION, "repeated"), "Two options of the poll are the same.");
    let with_files = on.error((OPTION, "with_files"), "A poll has files beside it.");
    let Some(target) = on.subject() else { return };
    let Some(value) = target.option(OPTION) else { return };
    if !target.draft.media.is_empty() {
        on.report(with_files, Detail::note_of(OPTION, "A poll cannot have files."));
    }
    let Some(items) = value.get("options").and_then(option_items::strings) else {
        let found = match (value.is_object(), value.get("options")) {
            (true, Some(_)) => "has options that are no array of strings".into(),
            (true, None) => "has no options".into(),
            (false, _) => format!("is {}", option_values::kind_of(value)).into(),
        };
        let expected = "{\"options\": [\"…\", \"…\"]} with strings".into();
        on.report(wrong_type, Detail::OptionType { option: OPTION.into(), found, expected });
        return;
    };
    if value.as_object().is_some_and(|poll| poll.len() > 1) {
        let sentence = "{name} takes only the options of a poll; what else it holds is not used.";
        on.report(unknown_key, Detail::note_of(OPTION, sentence));
    }
    let (least, most) = (widened(*min_items), widened(*max_items));
    if items.len() < least || items.len() > most {
        let (found, place) = (items.len(), Place::option(OPTION));
        on.report(options, Detail::PollOptions { found, least, most, place });
    }
    let (mut seen, unit) = (BTreeSet::new(), TextUnit::CodePoints);
    for (index, item) in items.iter().enumerate().take(most) {
        let (place, most) = (|| Place::item(OPTION, index), widened(*max_length));
        if item.trim().is_empty() {
            on.report(option_empty, Detail::Empty { place: place() });
        } else if let Some(length) = count::over(unit, item, most) {
            on.report(too_long, Detail::too_long(unit, length, most, place()));
        } else if item.len() > most {
            let (unit, found, why) = (TextUnit::Bytes, item.len(), WhyLong::InBytes);
            on.report(long, Detail::Long { unit, found, most, place: place(), why });
        }
        if !seen.insert(item.trim()) {
            on.report(repeated, Detail::Repeated { place: place(), earlier: None });
        }
    }
}
