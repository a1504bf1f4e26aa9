//! A vector: a post for one network, what is counted of it, and what the rules say.

use std::collections::BTreeSet;
use std::fmt::Debug;

use scheduler_core::platform::{AccountLimits, Platform, TextUnit};
use scheduler_core::rules::{
    Context, Draft, DraftTarget, MediaFacts, MediaKind, Severity, ValidationIssue, check,
};
use scheduler_core::text::{Composed, compose, count, mastodon};
use serde_json::{Map, Value};

/// The vectors of one network.
pub(crate) struct Table {
    pub(crate) platform: Platform,
    /// The prefixes of the rows, and the last row under each.
    pub(crate) rows: &'static [(&'static str, u32)],
    /// How many vectors there are, so that none gets lost.
    pub(crate) number: usize,
    pub(crate) vectors: fn() -> Vec<Vector>,
}

impl Table {
    /// Fails unless every row is there, each case once, and as many vectors as are stated.
    pub(crate) fn verify_number(&self) {
        let vectors = (self.vectors)();
        let names: BTreeSet<&str> = vectors.iter().map(|vector| vector.name.as_str()).collect();
        assert_eq!(names.len(), vectors.len(), "{}: a name stands twice", self.platform);
        let rows: BTreeSet<(&str, u32)> = vectors.iter().map(|vector| vector.row).collect();
        let want: BTreeSet<(&str, u32)> = self
            .rows
            .iter()
            .flat_map(|(prefix, last)| (1..=*last).map(|row| (*prefix, row)))
            .collect();
        assert_eq!(rows, want, "{}: rows", self.platform);
        assert_eq!(vectors.len(), self.number, "{}: vectors", self.platform);
    }

    /// Fails with everything that is wrong.
    pub(crate) fn verify(&self) {
        self.verify_number();
        let wrong: Vec<String> = (self.vectors)().iter().flat_map(Vector::wrong).collect();
        assert!(
            wrong.is_empty(),
            "{}: {} things are wrong:\n{}",
            self.platform,
            wrong.len(),
            wrong.join("\n")
        );
    }
}

/// A network, and what every post of its vectors has.
#[derive(Clone)]
pub(crate) struct Network {
    platform: Platform,
    prefix: &'static str,
    options: Map<String, Value>,
    files: Vec<MediaFacts>,
}

impl Network {
    pub(crate) fn new(platform: Platform) -> Self {
        Self { platform, prefix: "", options: Map::new(), files: Vec::new() }
    }

    /// Rows of another table of the same network.
    pub(crate) fn prefix(mut self, prefix: &'static str) -> Self {
        self.prefix = prefix;
        self
    }

    pub(crate) fn option(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.options.insert(key.to_owned(), value.into());
        self
    }

    pub(crate) fn files(mut self, files: impl IntoIterator<Item = MediaFacts>) -> Self {
        self.files = files.into_iter().collect();
        self
    }

    /// A vector: its row and case, and the content of the post.
    pub(crate) fn text(&self, row: u32, case: &str, content: impl Into<String>) -> Vector {
        Vector {
            platform: self.platform,
            row: (self.prefix, row),
            name: format!("{} {}{row} {case}", self.platform, self.prefix).trim_end().to_owned(),
            content: content.into(),
            options: self.options.clone(),
            files: self.files.clone(),
            link: None,
            alt_texts: Vec::new(),
            count: None,
            facts: Vec::new(),
            verdict: None,
        }
    }
}

/// A post for one network, what is counted of it, and what the rules say.
pub(crate) struct Vector {
    platform: Platform,
    row: (&'static str, u32),
    name: String,
    content: String,
    options: Map<String, Value>,
    files: Vec<MediaFacts>,
    link: Option<String>,
    alt_texts: Vec<Option<String>>,
    count: Option<usize>,
    /// What was found and what should be, where they differ.
    facts: Vec<String>,
    /// The ids of errors and of warnings.
    verdict: Option<(Vec<&'static str>, Vec<&'static str>)>,
}

impl Vector {
    pub(crate) fn option(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.options.insert(key.to_owned(), value.into());
        self
    }

    pub(crate) fn files(mut self, files: impl IntoIterator<Item = MediaFacts>) -> Self {
        self.files = files.into_iter().collect();
        self
    }

    pub(crate) fn link(mut self, link: impl Into<String>) -> Self {
        self.link = Some(link.into());
        self
    }

    pub(crate) fn alt_text(mut self, text: impl Into<String>) -> Self {
        self.alt_texts.push(Some(text.into()));
        self
    }

    /// States the length of the text that is sent, in the network's own count.
    pub(crate) fn counts(mut self, count: usize) -> Self {
        self.count = Some(count);
        self
    }

