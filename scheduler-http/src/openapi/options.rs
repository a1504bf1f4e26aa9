//! Targets as they are sent, with the options of each network, read from its sheet.

use scheduler_core::platform::{
    CapabilitySheet, OptionFact, OptionValue, Platform, PollDuration, PollFigures, Required, Shape,
    TagBounds, TextUnit,
};
use scheduler_core::post::{OPTIONS_MAX_BYTES, OPTIONS_MAX_VALUES};
use serde_json::{Map, Value, json};

use super::derived::Components;
use super::schema::{named, object, one_of, said, text, uuid, with};

/// Adds what a target of each network may be, in place of what the type says of all.
pub(super) fn add_to(components: &mut Components) {
    let of_all = components.take("TargetInput");
    components.add("TargetInput", any_target());
    for platform in Platform::ALL {
        components.add(&target_name(platform), target(platform, of_all.clone()));
        components.add(&options_name(platform), options(platform.sheet()));
    }
}

fn target_name(platform: Platform) -> String {
    format!("{}Target", capital(platform))
}

fn options_name(platform: Platform) -> String {
    format!("{}Options", capital(platform))
}

/// The wire name with a capital.
fn capital(platform: Platform) -> String {
    let name = platform.as_str();
    name[..1].to_ascii_uppercase() + &name[1..]
}

/// A target of whichever network.
fn any_target() -> Value {
    let refs: Vec<Value> =
        Platform::ALL.into_iter().map(|platform| named(&target_name(platform))).collect();
    let mapping: Map<String, Value> = Platform::ALL
        .into_iter()
        .map(|platform| {
            let schema = format!("#/components/schemas/{}", target_name(platform));
            (platform.as_str().to_owned(), json!(schema))
        })
        .collect();
    json!({
        "description": "One network account that the post goes to. `platform` says whose settings `options` are.",
        "oneOf": refs,
        "discriminator": {"propertyName": "platform", "mapping": mapping},
    })
}

/// A target of a network: what the type says of all, with the options of this one.
fn target(platform: Platform, mut schema: Value) -> Value {
    let sheet = platform.sheet();
    let needs_options = sheet.options.iter().any(|option| option.required != Required::No);
    let own = named(&options_name(platform));
    let options = if needs_options { own } else { json!({"anyOf": [own, {"type": "null"}]}) };
    let bounds = format!(
        "At most {OPTIONS_MAX_BYTES} bytes of JSON and {OPTIONS_MAX_VALUES} values, counted at every depth."
    );
    schema["properties"]["platform"] = one_of([platform.as_str()]);
    schema["properties"]["options"] = said(options, &bounds);
    schema["required"] =
        if needs_options { json!(["platform", "options"]) } else { json!(["platform"]) };
    said(schema, &format!("An account of {}.", sheet.name))
}

/// The options of a network. Further keys are kept, and a warning names them.
fn options(sheet: &CapabilitySheet) -> Value {
    let properties: Map<String, Value> =
        sheet.options.iter().map(|option| (option.key.to_owned(), value_of(option))).collect();
    let always: Vec<&str> = sheet
        .options
        .iter()
        .filter(|option| matches!(option.required, Required::Always(_)))
        .map(|option| option.key)
        .collect();
    let mut schema = json!({
        "type": "object",
        "description": format!(
            "The options of {}. A key that it does not know is kept and answered with a warning.",
            sheet.name
        ),
        "properties": properties,
        "additionalProperties": true,
    });
    if !always.is_empty() {
        schema["required"] = json!(always);
    }
    let unless = sheet.options.iter().find_map(|option| match option.required {
        Required::Unless { flag, .. } => Some((option.key, flag)),
        Required::No | Required::Always(_) => None,
    });
    if let Some((key, flag)) = unless {
        schema["anyOf"] = json!([
            {"required": [key]},
            {"required": [flag], "properties": {flag: {"const": true}}},
        ]);
    }
    schema
}

/// What an option is for, and where its values are listed.
fn purpose(option: &OptionFact) -> String {
    let words = match option.about {
        "" => format!("{}.", option.label),
        about => about.to_owned(),
    };
    let listed_at = match option.key {
        "playlistId" => "/oauth/accounts/{id}/youtube/playlists",
        "boardId" => "/oauth/accounts/{id}/boards",
        _ => return words,
    };
    format!("{}, from `GET {listed_at}`.", words.trim_end_matches('.'))
}

