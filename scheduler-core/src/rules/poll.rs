//! A poll: its options, its question, how long it lasts, and what it does not go with.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;

use super::draft::widened;
use super::inspection::{Finding, OfTarget};
use super::{Detail, Place, Rule, WhyLong, option_items, option_values};
use crate::platform::{
    OptionFact, OptionValue, Poll, PollDuration, PollFigures, PollLimits, TextUnit,
};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target(rule);

const OPTION: &str = "poll";
const UNIT: TextUnit = TextUnit::CodePoints;

fn rule(on: &mut OfTarget<'_, '_>) {
    let Some(OptionFact { value: OptionValue::Poll(figures), .. }) = on.sheet.option(OPTION) else {
        return;
    };
    let figures = match on.subject().and_then(|target| target.limits.poll) {
        Some(limits) => of_account(*figures, limits),
        None => *figures,
    };
    check_files(on);
    check_options(on, &figures);
    check_question(on, &figures);
    check_duration(on, figures.duration);
    check_flags(on, &figures);
}

/// The figures with what the account's own server says.
fn of_account(figures: PollFigures, limits: PollLimits) -> PollFigures {
    let duration = match figures.duration {
        PollDuration::Between(least, most) => PollDuration::Between(
            limits.min_minutes.unwrap_or(least),
            limits.max_minutes.unwrap_or(most),
        ),
        fixed => fixed,
    };
    PollFigures {
        max_items: limits.max_items.unwrap_or(figures.max_items),
        max_length: limits.max_length.unwrap_or(figures.max_length),
        duration,
        ..figures
    }
}

/// The poll of the target that is looked at.
fn sent<'a>(on: &OfTarget<'a, '_>) -> Option<&'a Value> {
    on.subject().and_then(|target| target.option(OPTION))
}

/// A value of the poll, unless it was left out.
fn field<'a>(on: &OfTarget<'a, '_>, key: &str) -> Option<&'a Value> {
    sent(on)?.get(key).filter(|value| !value.is_null())
}

/// The name of a value of the poll, as a message says it.
fn named(key: &str) -> Cow<'static, str> {
    format!("{OPTION}.{key}").into()
}

fn wrong_type(on: &mut OfTarget<'_, '_>, finding: Finding, key: &str, expected: &'static str) {
    let Some(value) = field(on, key) else { return };
    let found = format!("is {}", option_values::kind_of(value)).into();
    let expected = expected.into();
    on.report(finding, Detail::OptionType { option: named(key), found, expected });
}

fn check_files(on: &mut OfTarget<'_, '_>) {
    let with_files = on.error((OPTION, "with_files"), "A poll has files beside it.");
    if sent(on).is_some() && on.subject().is_some_and(|target| !target.draft.media.is_empty()) {
        on.report(with_files, Detail::note_of(OPTION, "A poll cannot have files."));
    }
}

