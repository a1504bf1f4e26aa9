//! The playlists of a channel.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/playlists>.

use scheduler_core::ports::{NewPlaylist, Playlist, PlaylistPrivacy};
use serde_json::{Value, json};

use super::api::Api;
use super::errors::{failure, unreadable, unreadable_success};
use super::wire::{Items, Tokens};
use crate::conversation::{Answer, Session, Turn, TurnResult, or_send};

/// Playlists of one page.
///
/// Source: <https://developers.google.com/youtube/v3/docs/playlists/list>, `maxResults`.
const PAGE_SIZE: &str = "50";

/// Pages that are read. Our decision: a thousand playlists.
const PAGES_MAX: usize = 20;

/// The next turn of listing the playlists.
pub(super) fn list(
    api: &Api,
    session: &Session<'_, Tokens>,
    answers: &[Answer],
) -> TurnResult<Vec<Playlist>> {
    let mut found = Vec::new();
    let mut page_token: Option<String> = None;
    for page in 0..PAGES_MAX {
        let Some(answer) = answers.get(page) else {
            let mut pairs =
                vec![("part", "snippet,status"), ("mine", "true"), ("maxResults", PAGE_SIZE)];
            pairs.extend(page_token.as_deref().map(|token| ("pageToken", token)));
            return Ok(Turn::Send(api.read(
                &session.credentials.access_token,
                "playlists",
                &pairs,
            )));
        };
        let page: Items<Value> =
            answer.taken(|| failure(answer, false, Some(session.now)).of_act(), unreadable)?;
        found.extend(page.items.iter().filter_map(playlist));
        page_token = page.next_page_token;
        if page_token.is_none() {
            break;
        }
    }
    Ok(Turn::Done(found))
}

/// The next turn of making a playlist, unless one of exactly that title is there.
pub(super) fn create(
    api: &Api,
    session: &Session<'_, Tokens>,
    title: &str,
    privacy: PlaylistPrivacy,
    answers: &[Answer],
) -> TurnResult<NewPlaylist> {
    // The list ends with the first page that names no other.
    let pages = answers.iter().take(PAGES_MAX).position(|answer| {
        let page = answer.json::<Items<Value>>();
        !answer.is_success() || page.is_none_or(|page| page.next_page_token.is_none())
    });
    let pages = pages.map_or(answers.len().min(PAGES_MAX), |last| last + 1);
    let (listing, rest) = answers.split_at(pages);
    let known = or_send!(list(api, session, listing)?);
    if let Some(playlist) = known.into_iter().find(|playlist| playlist.title == title) {
        return Ok(Turn::Done(NewPlaylist { playlist, duplicate: true }));
    }
    let Some(answer) = rest.first() else {
        let body = json!({
            "snippet": { "title": title },
            "status": { "privacyStatus": name(privacy) },
        });
        let pairs = [("part", "snippet,status")];
        let request = api.act(&session.credentials.access_token, "playlists", &pairs, body);
        return Ok(Turn::Send(request.visible()));
    };
    let made: Value =
        answer.taken(|| failure(answer, true, Some(session.now)).of_act(), unreadable_success)?;
    let playlist = playlist(&made).ok_or_else(unreadable_success)?;
    Ok(Turn::Done(NewPlaylist { playlist, duplicate: false }))
}

fn playlist(listed: &Value) -> Option<Playlist> {
    Some(Playlist {
        id: listed["id"].as_str()?.to_owned(),
        title: listed.pointer("/snippet/title")?.as_str()?.to_owned(),
        // One that says nothing is shown to nobody here who might not be meant to see it.
        privacy: match listed.pointer("/status/privacyStatus").and_then(Value::as_str) {
            Some("public") => PlaylistPrivacy::Public,
            Some("unlisted") => PlaylistPrivacy::Unlisted,
            _ => PlaylistPrivacy::Private,
        },
    })
}

const fn name(privacy: PlaylistPrivacy) -> &'static str {
    match privacy {
        PlaylistPrivacy::Public => "public",
        PlaylistPrivacy::Unlisted => "unlisted",
        PlaylistPrivacy::Private => "private",
    }
}

#[cfg(test)]
#[path = "playlists_tests.rs"]
mod tests;