fn value_of(option: &OptionFact) -> Value {
    let words = |sentence: String| match option.required {
        Required::No => sentence,
        Required::Always(_) => format!("{sentence} Required."),
        Required::Unless { flag, .. } => format!("{sentence} Required unless `{flag}` is true."),
    };
    let (schema, sentence) = match option.value {
        OptionValue::Caption => {
            (text(), "The text for this network, in place of `content`.".to_owned())
        }
        OptionValue::Text { bound, needs_text, forbidden } => {
            let mut schema = text();
            let mut sentence = purpose(option);
            if needs_text {
                schema = with(schema, json!({"minLength": 1}));
            }
            if let Some(bound) = bound {
                let (limit, unit) = (bound.limit, bound.unit.definition());
                sentence.push_str(&format!(" At most {limit} {unit}."));
                if bound.unit == TextUnit::CodePoints {
                    schema = with(schema, json!({"maxLength": limit}));
                }
            }
            if !forbidden.is_empty() {
                schema = with(schema, json!({"pattern": without(forbidden)}));
            }
            (schema, sentence)
        }
        OptionValue::OneOf(values) => (one_of(values.iter().copied()), purpose(option)),
        OptionValue::Flag => (json!({"type": "boolean"}), purpose(option)),
        OptionValue::Digits { max_length } => (
            with(text(), json!({"pattern": format!("^[0-9]{{1,{max_length}}}$")})),
            format!("{} A number in a string.", purpose(option)),
        ),
        OptionValue::Tags(bounds) => {
            (tags(&bounds), "An array of strings, or one string with commas.".to_owned())
        }
        OptionValue::UserNames { max_items, max_length } => (
            json!({
                "type": "array",
                "items": {"type": "string", "minLength": 1},
                "maxItems": max_items,
            }),
            format!("User names, each at most {max_length} characters without the @."),
        ),
        OptionValue::Uuid => (uuid(), purpose(option)),
        OptionValue::SomeOf(values) => (
            json!({
                "type": "array",
                "items": one_of(values.iter().copied()),
                "minItems": 1,
                "maxItems": values.len(),
            }),
            purpose(option),
        ),
        OptionValue::Integer { least, most } => {
            (json!({"type": "integer", "minimum": least, "maximum": most}), purpose(option))
        }
        OptionValue::Language => (
            with(text(), json!({"pattern": LANGUAGE})),
            format!("{} A language tag, such as `en` or `pt-BR`.", purpose(option)),
        ),
        OptionValue::Languages { max_items } => (
            json!({
                "type": "array",
                "items": {"type": "string", "pattern": LANGUAGE},
                "maxItems": max_items,
            }),
            format!("{} Language tags, such as `en` or `pt-BR`.", purpose(option)),
        ),
        OptionValue::Address { max_length } => {
            let schema = json!({"type": "string", "format": "uri"});
            let bound = max_length.map_or(Value::Null, |most| json!({"maxLength": most}));
            (with(schema, bound), purpose(option))
        }
        OptionValue::Texts { min_items, max_items, bound } => {
            let (limit, unit) = (bound.limit, bound.unit.definition());
            (
                json!({
                    "type": "array",
                    "items": {"type": "string", "minLength": 1},
                    "minItems": min_items,
                    "maxItems": max_items,
                }),
                format!("{} Each at most {limit} {unit}.", purpose(option)),
            )
        }
        OptionValue::Poll(figures) => (poll(&figures), "A poll under the text.".to_owned()),
        OptionValue::Shaped(shape) => (shaped(shape), purpose(option)),
        OptionValue::Thread { max_items } => (
            json!({
                "type": "array",
                "items": part(),
                "minItems": 1,
                "maxItems": max_items,
            }),
            "The posts that follow the first, which carries link and poll.".to_owned(),
        ),
        OptionValue::Subtitles { max_name_length, max_content_bytes } => (
            json!({"type": "array", "items": subtitles(max_name_length, max_content_bytes)}),
            "Subtitles of the video.".to_owned(),
        ),
    };
    said(schema, &words(sentence))
}

/// A later part of a thread.
fn part() -> Value {
    let file = json!({"type": "string", "format": "uuid"});
    let alt_text = json!({"type": ["string", "null"]});
    json!({"anyOf": [text(), {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "Its text; may be left out beside files."},
            "mediaIds": {
                "type": "array", "items": file, "uniqueItems": true,
                "description": "Its files, in order; each must be `ready`.",
            },
            "altTexts": {
                "type": "array", "items": alt_text,
                "description": "A description for each file, in the order of `mediaIds`.",
            },
        },
        "additionalProperties": false,
    }]})
}

