//! What would become of the links of a dry run.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::CheckInput;
use crate::app::links::LinksOf;
use crate::app::{Caller, Scheduler};
use crate::links::{LinkChange, Sent};
use crate::post::{TargetInput, distinct_labels};

/// A link of a target, and what its network would get in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TargetLink {
    /// The index of the target.
    pub target: usize,
    /// What becomes of it.
    #[serde(flatten)]
    pub change: LinkChange,
}

impl CheckInput {
    /// What the network of a target gets, with these changes of its links; `none` are the options
    /// of one that has none.
    pub(super) fn sent<'a>(
        &'a self,
        target: &'a TargetInput,
        none: &'a Map<String, Value>,
        changes: &[LinkChange],
    ) -> Sent<'a> {
        let content = self.content.as_deref().unwrap_or_default();
        let options = target.options.as_ref().unwrap_or(none);
        Sent::of(content, self.link_url.as_deref(), options, changes)
    }
}

impl Scheduler {
    /// What would be sent in place of the links of each target.
    pub(super) fn changed_links(
        &self,
        caller: &Caller,
        input: &CheckInput,
        targets: &[TargetInput],
        now: DateTime<Utc>,
    ) -> Vec<Vec<LinkChange>> {
        let (labels, none) =
            (distinct_labels(input.labels.as_deref().unwrap_or_default()), Map::new());
        let of = LinksOf {
            workspace: &caller.workspace,
            own: input.links.as_ref(),
            labels: &labels,
            now,
        };
        let of_target = |target: &TargetInput| {
            self.link_changes(of, target.platform, &input.sent(target, &none, &[]))
        };
        targets.iter().map(of_target).collect()
    }
}
