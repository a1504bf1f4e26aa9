//! A post of another system as a line of an import.

use std::collections::BTreeMap;
use std::path::Path;

use scheduler_core::platform::Platform;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::entry::{Entry, ImportTarget, LineDigest, NAMES};
use super::super::fault::Fault;
use super::super::sheet::media;
use crate::names::Named as _;

/// A post, as every system has it.
#[derive(Debug, Default)]
pub(super) struct Post {
    /// What no other post of the system has.
    pub(super) id: String,
    /// How far it has come, in the words of the system.
    pub(super) status: String,
    /// When it is to go out, where that is known.
    pub(super) due: Option<Due>,
    /// Its text and files, and those of the posts that follow it as a thread.
    pub(super) parts: Vec<Part>,
    pub(super) link: Option<String>,
    pub(super) labels: Vec<String>,
    pub(super) targets: Vec<Target>,
}

/// A tag of a post, in any of the systems.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Tag {
    pub(super) name: String,
}

#[derive(Debug)]
pub(super) enum Due {
    /// An instant with its offset or Z.
    At(String),
    /// A wall-clock time, without its zone.
    Local(String),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Part {
    pub(super) text: String,
    pub(super) files: Vec<File>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct File {
    pub(super) address: String,
    pub(super) alt_text: Option<String>,
}

/// An account that a post goes to.
#[derive(Debug, Default)]
pub(super) struct Target {
    /// Its network, in the words of the system.
    pub(super) network: String,
    /// What it is called, the surest name first.
    pub(super) names: Vec<String>,
    pub(super) options: Map<String, Value>,
    /// What it gets in place of the text of the post.
    pub(super) parts: Option<Vec<Part>>,
}

impl Post {
    /// The line of an import; `None` for a post that is not to be made. What is not taken over is
    /// counted.
    pub(super) fn entry(
        self,
        line: u64,
        folder: &Path,
        all_as_drafts: bool,
        left_out: &mut BTreeMap<String, usize>,
    ) -> Option<Result<Entry, Vec<Fault>>> {
        let mut leave_out = |count: usize, what: String| {
            if count > 0 {
                *left_out.entry(what).or_default() += count;
            }
        };
        let status = self.status.to_lowercase();
        let is_scheduled = matches!(status.as_str(), "scheduled" | "queue");
        let is_draft = matches!(status.as_str(), "draft" | "needs_approval");
        if !is_scheduled && !is_draft && !all_as_drafts {
            leave_out(1, format!("{status} post"));
            return None;
        }
        let mut targets = Vec::new();
        for target in &self.targets {
            let Some(platform) = platform(&target.network) else {
                leave_out(1, format!("{} target", target.network));
                continue;
            };
            let parts = target.parts.as_ref().unwrap_or(&self.parts);
            let (value, lost) = target.value(platform, parts, self.text());
            leave_out(lost.parts, format!("{platform} thread part"));
            leave_out(lost.files, format!("{platform} thread file"));
            targets.push(value);
        }
        if targets.is_empty() {
            // Those of other networks have been counted.
            leave_out(usize::from(self.targets.is_empty()), "targetless post".to_owned());
            return None;
        }
        let mut body = Map::new();
        let (when, value) = match &self.due {
            Some(due) if is_scheduled && !all_as_drafts => match due {
                Due::At(at) => ("scheduledAt", json!(at)),
                Due::Local(at) => ("scheduledLocal", json!(at)),
            },
            _ => ("saveAsDraft", json!(true)),
        };
        body.insert(when.to_owned(), value);
        body.insert("content".to_owned(), json!(self.text()));
        body.insert("targets".to_owned(), Value::Array(targets));
        if let Some(link) = self.link.as_ref().filter(|link| !link.is_empty()) {
            body.insert("linkUrl".to_owned(), json!(link));
        }
        if !self.labels.is_empty() {
            body.insert("labels".to_owned(), json!(self.labels));
        }
        let named = self.parts.first().map(|part| part.files.as_slice()).unwrap_or_default();
        if named.iter().any(|file| file.alt_text.is_some()) {
            let texts: Vec<_> = named.iter().map(|file| &file.alt_text).collect();
            body.insert("altTexts".to_owned(), json!(texts));
        }
        let (mut files, mut faults) = (Vec::new(), Vec::new());
        for file in named {
            match media(&file.address, folder) {
                Ok(file) => files.push(file),
                Err(reason) => {
                    let said = format!("{} {reason}", file.address);
                    faults.push(Fault::error(line, "mediaIds", said));
                }
            }
        }
        if !faults.is_empty() {
            return Some(Err(faults));
        }
        let addresses: Vec<&String> = named.iter().map(|file| &file.address).collect();
        let digest = LineDigest::of_value(&json!([body, addresses]));
        let key = Some(format!("import-{}", self.id));
        Some(Ok(Entry { line, key, digest, body, target: ImportTarget::Body, files }))
    }

    fn text(&self) -> &str {
        self.parts.first().map(|part| part.text.as_str()).unwrap_or_default()
    }
}

/// What a network gets no place for.
#[derive(Default)]
struct Lost {
    parts: usize,
    files: usize,
}

impl Target {
    /// The target as the API takes it, with the names that find its account.
    fn value(&self, platform: Platform, parts: &[Part], text: &str) -> (Value, Lost) {
        let mut options = self.options.clone();
        let mut lost = Lost::default();
        let (first, rest) =
            parts.split_first().map_or((text, parts), |(it, rest)| (&*it.text, rest));
        if first != text {
            options.insert("caption".to_owned(), json!(first));
        }
        if platform.sheet().option(THREAD).is_some() {
            lost.files = rest.iter().map(|part| part.files.len()).sum();
            let texts: Vec<&str> = rest.iter().map(|part| part.text.as_str()).collect();
            if !texts.is_empty() {
                options.insert(THREAD.to_owned(), json!(texts));
            }
        } else {
            lost.parts = rest.len();
        }
        let mut target = json!({"platform": platform, "options": options});
        if !self.names.is_empty() {
            target[NAMES] = json!(self.names);
        }
        (target, lost)
    }
}

/// The option of networks that have threads.
const THREAD: &str = "thread";

/// What systems write behind the name of a network for ways to connect it.
///
/// Source: the identifiers of Postiz' providers (`linkedin-page`, `instagram-standalone`) and those
/// of Mixpost's (`facebook_page`, `linkedin_page`).
const WAYS: [&str; 4] = ["-page", "_page", "-standalone", "-custom"];

/// The network that a system calls so.
fn platform(network: &str) -> Option<Platform> {
    let name = WAYS.iter().find_map(|way| network.strip_suffix(way)).unwrap_or(network);
    Platform::also_called(name).unwrap_or(name).parse().ok()
}
