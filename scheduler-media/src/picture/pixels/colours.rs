//! Colours as everybody shows them: sRGB.
//!
//! Networks and viewers pass over the profile of a picture, and some types cannot hold one. So a
//! picture whose profile says that its colours are others is written in sRGB.

use image::DynamicImage;
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformExecutor, TransformOptions};

/// Differences of a channel that are none: what two roundings make.
const SAME: u8 = 1;

/// The picture in sRGB, and the profile that goes with it: none, unless its colours are no red,
/// green and blue, or its profile cannot be read.
pub(super) fn in_srgb(
    pixels: DynamicImage,
    profile: Option<Vec<u8>>,
) -> (DynamicImage, Option<Vec<u8>>) {
    let has_alpha = pixels.color().has_alpha();
    let layout = if has_alpha { Layout::Rgba } else { Layout::Rgb };
    let transform = profile.as_deref().filter(|_| pixels.color().has_color()).and_then(|profile| {
        let own = ColorProfile::new_from_slice(profile).ok()?;
        let is_rgb = own.color_space == DataColorSpace::Rgb;
        let srgb = ColorProfile::new_srgb();
        let options = TransformOptions::default();
        is_rgb.then(|| own.create_transform_8bit(layout, &srgb, layout, options).ok()).flatten()
    });
    let Some(transform) = transform else { return (pixels, profile) };
    if is_of_no_effect(&*transform, layout) {
        return (pixels, None);
    }
    let turned = if has_alpha {
        let own = pixels.to_rgba8();
        let mut turned = own.clone();
        transform.transform(&own, &mut turned).map(|()| DynamicImage::from(turned))
    } else {
        let own = pixels.to_rgb8();
        let mut turned = own.clone();
        transform.transform(&own, &mut turned).map(|()| DynamicImage::from(turned))
    };
    match turned {
        Ok(turned) => (turned, None),
        Err(_) => (pixels, profile),
    }
}

/// True where the colours are those of sRGB already, by a sample of them.
fn is_of_no_effect(transform: &dyn TransformExecutor<u8>, layout: Layout) -> bool {
    const STEPS: [u8; 5] = [0, 64, 128, 192, 255];
    let mut sample = Vec::new();
    for red in STEPS {
        for green in STEPS {
            for blue in STEPS {
                sample.extend([red, green, blue]);
                sample.extend((layout == Layout::Rgba).then_some(u8::MAX));
            }
        }
    }
    let mut turned = sample.clone();
    transform.transform(&sample, &mut turned).is_ok()
        && sample.iter().zip(&turned).all(|(before, after)| before.abs_diff(*after) <= SAME)
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage, Rgba, RgbaImage};

    use super::*;

    fn of(colour: [u8; 3]) -> DynamicImage {
        RgbImage::from_pixel(2, 2, Rgb(colour)).into()
    }

    fn profile(profile: &ColorProfile) -> Option<Vec<u8>> {
        Some(profile.encode().unwrap())
    }

    #[test]
    fn colours_of_other_profiles_become_those_of_srgb() {
        let p3 = || profile(&ColorProfile::new_display_p3());
        let (turned, left) = in_srgb(of([128, 192, 64]), p3());
        assert_eq!(left, None);
        // By the matrices of both, and the curve that they share, computed apart from this
        // program: 128, 192, 64 of Display P3 is 107, 194, 26 of sRGB.
        let Rgb(found) = *turned.to_rgb8().get_pixel(0, 0);
        for (found, want) in found.into_iter().zip([107_u8, 194, 26]) {
            assert!(found.abs_diff(want) <= 2, "{found} {want}");
        }
        let glass = RgbaImage::from_pixel(1, 1, Rgba([128, 192, 64, 40])).into();
        let (turned, _) = in_srgb(glass, p3());
        assert_eq!(turned.to_rgba8().get_pixel(0, 0).0[3], 40, "what shines through stays");
    }

    #[test]
    fn what_is_srgb_or_not_known_stays() {
        let grey = DynamicImage::new_luma8(1, 1);
        let of_grey = profile(&ColorProfile::new_gray_with_gamma(2.2));
        let srgb = profile(&ColorProfile::new_srgb());
        for (name, pixels, given, left) in [
            ("none", of([1, 2, 3]), None, None),
            ("sRGB", of([1, 2, 3]), srgb, None),
            ("no profile", of([1, 2, 3]), Some(b"profile".to_vec()), Some(b"profile".to_vec())),
            ("grey", grey, of_grey.clone(), of_grey.clone()),
            ("of grey", of([1, 2, 3]), of_grey.clone(), of_grey),
        ] {
            let (turned, kept) = in_srgb(pixels.clone(), given);
            assert_eq!(turned, pixels, "{name}");
            assert_eq!(kept, left, "{name}");
        }
    }
}
