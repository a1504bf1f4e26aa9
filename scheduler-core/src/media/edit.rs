//! Versions of a picture that a person asks for: cropped, smaller, of another type.

use serde::{Deserialize, Serialize};

use crate::error::Refusal;

/// Largest part of a ratio.
///
/// Ours.
pub const RATIO_PART_MAX: u32 = 10_000;

/// Longest side that can be asked for, in pixels; a picture never becomes larger than it is.
///
/// Ours: what a JPEG can have.
pub const VERSION_SIDE_MAX: u32 = 65_535;

/// The body of a new version of a picture; at least one of its fields is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VersionInput {
    /// What is cut out of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop: Option<CropInput>,
    /// The longest side at most, in pixels, after it was cropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = VERSION_SIDE_MAX)))]
    pub max_side: Option<u32>,
    /// The type that it gets; without it a JPEG or PNG stays one, and another type becomes the
    /// one of them that loses least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<VersionFormat>,
}

/// What is cut out of a picture: the largest part of a ratio, from its middle, or a rectangle.
///
/// A rectangle is measured from the top left, in pixels of the picture as it is seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CropInput {
    /// Width to height, such as `4:5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[0-9]{1,5}:[0-9]{1,5}$")))]
    pub ratio: Option<String>,
    /// How far to the right it begins; 0 where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<u32>,
    /// How far down it begins; 0 where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<u32>,
    /// How wide it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub width: Option<u32>,
    /// How high it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub height: Option<u32>,
}

/// The type of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum VersionFormat {
    /// With losses; transparent parts become white.
    Jpeg,
    /// Without losses.
    Png,
}

impl VersionFormat {
    /// The media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }
}

/// How a version is made of a picture, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    /// What is cut out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop: Option<Crop>,
    /// The longest side at most, in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_side: Option<u32>,
    /// The type that it gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<VersionFormat>,
}

/// A part of a picture, as it is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Crop {
    /// The largest part of this ratio of width to height, from the middle.
    Ratio(u32, u32),
    /// A rectangle, in pixels.
    Rectangle(Rectangle),
}

/// A rectangle of a picture, in pixels from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rectangle {
    /// How far to the right it begins.
    pub x: u32,
    /// How far down it begins.
    pub y: u32,
    /// How wide it is.
    pub width: u32,
    /// How high it is.
    pub height: u32,
}

impl Crop {
    /// The rectangle that it is of a picture of this size; `None` where it lies outside.
    ///
    /// ```
    /// use scheduler_core::media::{Crop, Rectangle};
    ///
    /// let part = Crop::Ratio(4, 5).of(1_000, 1_000);
    /// assert_eq!(part, Some(Rectangle { x: 100, y: 0, width: 800, height: 1_000 }));
    /// ```
    #[must_use]
    pub fn of(self, width: u32, height: u32) -> Option<Rectangle> {
        let part = match self {
            Self::Rectangle(part) => part,
            Self::Ratio(wide, high) => {
                let (wide, high) = (u64::from(wide.max(1)), u64::from(high.max(1)));
                let by_height = (u64::from(height) * wide + high / 2) / high;
                let by_width = (u64::from(width) * high + wide / 2) / wide;
                let (part_width, part_height) = if by_height <= u64::from(width) {
                    (u32::try_from(by_height).unwrap_or(width).max(1), height)
                } else {
                    (width, u32::try_from(by_width).unwrap_or(height).clamp(1, height.max(1)))
                };
                Rectangle {
                    x: width.saturating_sub(part_width) / 2,
                    y: height.saturating_sub(part_height) / 2,
                    width: part_width,
                    height: part_height,
                }
            }
        };
        let is_within = |start: u32, length: u32, whole: u32| {
            length > 0 && start.checked_add(length).is_some_and(|end| end <= whole)
        };
        let fits = is_within(part.x, part.width, width) && is_within(part.y, part.height, height);
        fits.then_some(part)
    }
}

impl VersionInput {
    /// Reads how the version is to be made.
    ///
    /// # Errors
    /// `invalid_request` naming the field.
    pub fn check(&self) -> Result<Edit, Refusal> {
        let refused = |field: &str, message: &str| Refusal::invalid(field, message.to_owned());
        if self.crop.is_none() && self.max_side.is_none() && self.format.is_none() {
            return Err(refused("crop", "Say what is to change: crop, maxSide or format."));
        }
        if self.max_side.is_some_and(|side| !(1..=VERSION_SIDE_MAX).contains(&side)) {
            return Err(refused("maxSide", "Must be between 1 and 65535."));
        }
        let crop = self.crop.as_ref().map(CropInput::check).transpose()?;
        Ok(Edit { crop, max_side: self.max_side, format: self.format })
    }
}

impl CropInput {
    fn check(&self) -> Result<Crop, Refusal> {
        let refused = |field: &str, message: &str| Refusal::invalid(field, message.to_owned());
        let is_rectangle = [self.x, self.y, self.width, self.height].iter().any(Option::is_some);
        match (&self.ratio, self.width.zip(self.height)) {
            (Some(_), _) if is_rectangle => {
                Err(refused("crop", "Give a ratio or a rectangle, not both."))
            }
            (Some(ratio), _) => read_ratio(ratio)
                .map(|(wide, high)| Crop::Ratio(wide, high))
                .ok_or_else(|| refused("crop.ratio", "Must be width to height, such as 4:5.")),
            (None, Some((width, height))) if width > 0 && height > 0 => {
                let (x, y) = (self.x.unwrap_or_default(), self.y.unwrap_or_default());
                Ok(Crop::Rectangle(Rectangle { x, y, width, height }))
            }
            (None, _) => {
                Err(refused("crop", "Give a ratio, or width and height of at least 1 pixel."))
            }
        }
    }
}

