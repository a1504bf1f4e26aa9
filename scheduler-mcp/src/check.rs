//! What networks would say of a post, and the plan that was shown with it.

use chrono::{DateTime, Utc};
use http::Method;
use scheduler_core::links::{LinkChange, Sent};
use scheduler_core::platform::Platform;
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use crate::api::Call;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::plan::{BODY, Plan, says_nothing};
use crate::work::Work;

/// What says when a post goes out.
pub(crate) const TIMES: [&str; 4] = ["scheduledAt", "scheduledLocal", "queue", "publishNow"];

/// When a post is to go out, as it was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timing(pub(crate) Map<String, Value>);

impl Timing {
    /// What the arguments say; none where they say nothing.
    pub(crate) fn take(arguments: &mut Arguments) -> Self {
        let mut asked = arguments.given(&TIMES);
        asked.retain(|_, value| !value.is_null() && *value != false);
        Self(asked)
    }

    /// At once.
    pub(crate) fn now() -> Self {
        Self(Map::from_iter([("publishNow".to_owned(), json!(true))]))
    }

    /// True when a post has just this time.
    pub(crate) fn is_that_of(&self, post: &Value) -> bool {
        let (kind, timing) = (post["timing"]["kind"].as_str(), &self.0);
        let instant = |value: &Value| value.as_str()?.parse::<DateTime<Utc>>().ok();
        match timing.iter().next() {
            Some((name, _)) if name == "publishNow" => kind == Some("now"),
            Some((name, _)) if name == "queue" => kind == Some("queue"),
            Some((name, value)) if name == "scheduledLocal" => {
                kind == Some("local") && post["timing"]["local"] == *value
            }
            Some((name, value)) if name == "scheduledAt" => {
                let (asked, is) = (instant(value), instant(&post["scheduledAt"]));
                kind == Some("instant") && asked.is_some() && asked == is
            }
            _ => false,
        }
    }
}

/// What was found of a post.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The report of the API.
    pub(crate) report: Value,
    /// What was looked at.
    pub(crate) body: Value,
    /// What is shown.
    pub(crate) plan: Plan,
}

