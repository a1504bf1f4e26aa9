//! Whom a post on LinkedIn is shown to, the post that it shares, and its poll.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;
use crate::text::linkedin::shared_post;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Linkedin {
        return;
    }
    let of_page = on.error(
        ("visibility", "of_page"),
        "visibility is connections and the account is a page, which has none.",
    );
    let not_shareable = on.error(
        ("quote", "not_shareable"),
        "quote is neither the name of a post nor an address with one, such as that of an activity.",
    );
    let with_files = on.error(("quote", "with_files"), "A post that shares another has files.");
    let with_link = on.error(
        ("quote", "with_link"),
        "A post that shares another has a link of its own, which has no place in it.",
    );
    let with_poll = on.error(("quote", "with_poll"), "A post that shares another has a poll.");
    let Some(target) = on.subject() else { return };
    let is_for_connections =
        target.option("visibility").and_then(Value::as_str) == Some("connections");
    if is_for_connections && target.limits.is_page == Some(true) {
        let sentence = "A page has no connections: set linkedin.visibility to public or loggedIn.";
        on.report(of_page, Detail::note_of("visibility", sentence));
    }
    let has_poll = target.option("poll").is_some();
    let Some(quote) = target.option("quote").and_then(Value::as_str) else { return };
    if shared_post(quote).is_none() {
        let sentence = "LinkedIn shares posts by names such as urn:li:share:1 and urn:li:ugcPost:1, or by an address that holds one. The address of an activity does not tell the post.";
        on.report(not_shareable, Detail::note_of("quote", sentence));
    }
    if !target.draft.media.is_empty() {
        on.report(with_files, Detail::note_of("quote", "A post that shares another has no files."));
    }
    if has_poll {
        on.report(with_poll, Detail::note_of("quote", "A post that shares another has no poll."));
    }
    if target.composed.link_card.is_some() {
        let sentence = "A post that shares another shows no link: write it into the text.";
        on.report(with_link, Detail::note_of("quote", sentence));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image};
    use crate::platform::{AccountLimits, Platform};

    #[test]
    fn visibility_and_shared_posts() {
        let share = "urn:li:share:7141138937766391808";
        let activity = "https://www.linkedin.com/feed/update/urn:li:activity:7141138937766391808/";
        for (name, is_page, options, media, link, want) in [
            ("a member", Some(false), json!({"visibility": "connections"}), vec![], None, ""),
            ("not known", None, json!({"visibility": "connections"}), vec![], None, ""),
            (
                "a page",
                Some(true),
                json!({"visibility": "connections"}),
                vec![],
                None,
                "visibility.of_page",
            ),
            ("a page, logged in", Some(true), json!({"visibility": "loggedIn"}), vec![], None, ""),
            ("a share", None, json!({"quote": share}), vec![], None, ""),
            ("an activity", None, json!({"quote": activity}), vec![], None, "quote.not_shareable"),
            ("with a file", None, json!({"quote": share}), vec![image()], None, "quote.with_files"),
            (
                "with a poll",
                None,
                json!({"quote": share, "poll": {"options": ["a", "b"]}}),
                vec![],
                None,
                "quote.with_poll",
            ),
            (
                "a poll, and the link in the text",
                None,
                json!({"poll": {"options": ["a", "b"]}}),
                vec![],
                Some("https://example.com/a"),
                "",
            ),
            ("a poll", None, json!({"poll": {"options": ["a", "b"]}}), vec![], None, ""),
            (
                "with a link",
                None,
                json!({"quote": share}),
                vec![],
                Some("https://example.com/a"),
                "quote.with_link",
            ),
        ] {
            let mut post = Post::new("Hello").to(Platform::Linkedin, options);
            post.limits = AccountLimits { is_page, ..AccountLimits::default() };
            post.media = media;
            post.link_url = link.map(str::to_owned);
            let found = post.check();
            let rules: Vec<&str> =
                found.iter().map(|issue| issue.rule.strip_prefix("linkedin.").unwrap()).collect();
            assert_eq!(rules.join(" "), want, "{name}");
        }
    }
}
