//! What a caller is told when something cannot be done.

mod access;
mod areas;
mod body;
mod code;
mod invalid;
mod kind;
mod of_feed;
mod of_plan;
mod openid;

use std::fmt;
use std::num::NonZeroU32;

use chrono::TimeDelta;

pub use access::{AccessRefusal, NotFound, Resource};
pub use areas::{
    AccountRefusal, AssistantRefusal, MediaRefusal, PostRefusal, RepeatRefusal, Unsupported,
};
pub use body::{ErrorBody, ErrorDetail};
pub use code::ErrorCode;
pub use invalid::{Invalid, JsonKind};
pub use kind::{NextStep, RefusalKind};
pub use of_feed::FeedRefusal;
pub use of_plan::{PlanLimit, PlanRefusal};
pub use openid::OpenIdRefusal;

use crate::plan::Plan;
use crate::ports::{FilesError, StoreError};
use crate::rules::ValidationIssue;

/// A refusal in the terms of the contract, without any word about its transport.
///
/// A program decides by [`Refusal::kind`], which holds what was wrong as data. Every kind has its
/// code and its sentence, which says what was wrong and what is allowed, for a person.
///
/// ```
/// use scheduler_core::error::{AccessRefusal, ErrorCode, Refusal, RefusalKind};
/// use scheduler_core::key::Scope;
///
/// let refusal = Refusal::from(AccessRefusal::MissingScope(vec![Scope::PostsWrite]));
/// assert_eq!(refusal.code, ErrorCode::Forbidden);
/// assert_eq!(refusal.to_string(), "This needs a key with the scope posts:write.");
/// let RefusalKind::Access(AccessRefusal::MissingScope(any_of)) = &refusal.kind else {
///     return Err("another kind".into());
/// };
/// assert_eq!(any_of, &[Scope::PostsWrite]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Refusal {
    /// The stable code; that of [`Refusal::kind`], unless a use case answers with another.
    pub code: ErrorCode,
    /// The path of the field that it is about, such as `targets[0].platform`.
    pub field: Option<String>,
    /// What was refused and why.
    pub kind: RefusalKind,
}

impl Refusal {
    /// A refusal with a code and a sentence of one's own, for the layers around the core.
    ///
    /// ```
    /// use scheduler_core::error::{ErrorCode, Refusal};
    /// let refusal = Refusal::new(ErrorCode::NotFound, "There is nothing at this path.");
    /// assert_eq!(refusal.to_string(), "There is nothing at this path.");
    /// ```
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, field: None, kind: RefusalKind::Said(message.into()) }
    }

    /// `invalid_request` about one field.
    ///
    /// ```
    /// use scheduler_core::error::{ErrorCode, Refusal};
    /// let refusal = Refusal::invalid("targets[0].platform", "There is no such network.");
    /// assert_eq!(refusal.code, ErrorCode::InvalidRequest);
    /// assert_eq!(refusal.field.as_deref(), Some("targets[0].platform"));
    /// ```
    pub fn invalid(field: impl Into<String>, problem: impl Into<Invalid>) -> Self {
        Self::from(problem.into()).at(field)
    }

    /// `not_found`, naming the kind of thing.
    #[must_use]
    pub fn not_found(what: Resource) -> Self {
        NotFound::Resource(what).into()
    }

    /// `rate_limited`, with the time to wait.
    pub fn rate_limited(message: impl Into<String>, retry_after: TimeDelta) -> Self {
        let kind = RefusalKind::Wait { message: message.into(), retry_after };
        Self { code: ErrorCode::RateLimited, field: None, kind }
    }

    /// `validation_failed` with everything the rules found, warnings included.
    #[must_use]
    pub fn validation(issues: Vec<ValidationIssue>) -> Self {
        RefusalKind::Validation(issues).into()
    }

    /// The same, about this field.
    #[must_use]
    pub fn at(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// The same under another code.
    #[must_use]
    pub fn with_code(self, code: ErrorCode) -> Self {
        Self { code, ..self }
    }

    /// The sentence for a person: what was wrong and what is allowed.
    #[must_use]
    pub fn message(&self) -> String {
        self.kind.to_string()
    }

    /// For a plan refusal: it, with the plan and its allowance.
    #[must_use]
    pub const fn of_plan(&self) -> Option<&PlanRefusal> {
        match &self.kind {
            RefusalKind::Plan(plan) | RefusalKind::Paused { plan, .. } => Some(plan),
            _ => None,
        }
    }

    /// For a plan refusal: the allowance.
    #[must_use]
    pub fn limit(&self) -> Option<u64> {
        self.of_plan().map(|plan| plan.limit.allowance())
    }

    /// For a plan refusal: the first plan that would allow it.
    #[must_use]
    pub fn upgrade_to(&self) -> Option<Plan> {
        self.of_plan()?.upgrade_to
    }

    /// For `validation_failed`: every problem.
    #[must_use]
    pub fn issues(&self) -> &[ValidationIssue] {
        match &self.kind {
            RefusalKind::Validation(issues) => issues,
            _ => &[],
        }
    }

    /// How many whole seconds to wait, where that is known: rounded up and never 0.
    #[must_use]
    pub fn retry_after_seconds(&self) -> Option<NonZeroU32> {
        let wait = self.kind.retry_after()?;
        let seconds = wait.num_seconds() + i64::from(wait.subsec_nanos() > 0);
        NonZeroU32::new(u32::try_from(seconds.max(1)).unwrap_or(u32::MAX))
    }

    /// What the caller can do next.
    #[must_use]
    pub const fn next_step(&self) -> Option<NextStep> {
        self.kind.next_step()
    }
}

