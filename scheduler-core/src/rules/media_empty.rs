//! Files that hold nothing.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Context, Draft, Rule};

pub(super) const RULE: Rule = Rule::Post { describe, run };

fn run(draft: &Draft<'_>, _: &Context, _: &[TargetView<'_>], issues: &mut Issues) {
    for (index, media) in draft.media.iter().enumerate() {
        if media.size_bytes == Some(0) {
            issues.error("media.empty", format!("File {} is empty: it has 0 bytes.", index + 1));
        }
    }
}

fn describe(list: &mut Catalogue) {
    list.error("media.empty", "A file has 0 bytes.");
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image};
    use crate::platform::Platform;
    use crate::rules::MediaFacts;

    #[test]
    fn files_of_nothing() {
        let sized = |size_bytes| MediaFacts { size_bytes, ..image() };
        for (name, media, want) in [
            ("one byte", vec![sized(Some(1))], vec![]),
            ("not known", vec![sized(None)], vec![]),
            (
                "the second of two",
                vec![image(), sized(Some(0))],
                vec!["File 2 is empty: it has 0 bytes."],
            ),
        ] {
            let mut post = Post::new("Hi").to(Platform::Mastodon, json!({}));
            post.media = media;
            let found = post.issues("media.");
            let messages: Vec<&str> = found.iter().map(|issue| issue.message.as_str()).collect();
            assert_eq!(messages, want, "{name}");
        }
    }
}
