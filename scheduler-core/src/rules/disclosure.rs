//! What a post has to tell, where a network shows no label for it.

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Disclosed;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let sheet = on.sheet;
    let labels = Disclosed::ALL.map(|what| (what, sheet.label_of(what)));
    let lacks = labels.iter().any(|(_, label)| label.is_none());
    let by_hand = labels.iter().any(|(_, label)| label.is_some_and(|label| label.set_by_hand));
    let no_label = lacks.then(|| {
        let when = "The post discloses something for which the network shows no label.";
        on.warning(("disclosure", "no_label"), when)
    });
    let not_set = by_hand.then(|| {
        let when = "The post discloses something that a target of the network has to say itself.";
        on.warning(("disclosure", "not_set"), when)
    });
    let Some(target) = on.subject() else { return };
    for what in target.target.disclosure.told() {
        match (sheet.label_of(what), no_label, not_set) {
            (None, Some(no_label), _) => {
                on.report(no_label, Detail::note_of(what.as_str(), said_nowhere(what)));
            }
            (Some(label), _, Some(not_set))
                if label.set_by_hand && target.option(label.key).is_none() =>
            {
                let sentence = "{name} wants this label to be set for each post itself: set the \
                                option of the target.";
                on.report(not_set, Detail::note_of(label.key, sentence));
            }
            _ => {}
        }
    }
}

const fn said_nowhere(what: Disclosed) -> &'static str {
    match what {
        Disclosed::AiGenerated => {
            "{name} shows no label for AI-generated content; say it in the text."
        }
        Disclosed::PaidPartnership => {
            "{name} shows no label for paid partnerships; say it in the text."
        }
        Disclosed::OwnBrand => {
            "{name} shows no label for promotion of one's own brand; say it in the text."
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::platform::{AccountLimits, Platform};
    use crate::rules::{Context, Draft, DraftTarget, check};

    fn found(platform: Platform, disclosure: Value, options: Value) -> Vec<(String, String)> {
        let (Value::Object(options), limits) = (options, AccountLimits::default()) else {
            panic!()
        };
        let disclosure = serde_json::from_value(disclosure).unwrap();
        let targets = [DraftTarget::new(platform, &options, &limits).disclosing(disclosure)];
        let draft =
            Draft { content: "Hi", link_url: None, media: &[], alt_texts: &[], targets: &targets };
        let issues = check(&draft, &Context::default()).into_iter();
        let issues = issues.filter(|issue| issue.rule.contains(".disclosure."));
        issues.map(|issue| (issue.rule.to_string(), issue.message)).collect()
    }

    #[test]
    fn what_is_shown_nowhere_is_told() {
        let ai = json!({"aiGenerated": true});
        let no_label = "Bluesky shows no label for AI-generated content; say it in the text.";
        let not_set = "TikTok wants this label to be set for each post itself: set the option of \
                       the target.";
        for (name, platform, disclosure, options, want) in [
            ("nothing told", Platform::Bluesky, json!({}), json!({}), None),
            ("no label", Platform::Bluesky, ai.clone(), json!({}), Some(no_label)),
            ("a label", Platform::Instagram, ai.clone(), json!({}), None),
            ("not set", Platform::Tiktok, ai.clone(), json!({}), Some(not_set)),
            ("set", Platform::Tiktok, ai.clone(), json!({"aiGenerated": true}), None),
            ("said otherwise", Platform::Tiktok, ai, json!({"aiGenerated": false}), None),
        ] {
            let found = found(platform, disclosure, options);
            let messages: Vec<&str> = found.iter().map(|(_, message)| message.as_str()).collect();
            assert_eq!(messages, want.into_iter().collect::<Vec<_>>(), "{name}");
        }
    }

    #[test]
    fn each_is_told_for_itself() {
        let all = json!({"aiGenerated": true, "paidPartnership": true, "ownBrand": true});
        let rules: Vec<String> =
            found(Platform::Pinterest, all, json!({})).into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(rules, ["pinterest.disclosure.no_label"; 3]);
    }
}
