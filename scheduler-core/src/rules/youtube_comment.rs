//! The first comment of a private video.

use serde_json::Value;

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, Rule};
use crate::platform::{CapabilitySheet, Platform};

pub(super) const RULE: Rule = Rule::Target { describe, run };

const CHECK: &str = "first_comment.private";

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let is_private = target.sheet.platform == Platform::Youtube
        && target.option("privacy").and_then(Value::as_str) == Some("private");
    if is_private && target.option("firstComment").is_some() {
        let sentence = "Comments cannot be posted on a private video.";
        issues.warning(CHECK, Detail::note_of("firstComment", sentence));
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.platform == Platform::Youtube {
        list.warning(CHECK, "A private video has a first comment, which cannot be posted.");
    }
}
