//! The name of the thread that a post opens in a forum.

use super::Rule;
use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use crate::platform::CapabilitySheet;

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    if target.limits.is_forum == Some(true)
        && target.sheet.option("threadName").is_some()
        && target.option("threadName").is_none()
    {
        issues.error("thread_name.needed", "This channel is a forum: give the post a threadName.");
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.option("threadName").is_some() {
        list.error("thread_name.needed", "The channel is a forum and the post has no threadName.");
    }
}
