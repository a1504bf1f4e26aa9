//! The name of the thread that a post opens in a forum.

use super::inspection::OfTarget;
use super::{Detail, Rule};

pub(super) const RULE: Rule = Rule::Target(rule);

const OPTION: &str = "threadName";

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.option(OPTION).is_none() {
        return;
    }
    let needed = on
        .error(("thread_name", "needed"), "The channel is a forum and the post has no threadName.");
    let no_forum = on.error(
        ("thread_name", "no_forum"),
        "The channel is no forum and the post has a threadName.",
    );
    let Some(target) = on.subject() else { return };
    match (target.limits.is_forum, target.option(OPTION)) {
        (Some(true), None) => {
            let sentence = "This channel is a forum: give the post a threadName.";
            on.report(needed, Detail::note_of(OPTION, sentence));
        }
        (Some(false), Some(_)) => {
            let sentence = "Threads by webhook work in forum channels only: leave threadName out.";
            on.report(no_forum, Detail::note_of(OPTION, sentence));
        }
        (Some(true), Some(_)) | (Some(false) | None, _) => {}
    }
}
