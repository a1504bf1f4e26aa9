//! The link of a post, where a network has a word to say about it.

use super::draft::{TargetView, widened};
use super::inspection::OfTarget;
use super::{Detail, Place, Rule};
use crate::platform::pinterest::LINK_LENGTH_LIMIT;
use crate::platform::{Platform, TextUnit};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target(rule);

const NOT_ALLOWED: (&str, &str) = ("link", "not_allowed");

fn rule(on: &mut OfTarget<'_, '_>) {
    match on.sheet.platform {
        Platform::Facebook => of_facebook(on),
        Platform::Pinterest => of_pinterest(on),
        Platform::Instagram | Platform::Tiktok => of_captions(on),
        Platform::Threads => beside_polls(on),
        // Most have nothing to say about it.
        _ => {}
    }
}

/// A target whose post has a link, and the link.
fn linked<'a>(on: &OfTarget<'a, '_>) -> Option<(&'a TargetView<'a>, &'a str)> {
    let target = on.subject()?;
    let link = target.draft.link_url.filter(|link| !link.is_empty())?;
    Some((target, link))
}

fn of_facebook(on: &mut OfTarget<'_, '_>) {
    let not_allowed = on.error(
        NOT_ALLOWED,
        "The link of a post without files is to facebook.com, or neither http nor https.",
    );
    let Some((target, link)) = linked(on) else { return };
    if target.composed.link_card.is_none() {
        return;
    }
    if !has_web_scheme(link) {
        on.report(not_allowed, Detail::note("Facebook takes http and https links only."));
    } else if is_facebook(link) {
        let sentence = "Facebook takes no link to facebook.com as the link of a post.";
        on.report(not_allowed, Detail::note(sentence));
    }
}

fn of_pinterest(on: &mut OfTarget<'_, '_>) {
    let not_allowed = on.error(NOT_ALLOWED, "The link is neither http nor https.");
    let too_long = on.error(
        ("link", "too_long"),
        format_args!("The link has more than {LINK_LENGTH_LIMIT} characters."),
    );
    let Some((_, link)) = linked(on) else { return };
    if !has_web_scheme(link) {
        on.report(not_allowed, Detail::note("Pinterest takes http and https links only."));
    }
    let (unit, most) = (TextUnit::CodePoints, widened(LINK_LENGTH_LIMIT));
    if let Some(length) = count::over(unit, link, most) {
        on.report(too_long, Detail::too_long(unit, length, most, Place::Link));
    }
}

fn of_captions(on: &mut OfTarget<'_, '_>) {
    let not_clickable =
        on.warning(("link", "not_clickable"), "The link goes into the text and cannot be clicked.");
    // What is said of a text that is left out holds for the link in it.
    if linked(on).is_some_and(|(target, _)| target.carries_text()) {
        on.report(not_clickable, Detail::note("Links in {name} captions cannot be clicked."));
    }
}

fn beside_polls(on: &mut OfTarget<'_, '_>) {
    let without_preview = on.warning(
        ("link", "without_preview"),
        "Beside a poll the link goes into the text, without a preview.",
    );
    if linked(on).is_some_and(|(target, _)| target.option("poll").is_some()) {
        let sentence =
            "A post with a poll has no link preview on Threads; the link goes into the text.";
        on.report(without_preview, Detail::note_of("poll", sentence));
    }
}

fn has_web_scheme(link: &str) -> bool {
    ["http://", "https://"].into_iter().any(|scheme| {
        link.as_bytes()
            .get(..scheme.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(scheme.as_bytes()))
    })
}

fn is_facebook(link: &str) -> bool {
    url::Url::parse(link).ok().is_some_and(|url| {
        url.host_str().is_some_and(|host| {
            let host = host.trim_end_matches('.');
            host == "facebook.com" || host.ends_with(".facebook.com")
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::Post;
    use crate::platform::Platform;

    #[test]
    fn links() {
        let long = format!("https://{}", "a".repeat(2041));
        for (name, platform, link, want) in [
            (
                "facebook 10",
                Platform::Facebook,
                "https://www.facebook.com/x",
                "facebook.link.not_allowed",
            ),
            (
                "a host with a full stop",
                Platform::Facebook,
                "https://M.Facebook.com./x",
                "facebook.link.not_allowed",
            ),
            ("a user name", Platform::Facebook, "https://facebook.com@example.com/", ""),
            ("no link", Platform::Facebook, "not a link", "facebook.link.not_allowed"),
            ("another host", Platform::Facebook, "https://notfacebook.com/x", ""),
            (
                "pinterest 12",
                Platform::Pinterest,
                "ftp://example.com",
                "pinterest.link.not_allowed",
            ),
            ("pinterest 12, long", Platform::Pinterest, long.as_str(), "pinterest.link.too_long"),
            ("pinterest at the limit", Platform::Pinterest, &long[..2048], ""),
            ("tiktok", Platform::Tiktok, "https://example.com", "tiktok.link.not_clickable"),
            ("bluesky", Platform::Bluesky, "https://example.com", ""),
        ] {
            let mut post = Post::new("Hello").to(platform, json!({}));
            post.link_url = Some(link.to_owned());
            let found = post.issues("link.");
            let rules: Vec<&str> = found.iter().map(|issue| issue.rule.as_ref()).collect();
            assert_eq!(rules.join(" "), want, "{name}");
        }
    }
}
