//! A post to those that it mentions, when it mentions nobody.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;
use crate::text::entities;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Mastodon {
        return;
    }
    let nobody = on.warning(("visibility", "nobody"), "A direct post mentions nobody.");
    let Some(target) = on.subject() else { return };
    let is_direct = target.option("visibility").and_then(Value::as_str) == Some("direct");
    if is_direct && entities::mentions(target.composed.text()).is_empty() {
        let sentence = "Nobody but you will see this post: it mentions nobody.";
        on.report(nobody, Detail::note_of("visibility", sentence));
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
