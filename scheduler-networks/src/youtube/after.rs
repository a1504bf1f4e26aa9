//! What can be done with a video that is there, besides its comments: changing it, taking it down,
//! its figures, and those of its channel.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/videos>.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, Comment, CommentAction, Comments, Figures, Insights, LivePost, Metric, NetworkError,
    NewPlaylist, Playlist, PlaylistPrivacy, RemoteEdit,
};
use scheduler_core::text::compose;
use serde_json::{Map, Value, json};

use super::errors::{failure, is_gone, unreadable};
use super::wire::{Items, number};
use super::{YouTube, comments, insights, playlists};
use crate::conversation::{AfterConversation, Answer, Method, Protocol, Turn, TurnResult};

/// Videos of which one call gives the figures.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos/list>, `id`.
pub(super) const AT_ONCE: usize = 50;

/// What a change of a video sends back: what is not sent is deleted.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos/update>.
const KEPT_FIELDS: [&str; 6] =
    ["title", "description", "categoryId", "tags", "defaultLanguage", "defaultAudioLanguage"];

const STATISTICS: [(Metric, &str); 3] = [
    (Metric::Views, "viewCount"),
    (Metric::Likes, "likeCount"),
    (Metric::Comments, "commentCount"),
];

impl AfterConversation for YouTube {
    /// The next turn of changing the title and the description. What else is said of the video is
    /// read first and sent back as it is.
    fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
        answers: &[Answer],
    ) -> TurnResult<()> {
        let api = &self.api;
        let session = &self.session(access)?;
        let failed = |answer| failure(answer, false, Some(session.now)).of_act();
        let id = post.remote.id.as_str();
        let Some(answer) = answers.first() else {
            let pairs = [("part", "snippet"), ("id", id)];
            return Ok(Turn::Send(api.read(&session.credentials.access_token, "videos", &pairs)));
        };
        let videos: Items<Value> = answer.taken(|| failed(answer), unreadable)?;
        let Some(before) = videos.items.first().and_then(|video| video.get("snippet")) else {
            return Err(NetworkError::permanent("YouTube does not have this video any more."));
        };
        let Some(answer) = answers.get(1) else {
            let mut snippet: Map<String, Value> = KEPT_FIELDS
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), before.get(*name)?.clone())))
                .collect();
            if let Some(title) = &edit.title {
                snippet.insert("title".to_owned(), title.trim().into());
            }
            if let Some(content) = &edit.content {
                snippet.insert("description".to_owned(), new_text(content, post).into());
            }
            let body = json!({ "id": id, "snippet": snippet });
            let pairs = [("part", "snippet")];
            let token = &session.credentials.access_token;
            return Ok(Turn::Send(api.by(token, Method::Put, "videos", &pairs, Some(body))));
        };
        if answer.is_success() { Ok(Turn::Done(())) } else { Err(failed(answer)) }
    }

    /// The next turn of taking a video down. One that is gone is no error.
    ///
    /// Source: <https://developers.google.com/youtube/v3/docs/videos/delete>.
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let api = &self.api;
        let session = &self.session(access)?;
        let Some(answer) = answers.first() else {
            let pairs = [("id", post.remote.id.as_str())];
            let token = &session.credentials.access_token;
            return Ok(Turn::Send(api.by(token, Method::Delete, "videos", &pairs, None)));
        };
        if answer.is_success() || is_gone(answer) {
            return Ok(Turn::Done(()));
        }
        Err(failure(answer, false, Some(session.now)).of_act())
    }

    fn figures_at_once(&self) -> usize {
        AT_ONCE
    }

    /// The next turn of reading the figures of videos, in their order. A figure that the channel
    /// hides is left out.
    ///
    /// Source: <https://developers.google.com/youtube/v3/docs/videos>, `statistics`.
    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        let api = &self.api;
        let session = &self.session(access)?;
        if posts.is_empty() {
            return Ok(Turn::Done(Vec::new()));
        }
        let Some(answer) = answers.first() else {
            let ids: Vec<&str> = posts.iter().map(|post| post.remote.id.as_str()).collect();
            let ids = ids.join(",");
            let pairs = [("part", "statistics"), ("id", ids.as_str())];
            return Ok(Turn::Send(api.read(&session.credentials.access_token, "videos", &pairs)));
        };
        let videos: Items<Value> =
            answer.taken(|| failure(answer, false, Some(session.now)).of_act(), unreadable)?;
        let of = |post: &LivePost| {
            let is_it = |video: &&Value| video["id"].as_str() == Some(&post.remote.id);
            let statistics = videos.items.iter().find(is_it)?.get("statistics")?;
            let known = STATISTICS.iter().filter_map(|(metric, name)| {
                // No video has a number beyond what an f64 holds exactly.
                #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
                let count = number(statistics.get(*name))? as f64;
                Some((*metric, count))
            });
            Some(Figures(known.collect()))
        };
        Ok(Turn::Done(posts.iter().map(of).collect()))
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> TurnResult<Option<Comments>> {
        comments::comments(&self.api, &self.session(access)?, post, answers)
    }

    fn act_on_comment(
        &self,
        access: &Access,
        _post: &LivePost,
        comment: &str,
        act: &CommentAction,
        answers: &[Answer],
    ) -> TurnResult<Option<Comment>> {
        let session = self.session(access)?;
        comments::act(&self.api, &session, comment, act, answers)
    }

    fn insights(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> TurnResult<Option<Insights>> {
        insights::insights(&self.api, &self.session(access)?, post, answers)
    }

    /// The next turn of counting subscribers; `None` where the channel hides them.
    ///
    /// Source: <https://developers.google.com/youtube/v3/docs/channels>, `statistics`.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let api = &self.api;
        let session = &self.session(access)?;
        let Some(answer) = answers.first() else {
            let pairs = [("part", "statistics"), ("mine", "true")];
            return Ok(Turn::Send(api.read(&session.credentials.access_token, "channels", &pairs)));
        };
        let channels: Items<Value> =
            answer.taken(|| failure(answer, false, Some(session.now)).of_act(), unreadable)?;
        let statistics = channels.items.first().and_then(|channel| channel.get("statistics"));
        let statistics =
            statistics.filter(|statistics| statistics["hiddenSubscriberCount"] != true);
        Ok(Turn::Done(statistics.and_then(|statistics| number(statistics.get("subscriberCount")))))
    }

    fn playlists(&self, access: &Access, answers: &[Answer]) -> TurnResult<Vec<Playlist>> {
        playlists::list(&self.api, &self.session(access)?, answers)
    }

    fn create_playlist(
        &self,
        access: &Access,
        title: &str,
        privacy: PlaylistPrivacy,
        answers: &[Answer],
    ) -> TurnResult<NewPlaylist> {
        let session = self.session(access)?;
        playlists::create(&self.api, &session, title, privacy, answers)
    }
}

/// The text that takes the place of the one that was published; what was said of the link still
/// holds.
fn new_text(content: &str, post: &LivePost) -> String {
    let mut options = post.options.clone();
    // They stood in the place of the text that is now replaced.
    options.remove("caption");
    options.remove("description");
    let link = post.link_url.as_deref();
    compose(content, link, true, Platform::Youtube, &options).text().to_owned()
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
