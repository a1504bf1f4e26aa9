//! The name of the thread that a post opens in a forum.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, Rule};
use crate::platform::CapabilitySheet;

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    if target.sheet.option("threadName").is_none() {
        return;
    }
    match (target.limits.is_forum, target.option("threadName")) {
        (Some(true), None) => issues.error(
            "thread_name.needed",
            Detail::note_of("threadName", "This channel is a forum: give the post a threadName."),
        ),
        (Some(false), Some(_)) => issues.error(
            "thread_name.no_forum",
            Detail::note_of(
                "threadName",
                "Threads by webhook work in forum channels only: leave threadName out.",
            ),
        ),
        (Some(true), Some(_)) | (Some(false) | None, _) => {}
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.option("threadName").is_some() {
        list.error("thread_name.needed", "The channel is a forum and the post has no threadName.");
        list.error(
            "thread_name.no_forum",
            "The channel is no forum and the post has a threadName.",
        );
    }
}
