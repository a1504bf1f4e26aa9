//! Media types that a network takes, and what becomes of moving pictures.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaFacts, MediaKind, Rule};
use crate::platform::{
    CapabilitySheet, FileTypes, GifPlay, Reaction, canonical_media_type, media_type_name,
    media_type_names,
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
            check_file(target, index + 1, media, &media_type, issues);
        }
    }
}

fn check_file(
    target: &TargetView<'_>,
    number: usize,
    media: &MediaFacts,
    media_type: &str,
    issues: &mut Issues,
) {
    let of_sheet = target.sheet.types_of(media.kind);
    let (name, file_type) = (target.sheet.short_name, media_type_name(media_type));
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
    match of_sheet.others {
        Reaction::Refuses if !is_taken => {
            let taken = if of_account.is_empty() {
                names_of(of_sheet)
            } else {
                media_type_names(of_account.iter().map(String::as_str))
            };
            issues.error(
                "media.type_not_supported",
                format!("File {number} is {file_type}; {name} takes {taken}."),
            );
        }
        Reaction::Warns(sentence) if !is_taken => {
            issues
                .warning("media.unusual_type", format!("File {number} is {file_type}. {sentence}"));
        }
        Reaction::Refuses | Reaction::Warns(_) => {
            if let Some(sentence) = of_sheet.change_of(media_type) {
                issues.warning(
                    "media.unusual_type",
                    format!("File {number} is {file_type}. {sentence}"),
                );
            }
            if media_type == GIF {
                check_gif(target, number, media, issues);
            }
        }
    }
}

fn check_gif(target: &TargetView<'_>, number: usize, media: &MediaFacts, issues: &mut Issues) {
    let name = target.sheet.short_name;
    if media.frame_count == Some(1) {
        return;
    }
    if stands_still(target) {
        issues.warning(
            "media.gif_stands_still",
            format!("File {number} will be a still picture on {name}."),
        );
    } else if target.sheet.media.gif == GifPlay::RatherAlone && target.draft.media.len() > 1 {
        issues.warning(
            "media.gif_beside_others",
            format!("File {number} is an animation; {name} asks for no other file beside it."),
        );
    }
}

/// The types of a sheet for a sentence, those that are changed last.
fn names_of(types: &FileTypes) -> String {
    let changed = types.changed.iter().map(|(changed, _)| *changed);
    media_type_names(types.taken.iter().copied().chain(changed))
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
        let taken = names_of(types);
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
