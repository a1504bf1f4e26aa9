//! Alternative texts, as one network takes them.

use super::draft::widened;
use super::inspection::OfTarget;
use super::{Detail, MediaKind, Place, Rule, alt_text};
use crate::platform::{Platform, TextUnit};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Files(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let sheet = on.sheet;
    // Where no file is taken at all, the rule of kinds says so.
    if sheet.max_media_per_post == 0 {
        return;
    }
    if !sheet.supports_alt_text {
        let left_out = on.warning(
            ("alt_text", "not_supported"),
            "There is an alternative text, which is left out.",
        );
        if on.subject().is_some_and(|target| target.draft.alt_texts.iter().any(is_given)) {
            let sentence = "{name} has no alternative texts; they are left out.";
            on.report(left_out, Detail::note(sentence));
        }
        return;
    }
    let of_sheet = sheet.media.alt_text_limit;
    let too_long = if widened(of_sheet) < alt_text::LIMIT {
        let when = format_args!("An alternative text has more than {of_sheet} characters.");
        on.error(("alt_text", "too_long"), when)
    } else {
        on.error(
            ("alt_text", "too_long"),
            "An alternative text has more characters than the network allows the account.",
        )
    };
    // Instagram's own rule speaks of placements as well.
    let keeps_those_of_videos =
        sheet.media.alt_text_of_videos || sheet.platform == Platform::Instagram;
    let of_video = (!keeps_those_of_videos).then(|| {
        on.warning(
            ("alt_text", "not_of_videos"),
            "A video has an alternative text, which is left out.",
        )
    });
    let of_document = (!keeps_those_of_videos && sheet.takes(MediaKind::Document)).then(|| {
        on.warning(
            ("alt_text", "not_of_documents"),
            "A document has an alternative text, which is left out.",
        )
    });
    let only_first = (sheet.platform == Platform::Pinterest).then(|| {
        on.warning(("alt_text", "only_first"), "Only the first alternative text is used.")
    });
    let Some(target) = on.subject() else { return };
    let texts = target.draft.alt_texts;
    if !texts.iter().any(is_given) {
        return;
    }
    for (finding, left_out, sentence) in [
        (
            of_video,
            MediaKind::Video,
            "{name} keeps alternative texts of images only; that of a video is left out.",
        ),
        (
            of_document,
            MediaKind::Document,
            "{name} keeps alternative texts of images only; that of a document is left out.",
        ),
    ] {
        let mut files = target.draft.media.iter().zip(texts);
        if let Some(finding) = finding
            && files.any(|(file, text)| file.kind == left_out && is_given(text))
        {
            on.report(finding, Detail::note(sentence));
        }
    }
    let limit = widened(target.limits.alt_text_limit.unwrap_or(of_sheet));
    let taken = if only_first.is_some() { 1 } else { texts.len() };
    // A target's own alternative text stands in the place of that of the first file.
    let replaced = usize::from(target.option("altText").is_some());
    for (index, text) in texts.iter().enumerate().take(taken).skip(replaced) {
        let Some(text) = text.as_deref() else { continue };
        let length = count::over(TextUnit::CodePoints, text, limit);
        let is_own = target.details.get(index).is_some_and(|file| file.alt_text.is_some());
        // What is over the limit of the service is an issue of the post.
        if let Some(length) = length.filter(|length| is_own || *length <= alt_text::LIMIT) {
            let (unit, place) = (TextUnit::CodePoints, Place::AltText(index));
            on.report(too_long, Detail::too_long(unit, length, limit, place));
        }
    }
    if let Some(only_first) = only_first
        && texts.iter().skip(1).any(is_given)
    {
        let sentence = "Pinterest takes one alternative text for a Pin, that of the first file; the others are left out.";
        on.report(only_first, Detail::note(sentence));
    }
}

fn is_given(text: &Option<String>) -> bool {
    text.as_deref().is_some_and(|text| !text.is_empty())
}
