//! Short links: their addresses, and what is kept of them.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::ids::WorkspaceId;
use crate::key::base62;
use crate::ports::StoreError;
use crate::redacted::redacted;

/// What stands between the address of the server and the code of a short link.
pub const PATH: &str = "/l/";

/// Characters of a code.
///
/// Source: our decision; 12 of 62 letters are 71 bits, so that no two of a thousand million links
/// are expected to meet, and none can be guessed.
pub const CODE_CHARACTERS: usize = 12;

/// For how many days clicks are told day by day; older ones count in the sum.
///
/// Source: our decision.
pub const CLICK_DAYS: u32 = 90;

/// What makes short links: the address of the server, and a secret of the installation.
///
/// The code of a link depends on nothing but the secret, the workspace and the destination, so that
/// a preview shows what is sent, and nothing has to be stored for it.
///
/// ```
/// use scheduler_core::ids::WorkspaceId;
/// use scheduler_core::links::ShortLinks;
/// use uuid::Uuid;
///
/// let short = ShortLinks::new("https://go.example/", [7; 32]);
/// let workspace = WorkspaceId(Uuid::nil());
/// let address = short.address(workspace, "https://example.com/a");
/// assert!(address.starts_with("https://go.example/l/"));
/// assert_eq!(address, short.address(workspace, "https://example.com/a"));
/// assert_ne!(address, short.address(workspace, "https://example.com/b"));
/// ```
#[derive(Clone, Debug)]
pub struct ShortLinks {
    base: Arc<str>,
    secret: Secret,
}

#[derive(Clone)]
struct Secret([u8; 32]);

redacted!(Secret);

impl ShortLinks {
    /// Short links at an address of the server, such as `https://go.example.com`, with a secret
    /// that is the same for as long as the installation lives.
    #[must_use]
    pub fn new(base: &str, secret: [u8; 32]) -> Self {
        Self { base: base.trim_end_matches('/').into(), secret: Secret(secret) }
    }

    /// The address of the server, without a slash at its end.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The short link of a workspace that leads somewhere.
    #[must_use]
    pub fn address(&self, workspace: WorkspaceId, destination: &str) -> String {
        #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.secret.0).expect("any key");
        mac.update(workspace.0.as_bytes());
        mac.update(destination.as_bytes());
        let digits = base62(mac.finalize().into_bytes().into());
        // The first digits of a number below 2^256 are not even; the last ones are.
        self.at(&digits[digits.len() - CODE_CHARACTERS..])
    }

    /// The address of a code.
    #[must_use]
    pub fn at(&self, code: &str) -> String {
        format!("{}{PATH}{code}", self.base)
    }
}

/// A short link as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortLink {
    /// What tells it from others, on the whole server.
    pub code: String,
    /// Whose it is.
    pub workspace_id: WorkspaceId,
    /// Where it leads.
    pub destination: String,
    /// When a post first had it.
    pub created_at: DateTime<Utc>,
}

impl ShortLink {
    /// True when another leads to the same place for the same workspace.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        (self.workspace_id, &self.destination) == (other.workspace_id, &other.destination)
    }

    /// Why a store does not keep it: its code leads elsewhere already.
    #[must_use]
    pub fn refused(&self) -> StoreError {
        StoreError::Refused(format!("the code {} leads elsewhere already", self.code).into())
    }
}

/// How often a short link was followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clicks {
    /// In all.
    pub total: u64,
    /// By the days of UTC that were asked for, the latest first, without those that had none.
    pub days: Vec<DayClicks>,
}

/// How often a short link was followed on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DayClicks {
    /// The day, in UTC.
    pub day: NaiveDate,
    /// How often.
    pub clicks: u64,
}

/// A short link with its clicks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ShortLink"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ShortLinkView {
    /// What tells it from others.
    pub code: String,
    /// Its address; only its path where the server has no address any more.
    pub url: String,
    /// Where it leads.
    pub destination: String,
    /// When a post first had it.
    pub created_at: DateTime<Utc>,
    /// How often it was followed.
    pub clicks: u64,
    /// How often on each of the latest 90 days of UTC, the latest first, without those on which it
    /// was not.
    pub days: Vec<DayClicks>,
}

impl ShortLinkView {
    /// A short link with its clicks.
    #[must_use]
    pub fn new(link: ShortLink, clicks: Clicks, short: Option<&ShortLinks>) -> Self {
        let url =
            short.map_or_else(|| format!("{PATH}{}", link.code), |short| short.at(&link.code));
        Self {
            url,
            code: link.code,
            destination: link.destination,
            created_at: link.created_at,
            clicks: clicks.total,
            days: clicks.days,
        }
    }
}

/// A page of short links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ShortLinkPage {
    /// The short links, those that were made last first.
    pub data: Vec<ShortLinkView>,
    /// Send it as `before` for the next page; `None` on the last.
    pub next_cursor: Option<String>,
}

impl ShortLinkPage {
    /// A page with what comes after it.
    #[must_use]
    pub const fn new(data: Vec<ShortLinkView>, next_cursor: Option<String>) -> Self {
        Self { data, next_cursor }
    }
}
