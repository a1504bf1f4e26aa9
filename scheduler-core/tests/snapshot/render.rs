//! A post and its answers as a few lines.

use std::fmt::Write as _;
use std::ops::Range;

use scheduler_core::media::Decoding;
use scheduler_core::platform::{CapabilitySheet, Platform};
use scheduler_core::rules::{Severity, ValidationIssue};
use scheduler_core::text::{compose, count, entities, facets, twitter};
use serde_json::Value;

use crate::case::{Case, Files};
use crate::shown;

/// Longest text of which counts and finds are shown, in bytes.
const FINDS_UP_TO: usize = 400;

/// Most links and the like that are shown one by one.
const SHOWN: usize = 6;

/// From how many networks on the last group is called "others".
const MANY: usize = 6;

/// A post with its name, what it is made of, and what each network says.
pub(crate) fn of_case(case: &Case) -> String {
    let mut lines = format!("## {}\n", case.name);
    let mut field = |name: &str, value: String| {
        let _ = writeln!(lines, "   {name}: {value}");
    };
    field("text", shown::of_text(&case.content));
    if let Some(link_url) = &case.link_url {
        field("link", shown::of_text(link_url));
    }
    if let Files::These(media) = &case.files {
        field("files", if media.is_empty() { "none".to_owned() } else { shown::of_files(media) });
    }
    if !case.alt_texts.is_empty() {
        let texts = case.alt_texts.iter();
        let texts = texts.map(|text| text.as_deref().map_or("none".to_owned(), shown::of_text));
        field("alt texts", texts.collect::<Vec<_>>().join(", "));
    }
    if let Some(media) = &case.own_files {
        let files = if media.is_empty() { "none".to_owned() } else { shown::of_files(media) };
        field("files of each target", files);
    }
    for details in &case.details {
        field("said of a file", shown_options(&serde_json::to_value(details).unwrap()));
    }
    let options = case.options.iter();
    let options = options.map(|(of, given)| (*of, shown_options(&Value::Object(given.clone()))));
    for (platforms, options) in together(options) {
        field(&format!("options of {platforms}"), options);
    }
    let limits = case.limits.iter();
    let limits = limits.map(|(of, given)| (*of, serde_json::to_string(given).unwrap()));
    for (platforms, limits) in together(limits) {
        field(&format!("limits of the account of {platforms}"), limits);
    }
    if let Some(left) = case.context.posts_left {
        field("posts left", left.to_string());
    }
    match case.context.decoding {
        Decoding::EVERYTHING => field("converts", "videos too".to_owned()),
        Decoding { pictures: true, heif: true, .. } => {}
        Decoding::NOTHING => field("reads", "no pictures".to_owned()),
        Decoding { .. } => field("reads", "no HEIC and AVIF".to_owned()),
    }
    if !case.content.is_empty() && case.content.len() <= FINDS_UP_TO {
        field("lengths", lengths(case));
        for (noun, found) in finds(&case.content) {
            field(noun, found);
        }
    }
    for (platforms, answer) in answers(case) {
        match answer.as_slice() {
            [] => {
                let _ = writeln!(lines, "{platforms}: ok");
            }
            [one] => {
                let _ = writeln!(lines, "{platforms}: {one}");
            }
            several => {
                let _ = writeln!(lines, "{platforms}:");
                for one in several {
                    let _ = writeln!(lines, "  {one}");
                }
            }
        }
    }
    lines
}

/// What networks have in common, with their names.
fn together(given: impl Iterator<Item = (Platform, String)>) -> Vec<(String, String)> {
    let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
    for (platform, text) in given {
        match groups.iter_mut().find(|(_, other)| *other == text) {
            Some((names, _)) => names.push(platform.as_str()),
            None => groups.push((vec![platform.as_str()], text)),
        }
    }
    let is_all = |names: &[&str]| names.len() == Platform::ALL.len();
    let named = |(names, text): (Vec<&str>, String)| {
        (if is_all(&names) { "all".to_owned() } else { names.join(" ") }, text)
    };
    groups.into_iter().map(named).collect()
}