fn check_options(on: &mut OfTarget<'_, '_>, figures: &PollFigures) {
    let PollFigures { min_items, max_items, max_length, warns_of_bytes, .. } = *figures;
    let wrong_type =
        on.error((OPTION, "wrong_type"), "poll is not an object with a list of options.");
    let unknown_key = on.warning(
        (OPTION, "unknown_key"),
        "The poll holds something that no poll has, which is not used.",
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
    let long = warns_of_bytes.then(|| {
        let when = format_args!(
            "An option of the poll has more than {max_length} bytes, which may be what is counted."
        );
        on.warning((OPTION, "option_long"), when)
    });
    let repeated = on.error((OPTION, "repeated"), "Two options of the poll are the same.");
    let Some(value) = sent(on) else { return };
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
    if value.as_object().is_some_and(|poll| poll.keys().any(|key| !Poll::has(key))) {
        let sentence = "A poll holds options, question, durationMinutes, multiple and hideResults; what else \
             it holds is not used.";
        on.report(unknown_key, Detail::note_of(OPTION, sentence));
    }
    let (least, most) = (widened(min_items), widened(max_items));
    if items.len() < least || items.len() > most {
        let (found, place) = (items.len(), Place::option(OPTION));
        on.report(options, Detail::PollOptions { found, least, most, place });
    }
    let mut seen = BTreeSet::new();
    for (index, item) in items.iter().enumerate().take(most) {
        let (place, most) = (|| Place::item(OPTION, index), widened(max_length));
        if item.trim().is_empty() {
            on.report(option_empty, Detail::Empty { place: place() });
        } else if let Some(length) = count::over(UNIT, item, most) {
            on.report(too_long, Detail::too_long(UNIT, length, most, place()));
        } else if let Some(long) = long.filter(|_| item.len() > most) {
            let (unit, found, why) = (TextUnit::Bytes, item.len(), WhyLong::InBytes);
            on.report(long, Detail::Long { unit, found, most, place: place(), why });
        }
        if !seen.insert(item.trim()) {
            on.report(repeated, Detail::Repeated { place: place(), earlier: None });
        }
    }
}

/// Where a network asks a question of its own, the text of the post stands in for one that is left
/// out, if it is short enough.
fn check_question(on: &mut OfTarget<'_, '_>, figures: &PollFigures) {
    const KEY: &str = "question";
    let of_wrong_type =
        on.error((OPTION, "question_wrong_type"), "The question of the poll is not a string.");
    let Some(most) = figures.max_question else {
        let unused = on.warning(
            (OPTION, "question_unused"),
            "The poll has a question, and the network shows the text of the post.",
        );
        match field(on, KEY).map(Value::as_str) {
            Some(Some(_)) => {
                let sentence = "{name} shows the text of the post above a poll, not its question.";
                on.report(unused, Detail::note_of(OPTION, sentence));
            }
            Some(None) => wrong_type(on, of_wrong_type, KEY, "a string"),
            None => {}
        }
        return;
    };
    let missing = on.error(
        (OPTION, "question_missing"),
        format_args!(
            "The poll has no question, and the text is empty or has more than {most} characters."
        ),
    );
    let too_long = on.error(
        (OPTION, "question_too_long"),
        format_args!("The question of the poll has more than {most} characters."),
    );
    let Some(target) = on.subject().filter(|_| sent(on).is_some()) else { return };
    match field(on, KEY).map(Value::as_str) {
        Some(None) => wrong_type(on, of_wrong_type, KEY, "a string"),
        Some(Some(question)) if !question.trim().is_empty() => {
            let most = widened(most);
            if let Some(length) = count::over(UNIT, question.trim(), most) {
                let place = Place::Option(named(KEY));
                on.report(too_long, Detail::too_long(UNIT, length, most, place));
            }
        }
        Some(Some(_)) | None => {
            let text = target.composed.text().trim();
            if text.is_empty() || count::over(UNIT, text, widened(most)).is_some() {
                let sentence = format!(
                    "The poll needs a question: set poll.question, of at most {most} characters."
                );
                let option = Some(OPTION.into());
                on.report(missing, Detail::Note { option, sentence: sentence.into() });
            }
        }
    }
}

fn check_duration(on: &mut OfTarget<'_, '_>, duration: PollDuration) {
    const KEY: &str = "durationMinutes";
    let of_wrong_type = on.error(
        (OPTION, "duration_wrong_type"),
        "The duration of the poll is not a whole number of minutes.",
    );
    let finding = match duration {
        PollDuration::Fixed(minutes) => on.warning(
            (OPTION, "duration_unused"),
            format_args!("The poll is to last longer or shorter than {minutes} minutes."),
        ),
        PollDuration::OneOf(allowed) => on.error(
            (OPTION, "duration"),
            format_args!("The poll is to last another number of minutes than {}.", listed(allowed)),
        ),
        PollDuration::Between(least, most) => on.error(
            (OPTION, "duration"),
            format_args!("The poll is to last less than {least} or more than {most} minutes."),
        ),
        PollDuration::WholeHours(least, most) => on.error(
            (OPTION, "duration"),
            format_args!(
                "The poll is to last less than {least} or more than {most} minutes, or not for \
                 whole hours."
            ),
        ),
    };
    let Some(value) = field(on, KEY) else { return };
    let Some(found) = value.as_i64() else {
        return wrong_type(on, of_wrong_type, KEY, "a whole number of minutes");
    };
    let minutes = u32::try_from(found).unwrap_or(0);
    let note =
        |sentence: String| Detail::Note { option: Some(OPTION.into()), sentence: sentence.into() };
    let (least, most) = match duration {
        PollDuration::Fixed(fixed) if minutes != fixed => {
            let sentence = format!("A poll on {{name}} lasts {fixed} minutes, whatever is sent.");
            return on.report(finding, note(sentence));
        }
        PollDuration::OneOf(allowed) if !allowed.contains(&minutes) => {
            let allowed = listed(allowed);
            let sentence =
                format!("The poll is to last {found} minutes; {{name}} takes {allowed}.");
            return on.report(finding, note(sentence));
        }
        PollDuration::WholeHours(..) if !minutes.is_multiple_of(60) => {
            let sentence =
                format!("The poll is to last {found} minutes; {{name}} takes whole hours.");
            return on.report(finding, note(sentence));
        }
        PollDuration::Fixed(_) | PollDuration::OneOf(_) => return,
        PollDuration::Between(least, most) | PollDuration::WholeHours(least, most) => {
            (i64::from(least), i64::from(most))
        }
    };
    if !(least..=most).contains(&found) {
        on.report(finding, Detail::OptionOutOfBounds { option: named(KEY), found, least, most });
    }
}

fn listed(minutes: &[u32]) -> String {
    minutes.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn check_flags(on: &mut OfTarget<'_, '_>, figures: &PollFigures) {
    let of_wrong_type = on.error(
        (OPTION, "flag_wrong_type"),
        "multiple or hideResults of the poll is neither true nor false.",
    );
    let multiple = (!figures.multiple).then(|| {
        on.error((OPTION, "multiple"), "Several options are to be chosen, which is not offered.")
    });
    let hidden = (!figures.hides_results).then(|| {
        on.warning((OPTION, "hide_results"), "Results are to be hidden, which is not offered.")
    });
    for (key, finding, sentence) in [
        ("multiple", multiple, "A poll on {name} takes one choice of each voter."),
        ("hideResults", hidden, "{name} shows the results of a poll before it ends."),
    ] {
        match field(on, key).map(Value::as_bool) {
            Some(None) => wrong_type(on, of_wrong_type, key, "true or false"),
            Some(Some(true)) => {
                if let Some(finding) = finding {
                    on.report(finding, Detail::note_of(OPTION, sentence));
                }
            }
            Some(Some(false)) | None => {}
        }
    }
}
