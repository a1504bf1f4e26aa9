//! The thread that a post opens, the one that it goes to, and its tags in a forum.

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
    let both = on.error(
        ("thread_id", "with_name"),
        "The post names a thread that is there and one that it opens.",
    );
    let no_tags = on.error(
        ("forum_tags", "no_forum"),
        "The post has forumTags, and opens no thread of a forum.",
    );
    let Some(target) = on.subject() else { return };
    let has = |key| target.option(key).is_some();
    let is_forum = target.limits.is_forum;
    if has("threadId") && has(OPTION) {
        let sentence = "threadId names a thread that is there, threadName one that the post opens: leave one of them out.";
        on.report(both, Detail::note_of("threadId", sentence));
    } else if is_forum == Some(true) && !has(OPTION) && !has("threadId") {
        let sentence = "This channel is a forum: give the post a threadName.";
        on.report(needed, Detail::note_of(OPTION, sentence));
    } else if is_forum == Some(false) && has(OPTION) {
        let sentence = "Threads by webhook work in forum channels only: leave threadName out.";
        on.report(no_forum, Detail::note_of(OPTION, sentence));
    }
    if has("forumTags") && (is_forum == Some(false) || has("threadId") || !has(OPTION)) {
        let sentence = "Tags are for posts of a forum that open a thread: give the post a threadName, or leave forumTags out.";
        on.report(no_tags, Detail::note_of("forumTags", sentence));
    }
}
