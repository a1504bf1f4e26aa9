//! Media types that a network takes, and what becomes of moving pictures.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaKind, Rule};
use crate::platform::{CapabilitySheet, GifPlay, Reaction};

pub(super) const RULE: Rule = Rule::Target { describe, run };

/// The media type of an animation in pictures.
const GIF: &str = "image/gif";

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    for (index, media) in target.draft.media.iter().enumerate() {
        let Some(media_type) = media.media_type().filter(|_| sheet.takes(media.kind)) else {
            continue;
        };
        let number = index + 1;
        let name = sheet.short_name;
        let of_sheet = sheet.types_of(media.kind);
        let of_account = target.limits.media_types.as_deref().unwrap_or_default();
        let is_taken = if of_account.is_empty() {
            of_sheet.has(media_type)
        } else {
            of_account.iter().any(|taken| media_type.eq_ignore_ascii_case(taken))
        };
        match of_sheet.others {
            Reaction::Refuses if !is_taken => {
                let taken = if of_account.is_empty() {
                    of_sheet.taken.join(", ")
                } else {
                    of_account.join(", ")
                };
                issues.error(
                    "media.type_not_supported",
                    format!(
                        "File {number} is {media_type}, which {name} does not take; it takes {taken}."
                    ),
                );
            }
            Reaction::Warns(sentence) if !is_taken => {
                issues.warning(
                    "media.unusual_type",
                    format!("File {number} is {media_type}. {sentence}"),
                );
            }
            Reaction::Refuses | Reaction::Warns(_) => {
                if media_type.eq_ignore_ascii_case(GIF)
                    && media.frame_count != Some(1)
                    && stands_still(target)
                {
                    issues.warning(
                        "media.gif_stands_still",
                        format!("File {number} will be a still picture on {name}."),
                    );
                }
            }
        }
    }
}

fn stands_still(target: &TargetView<'_>) -> bool {
    match target.sheet.media.gif {
        GifPlay::Plays => false,
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
        let other = match types.taken {
            [one] => format!("{noun} is not {one}."),
            several => format!("{noun} is none of {}.", several.join(", ")),
        };
        match types.others {
            Reaction::Refuses => {
                list.error("media.type_not_supported", other);
            }
            Reaction::Warns(sentence) => {
                list.warning("media.unusual_type", format!("{other} {sentence}"));
            }
        }
    }
    match sheet.media.gif {
        GifPlay::Plays => {}
        GifPlay::StandsStill => {
            list.warning("media.gif_stands_still", "An animated GIF becomes a still picture.");
        }
        GifPlay::StandsStillInCarousel => list.warning(
            "media.gif_stands_still",
            "An animated GIF beside other files becomes a still picture.",
        ),
    }
}
