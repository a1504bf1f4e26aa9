//! What the files of a carousel have in common.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaFacts, Rule};
use crate::platform::{Alike, CapabilitySheet, Placement};

pub(super) const RULE: Rule = Rule::Target { describe, run };

/// Half of a hundredth: ratios of rounded sizes differ by less.
const RATIO_TOLERANCE: f64 = 0.005;

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    if target.placement != Placement::Carousel {
        return;
    }
    let name = target.sheet.short_name;
    match target.sheet.media.carousel {
        Alike::No => {}
        Alike::Size => {
            if first_that_differs(target, |first, other| first == other).is_some() {
                issues.error(
                    "media.different_sizes",
                    format!("All images of a {name} carousel must have the same size."),
                );
            }
        }
        Alike::Ratio => {
            let is_same = |first, other| (ratio(first) - ratio(other)).abs() <= RATIO_TOLERANCE;
            if let Some(number) = first_that_differs(target, is_same) {
                issues.warning(
                    "media.different_ratios",
                    format!(
                        "File {number} has another ratio than file 1; {name} crops all files to the first."
                    ),
                );
            }
        }
    }
}

/// The number of the first file that is not like file 1; files of unknown size are passed over.
fn first_that_differs(
    target: &TargetView<'_>,
    is_same: impl Fn((u32, u32), (u32, u32)) -> bool,
) -> Option<usize> {
    let size = |media: &MediaFacts| media.width.zip(media.height).filter(|size| size.1 > 0);
    let mut sizes = target.draft.media.iter().map(size).enumerate();
    let (_, first) = sizes.next()?;
    let first = first?;
    let mut others = sizes.filter_map(|(index, size)| Some((index, size?)));
    others.find(|(_, other)| !is_same(first, *other)).map(|(index, _)| index + 1)
}

fn ratio((width, height): (u32, u32)) -> f64 {
    f64::from(width) / f64::from(height)
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    match sheet.media.carousel {
        Alike::No => {}
        Alike::Size => list
            .error("media.different_sizes", "The images of a carousel differ in width or height."),
        Alike::Ratio => list.warning(
            "media.different_ratios",
            "The files of a carousel differ in ratio and are cropped to that of the first.",
        ),
    }
}
