//! A workspace: the owner of everything else.
//!
//! ```
//! use scheduler_core::ids::WorkspaceId;
//! use scheduler_core::plan::Plan;
//! use scheduler_core::workspace::Workspace;
//! use uuid::Uuid;
//!
//! let home = Workspace {
//!     id: WorkspaceId(Uuid::nil()),
//!     name: "home".to_owned(),
//!     plan: Plan::Studio,
//!     timezone: Some("Europe/Berlin".parse()?),
//!     picture: None,
//!     second_pair: false,
//!     links: Default::default(),
//!     created_at: "2026-11-21T12:00:00Z".parse()?,
//! };
//! assert_eq!(home.timezone.map(|zone| zone.name()), Some("Europe/Berlin"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{MediaId, WorkspaceId};
use crate::links::LinkRules;
use crate::plan::Plan;
use crate::timing::Zone;

/// The owner of posts, accounts, keys and webhooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Its id.
    pub id: WorkspaceId,
    /// What a person calls it; unique.
    pub name: String,
    /// What it has subscribed to.
    pub plan: Plan,
    /// The zone of its accounts that have none of their own.
    pub timezone: Option<Zone>,
    /// The picture that clients see beside its name, one of its files.
    pub picture: Option<MediaId>,
    /// True when its posts go out only once somebody else than their author has approved them.
    pub second_pair: bool,
    /// What it wants of the links of its posts.
    pub links: LinkRules,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

impl Workspace {
    /// What stands for it in the addresses of pages: its name in small letters and hyphens, or where
    /// that leaves nothing the end of its id.
    #[must_use]
    pub fn short_name(&self) -> String {
        let mut short = String::new();
        for sign in self.name.chars().flat_map(char::to_lowercase) {
            if sign.is_ascii_alphanumeric() {
                short.push(sign);
            } else if !short.ends_with('-') {
                short.push('-');
            }
        }
        let short = short.trim_matches('-');
        if short.is_empty() { self.id.to_string()[28..].to_owned() } else { short.to_owned() }
    }
}

/// A workspace as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Workspace"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WorkspaceView {
    /// Its id.
    pub id: WorkspaceId,
    /// What a person calls it; unique.
    pub name: String,
    /// What it has subscribed to.
    pub plan: Plan,
    /// The IANA zone of its accounts that have none of their own; `None` for UTC.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub timezone: Option<Zone>,
    /// The picture that clients see beside its name, one of its files.
    pub picture: Option<MediaId>,
    /// True when its posts go out only once somebody else than their author has approved them.
    #[serde(default)]
    pub second_pair: bool,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

impl From<&Workspace> for WorkspaceView {
    fn from(workspace: &Workspace) -> Self {
        Self {
            id: workspace.id,
            name: workspace.name.clone(),
            plan: workspace.plan,
            timezone: workspace.timezone,
            picture: workspace.picture,
            second_pair: workspace.second_pair,
            created_at: workspace.created_at,
        }
    }
}
