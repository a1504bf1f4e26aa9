//! Blocks of a Tumblr post: its paragraphs, each of which is one or more, its title, its files and
//! its link.

use serde_json::Value;

use super::draft::widened;
use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;
use crate::platform::tumblr::{BLOCK_LENGTH_LIMIT, BLOCK_LIMIT};
use crate::text::tumblr;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Tumblr {
        return;
    }
    let too_many = on.error(
        ("text", "too_many_paragraphs"),
        format_args!(
            "The text makes more than {BLOCK_LIMIT} paragraphs of at most {BLOCK_LENGTH_LIMIT} characters, the title, each file and the link counted as one."
        ),
    );
    let Some(target) = on.subject() else { return };
    let (text, most) = (target.composed.text(), widened(BLOCK_LIMIT));
    let title = target.option("title").and_then(Value::as_str).unwrap_or_default().trim();
    let others = target.images
        + target.videos
        + usize::from(target.composed.link_card.is_some())
        + usize::from(!title.is_empty());
    // A block holds a byte at the least.
    if text.len() + others <= most {
        return;
    }
    let found = tumblr::block_count(text);
    if found + others > most {
        let length = BLOCK_LENGTH_LIMIT;
        on.report(too_many, Detail::Paragraphs { found, most, others, length });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image};
    use super::*;

    #[test]
    fn paragraphs() {
        for (name, count, files, has_link, want) in [
            ("at the limit", 1000, 0, false, 0),
            ("one over", 1001, 0, false, 1),
            ("at the limit with a file", 999, 1, false, 0),
            ("one over with a file", 1000, 1, false, 1),
            ("at the limit with a link", 999, 0, true, 0),
            ("one over with a link", 1000, 0, true, 1),
            ("files and a link", 970, 30, true, 1),
        ] {
            let text = vec!["a"; count].join("\n\n");
            let mut post = Post::new(&text).to(Platform::Tumblr, json!({}));
            post.media = vec![image(); files];
            post.link_url = has_link.then(|| "https://example.com".to_owned());
            assert_eq!(post.check().len(), want, "{name}");
        }
        for (count, want) in [(999, 0), (1000, 1)] {
            let text = vec!["a"; count].join("\n\n");
            let post = Post::new(&text).to(Platform::Tumblr, json!({"title": "News"}));
            assert_eq!(post.check().len(), want, "{count} and a title");
        }
    }
}
