//! Every bound of every sheet, from the sheet itself: at the bound nothing is said of it, just
//! outside the rule is named with the severity that the sheet gives it.

use std::cmp::Ordering;

use serde_json::{Value, json};

use super::{Post, document, image, needed, video};
use crate::media::VideoCodec;
use crate::platform::{
    AccountLimits, CapabilitySheet, FileLimit, Measure, Placement, Platform, Reaction,
};
use crate::rules::{MediaFacts, MediaKind, Severity};

/// The ways of posting on a network: options and number of equal files for each placement.
fn placements(platform: Platform) -> Vec<(Placement, Value, usize)> {
    let with = |key: &str, value: Value| {
        let mut options = needed(platform);
        options[key] = value;
        options
    };
    let mut ways =
        vec![(Placement::Post, needed(platform), 1), (Placement::Carousel, needed(platform), 2)];
    match platform {
        Platform::Instagram => ways.extend([
            (Placement::Reel, with("placement", json!("reel")), 1),
            (Placement::Story, with("placement", json!("story")), 1),
        ]),
        Platform::Facebook => ways.extend([
            (Placement::Reel, with("asReel", json!(true)), 1),
            (Placement::Reel, with("placement", json!("reel")), 1),
            (Placement::Story, with("placement", json!("story")), 1),
        ]),
        _ => {}
    }
    ways
}

/// Files of which a measure has a value, in several shapes, so that one is within all other bounds.
/// Where no whole sides have a ratio, it is that of the next pixel away from the bound.
fn files(sheet: &CapabilitySheet, limit: &FileLimit, bound: f64, value: f64) -> Vec<MediaFacts> {
    let types: Vec<&str> = match limit.types {
        [] => sheet.types_of(limit.kind).taken.to_vec(),
        types => types.to_vec(),
    };
    let plain = match limit.kind {
        MediaKind::Image => image(),
        MediaKind::Video => video(),
        MediaKind::Document => document(),
    };
    let plain = MediaFacts { mime_type: types.first().map(|first| (*first).to_owned()), ..plain };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole figures")]
    let (whole, pixels) = (value as u64, value as u32);
    let sized = |width: u32, height: u32| MediaFacts {
        width: Some(width),
        height: Some(height),
        ..plain.clone()
    };
    // Sides of common pictures, so that one of them suits the other bounds.
    let sides =
        [100_u32, 250, 300, 360, 400, 540, 607, 640, 720, 1000, 1080, 1280, 1920, 2160, 3840];
    match limit.measure {
        Measure::Bytes => vec![MediaFacts { size_bytes: Some(whole), ..plain.clone() }],
        Measure::Seconds => vec![MediaFacts { duration_seconds: Some(value), ..plain.clone() }],
        Measure::Fps | Measure::WholeFps => vec![MediaFacts { fps: Some(value), ..plain.clone() }],
        Measure::Frames if limit.kind.is_image() => {
            vec![MediaFacts { frame_count: Some(pixels), ..plain.clone() }]
        }
        Measure::Frames => {
            let duration_seconds = Some(value / 30.0);
            vec![MediaFacts { duration_seconds, fps: Some(30.0), ..plain.clone() }]
        }
        Measure::BitRate => {
            let (size_bytes, duration_seconds) = (Some(whole), Some(8.0));
            vec![MediaFacts { size_bytes, duration_seconds, ..plain.clone() }]
        }
        Measure::Width => sides.map(|side| sized(pixels, side)).to_vec(),
        Measure::LongSide => sides
            .iter()
            .filter(|side| **side <= pixels)
            .flat_map(|side| [sized(*side, pixels), sized(pixels, *side)])
            .collect(),
        Measure::ShortSide => sides
            .iter()
            .filter(|side| **side >= pixels)
            .flat_map(|side| [sized(*side, pixels), sized(pixels, *side)])
            .collect(),
        Measure::SideSum => vec![sized(pixels / 2, pixels - pixels / 2)],
        // One row of pixels is as good as any area where no ratio is bounded.
        Measure::Pixels => sides
            .iter()
            .filter(|side| pixels % **side == 0)
            .map(|side| sized(pixels / side, *side))
            .chain([sized(pixels, 1)])
            .collect(),
        Measure::Ratio => sides
            .iter()
            .filter_map(|side| {
                let exact = value * f64::from(*side);
                let rounded = match value.partial_cmp(&bound)? {
                    Ordering::Less => exact.floor(),
                    Ordering::Equal => exact.round(),
                    Ordering::Greater => exact.ceil(),
                };
                // At the bound a ratio must be within what is tolerated.
                let most_off = 0.5 * limit.tolerance.max(1e-6) * f64::from(*side);
                let is_close = value != bound || (rounded - exact).abs() < most_off;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a side of a picture"
                )]
                is_close.then(|| sized(rounded as u32, *side))
            })
            .collect(),
    }
}

