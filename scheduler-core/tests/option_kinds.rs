//! Every kind of value that an option can have, on a network that has one option of each.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use scheduler_core::app::CheckInput;
use scheduler_core::platform::{
    CAPTION, CapabilitySheet, Effect, FileTypes, OptionFact, OptionValue, Platform, PollDuration,
    PollFigures, TextBound, TextUnit,
};
use serde_json::{Value, json};

const POLL: PollFigures = PollFigures {
    min_items: 2,
    max_items: 3,
    max_length: 5,
    warns_of_bytes: false,
    max_question: Some(8),
    duration: PollDuration::Between(5, 60),
    multiple: true,
    hides_results: true,
};

fn board(name: &str, poll: PollFigures) -> Platform {
    let options: &'static [OptionFact] = Vec::leak(vec![
        CAPTION,
        OptionFact::new("days", "days", "Days", OptionValue::Integer { least: -1, most: 30 }),
        OptionFact::new("language", "language", "Language", OptionValue::Language),
        OptionFact::new("spoken", "spoken", "Spoken", OptionValue::Languages { max_items: 2 }),
        OptionFact::new(
            "source",
            "source",
            "Source",
            OptionValue::Address { max_length: Some(30) },
        ),
        OptionFact::new(
            "rows",
            "rows",
            "Rows",
            OptionValue::Texts {
                min_items: 1,
                max_items: 2,
                bound: TextBound { limit: 3, unit: TextUnit::CodePoints },
            },
        ),
        OptionFact::new("days_of", "days_of", "Days", OptionValue::SomeOf(&["mon", "tue"])),
        OptionFact::new("frame", "frame", "Frame", OptionValue::Flag).effective(Effect::WithImages),
        OptionFact::new("large", "large", "Large", OptionValue::Flag)
            .effective(Effect::WithoutFiles),
        OptionFact::new("poll", "poll", "Poll", OptionValue::Poll(poll)),
    ]);
    let mut sheet = CapabilitySheet::plain("Board", 100);
    sheet.options = options;
    sheet.supports_image = true;
    (sheet.max_media_per_post, sheet.max_image_bytes) = (1, 1_000);
    sheet.media.max_images = 1;
    sheet.media.image_types = FileTypes::only(&["image/png"]);
    Platform::register(name, sheet).expect("the name is free")
}

/// What the rules find, without the name of the network; errors begin with `!`.
fn found(platform: Platform, content: &str, options: &Value, files: &Value) -> Vec<String> {
    let input: CheckInput = serde_json::from_value(json!({
        "content": content,
        "mediaItems": files,
        "targets": [{"platform": platform, "options": options}],
    }))
    .expect("a body");
    let report = input.check_by_sheets().expect("a report");
    let name = format!("{platform}.");
    let rule = |rule: &str| rule.strip_prefix(name.as_str()).unwrap_or(rule).to_owned();
    report
        .issues
        .iter()
        .map(|issue| match serde_json::to_value(issue.severity) {
            Ok(severity) if severity == "error" => format!("!{}", rule(&issue.rule)),
            _ => rule(&issue.rule),
        })
        .collect()
}

#[test]
fn every_kind_of_value() {
    let board = board("board", POLL);
    for (key, value, want) in [
        ("days", json!(-1), ""),
        ("days", json!(30), ""),
        ("days", json!(-2), "!days.out_of_bounds"),
        ("days", json!(31), "!days.out_of_bounds"),
        ("days", json!(1.5), "!days.wrong_type"),
        ("days", json!("1"), "!days.wrong_type"),
        ("days", json!(null), ""),
        ("language", json!("en"), ""),
        ("language", json!("pt-BR"), ""),
        ("language", json!("e"), "!language.malformed"),
        ("language", json!("en_US"), "!language.malformed"),
        ("language", json!(""), "!language.malformed"),
        ("language", json!(["en"]), "!language.wrong_type"),
        ("spoken", json!([]), ""),
        ("spoken", json!(["en", "de"]), ""),
        ("spoken", json!(["en", "de", "fr"]), "!spoken.too_many"),
        ("spoken", json!(["en", "!"]), "!spoken.malformed"),
        ("spoken", json!("en"), "!spoken.wrong_type"),
        ("source", json!("https://example.com/123456789a"), ""),
        ("source", json!("https://example.com/123456789ab"), "!source.malformed"),
        ("source", json!("ftp://example.com"), "!source.malformed"),
        ("source", json!("example.com"), "!source.malformed"),
        ("source", json!("https://"), "!source.malformed"),
        ("source", json!(1), "!source.wrong_type"),
        ("rows", json!(["abc", "é"]), ""),
        ("rows", json!([]), "!rows.too_few"),
        ("rows", json!(["a", "b", "c"]), "!rows.too_many"),
        ("rows", json!(["abcd"]), "!rows.too_long"),
        ("rows", json!([" "]), "!rows.empty"),
        ("rows", json!([1]), "!rows.wrong_type"),
        ("days_of", json!(["mon", "tue"]), ""),
        ("days_of", json!([]), "!days_of.too_few"),
        ("days_of", json!(["mon", "wed"]), "!days_of.not_allowed"),
        ("days_of", json!("mon"), "!days_of.wrong_type"),
        ("frame", json!(true), "frame.no_effect"),
        ("frame", json!(false), ""),
        ("large", json!(true), ""),
    ] {
        let want: Vec<&str> = want.split_terminator(' ').collect();
        let options = json!({ key: value });
        assert_eq!(found(board, "Hello", &options, &json!([])), want, "{options}");
    }
}

