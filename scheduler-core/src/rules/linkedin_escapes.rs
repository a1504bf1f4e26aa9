//! Signs that LinkedIn wants escaped, which it may count.

use super::draft::widened;
use super::inspection::OfTarget;
use super::{Detail, Place, Rule, WhyLong, text_length};
use crate::platform::{Platform, TextUnit};
use crate::text::{count, linkedin};

pub(super) const RULE: Rule = Rule::Target(rule);

/// Most bytes that one byte of a text may become: `#_ ` is sent as `{hashtag|\#|\_} `.
const GREATEST_GROWTH: usize = 8;

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Linkedin {
        return;
    }
    let long = on.warning(
        ("text", "long_escaped"),
        format_args!(
            "The text has more than {} characters with its escape signs, which the network may count.",
            on.sheet.char_limit
        ),
    );
    let Some(target) = on.subject() else { return };
    let (text, limit) = (target.composed.text(), widened(text_length::limit(target)));
    if text.len() * GREATEST_GROWTH <= limit || count::utf16_units(text) > limit {
        return;
    }
    let mentions = linkedin::Mention::all(&target.options);
    let escaped = count::utf16_units(&linkedin::little_text(text, &mentions));
    if escaped > limit {
        let detail = Detail::Long {
            unit: TextUnit::Utf16Units,
            found: escaped,
            most: limit,
            place: Place::Text,
            why: WhyLong::Escaped,
        };
        on.report(long, detail);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::Post;
    use super::*;

    /// Source: the text vectors of LinkedIn, 12.
    #[test]
    fn escape_signs() {
        for (name, text, want) in [
            ("12", "(".repeat(1501), 1),
            ("at the limit", "(".repeat(1500), 0),
            ("nothing to escape", "a".repeat(3000), 0),
            ("over without escape signs", "(".repeat(3001), 0),
            ("hashtags at the limit", format!("{}{}", "#a ".repeat(199), "a".repeat(15)), 0),
            ("hashtags one over", format!("{}{}", "#a ".repeat(199), "a".repeat(16)), 1),
        ] {
            let post = Post::new(&text).to(Platform::Linkedin, json!({}));
            assert_eq!(post.issues("text.long_escaped").len(), want, "{name}");
        }
    }
}
