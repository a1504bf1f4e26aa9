//! What the fuzz targets share: the bound on texts, and work that is counted.

pub mod work;

/// Longest text that the service takes, in code points.
///
/// Source: interface description, "Limits".
pub const LONGEST_TEXT: usize = 64_000;

/// The text of an input: what is not UTF-8 replaced, and cut where the service would refuse it.
#[must_use]
pub fn text_of(input: &[u8]) -> String {
    String::from_utf8_lossy(input).chars().take(LONGEST_TEXT).collect()
}
