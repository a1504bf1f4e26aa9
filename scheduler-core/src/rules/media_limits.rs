//! The bounds of each file: bytes, duration, frame rate, pixels, ratio, bit rate.

use std::fmt;

use super::draft::TargetView;
use super::inspection::{Finding, OfTarget};
use super::phrase::numbers::shown;
use super::{Detail, Figure, Fix, MediaFacts, MediaKind, Rule};
use crate::platform::{
    AccountLimits, CapabilitySheet, FileLimit, Measure, Placement, Reaction, canonical_media_type,
    media_type_names,
};

pub(super) const RULE: Rule = Rule::Files(rule);

/// On which side of a bound a value lies.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Below,
    Above,
}

fn rule(on: &mut OfTarget<'_, '_>) {
    let Some(target) = on.subject() else {
        for limit in limits(on.sheet, &AccountLimits::default()) {
            if on.sheet.takes(limit.kind) {
                name_both(on, &limit);
            }
        }
        return;
    };
    for (file, media) in target.media.iter().enumerate() {
        if on.sheet.takes(media.kind) {
            check_file(on, target, file, media);
        }
    }
}

/// Says one thing of each measure of a file, and what stops the post before what does not.
fn check_file(on: &mut OfTarget<'_, '_>, target: &TargetView<'_>, file: usize, media: &MediaFacts) {
    let mut said: Vec<&'static str> = Vec::new();
    for is_refusal in [true, false] {
        for limit in limits_of(target.sheet, target.limits, target.placement, media) {
            if (limit.reaction == Reaction::Refuses) != is_refusal {
                continue;
            }
            // What is advised of images does not hold for the pages of a document.
            if target.pages.is_some() && media.kind.is_image() && !is_refusal {
                continue;
            }
            let value = value_of(limit.measure, media);
            let Some((side, value)) = value.and_then(|value| outside(&limit, value)) else {
                continue;
            };
            let topic = check_of(limit.measure, side, Reaction::Refuses);
            if said.contains(&topic) {
                continue;
            }
            said.push(topic);
            let finding = name(on, &limit, side);
            on.report(finding, detail(target, file, media, &limit, side, value));
        }
    }
}

/// The bounds that hold for a file.
fn limits_of<'a>(
    sheet: &'static CapabilitySheet,
    account: &'a AccountLimits,
    placement: Placement,
    media: &'a MediaFacts,
) -> impl Iterator<Item = FileLimit> + use<'a> {
    let narrower: Vec<Measure> = sheet
        .media
        .limits
        .iter()
        .filter(|limit| limit.kind == media.kind && limit.reaction == Reaction::Refuses)
        .filter(|limit| !limit.types.is_empty() && holds_for(limit, placement, media))
        .map(|limit| limit.measure)
        .collect();
    limits(sheet, account).filter(move |limit| {
        limit.kind == media.kind
            && holds_for(limit, placement, media)
            && !(is_general(limit) && narrower.contains(&limit.measure))
    })
}

/// Whether a picture is refused because it is too large, in bytes or in pixels.
pub(super) fn is_above(
    sheet: &'static CapabilitySheet,
    account: &AccountLimits,
    placement: Placement,
    media: &MediaFacts,
) -> bool {
    limits_of(sheet, account, placement, media).any(|limit| {
        let is_of_size = match limit.measure {
            Measure::Bytes
            | Measure::Width
            | Measure::LongSide
            | Measure::ShortSide
            | Measure::SideSum
            | Measure::Pixels => true,
            Measure::Seconds
            | Measure::Fps
            | Measure::WholeFps
            | Measure::Frames
            | Measure::BitRate
            | Measure::Ratio => false,
        };
        let side = value_of(limit.measure, media).and_then(|value| outside(&limit, value));
        limit.reaction == Reaction::Refuses
            && is_of_size
            && side.is_some_and(|(side, _)| side == Side::Above)
    })
}

