//! Width and height of files.

use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaKind, Rule, RuleDescription, Run, Severity};
use crate::platform::{Platform, Shape};

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.media.too_small",
            severity: Severity::Error,
            sentence: "A side of a file is shorter than the network takes.",
        },
        RuleDescription {
            rule: "<network>.media.too_many_pixels",
            severity: Severity::Error,
            sentence: "A file has more pixels than the network takes.",
        },
        RuleDescription {
            rule: "<network>.media.ratio",
            severity: Severity::Error,
            sentence: "The ratio of width to height is outside what the network takes.",
        },
        RuleDescription {
            rule: "<network>.media.different_sizes",
            severity: Severity::Error,
            sentence: "The images of a carousel differ in width or height.",
        },
    ],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    for (index, media) in target.draft.media.iter().enumerate() {
        let (Some(width), Some(height)) = (media.width, media.height) else { continue };
        if width == 0 || height == 0 {
            continue;
        }
        let shape = match media.kind {
            MediaKind::Image => Shape {
                max_pixels: target.limits.max_image_pixels.or(sheet.media.image_shape.max_pixels),
                ..sheet.media.image_shape
            },
            MediaKind::Video => Shape {
                max_pixels: target.limits.max_video_pixels.or(sheet.media.video_shape.max_pixels),
                ..sheet.media.video_shape
            },
        };
        let subject = format_args!("File {} is {width} x {height}", index + 1).to_string();
        check_shape(&subject, sheet.short_name, (width, height), &shape, issues);
    }
    if sheet.platform == Platform::Pinterest && target.videos == 0 && target.images > 1 {
        let mut sizes = target.draft.media.iter().filter_map(|media| media.width.zip(media.height));
        let first = sizes.next();
        if sizes.any(|size| Some(size) != first) {
            issues.error(
                "media.different_sizes",
                "All images of a Pinterest carousel must have the same size.",
            );
        }
    }
}

fn check_shape(
    subject: &str,
    name: &str,
    (width, height): (u32, u32),
    shape: &Shape,
    issues: &mut Issues,
) {
    let (long, short) = (width.max(height), width.min(height));
    if let Some(least) = shape.min_side.filter(|least| short < *least) {
        issues.error(
            "media.too_small",
            format!("{subject}; {name} takes no side under {least} pixels."),
        );
    }
    let pixels = u64::from(width) * u64::from(height);
    let sum = u64::from(width) + u64::from(height);
    let too_large = [
        (u64::from(long), shape.max_long_side.map(u64::from), "a longer side of"),
        (u64::from(short), shape.max_short_side.map(u64::from), "a shorter side of"),
        (sum, shape.max_side_sum.map(u64::from), "a sum of width and height of"),
        (pixels, shape.max_pixels, "a total of"),
    ];
    for (value, limit, what) in too_large {
        if let Some(limit) = limit.filter(|limit| value > *limit) {
            issues.error(
                "media.too_many_pixels",
                format!("{subject}; {name} takes {what} at most {limit} pixels."),
            );
        }
    }
    let ratio = f64::from(width) / f64::from(height);
    let is_outside = shape.min_ratio.is_some_and(|least| ratio < least)
        || shape.max_ratio.is_some_and(|most| ratio > most);
    if is_outside {
        let bound = |bound: Option<f64>| bound.map_or("any".to_owned(), |bound| bound.to_string());
        issues.error(
            "media.ratio",
            format!(
                "{subject}, a ratio of {ratio:.2}; {name} takes {} to {}.",
                bound(shape.min_ratio),
                bound(shape.max_ratio)
            ),
        );
    }
}