/// Options as JSON, with long texts as a description.
fn shown_options(value: &Value) -> String {
    match value {
        Value::String(text) => shown::of_text(text),
        Value::Array(items) => {
            let mut groups: Vec<(String, usize)> = Vec::new();
            for item in items.iter().map(shown_options) {
                match groups.last_mut() {
                    Some((last, times)) if *last == item => *times += 1,
                    _ => groups.push((item, 1)),
                }
            }
            let shown = groups
                .into_iter()
                .map(|(item, times)| if times > 1 { format!("{times} × {item}") } else { item });
            let shown: Vec<String> = shown.collect();
            if shown.len() > 8 {
                format!("[{}, … {} in all]", shown[..4].join(", "), items.len())
            } else {
                format!("[{}]", shown.join(", "))
            }
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields: Vec<String> = fields
                .map(|(key, value)| format!("{}: {}", shown::of_text(key), shown_options(value)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// How long the text is for each network, networks with the same number together.
fn lengths(case: &Case) -> String {
    let mut groups: Vec<(usize, Vec<&str>)> = Vec::new();
    for platform in Platform::ALL {
        let media = case.media_for(platform);
        let link_url = case.link_url.as_deref();
        let options = case.options_for(platform);
        let composed = compose(&case.content, link_url, !media.is_empty(), platform, &options);
        let length = count::length(platform.sheet().text.unit, composed.text());
        match groups.iter_mut().find(|(other, _)| *other == length) {
            Some((_, names)) => names.push(platform.as_str()),
            None => groups.push((length, vec![platform.as_str()])),
        }
    }
    groups.sort_by_key(|(length, _)| *length);
    if let [(length, _)] = groups.as_slice() {
        return format!("{length} for all");
    }
    // The largest group comes last and can be named by what it is not.
    if let Some(largest) = groups.iter().map(|(_, names)| names.len()).max()
        && largest >= MANY
        && let Some(index) = groups.iter().position(|(_, names)| names.len() == largest)
    {
        let (length, _) = groups.remove(index);
        groups.push((length, vec!["others"]));
    }
    let groups = groups.into_iter().map(|(length, names)| format!("{length} {}", names.join(" ")));
    groups.collect::<Vec<_>>().join(", ")
}

/// What is found in a text, where anything is; those of X and Bluesky where they differ.
fn finds(text: &str) -> Vec<(&'static str, String)> {
    let quoted = |ranges: &[Range<usize>]| {
        let found = ranges.iter().take(SHOWN).map(|range| shown::of_text(&text[range.clone()]));
        let found: Vec<String> = found.collect();
        let rest = if ranges.len() > SHOWN {
            format!(", … {} in all", ranges.len())
        } else {
            String::new()
        };
        format!("{}{rest}", found.join(", "))
    };
    let entities = [
        ("links found", entities::links(text)),
        ("hashtags found", entities::hashtags(text)),
        ("mentions found", entities::mentions(text)),
        ("cashtags found", entities::cashtags(text)),
    ];
    let of_x = [
        ("links of X", twitter::links(text)),
        ("hashtags of X", twitter::hashtags(text)),
        ("mentions of X", twitter::mentions(text)),
        ("cashtags of X", twitter::cashtags(text)),
    ];
    let facets = facets::detect(text).into_iter().map(|candidate| candidate.bytes);
    let of_bluesky: Vec<Range<usize>> = facets.collect();
    let mut of_all: Vec<Range<usize>> =
        entities.iter().flat_map(|(_, ranges)| ranges.iter().cloned()).collect();
    of_all.sort_by_key(|range| range.start);
    let found = entities.iter().filter(|(_, ranges)| !ranges.is_empty());
    let mut lines: Vec<_> = found.map(|(noun, ranges)| (*noun, quoted(ranges))).collect();
    let or_none = |ranges: &[Range<usize>]| {
        if ranges.is_empty() { "none".to_owned() } else { quoted(ranges) }
    };
    for ((noun, ranges), (_, ranges_of_all)) in of_x.iter().zip(&entities) {
        if ranges != ranges_of_all {
            lines.push((noun, or_none(ranges)));
        }
    }
    if of_bluesky != of_all {
        lines.push(("facets of Bluesky", or_none(&of_bluesky)));
    }
    lines
}

/// The answers, networks with the same one together, in the order of the networks and "ok" last.
///
/// Answers are the same when they differ in nothing but the network's name and its limits, which
/// follow the network, as in `bluesky=300`.
fn answers(case: &Case) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for platform in case.platforms.iter().copied() {
        let mut limits = Vec::new();
        let issues = case.check(platform);
        let issues = issues.iter().map(|issue| of_issue(issue, platform.sheet(), &mut limits));
        let answer: Vec<String> = issues.collect();
        let name = if limits.is_empty() {
            platform.to_string()
        } else {
            format!("{platform}={}", limits.join("/"))
        };
        match groups.iter_mut().find(|(_, other)| *other == answer) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], answer)),
        }
    }
    groups.sort_by_key(|(_, answer)| answer.is_empty());
    let count = groups.len();
    let named = |(index, (names, answer)): (usize, (Vec<String>, Vec<String>))| {
        let name = if names.len() == Platform::ALL.len() {
            "all".to_owned()
        } else if index + 1 == count && answer.is_empty() && names.len() >= MANY {
            "others".to_owned()
        } else {
            names.join(" ")
        };
        (name, answer)
    };
    groups.into_iter().enumerate().map(named).collect()
}

/// An issue without the network's name and limit, so that equal ones stand together.
fn of_issue(issue: &ValidationIssue, sheet: &CapabilitySheet, limits: &mut Vec<String>) -> String {
    let severity = match issue.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let prefix = format!("{}.", sheet.platform);
    let rule = issue.rule.strip_prefix(&prefix).unwrap_or(&issue.rule);
    let message = without_limit(&without_name(&issue.message, sheet.short_name), limits);
    let code = issue.code.as_deref().map_or(String::new(), |code| format!(" ({code})"));
    format!("{severity} {rule}{code}: {message}")
}

/// Moves the figure after "the limit is" or "the least is" to the limits.
fn without_limit(message: &str, limits: &mut Vec<String>) -> String {
    for start in ["the limit is ", "the least is "] {
        if let Some((before, after)) = message.split_once(start) {
            let is_figure = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
            let end = after.find(|c| !is_figure(c)).unwrap_or(after.len());
            let figure = after[..end].trim_end_matches(['.', ',']);
            if !figure.is_empty() {
                limits.push(figure.replace(',', ""));
                return format!("{before}{start}<figure>{}", &after[figure.len()..]);
            }
        }
    }
    message.to_owned()
}

fn without_name(message: &str, name: &str) -> String {
    let is_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    let mut plain = String::with_capacity(message.len());
    let mut from = 0;
    for (at, found) in message.match_indices(name) {
        if !is_word(message[..at].chars().next_back())
            && !is_word(message[at + found.len()..].chars().next())
        {
            plain.push_str(&message[from..at]);
            plain.push_str("<network>");
            from = at + found.len();
        }
    }
    plain.push_str(&message[from..]);
    plain
}