/// Whether the ratio of a picture is within every bound of a network, also those that only warn.
#[cfg(feature = "engine")]
pub(super) fn has_fitting_ratio(
    sheet: &'static CapabilitySheet,
    account: &AccountLimits,
    placement: Placement,
    media: &MediaFacts,
) -> bool {
    let ratio = value_of(Measure::Ratio, media);
    limits_of(sheet, account, placement, media)
        .filter(|limit| limit.measure == Measure::Ratio)
        .all(|limit| ratio.is_none_or(|ratio| outside(&limit, ratio).is_none()))
}

/// The least width and height below which a network refuses a picture of a post, or warns of it.
#[cfg(feature = "engine")]
pub(super) fn least_sides(sheet: &'static CapabilitySheet, media: &MediaFacts) -> (u32, u32) {
    let account = AccountLimits::default();
    let limits = limits_of(sheet, &account, Placement::Post, media);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the sheets hold sizes of pictures, which are small whole numbers"
    )]
    let least = limits.filter_map(|limit| Some((limit.measure, limit.least? as u32)));
    least.fold((1, 1), |(width, height), (measure, least)| match measure {
        Measure::Width => (width.max(least), height),
        Measure::ShortSide => (width.max(least), height.max(least)),
        _ => (width, height),
    })
}

/// What bounds a video that is made anew, in bytes, pixels, frames and bits, and whether a video is
/// beyond one of them.
#[derive(Default)]
pub(super) struct VideoBounds {
    pub(super) bytes: Option<f64>,
    pub(super) longest_side: Option<f64>,
    pub(super) shorter_side: Option<f64>,
    pub(super) pixels: Option<f64>,
    pub(super) fps: Option<f64>,
    pub(super) bit_rate: Option<f64>,
    pub(super) is_beyond: bool,
}

/// The bounds that a network refuses a video for, and that another video can keep.
pub(super) fn bounds_of_video(
    sheet: &'static CapabilitySheet,
    account: &AccountLimits,
    placement: Placement,
    media: &MediaFacts,
) -> VideoBounds {
    let mut bounds = VideoBounds::default();
    let refused = limits_of(sheet, account, placement, media)
        .filter(|limit| limit.reaction == Reaction::Refuses);
    for limit in refused {
        let Some(most) = limit.most else { continue };
        let (bound, most) = match limit.measure {
            Measure::Bytes => (&mut bounds.bytes, most),
            Measure::Width | Measure::LongSide => (&mut bounds.longest_side, most),
            Measure::SideSum => (&mut bounds.longest_side, most / 2.0),
            Measure::ShortSide => (&mut bounds.shorter_side, most),
            Measure::Pixels => (&mut bounds.pixels, most),
            Measure::Fps | Measure::WholeFps => (&mut bounds.fps, most),
            Measure::BitRate => (&mut bounds.bit_rate, most),
            Measure::Seconds | Measure::Frames | Measure::Ratio => continue,
        };
        *bound = Some(bound.map_or(most, |known| known.min(most)));
        let side = value_of(limit.measure, media).and_then(|value| outside(&limit, value));
        bounds.is_beyond |= side.is_some_and(|(side, _)| side == Side::Above);
    }
    bounds
}

/// The shape that mends a picture whose ratio is outside a bound: the nearest that is within
/// every bound of the target.
fn crop(target: &TargetView<'_>, media: &MediaFacts, side: Side) -> Option<Fix> {
    if !media.kind.is_image() || !target.decoding.pictures {
        return None;
    }
    let bounds = limits_of(target.sheet, target.limits, target.placement, media)
        .filter(|limit| limit.measure == Measure::Ratio);
    let bounds = bounds.map(|limit| match side {
        Side::Below => limit.least,
        Side::Above => limit.most,
    });
    let nearest = bounds.flatten().reduce(match side {
        Side::Below => f64::max,
        Side::Above => f64::min,
    })?;
    Some(Fix { crop: as_ratio(nearest)?.into() })
}

