//! Paragraphs of a Tumblr post, each of which is a block or more.

use super::Rule;
use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use crate::platform::{CapabilitySheet, Platform};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target { describe, run };

/// Most text blocks of a post.
///
/// Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Post Content Limits".
const BLOCK_LIMIT: usize = 1000;

/// Longest block, in code points.
///
/// Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Post Content Limits".
const BLOCK_LENGTH: usize = 4096;

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let text = target.composed.text();
    // A block holds a byte at the least.
    if target.sheet.platform != Platform::Tumblr || text.len() <= BLOCK_LIMIT {
        return;
    }
    let blocks: usize = text
        .split("\n\n")
        .map(|paragraph| paragraph.trim_matches('\n'))
        .filter(|paragraph| !paragraph.is_empty())
        .map(|paragraph| count::code_points(paragraph).div_ceil(BLOCK_LENGTH))
        .sum();
    if blocks > BLOCK_LIMIT {
        issues.error(
            "text.too_many_paragraphs",
            format!("Text has {blocks} paragraphs for Tumblr, the limit is {BLOCK_LIMIT}."),
        );
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.platform == Platform::Tumblr {
        list.error(
            "text.too_many_paragraphs",
            format!("The text has more than {BLOCK_LIMIT} paragraphs."),
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