    /// States something else that is found of the post.
    pub(crate) fn has<T: PartialEq + Debug>(mut self, what: &str, found: T, want: T) -> Self {
        if found != want {
            self.facts.push(format!("{}: {what} is {found:?}, not {want:?}", self.name));
        }
        self
    }

    /// The text that the network gets.
    pub(crate) fn sent(&self) -> String {
        self.composed().text().to_owned()
    }

    pub(crate) fn accepted(self) -> Self {
        self.judged(Vec::new(), Vec::new())
    }

    /// Accepted with a warning.
    pub(crate) fn warned(self, rule: &'static str) -> Self {
        self.judged(Vec::new(), vec![rule])
    }

    /// Refused by these rules and no others; `post.` starts those of the post as a whole.
    pub(crate) fn refused(self, rules: impl IntoIterator<Item = &'static str>) -> Self {
        self.judged(rules.into_iter().collect(), Vec::new())
    }

    fn judged(mut self, errors: Vec<&'static str>, warnings: Vec<&'static str>) -> Self {
        self.verdict = Some((errors, warnings));
        self
    }

    fn composed(&self) -> Composed {
        let has_media = !self.files.is_empty();
        compose(&self.content, self.link.as_deref(), has_media, self.platform, &self.options)
    }

    fn found(&self) -> Vec<ValidationIssue> {
        let limits = AccountLimits::default();
        let target = DraftTarget::new(self.platform, &self.options, &limits);
        let draft = Draft {
            content: &self.content,
            link_url: self.link.as_deref(),
            media: &self.files,
            alt_texts: &self.alt_texts,
            targets: &[target],
        };
        check(&draft, &Context::default())
    }

    /// Everything that is not as stated.
    fn wrong(&self) -> Vec<String> {
        let mut wrong = self.facts.clone();
        let issues = self.found();
        let Some((errors, warnings)) = &self.verdict else {
            wrong.push(format!("{}: no verdict is stated", self.name));
            return wrong;
        };
        for (severity, want) in [(Severity::Error, errors), (Severity::Warning, warnings)] {
            let start = format!("{}.", self.platform);
            let found: Vec<&str> = issues
                .iter()
                .filter(|issue| issue.severity == severity)
                .map(|issue| issue.rule.strip_prefix(&start).unwrap_or(&issue.rule))
                .collect();
            if found != *want {
                wrong.push(format!("{}: {severity:?} {found:?}, not {want:?}", self.name));
            }
        }
        if let Some(want) = self.count {
            let found = counted(self.platform, &self.composed());
            if found != want {
                wrong.push(format!("{}: counts {found}, not {want}", self.name));
            }
            let number = format!(" {want} ");
            let is_said = |issue: &ValidationIssue| issue.message.contains(&number);
            let mut too_long = issues.iter().filter(|issue| issue.rule.ends_with("text.too_long"));
            if !too_long.all(is_said) {
                wrong.push(format!("{}: the message does not say {want}", self.name));
            }
        }
        wrong
    }
}

fn counted(platform: Platform, composed: &Composed) -> usize {
    let unit = platform.sheet().text.unit;
    if unit == TextUnit::MastodonCharacters {
        let spoiler = composed.spoiler.as_deref().unwrap_or_default();
        let reserved = mastodon::CHARACTERS_RESERVED_PER_URL;
        return mastodon::length(composed.text(), spoiler, reserved);
    }
    count::length(unit, composed.text())
}

/// An image that every network takes.
pub(crate) fn image() -> MediaFacts {
    MediaFacts {
        mime_type: Some("image/jpeg".to_owned()),
        size_bytes: Some(100_000),
        width: Some(1080),
        height: Some(1080),
        ..MediaFacts::of_kind(MediaKind::Image)
    }
}

/// A video that every network with videos takes.
pub(crate) fn video() -> MediaFacts {
    MediaFacts {
        mime_type: Some("video/mp4".to_owned()),
        size_bytes: Some(1_000_000),
        duration_seconds: Some(30.0),
        fps: Some(30.0),
        width: Some(1080),
        height: Some(1920),
        ..MediaFacts::of_kind(MediaKind::Video)
    }
}

/// A family of four: one grapheme cluster, 7 code points, 11 UTF-16 units, 25 bytes.
pub(crate) const FAMILY: &str = "👨‍👩‍👧‍👦";

/// A family of three: one grapheme cluster, 5 code points, 8 UTF-16 units, 18 bytes.
pub(crate) const FAMILY_OF_THREE: &str = "👨‍👩‍👧";

/// `count` of the letter a.
pub(crate) fn a(count: usize) -> String {
    "a".repeat(count)
}