#[test]
fn what_has_no_effect_is_told_by_the_files() {
    let board = board("board", POLL);
    let image = json!([{"kind": "image", "mimeType": "image/png", "sizeBytes": 10}]);
    for (options, want) in [
        (json!({"frame": true}), vec![]),
        (json!({"large": true}), vec!["large.no_effect"]),
        (json!({"large": false}), vec![]),
    ] {
        assert_eq!(found(board, "Hello", &options, &image), want, "{options}");
    }
}

#[test]
fn polls_by_what_a_network_offers() {
    let between = board("board", POLL);
    let none = PollFigures { multiple: false, hides_results: false, max_question: None, ..POLL };
    let with = |name, duration| board(name, PollFigures { duration, ..none });
    let fixed = with("fixed", PollDuration::Fixed(60));
    let some = with("some", PollDuration::OneOf(&[60, 120]));
    let hours = with("hours", PollDuration::WholeHours(60, 180));
    let question = |text: &str| json!({"question": text});
    let lasting = |minutes: i64| json!({"durationMinutes": minutes});
    for (case, platform, content, more, want) in [
        ("the text is the question", between, "Tea?", json!({}), ""),
        ("no question", between, "Tea or coffee?", json!({}), "!poll.question_missing"),
        ("a question", between, "Tea or coffee?", question("Which?"), ""),
        ("the longest question", between, "Tea or coffee?", question("12345678"), ""),
        ("too long", between, "Tea", question("123456789"), "!poll.question_too_long"),
        ("an empty question", between, "Tea or coffee?", question(" "), "!poll.question_missing"),
        ("the shortest", between, "Tea?", lasting(5), ""),
        ("shorter", between, "Tea?", lasting(4), "!poll.duration"),
        ("the longest", between, "Tea?", lasting(60), ""),
        ("longer", between, "Tea?", lasting(61), "!poll.duration"),
        ("below nothing", between, "Tea?", lasting(-1), "!poll.duration"),
        ("what is offered", between, "Tea?", json!({"multiple": true, "hideResults": true}), ""),
        ("several", fixed, "Tea?", json!({"multiple": true}), "!poll.multiple"),
        ("hidden", fixed, "Tea?", json!({"hideResults": true}), "poll.hide_results"),
        ("a question unused", fixed, "Tea?", question("Which?"), "poll.question_unused"),
        ("what it lasts", fixed, "Tea?", lasting(60), ""),
        ("another", fixed, "Tea?", lasting(61), "poll.duration_unused"),
        ("one of two", some, "Tea?", lasting(120), ""),
        ("none of two", some, "Tea?", lasting(90), "!poll.duration"),
        ("whole hours", hours, "Tea?", lasting(180), ""),
        ("half an hour more", hours, "Tea?", lasting(90), "!poll.duration"),
        ("too many hours", hours, "Tea?", lasting(240), "!poll.duration"),
        ("no hour", hours, "Tea?", lasting(0), "!poll.duration"),
    ] {
        let mut poll = json!({"options": ["Tea", "Milk"]});
        for (key, value) in more.as_object().expect("fields") {
            poll[key] = value.clone();
        }
        let want: Vec<&str> = want.split_terminator(' ').collect();
        let options = json!({ "poll": poll });
        assert_eq!(found(platform, content, &options, &json!([])), want, "{case}");
    }
}
