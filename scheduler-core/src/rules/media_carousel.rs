//! What the files of a carousel have in common.

use super::draft::TargetView;
use super::inspection::OfTarget;
use super::{Detail, MediaFacts, Rule};
use crate::platform::{Alike, Placement};

pub(super) const RULE: Rule = Rule::Files(rule);

/// Half of a hundredth: ratios of rounded sizes differ by less.
const RATIO_TOLERANCE: f64 = 0.005;

fn rule(on: &mut OfTarget<'_, '_>) {
    let is_carousel = |target: &&TargetView<'_>| target.placement == Placement::Carousel;
    match on.sheet.media.carousel {
        Alike::No => {}
        Alike::Size => {
            let differ = on.error(
                ("media", "different_sizes"),
                "The images of a carousel differ in width or height.",
            );
            // With a video it is no carousel, which another rule says.
            let target = on.subject().filter(is_carousel).filter(|target| target.videos == 0);
            if let Some([first, (file, size)]) = target.and_then(two_sizes) {
                on.report(differ, Detail::DifferentSizes { file, size, first });
            }
        }
        Alike::Ratio => {
            let differ = on.warning(
                ("media", "different_ratios"),
                "The files of a carousel differ in ratio and are cropped to that of the first.",
            );
            let is_same = |first, other| (ratio(first) - ratio(other)).abs() <= RATIO_TOLERANCE;
            let target = on.subject().filter(is_carousel);
            if let Some(file) = target.and_then(|target| first_that_differs(target, is_same)) {
                on.report(differ, Detail::DifferentRatios { file });
            }
        }
    }
}

/// The first file of known size and the first of another one, each by its index.
fn two_sizes(target: &TargetView<'_>) -> Option<[(usize, (u32, u32)); 2]> {
    let media = target.media.iter().enumerate();
    let mut sizes = media.filter_map(|(index, media)| Some((index, size_of(media)?)));
    let first = sizes.next()?;
    sizes.find(|other| other.1 != first.1).map(|other| [first, other])
}

fn size_of(media: &MediaFacts) -> Option<(u32, u32)> {
    media.width.zip(media.height).filter(|size| size.0 > 0 && size.1 > 0)
}

/// The index of the first file that is not like file 1; files of unknown size are passed over.
fn first_that_differs(
    target: &TargetView<'_>,
    is_same: impl Fn((u32, u32), (u32, u32)) -> bool,
) -> Option<usize> {
    let mut sizes = target.media.iter().map(size_of).enumerate();
    let (_, first) = sizes.next()?;
    let first = first?;
    let mut others = sizes.filter_map(|(index, size)| Some((index, size?)));
    others.find(|(_, other)| !is_same(first, *other)).map(|(index, _)| index)
}

fn ratio((width, height): (u32, u32)) -> f64 {
    f64::from(width) / f64::from(height)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image, video};
    use super::MediaFacts;
    use crate::platform::Platform;

    #[test]
    fn sizes_of_a_carousel_of_pinterest() {
        let sized = |width| MediaFacts { width: Some(width), ..image() };
        let unknown = || MediaFacts { width: None, ..image() };
        for (name, media, want) in [
            ("one size", vec![sized(800), sized(800)], None),
            ("one size and an unknown one", vec![sized(800), unknown(), sized(800)], None),
            ("the last differs", vec![sized(800), sized(800), sized(801)], Some((1, 800, 3, 801))),
            (
                "two differ beside an unknown first one",
                vec![unknown(), sized(800), sized(900)],
                Some((2, 800, 3, 900)),
            ),
            ("an image and a video", vec![sized(800), video()], None),
        ] {
            let mut post = Post::new("Hello").to(Platform::Pinterest, json!({"boardId": "1"}));
            post.media = media;
            let found = post.issues("media.different_sizes");
            let messages: Vec<&str> = found.iter().map(|issue| issue.message.as_str()).collect();
            let want = want.map(|(first, width, other, other_width)| {
                format!(
                    "All images of a Pinterest carousel must have the same size; file {first} is {width} x 1080 and file {other} is {other_width} x 1080."
                )
            });
            assert_eq!(messages, want.as_deref().into_iter().collect::<Vec<_>>(), "{name}");
        }
    }
}
