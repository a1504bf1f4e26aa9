//! Figures of posts, and followers.

use std::collections::BTreeMap;

use scheduler_core::ports::{Access, Creator, Figures, LivePost, Metric};
use serde_json::json;

use super::errors::{lacks_scope, taken};
use super::locate::LIST;
use super::wire::{UserInfo, Video, Videos, is_post_id};
use super::{TikTok, creator};
use crate::conversation::{AfterConversation, Answer, Body, Protocol, Turn, TurnResult};
use scheduler_core::platform::AccountLimits;

/// Posts of one call.
///
/// Source: <https://developers.tiktok.com/docs/en/tiktok-api-v2-video-query>.
pub(super) const AT_ONCE: usize = 20;

/// The scope with which followers are counted.
pub(super) const STATS: &str = "user.info.stats";

const FIELDS: &str = "id,create_time,share_url,duration,title,video_description,like_count,comment_count,share_count,view_count";

impl AfterConversation for TikTok {
    fn figures_at_once(&self) -> usize {
        AT_ONCE
    }

    /// The next turn of reading the figures of posts, in their order. Only posts that everybody can
    /// see have any, and those that are gone are left out of the answer.
    ///
    /// Source: <https://developers.tiktok.com/docs/en/tiktok-api-v2-video-query>.
    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        let api = &self.api;
        let session = &self.session(access)?;
        let none = || Turn::Done(vec![None; posts.len()]);
        let ids = posts.iter().map(|post| post.remote.id.as_str());
        let ids: Vec<&str> = ids.filter(|id| is_post_id(id)).collect();
        if ids.is_empty() || !session.credentials.may(&[LIST]) {
            return Ok(none());
        }
        let Some(answer) = answers.first() else {
            let body = Body::Json(json!({ "filters": { "video_ids": ids } }));
            let path = &["video", "query"];
            return Ok(Turn::Send(api.call(
                &session.credentials.access_token,
                path,
                Some(FIELDS),
                body,
            )));
        };
        // The scope was not granted after all.
        if lacks_scope(answer) {
            return Ok(none());
        }
        let found: Videos = taken(answer, false, Some(session.now))?;
        let found: BTreeMap<&str, Figures> =
            found.videos.iter().map(|video| (video.id.as_str(), of(video))).collect();
        let figures = posts.iter().map(|post| found.get(post.remote.id.as_str()).cloned());
        Ok(Turn::Done(figures.collect()))
    }

    /// The next turn of counting followers; `None` without the scope for it.
    ///
    /// Source: <https://developers.tiktok.com/docs/en/tiktok-api-v2-get-user-info>.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let api = &self.api;
        let session = &self.session(access)?;
        if !session.credentials.may(&[STATS]) {
            return Ok(Turn::Done(None));
        }
        let Some(answer) = answers.first() else {
            let fields = "open_id,follower_count,following_count,likes_count,video_count";
            return Ok(Turn::Send(api.read(
                &session.credentials.access_token,
                &["user", "info"],
                fields,
            )));
        };
        if lacks_scope(answer) {
            return Ok(Turn::Done(None));
        }
        let UserInfo { user } = taken(answer, false, Some(session.now))?;
        Ok(Turn::Done(user.follower_count))
    }

    fn limits(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<AccountLimits>> {
        creator::limits(&self.api, &self.session(access)?, answers)
    }

    fn creator(&self, access: &Access, answers: &[Answer]) -> TurnResult<Creator> {
        creator::creator(&self.api, &self.session(access)?, answers)
    }
}

fn of(video: &Video) -> Figures {
    let told = [
        (Metric::Views, video.view_count),
        (Metric::Likes, video.like_count),
        (Metric::Comments, video.comment_count),
        (Metric::Shares, video.share_count),
    ];
    let told = told.into_iter().filter_map(|(metric, count)| {
        // Counts of people stay far below where they would be rounded.
        #[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
        count.map(|count| (metric, count as f64))
    });
    Figures(told.collect())
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
