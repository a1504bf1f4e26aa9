//! What can be said of a line without a server.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::app::CheckInput;
use scheduler_core::error::Refusal;
use scheduler_core::platform::Platform;
use scheduler_core::post::PostInput;
use scheduler_core::rules::ValidationIssue;
use scheduler_core::timing::{PAST_TOLERANCE, Timing, parse_local};
use scheduler_http::directions;
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::bodies::networks;
use super::entry::{Entry, Piece};
use super::fault::Fault;
use super::files::Measures;
use super::source::Source;
use super::times::{instant_fault, local_fault};

/// The fields that say when a post goes out.
const TIMES: [&str; 5] = ["scheduledAt", "scheduledLocal", "queue", "publishNow", "saveAsDraft"];

/// How far behind UTC a zone is at most.
///
/// Source: IANA time zone database, `Etc/GMT+12`.
const FARTHEST_WEST: TimeDelta = TimeDelta::hours(12);

/// The fields of a post that a check reads.
///
/// Source: interface description, POST /platforms/validate; `linkUrl` is an addition of ours.
const CHECKED: [&str; 5] = ["content", "linkUrl", "mediaIds", "altTexts", "targets"];

/// What is wrong with a line, as far as this machine knows: its fields, its time, its files, and
/// what the networks' capability sheets say.
pub(super) fn verify(
    source: &Source,
    entry: &Entry,
    measures: &mut Measures,
    now: DateTime<Utc>,
) -> Vec<Fault> {
    let line = entry.line;
    let targets = networks(entry);
    let mut body = entry.body.clone();
    // Which networks `all` stands for only a server knows; any one keeps the form.
    let known = targets.clone().unwrap_or_else(|| json!([{"platform": Platform::ALL[0]}]));
    body.insert("targets".to_owned(), known);
    let mut faults = form_faults(source, line, &body);
    faults.extend(time_faults(source, line, &entry.body, now));
    for piece in &entry.files {
        if let Piece::Local(name, path) = piece
            && let Err(reason) = measures.measure(path)
        {
            let reason = reason.strip_prefix(&path.display().to_string()).unwrap_or(&reason).trim();
            faults.push(Fault::error(line, "media", format!("{name} {reason}")));
        }
    }
    let has_stored = entry.body.get("mediaIds").is_some_and(|ids| !ids.is_null())
        || entry.files.iter().any(|piece| matches!(piece, Piece::Stored(_)));
    // What files of the server are, and which networks `all` means, only the server knows.
    if !faults.iter().any(Fault::is_error) && !has_stored && targets.is_some() {
        faults.extend(rule_faults(source, entry, &body, measures));
    }
    faults
}

/// The body of a check of a line.
pub(super) fn check_body(
    entry: &Entry,
    targets: &Value,
    measures: &mut Measures,
) -> Map<String, Value> {
    let mut body = entry.body.clone();
    body.insert("targets".to_owned(), targets.clone());
    body.retain(|name, _| CHECKED.contains(&name.as_str()));
    measures.describe(entry, &mut body);
    body
}

fn rule_faults(
    source: &Source,
    entry: &Entry,
    body: &Map<String, Value>,
    measures: &mut Measures,
) -> Vec<Fault> {
    let targets = body.get("targets").cloned().unwrap_or_default();
    let check = Value::Object(check_body(entry, &targets, measures));
    let report = match CheckInput::deserialize(&check) {
        Ok(input) => input.check_by_sheets(),
        Err(error) => return vec![Fault::error(entry.line, "line", error.to_string())],
    };
    match report {
        Ok(mut report) => {
            directions::add_to_report(&mut report);
            issue_faults(source, entry.line, &report.issues, &targets)
        }
        Err(refusal) => vec![refused(source, entry.line, &refusal)],
    }
}

/// What the networks say, as faults of a line.
pub(super) fn issue_faults(
    source: &Source,
    line: u64,
    issues: &[ValidationIssue],
    targets: &Value,
) -> Vec<Fault> {
    issues.iter().map(|issue| issue_fault(source, line, issue, targets)).collect()
}

fn issue_fault(source: &Source, line: u64, issue: &ValidationIssue, targets: &Value) -> Fault {
    let (field, advice) = place(source, issue, targets);
    Fault {
        line,
        field,
        severity: issue.severity,
        message: issue.message.clone(),
        advice,
        rule: Some(issue.rule.clone().into_owned()),
    }
}

