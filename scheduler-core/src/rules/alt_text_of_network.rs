//! Alternative texts, as one network takes them.

use super::catalogue::Catalogue;
use super::draft::{TargetView, widened};
use super::issues::Issues;
use super::{Detail, MediaKind, Place, Rule, alt_text};
use crate::platform::{CapabilitySheet, Platform, TextUnit};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let given = |text: &&Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
    // Where no file is taken at all, the rule of kinds says so.
    if sheet.max_media_per_post == 0 || !target.draft.alt_texts.iter().any(|text| given(&text)) {
        return;
    }
    if !sheet.supports_alt_text {
        issues.warning(
            "alt_text.not_supported",
            Detail::note("{name} has no alternative texts; they are left out."),
        );
        return;
    }
    let of_video = target
        .draft
        .media
        .iter()
        .zip(target.draft.alt_texts)
        .any(|(media, text)| media.kind == MediaKind::Video && given(&text));
    // Instagram's own rule speaks of placements as well.
    if of_video && !sheet.media.alt_text_of_videos && sheet.platform != Platform::Instagram {
        issues.warning(
            "alt_text.not_of_videos",
            Detail::note(
                "{name} keeps alternative texts of images only; that of a video is left out.",
            ),
        );
    }
    let limit = target.limits.alt_text_limit.unwrap_or(sheet.media.alt_text_limit);
    let takes_one = sheet.platform == Platform::Pinterest;
    let taken = if takes_one { 1 } else { target.draft.alt_texts.len() };
    for (index, text) in target.draft.alt_texts.iter().enumerate().take(taken) {
        let Some(text) = text.as_deref() else { continue };
        let length = count::over(TextUnit::CodePoints, text, widened(limit));
        // What is over the limit of the service is an issue of the post.
        if let Some(length) = length.filter(|length| *length <= alt_text::LIMIT) {
            let (unit, place) = (TextUnit::CodePoints, Place::AltText(index));
            let detail = Detail::too_long(unit, length, widened(limit), place);
            issues.error("alt_text.too_long", detail);
        }
    }
    if takes_one && target.draft.alt_texts.iter().skip(1).any(|text| given(&text)) {
        issues.warning(
            "alt_text.only_first",
            Detail::note(
                "Pinterest takes one alternative text for a Pin, that of the first file; the others are left out.",
            ),
        );
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.max_media_per_post == 0 {
        return;
    }
    if !sheet.supports_alt_text {
        list.warning("alt_text.not_supported", "There is an alternative text, which is left out.");
        return;
    }
    let limit = sheet.media.alt_text_limit;
    let sentence = if widened(limit) < alt_text::LIMIT {
        format!("An alternative text has more than {limit} characters.")
    } else {
        "An alternative text has more characters than the network allows the account.".to_owned()
    };
    list.error("alt_text.too_long", sentence);
    if !sheet.media.alt_text_of_videos && sheet.platform != Platform::Instagram {
        list.warning(
            "alt_text.not_of_videos",
            "A video has an alternative text, which is left out.",
        );
    }
    if sheet.platform == Platform::Pinterest {
        list.warning("alt_text.only_first", "Only the first alternative text is used.");
    }
}
