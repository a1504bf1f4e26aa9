//! What the cases on readings are made of.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use scheduler_core::ids::{AccountId, TargetId};
use scheduler_core::ports::{
    Claim, Figures, Metric, Place, ReadingContext, ReadingState, ReadingsTaken, Recorded,
    TakenReading, WorkKind,
};
use scheduler_core::post::Post;
use scheduler_core::reading::Reading;

use crate::fixtures::{World, at, everything};

/// When nobody looks at an account again in any case.
pub(crate) const FAR: i64 = 100_000_000;

pub(crate) fn reading(seconds: i64, views: u32) -> Reading {
    let figures = BTreeMap::from([(Metric::Views, f64::from(views)), (Metric::Likes, 0.5)]);
    Reading { at: at(seconds), figures: Figures(figures) }
}

pub(crate) fn state(look_due_at: i64) -> ReadingState {
    ReadingState::new(at(look_due_at))
}

pub(crate) fn taken(target: TargetId, reading: Reading, next_due_at: Option<i64>) -> TakenReading {
    TakenReading {
        target_id: target,
        reading: Some(reading),
        superfluous: Vec::new(),
        next_due_at: next_due_at.map(at),
    }
}

impl World {
    /// Claims readings that are due, and nothing else.
    pub(crate) async fn claim_readings(&self, now: DateTime<Utc>) -> Vec<Claim> {
        let others = Place::all().filter(|place| *place != Place::Read);
        let request = everything(now, 1_000, 1_000).without(others);
        let claims = self.store.claim(&request).await.unwrap();
        assert!(claims.iter().all(|claim| claim.kind == WorkKind::Read), "{claims:?}");
        claims
    }

    /// Claims the readings of the one account whose are due.
    pub(crate) async fn claim_reading(&self, now: DateTime<Utc>) -> Claim {
        let mut claims = self.claim_readings(now).await;
        assert_eq!(claims.len(), 1, "{claims:?}");
        claims.remove(0)
    }

    pub(crate) async fn reading_context(&self, claim: &Claim, now: i64) -> ReadingContext {
        let context = self.store.reading_context(claim, at(now), 1_000).await.unwrap();
        context.expect("the claim is current")
    }

    pub(crate) async fn record(&self, claim: &Claim, taken: &ReadingsTaken) {
        let recorded = self.store.record_readings(claim, taken).await.unwrap();
        assert_eq!(recorded, Recorded::Stored);
    }

    /// An account whose first look is done; the next is far off.
    pub(crate) async fn looked_at(&self) -> AccountId {
        let account = self.account().await;
        let claim = self.claim_reading(account.connected_at).await;
        assert_eq!(claim.subject, account.id.0);
        self.record(&claim, &ReadingsTaken::nothing(state(FAR))).await;
        account.id
    }

    /// A post that has gone live on an account.
    pub(crate) async fn go_live(&self, account: AccountId, seconds: i64) -> Post {
        let post = self.due(account, at(seconds)).await;
        let claim = self.claim_one(at(seconds)).await;
        assert_eq!(self.publish(&claim, at(seconds)).await, Recorded::Stored);
        self.read(post.id).await
    }
}