/// The smallest change of a measure that these tests make.
fn step(limit: &FileLimit) -> f64 {
    match limit.measure {
        Measure::Bytes
        | Measure::WholeFps
        | Measure::Frames
        | Measure::BitRate
        | Measure::Width
        | Measure::LongSide
        | Measure::ShortSide
        | Measure::SideSum
        | Measure::Pixels => 1.0,
        Measure::Seconds | Measure::Fps => 0.001,
        // A pixel of a side of a thousand.
        Measure::Ratio => 0.001,
    }
}

/// The issues of all posts with one of the files, which name a bound with this severity.
fn says(
    platform: Platform,
    limit: &FileLimit,
    bound: f64,
    value: f64,
    account: &AccountLimits,
) -> Vec<bool> {
    let severity = match limit.reaction {
        Reaction::Refuses => Severity::Error,
        Reaction::Warns(_) => Severity::Warning,
    };
    let mut answers = Vec::new();
    for (placement, options, count) in placements(platform) {
        if !limit.placements.is_empty() && !limit.placements.contains(&placement) {
            continue;
        }
        for file in files(platform.sheet(), limit, bound, value) {
            let mut post = Post::new("Hi").unconverted().to(platform, options.clone());
            post.media = vec![file; count];
            post.limits = account.clone();
            answers.push(post.check().iter().any(|issue| {
                issue.severity == severity
                    && is_of(limit, &issue.rule)
                    && is_about(limit, bound, &issue.message)
            }));
        }
    }
    answers
}

/// Whether a rule's id speaks of a measure.
fn is_of(limit: &FileLimit, rule: &str) -> bool {
    let words: &[&str] = match limit.measure {
        Measure::Bytes => &["too_few_bytes", "too_large", "large"],
        Measure::Seconds => &["too_short", "too_long", "short", "long"],
        Measure::Fps | Measure::WholeFps => &["fps_too_low", "fps_too_high", "fps_low", "fps_high"],
        Measure::Frames => &["too_many_frames", "many_frames"],
        Measure::BitRate => &["bit_rate_too_high", "bit_rate_high"],
        Measure::Width
        | Measure::LongSide
        | Measure::ShortSide
        | Measure::SideSum
        | Measure::Pixels => &["too_small", "too_many_pixels", "small", "many_pixels"],
        Measure::Ratio => &["ratio", "unusual_ratio"],
    };
    rule.rsplit_once("media.").is_some_and(|(_, check)| words.contains(&check))
}

/// Whether a message names the bound, and for a warning what happens.
fn is_about(limit: &FileLimit, bound: f64, message: &str) -> bool {
    let shown = if limit.measure == Measure::BitRate { bound / 1e6 } else { bound };
    let plain = message.replace(',', "");
    let decimals = format!("{shown:.4}");
    let number = decimals.trim_end_matches('0').trim_end_matches('.');
    let names = |words: &str| {
        plain
            .split(words)
            .nth(1)
            .and_then(|rest| rest.strip_prefix(number))
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
    };
    let is_named =
        ["the limit is ", "the least is ", "more than ", "less than "].into_iter().any(names);
    is_named
        && match limit.reaction {
            Reaction::Refuses => true,
            Reaction::Warns(sentence) => message.ends_with(sentence),
        }
}

