//! What is blurred in a text on Threads, and the text behind it.

use serde_json::Value;

use super::draft::{TargetView, widened};
use super::inspection::OfTarget;
use super::{Counted, Detail, Place, Rule};
use crate::platform::Platform;
use crate::text::count::code_points;
use crate::text::{entities, threads};

/// Most stretches of a text that are blurred.
///
/// Source: <https://developers.facebook.com/documentation/threads/create-posts/spoilers>.
const SPOILERS_MAX: usize = 10;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Threads {
        return;
    }
    check_spoilers(on);
    check_attachment(on);
}

fn check_spoilers(on: &mut OfTarget<'_, '_>) {
    let not_there = on.error(
        ("spoilers", "not_there"),
        "A passage of spoilers does not stand in the first text.",
    );
    let too_many = on.error(
        ("spoilers", "too_many_places"),
        format_args!("The passages of spoilers stand in the text more than {SPOILERS_MAX} times."),
    );
    let Some(target) = on.subject() else { return };
    let Some(passages) = target.option("spoilers").and_then(Value::as_array) else { return };
    let text = target.composed.text();
    let passages: Vec<&str> = passages.iter().filter_map(Value::as_str).collect();
    for (index, passage) in passages.iter().enumerate() {
        if !passage.trim().is_empty() && !text.contains(passage.trim()) {
            let sentence =
                format!("spoilers[{index}] does not stand in the text; write it as it is there.");
            let option = Some("spoilers".into());
            on.report(not_there, Detail::Note { option, sentence: sentence.into() });
        }
    }
    let found = threads::blurred(text, &passages).len();
    if found > SPOILERS_MAX {
        let sentence = format!(
            "Threads blurs at most {SPOILERS_MAX} passages of a text; these stand in it {found} times."
        );
        let option = Some("spoilers".into());
        on.report(too_many, Detail::Note { option, sentence: sentence.into() });
    }
}

fn check_attachment(on: &mut OfTarget<'_, '_>) {
    let beside = on.error(
        ("text_attachment", "not_with"),
        "textAttachment is set on a post with a poll, or its link on one with a link of its own.",
    );
    let outside = on.error(
        ("text_attachment", "outside"),
        "A style of textAttachment begins or ends outside of its text.",
    );
    let links = on.sheet.text.links.refused_above.map(|most| {
        let when = format_args!("Text and textAttachment together have more than {most} links.");
        (on.error(("text_attachment", "too_many_links"), when), widened(most))
    });
    let Some(target) = on.subject() else { return };
    let Some(attached) = target.option("textAttachment").filter(|_| target.media.is_empty()) else {
        return;
    };
    if let Some(sentence) = not_with(target, attached) {
        on.report(beside, Detail::note_of("textAttachment", sentence));
    }
    let text = attached.get("text").and_then(Value::as_str).unwrap_or_default();
    let length = code_points(text) as u64;
    let styles = attached.get("styles").and_then(Value::as_array);
    let is_outside = |style: &Value| {
        let at = |name: &str| style.get(name).and_then(Value::as_u64).unwrap_or_default();
        at("offset").saturating_add(at("length")) > length
    };
    if styles.is_some_and(|styles| styles.iter().any(is_outside)) {
        let sentence = "Each style of textAttachment begins and ends within its text.";
        on.report(outside, Detail::note_of("textAttachment", sentence));
    }
    if let Some((too_many, most)) = links {
        let link = attached.get("link").and_then(Value::as_str);
        let both = format!("{} {text}", target.composed.text());
        let found = entities::different_links(&both, link);
        if found > most {
            let (unit, place) = (Counted::Links, Place::option("textAttachment"));
            on.report(too_many, Detail::TooMany { unit, found, most, place });
        }
    }
}

/// What an attached text does not go with.
fn not_with(target: &TargetView<'_>, attached: &Value) -> Option<&'static str> {
    if target.option("poll").is_some() {
        return Some("A post with a poll takes no textAttachment.");
    }
    let has_link = attached.get("link").is_some() && target.composed.link_card.is_some();
    has_link.then_some("A post with a link takes no link in textAttachment.")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image};
    use crate::platform::Platform;

    #[test]
    fn what_is_blurred_and_what_is_attached() {
        let long = "a b ".repeat(5) + "a";
        let styled = |offset, length| {
            json!({"textAttachment": {
                "text": "Long",
                "styles": [{"offset": offset, "length": length, "style": ["bold"]}],
            }})
        };
        let links: String = (0..5).map(|at| format!("https://example.com/{at} ")).collect();
        for (name, text, files, options, want) in [
            ("blurred", "It was him", 0, json!({"spoilers": ["him"]}), ""),
            ("not there", "It was him", 0, json!({"spoilers": ["her"]}), "spoilers.not_there"),
            ("ten times", &"a ".repeat(10), 0, json!({"spoilers": ["a"]}), ""),
            ("eleven times", &long, 0, json!({"spoilers": ["a", "b"]}), "spoilers.too_many_places"),
            ("attached", "Hi", 0, json!({"textAttachment": {"text": "Long"}}), ""),
            ("styled", "Hi", 0, styled(0, 4), ""),
            ("styled outside", "Hi", 0, styled(1, 4), "text_attachment.outside"),
            (
                "beside a poll",
                "Hi",
                0,
                json!({"textAttachment": {"text": "Long"}, "poll": {"options": ["a", "b"]}}),
                "text_attachment.not_with",
            ),
            (
                "beside a file",
                "Hi",
                1,
                json!({"textAttachment": {"text": "Long"}}),
                "text_attachment.no_effect",
            ),
            (
                "a sixth link",
                "Hi https://example.com",
                0,
                json!({"textAttachment": {"text": links}}),
                "text_attachment.too_many_links",
            ),
            (
                "a ghost",
                "Hi",
                0,
                json!({"textAttachment": {"text": "Long"}, "ghost": true}),
                "ghost.not_alone",
            ),
        ] {
            let mut post = Post::new(text).to(Platform::Threads, options);
            post.media = vec![image(); files];
            let found = post.check();
            let rules: Vec<&str> =
                found.iter().map(|issue| issue.rule.strip_prefix("threads.").unwrap()).collect();
            assert_eq!(rules.join(" "), want, "{name}");
        }
        let mut post = Post::new("Hi").to(
            Platform::Threads,
            json!({"textAttachment": {"text": "Long", "link": "https://example.com/b"}}),
        );
        assert_eq!(post.check().len(), 0);
        post.link_url = Some("https://example.com/a".to_owned());
        assert_eq!(post.issues("text_attachment.not_with").len(), 1);
    }
}
