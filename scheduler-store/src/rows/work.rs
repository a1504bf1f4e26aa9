//! Rows of `work`.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use scheduler_core::account::Account;
use scheduler_core::ids::{WorkId, WorkspaceId};
use scheduler_core::media::Media;
use scheduler_core::ports::{Claim, Place, StoreError, WorkKind};
use scheduler_core::target::TargetStatus;
use scheduler_core::{post::Post, target::Target};
use uuid::Uuid;

use super::{find, parse, row, values};
use crate::instant::Instant;
use crate::lane::Lane;
use crate::{derived_id, lane};

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
    pub(crate) fn read(self) -> Result<Lane, StoreError> {
        Ok(Lane {
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
    /// The work that follows from a post: one piece for every target that waits for its time.
    pub(crate) fn of_post(post: &Post, version: i64) -> Vec<Self> {
        let waiting = post.targets.iter().filter_map(|target| Some((target, due_at(target)?)));
        waiting
            .map(|(target, due_at)| Self {
                id: derived_id::publish_work(target.id, version, post.updated_at).0,
                kind: WorkKind::Publish.as_str(),
                subject: target.id.0,
                workspace_id: post.workspace_id.0,
                platform: Some(target.platform.as_str()),
                lane: lane::of_account(target.account_id),
                due_at: Instant(due_at),
            })
            .collect()
    }

    /// The readings of an account whose credentials have this version.
    pub(crate) fn of_account(account: &Account, version: i64, due_at: DateTime<Utc>) -> Self {
        Self {
            id: derived_id::read_work(account.id, version).0,
            kind: WorkKind::Read.as_str(),
            subject: account.id.0,
            workspace_id: account.workspace_id.0,
            platform: Some(account.platform.as_str()),
            lane: lane::of_readings(account.id),
            due_at: Instant(due_at),
        }
    }

    /// The work on a file of this version; `None` when nothing is left to do.
    pub(crate) fn of_media(media: &Media, version: i64) -> Option<Self> {
        let due_at = media.due_at?;
        Some(Self {
            id: derived_id::media_work(media.id, version, due_at).0,
            kind: WorkKind::of_file(media.status).as_str(),
            subject: media.id.0,
            workspace_id: media.workspace_id.0,
            platform: None,
            lane: lane::of_media(media.id),
            due_at: Instant(due_at),
        })
    }
}

/// When a target is to be published; `None` when it is not.
pub(crate) fn due_at(target: &Target) -> Option<DateTime<Utc>> {
    target.due_at.filter(|_| target.status == TargetStatus::Pending)
}