/// The bounds of the sheet's own fields and its further ones.
fn bounds(sheet: &'static CapabilitySheet) -> Vec<FileLimit> {
    #[expect(clippy::cast_precision_loss, reason = "bytes are far below 2^53")]
    let bytes = |figure: u64| Some(figure as f64);
    let number = |figure: Option<u32>| figure.map(f64::from);
    let (seconds, rate) = (Measure::Seconds, sheet.media.frame_rate);
    let lengths = (sheet.min_video_duration_seconds, sheet.max_video_duration_seconds);
    let rates = (sheet.min_video_fps, sheet.max_video_fps);
    [
        FileLimit::refused(MediaKind::Image, Measure::Bytes, None, bytes(sheet.max_image_bytes)),
        FileLimit::refused(MediaKind::Video, Measure::Bytes, None, bytes(sheet.max_video_bytes)),
        FileLimit::refused(MediaKind::Video, seconds, number(lengths.0), number(lengths.1)),
        FileLimit::refused(MediaKind::Video, rate, number(rates.0), number(rates.1)),
    ]
    .into_iter()
    .chain(sheet.media.limits.iter().copied())
    .filter(|limit| sheet.takes(limit.kind))
    .collect()
}

/// A file size is in bytes where a bit rate is in bits a second; these files last 8 seconds.
fn at_and_outside(limit: &FileLimit) -> Vec<(f64, f64)> {
    let out = limit.tolerance + step(limit);
    // A length cannot be below nothing.
    let least = limit.least.filter(|least| *least > 0.0).map(|least| (least, least - out));
    let most = limit.most.map(|most| (most, most + out));
    least.into_iter().chain(most).collect()
}

/// Each bound holds for an account of which nothing is known.
#[test]
fn every_bound_of_every_sheet() {
    let mut count = 0;
    for platform in Platform::ALL {
        let account = AccountLimits::default();
        for limit in bounds(platform.sheet()) {
            for (bound, outside) in at_and_outside(&limit) {
                let name = format!("{platform} {bound} {limit:?}");
                let at = says(platform, &limit, bound, bound, &account);
                assert!(!at.is_empty(), "no file at {name}");
                assert!(at.iter().all(|said| !said), "said at {name}");
                let out = says(platform, &limit, bound, outside, &account);
                assert!(out.iter().any(|said| *said), "not said outside {name}");
                count += 1;
            }
        }
    }
    assert!(count >= 90, "only {count} bounds");
}

/// The figures of an account, as large as `factor` times those of a bound.
fn account_with(limit: &FileLimit, figure: f64) -> Option<AccountLimits> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole figures")]
    let whole = Some(figure as u64);
    let mut account = AccountLimits::default();
    match (limit.kind, limit.measure) {
        (MediaKind::Image, Measure::Bytes) => account.max_image_bytes = whole,
        (MediaKind::Image, Measure::Pixels) => account.max_image_pixels = whole,
        (MediaKind::Video, Measure::Bytes) => account.max_video_bytes = whole,
        (MediaKind::Video, Measure::Pixels) => account.max_video_pixels = whole,
        (MediaKind::Video, Measure::Seconds) => account.max_video_duration_seconds = Some(figure),
        (MediaKind::Video, Measure::Fps | Measure::WholeFps) => {
            account.max_video_fps = Some(figure)
        }
        _ => return None,
    }
    Some(account)
}