/// The body of a post that there is, as a new one would have it.
pub(crate) fn body_of(post: &Value) -> Map<String, Value> {
    let given = |value: &Value, names: &[&str]| {
        let found = names.iter().filter_map(|name| {
            let field = value.get(*name).filter(|field| !field.is_null())?;
            let is_empty = field.as_array().is_some_and(Vec::is_empty);
            (!is_empty || *name == "mediaIds" && value.get("accountId").is_some())
                .then(|| ((*name).to_owned(), field.clone()))
        });
        found.collect::<Map<String, Value>>()
    };
    let mut body = given(post, &BODY);
    // What becomes of its links by these is covered itself.
    body.extend(given(post, &["labels", "links"]));
    let names = ["platform", "accountId", "options", "mediaIds", "files"];
    let targets = post["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
    let targets = targets.iter().map(|target| Value::Object(given(target, &names)));
    body.insert("targets".to_owned(), targets.collect());
    body
}

/// What the networks of a stored post get in place of its links, as a report says it.
pub(crate) fn links_of(post: &Value) -> Value {
    let targets = post["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
    let links = targets.iter().enumerate().flat_map(|(index, target)| {
        let links = target["links"].as_array().map(Vec::as_slice).unwrap_or_default();
        links.iter().map(move |link| {
            let mut link = link.clone();
            link["target"] = json!(index);
            link
        })
    });
    links.collect()
}

/// The same of a post that keeps its links when it gets a time; `None` for a draft that nobody has
/// approved, whose links are worked out once more then.
pub(crate) fn kept_links(post: &Value) -> Option<Value> {
    let is_approved = post["review"]["state"] == "approved";
    // The approval is that of the client and the team together.
    let is_of_team = post["review"].is_object() && post["approvalState"] == post["review"]["state"];
    let is_clients = !post["approvalState"].is_null() && !is_of_team;
    (post["status"] != "draft" || is_approved || is_clients).then(|| links_of(post))
}

/// Has the API look at a body; `kept` are the links of a stored post that stay.
///
/// # Errors
/// The refusal.
pub(crate) async fn check(
    work: &Work<'_>,
    body: Map<String, Value>,
    timing: &Timing,
    kept: Option<Value>,
) -> Result<Checked, Failure> {
    let mut asked = body.clone();
    asked.extend(timing.0.clone());
    let call = Call::new(Method::POST, "/v1/platforms/validate").with_body(Value::Object(asked));
    let mut report = work.ask(call).await?;
    if let (Some(fields), Some(kept)) = (report.as_object_mut(), kept) {
        fields.insert("links".to_owned(), kept);
    }
    let body = Value::Object(body);
    let plan = Plan::of(&body, &report["links"], &timing.0, &instants(&report, timing));
    Ok(Checked { report, body, plan })
}

/// The instants at which the targets go out; none where it is at once, which is another instant at
/// every look.
fn instants(report: &Value, timing: &Timing) -> Value {
    if timing.0.contains_key("publishNow") {
        return json!([]);
    }
    let times = report["times"].as_array().map(Vec::as_slice).unwrap_or_default();
    times.iter().map(|time| json!([time["target"], time["instant"]])).collect()
}

/// The same of a post that is scheduled: the instants at which its targets do go out.
pub(crate) fn instants_of(post: &Value) -> Value {
    let targets = post["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
    let instants = targets.iter().enumerate();
    instants.map(|(index, target)| json!([index, target["nextAttemptAt"]])).collect()
}

impl Checked {
    /// True when a post that was given its time goes out at the instants that were shown.
    pub(crate) fn is_kept_by(&self, post: &Value) -> bool {
        let instant = |value: &Value| value.as_str()?.parse::<DateTime<Utc>>().ok();
        let times = self.report["times"].as_array().map(Vec::as_slice).unwrap_or_default();
        post["status"] != "scheduled"
            || times.iter().all(|time| {
                let index = time["target"].as_u64().and_then(|index| usize::try_from(index).ok());
                let target = index.and_then(|index| post["targets"].get(index));
                let due = target.and_then(|target| instant(&target["nextAttemptAt"]));
                due.is_none() || due == instant(&time["instant"])
            })
    }

    /// What each target's network gets: its text, part by part.
    pub(crate) fn texts(&self) -> Value {
        let body = &self.body;
        let (content, link) = (body["content"].as_str(), body["linkUrl"].as_str());
        let has = |ids: &Value| ids.as_array().is_some_and(|ids| !ids.is_empty());
        let targets = body["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
        let texts = targets.iter().enumerate().filter_map(|(index, target)| {
            let platform: Platform = target["platform"].as_str()?.parse().ok()?;
            let none = Map::new();
            let options = target["options"].as_object().unwrap_or(&none);
            let of_target = target.get("mediaIds").filter(|ids| !ids.is_null());
            let has_media = has(of_target.unwrap_or(&body["mediaIds"]));
            let changed = |link: &&Value| link["target"] == index;
            let changes = self.report["links"].as_array().into_iter().flatten().filter(changed);
            let changes = changes.filter_map(|link| LinkChange::deserialize(link).ok());
            let changes: Vec<LinkChange> = changes.collect();
            let sent = Sent::of(content.unwrap_or_default(), link, options, &changes);
            let text = sent.compose(has_media, platform);
            Some(json!({"target": index, "platform": platform, "parts": text.parts}))
        });
        texts.collect()
    }

    /// What each target gets, and when, for the person who confirms: every part of its text, how many
    /// files, and its options. What others may have written is quoted.
    pub(crate) fn told(&self, names: &[String]) -> String {
        let texts = self.texts();
        let texts = texts.as_array().map(Vec::as_slice).unwrap_or_default();
        let times = self.report["times"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut lines = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let target = &self.body["targets"][index];
            let time = times.iter().find(|time| time["target"] == index).map(|time| {
                let part = |name: &str| time[name].as_str().unwrap_or_default().to_owned();
                format!(" at {} ({})", part("local"), part("zone"))
            });
            let media = target.get("mediaIds").filter(|ids| !ids.is_null());
            let files = match media.unwrap_or(&self.body["mediaIds"]).as_array().map_or(0, Vec::len)
            {
                0 => String::new(),
                1 => ", with 1 file".to_owned(),
                several => format!(", with {several} files"),
            };
            lines.push(format!("{name:?}{}{files}:", time.unwrap_or_default()));
            let text = texts.iter().find(|text| text["target"] == index);
            let parts = text.and_then(|text| text["parts"].as_array());
            let parts = parts.map(Vec::as_slice).unwrap_or_default();
            for (number, part) in parts.iter().enumerate() {
                let place = match parts.len() {
                    1 => String::new(),
                    count => format!("{} of {count}: ", number + 1),
                };
                lines.push(format!("  {place}{:?}", part.as_str().unwrap_or_default()));
            }
            // The thread is among the parts already.
            let options = target["options"].as_object().into_iter().flatten();
            let options = options.filter(|(name, value)| *name != "thread" && !says_nothing(value));
            lines.extend(options.map(|(name, value)| format!("  {name}: {value}")));
        }
        let whole = ["linkUrl", "disclosure"].map(|name| (name, &self.body[name]));
        let whole = whole.into_iter().filter(|(_, value)| !says_nothing(value));
        lines.extend(whole.map(|(name, value)| format!("{name}: {value}")));
        lines.join("\n")
    }
}
