//! Rows of `work`.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use scheduler_core::account::Account;
use scheduler_core::effects::{DueLane, NewWork};
use scheduler_core::ids::{DeliveryId, TargetId, WebhookId, WorkId, WorkspaceId};
use scheduler_core::media::Media;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Claim, Place, StoreError, WorkKind};
use scheduler_core::post::Post;
use uuid::Uuid;

use super::{find, parse, row, values};
use crate::derived_id;
use crate::instant::Instant;

/// The name of what work takes a place of.
macro_rules! place {
    () => {
        "CASE kind WHEN 'publish' THEN platform ELSE kind END"
    };
}
pub(crate) use place;

row! {
    /// A row of `work` that has just been claimed.
    pub(crate) struct ClaimRow by claim_columns {
        work {
            id: Uuid,
            kind: String,
            subject: Uuid,
            workspace_id: Uuid,
            platform: Option<String>,
            lane: String,
            due_at: Instant,
            claimed: i64,
        }
    }
}

impl ClaimRow {
    fn read(self) -> Result<Claim, StoreError> {
        Ok(Claim {
            work_id: WorkId(self.id),
            kind: find("work.kind", WorkKind::ALL, |kind| kind.as_str(), &self.kind)?,
            subject: self.subject,
            number: self.claimed,
            workspace_id: WorkspaceId(self.workspace_id),
            platform: self.platform.map(|name| parse("work.platform", &name)).transpose()?,
            lane: self.lane,
            due_at: self.due_at.0,
        })
    }
}

/// The claims in the order of their lanes' turns; a database returns changed rows in any order.
pub(crate) fn read_claims(rows: Vec<ClaimRow>, turns: &[String]) -> Result<Vec<Claim>, StoreError> {
    let turn_of: HashMap<&str, usize> =
        turns.iter().enumerate().map(|(turn, lane)| (lane.as_str(), turn)).collect();
    let mut claims: Vec<Claim> = rows.into_iter().map(ClaimRow::read).collect::<Result<_, _>>()?;
    claims.sort_by(|left, right| {
        let key = |claim: &Claim| {
            (turn_of.get(claim.lane.as_str()).copied(), claim.due_at, claim.work_id)
        };
        key(left).cmp(&key(right))
    });
    Ok(claims)
}

row! {
    /// A lane among the due work; `count` is how much of the work that was looked at is in it.
    pub(crate) struct LaneRow {
        workspace_id: Uuid,
        lane: String,
        place: String,
        due_at: Instant,
        id: Uuid,
        pub(crate) count: i64,
    }
}

impl LaneRow {
    pub(crate) fn read(self) -> Result<DueLane, StoreError> {
        Ok(DueLane {
            workspace_id: WorkspaceId(self.workspace_id),
            name: self.lane,
            place: find("work.kind", Place::all(), |place| place.as_str(), &self.place)?,
            due_at: self.due_at.0,
            work_id: self.id,
        })
    }
}

values! {
    /// New work, due and held by nobody, in the form of its row.
    pub(crate) struct WorkValues by work_values {
        pub(crate) id: Uuid,
        pub(crate) kind: &'static str,
        pub(crate) subject: Uuid,
        pub(crate) workspace_id: Uuid,
        pub(crate) platform: Option<&'static str>,
        pub(crate) lane: String,
        pub(crate) due_at: Instant,
    }
}

impl WorkValues {
    fn of(work: NewWork, id: WorkId) -> Self {
        Self {
            id: id.0,
            kind: work.kind.as_str(),
            subject: work.subject,
            workspace_id: work.workspace_id.0,
            platform: work.platform.map(Platform::as_str),
            lane: work.lane,
            due_at: Instant(work.due_at),
        }
    }

    /// What publishes a post of this version.
    pub(crate) fn of_post(post: &Post, version: i64) -> Vec<Self> {
        let work = NewWork::of_post(post).map(|work| {
            let target = TargetId(work.subject);
            let id = derived_id::publish_work(target, version, post.updated_at);
            Self::of(work, id)
        });
        work.collect()
    }

    /// The readings of an account whose credentials have this version.
    pub(crate) fn of_account(account: &Account, version: i64, due_at: DateTime<Utc>) -> Self {
        let id = derived_id::read_work(account.id, version);
        Self::of(NewWork::of_readings(account, due_at), id)
    }

    /// The work on a file of this version; `None` when nothing is left to do.
    pub(crate) fn of_media(media: &Media, version: i64) -> Option<Self> {
        let work = NewWork::of_media(media)?;
        let id = derived_id::media_work(media.id, version, work.due_at);
        Some(Self::of(work, id))
    }

    /// The work that sends a delivery for the first time.
    pub(crate) fn of_delivery(
        workspace: WorkspaceId,
        webhook: WebhookId,
        delivery: DeliveryId,
        at: DateTime<Utc>,
    ) -> Self {
        let work = NewWork::of_delivery(workspace, webhook, delivery, at);
        Self::of(work, derived_id::deliver_work(delivery, at))
    }

    /// The work that sends a delivery again after so many attempts.
    pub(crate) fn of_redelivery(
        workspace: WorkspaceId,
        webhook: WebhookId,
        delivery: DeliveryId,
        attempts: i64,
        at: DateTime<Utc>,
    ) -> Self {
        let work = NewWork::of_delivery(workspace, webhook, delivery, at);
        Self::of(work, derived_id::redeliver_work(delivery, attempts, at))
    }
}
