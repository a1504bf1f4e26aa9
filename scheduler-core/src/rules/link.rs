//! The link of a post, where a network has a word to say about it.

use super::catalogue::Catalogue;
use super::draft::{TargetView, widened};
use super::issues::Issues;
use super::{Detail, Place, Rule};
use crate::platform::pinterest::LINK_LENGTH_LIMIT;
use crate::platform::{CapabilitySheet, Platform, TextUnit};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let Some(link) = target.draft.link_url.filter(|link| !link.is_empty()) else { return };
    match target.sheet.platform {
        Platform::Facebook => {
            if target.composed.link_card.is_none() {
                return;
            }
            if !has_web_scheme(link) {
                let detail = Detail::note("Facebook takes http and https links only.");
                issues.error("link.not_allowed", detail);
            } else if is_facebook(link) {
                issues.error(
                    "link.not_allowed",
                    Detail::note("Facebook takes no link to facebook.com as the link of a post."),
                );
            }
        }
        Platform::Pinterest => {
            if !has_web_scheme(link) {
                let detail = Detail::note("Pinterest takes http and https links only.");
                issues.error("link.not_allowed", detail);
            }
            let (unit, most) = (TextUnit::CodePoints, widened(LINK_LENGTH_LIMIT));
            if let Some(length) = count::over(unit, link, most) {
                let detail = Detail::too_long(unit, length, most, Place::Link);
                issues.error("link.too_long", detail);
            }
        }
        // What is said of a text that is left out holds for the link in it.
        Platform::Instagram | Platform::Tiktok if !target.carries_text() => {}
        Platform::Instagram => {
            let detail = Detail::note("Links in Instagram captions cannot be clicked.");
            issues.warning("link.not_clickable", detail);
        }
        Platform::Tiktok => {
            let detail = Detail::note("Links in TikTok captions cannot be clicked.");
            issues.warning("link.not_clickable", detail);
        }
        Platform::Threads => {
            if target.option("poll").is_some() {
                issues.warning(
                    "link.without_preview",
                    Detail::note_of(
                        "poll",
                        "A post with a poll has no link preview on Threads; the link goes into the text.",
                    ),
                );
            }
        }
        Platform::Youtube
        | Platform::Twitter
        | Platform::Linkedin
        | Platform::Bluesky
        | Platform::Mastodon
        | Platform::Telegram
        | Platform::Discord
        | Platform::Tumblr => {}
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

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    match sheet.platform {
        Platform::Facebook => {
            list.error(
                "link.not_allowed",
                "The link of a post without files is to facebook.com, or neither http nor https.",
            );
        }
        Platform::Pinterest => {
            list.error("link.not_allowed", "The link is neither http nor https.");
            list.error(
                "link.too_long",
                format!("The link has more than {LINK_LENGTH_LIMIT} characters."),
            );
        }
        Platform::Instagram | Platform::Tiktok => {
            list.warning(
                "link.not_clickable",
                "The link goes into the text and cannot be clicked.",
            );
        }
        Platform::Threads => list.warning(
            "link.without_preview",
            "Beside a poll the link goes into the text, without a preview.",
        ),
        Platform::Youtube
        | Platform::Twitter
        | Platform::Linkedin
        | Platform::Bluesky
        | Platform::Mastodon
        | Platform::Telegram
        | Platform::Discord
        | Platform::Tumblr => {}
    }
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