impl<K: Into<RefusalKind>> From<K> for Refusal {
    fn from(kind: K) -> Self {
        let kind = kind.into();
        Self { code: kind.code(), field: None, kind }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(formatter)
    }
}

impl std::error::Error for Refusal {}

/// Why a use case did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The request cannot be met; the caller is told why.
    #[error(transparent)]
    Refused(Refusal),
    /// The store failed; the caller is told nothing of it.
    #[error("the store failed")]
    Store(#[source] StoreError),
    /// The file store failed; the caller is told nothing of it.
    #[error("the file store failed")]
    Files(#[from] FilesError),
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unsupported => Self::Refused(Unsupported::NotStored.into()),
            error => Self::Store(error),
        }
    }
}

impl<R: Into<Refusal>> From<R> for AppError {
    fn from(refusal: R) -> Self {
        Self::Refused(refusal.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_the_names_of_the_contract() {
        let names: Vec<String> = ErrorCode::ALL
            .iter()
            .map(|code| serde_json::to_value(code).unwrap().as_str().unwrap().to_owned())
            .collect();
        let contract = "invalid_request, unauthorized, forbidden, not_found, post_limit, \
             upload_limit, file_too_large, channel_limit, api_not_on_plan, ai_limit, \
             ai_not_in_plan, account_not_connected, media_unusable, already_started, \
             targets_locked, in_flight, nothing_to_retry, unsupported, not_published, in_use, \
             slot_taken, video_on_youtube, stale, payload_too_large, validation_failed, \
             ai_declined, rate_limited, ai_unavailable, network_error, network_refused, in_doubt, unavailable, \
             storage_full, internal";
        assert_eq!(names.join(", "), contract);
    }

    /// Whoever embeds the core has other routes, or none. How OAuth is spoken is said in its room.
    #[test]
    fn no_line_of_the_core_names_a_route_or_a_header() {
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut named = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.extend((!path.ends_with("src/oauth")).then_some(path));
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                let names = |line: &&str| {
                    let methods = ["GET", "POST", "PATCH", "PUT", "DELETE"];
                    methods.iter().any(|method| line.contains(&format!("{method} /")))
                        || line.contains(&["Bea", "rer"].concat())
                };
                named.extend(code.filter(names).map(|line| format!("{}: {line}", path.display())));
            }
        }
        assert_eq!(named, Vec::<String>::new());
    }

    #[test]
    fn a_body_leaves_out_what_does_not_apply() {
        let body = ErrorBody::from(Refusal::invalid("queue", "no"));
        assert_eq!(
            serde_json::to_string(&body).unwrap(),
            r#"{"error":{"code":"invalid_request","message":"no","field":"queue"}}"#
        );
    }
}
