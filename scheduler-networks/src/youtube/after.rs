//! What can be done with a video that is there, besides its comments: changing it, taking it down,
//! its figures, and those of its channel.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/videos>.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, Figures, LivePost, Metric, NetworkError, NetworkErrorKind, RemoteEdit,
};
use scheduler_core::text::compose;
use serde_json::{Map, Value, json};

use super::api::Api;
use super::errors::{failure, is_gone, of_act, unreadable};
use super::wire::{Items, Kept, number};
use crate::conversation::{Answer, Method, Turn};

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

/// The next turn of changing the title and the description. What else is said of the video is read
/// first and sent back as it is.
pub(super) fn edit(
    api: &Api,
    kept: &Kept,
    access: &Access,
    post: &LivePost,
    edit: &RemoteEdit,
    answers: &[Answer],
) -> Result<Turn<()>, NetworkError> {
    let failed = |answer| of_act(failure(answer, false, Some(access.now)));
    let id = post.remote.id.as_str();
    let Some(answer) = answers.first() else {
        let pairs = [("part", "snippet"), ("id", id)];
        return Ok(Turn::Send(api.read(&kept.access_token, "videos", &pairs)));
    };
    if !answer.is_success() {
        return Err(failed(answer));
    }
    let videos: Items<Value> = answer.json().ok_or_else(unreadable)?;
    let Some(before) = videos.items.first().and_then(|video| video.get("snippet")) else {
        return Err(NetworkError::new(
            NetworkErrorKind::Permanent,
            "YouTube does not have this video any more.",
        ));
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
        let token = &kept.access_token;
        return Ok(Turn::Send(api.by(token, Method::Put, "videos", &pairs, Some(body))));
    };
    if answer.is_success() { Ok(Turn::Done(())) } else { Err(failed(answer)) }
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

/// The next turn of taking a video down. One that is gone is no error.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos/delete>.
pub(super) fn take_down(
    api: &Api,
    kept: &Kept,
    access: &Access,
    post: &LivePost,
    answers: &[Answer],
) -> Result<Turn<()>, NetworkError> {
    let Some(answer) = answers.first() else {
        let pairs = [("id", post.remote.id.as_str())];
        let token = &kept.access_token;
        return Ok(Turn::Send(api.by(token, Method::Delete, "videos", &pairs, None)));
    };
    if answer.is_success() || is_gone(answer) {
        return Ok(Turn::Done(()));
    }
    Err(of_act(failure(answer, false, Some(access.now))))
}

/// The next turn of reading the figures of videos, in their order. A figure that the channel hides
/// is left out.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos>, `statistics`.
pub(super) fn figures(
    api: &Api,
    kept: &Kept,
    access: &Access,
    posts: &[LivePost],
    answers: &[Answer],
) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
    if posts.is_empty() {
        return Ok(Turn::Done(Vec::new()));
    }
    let Some(answer) = answers.first() else {
        let ids: Vec<&str> = posts.iter().map(|post| post.remote.id.as_str()).collect();
        let ids = ids.join(",");
        let pairs = [("part", "statistics"), ("id", ids.as_str())];
        return Ok(Turn::Send(api.read(&kept.access_token, "videos", &pairs)));
    };
    if !answer.is_success() {
        return Err(of_act(failure(answer, false, Some(access.now))));
    }
    let videos: Items<Value> = answer.json().ok_or_else(unreadable)?;
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

/// The next turn of counting subscribers; `None` where the channel hides them.
///
/// Source: <https://developers.google.com/youtube/v3/docs/channels>, `statistics`.
pub(super) fn followers(
    api: &Api,
    kept: &Kept,
    access: &Access,
    answers: &[Answer],
) -> Result<Turn<Option<u64>>, NetworkError> {
    let Some(answer) = answers.first() else {
        let pairs = [("part", "statistics"), ("mine", "true")];
        return Ok(Turn::Send(api.read(&kept.access_token, "channels", &pairs)));
    };
    if !answer.is_success() {
        return Err(of_act(failure(answer, false, Some(access.now))));
    }
    let channels: Items<Value> = answer.json().ok_or_else(unreadable)?;
    let statistics = channels.items.first().and_then(|channel| channel.get("statistics"));
    let statistics = statistics.filter(|statistics| statistics["hiddenSubscriberCount"] != true);
    Ok(Turn::Done(statistics.and_then(|statistics| number(statistics.get("subscriberCount")))))
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