#[test]
fn the_figure_of_an_account_comes_before_that_of_the_sheet() {
    let mut count = 0;
    for platform in Platform::ALL {
        for limit in bounds(platform.sheet()) {
            let is_general = limit.placements.is_empty() && limit.types.is_empty();
            let Some(most) = limit.most.filter(|_| is_general) else { continue };
            for figure in [(most / 2.0).floor(), most * 2.0] {
                let Some(account) = account_with(&limit, figure) else { continue };
                let name = format!("{platform} {figure} {limit:?}");
                let any = |bound, value| {
                    says(platform, &limit, bound, value, &account).into_iter().any(|said| said)
                };
                let out = limit.tolerance + step(&limit);
                let is_replaced = limit.reaction == Reaction::Refuses && !limit.is_fixed;
                let is_lifted = limit.reaction != Reaction::Refuses
                    && matches!(limit.measure, Measure::Bytes | Measure::Seconds);
                if is_replaced {
                    assert!(!any(figure, figure), "said at {name}");
                    assert!(any(figure, figure + out), "not said outside {name}");
                    count += 1;
                } else if is_lifted {
                    assert!(!any(most, most + out), "not lifted by {name}");
                    count += 1;
                } else {
                    // The figure of the account may stop a file before the sheet does.
                    assert!(figure < most || any(most, most + out), "lost by {name}");
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 60, "only {count} figures");
}

/// Numbers of files, their sum, their types and codecs.
#[test]
fn every_bound_on_files_together() {
    for platform in Platform::ALL {
        let sheet = platform.sheet();
        let post = |media: Vec<MediaFacts>| {
            let mut post = Post::new("Hi").unconverted().to(platform, needed(platform));
            post.media = media;
            post
        };
        let rules = |media, check: &str| post(media).issues(check).len();
        let typed = |file: MediaFacts, kind| MediaFacts {
            mime_type: sheet.types_of(kind).taken.first().map(|first| (*first).to_owned()),
            ..file
        };
        for (kind, file) in [
            (MediaKind::Image, image()),
            (MediaKind::Video, video()),
            (MediaKind::Document, document()),
        ] {
            let (file, most) = (typed(file, kind), sheet.most_of(kind));
            if !sheet.takes(kind) {
                assert_eq!(rules(vec![file], "media.kind_not_supported"), 1, "{platform} {kind:?}");
                continue;
            }
            let most = usize::try_from(most).unwrap();
            let name = format!("{platform} {most} {kind:?}");
            assert_eq!(rules(vec![file.clone(); most], "media.too_many"), 0, "{name}");
            assert!(rules(vec![file.clone(); most + 1], "media.too_many") > 0, "{name} and one");

            for taken in sheet.types_of(kind).taken {
                let file = MediaFacts { mime_type: Some((*taken).to_owned()), ..file.clone() };
                assert_eq!(rules(vec![file.clone()], "media.type"), 0, "{platform} {taken}");
                assert_eq!(rules(vec![file], "media.unusual_type"), 0, "{platform} {taken}");
            }
            for (changed, sentence) in sheet.types_of(kind).changed {
                let file = MediaFacts { mime_type: Some((*changed).to_owned()), ..file.clone() };
                let found = post(vec![file]).issues("media.unusual_type");
                assert_eq!(found.len(), 1, "{platform} {changed}");
                assert_eq!(found[0].severity, Severity::Warning);
                assert!(found[0].message.ends_with(sentence), "{platform} {changed}");
            }
            let strange = MediaFacts { mime_type: Some("x-y/z".to_owned()), ..file };
            let check = match sheet.types_of(kind).others {
                Reaction::Refuses => "media.type_not_supported",
                Reaction::Warns(_) => "media.unusual_type",
            };
            assert_eq!(rules(vec![strange], check), 1, "{platform} {kind:?}");
        }
        if sheet.supports_video {
            let codecs = sheet.media.codecs;
            for codec in [
                VideoCodec::H264,
                VideoCodec::Hevc,
                VideoCodec::Vp8,
                VideoCodec::Vp9,
                VideoCodec::Av1,
                VideoCodec::ProRes,
                VideoCodec::Mpeg4,
                VideoCodec::Other,
            ] {
                let file = MediaFacts { video_codec: Some(codec), ..video() };
                let is_taken = codecs.taken.is_empty() || codecs.taken.contains(&codec);
                let check = match codecs.others {
                    Reaction::Refuses => "media.codec_not_supported",
                    Reaction::Warns(_) => "media.unusual_codec",
                };
                let found = rules(vec![file], check);
                assert_eq!(found, usize::from(!is_taken), "{platform} {codec:?}");
            }
            let unknown = MediaFacts { video_codec: None, ..video() };
            let found = rules(vec![unknown], "media.codec_unknown");
            assert_eq!(found, usize::from(codecs.warns_of_unknown), "{platform}");
        }
        let total = sheet.media.total_bytes;
        for (limit, check) in [
            (total.refused_above, "media.too_large_together"),
            (total.warned_above.map(|(limit, _)| limit), "media.large_together"),
        ] {
            let Some(limit) = limit else { continue };
            let halves = |sum: u64| {
                [sum / 2, sum - sum / 2]
                    .map(|bytes| MediaFacts { size_bytes: Some(bytes), ..image() })
                    .to_vec()
            };
            assert_eq!(rules(halves(limit), check), 0, "{platform} {check}");
            assert_eq!(rules(halves(limit + 1), check), 1, "{platform} {check}");
        }
    }
}