/// A ratio of width to height in whole numbers, such as `4:5`.
fn as_ratio(value: f64) -> Option<String> {
    (1..=100_u32).find_map(|height| {
        let width = (value * f64::from(height)).round();
        let is_it = width >= 1.0 && (width / f64::from(height) - value).abs() < 1e-9;
        is_it.then(|| format!("{width}:{height}"))
    })
}

fn detail(
    target: &TargetView<'_>,
    file: usize,
    media: &MediaFacts,
    limit: &FileLimit,
    side: Side,
    value: f64,
) -> Detail {
    let (least, most) = match side {
        Side::Below => (limit.least.map(Figure::new), None),
        Side::Above => (None, limit.most.map(Figure::new)),
    };
    let outcome = match limit.reaction {
        Reaction::Refuses => "",
        Reaction::Warns(outcome) => outcome,
    };
    let fix = if limit.measure == Measure::Ratio { crop(target, media, side) } else { None };
    Detail::OutOfBounds {
        unit: limit.measure,
        found: Figure::new(value),
        least,
        most,
        file,
        fix,
        placement: (!limit.placements.is_empty()).then_some(target.placement),
        size: (media.width.unwrap_or_default(), media.height.unwrap_or_default()),
        outcome: outcome.into(),
    }
}

/// Names what can be found of a bound, on either side of it.
fn name_both(on: &mut OfTarget<'_, '_>, limit: &FileLimit) {
    // One rule speaks of ratios on either side.
    if limit.least.is_some() && !(limit.measure == Measure::Ratio && limit.most.is_some()) {
        name(on, limit, Side::Below);
    }
    if limit.most.is_some() {
        name(on, limit, Side::Above);
    }
}

/// Names what can be found on one side of a bound.
fn name(on: &mut OfTarget<'_, '_>, limit: &FileLimit, side: Side) -> Finding {
    let id = ("media", check_of(limit.measure, side, limit.reaction));
    let when = fmt::from_fn(|f| write!(f, "{} {}.", subject(limit), verb(limit, side)));
    match limit.reaction {
        Reaction::Refuses => on.error(id, when),
        Reaction::Warns(outcome) => on.warning(id, format_args!("{when} {outcome}")),
    }
}

/// The bounds of the sheet's own fields, then its further ones, each as the account has it.
fn limits<'a>(
    sheet: &'static CapabilitySheet,
    account: &'a AccountLimits,
) -> impl Iterator<Item = FileLimit> + use<'a> {
    // A size in bytes is far below the 2^53 up to which a float counts by one.
    #[expect(clippy::cast_precision_loss, reason = "see above")]
    let bytes = |limit: u64| Some(limit as f64);
    let figure = |limit: Option<u32>| limit.map(f64::from);
    // Nothing is below nothing.
    let least = |limit: Option<u32>| figure(limit.filter(|limit| *limit > 0));
    let of_sheet = [
        FileLimit::refused(MediaKind::Image, Measure::Bytes, None, bytes(sheet.max_image_bytes)),
        FileLimit::refused(MediaKind::Video, Measure::Bytes, None, bytes(sheet.max_video_bytes)),
        FileLimit::refused(
            MediaKind::Document,
            Measure::Bytes,
            None,
            bytes(sheet.media.documents.max_bytes),
        ),
        FileLimit::refused(
            MediaKind::Video,
            Measure::Seconds,
            least(sheet.min_video_duration_seconds),
            figure(sheet.max_video_duration_seconds),
        ),
        FileLimit::refused(
            MediaKind::Video,
            sheet.media.frame_rate,
            least(sheet.min_video_fps),
            figure(sheet.max_video_fps),
        ),
    ];
    of_sheet
        .into_iter()
        .chain(sheet.media.limits.iter().copied())
        .filter(|limit| !is_settled(limit, account))
        .map(|limit| {
            let most = of_account(&limit, account).or(limit.most);
            FileLimit { most, ..limit }
        })
}

/// What the network says for the account, in place of a bound that holds for every file.
fn of_account(limit: &FileLimit, account: &AccountLimits) -> Option<f64> {
    if !is_general(limit) || limit.is_fixed || limit.reaction != Reaction::Refuses {
        return None;
    }
    figure_of(limit, account)
}

