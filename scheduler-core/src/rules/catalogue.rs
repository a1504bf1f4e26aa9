//! Every rule as data: what its issues are called, what they do, and why.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::inspection::Inspection;
use super::{RULES, Rule, Severity};
use crate::platform::Platform;

/// A rule of one network, or of posts as a whole, with its figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CatalogueEntry {
    /// The id that its issues carry, such as `bluesky.text.too_long`.
    pub rule: String,
    /// The network; `None` for a rule of the post as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<Platform>,
    /// Whether its issues stop the post.
    pub severity: Severity,
    /// When it speaks, as a sentence.
    pub sentence: String,
}

/// Where rules are named.
pub(super) struct Catalogue {
    pub(super) platform: Option<Platform>,
    entries: Vec<CatalogueEntry>,
}

impl Catalogue {
    /// Adds what a rule can find, and when; `id` is without the network.
    ///
    /// A rule that speaks for several reasons is one entry with several sentences.
    pub(super) fn add(&mut self, severity: Severity, id: fmt::Arguments<'_>, sentence: &str) {
        let prefix = self.platform.map_or("post", Platform::as_str);
        let rule = format!("{prefix}.{id}");
        let same = |entry: &&mut CatalogueEntry| entry.rule == rule && entry.severity == severity;
        if let Some(entry) = self.entries.iter_mut().find(same) {
            if !entry.sentence.contains(sentence) {
                entry.sentence.push(' ');
                entry.sentence.push_str(sentence);
            }
            return;
        }
        let sentence = sentence.to_owned();
        self.entries.push(CatalogueEntry { rule, platform: self.platform, severity, sentence });
    }

    /// Every built-in rule, and in each place what `own` adds.
    pub(super) fn of_all(own: impl Fn(&mut Self)) -> Vec<CatalogueEntry> {
        let mut of_post = Self { platform: None, entries: Vec::new() };
        for rule in &RULES {
            if let Rule::Post(rule) = rule {
                rule(&mut Inspection::list((), &mut of_post));
            }
        }
        own(&mut of_post);
        let mut entries = of_post.entries;
        for platform in Platform::known() {
            let mut of_network = Self { platform: Some(platform), entries: Vec::new() };
            let sheet = platform.sheet();
            for rule in &RULES {
                if let Rule::Target(rule) | Rule::Files(rule) = rule {
                    rule(&mut Inspection::list(sheet, &mut of_network));
                    if let Some(with_files) = sheet.with_files {
                        rule(&mut Inspection::list(with_files, &mut of_network));
                    }
                }
            }
            own(&mut of_network);
            entries.extend(of_network.entries);
        }
        entries
    }
}

/// Lists every built-in rule: those of posts as a whole, then those of each network in the order
/// of [`Platform::known`], each in the order of the rule table.
///
/// ```
/// use scheduler_core::rules::catalogue;
/// let entries = catalogue();
/// assert!(entries.iter().any(|entry| entry.rule == "bluesky.text.too_long"));
/// ```
#[must_use]
pub fn catalogue() -> Vec<CatalogueEntry> {
    Catalogue::of_all(|_| ())
}
