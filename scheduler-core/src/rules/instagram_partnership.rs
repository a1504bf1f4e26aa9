//! What Instagram takes only of accounts that are connected through a Facebook Page.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::{Placement, Platform};

pub(super) const RULE: Rule = Rule::Target(rule);

/// The options, and what each is called in the ids of rules.
const OPTIONS: [(&str, &str); 3] =
    [("paidPartnership", "paid_partnership"), ("sponsors", "sponsors"), ("audio", "audio")];

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Instagram {
        return;
    }
    for (key, subject) in OPTIONS {
        let no_page = on.error(
            (subject, "no_page"),
            format_args!("{key} is set, and the account is not connected through a Facebook Page."),
        );
        let (check, when) = match key {
            "audio" => ("not_a_reel", "Something else than a reel has music."),
            _ => ("story", "A story is labelled as a partnership."),
        };
        let elsewhere = on.error((subject, check), when);
        let Some(target) = on.subject() else { continue };
        let value = target.option(key).filter(|value| **value != Value::Bool(false));
        if value.is_none() {
            continue;
        }
        if target.limits.via_page == Some(false) {
            let sentence = format!(
                "Instagram takes {key} of accounts that are connected through a Facebook Page: connect it so, or leave {key} out."
            );
            let option = Some(key.into());
            on.report(no_page, Detail::Note { option, sentence: sentence.into() });
        }
        let is_elsewhere = match key {
            "audio" => target.placement != Placement::Reel,
            _ => target.placement == Placement::Story,
        };
        if is_elsewhere && !target.draft.media.is_empty() {
            let sentence = match key {
                "audio" => "Only a reel takes music.",
                _ => "A story shows no partnership.",
            };
            on.report(elsewhere, Detail::note_of(key, sentence));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image, video};
    use crate::platform::{AccountLimits, Platform};

    #[test]
    fn partnerships_and_music() {
        let (page, direct) = (Some(true), Some(false));
        for (name, via_page, file, options, want) in [
            ("through a Page", page, image(), json!({"paidPartnership": true}), ""),
            ("not known", None, image(), json!({"paidPartnership": true}), ""),
            (
                "direct",
                direct,
                image(),
                json!({"paidPartnership": true}),
                "paid_partnership.no_page",
            ),
            ("direct, not", direct, image(), json!({"paidPartnership": false}), ""),
            (
                "a story",
                page,
                image(),
                json!({"sponsors": ["17"], "placement": "story"}),
                "sponsors.story",
            ),
            ("a reel", page, video(), json!({"audio": {"id": "1"}, "placement": "reel"}), ""),
            ("a picture", page, image(), json!({"audio": {"id": "1"}}), "audio.not_a_reel"),
        ] {
            let limits = AccountLimits { via_page, ..AccountLimits::default() };
            let mut post = Post::new("Hi").to(Platform::Instagram, options);
            post.media = vec![file];
            post.limits = limits;
            let found: Vec<_> = OPTIONS_OF_RULE
                .iter()
                .flat_map(|subject| post.issues(subject))
                .map(|issue| issue.rule.strip_prefix("instagram.").unwrap().to_owned())
                .collect();
            assert_eq!(found.join(" "), want, "{name}");
        }
    }

    const OPTIONS_OF_RULE: [&str; 3] = ["paid_partnership.", "sponsors.", "audio."];
}
