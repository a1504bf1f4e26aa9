//! The approval of clients: links are made and withdrawn by the application, and followed in a
//! browser.

mod decide;
mod link;
mod news;
mod page;
mod review;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::error::{Invalid, Refusal};
use crate::ids::PostId;
use crate::post::{Approval, ApprovalState, Post, PostStatus, Remark, check_characters};
use crate::timing::Zone;

pub use decide::{ApprovalAnswer, Decided};
pub use link::{APPROVAL_POSTS_MAX, ApprovalInput, NewApproval, RemarkInput};
pub use news::{ApprovalNews, FileNews, TargetNews};
pub use page::{ApprovalFile, ApprovalPage, ApprovalPost, ApprovalTarget, OpenedApproval};
pub use review::PostReviewInput;

/// The approval of a post, as the team sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Approval"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ApprovalView {
    /// The post.
    pub post_id: PostId,
    /// How far the post has come.
    pub post_status: PostStatus,
    /// What the client said of the post as it is now.
    pub approval_state: Option<ApprovalState>,
    /// Who is asked, by the name that the team uses.
    pub client: Option<String>,
    /// What the client was told with the link.
    pub message: Option<String>,
    /// The client's IANA zone; `None` tells each time by the clock of its account.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub timezone: Option<Zone>,
    /// What the client wrote when they last decided.
    pub note: Option<String>,
    /// Everything that client and team wrote about the post, oldest first; the last 100.
    pub remarks: Vec<Remark>,
    /// When the client last decided.
    pub decided_at: Option<DateTime<Utc>>,
    /// When the link was made.
    pub created_at: DateTime<Utc>,
    /// From when on the link shows nothing.
    pub expires_at: DateTime<Utc>,
}

/// A link for a client that was just made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ApprovalLink"))]
#[serde(rename_all = "camelCase")]
pub struct ApprovalLinkView {
    /// Its address, which is shown this once. A program that acts for a person gets that of the
    /// page on which people make the link that the client gets.
    pub url: String,
    /// From when on it shows nothing.
    pub expires_at: DateTime<Utc>,
    /// The approval of each post, in the order in which they were named.
    pub data: Vec<ApprovalView>,
}

impl ApprovalView {
    fn new(approval: &Approval, post: &Post) -> Self {
        Self {
            post_id: post.id,
            post_status: post.status,
            approval_state: post.approval_state,
            client: approval.client.clone(),
            message: approval.message.clone(),
            timezone: approval.timezone,
            note: approval.note().map(str::to_owned),
            remarks: approval.remarks.clone(),
            decided_at: approval.decided_at,
            created_at: approval.created_at,
            expires_at: approval.expires_at,
        }
    }
}

/// What a person wrote, without the white space around it; `None` for nothing.
///
/// # Errors
/// `invalid_request` naming the field when it is too long.
fn written(field: &str, what: &str, text: &str, most: usize) -> Result<Option<String>, Refusal> {
    // Browsers send each line end as two characters.
    let text = text.replace("\r\n", "\n");
    let text = text.trim();
    check_characters(field, text)?;
    let length = text.chars().count();
    if length > most {
        let what = what.to_owned();
        let problem =
            Invalid::TooLong { what, found: length, unit: "characters long", most, advice: "" };
        return Err(Refusal::invalid(field, problem));
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}