/// Where an issue is mended, and how, where its rule tells.
fn place(source: &Source, issue: &ValidationIssue, targets: &Value) -> (String, Option<String>) {
    let name = |field: &str| source.field_name(field);
    let (_, check) = issue.rule.split_once('.').unwrap_or(("", &issue.rule));
    let (subject, problem) = check.rsplit_once('.').unwrap_or((check, ""));
    if let Some(platform) = issue.platform {
        let option = platform.sheet().options.iter().find(|option| option.subject == subject);
        if let Some(option) = option {
            let key = option.key;
            let field = match source.field_name("targets").as_str() {
                "to" => format!("option.{platform}.{key}"),
                _ => match issue.target {
                    Some(index) => format!("targets[{index}].options.{key}"),
                    None => format!("targets.options.{key}"),
                },
            };
            let advice = (problem == "missing").then(|| format!("set {field}"));
            return (field, advice);
        }
    }
    let named = issue.target.and_then(|index| targets.get(index)?.get("platform")?.as_str());
    let advice = match (subject, named) {
        ("account", Some(platform)) => {
            Some(format!("connect one with `scheduler accounts connect {platform}`"))
        }
        ("plan", _) => {
            Some("the operator can change the plan with `scheduler workspace set-plan`".to_owned())
        }
        ("text", _) if problem == "too_long" => Some(match named {
            Some(platform) => format!(
                "shorten it, or give {platform} its own text with {}",
                if name("targets") == "to" {
                    format!("option.{platform}.caption")
                } else {
                    "the option caption".to_owned()
                }
            ),
            None => "shorten it".to_owned(),
        }),
        _ => None,
    };
    let field = match subject.split('.').next().unwrap_or(subject) {
        "text" | "hashtags" | "mentions" | "hashtag" | "mention" => name("content"),
        "link" | "links" => name("linkUrl"),
        "alt_texts" | "alt_text" => name("altTexts"),
        "account" | "plan" => name("targets"),
        "media" | "image" | "video" | "images" | "videos" => name("mediaIds"),
        _ => match issue.platform {
            Some(platform) => platform.to_string(),
            None => "line".to_owned(),
        },
    };
    (field, advice)
}

/// A refusal of the server or of the core, in the words of the file.
pub(super) fn refused(source: &Source, line: u64, refusal: &Refusal) -> Fault {
    let field =
        refusal.field.as_deref().map_or("line".to_owned(), |field| source.field_name(field));
    Fault::refused(line, &field, refusal)
}

fn form_faults(source: &Source, line: u64, body: &Map<String, Value>) -> Vec<Fault> {
    let whole = Value::Object(body.clone());
    match PostInput::deserialize(&whole) {
        Ok(input) => match input.check_bounds() {
            Ok(()) => Vec::new(),
            Err(refusal) => vec![refused(source, line, &refusal)],
        },
        Err(error) => {
            // The field is found by reading each alone.
            let wrong = body.iter().find_map(|(name, value)| {
                let alone = json!({ name: value });
                PostInput::deserialize(&alone).err().map(|error| (name.as_str(), error))
            });
            let (name, said) = match wrong {
                Some((name, error)) => (source.field_name(name), error.to_string()),
                None => ("line".to_owned(), error.to_string()),
            };
            vec![Fault::error(line, &name, said)]
        }
    }
}

fn time_faults(
    source: &Source,
    line: u64,
    body: &Map<String, Value>,
    now: DateTime<Utc>,
) -> Vec<Fault> {
    let name = |field: &str| source.field_name(field);
    let is_given = |field: &&str| match body.get(*field) {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(_) => true,
    };
    let given: Vec<&str> = TIMES.into_iter().filter(is_given).collect();
    match given[..] {
        [] => {
            let all = TIMES.map(name).join(", ");
            let fault = Fault::error(
                line,
                &name("scheduledAt"),
                "the line does not say when the post goes out",
            );
            return vec![fault.advised(format!("fill one of {all}"))];
        }
        [first, second, ..] => {
            let (first, second) = (name(first), name(second));
            let message = format!("{first} and {second} exclude each other");
            return vec![Fault::error(line, &second, message).advised("leave one of them empty")];
        }
        [_] => {}
    }
    let text = |field: &str| body.get(field).and_then(Value::as_str);
    let unreadable = text("scheduledAt")
        .and_then(|text| instant_fault(line, &name("scheduledAt"), text))
        .or_else(|| {
            text("scheduledLocal").and_then(|text| local_fault(line, &name("scheduledLocal"), text))
        });
    if let Some(fault) = unreadable {
        return vec![fault];
    }
    if let Some(local) = text("scheduledLocal").and_then(|text| parse_local(text).ok())
        && local.and_utc() + FARTHEST_WEST < now - PAST_TOLERANCE
    {
        let fault =
            Fault::error(line, &name("scheduledLocal"), "the time has passed in every zone");
        return vec![fault.advised("write a time to come")];
    }
    // What is no time at all is a fault of its form.
    let Ok(input) = PostInput::deserialize(&Value::Object(body.clone())) else { return Vec::new() };
    match Timing::parse(&input.timing(), now) {
        Ok(_) => Vec::new(),
        Err(refusal) => {
            let fault = Fault::error(line, &name("scheduledAt"), refusal.message.clone());
            let said = "the time has passed";
            let is_past = refusal.message.contains("past");
            vec![if is_past {
                Fault {
                    message: format!("{said}: {}", text("scheduledAt").unwrap_or_default()),
                    ..fault
                }
                .advised(format!("write a time to come, or {}", name("publishNow")))
            } else {
                fault
            }]
        }
    }
}
