//! Sentences about files.

use super::numbers::{number, shown_apart};
use super::{Speaker, counted};
use crate::media::VideoCodec;
use crate::platform::{Measure, any_of, media_type_name, media_type_names};
use crate::rules::detail::{Counted, Detail, Picture, Word};
use crate::rules::draft::widened;
use crate::rules::{MediaKind, Place, Unfit};

impl Speaker {
    /// The sentence of a detail about files; `None` for any other.
    pub(super) fn of_files(self, detail: &Detail) -> Option<String> {
        let name = self.name();
        Some(match detail {
            Detail::TooMany { unit: Counted::AltTexts, found, most, .. } => {
                format!("{} for {}.", there_are(*found), counted(*most, "files"))
            }
            Detail::TooFew { unit: Counted::AltTexts, found, least, .. } => {
                format!("{} for {least} files; the last files go without.", there_are(*found))
            }
            Detail::TooMany {
                unit: unit @ (Counted::Files | Counted::Videos | Counted::Documents),
                found,
                most,
                ..
            } => {
                format!("Post has {found} {} for {name}, the limit is {most}.", unit.noun())
            }
            Detail::OutOfBounds { .. } => self.out_of_bounds(detail)?,
            Detail::TooLarge { found, most, place: Place::Post, outcome } => {
                let (found, most) = (bytes(*found), bytes(*most));
                if outcome.is_empty() {
                    format!("The files are {found} together for {name}, the limit is {most}.")
                } else {
                    format!("The files are {found} together, more than {most}. {outcome}")
                }
            }
            Detail::TooLarge { found, most, place, .. } => {
                format!("{} is {found} bytes for {name}, the limit is {most}.", self.subject(place))
            }
            Detail::MissingFile { allowed } => format!("{name} needs {}.", kinds(allowed)),
            Detail::NotReady { place, reason: None } => {
                format!("{} is not ready yet.", self.subject(place))
            }
            Detail::NotReady { place, reason: Some(reason) } => {
                format!("{} cannot be used: {reason}", self.subject(place))
            }
            Detail::Empty { place: place @ Place::File(_) } => {
                format!("{} is empty: it has 0 bytes.", self.subject(place))
            }
            Detail::FileType { found, allowed, place, kind, outcome } => {
                let subject = self.subject(place);
                let found = match found {
                    Some(found) => media_type_name(found),
                    None => kind.as_ref(),
                };
                if outcome.is_empty() {
                    let allowed = media_type_names(allowed.iter().map(Word::as_ref));
                    format!("{subject} is {found}; {name} takes {allowed}.")
                } else {
                    format!("{subject} is {found}. {outcome}")
                }
            }
            Detail::Converted { place, from, to, stands_still, is_flattened } => {
                let subject = self.subject(place);
                let mut said =
                    format!("{subject} will be converted for {name}: {}.", changes(from, to));
                if *stands_still {
                    said.push_str(" Of the animation the first picture stays.");
                }
                if *is_flattened {
                    said.push_str(" Transparent parts become white.");
                }
                said
            }
            Detail::NotConverted { place, reason } => {
                let subject = self.subject(place);
                let (why, advice) = unfit(*reason);
                format!("{subject} cannot be converted: {why} {advice}").trim_end().to_owned()
            }
            Detail::Codec { found: None, allowed, file, .. } => {
                let number = file + 1;
                format!(
                    "How file {number} is coded is not known; {name} takes {}.",
                    codecs(allowed)
                )
            }
            Detail::Codec { found: Some(found), allowed, file, outcome } => {
                let (number, found) = (file + 1, found.name());
                if outcome.is_empty() {
                    format!("File {number} is coded as {found}; {name} takes {}.", codecs(allowed))
                } else {
                    format!("File {number} is coded as {found}. {outcome}")
                }
            }
            Detail::FileKind { found } => {
                let refused = any_of(found.iter().map(|kind| kind.several()));
                format!("{name} takes no {refused} here; remove the files or leave {name} out.")
            }
            Detail::MixedKinds { found, images, most_images, most_videos } => {
                let (images, videos) =
                    (counted(*images, "images"), counted(found.saturating_sub(*images), "videos"));
                let most_videos = counted(widened(*most_videos), "videos");
                format!(
                    "Post has {images} and {videos}; {name} takes up to {most_images} images or {most_videos}, not both."
                )
            }
            Detail::DifferentSizes { file, size, first: (first, of_first) } => format!(
                "All images of a {name} carousel must have the same size; file {} is {} x {} and file {} is {} x {}.",
                first + 1,
                of_first.0,
                of_first.1,
                file + 1,
                size.0,
                size.1
            ),
            Detail::DifferentRatios { file } => format!(
                "File {} has another ratio than file 1; {name} crops all files to the first.",
                file + 1
            ),
            Detail::StillPicture { file } => {
                format!("File {} will be a still picture on {name}.", file + 1)
            }
            Detail::AnimationBesideOthers { file } => format!(
                "File {} is an animation; {name} asks for no other file beside it.",
                file + 1
            ),
            _ => return None,
        })
    }

