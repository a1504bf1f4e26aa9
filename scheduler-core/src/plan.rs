//! Plans and what they allow.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{PlanLimit, PlanRefusal};

/// What a workspace has subscribed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Plan {
    /// For trying.
    Free,
    /// For one business.
    Pro,
    /// For agencies.
    Studio,
}

impl Plan {
    /// Every plan, from the smallest to the largest.
    pub const ALL: [Self; 3] = [Self::Free, Self::Pro, Self::Studio];

    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Pro => "pro",
            Self::Studio => "studio",
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The text is not the name of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a plan; the plans are free, pro and studio")]
pub struct UnknownPlan(pub String);

impl FromStr for Plan {
    type Err = UnknownPlan;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|plan| plan.as_str() == text)
            .ok_or_else(|| UnknownPlan(text.to_owned()))
    }
}

/// What one plan allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Allowances {
    /// Posts that go out in a calendar month (UTC).
    pub posts_a_month: u64,
    /// Connected accounts.
    pub channels: u64,
    /// Bytes uploaded in a calendar month.
    pub upload_bytes_a_month: u64,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Whether API keys and webhooks can be created.
    pub api: bool,
    /// Captions by the assistant in a calendar month; 0 means not in the plan.
    pub captions_a_month: u64,
    /// Reviews by the assistant in a calendar month; 0 means not in the plan.
    pub reviews_a_month: u64,
}

/// What every plan allows. An operator can replace it.
///
/// ```
/// use scheduler_core::plan::{Plan, Plans};
///
/// let mut plans = Plans::default();
/// assert!(!plans.of(Plan::Free).api);
/// plans.free.channels = 5;
/// let refusal = plans.channel_limit(Plan::Free);
/// assert_eq!((refusal.limit.allowance(), refusal.upgrade_to), (5, Some(Plan::Pro)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plans {
    /// Of [`Plan::Free`].
    pub free: Allowances,
    /// Of [`Plan::Pro`].
    pub pro: Allowances,
    /// Of [`Plan::Studio`].
    pub studio: Allowances,
}

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const TIB: u64 = 1 << 40;

impl Default for Plans {
    /// Source: the assistant's figures are the interface description's (Limits), the others are
    /// our decisions.
    fn default() -> Self {
        Self {
            free: Allowances {
                posts_a_month: 30,
                channels: 3,
                upload_bytes_a_month: GIB,
                file_bytes: 100 * MIB,
                api: false,
                captions_a_month: 0,
                reviews_a_month: 0,
            },
            pro: Allowances {
                posts_a_month: 1_000,
                channels: 25,
                upload_bytes_a_month: 100 * GIB,
                file_bytes: 2 * GIB,
                api: true,
                captions_a_month: 300,
                reviews_a_month: 500,
            },
            studio: Allowances {
                posts_a_month: 10_000,
                channels: 100,
                upload_bytes_a_month: TIB,
                file_bytes: 10 * GIB,
                api: true,
                captions_a_month: 1_500,
                reviews_a_month: 2_500,
            },
        }
    }
}

impl Plans {
    /// What `plan` allows.
    #[must_use]
    pub const fn of(&self, plan: Plan) -> &Allowances {
        match plan {
            Plan::Free => &self.free,
            Plan::Pro => &self.pro,
            Plan::Studio => &self.studio,
        }
    }

    /// A refusal for a plan, naming the first larger plan that would allow it.
    fn refusal(
        &self,
        plan: Plan,
        limit: PlanLimit,
        would_allow: impl Fn(&Allowances) -> bool,
    ) -> PlanRefusal {
        let upgrade =
            Plan::ALL.into_iter().find(|larger| *larger > plan && would_allow(self.of(*larger)));
        PlanRefusal::new(plan, limit, upgrade)
    }

    /// The refusal of one more post this month.
    #[must_use]
    pub fn post_limit(&self, plan: Plan) -> PlanRefusal {
        let limit = self.of(plan).posts_a_month;
        self.refusal(plan, PlanLimit::Posts(limit), |larger| larger.posts_a_month > limit)
    }

    /// The refusal of one more channel.
    #[must_use]
    pub fn channel_limit(&self, plan: Plan) -> PlanRefusal {
        let limit = self.of(plan).channels;
        self.refusal(plan, PlanLimit::Channels(limit), |larger| larger.channels > limit)
    }

    /// The refusal of a file of so many bytes.
    #[must_use]
    pub fn file_too_large(&self, plan: Plan, bytes: u64) -> PlanRefusal {
        let limit = PlanLimit::FileBytes { most: self.of(plan).file_bytes, found: bytes };
        self.refusal(plan, limit, |larger| larger.file_bytes >= bytes)
    }

    /// The refusal of more uploaded bytes this month.
    #[must_use]
    pub fn upload_limit(&self, plan: Plan) -> PlanRefusal {
        let limit = self.of(plan).upload_bytes_a_month;
        let is_larger = |larger: &Allowances| larger.upload_bytes_a_month > limit;
        self.refusal(plan, PlanLimit::UploadBytes(limit), is_larger)
    }

    /// The refusal of API keys and webhooks.
    #[must_use]
    pub fn api_not_on_plan(&self, plan: Plan) -> PlanRefusal {
        self.refusal(plan, PlanLimit::Api, |larger| larger.api)
    }

    /// The refusal of the assistant; `allowance` is what a plan covers of the calls in question.
    #[must_use]
    pub fn ai_not_in_plan(
        &self,
        plan: Plan,
        allowance: impl Fn(&Allowances) -> u64,
    ) -> PlanRefusal {
        self.refusal(plan, PlanLimit::Assistant, |larger| allowance(larger) > 0)
    }

    /// The refusal of one more call to the assistant this month; `allowance` is what a plan covers
    /// of the calls in question.
    #[must_use]
    pub fn ai_limit(&self, plan: Plan, allowance: impl Fn(&Allowances) -> u64) -> PlanRefusal {
        let limit = allowance(self.of(plan));
        self.refusal(plan, PlanLimit::AssistantCalls(limit), |larger| allowance(larger) > limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_first_plan_that_would_allow_it() {
        let plans = Plans::default();
        let captions = |allowances: &Allowances| allowances.captions_a_month;
        for (name, refusal, limit, upgrade) in [
            ("posts, free", plans.post_limit(Plan::Free), Some(30), Some("pro")),
            ("posts, pro", plans.post_limit(Plan::Pro), Some(1_000), Some("studio")),
            ("posts, studio", plans.post_limit(Plan::Studio), Some(10_000), None),
            ("channels, free", plans.channel_limit(Plan::Free), Some(3), Some("pro")),
            ("keys, free", plans.api_not_on_plan(Plan::Free), Some(0), Some("pro")),
            ("no captions, free", plans.ai_not_in_plan(Plan::Free, captions), Some(0), Some("pro")),
            ("captions, pro", plans.ai_limit(Plan::Pro, captions), Some(300), Some("studio")),
            ("captions, studio", plans.ai_limit(Plan::Studio, captions), Some(1_500), None),
        ] {
            assert_eq!(Some(refusal.limit.allowance()), limit, "{name}");
            assert_eq!(refusal.upgrade_to.map(Plan::as_str), upgrade, "{name}");
        }
    }
}
