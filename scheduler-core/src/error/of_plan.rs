//! What a plan does not cover.

use super::ErrorCode;
use crate::plan::Plan;

/// What a plan does not cover, and the first plan that would.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", limit.sentence(*plan))]
#[non_exhaustive]
pub struct PlanRefusal {
    /// The plan.
    pub plan: Plan,
    /// Its limit that is met.
    pub limit: PlanLimit,
    /// The first larger plan that would allow it.
    pub upgrade_to: Option<Plan>,
}

impl PlanRefusal {
    /// A refusal for a plan.
    #[must_use]
    pub const fn new(plan: Plan, limit: PlanLimit, upgrade_to: Option<Plan>) -> Self {
        Self { plan, limit, upgrade_to }
    }
}

/// A limit of a plan, with its allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanLimit {
    /// So many posts a calendar month.
    Posts(u64),
    /// So many connected accounts.
    Channels(u64),
    /// Files of so many bytes at most.
    FileBytes {
        /// What a file has at most.
        most: u64,
        /// What this one has.
        found: u64,
    },
    /// So many uploaded bytes a calendar month.
    UploadBytes(u64),
    /// No API keys and no webhooks.
    Api,
    /// Nothing of this of the assistant.
    Assistant,
    /// So many of these calls to the assistant a calendar month.
    AssistantCalls(u64),
}

impl PlanLimit {
    /// What the plan allows; 0 for what it does not include.
    #[must_use]
    pub const fn allowance(self) -> u64 {
        match self {
            Self::Posts(most)
            | Self::Channels(most)
            | Self::FileBytes { most, .. }
            | Self::UploadBytes(most)
            | Self::AssistantCalls(most) => most,
            Self::Api | Self::Assistant => 0,
        }
    }

    pub(super) const fn code(self) -> ErrorCode {
        match self {
            Self::Posts(_) => ErrorCode::PostLimit,
            Self::Channels(_) => ErrorCode::ChannelLimit,
            Self::FileBytes { .. } => ErrorCode::FileTooLarge,
            Self::UploadBytes(_) => ErrorCode::UploadLimit,
            Self::Api => ErrorCode::ApiNotOnPlan,
            Self::Assistant => ErrorCode::AiNotInPlan,
            Self::AssistantCalls(_) => ErrorCode::AiLimit,
        }
    }

    fn sentence(self, plan: Plan) -> String {
        match self {
            Self::Posts(most) => format!(
                "The plan {plan} covers {most} posts a calendar month, and all of them are used."
            ),
            Self::Channels(most) => {
                format!("The plan {plan} covers {most} connected accounts.")
            }
            Self::FileBytes { most, found } => format!(
                "The file is {found} bytes; the plan {plan} covers files of at most {most}."
            ),
            Self::UploadBytes(most) => format!(
                "The plan {plan} covers {most} uploaded bytes a calendar month, and this file goes over them."
            ),
            Self::Api => format!("The plan {plan} includes neither API keys nor webhooks."),
            Self::Assistant => {
                format!("The plan {plan} does not include this of the assistant.")
            }
            Self::AssistantCalls(most) => format!(
                "The plan {plan} covers {most} of these calls to the assistant a calendar month, and all of them are used."
            ),
        }
    }
}
