//! What a network needs a picture or a video to be.

use sha2::{Digest as _, Sha256};

/// How a picture or a video is made smaller or other for a network.
///
/// Orientation is applied, and of an animation the first picture is taken, wherever the original
/// does not serve as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Begins the key of what it makes: lower-case letters, digits, `-`, at most 32.
    pub name: &'static str,
    /// The longest side at most, in pixels.
    pub longest_side: u32,
    /// The shorter side at most, in pixels; `None` where only the longest counts.
    pub shorter_side: Option<u32>,
    /// Width times height at most; `None` where only the sides count.
    pub pixels_max: Option<u64>,
    /// The size at most, in bytes.
    pub bytes_max: u64,
    /// The types that may come of it, canonical. A picture stays without losses, or transparent,
    /// where one of them can hold it within the bytes.
    pub media_types: &'static [&'static str],
    /// Frames a second at most; `None` for pictures, and where any rate will do.
    pub fps_max: Option<u32>,
    /// Whether what the picture tells of place, time and camera is left out. A picture that is
    /// written anew carries none of it in any case.
    pub strips_metadata: bool,
}

impl Recipe {
    /// What makes JPEGs of everything, without metadata.
    #[must_use]
    pub const fn jpeg(name: &'static str, longest_side: u32, bytes_max: u64) -> Self {
        Self {
            name,
            longest_side,
            shorter_side: None,
            pixels_max: None,
            bytes_max,
            media_types: &["image/jpeg"],
            fps_max: None,
            strips_metadata: true,
        }
    }

    /// What makes MP4s with H.264 and AAC of videos, of at most 1920 and 1080 pixels a side.
    ///
    /// The sides are our decision: what every network shows, and few make larger.
    #[must_use]
    pub const fn mp4(bytes_max: u64) -> Self {
        Self {
            name: "video",
            longest_side: 1_920,
            shorter_side: Some(1_080),
            pixels_max: None,
            bytes_max,
            media_types: &[Self::MP4],
            fps_max: None,
            strips_metadata: true,
        }
    }

    const MP4: &'static str = "video/mp4";

    /// Whether it makes videos.
    #[must_use]
    pub fn is_of_videos(&self) -> bool {
        self.takes(Self::MP4)
    }

    /// Width and height of what is made of a video of this size: even numbers.
    #[must_use]
    pub fn scaled_evenly(&self, width: u32, height: u32) -> (u32, u32) {
        let even = |side: u32| (side & !1).max(2);
        let (width, height) = self.scaled(width, height);
        (even(width), even(height))
    }

    /// The same with these types.
    #[must_use]
    pub const fn with_types(self, media_types: &'static [&'static str]) -> Self {
        Self { media_types, ..self }
    }

    /// Whether a type may come of it.
    #[must_use]
    pub fn takes(&self, media_type: &str) -> bool {
        self.media_types.contains(&media_type)
    }

    /// The type that it writes of a picture that came in another.
    ///
    /// A picture that is taken as it is may keep its type, and one without losses or with
    /// transparency may get another of those that it may be.
    #[must_use]
    pub fn usual_type(&self) -> &'static str {
        let jpeg = "image/jpeg";
        if self.takes(jpeg) { jpeg } else { self.media_types.first().copied().unwrap_or(jpeg) }
    }

    /// Width and height of what is made of a picture of this size; never larger, and no side is 0.
    ///
    /// ```
    /// use scheduler_core::media::Recipe;
    ///
    /// let recipe = Recipe::jpeg("example", 4_096, 8_000_000);
    /// assert_eq!(recipe.scaled(5_000, 2_500), (4_096, 2_048));
    /// assert_eq!(recipe.scaled(400, 300), (400, 300));
    /// let small = Recipe { pixels_max: Some(10_000), ..recipe };
    /// assert_eq!(small.scaled(400, 100), (200, 50));
    /// ```
    #[must_use]
    pub fn scaled(&self, width: u32, height: u32) -> (u32, u32) {
        let (longest, shorter) = (width.max(height), width.min(height));
        let side = self.longest_side_of(width, height);
        if side >= longest {
            return (width, height);
        }
        let other = rounded(shorter, side, longest);
        if width >= height { (side, other) } else { (other, side) }
    }

    /// How long the longest side may be of a picture of this shape, in pixels; at least 1.
    #[must_use]
    pub fn longest_side_of(&self, width: u32, height: u32) -> u32 {
        let (longest, shorter) = (width.max(height).max(1), width.min(height).max(1));
        let mut side = longest.min(self.longest_side);
        if let Some(most) = self.shorter_side.filter(|most| *most < shorter) {
            // Rounded down, so that the shorter side stays within.
            let by_shorter = u64::from(longest) * u64::from(most) / u64::from(shorter);
            side = side.min(u32::try_from(by_shorter).unwrap_or(u32::MAX));
        }
        if let Some(most) = self.pixels_max {
            let by_pixels = (u128::from(most) * u128::from(longest) / u128::from(shorter)).isqrt();
            side = side.min(u32::try_from(by_pixels).unwrap_or(u32::MAX));
            // The rounding of the other side may add some pixels.
            let pixels = |side: u32| u64::from(side) * u64::from(rounded(shorter, side, longest));
            if pixels(side) > most {
                side = side.saturating_sub(1);
            }
        }
        side.max(1)
    }

    /// What names the recipe in the key of what it makes: its name and a fingerprint of its
    /// figures, so that a recipe that changes makes files of its own.
    #[must_use]
    pub fn key_name(&self) -> String {
        let mut digest = Sha256::new();
        digest.update(self.longest_side.to_be_bytes());
        digest.update(self.shorter_side.unwrap_or(u32::MAX).to_be_bytes());
        digest.update(self.pixels_max.unwrap_or(u64::MAX).to_be_bytes());
        digest.update(self.bytes_max.to_be_bytes());
        digest.update([u8::from(self.strips_metadata)]);
        digest.update(self.media_types.join(","));
        // A picture has none, and keeps the key that it had before there were any.
        digest.update(self.fps_max.map_or(Vec::new(), |fps| fps.to_be_bytes().to_vec()));
        format!("{}-{}", self.name, hex::encode(&digest.finalize()[..8]))
    }
}

