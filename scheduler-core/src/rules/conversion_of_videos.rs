//! Videos that a network would refuse, and what is made of them instead.

use super::conversion::{Conversion, Fit, Unfit, detail, known_type};
use super::inspection::OfTarget;
use super::media_limits::{VideoBounds, bounds_of_video};
use super::media_type::is_taken;
use super::{Detail, MediaFacts, MediaKind, Place, Rule, VideoCodec};
use crate::media::{Decoding, Recipe};
use crate::platform::{AccountLimits, CapabilitySheet, Placement, Reaction};

pub(super) const RULE: Rule = Rule::Files(rule);

/// Fewest bits a second that a video is made with, sound included; below them nothing could be
/// seen.
///
/// Our decision.
const BITS_A_SECOND_MIN: f64 = 300_000.0;

/// The types of videos that others are made of.
const READ: [&str; 13] = [
    "video/mp4",
    "video/quicktime",
    "video/x-m4v",
    "video/3gpp",
    "video/3gpp2",
    "video/webm",
    "video/x-matroska",
    "video/mp2t",
    "video/mpeg",
    "video/ogg",
    "video/x-flv",
    "video/x-ms-wmv",
    "video/x-msvideo",
];

/// What becomes of a video.
pub(super) fn fit(
    file: &MediaFacts,
    sheet: &'static CapabilitySheet,
    limits: &AccountLimits,
    placement: Placement,
    decoding: Decoding,
) -> Fit {
    if !sheet.takes(MediaKind::Video) {
        return Fit::AsIs;
    }
    let media_type = known_type(file);
    let types = sheet.types_of(MediaKind::Video);
    let is_of_type = media_type.as_deref().is_none_or(|media_type| {
        types.others != Reaction::Refuses || is_taken(sheet, limits, MediaKind::Video, media_type)
    });
    let codecs = sheet.media.codecs;
    let is_of_codec = file.video_codec.is_none_or(|codec| {
        codecs.taken.is_empty()
            || codecs.others != Reaction::Refuses
            || codecs.taken.contains(&codec)
    });
    let bounds = bounds_of_video(sheet, limits, placement, file);
    if is_of_type && is_of_codec && !bounds.is_beyond {
        return Fit::AsIs;
    }
    let is_read = media_type.as_deref().is_none_or(|media_type| READ.contains(&media_type));
    let recipe = recipe(&bounds, file);
    let takes_mp4 = is_taken(sheet, limits, MediaKind::Video, "video/mp4");
    if !is_read || !takes_mp4 {
        return Fit::Impossible(if is_read { Unfit::NoType } else { Unfit::Unreadable });
    }
    if !decoding.films {
        // A server that makes no pictures has no use for the program either.
        let is_missing = decoding.pictures;
        let unfit = if is_missing { Unfit::VideoNeedsFfmpeg } else { Unfit::Unreadable };
        return Fit::Impossible(unfit);
    }
    #[expect(clippy::cast_precision_loss, reason = "bytes are far below 2^53")]
    let bits = recipe.bytes_max as f64 * 8.0;
    if file.duration_seconds.is_some_and(|seconds| bits / seconds < BITS_A_SECOND_MIN) {
        return Fit::Impossible(Unfit::VideoTooLong);
    }
    let size = file.width.zip(file.height);
    let size = size.map(|(width, height)| recipe.scaled_evenly(width, height));
    let facts = MediaFacts {
        mime_type: Some("video/mp4".to_owned()),
        size_bytes: file.size_bytes.map(|bytes| bytes.min(recipe.bytes_max)),
        width: size.map(|size| size.0),
        height: size.map(|size| size.1),
        fps: file.fps.map(|fps| recipe.fps_max.map_or(fps, |most| fps.min(most.into()))),
        video_codec: Some(VideoCodec::H264),
        ..file.clone()
    };
    Fit::Convert(Box::new(Conversion {
        recipe,
        facts,
        media_types: recipe.media_types.to_vec(),
        stands_still: false,
        is_flattened: false,
    }))
}

/// What makes of a video one within the bounds.
fn recipe(bounds: &VideoBounds, file: &MediaFacts) -> Recipe {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast of a float ends at the greatest and at 0"
    )]
    let (whole, whole_bytes) = (|figure: f64| figure as u32, |figure: f64| figure as u64);
    let by_rate = bounds.bit_rate.zip(file.duration_seconds);
    let by_rate = by_rate.map(|(bits, seconds)| whole_bytes(bits / 8.0 * seconds));
    let bytes = bounds.bytes.map_or(u64::MAX, whole_bytes);
    let usual = Recipe::mp4(bytes.min(by_rate.unwrap_or(u64::MAX)));
    let longest = bounds.longest_side.map_or(u32::MAX, whole);
    let shorter = bounds.shorter_side.map(whole);
    Recipe {
        longest_side: usual.longest_side.min(longest),
        shorter_side: usual.shorter_side.map(|own| own.min(shorter.unwrap_or(u32::MAX))),
        pixels_max: bounds.pixels.map(whole_bytes),
        fps_max: bounds.fps.map(whole),
        ..usual
    }
}

fn rule(on: &mut OfTarget<'_, '_>) {
    if !on.sheet.takes(MediaKind::Video) {
        return;
    }
    let converted = on.warning(
        ("media", "video_converted"),
        "A video that would be refused for its type, codec, size or frame rate is sent as MP4 with H.264.",
    );
    let not_converted = on.warning(
        ("media", "video_not_converted"),
        "A video that is refused cannot be converted: the server has no ffmpeg, or the video is too long for the bytes that are taken.",
    );
    let Some(target) = on.subject() else { return };
    for (file, (media, fit)) in target.draft.media.iter().zip(&target.fits).enumerate() {
        if media.kind != MediaKind::Video {
            continue;
        }
        match fit {
            Fit::AsIs | Fit::Impossible(Unfit::Unreadable) => {}
            Fit::Convert(made) => on.report(converted, detail(Place::File(file), media, made)),
            Fit::Impossible(reason) => {
                let (place, reason) = (Place::File(file), *reason);
                on.report(not_converted, Detail::NotConverted { place, reason });
            }
        }
    }
}
