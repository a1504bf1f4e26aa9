//! What mends what a rule found, made from its data.

use super::files::{bytes, codecs, unfit};
use super::{counted, numbers};
use crate::platform::{Measure, any_of, media_type_names};
use crate::rules::detail::{Counted, Detail, Fix, PlanUnit, Word};
use crate::rules::{Figure, Place};

impl Detail {
    /// What mends it, in one English sentence for a person. Needs no field that is left out of the
    /// JSON, so that a detail which was read from it says the same.
    ///
    /// ```
    /// use scheduler_core::rules::Detail;
    ///
    /// let found = r#"{"kind": "too_long", "unit": "graphemes", "found": 301, "most": 300}"#;
    /// let detail: Detail = serde_json::from_str(found)?;
    /// assert_eq!(detail.remedy(), "Shorten it by 1 character, to 300 at most.");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn remedy(&self) -> String {
        match self {
            Self::TooLong { unit, found, most, .. } => {
                let surplus = counted(found.saturating_sub(*most), unit.noun());
                format!("Shorten it by {surplus}, to {most} at most.")
            }
            Self::Long { unit, most, .. } => {
                format!("Shorten it to {} to be certain.", counted(*most, unit.noun()))
            }
            Self::TooMany { unit, found, most, .. } => {
                format!("Take away {}.", things(*unit, found.saturating_sub(*most)))
            }
            Self::Many { unit, most, .. } => {
                format!("Put those that matter among the first {}.", things(*unit, *most))
            }
            Self::TooFew { unit, found, least, .. } => {
                format!("Add {}.", things(*unit, least.saturating_sub(*found)))
            }
            Self::PollOptions { least, most, .. } => format!("Give {least} to {most} options."),
            Self::Paragraphs { most, .. } => {
                format!("Join paragraphs or leave some out: {most} blocks at most.")
            }
            Self::OutOfBounds { fix: Some(Fix { crop }), file, .. } => {
                format!("Crop file {} to {crop}.", file + 1)
            }
            Self::OutOfBounds { unit, least, most, file, .. } => {
                let shown = |bound: &Figure| bound_of(*unit, &numbers::shown(*unit, bound.get()));
                let bound = match (least, most) {
                    (Some(least), _) => format!("{} at least", shown(least)),
                    (None, Some(most)) => format!("{} at most", shown(most)),
                    (None, None) => "another measure".to_owned(),
                };
                format!("Replace file {} by one with {bound}.", file + 1)
            }
            Self::TooLarge { most, place: Place::Post, .. } => {
                format!("Take files away, or use smaller ones: {} in all.", bytes(*most))
            }
            Self::TooLarge { most, .. } => {
                format!("Use a smaller file, of {} at most.", bytes(*most))
            }
            Self::PlanLimit { unit: PlanUnit::Posts, .. } => {
                "Wait for the next month, or take a larger plan.".to_owned()
            }
            Self::PlanLimit { unit: PlanUnit::Bytes, .. } => {
                "Use smaller files, or take a larger plan.".to_owned()
            }
            Self::PlanLimit { unit: PlanUnit::Accounts, .. } => {
                "Disconnect an account, or take a larger plan.".to_owned()
            }
            Self::MissingText { allowed, .. } => {
                format!("Add {}.", any_of(words(allowed).map(with_article)))
            }
            Self::MissingFile { allowed } => {
                format!("Add {}.", any_of(allowed.iter().map(|kind| kind.one())))
            }
            Self::MissingOption { option, allowed, .. } if allowed.is_empty() => {
                format!("Set the option {option}.")
            }
            Self::MissingOption { option, allowed, .. } => {
                format!("Set the option {option} to {}.", either(allowed))
            }
            Self::NotReady { reason: None, .. } => {
                "Wait until it is ready, and check again.".to_owned()
            }
            Self::NotReady { reason: Some(_), .. } => {
                "Upload another file in its place.".to_owned()
            }
            Self::Empty { place: Place::File(_) } => "Upload the file again.".to_owned(),
            Self::Empty { .. } => "Fill it, or leave it out.".to_owned(),
            Self::ForbiddenCharacter { found, .. } => format!("Take {found:?} out of the text."),
            Self::CharactersRemoved { .. } => {
                "Take them out yourself where their place matters; else nothing has to be done."
                    .to_owned()
            }
            Self::FileType { allowed, .. } => {
                format!("Use a file of the type {}.", media_type_names(words(allowed)))
            }
            Self::Converted { .. } => {
                "Nothing has to be done; upload another file to decide how it looks.".to_owned()
            }
            Self::NotConverted { reason, .. } => match unfit(*reason) {
                (_, "") => "Replace it by a file that the network takes as it is.".to_owned(),
                (_, advice) => advice.to_owned(),
            },
            Self::Codec { allowed, file, .. } => {
                format!("Save file {} with {}.", file + 1, codecs(allowed))
            }
            Self::FileKind { found } => {
                let kinds = any_of(found.iter().map(|kind| kind.several()));
                format!("Take {kinds} away for this network.")
            }
            Self::MixedKinds { .. } => "Keep the images or the videos.".to_owned(),
            Self::DifferentSizes { file, .. } | Self::DifferentRatios { file } => {
                format!("Crop file {} as the first is.", file + 1)
            }
            Self::StillPicture { .. } => "Upload a video where it has to move.".to_owned(),
            Self::AnimationBesideOthers { .. } => {
                "Send the animation by itself, or without it.".to_owned()
            }
            Self::Option { option, allowed, .. } => {
                format!("Set the option {option} to {}.", either(allowed))
            }
            Self::OptionType { option, .. } => {
                format!("Give the option {option} as the options of the network say.")
            }
            Self::Malformed { .. } => "Write it in the form that the message names.".to_owned(),
            Self::OptionOutOfBounds { option, least, most, .. } => {
                format!("Set the option {option} to a number from {least} to {most}.")
            }
            Self::UnknownOption { option, allowed: [nearest] } => {
                format!("Write {nearest} in place of {option}, or leave it out.")
            }
            Self::Repeated { .. } => "Leave the later one out, or change it.".to_owned(),
            Self::NotConnected => {
                "Connect an account of the network, or leave the network out.".to_owned()
            }
            Self::Note { option: Some(option), .. } => {
                format!("Change the option {option} as the message says.")
            }
            Self::Note { option: None, .. } | Self::Unknown => {
                "Change the post as the message says.".to_owned()
            }
        }
    }
}

