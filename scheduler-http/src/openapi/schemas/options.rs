//! Targets as they are sent, with the options of each network, read from its sheet.

use scheduler_core::platform::{
    CapabilitySheet, OptionFact, OptionValue, Platform, Required, TagBounds, TextUnit,
};
use scheduler_core::post::{OPTIONS_MAX_BYTES, OPTIONS_MAX_VALUES};
use serde_json::{Map, Value, json};

use crate::openapi::schema::{named, object, one_of, said, text, uuid, with};

pub(super) fn schemas() -> Vec<(String, Value)> {
    let mut schemas = vec![
        ("TargetInput".to_owned(), any_target()),
        ("TargetToCheck".to_owned(), target_to_check()),
    ];
    for platform in Platform::ALL {
        schemas.push((target_name(platform), target(platform)));
        schemas.push((options_name(platform), options(platform.sheet())));
    }
    schemas
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

fn account_id() -> Value {
    said(
        json!({"type": ["string", "null"], "format": "uuid"}),
        "Which connected account. May be left out when the workspace has one of the network.",
    )
}

fn target(platform: Platform) -> Value {
    let sheet = platform.sheet();
    let needs_options = sheet.options.iter().any(|option| option.required != Required::No);
    let name = if needs_options { "options" } else { "options?" };
    let own = named(&options_name(platform));
    let options = if needs_options { own } else { json!({"anyOf": [own, {"type": "null"}]}) };
    let bounds = format!(
        "At most {OPTIONS_MAX_BYTES} bytes of JSON and {OPTIONS_MAX_VALUES} values, counted at every depth."
    );
    let schema = object([
        ("platform", one_of([platform.as_str()])),
        ("accountId?", account_id()),
        (name, said(options, &bounds)),
    ]);
    said(schema, &format!("An account of {}.", sheet.name))
}

/// A target of a dry run, which says itself what is wrong with the options.
fn target_to_check() -> Value {
    let schema = object([
        ("platform", named("Platform")),
        ("accountId?", account_id()),
        (
            "options?",
            said(
                json!({"type": ["object", "null"]}),
                "Those of the network, as in TargetInput; what is wrong with them becomes an issue.",
            ),
        ),
    ]);
    said(schema, "One network account that a post might go to.")
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

/// What an option is for.
fn purpose(option: &OptionFact) -> String {
    let words = match option.key {
        "title" => "The title.",
        "categoryId" => "YouTube's id of a category.",
        "privacy" => "Who sees it.",
        "playlistId" => {
            "The playlist that the video is added to, from `GET /oauth/accounts/{id}/youtube/playlists`."
        }
        "thumbnailMediaId" => "The id of an image, which must be `ready`: the thumbnail.",
        "firstComment" => "A comment of the account's own, written once the post is live.",
        "allowComments" => "Whether others may comment.",
        "asDraft" => "Hand it to the creator as a draft, to be published by them.",
        "placement" => "Where it appears.",
        "shareToFeed" => "Whether a reel appears in the feed as well.",
        "asReel" => "Publish the video as a reel.",
        "boardId" => "The board, from `GET /oauth/accounts/{id}/boards`.",
        "visibility" => "Who sees it.",
        "spoilerText" => "A content warning that hides the text; it counts with the text.",
        "threadName" => "The name of the thread that the post begins.",
        _ => return format!("{}.", option.label),
    };
    words.to_owned()
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
        OptionValue::Poll { min_items, max_items, max_length } => (
            object([(
                "options",
                json!({
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": max_length},
                    "minItems": min_items,
                    "maxItems": max_items,
                }),
            )]),
            "A poll under the text.".to_owned(),
        ),
        OptionValue::Thread { max_items } => (
            json!({
                "type": "array",
                "items": {"type": "string"},
                "minItems": 1,
                "maxItems": max_items,
            }),
            "The posts that follow the first, which carries files, link and poll.".to_owned(),
        ),
        OptionValue::Subtitles { max_name_length, max_content_bytes } => (
            json!({"type": "array", "items": subtitles(max_name_length, max_content_bytes)}),
            "Subtitles of the video.".to_owned(),
        ),
    };
    said(schema, &words(sentence))
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
