//! The first comment of a private video.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Youtube {
        return;
    }
    let private = on.warning(
        ("first_comment", "private"),
        "A private video has a first comment, which cannot be posted.",
    );
    let Some(target) = on.subject() else { return };
    let is_private = target.option("privacy").and_then(Value::as_str) == Some("private");
    if is_private && target.option("firstComment").is_some() {
        let sentence = "Comments cannot be posted on a private video.";
        on.report(private, Detail::note_of("firstComment", sentence));
    }
}