/// A side that is scaled as another becomes `to` of `from`.
fn rounded(side: u32, to: u32, from: u32) -> u32 {
    let exact = u64::from(side) * u64::from(to);
    let rounded = (exact + u64::from(from) / 2) / u64::from(from);
    u32::try_from(rounded).unwrap_or(to).max(1)
}

/// What a server can read of pictures and videos, to make others of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoding {
    /// Whether it reads JPEG, PNG, GIF, WebP, BMP and TIFF.
    pub pictures: bool,
    /// Whether it reads HEIC, HEIF and AVIF, which takes `ffmpeg`.
    pub heif: bool,
    /// Whether it makes other videos of videos, which takes `ffmpeg`.
    pub films: bool,
}

impl Decoding {
    /// Everything that a server can be made to read.
    pub const EVERYTHING: Self = Self { pictures: true, heif: true, films: true };

    /// Nothing.
    pub const NOTHING: Self = Self { pictures: false, heif: false, films: false };
}

impl Default for Decoding {
    /// [`Decoding::EVERYTHING`]: a check without a server says what can be done at best.
    fn default() -> Self {
        Self::EVERYTHING
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: Recipe = Recipe::jpeg("test", 1_920, 1_000_000);

    #[test]
    fn sizes_stay_within_every_bound() {
        let upright = Recipe { shorter_side: Some(1_080), ..RECIPE };
        let few = Recipe { longest_side: u32::MAX, pixels_max: Some(8_294_400), ..RECIPE };
        for (name, recipe, from, want) in [
            ("as it is", RECIPE, (1_920, 1_000), (1_920, 1_000)),
            ("wide", RECIPE, (4_000, 3_000), (1_920, 1_440)),
            ("tall", RECIPE, (3_000, 4_000), (1_440, 1_920)),
            ("a line", RECIPE, (1, 100_000), (1, 1_920)),
            ("both sides", upright, (3_000, 4_000), (1_080, 1_440)),
            ("the longer counts", upright, (1_000, 4_000), (480, 1_920)),
            ("square", upright, (2_000, 2_000), (1_080, 1_080)),
            ("pixels", few, (7_680, 4_320), (3_840, 2_160)),
            ("pixels of a square", few, (9_000, 9_000), (2_880, 2_880)),
        ] {
            assert_eq!(recipe.scaled(from.0, from.1), want, "{name}");
        }
        for side in 2_881..3_400 {
            let (width, height) = few.scaled(side, 2_997);
            assert!(u64::from(width) * u64::from(height) <= 8_294_400, "{side}");
        }
    }

    #[test]
    fn each_figure_has_files_of_its_own() {
        let recipes = [
            RECIPE,
            Recipe { longest_side: 1_919, ..RECIPE },
            Recipe { shorter_side: Some(1_080), ..RECIPE },
            Recipe { pixels_max: Some(1_080), ..RECIPE },
            Recipe { bytes_max: 999_999, ..RECIPE },
            RECIPE.with_types(&["image/jpeg", "image/png"]),
            Recipe { strips_metadata: false, ..RECIPE },
        ];
        let names: std::collections::BTreeSet<String> =
            recipes.iter().map(Recipe::key_name).collect();
        assert_eq!(names.len(), recipes.len());
        assert_eq!(RECIPE.key_name(), RECIPE.key_name());
        assert!(names.iter().all(|name| name.len() == "test-".len() + 16), "{names:?}");
    }
}