fn things(unit: Counted, count: usize) -> String {
    counted(count, unit.noun())
}

/// What a measure has to be, such as `a ratio of 0.8`.
fn bound_of(measure: Measure, bound: &str) -> String {
    let name = match measure {
        Measure::Bytes
        | Measure::Seconds
        | Measure::Frames
        | Measure::BitRate
        | Measure::Fps
        | Measure::WholeFps => return bound.to_owned(),
        Measure::Width => "a width",
        Measure::LongSide => "a longer side",
        Measure::ShortSide => "a shorter side",
        Measure::SideSum => "width and height together",
        Measure::Pixels => "an area",
        Measure::Ratio => "a ratio",
    };
    format!("{name} of {bound}")
}

/// What would do in place of a text.
fn with_article(word: &str) -> &str {
    match word {
        "text" => "a text",
        "file" => "a file",
        "link" => "a link",
        other => other,
    }
}

fn words(words: &[Word]) -> impl Iterator<Item = &str> {
    words.iter().map(|word| &**word)
}

fn either(allowed: &[Word]) -> String {
    any_of(words(allowed))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_mends_it() {
        let found = |detail: Value| serde_json::from_value::<Detail>(detail).unwrap().remedy();
        for (detail, want) in [
            (
                json!({"kind": "too_many", "unit": "hashtags", "found": 7, "most": 5}),
                "Take away 2 hashtags.",
            ),
            (json!({"kind": "too_few", "unit": "files", "found": 1, "least": 2}), "Add 1 file."),
            (
                json!({"kind": "too_large", "found": 9, "most": 8, "file": 0}),
                "Use a smaller file, of 8 bytes at most.",
            ),
            (
                json!({"kind": "out_of_bounds", "unit": "ratio", "found": 2.0, "most": 1.91, "file": 0, "fix": {"crop": "1.91:1"}}),
                "Crop file 1 to 1.91:1.",
            ),
            (
                json!({"kind": "out_of_bounds", "unit": "seconds", "found": 2, "least": 3, "file": 1}),
                "Replace file 2 by one with 3 s at least.",
            ),
            (
                json!({"kind": "out_of_bounds", "unit": "ratio", "found": 0.5, "least": 0.8, "file": 0}),
                "Replace file 1 by one with a ratio of 0.8 at least.",
            ),
            (
                json!({"kind": "out_of_bounds", "unit": "width", "found": 200, "least": 320, "file": 0}),
                "Replace file 1 by one with a width of 320 pixels at least.",
            ),
            (
                json!({"kind": "file_type", "found": "image/bmp", "allowed": ["image/jpeg", "image/png"], "file": 0}),
                "Use a file of the type JPEG or PNG.",
            ),
            (
                json!({"kind": "not_converted", "reason": "needs_ffmpeg", "file": 0}),
                "Install that on the server, or upload a JPEG.",
            ),
            (json!({"kind": "not_ready", "file": 0}), "Wait until it is ready, and check again."),
            (
                json!({"kind": "not_ready", "file": 0, "reason": "This is not a picture."}),
                "Upload another file in its place.",
            ),
            (json!({"kind": "empty", "file": 0}), "Upload the file again."),
            (json!({"kind": "missing_text", "allowed": ["text", "file"]}), "Add a text or a file."),
            (
                json!({"kind": "missing_file", "allowed": ["image", "video"]}),
                "Add an image or a video.",
            ),
            (json!({"kind": "missing_option", "option": "boardId"}), "Set the option boardId."),
            (
                json!({"kind": "option", "option": "privacy", "found": "all", "allowed": ["public", "private"]}),
                "Set the option privacy to public or private.",
            ),
            (
                json!({"kind": "unknown_option", "option": "boardID", "allowed": ["boardId"]}),
                "Write boardId in place of boardID, or leave it out.",
            ),
            (
                json!({"kind": "file_kind", "found": ["document"]}),
                "Take documents away for this network.",
            ),
            (
                json!({"kind": "not_connected"}),
                "Connect an account of the network, or leave the network out.",
            ),
            (json!({"kind": "of_a_later_version"}), "Change the post as the message says."),
        ] {
            assert_eq!(found(detail.clone()), want, "{detail}");
        }
    }
}
