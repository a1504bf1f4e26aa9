//! Media types that a network takes, and what becomes of moving pictures.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, MediaFacts, MediaKind, Place, Rule, Word};
use crate::platform::{
    CapabilitySheet, FileTypes, GifPlay, Reaction, canonical_media_type, media_type_names,
};

pub(super) const RULE: Rule = Rule::Target { describe, run };

/// The media type of an animation in pictures.
const GIF: &str = "image/gif";

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    for (index, media) in target.draft.media.iter().enumerate() {
        let media_type = media.mime_type.as_deref().map(canonical_media_type);
        // An empty type is as little known as none.
        let is_checked =
            |media_type: &String| !media_type.is_empty() && target.sheet.takes(media.kind);
        if let Some(media_type) = media_type.filter(is_checked) {
            check_file(target, index, media, &media_type, issues);
        }
    }
}

fn check_file(
    target: &TargetView<'_>,
    file: usize,
    media: &MediaFacts,
    media_type: &str,
    issues: &mut Issues,
) {
    let of_sheet = target.sheet.types_of(media.kind);
    let of_account: Vec<String> = target
        .limits
        .media_types
        .iter()
        .flatten()
        .map(|taken| canonical_media_type(taken))
        .filter(|taken| taken.starts_with(if media.kind.is_image() { "image/" } else { "video/" }))
        .collect();
    let is_taken = if of_account.is_empty() {
        of_sheet.has(media_type) || of_sheet.change_of(media_type).is_some()
    } else {
        of_account.iter().any(|taken| taken == media_type)
    };
    let detail = |outcome: &'static str| Detail::FileType {
        found: Some(media_type.to_owned().into()),
        allowed: if of_account.is_empty() {
            taken_of(of_sheet).map(Word::Borrowed).collect()
        } else {
            of_account.iter().cloned().map(Word::Owned).collect()
        },
        place: Place::File(file),
        is_video: media.kind == MediaKind::Video,
        outcome: outcome.into(),
    };
    match of_sheet.others {
        Reaction::Refuses if !is_taken => {
            issues.error("media.type_not_supported", detail(""));
        }
        Reaction::Warns(sentence) if !is_taken => {
            issues.warning("media.unusual_type", detail(sentence));
        }
        Reaction::Refuses | Reaction::Warns(_) => {
            if let Some(sentence) = of_sheet.change_of(media_type) {
                issues.warning("media.unusual_type", detail(sentence));
            }
            if media_type == GIF {
                check_gif(target, file, media, issues);
            }
        }
    }
}

fn check_gif(target: &TargetView<'_>, file: usize, media: &MediaFacts, issues: &mut Issues) {
    if media.frame_count == Some(1) {
        return;
    }
    if stands_still(target) {
        issues.warning("media.gif_stands_still", Detail::StillPicture { file });
    } else if target.sheet.media.gif == GifPlay::RatherAlone && target.draft.media.len() > 1 {
        issues.warning("media.gif_beside_others", Detail::AnimationBesideOthers { file });
    }
}

/// The types that a sheet takes, those that are changed last.
fn taken_of(types: &FileTypes) -> impl Iterator<Item = &'static str> + use<> {
    let changed = types.changed.iter().map(|(changed, _)| *changed);
    types.taken.iter().copied().chain(changed)
}

fn stands_still(target: &TargetView<'_>) -> bool {
    match target.sheet.media.gif {
        GifPlay::Plays | GifPlay::RatherAlone => false,
        GifPlay::StandsStill => true,
        GifPlay::StandsStillInCarousel => target.draft.media.len() > 1,
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    for kind in [MediaKind::Image, MediaKind::Video] {
        if !sheet.takes(kind) {
            continue;
        }
        let noun = if kind.is_image() { "An image" } else { "A video" };
        let types = sheet.types_of(kind);
        let taken = media_type_names(taken_of(types));
        match types.others {
            Reaction::Refuses => {
                list.error("media.type_not_supported", format!("{noun} is not {taken}."));
            }
            Reaction::Warns(sentence) => {
                list.warning("media.unusual_type", format!("{noun} is not {taken}. {sentence}"));
            }
        }
        let mut sentences: Vec<&str> =
            types.changed.iter().map(|(_, sentence)| *sentence).collect();
        sentences.dedup();
        for sentence in sentences {
            let of_sentence = types.changed.iter().filter(|(_, other)| *other == sentence);
            let changed = media_type_names(of_sentence.map(|(changed, _)| *changed));
            list.warning("media.unusual_type", format!("{noun} is {changed}. {sentence}"));
        }
    }
    match sheet.media.gif {
        GifPlay::Plays => {}
        GifPlay::StandsStill => {
            list.warning("media.gif_stands_still", "An animated GIF becomes a still picture.");
        }
        GifPlay::RatherAlone => {
            list.warning("media.gif_beside_others", "An animated GIF has other files beside it.");
        }
        GifPlay::StandsStillInCarousel => list.warning(
            "media.gif_stands_still",
            "An animated GIF beside other files becomes a still picture.",
        ),
    }
}