    fn out_of_bounds(self, detail: &Detail) -> Option<String> {
        let Detail::OutOfBounds {
            unit, found, least, most, file, placement, size, outcome, ..
        } = detail
        else {
            return None;
        };
        let (bound, least_or_limit, less_or_more) = match (least, most) {
            (Some(least), _) => (*least, "the least is", "less than"),
            (None, most) => ((*most)?, "the limit is", "more than"),
        };
        let (value, bound) = shown_apart(*unit, found.get(), bound.get());
        let found = measured(*unit, &value, *size);
        let number = file + 1;
        Some(if outcome.is_empty() {
            let name = self.name();
            let place = placement.map_or_else(|| name.to_owned(), |placement| placement.on(name));
            format!("File {number} {found} for {place}, {least_or_limit} {bound}.")
        } else {
            let found = found.trim_end_matches(',');
            format!("File {number} {found}, {less_or_more} {bound}. {outcome}")
        })
    }
}

/// What changes of a picture, such as `PNG to JPEG, 5000 x 3000 to 4096 x 2458 pixels`.
fn changes(from: &Picture, to: &Picture) -> String {
    let names = |picture: &Picture| media_type_names(picture.types.iter().map(Word::as_ref));
    let mut changes = Vec::new();
    if from.types.is_empty() || from.types != to.types {
        let becomes = names(to);
        changes.push(match from.types.is_empty() {
            true => format!("to {becomes}"),
            false => format!("{} to {becomes}", names(from)),
        });
    }
    let size = |picture: &Picture| Some((picture.width?, picture.height?));
    if let Some(((width, height), (new_width, new_height))) = size(from).zip(size(to)) {
        changes.push(format!("{width} x {height} to {new_width} x {new_height} pixels"));
    }
    if let Some((found, most)) = from.bytes.zip(to.bytes) {
        changes.push(format!("{} to at most {}", number_of(found), bytes(most)));
    }
    if let Some(becomes) = to.codec {
        changes.push(match from.codec {
            Some(found) => format!("{} to {}", found.name(), becomes.name()),
            None => format!("to {}", becomes.name()),
        });
    }
    if let Some((found, most)) = from.fps.zip(to.fps) {
        let (found, most) = (found.get(), most.get());
        changes.push(format!("{found} to {most} frames a second"));
    }
    changes.join(", ")
}

/// Why nothing can be made of a picture or a video, and what to do; nothing where only another file
/// helps.
pub(super) const fn unfit(reason: Unfit) -> (&'static str, &'static str) {
    match reason {
        Unfit::Animation => (
            "as a still picture it would lose its animation.",
            "Make the animation smaller, or send a picture of it.",
        ),
        Unfit::TooManyPixels => (
            "it has more pixels than are read here, 60 million.",
            "Make it smaller before you upload it.",
        ),
        Unfit::TooManyBytes => (
            "it has more bytes than are read here, 64 MiB.",
            "Make it smaller before you upload it.",
        ),
        Unfit::NeedsFfmpeg => (
            "this server needs the package ffmpeg to read it.",
            "Install that on the server, or upload a JPEG.",
        ),
        Unfit::Unreadable => ("it is of a type that is not read here.", "Upload a JPEG."),
        Unfit::VideoNeedsFfmpeg => (
            "this server needs the package ffmpeg to convert videos.",
            "Install that on the server, or upload an MP4 with H.264.",
        ),
        Unfit::VideoTooLong => (
            "it is too long for the bytes that are taken.",
            "Make it shorter before you upload it.",
        ),
        Unfit::NoType => ("the account takes no type that can be made of it.", ""),
    }
}

/// What was measured, to follow the name of the file in a sentence.
fn measured(measure: Measure, value: &str, (width, height): (u32, u32)) -> String {
    match measure {
        Measure::Bytes => format!("is {value}"),
        Measure::Seconds => format!("is {value} long"),
        Measure::Fps | Measure::WholeFps | Measure::Frames | Measure::BitRate => {
            format!("has {value}")
        }
        Measure::Width => format!("is {value} wide"),
        Measure::LongSide => format!("is {width} x {height}, its longer side {value},"),
        Measure::ShortSide => format!("is {width} x {height}, its shorter side {value},"),
        Measure::SideSum => format!("is {width} x {height}, together {value},"),
        Measure::Pixels => format!("is {width} x {height}, that is {value},"),
        Measure::Ratio => format!("is {width} x {height}, a ratio of {value},"),
    }
}

fn there_are(texts: usize) -> String {
    let verb = if texts == 1 { "is" } else { "are" };
    format!("There {verb} {}", counted(texts, "alternative texts"))
}

/// Kinds of which one is enough.
fn kinds(kinds: &[MediaKind]) -> String {
    any_of(kinds.iter().map(|kind| kind.one()))
}

/// Names of codecs, such as `H.264 or HEVC`.
pub(in crate::rules) fn codecs(codecs: &[VideoCodec]) -> String {
    any_of(codecs.iter().map(|codec| codec.name()))
}

/// A size, with commas between thousands.
pub(in crate::rules) fn bytes(count: u64) -> String {
    format!("{} bytes", number_of(count))
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53 bytes")]
fn number_of(count: u64) -> String {
    number(count as f64)
}
