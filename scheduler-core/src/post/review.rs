//! The second pair of eyes: who has written a post, and who of the team has approved it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{ApprovalState, Post};
use crate::audit::ActorKind;
use crate::session::Person;

/// Who was the last to say what a post says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// What they had.
    pub kind: ActorKind,
    /// The id of the key, the session or the grant; `None` on the server itself.
    pub id: Option<Uuid>,
    /// The last person who has said it, where what had the last word names nobody: a program that
    /// touches what somebody has written does not make it another's.
    pub person: Option<Person>,
}

impl Author {
    /// True when this person is the author, or may be.
    #[must_use]
    pub fn is(&self, person: &Person) -> bool {
        // A person has the id of the session that has first named them.
        let is_their_session = self.kind == ActorKind::Session && self.id == Some(person.id.0);
        is_their_session || self.person.as_ref().is_some_and(|author| author.is_same_as(person))
    }

    /// The author of a post that this one had written, once `self` has changed it.
    #[must_use]
    pub(super) fn after(self, before: Option<&Self>) -> Self {
        let person = self.person.or_else(|| before?.person.clone());
        Self { person, ..self }
    }
}

/// What the team says of a post whose workspace asks for a second pair of eyes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Review {
    /// Nobody but its author has approved it.
    Pending,
    /// Somebody else has, as it is now.
    Approved {
        /// Who.
        by: Person,
        /// When.
        at: DateTime<Utc>,
    },
}

impl Review {
    /// What it says of the post.
    #[must_use]
    pub const fn state(&self) -> ApprovalState {
        match self {
            Self::Pending => ApprovalState::Pending,
            Self::Approved { .. } => ApprovalState::Approved,
        }
    }
}

impl Post {
    /// What was said of it by all whose approval it needs, its client and the team; `None` when it
    /// needs none.
    #[must_use]
    pub fn approval(&self) -> Option<ApprovalState> {
        ApprovalState::of_all(self.approval_state, self.review.as_ref())
    }
}

impl ApprovalState {
    /// What a client and the team say together; `None` where neither is asked.
    #[must_use]
    pub fn of_all(client: Option<Self>, team: Option<&Review>) -> Option<Self> {
        use ApprovalState::{Approved, Changes, Pending};
        match (client, team.map(Review::state)) {
            (None, one) | (one, None) => one,
            (Some(Changes), _) | (_, Some(Changes)) => Some(Changes),
            (Some(Pending), _) | (_, Some(Pending)) => Some(Pending),
            (Some(Approved), Some(Approved)) => Some(Approved),
        }
    }
}

/// What the team says of a post, as callers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Review"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReviewView {
    /// Whether somebody else than its author has approved it.
    pub state: ApprovalState,
    /// The person who has written or last changed it; `None` where no session named one.
    pub written_by: Option<Person>,
    /// Who has approved it.
    pub approved_by: Option<Person>,
    /// When.
    pub approved_at: Option<DateTime<Utc>>,
}

impl ReviewView {
    /// The review of a post; `None` where nobody asks for one.
    #[must_use]
    pub fn of(post: &Post) -> Option<Self> {
        let review = post.review.as_ref()?;
        let (approved_by, approved_at) = match review {
            Review::Pending => (None, None),
            Review::Approved { by, at } => (Some(by.clone()), Some(*at)),
        };
        Some(Self {
            state: review.state(),
            written_by: post.author.as_ref().and_then(|author| author.person.clone()),
            approved_by,
            approved_at,
        })
    }
}
