//! Links of posts: the parameters that tell where a visit came from, and short addresses of the
//! server's own.
//!
//! What a network gets in place of each link is worked out when a post is created, changed or
//! checked, before the rules of the network look at it, and kept with the target as a list of
//! [`LinkChange`]s. Everything later – the last check, what is published, approvals, previews –
//! applies that list ([`Sent`]), so that what was checked is what is sent, whatever has become of
//! the settings since. What somebody wrote stays as they wrote it.

mod finding;
mod places;
mod rules;
mod short;
mod tagging;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use places::Sent;
pub(crate) use places::changes;
pub use rules::{
    EXCEPT_MAX, LABEL_RULES_MAX, LinkRules, NETWORK_RULES_MAX, UTM_MAX_CHARACTERS, Utm,
};
pub use short::{
    CLICK_DAYS, CODE_CHARACTERS, Clicks, DayClicks, PATH, ShortLink, ShortLinkPage, ShortLinkView,
    ShortLinks,
};
pub(crate) use tagging::Tagging;

/// How many different links of a target are changed; those after them stay as they are.
///
/// Source: our decision; no network shows as many in one post.
pub const CHANGED_MAX: usize = 100;

/// The longest link that is changed, in bytes; longer ones stay as they are.
///
/// Source: our decision; what networks take of an address in a field of its own.
pub const LINK_MAX_BYTES: usize = 2_048;

/// A link as it was written, and what a network gets in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkChange {
    /// The link as it stands in the post.
    pub written: String,
    /// What is sent in its place.
    pub sent: String,
    /// Where that leads, where it is a short link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leads_to: Option<String>,
}

impl LinkChange {
    /// The code and the destination of its short link; `None` where it is none.
    #[must_use]
    pub fn short(&self) -> Option<(&str, &str)> {
        let (_, code) = self.sent.rsplit_once('/')?;
        Some((code, self.leads_to.as_deref()?))
    }
}
