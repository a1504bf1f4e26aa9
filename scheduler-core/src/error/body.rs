//! The error body of the API.

use serde::{Deserialize, Serialize};

use super::{AccountRefusal, ErrorCode, Refusal, RefusalKind};
use crate::post::PostView;
use crate::rules::ValidationIssue;

/// The body of every refusal.
///
/// Source: interface description, Error.
///
/// ```
/// use scheduler_core::error::{ErrorBody, Refusal, Resource};
/// let body = ErrorBody::from(Refusal::not_found(Resource::Post));
/// let json = serde_json::to_value(&body)?;
/// assert_eq!(json["error"]["code"], "not_found");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Error"))]
pub struct ErrorBody {
    /// The error itself.
    pub error: ErrorDetail,
}

/// The inside of an [`ErrorBody`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetail {
    /// The stable code.
    pub code: ErrorCode,
    /// For a person: what was wrong, and what is allowed.
    pub message: String,
    /// With `invalid_request`: the path of the field, such as `targets[0].platform`,
    /// `Idempotency-Key` or the name of a parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// With the refusal of a plan: its allowance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// With the refusal of a plan: the first plan that would allow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgrade_to: Option<String>,
    /// With `validation_failed`: all that was found, warnings too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Vec<ValidationIssue>>,
    /// With `in_use` of an account: how many posts are to come through it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<u64>,
    /// With `stale`: the post as it is now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<Box<PostView>>,
}

impl ErrorDetail {
    /// The HTTP status of an answer that says this.
    ///
    /// ```
    /// use scheduler_core::error::ErrorBody;
    /// use scheduler_core::plan::{Plan, Plans};
    ///
    /// let refusal = Plans::default().file_too_large(Plan::Free, 1 << 40);
    /// assert_eq!(ErrorBody::from(refusal).error.status(), 402, "of the plan, not the server's own");
    /// ```
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self.code {
            // The plan's ceiling comes with its allowance, the server's own does not.
            ErrorCode::FileTooLarge if self.limit.is_some() => 402,
            code => code.status(),
        }
    }
}

impl<R: Into<Refusal>> From<R> for ErrorBody {
    fn from(refusal: R) -> Self {
        let refusal = refusal.into();
        let error = ErrorDetail {
            code: refusal.code,
            message: refusal.message(),
            limit: refusal.limit(),
            upgrade_to: refusal.upgrade_to().map(|plan| plan.as_str().to_owned()),
            field: refusal.field,
            issues: None,
            due: None,
            current: None,
        };
        let error = match refusal.kind {
            RefusalKind::Validation(issues) => ErrorDetail { issues: Some(issues), ..error },
            RefusalKind::Account(AccountRefusal::StillDue { due, .. }) => {
                ErrorDetail { due: Some(due), ..error }
            }
            RefusalKind::Stale(post) => ErrorDetail { current: Some(post), ..error },
            _ => error,
        };
        Self { error }
    }
}
