//! Whom a post on LinkedIn mentions.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;
use crate::text::linkedin::{MENTIONED, Mention};

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Linkedin {
        return;
    }
    let no_urn = on.error(
        ("mentions", "no_urn"),
        "The urn of a mention is none: its kind is not followed by letters, digits, - and _ alone.",
    );
    let not_in_text = on.warning(
        ("mentions", "not_in_text"),
        "A mention stands nowhere in the text, which needs @ and its name.",
    );
    let Some(target) = on.subject() else { return };
    let listed = target.option("mentions").and_then(Value::as_array);
    for (index, mention) in listed.map(Vec::as_slice).unwrap_or_default().iter().enumerate() {
        let text = |key: &str| mention.get(key).and_then(Value::as_str).unwrap_or_default();
        let (name, urn) = (text("name"), text("urn"));
        // What is of another form is reported as such.
        if name.trim().is_empty() || !MENTIONED.iter().any(|kind| urn.starts_with(kind)) {
            continue;
        }
        let Some(read) = Mention::read(mention) else {
            let sentence =
                format!("mentions[{index}].urn is not a URN such as urn:li:organization:1.");
            on.report(
                no_urn,
                Detail::Note { option: Some("mentions".into()), sentence: sentence.into() },
            );
            continue;
        };
        if !read.is_in(target.composed.text()) {
            let sentence = format!(
                "The text mentions nobody as @{}: write that into it, or leave mentions[{index}] out.",
                read.name
            );
            on.report(
                not_in_text,
                Detail::Note { option: Some("mentions".into()), sentence: sentence.into() },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::Post;
    use super::*;

    #[test]
    fn mentions() {
        let of = |name: &str, urn: &str| json!([{"name": name, "urn": urn}]);
        for (name, text, mentions, want) in [
            ("a page", "By @Acme.", of("Acme", "urn:li:organization:1"), ""),
            ("a member", "By @Ana Li", of("Ana Li", "urn:li:person:a_B-1"), ""),
            ("not there", "By Acme", of("Acme", "urn:li:organization:1"), "not_in_text"),
            ("a longer word", "@Acmes", of("Acme", "urn:li:organization:1"), "not_in_text"),
            ("a sign in it", "@Acme", of("Acme", "urn:li:organization:1)"), "no_urn"),
            ("nothing in it", "@Acme", of("Acme", "urn:li:organization:"), "no_urn"),
        ] {
            let post = Post::new(text).to(Platform::Linkedin, json!({ "mentions": mentions }));
            let found = post.issues("mentions.");
            let rules: Vec<&str> = found
                .iter()
                .map(|issue| issue.rule.strip_prefix("linkedin.mentions.").unwrap())
                .collect();
            assert_eq!(rules.join(" "), want, "{name}");
        }
    }
}
