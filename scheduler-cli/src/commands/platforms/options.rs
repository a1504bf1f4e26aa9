//! The options of a network: what each takes, when it has an effect, and an example.

use scheduler_core::platform::{
    Effect, OptionFact, OptionValue, Platform, PollDuration, PollFigures, Required, Shape,
    TagBounds, TextBound,
};
use serde::Serialize;
use serde_json::{Value, json};

/// An option as a person reads of it.
#[derive(Debug, Serialize)]
pub(super) struct OptionLine {
    /// Its key.
    pub(super) option: &'static str,
    /// What its value may be.
    pub(super) value: String,
    /// What it is for.
    pub(super) about: String,
    /// How it is given to `scheduler post`.
    pub(super) example: String,
}

#[derive(Serialize)]
pub(super) struct OptionLines {
    pub(super) platform: Platform,
    pub(super) data: Vec<OptionLine>,
}

impl OptionLines {
    pub(super) fn of(platform: Platform) -> Self {
        let line = |fact: &OptionFact| OptionLine {
            option: fact.key,
            value: described(&fact.value),
            about: about(fact),
            example: example(platform, fact),
        };
        Self { platform, data: platform.sheet().options.iter().map(line).collect() }
    }
}

/// What an option is for, whether it is needed, and in which posts it has an effect.
fn about(fact: &OptionFact) -> String {
    let about = match (fact.value, fact.about) {
        (OptionValue::Caption, _) => "The text on this network, in place of the post's.".to_owned(),
        (OptionValue::Thread { .. }, _) => "The posts that follow the first.".to_owned(),
        (OptionValue::Poll(_), _) => "A poll under the text.".to_owned(),
        (_, "") => format!("{}.", fact.label),
        (_, about) => about.to_owned(),
    };
    let required = match fact.required {
        Required::No => String::new(),
        Required::Always(_) => " Needed.".to_owned(),
        Required::Unless { flag, .. } => format!(" Needed unless {flag} is true."),
    };
    let effect = match fact.effect {
        Effect::Always => "",
        Effect::WithFiles => " Only with a file.",
        Effect::WithImages => " Only with an image.",
        Effect::WithVideo => " Only with a video.",
        Effect::WithImageOrVideo => " Only with an image or a video.",
        Effect::WithDocument => " Only with a document.",
        Effect::WithoutFiles => " Only without files.",
        Effect::WithLinkAlone => " Only with a link and without files.",
        _ => "",
    };
    format!("{about}{required}{effect}")
}

fn described(value: &OptionValue) -> String {
    match value {
        OptionValue::Caption => "a text".to_owned(),
        OptionValue::Text { bound, .. } => format!("a text{}", at_most(*bound)),
        OptionValue::OneOf(values) => values.join(" | "),
        OptionValue::SomeOf(values) => format!("a list of {}", values.join(" | ")),
        OptionValue::Flag => "true | false".to_owned(),
        OptionValue::Digits { max_length } => format!("a number of up to {max_length} digits"),
        OptionValue::Tags(bounds) => tags(bounds),
        OptionValue::UserNames { max_items, .. } => format!("up to {max_items} user names"),
        OptionValue::Uuid => "the id of a file".to_owned(),
        OptionValue::Integer { least, most } => format!("a whole number, {least} to {most}"),
        OptionValue::Language => "a language tag, such as de or pt-BR".to_owned(),
        OptionValue::Languages { max_items } => format!("up to {max_items} language tags"),
        OptionValue::Address { max_length } => {
            let most = max_length.map(|most| format!(" of up to {most} characters"));
            format!("a web address{}", most.unwrap_or_default())
        }
        OptionValue::Texts { min_items, max_items, bound } => {
            format!("{min_items} to {max_items} texts{}", at_most(Some(*bound)))
        }
        OptionValue::Poll(figures) => poll(figures),
        OptionValue::Thread { max_items } => {
            format!("up to {max_items} texts, or objects of text, mediaIds and altTexts")
        }
        OptionValue::Subtitles { .. } => "a list of language, name, format and content".to_owned(),
        OptionValue::Shaped(shape) => shaped(shape),
    }
}

fn at_most(bound: Option<TextBound>) -> String {
    bound.map_or_else(String::new, |TextBound { limit, unit }| {
        format!(" of up to {limit} {}", unit.definition())
    })
}