/// Whether a bound holds for every file of its kind.
const fn is_general(limit: &FileLimit) -> bool {
    limit.placements.is_empty() && limit.types.is_empty()
}

/// Whether a bound warns of what an account may not be allowed, while its own figure says so.
fn is_settled(limit: &FileLimit, account: &AccountLimits) -> bool {
    matches!(limit.reaction, Reaction::Warns(_))
        && is_general(limit)
        && matches!(limit.measure, Measure::Bytes | Measure::Seconds)
        && figure_of(limit, account).is_some()
}

fn figure_of(limit: &FileLimit, account: &AccountLimits) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "bytes and pixels are far below 2^53")]
    let whole = |figure: Option<u64>| figure.map(|figure| figure as f64);
    match (limit.kind, limit.measure) {
        (MediaKind::Image, Measure::Bytes) => whole(account.max_image_bytes),
        (MediaKind::Image, Measure::Pixels) => whole(account.max_image_pixels),
        // What an account may upload is said of its largest files.
        (MediaKind::Video | MediaKind::Document, Measure::Bytes) => whole(account.max_video_bytes),
        (MediaKind::Video, Measure::Pixels) => whole(account.max_video_pixels),
        (MediaKind::Video, Measure::Seconds) => account.max_video_duration_seconds,
        (MediaKind::Video, Measure::Fps | Measure::WholeFps) => account.max_video_fps,
        (MediaKind::Image | MediaKind::Video | MediaKind::Document, _) => None,
    }
}

fn holds_for(limit: &FileLimit, placement: Placement, media: &MediaFacts) -> bool {
    let media_type = media.mime_type.as_deref().filter(|_| !limit.types.is_empty());
    let media_type = media_type.map(canonical_media_type);
    let is_type = |taken: &&str| media_type.as_deref() == Some(*taken);
    (limit.placements.is_empty() || limit.placements.contains(&placement))
        && (limit.types.is_empty() || limit.types.iter().any(is_type))
}

fn outside(limit: &FileLimit, value: f64) -> Option<(Side, f64)> {
    if limit.least.is_some_and(|least| value < least - limit.tolerance) {
        return Some((Side::Below, value));
    }
    if limit.most.is_some_and(|most| value > most + limit.tolerance) {
        return Some((Side::Above, value));
    }
    None
}

/// A measure of a file; `None` while it is not known.
fn value_of(measure: Measure, media: &MediaFacts) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53 bytes")]
    let bytes = || media.size_bytes.map(|bytes| bytes as f64);
    let seconds = || media.duration_seconds.filter(|seconds| seconds.is_finite());
    let fps = || media.fps.filter(|fps| fps.is_finite());
    let sides = || {
        let sides =
            media.width.zip(media.height).filter(|(width, height)| *width > 0 && *height > 0)?;
        Some((f64::from(sides.0), f64::from(sides.1)))
    };
    match (measure, media.kind) {
        (Measure::Bytes, _) => bytes(),
        (Measure::Seconds, MediaKind::Video) => seconds(),
        (Measure::Fps, MediaKind::Video) => fps(),
        (Measure::WholeFps, MediaKind::Video) => fps().map(f64::floor),
        (Measure::Frames, MediaKind::Video) => Some(seconds()? * fps()?),
        (Measure::Frames, MediaKind::Image) => media.frame_count.map(f64::from),
        (Measure::BitRate, MediaKind::Video) => {
            let seconds = seconds().filter(|seconds| *seconds > 0.0)?;
            Some(bytes()? * 8.0 / seconds)
        }
        (
            Measure::Seconds | Measure::Fps | Measure::WholeFps | Measure::BitRate,
            MediaKind::Image | MediaKind::Document,
        )
        | (Measure::Frames, MediaKind::Document) => None,
        (Measure::Width, _) => sides().map(|(width, _)| width),
        (Measure::LongSide, _) => sides().map(|(width, height)| width.max(height)),
        (Measure::ShortSide, _) => sides().map(|(width, height)| width.min(height)),
        (Measure::SideSum, _) => sides().map(|(width, height)| width + height),
        (Measure::Pixels, _) => sides().map(|(width, height)| width * height),
        (Measure::Ratio, _) => sides().map(|(width, height)| width / height),
    }
}

