//! Options that have no effect on a post of this kind.

use super::draft::TargetView;
use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Effect;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    for option in on.sheet.options {
        let Some(missing) = missing(option.effect) else { continue };
        let no_effect = on.warning(
            (option.subject, "no_effect"),
            format_args!("{} is set on a post {missing}, where it has no effect.", option.key),
        );
        let Some(target) = on.subject() else { continue };
        if target.option(option.key).is_some_and(|value| value != false)
            && !has_effect(target, option.effect)
        {
            let sentence = format!("{} has no effect on a post {missing}.", option.key);
            let detail =
                Detail::Note { option: Some(option.key.into()), sentence: sentence.into() };
            on.report(no_effect, detail);
        }
    }
}

/// What the posts are like in which an option has no effect; `None` where there are none.
const fn missing(effect: Effect) -> Option<&'static str> {
    match effect {
        Effect::Always => None,
        Effect::WithFiles => Some("without a file"),
        Effect::WithImages => Some("without an image"),
        Effect::WithVideo => Some("without a video"),
        Effect::WithImageOrVideo => Some("without an image and without a video"),
        Effect::WithDocument => Some("without a document"),
        Effect::WithoutFiles => Some("with files"),
        Effect::WithLinkAlone => Some("with files or without a link"),
    }
}

fn has_effect(target: &TargetView<'_>, effect: Effect) -> bool {
    match effect {
        Effect::Always => true,
        Effect::WithFiles => !target.media.is_empty(),
        Effect::WithImages => target.images > 0,
        Effect::WithVideo => target.videos > 0,
        Effect::WithImageOrVideo => target.images + target.videos > 0,
        Effect::WithDocument => target.documents > 0 || target.pages.is_some(),
        Effect::WithoutFiles => target.media.is_empty(),
        Effect::WithLinkAlone => {
            target.media.is_empty() && target.draft.link_url.is_some_and(|link| !link.is_empty())
        }
    }
}
