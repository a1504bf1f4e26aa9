//! What can be said of a line without a server.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::app::CheckInput;
use scheduler_core::error::{Refusal, RefusalKind};
use scheduler_core::platform::Platform;
use scheduler_core::post::PostInput;
use scheduler_core::rules::ValidationIssue;
use scheduler_core::timing::{PAST_TOLERANCE, Timing, parse_local};
use scheduler_http::directions;
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::bodies::networks;
use super::entry::{Entry, ImportFile};
use super::fault::Fault;
use super::files::Measures;
use super::source::Source;
use super::times::{instant_fault, local_fault};
use crate::posting::{TIMES, keep_checked};
use crate::printer::message;

/// How far behind UTC a zone is at most.
///
/// Source: IANA time zone database, `Etc/GMT+12`.
const FARTHEST_WEST: TimeDelta = TimeDelta::hours(12);

/// What is wrong with a line, as far as this machine knows: its fields, its time, its files, and
/// what the networks' capability sheets say.
pub(super) fn verify(
    source: &Source,
    entry: &Entry,
    measures: &Measures,
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
    for file in &entry.files {
        if let ImportFile::Local(name, path) = file
            && let Err(reason) = measures.measure(path)
        {
            let reason = reason.strip_prefix(&path.display().to_string()).unwrap_or(&reason).trim();
            faults.push(Fault::error(line, "media", format!("{name} {reason}")));
        }
    }
    let has_stored = entry.body.get("mediaIds").is_some_and(|ids| !ids.is_null())
        || entry.files.iter().any(|file| matches!(file, ImportFile::Stored(_)));
    // What files of the server are, and which networks `all` means, only the server knows.
    if let Some(targets) = targets
        && !has_stored
        && !faults.iter().any(Fault::is_error)
    {
        faults.extend(rule_faults(source, entry, &targets, measures));
    }
    faults
}

/// The body of a check of a line.
pub(super) fn check_body(entry: &Entry, targets: &Value, measures: &Measures) -> Value {
    let mut body = entry.body.clone();
    body.insert("targets".to_owned(), targets.clone());
    keep_checked(&mut body);
    measures.describe(entry, &mut body);
    Value::Object(body)
}

fn rule_faults(source: &Source, entry: &Entry, targets: &Value, measures: &Measures) -> Vec<Fault> {
    let line = entry.line;
    let input = match CheckInput::deserialize(&check_body(entry, targets, measures)) {
        Ok(input) => input,
        Err(error) => return vec![Fault::error(line, "line", error.to_string())],
    };
    match input.check_by_sheets() {
        Ok(mut report) => {
            directions::add_to_report(&mut report);
            issue_faults(source, line, &report.issues, targets)
        }
        Err(refusal) => vec![of_core(source, line, &refusal)],
    }
}

/// What the networks say, as faults of a line.
pub(super) fn issue_faults(
    source: &Source,
    line: u64,
    issues: &[ValidationIssue],
    targets: &Value,
) -> Vec<Fault> {
    let fault = |issue: &ValidationIssue| {
        let (field, advice) = place(source, issue, targets);
        Fault {
            line,
            field,
            severity: issue.severity,
            message: message(issue).into_owned(),
            advice,
            rule: Some(issue.rule.clone().into_owned()),
        }
    };
    issues.iter().map(fault).collect()
}

/// Where an issue is mended, and how, where its rule tells.
fn place(source: &Source, issue: &ValidationIssue, targets: &Value) -> (String, Option<String>) {
    let name = |field: &str| source.field_name(field);
    let (_, check) = issue.rule.split_once('.').unwrap_or(("", &issue.rule));
    let (subject, problem) = check.rsplit_once('.').unwrap_or((check, ""));
    if let Some(platform) = issue.platform {
        let option = platform.sheet().options.iter().find(|option| option.subject == subject);
        if let Some(key) = option.map(|option| option.key) {
            let field = match issue.target {
                _ if source.is_table() => format!("option.{platform}.{key}"),
                Some(index) => format!("targets[{index}].options.{key}"),
                None => format!("targets.options.{key}"),
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
                match source.is_table() {
                    true => format!("option.{platform}.caption"),
                    false => "the option caption".to_owned(),
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
        "disclosure" => name("disclosure"),
        "account" | "plan" => name("targets"),
        "media" | "image" | "video" | "images" | "videos" => name("mediaIds"),
        _ => match issue.platform {
            Some(platform) => platform.to_string(),
            None => "line".to_owned(),
        },
    };
    (field, advice)
}

fn of_core(source: &Source, line: u64, refusal: &Refusal) -> Fault {
    refused(source, line, refusal.field.as_deref(), &refusal.to_string())
}

/// A refusal of the server or of the core, in the words of the file.
pub(super) fn refused(source: &Source, line: u64, field: Option<&str>, message: &str) -> Fault {
    let field = field.map_or("line".to_owned(), |field| source.field_name(field));
    Fault::error(line, &field, message)
}

fn form_faults(source: &Source, line: u64, body: &Map<String, Value>) -> Vec<Fault> {
    let whole = Value::Object(body.clone());
    let error = match PostInput::deserialize(&whole) {
        Ok(input) => {
            let refusal = input.check_bounds().err();
            return refusal.iter().map(|refusal| of_core(source, line, refusal)).collect();
        }
        Err(error) => error,
    };
    // The field is found by reading each alone.
    let wrong = body.iter().find_map(|(name, value)| {
        let error = PostInput::deserialize(&json!({ name: value })).err()?;
        Some(Fault::error(line, &source.field_name(name), error.to_string()))
    });
    vec![wrong.unwrap_or_else(|| Fault::error(line, "line", error.to_string()))]
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
            let said = "the line does not say when the post goes out";
            let advice = format!("fill one of {}", TIMES.map(name).join(", "));
            return vec![Fault::error(line, &name("scheduledAt"), said).advised(advice)];
        }
        [first, second, ..] => {
            let (first, second) = (name(first), name(second));
            let message = format!("{first} and {second} exclude each other");
            return vec![Fault::error(line, &second, message).advised("leave one of them empty")];
        }
        [_] => {}
    }
    let (at, local) = (name("scheduledAt"), name("scheduledLocal"));
    let text = |field: &str| body.get(field).and_then(Value::as_str);
    let unreadable = text("scheduledAt")
        .and_then(|text| instant_fault(line, &at, text))
        .or_else(|| local_fault(line, &local, text("scheduledLocal")?));
    if let Some(fault) = unreadable {
        return vec![fault];
    }
    if let Some(time) = text("scheduledLocal").and_then(|text| parse_local(text).ok())
        && time.and_utc() + FARTHEST_WEST < now - PAST_TOLERANCE
    {
        let fault = Fault::error(line, &local, "the time has passed in every zone");
        return vec![fault.advised("write a time to come")];
    }
    // What is no time at all is a fault of its form.
    let Ok(input) = PostInput::deserialize(&Value::Object(body.clone())) else { return Vec::new() };
    let Err(refusal) = Timing::parse(&input.timing(), now) else { return Vec::new() };
    vec![match &refusal.kind {
        RefusalKind::Invalid(problem) if problem.is_past() => {
            let said = format!("the time has passed: {}", text("scheduledAt").unwrap_or_default());
            let advice = format!("write a time to come, or {}", name("publishNow"));
            Fault::error(line, &at, said).advised(advice)
        }
        _ => Fault::error(line, &at, refusal.message()),
    }]
}