/// What is wrong, in the id of a rule.
const fn check_of(measure: Measure, side: Side, reaction: Reaction) -> &'static str {
    let (too_little, too_much, little, much) = match measure {
        Measure::Bytes => ("too_few_bytes", "too_large", "few_bytes", "large"),
        Measure::Seconds => ("too_short", "too_long", "short", "long"),
        Measure::Fps | Measure::WholeFps => ("fps_too_low", "fps_too_high", "fps_low", "fps_high"),
        Measure::Frames => ("too_few_frames", "too_many_frames", "few_frames", "many_frames"),
        Measure::BitRate => {
            ("bit_rate_too_low", "bit_rate_too_high", "bit_rate_low", "bit_rate_high")
        }
        Measure::Width
        | Measure::LongSide
        | Measure::ShortSide
        | Measure::SideSum
        | Measure::Pixels => ("too_small", "too_many_pixels", "small", "many_pixels"),
        Measure::Ratio => ("ratio", "ratio", "unusual_ratio", "unusual_ratio"),
    };
    match (reaction, side) {
        (Reaction::Refuses, Side::Below) => too_little,
        (Reaction::Refuses, Side::Above) => too_much,
        (Reaction::Warns(_), Side::Below) => little,
        (Reaction::Warns(_), Side::Above) => much,
    }
}

/// The files that a bound speaks of, to begin a sentence.
fn subject(limit: &FileLimit) -> String {
    let kind = limit.kind.one_at_start();
    let of_types = match limit.types {
        [] => String::new(),
        types => format!(" of type {}", media_type_names(types.iter().copied())),
    };
    let places: Vec<&str> = limit
        .placements
        .iter()
        .map(|place| match place {
            Placement::Post => "an ordinary post",
            Placement::Carousel => "a carousel",
            Placement::Reel => "a reel",
            Placement::Story => "a story",
        })
        .collect();
    match places.as_slice() {
        [] => format!("{kind}{of_types}"),
        places => format!("{kind}{of_types} in {}", places.join(" or ")),
    }
}

/// What a file outside a bound is or has, in the middle of a sentence.
fn verb(limit: &FileLimit, side: Side) -> String {
    let measure = limit.measure;
    let (least, most) = (limit.least.unwrap_or_default(), limit.most.unwrap_or_default());
    let (least, most) = (shown(measure, least), shown(measure, most));
    if measure == Measure::Ratio && limit.least.is_some() && limit.most.is_some() {
        return if least == most {
            format!("has a ratio of width to height other than {least}")
        } else {
            format!("has a ratio of width to height below {least} or above {most}")
        };
    }
    let bound = match side {
        Side::Below => least,
        Side::Above => most,
    };
    let (less, shorter, smaller, below) = match side {
        Side::Below => ("less", "shorter", "smaller", "below"),
        Side::Above => ("more", "longer", "larger", "above"),
    };
    match measure {
        Measure::Bytes => format!("is {smaller} than {bound}"),
        Measure::Seconds => format!("is {shorter} than {bound}"),
        Measure::Fps | Measure::WholeFps | Measure::Frames | Measure::BitRate | Measure::Pixels => {
            format!("has {less} than {bound}")
        }
        Measure::Width => format!("is {less} than {bound} wide"),
        Measure::LongSide => format!("has a longer side of {less} than {bound}"),
        Measure::ShortSide => format!("has a shorter side of {less} than {bound}"),
        Measure::SideSum => format!("has {less} than {bound} of width and height together"),
        Measure::Ratio => format!("has a ratio of width to height {below} {bound}"),
    }
}
