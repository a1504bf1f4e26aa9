//! What a network needs a picture to be.

/// How a picture is made smaller or other for a network.
///
/// Orientation is applied, and of an animation the first picture is taken, wherever the original
/// does not serve as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Names the recipe in the key of what it makes: lower-case letters, digits, `-`, at most 32.
    /// A recipe that changes needs another name.
    pub name: &'static str,
    /// The longest side at most, in pixels.
    pub longest_side: u32,
    /// The size at most, in bytes.
    pub bytes_max: u64,
    /// The types that may come of it.
    pub media_types: &'static [&'static str],
    /// Whether what the picture tells of place, time and camera is left out.
    pub strips_metadata: bool,
}

impl Recipe {
    /// Whether a type may come of it.
    #[must_use]
    pub fn takes(&self, media_type: &str) -> bool {
        self.media_types.contains(&media_type)
    }
}
