//! A post to those that it mentions, when it mentions nobody.

use serde_json::Value;

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, Rule};
use crate::platform::{CapabilitySheet, Platform};
use crate::text::entities;

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let is_direct = target.sheet.platform == Platform::Mastodon
        && target.option("visibility").and_then(Value::as_str) == Some("direct");
    if is_direct && entities::mentions(target.composed.text()).is_empty() {
        let sentence = "Nobody but you will see this post: it mentions nobody.";
        issues.warning("visibility.nobody", Detail::note_of("visibility", sentence));
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.platform == Platform::Mastodon {
        list.warning("visibility.nobody", "A direct post mentions nobody.");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::Post;
    use super::*;

    #[test]
    fn direct_posts() {
        for (text, visibility, want) in
            [("Hi", "direct", 1), ("Hi @alice@a.example", "direct", 0), ("Hi", "private", 0)]
        {
            let post = Post::new(text).to(Platform::Mastodon, json!({"visibility": visibility}));
            assert_eq!(post.check().len(), want, "{text} {visibility}");
        }
    }
}
