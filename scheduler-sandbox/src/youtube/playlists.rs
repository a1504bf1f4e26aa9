//! Playlists and what is in them.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/playlists>,
//! <https://developers.google.com/youtube/v3/docs/playlistItems>.

use http::StatusCode;
use serde_json::{Value, json};

use super::error::ApiError;
use super::oauth::{MANAGING, READING};
use super::sessions::member;
use super::videos::Video;
use super::{Youtube, id, instant, page};
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// Characters of a title.
const TITLE: usize = 150;

/// A playlist.
#[derive(Clone, Debug)]
pub(super) struct Playlist {
    id: String,
    channel: String,
    title: String,
    privacy: String,
    pub(super) videos: Vec<String>,
}

impl Playlist {
    fn view(&self) -> Value {
        json!({
            "kind": "youtube#playlist",
            "id": self.id,
            "snippet": { "channelId": self.channel, "title": self.title, "description": "" },
            "status": { "privacyStatus": self.privacy },
        })
    }
}

impl Youtube {
    /// Answers the caller's playlists.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn list_playlists(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, READING)?;
        let own = self.playlists.iter().filter(|playlist| playlist.channel == caller);
        let all: Vec<Value> = own.map(Playlist::view).collect();
        Ok(Answer::ok(&page("youtube#playlistListResponse", &all, request, 5, 50)))
    }

    /// Makes a playlist; one of the same title may be there.
    ///
    /// # Errors
    /// 400 for a title that cannot be used; those of tokens.
    pub(super) fn insert_playlist(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let channel = self.caller(request, context, MANAGING)?;
        let body = request.json().cloned().unwrap_or_default();
        let title = member(&body, "/snippet/title").unwrap_or_default();
        if title.trim().is_empty() {
            let message = "The request must specify a playlist title.";
            return Err(ApiError::bad("playlistTitleRequired", message));
        }
        if title.chars().count() > TITLE || title.contains(['<', '>']) {
            let message = "The request provides an invalid playlist snippet.";
            return Err(ApiError::bad("invalidPlaylistSnippet", message));
        }
        let privacy = member(&body, "/status/privacyStatus").unwrap_or("public");
        let playlist = Playlist {
            id: id("PL", 32),
            channel,
            title: title.to_owned(),
            privacy: privacy.to_owned(),
            videos: Vec::new(),
        };
        let view = playlist.view();
        self.playlists.push(playlist);
        Ok(Answer::ok(&view))
    }

    /// Answers what is in a playlist; the uploads of a channel come newest first.
    ///
    /// # Errors
    /// 404 for a playlist that is not there, or not for the caller; those of tokens.
    pub(super) fn list_playlist_items(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, READING)?;
        let wanted = request.query("playlistId").unwrap_or_default();
        let uploads_of = self.channels.values().find(|channel| channel.uploads() == wanted);
        let videos: Vec<&Video> = match uploads_of {
            Some(channel) => {
                let is_shown = |video: &&Video| {
                    let is_for_all = video.details.privacy == "public";
                    video.channel == channel.id && (is_for_all || channel.id == caller)
                };
                let live = self.videos.iter().rev().filter(|video| !video.is_deleted);
                live.filter(is_shown).collect()
            }
            None => {
                let playlist = self.playlists.iter().find(|playlist| playlist.id == wanted);
                let playlist = playlist.ok_or_else(no_playlist)?;
                playlist.videos.iter().filter_map(|id| self.live_by_id(id)).collect()
            }
        };
        // There is no list of uploads before the first.
        if uploads_of.is_some() && videos.is_empty() {
            return Err(no_playlist());
        }
        let all: Vec<Value> = videos.iter().map(|video| item(wanted, video)).collect();
        Ok(Answer::ok(&page("youtube#playlistItemListResponse", &all, request, 5, 50)))
    }

    /// Puts a video into a playlist.
    ///
    /// # Errors
    /// 403 for another's playlist, 404, 409 for a video that is in it; those of tokens.
    pub(super) fn insert_playlist_item(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, MANAGING)?;
        let body = request.json().cloned().unwrap_or_default();
        let wanted = member(&body, "/snippet/playlistId").unwrap_or_default();
        let video = member(&body, "/snippet/resourceId/videoId").unwrap_or_default();
        let video = self.live_by_id(video).ok_or_else(ApiError::no_video)?.clone();
        let playlist = self.playlists.iter_mut().find(|playlist| playlist.id == wanted);
        let playlist = playlist.ok_or_else(no_playlist)?;
        if playlist.channel != caller {
            let message = "The request is not properly authorized.";
            return Err(ApiError::forbidden("playlistItemsNotAccessible", message));
        }
        if playlist.videos.contains(&video.id) {
            let message =
                "The video that you are trying to add to the playlist is already in the playlist.";
            return Err(ApiError::new(StatusCode::CONFLICT, "videoAlreadyInPlaylist", message));
        }
        playlist.videos.push(video.id.clone());
        Ok(Answer::ok(&item(wanted, &video)))
    }
}

fn item(playlist: &str, video: &Video) -> Value {
    json!({
        "kind": "youtube#playlistItem",
        "id": format!("{playlist}.{}", video.id),
        "snippet": {
            "publishedAt": instant(video.published_at),
            "channelId": video.channel,
            "title": video.details.title,
            "playlistId": playlist,
            "resourceId": { "kind": "youtube#video", "videoId": video.id },
        },
        "contentDetails": {
            "videoId": video.id,
            "videoPublishedAt": instant(video.published_at),
        },
    })
}

fn no_playlist() -> ApiError {
    let message =
        "The playlist identified with the request's playlistId parameter cannot be found.";
    ApiError::not_found("playlistNotFound", message)
}