fn shaped(shape: &Shape) -> Value {
    match shape {
        Shape::Text(most) => with(text(), json!({"minLength": 1, "maxLength": most})),
        Shape::Flag => json!({"type": "boolean"}),
        Shape::OneOf(values) => one_of(values.iter().copied()),
        Shape::Digits(most) => with(text(), json!({"pattern": format!("^[0-9]{{1,{most}}}$")})),
        Shape::Integer { least, most } => {
            json!({"type": "integer", "minimum": least, "maximum": most})
        }
        Shape::Uuid => json!({"type": "string", "format": "uuid"}),
        Shape::Color => with(text(), json!({"pattern": "^#[0-9A-Fa-f]{6}$"})),
        Shape::Instant => json!({"type": "string", "format": "date-time"}),
        Shape::Date => json!({"type": "string", "format": "date"}),
        Shape::Language => with(text(), json!({"description": "A language tag."})),
        Shape::Address(_, most) => json!({"type": "string", "format": "uri", "maxLength": most}),
        Shape::List { item, max_items } => {
            json!({"type": "array", "items": shaped(item), "maxItems": max_items})
        }
        Shape::Object(members) => {
            let properties: Map<String, Value> = members
                .iter()
                .map(|member| (member.key.to_owned(), shaped(&member.shape)))
                .collect();
            let required: Vec<&str> = members
                .iter()
                .filter(|member| member.is_required)
                .map(|member| member.key)
                .collect();
            let mut schema = json!({"type": "object", "properties": properties});
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            schema
        }
        Shape::FalseOr(inner) => {
            json!({"anyOf": [{"type": "boolean", "const": false}, shaped(inner)]})
        }
        _ => json!({}),
    }
}

fn tags(bounds: &TagBounds) -> Value {
    let mut item = text();
    if let Some(limit) = bounds.max_length {
        item["description"] = json!(format!("At most {limit} characters without the #."));
    }
    if !bounds.forbidden.is_empty() {
        item["pattern"] = json!(without(bounds.forbidden));
    }
    let mut array = json!({"type": "array", "items": item});
    if let Some(limit) = bounds.max_total {
        array["description"] = json!(format!("At most {limit} characters together."));
    }
    // Repeats that differ only in case count once, so the list itself may be longer.
    if let Some(limit) = bounds.max_items {
        array["description"] = json!(format!("At most {limit} different tags."));
    }
    json!({"anyOf": [array, {"type": "string"}]})
}

/// A language tag: letters, then groups of letters and digits.
const LANGUAGE: &str = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$";

fn poll(figures: &PollFigures) -> Value {
    let options = json!({
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": figures.max_length},
        "minItems": figures.min_items,
        "maxItems": figures.max_items,
    });
    let question = match figures.max_question {
        Some(most) => said(
            with(text(), json!({"maxLength": most})),
            "What is asked; the text of the post where it is left out.",
        ),
        None => said(text(), "Not used: the text of the post is the question."),
    };
    let minutes = match figures.duration {
        PollDuration::Fixed(minutes) => {
            said(json!({"type": "integer"}), &format!("Not used: a poll lasts {minutes} minutes."))
        }
        PollDuration::OneOf(allowed) => json!({"type": "integer", "enum": allowed}),
        PollDuration::Between(least, most) => {
            json!({"type": "integer", "minimum": least, "maximum": most})
        }
        PollDuration::WholeHours(least, most) => {
            json!({"type": "integer", "minimum": least, "maximum": most, "multipleOf": 60})
        }
    };
    let multiple = if figures.multiple {
        json!({"type": "boolean"})
    } else {
        json!({"type": "boolean", "const": false})
    };
    object([
        ("options", options),
        ("question?", question),
        ("durationMinutes?", minutes),
        ("multiple?", multiple),
        ("hideResults?", json!({"type": "boolean"})),
    ])
}

fn subtitles(max_name_length: u32, max_content_bytes: u32) -> Value {
    object([
        ("language", said(text(), "A language tag, such as `en` or `pt-BR`.")),
        ("name?", with(text(), json!({"maxLength": max_name_length}))),
        ("format", one_of(["srt", "vtt"])),
        ("content", said(text(), &format!("The file's text, at most {max_content_bytes} bytes."))),
    ])
}

/// The pattern of a text without these characters.
fn without(characters: &[char]) -> String {
    let class: String = characters
        .iter()
        .flat_map(|character| {
            let escaped = matches!(character, '/' | '-' | ']' | '^' | '\\');
            escaped.then_some('\\').into_iter().chain([*character])
        })
        .collect();
    format!("^[^{class}]*$")
}