fn tags(bounds: &TagBounds) -> String {
    if !bounds.words.is_empty() {
        return format!("a list of {}", bounds.words.join(" | "));
    }
    let most =
        bounds.max_items.map_or_else(|| "tags".to_owned(), |most| format!("up to {most} tags"));
    let longest = bounds.max_length.map(|longest| format!(" of up to {longest} characters"));
    let total = bounds.max_total.map(|total| format!(", {total} in all"));
    format!("{most}{}{}", longest.unwrap_or_default(), total.unwrap_or_default())
}

fn poll(figures: &PollFigures) -> String {
    let PollFigures { min_items, max_items, max_length, .. } = figures;
    let lasts = match figures.duration {
        PollDuration::Fixed(minutes) => format!("lasts {minutes} minutes"),
        PollDuration::OneOf(minutes) => {
            let minutes: Vec<String> = minutes.iter().map(ToString::to_string).collect();
            format!("lasts {} minutes", minutes.join(", "))
        }
        PollDuration::Between(least, most) => format!("lasts {least} to {most} minutes"),
        PollDuration::WholeHours(least, most) => format!("lasts {least} to {most} whole hours"),
    };
    format!(
        "a poll of {min_items} to {max_items} options of up to {max_length} characters; {lasts}"
    )
}

/// An object or a list, as JSON with words in the place of values.
fn shaped(shape: &Shape) -> String {
    match shape {
        Shape::Text(most) => format!("a text of up to {most} characters"),
        Shape::Flag => "true | false".to_owned(),
        Shape::OneOf(values) => values.join(" | "),
        Shape::Digits(most) => format!("a number of up to {most} digits"),
        Shape::Integer { least, most } => format!("{least} to {most}"),
        Shape::Uuid => "the id of a file".to_owned(),
        Shape::Color => "#rrggbb".to_owned(),
        Shape::Instant => "an instant with a zone".to_owned(),
        Shape::Date => "a day, as 2026-12-01".to_owned(),
        Shape::Language => "a language tag".to_owned(),
        Shape::Address(_, most) => format!("an address of up to {most} characters"),
        Shape::List { item, max_items } => format!("up to {max_items} of [{}]", shaped(item)),
        Shape::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|member| {
                    let mark = if member.is_required { "" } else { "?" };
                    format!("{}{mark}: {}", member.key, shaped(&member.shape))
                })
                .collect();
            format!("{{ {} }}", members.join("; "))
        }
        Shape::FalseOr(shape) => format!("false, or {}", shaped(shape)),
        _ => "JSON".to_owned(),
    }
}

/// A line of a shell that gives the option.
fn example(platform: Platform, fact: &OptionFact) -> String {
    let text = match valued(&fact.value) {
        Value::String(text) => text,
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            items.join(",")
        }
        value => value.to_string(),
    };
    let given = format!("{platform}.{}={text}", fact.key);
    let is_plain =
        given.chars().all(|sign| sign.is_ascii_alphanumeric() || "=.-_:/,".contains(sign));
    if is_plain { format!("--option {given}") } else { format!("--option '{given}'") }
}

/// A value that the option takes.
fn valued(value: &OptionValue) -> Value {
    match value {
        OptionValue::Caption => json!("Only here"),
        OptionValue::Text { bound, .. } => {
            json!(if bound.is_some_and(|bound| bound.limit < 20) {
                "Words"
            } else {
                "Words for it"
            })
        }
        OptionValue::OneOf(values) => json!(values.first()),
        OptionValue::SomeOf(values) => json!(values.get(..1)),
        OptionValue::Flag => json!(true),
        OptionValue::Digits { max_length } => json!(digits(*max_length)),
        OptionValue::Tags(bounds) => match bounds.words.first() {
            Some(word) => json!([word]),
            None => json!(["bread", "baking"]),
        },
        OptionValue::UserNames { max_items, .. } => {
            json!(["ann", "ben"].get(..if *max_items < 2 { 1 } else { 2 }))
        }
        OptionValue::Uuid => json!(FILE),
        OptionValue::Integer { least, .. } => json!(least),
        OptionValue::Language => json!("de"),
        OptionValue::Languages { max_items } => {
            json!(["en", "de"].get(..if *max_items < 2 { 1 } else { 2 }))
        }
        OptionValue::Address { .. } => json!("https://example.com/"),
        OptionValue::Texts { min_items, .. } => {
            let texts = ["first", "second", "third"];
            json!(texts.get(..(*min_items).clamp(1, 3) as usize))
        }
        OptionValue::Poll(figures) => {
            let mut poll = json!({"options": ["Yes", "No"]});
            if figures.max_question.is_some() {
                poll["question"] = json!("Is it?");
            }
            poll
        }
        OptionValue::Thread { .. } => json!(["And then"]),
        OptionValue::Subtitles { .. } => {
            json!([{"language": "en", "format": "srt", "content": "1\n00:00:00,000 --> 00:00:02,000\nHello\n"}])
        }
        OptionValue::Shaped(shape) => of_shape(shape),
    }
}