fn read_ratio(text: &str) -> Option<(u32, u32)> {
    let (wide, high) = text.split_once(':')?;
    let part = |text: &str| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let part: u32 = text.parse().ok().filter(|_| is_number)?;
        (1..=RATIO_PART_MAX).contains(&part).then_some(part)
    };
    Some((part(wide)?, part(high)?))
}

/// The refusal of a rectangle that lies outside its picture.
pub(crate) fn outside((width, height): (u32, u32)) -> Refusal {
    Refusal::invalid(
        "crop",
        format!("The rectangle lies outside the picture, which is {width} x {height} pixels."),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn bodies() {
        let ratio = |wide, high| Ok(Some(Crop::Ratio(wide, high)));
        let rectangle =
            |x, y, width, height| Ok(Some(Crop::Rectangle(Rectangle { x, y, width, height })));
        for (name, body, want) in [
            ("nothing", json!({}), Err("crop")),
            ("a ratio", json!({"crop": {"ratio": "4:5"}}), ratio(4, 5)),
            ("no ratio", json!({"crop": {"ratio": "4/5"}}), Err("crop.ratio")),
            ("a sign", json!({"crop": {"ratio": "+4:5"}}), Err("crop.ratio")),
            ("a part of 0", json!({"crop": {"ratio": "0:5"}}), Err("crop.ratio")),
            ("a part too many", json!({"crop": {"ratio": "10001:5"}}), Err("crop.ratio")),
            ("both", json!({"crop": {"ratio": "4:5", "x": 1}}), Err("crop")),
            ("an empty crop", json!({"crop": {}}), Err("crop")),
            ("half a rectangle", json!({"crop": {"width": 5, "x": 1}}), Err("crop")),
            ("no height", json!({"crop": {"width": 5, "height": 0}}), Err("crop")),
            ("a rectangle", json!({"crop": {"width": 5, "height": 6}}), rectangle(0, 0, 5, 6)),
            (
                "a rectangle elsewhere",
                json!({"crop": {"x": 1, "y": 2, "width": 5, "height": 6}}),
                rectangle(1, 2, 5, 6),
            ),
            ("a side", json!({"maxSide": 800}), Ok(None)),
            ("a side of 0", json!({"maxSide": 0}), Err("maxSide")),
            ("a type", json!({"format": "png"}), Ok(None)),
        ] {
            let input: VersionInput = serde_json::from_value(body).unwrap();
            let found = input.check();
            let found = found.as_ref().map(|edit| edit.crop);
            let found = found.map_err(|refusal| refusal.field.clone().unwrap_or_default());
            assert_eq!(found, want.map_err(str::to_owned), "{name}");
        }
    }

    #[test]
    fn crops_as_they_are_kept() {
        let edit = |crop| Edit { crop, max_side: Some(5), format: Some(VersionFormat::Jpeg) };
        for (crop, want) in [
            (Crop::Ratio(4, 5), json!({"ratio": [4, 5]})),
            (
                Crop::Rectangle(Rectangle { x: 1, y: 2, width: 3, height: 4 }),
                json!({"rectangle": {"x": 1, "y": 2, "width": 3, "height": 4}}),
            ),
        ] {
            let kept: Value = serde_json::to_value(edit(Some(crop))).unwrap();
            assert_eq!(kept, json!({"crop": want, "maxSide": 5, "format": "jpeg"}));
            assert_eq!(serde_json::from_value::<Edit>(kept).unwrap(), edit(Some(crop)));
        }
    }

    #[test]
    fn parts_of_pictures() {
        let part = |x, y, width, height| Some(Rectangle { x, y, width, height });
        for (name, crop, size, want) in [
            ("wide", Crop::Ratio(4, 5), (1_000, 1_000), part(100, 0, 800, 1_000)),
            ("tall", Crop::Ratio(4, 5), (1_000, 2_000), part(0, 375, 1_000, 1_250)),
            ("as it is", Crop::Ratio(4, 5), (80, 100), part(0, 0, 80, 100)),
            ("a line", Crop::Ratio(10_000, 1), (3, 900), part(0, 449, 3, 1)),
            ("a column", Crop::Ratio(1, 10_000), (900, 3), part(449, 0, 1, 3)),
            (
                "a rectangle",
                Crop::Rectangle(Rectangle { x: 1, y: 2, width: 3, height: 4 }),
                (4, 6),
                part(1, 2, 3, 4),
            ),
            (
                "too far right",
                Crop::Rectangle(Rectangle { x: 2, y: 2, width: 3, height: 4 }),
                (4, 6),
                None,
            ),
            (
                "beyond all",
                Crop::Rectangle(Rectangle { x: u32::MAX, y: 0, width: 3, height: 4 }),
                (4, 6),
                None,
            ),
        ] {
            assert_eq!(crop.of(size.0, size.1), want, "{name}");
        }
    }
}
