//! What a page offers for the files of a post: the shapes that networks take of a picture, how small
//! a part of it should be, and which networks keep a description.

use super::media_limits::{has_fitting_ratio, least_sides};
use super::{MediaFacts, MediaKind};
use crate::media::{Crop, Rectangle};
use crate::platform::{AccountLimits, Placement, Platform};

/// The shapes that are offered, width to height, from the tallest to the widest.
///
/// Source: our decision; the shapes that networks name in their guides.
const SHAPES: [(u32, u32); 10] =
    [(9, 16), (2, 3), (3, 4), (4, 5), (1, 1), (5, 4), (4, 3), (3, 2), (16, 9), (191, 100)];

/// A shape that a picture can be cropped to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shape {
    /// Width to height.
    pub ratio: (u32, u32),
    /// The largest part of the picture that has it, from the middle.
    pub part: Rectangle,
    /// The networks that take a picture of this shape and size, and have nothing to say of either.
    pub platforms: Vec<Platform>,
}

/// The shapes of a picture that at least one of these networks takes.
///
/// ```
/// use scheduler_core::platform::Platform;
/// use scheduler_core::rules::{MediaFacts, MediaKind, shapes};
///
/// let mut picture = MediaFacts::of_kind(MediaKind::Image);
/// (picture.width, picture.height) = (Some(1_000), Some(1_000));
/// let tallest = &shapes(&[Platform::Instagram], &picture)[0];
/// assert_eq!(tallest.ratio, (4, 5));
/// assert_eq!((tallest.part.width, tallest.part.height), (800, 1_000));
/// ```
#[must_use]
pub fn shapes(platforms: &[Platform], picture: &MediaFacts) -> Vec<Shape> {
    let Some((width, height)) = picture.width.zip(picture.height) else { return Vec::new() };
    let shapes = SHAPES.into_iter().filter_map(|(wide, high)| {
        let part = Crop::Ratio(wide, high).of(width, height)?;
        let cropped = of_part(picture, part);
        let takes = |platform: &Platform| takes_shape(*platform, &cropped);
        let platforms: Vec<Platform> = platforms.iter().copied().filter(takes).collect();
        (!platforms.is_empty()).then_some(Shape { ratio: (wide, high), part, platforms })
    });
    shapes.collect()
}

/// The least width and height that a part of a picture should have: below them at least one of
/// these networks has something to say of it, such as that it scales it.
#[must_use]
pub fn least_part(platforms: &[Platform], picture: &MediaFacts) -> (u32, u32) {
    let of_network = |platform: &Platform| least_sides(platform.sheet(), picture);
    let least = platforms.iter().map(of_network);
    least.fold((1, 1), |(width, height), (wide, high)| (width.max(wide), height.max(high)))
}

/// True for a network that keeps the description of a file of this kind, for those who cannot see
/// it.
///
/// ```
/// use scheduler_core::platform::Platform;
/// use scheduler_core::rules::{MediaKind, keeps_description};
///
/// assert!(keeps_description(Platform::Facebook, MediaKind::Image));
/// assert!(!keeps_description(Platform::Facebook, MediaKind::Video));
/// ```
#[must_use]
pub fn keeps_description(platform: Platform, kind: MediaKind) -> bool {
    let sheet = platform.sheet();
    sheet.supports_alt_text
        && sheet.takes(kind)
        && (kind.is_image() || sheet.media.alt_text_of_videos)
}

/// What a part of a picture will be.
fn of_part(picture: &MediaFacts, part: Rectangle) -> MediaFacts {
    MediaFacts { width: Some(part.width), height: Some(part.height), ..picture.clone() }
}

/// True when a network takes the shape of a picture, alone or among several, without a word.
fn takes_shape(platform: Platform, picture: &MediaFacts) -> bool {
    let sheet = platform.sheet();
    let account = AccountLimits::default();
    sheet.takes(picture.kind)
        && [Placement::Post, Placement::Carousel]
            .iter()
            .all(|placement| has_fitting_ratio(sheet, &account, *placement, picture))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32) -> MediaFacts {
        MediaFacts {
            width: Some(width),
            height: Some(height),
            mime_type: Some("image/jpeg".to_owned()),
            ..MediaFacts::of_kind(MediaKind::Image)
        }
    }

    #[test]
    fn shapes_are_those_that_a_network_takes() {
        for (name, platforms, want) in [
            (
                "Instagram's, without the one that it may refuse",
                &[Platform::Instagram][..],
                "4:5 1:1 5:4 4:3 3:2 16:9 191:100",
            ),
            (
                "Bluesky takes any",
                &[Platform::Bluesky],
                "9:16 2:3 3:4 4:5 1:1 5:4 4:3 3:2 16:9 191:100",
            ),
            ("YouTube takes no pictures", &[Platform::Youtube], ""),
            ("none", &[], ""),
        ] {
            let found: Vec<String> = shapes(platforms, &picture(4_000, 4_000))
                .iter()
                .map(|shape| format!("{}:{}", shape.ratio.0, shape.ratio.1))
                .collect();
            assert_eq!(found.join(" "), want, "{name}");
        }
    }

    #[test]
    fn a_shape_names_each_network_that_takes_it() {
        let found = shapes(&[Platform::Instagram, Platform::Bluesky], &picture(1_600, 1_000));
        let of = |ratio| found.iter().find(|shape| shape.ratio == ratio).unwrap();
        assert_eq!(of((9, 16)).platforms, [Platform::Bluesky]);
        assert_eq!(of((4, 5)).platforms, [Platform::Instagram, Platform::Bluesky]);
        assert_eq!(of((4, 5)).part, Rectangle { x: 400, y: 0, width: 800, height: 1_000 });
        assert_eq!(of((16, 9)).part, Rectangle { x: 0, y: 50, width: 1_600, height: 900 });
        let unknown = MediaFacts { width: None, ..picture(1, 1) };
        assert_eq!(shapes(&[Platform::Bluesky], &unknown), []);
    }

    #[test]
    fn descriptions_are_kept() {
        for (platform, image, video) in [
            (Platform::Mastodon, true, true),
            (Platform::Bluesky, true, true),
            (Platform::Instagram, true, false),
            (Platform::Telegram, false, false),
            (Platform::Youtube, false, false),
        ] {
            assert_eq!(keeps_description(platform, MediaKind::Image), image, "{platform}");
            assert_eq!(keeps_description(platform, MediaKind::Video), video, "{platform}");
        }
    }

    #[test]
    fn the_least_part_is_the_one_that_every_network_wants() {
        for (name, platforms, want) in [
            ("no network", &[][..], (1, 1)),
            ("one that has no bound", &[Platform::Bluesky], (1, 1)),
            ("a width", &[Platform::Instagram], (320, 1)),
            ("the shorter side, whichever it is", &[Platform::Pinterest], (200, 200)),
            ("both", &[Platform::Pinterest, Platform::Instagram], (320, 200)),
        ] {
            assert_eq!(least_part(platforms, &picture(4_000, 4_000)), want, "{name}");
        }
    }
}