/// A number of at most so many digits.
fn digits(most: u32) -> &'static str {
    "12345".get(..most.min(5) as usize).unwrap_or_default()
}

/// The id of a file in the examples.
const FILE: &str = "01993b5c-2b7e-7000-8000-000000000001";

fn of_shape(shape: &Shape) -> Value {
    match shape {
        // A text of two letters is the code of a country.
        Shape::Text(most) => json!(if *most < 5 { "DE" } else { "Words" }),
        Shape::Flag => json!(true),
        Shape::OneOf(values) => json!(values.first()),
        Shape::Digits(most) => json!(digits(*most)),
        Shape::Integer { least, .. } => json!(least),
        Shape::Uuid => json!(FILE),
        Shape::Color => json!("#aa3355"),
        Shape::Instant => json!("2026-12-01T09:00:00Z"),
        Shape::Date => json!("2026-12-01"),
        Shape::Language => json!("de"),
        Shape::Address(starts, _) => {
            json!(format!("{}example.com/", starts.first().unwrap_or(&"https://")))
        }
        Shape::List { item, .. } => json!([of_shape(item)]),
        Shape::Object(members) => {
            let needed: Vec<_> = members.iter().filter(|member| member.is_required).collect();
            let shown = if needed.is_empty() { members.iter().take(1).collect() } else { needed };
            shown
                .into_iter()
                .map(|member| (member.key.to_owned(), of_shape(&member.shape)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
        Shape::FalseOr(shape) => of_shape(shape),
        _ => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use scheduler_core::app::CheckInput;
    use scheduler_core::post::TargetInput;
    use scheduler_core::rules::{Detail, Severity, ValidationIssue};

    use super::*;
    use crate::posting::{OptionArgument, Options};

    #[test]
    fn every_example_is_an_option_that_the_command_takes() {
        let mut refused = Vec::new();
        for platform in Platform::ALL {
            let lines = OptionLines::of(platform).data;
            assert!(!lines.is_empty(), "{platform}");
            for line in lines {
                let given = line.example.strip_prefix("--option ").unwrap().trim_matches('\'');
                let read: Result<OptionArgument, String> = given.parse();
                let read = read.unwrap_or_else(|error| panic!("{given}: {error}"));
                let mut target = TargetInput::from(platform);
                Options::gather(&[read]).unwrap().add_to(std::slice::from_mut(&mut target));
                let report = CheckInput { targets: Some(vec![target]), ..CheckInput::default() }
                    .check_by_sheets()
                    .unwrap();
                let subject = platform.sheet().option(line.option).unwrap().subject;
                let own = format!("{platform}.{subject}.");
                // What an option needs beside it is said in words, and is no fault of its value.
                let is_refused = |issue: &&ValidationIssue| {
                    issue.severity == Severity::Error
                        && issue.rule.starts_with(&own)
                        && !matches!(issue.detail, Some(Detail::Note { .. }))
                };
                refused.extend(
                    report
                        .issues
                        .iter()
                        .find(is_refused)
                        .map(|issue| format!("{given}: {}", issue.message)),
                );
                assert!(line.about.ends_with('.'), "{platform}.{}: {}", line.option, line.about);
                assert!(!line.value.is_empty(), "{platform}.{}", line.option);
            }
        }
        assert_eq!(refused, [""; 0]);
    }
}
