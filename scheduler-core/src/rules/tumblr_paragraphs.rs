//! Paragraphs of a Tumblr post, each of which is a block or more.

use super::Rule;
use super::catalogue::Catalogue;
use super::draft::{TargetView, widened};
use super::issues::Issues;
use crate::platform::tumblr::{BLOCK_LENGTH_LIMIT, BLOCK_LIMIT};
use crate::platform::{CapabilitySheet, Platform};
use crate::text::tumblr;

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let (text, limit) = (target.composed.text(), widened(BLOCK_LIMIT));
    // A block holds a byte at the least.
    if target.sheet.platform != Platform::Tumblr || text.len() <= limit {
        return;
    }
    let blocks = tumblr::block_count(text);
    if blocks > limit {
        issues.error(
            "text.too_many_paragraphs",
            format!(
                "Text makes {blocks} paragraphs of at most {BLOCK_LENGTH_LIMIT} characters for Tumblr, the limit is {BLOCK_LIMIT}."
            ),
        );
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.platform == Platform::Tumblr {
        list.error(
            "text.too_many_paragraphs",
            format!(
                "The text makes more than {BLOCK_LIMIT} paragraphs of at most {BLOCK_LENGTH_LIMIT} characters."
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::Post;
    use super::*;

    #[test]
    fn paragraphs() {
        for (name, count, want) in [("at the limit", 1000, 0), ("one over", 1001, 1)] {
            let post = Post::new(&vec!["a"; count].join("\n\n")).to(Platform::Tumblr, json!({}));
            assert_eq!(post.check().len(), want, "{name}");
        }
    }
}
