//! Whether the corpus has a file at every bound of every sheet, and one just outside.

use scheduler_core::platform::{CapabilitySheet, FileLimit, Measure, Placement, Platform};
use scheduler_core::rules::{MediaFacts, MediaKind};

use crate::case::Case;
use crate::corpus;

/// How far from a bound a file may be to count as near, as a part of the bound.
const NEAR: f64 = 0.035;

#[test]
fn a_file_is_at_every_bound_and_one_just_outside() {
    let cases: Vec<Case> = corpus::themes().into_iter().flat_map(|theme| theme.cases).collect();
    let mut missing = Vec::new();
    for platform in Platform::ALL {
        for limit in limits(platform.sheet()) {
            let values = values(&cases, platform, &limit);
            for (bound, sign) in [(limit.least, -1.0), (limit.most, 1.0)] {
                let Some(bound) = bound else { continue };
                let over = |value: f64| (value - bound) * sign - limit.tolerance;
                let is_near = |value: f64| (value - bound).abs() <= bound * NEAR + limit.tolerance;
                let is_at = |value: f64| match limit.measure {
                    // The greatest whole number that is rounded down to the bound is at it.
                    Measure::WholeFps => value.floor() == bound,
                    _ if limit.tolerance == 0.0 => value == bound,
                    _ => over(value) <= 0.0 && is_near(value),
                };
                let is_outside = |value: f64| match limit.measure {
                    Measure::WholeFps => value.floor() > bound && is_near(value),
                    _ => over(value) > 0.0 && is_near(value),
                };
                if !values.iter().copied().any(is_at) {
                    missing.push(format!("{platform} at {bound}: {limit:?}"));
                }
                if !values.iter().copied().any(is_outside) {
                    missing.push(format!("{platform} outside {bound}: {limit:?}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "the corpus has no file\n  {}", missing.join("\n  "));
}

/// The bounds of the sheet's own fields and its further ones, of files that the network takes.
fn limits(sheet: &CapabilitySheet) -> Vec<FileLimit> {
    #[expect(clippy::cast_precision_loss, reason = "bytes are far below 2^53")]
    let bytes =
        |kind, bytes: u64| FileLimit::refused(kind, Measure::Bytes, None, Some(bytes as f64));
    let of_video = |measure, least: Option<u32>, most: Option<u32>| {
        let least = least.filter(|least| *least > 0).map(f64::from);
        FileLimit::refused(MediaKind::Video, measure, least, most.map(f64::from))
    };
    let own = [
        bytes(MediaKind::Image, sheet.max_image_bytes),
        bytes(MediaKind::Video, sheet.max_video_bytes),
        of_video(
            Measure::Seconds,
            sheet.min_video_duration_seconds,
            sheet.max_video_duration_seconds,
        ),
        of_video(sheet.media.frame_rate, sheet.min_video_fps, sheet.max_video_fps),
    ];
    let all = own.into_iter().chain(sheet.media.limits.iter().copied());
    all.filter(|limit| sheet.takes(limit.kind)).collect()
}

/// The measures of all files of the corpus of which a bound speaks.
fn values(cases: &[Case], platform: Platform, limit: &FileLimit) -> Vec<f64> {
    let asked = cases.iter().filter(|case| case.platforms.contains(&platform));
    let placed = asked.filter(|case| {
        limit.placements.is_empty() || limit.placements.contains(&placement(case, platform))
    });
    let files = placed.flat_map(|case| case.media_for(platform));
    let spoken_of = files.filter(|file| {
        let is_type = |taken: &&str| file.mime_type.as_deref() == Some(*taken);
        file.kind == limit.kind && (limit.types.is_empty() || limit.types.iter().any(is_type))
    });
    spoken_of.filter_map(|file| value_of(limit.measure, &file)).collect()
}

fn placement(case: &Case, platform: Platform) -> Placement {
    let (media, options) = (case.media_for(platform), case.options_for(platform));
    let is_one_video = matches!(media.as_slice(), [file] if file.kind == MediaKind::Video);
    match platform {
        Platform::Instagram if options.get("placement") == Some(&"story".into()) => {
            Placement::Story
        }
        Platform::Instagram if is_one_video => Placement::Reel,
        Platform::Facebook if options.get("placement") == Some(&"story".into()) => Placement::Story,
        Platform::Facebook if options.get("placement") == Some(&"reel".into()) => Placement::Reel,
        Platform::Facebook if options.get("asReel") == Some(&true.into()) => Placement::Reel,
        _ if media.len() > 1 => Placement::Carousel,
        _ => Placement::Post,
    }
}

fn value_of(measure: Measure, file: &MediaFacts) -> Option<f64> {
    let width = file.width.map(f64::from);
    let height = file.height.map(f64::from);
    let sides = || width.zip(height).filter(|(width, height)| *width > 0.0 && *height > 0.0);
    #[expect(clippy::cast_precision_loss, reason = "bytes are far below 2^53")]
    let bytes = file.size_bytes.map(|bytes| bytes as f64);
    match measure {
        Measure::Bytes => bytes,
        Measure::Seconds => file.duration_seconds,
        Measure::Fps | Measure::WholeFps => file.fps,
        Measure::Frames if file.kind.is_image() => file.frame_count.map(f64::from),
        Measure::Frames => Some(file.duration_seconds? * file.fps?),
        Measure::BitRate => Some(bytes? * 8.0 / file.duration_seconds?),
        Measure::Width => width,
        Measure::LongSide => sides().map(|(width, height)| width.max(height)),
        Measure::ShortSide => sides().map(|(width, height)| width.min(height)),
        Measure::SideSum => sides().map(|(width, height)| width + height),
        Measure::Pixels => sides().map(|(width, height)| width * height),
        Measure::Ratio => sides().map(|(width, height)| width / height),
    }
}
