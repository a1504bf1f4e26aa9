//! What networks charge for posts.

use super::Checked;

/// What a network charges the operator's application for a post, in thousandths of its currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// The currency, as ISO 4217 names it.
    pub currency: &'static str,
    /// A post, and each later part of a thread.
    pub post: u32,
    /// A post, or a part of a thread, whose text holds a link.
    pub post_with_link: u32,
    /// A file of which something is said: an alternative text or a content warning.
    pub described_file: u32,
    /// When they were last held against their source.
    pub checked: Checked,
}
