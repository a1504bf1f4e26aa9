//! The name of a post in its address, which Tumblr would change into another.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Tumblr {
        return;
    }
    let malformed = on.error(
        ("slug", "malformed"),
        "slug holds something else than small letters, digits and hyphens.",
    );
    let slug = on.subject().and_then(|target| target.option("slug"));
    let slug = slug.and_then(Value::as_str).filter(|slug| !slug.trim().is_empty());
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if slug.is_some_and(|slug| !slug.bytes().all(is_part)) {
        let sentence = "slug is made of small letters, digits and hyphens.";
        on.report(malformed, Detail::note_of("slug", sentence));
    }
}
