//! What the simulated networks tell of what is live, when they tell anything.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use scheduler_core::platform::Metric;
use scheduler_core::ports::{
    Access, AfterPublishing, Figures, LivePost, NetworkError, NetworkErrorKind,
};

use crate::network::Wall;
use crate::world::World;

pub(crate) struct SimulatedAfter {
    pub(crate) world: Arc<World>,
    pub(crate) wall: Arc<Wall>,
}

impl SimulatedAfter {
    /// Takes some time, and fails in every way there is but the one that a person has to mend.
    async fn answer(&self, access: &Access) -> Result<(), NetworkError> {
        self.world.pause().await;
        let kind = match self.world.below(5) {
            0 => NetworkErrorKind::Temporary,
            1 => NetworkErrorKind::InDoubt,
            2 => NetworkErrorKind::RateLimited { wait: Some(TimeDelta::minutes(3)) },
            3 => NetworkErrorKind::Unsettled,
            _ => NetworkErrorKind::Permanent,
        };
        if self.world.fault(6) {
            return Err(NetworkError::new(kind, "no"));
        }
        if !self.wall.accepts(&access.account.network_id, &access.credentials) {
            return Err(NetworkError::new(NetworkErrorKind::TokenExpired, "expired"));
        }
        Ok(())
    }
}

#[async_trait]
impl AfterPublishing for SimulatedAfter {
    fn figures_at_once(&self) -> usize {
        3
    }

    async fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
    ) -> Result<Vec<Option<Figures>>, NetworkError> {
        for post in posts.iter().filter(|post| self.wall.parts(post.target_id).is_empty()) {
            self.world.violated(format!("{} was read and is not live", post.target_id));
        }
        self.answer(access).await?;
        let likes = || Figures(BTreeMap::from([(Metric::Likes, 1.0)]));
        Ok(posts.iter().map(|_| (self.world.below(10) > 0).then(likes)).collect())
    }

    async fn followers(&self, access: &Access) -> Result<Option<u64>, NetworkError> {
        self.answer(access).await?;
        Ok(Some(7))
    }
}
