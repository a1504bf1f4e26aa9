//! The figures of options.

use scheduler_core::platform::{
    Effect, OptionFact, OptionValue, PollDuration, PollFigures, TagBounds, TextBound,
};
use scheduler_core::rules::{MediaFacts, MediaKind};
use serde_json::{Value, json};

use super::{Walk, filled, numbered, walk, widened};
use crate::case::{text, video};

#[test]
fn the_rules_enforce_every_figure_of_options() {
    walk(20, |walk, sheet| {
        for option in sheet.options {
            option_figures(walk, option);
        }
    });
}

fn option_figures(walk: &mut Walk, option: &OptionFact) {
    let (platform, key) = (walk.platform, option.key);
    let with = |value: Value| text("", "Hello").with(platform, json!({ key: value }));
    let check = |what: &str| format!("{}.{what}", option.subject);
    match option.value {
        OptionValue::Caption
        | OptionValue::OneOf(_)
        | OptionValue::SomeOf(_)
        | OptionValue::Flag
        | OptionValue::Uuid
        | OptionValue::Shaped(_)
        | OptionValue::Language
        | OptionValue::Address { max_length: None }
        | OptionValue::Text { bound: None, .. } => {}
        OptionValue::Integer { least, most } => {
            // A place in a video is one in this video, unless its length is not known.
            let endless = MediaFacts { duration_seconds: None, ..video() };
            let is_of_images = option.effect == Effect::WithImages;
            let is_in_video = platform.sheet().takes(MediaKind::Video) && !is_of_images;
            // Something has to stand below it.
            let paragraphs = vec!["a"; 1_000].join("\n\n");
            let with = |value: Value| match key {
                "readMoreAfter" => {
                    text("", paragraphs.as_str()).with(platform, json!({ key: value }))
                }
                _ => with(value),
            };
            let of = |number: i64| match is_in_video && key != "readMoreAfter" {
                true => with(json!(number)).media([endless.clone()]),
                false => with(json!(number)),
            };
            let digits = |number: i64| u64::try_from(number.abs()).unwrap();
            walk.refuses(digits(least), &check("out_of_bounds"), &of(least), &of(least - 1));
            walk.refuses(digits(most), &check("out_of_bounds"), &of(most), &of(most + 1));
        }
        OptionValue::Languages { max_items } => {
            let of = |count| with(json!(vec!["en"; widened(count)]));
            walk.refuses(max_items, &check("too_many"), &of(max_items), &of(max_items + 1));
        }
        OptionValue::Address { max_length: Some(limit) } => {
            // Some name a post.
            let start = match key {
                "reblogOf" => "https://www.tumblr.com/staff/1/",
                _ => "https://example.com/",
            };
            let of = |length: u32| with(json!(format!("{start:a<0$}", widened(length))));
            walk.refuses(limit, &check("malformed"), &of(limit), &of(limit + 1));
        }
        OptionValue::Texts { min_items, max_items, bound: TextBound { limit, unit } } => {
            // Passages have to stand in the text.
            let with = |texts: Value| {
                let passages = texts.as_array().filter(|_| key == "spoilers");
                let passages = passages.into_iter().flatten().filter_map(Value::as_str);
                let content = ["Hello"].into_iter().chain(passages).collect::<Vec<_>>();
                let content = if key == "spoilers" { &content[1..] } else { &content[..1] };
                text("", content.join("\n")).with(platform, json!({ key: texts }))
            };
            let of = |count| with(json!(numbered(count)));
            let long = |more| {
                let mut texts = vec!["a".to_owned(); widened(min_items.max(1)) - 1];
                texts.push(filled(unit, limit.into()) + more);
                with(json!(texts))
            };
            if min_items > 0 {
                walk.refuses(min_items, &check("too_few"), &of(min_items), &of(min_items - 1));
            }
            walk.refuses(max_items, &check("too_many"), &of(max_items), &of(max_items + 1));
            walk.refuses(limit, &check("too_long"), &long(""), &long("a"));
        }
        OptionValue::Text { bound: Some(TextBound { limit, unit }), .. } => {
            let of = |more| match key {
                // It is part of an address, which has no other letters.
                "slug" => with(json!("a".repeat(widened(limit)) + more)),
                _ => with(json!(filled(unit, limit.into()) + more)),
            };
            walk.refuses(limit, &check("too_long"), &of(""), &of("a"));
        }
        OptionValue::Digits { max_length } => {
            let of = |length| with(json!("1".repeat(widened(length))));
            walk.refuses(max_length, &check("malformed"), &of(max_length), &of(max_length + 1));
        }
        OptionValue::Tags(TagBounds {
            max_items,
            warned_above,
            max_length,
            max_total,
            forbidden: _,
            words: _,
        }) => {
            let of = |count| with(json!(numbered(count)));
            let long = |length| with(json!(["é".repeat(widened(length))]));
            if let Some(limit) = max_items {
                walk.refuses(limit, &check("too_many"), &of(limit), &of(limit + 1));
            }
            if let Some(limit) = warned_above {
                walk.warns(limit, &check("many"), &of(limit), &of(limit + 1));
            }
            if let Some(limit) = max_length {
                walk.refuses(limit, &check("too_long"), &long(limit), &long(limit + 1));
            }
            if let Some(limit) = max_total {
                walk.refuses(limit, &check("too_long"), &long(limit), &long(limit + 1));
            }
        }
        OptionValue::UserNames { max_items, max_length } => {
            let of = |count| with(json!(numbered(count)));
            let long = |length| with(json!(["a".repeat(widened(length))]));
            walk.refuses(max_items, &check("too_many"), &of(max_items), &of(max_items + 1));
            walk.refuses(max_length, &check("malformed"), &long(max_length), &long(max_length + 1));
        }
        OptionValue::Poll(PollFigures {
            min_items,
            max_items,
            max_length,
            max_question,
            duration,
            ..
        }) => {
            let of = |count| with(json!({ "options": numbered(count) }));
            let long = |length| with(json!({ "options": ["é".repeat(widened(length)), "b"] }));
            let poll = |key: &str, value: Value| with(json!({ "options": ["a", "b"], key: value }));
            if let Some(limit) = max_question {
                let of = |length| poll("question", json!("é".repeat(widened(length))));
                walk.refuses(limit, &check("question_too_long"), &of(limit), &of(limit + 1));
            }
            let lasting = |minutes: u32| poll("durationMinutes", json!(minutes));
            match duration {
                PollDuration::Fixed(minutes) => {
                    let (at, beyond) = (lasting(minutes), lasting(minutes + 1));
                    walk.warns(minutes, &check("duration_unused"), &at, &beyond);
                }
                PollDuration::OneOf(allowed) => {
                    for minutes in allowed.iter().copied() {
                        let (at, beyond) = (lasting(minutes), lasting(minutes + 1));
                        walk.refuses(minutes, &check("duration"), &at, &beyond);
                    }
                }
                PollDuration::Between(least, most) => {
                    walk.refuses(least, &check("duration"), &lasting(least), &lasting(least - 1));
                    walk.refuses(most, &check("duration"), &lasting(most), &lasting(most + 1));
                }
                PollDuration::WholeHours(least, most) => {
                    walk.refuses(least, &check("duration"), &lasting(least), &lasting(least - 60));
                    walk.refuses(most, &check("duration"), &lasting(most), &lasting(most + 60));
                }
            }
            walk.refuses(min_items, &check("options"), &of(min_items), &of(min_items - 1));
            walk.refuses(max_items, &check("options"), &of(max_items), &of(max_items + 1));
            let (at, beyond) = (long(max_length), long(max_length + 1));
            walk.refuses(max_length, &check("option_too_long"), &at, &beyond);
        }
        OptionValue::Thread { max_items } => {
            let of = |count| with(json!(numbered(count)));
            walk.refuses(max_items, &check("too_many"), &of(max_items), &of(max_items + 1));
        }
        OptionValue::Subtitles { max_name_length, max_content_bytes } => {
            let of = |name: u32, bytes: u32| {
                let (name, content) = ("é".repeat(widened(name)), "a".repeat(widened(bytes)));
                let item =
                    json!({"language": "en-US", "format": "srt", "name": name, "content": content});
                with(json!([item]))
            };
            let (name, bytes) = (max_name_length, max_content_bytes);
            walk.refuses(name, &check("malformed"), &of(name, 1), &of(name + 1, 1));
            walk.refuses(bytes, &check("malformed"), &of(1, bytes), &of(1, bytes + 1));
        }
    }
}
