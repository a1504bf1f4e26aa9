//! Looking whether a video is there.
//!
//! The session knows as long as it lives. Once it has ended, the video is looked for among the
//! uploads of the channel: by when it came, the name of its file, or its title and its size. Only
//! when it is not there after ten minutes is another session opened.
//!
//! Source: <https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol>,
//! <https://developers.google.com/youtube/v3/docs/videos>, `fileDetails`.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ids::TargetId;
use scheduler_core::ports::{Located, NetworkError, PublishJob};
use serde::Deserialize;
use serde_json::Value;

use super::api::Api;
use super::errors::{failure, is_gone, unreadable};
use super::progress::{Progress, Upload};
use super::publish::{Said, again, file_name, probe, said};
use super::wire::{Channel, Items, Kept, READING, number};
use crate::conversation::{Answer, Request, Turn};

/// How far the network's clock may be behind ours.
pub(super) const CLOCK_SLACK: TimeDelta = TimeDelta::seconds(60);

/// How long after the end of a session a video that is not there counts as never made, and how
/// often it is looked for until then. Our decision, with ample room for what is on its way.
const PATIENCE: TimeDelta = TimeDelta::minutes(10);
const LOOK_AGAIN: TimeDelta = TimeDelta::minutes(2);

/// How long it is waited for what is known of a file while the network works on it.
const DETAILS_PATIENCE: TimeDelta = TimeDelta::hours(1);

/// Uploads that are looked at.
const LATEST: &str = "20";

/// What came of a look among the uploads.
enum Found {
    Video(String),
    /// One that could be it, of whose file nothing is known yet.
    Perhaps,
    Nothing,
}

/// The next turn of a look whether the video is there.
pub(super) fn locate(
    api: &Api,
    kept: &Kept,
    job: &PublishJob,
    upload: Upload,
    answers: &[Answer],
) -> Result<Turn<Located>, NetworkError> {
    let goes_on = |upload: Upload| Ok(Turn::Done(Located::Continue(upload.to_value())));
    if upload.last_at.is_none() {
        return goes_on(upload);
    }
    let (gone_at, answers) = match upload.gone_at {
        Some(gone_at) => (gone_at, answers),
        None => {
            let Some((answer, rest)) = answers.split_first() else {
                return Ok(Turn::Send(probe(api, kept, &upload)?));
            };
            match said(answer, &upload).ok_or_else(unreadable)? {
                Said::Video(id) => {
                    let live = upload.anew.live(api, &id, job.now);
                    return Ok(Turn::Done(Located::Live(live)));
                }
                // Whatever is sent again comes to the same video.
                Said::Has(offset) => return goes_on(Upload { offset, ..upload }),
                Said::Gone => (job.now, rest),
                Said::OutOfPlace | Said::Failed => {
                    return Err(failure(answer, false, Some(job.now)));
                }
            }
        }
    };
    // Nobody but the session could say.
    if !kept.may(READING) {
        return Ok(Turn::Done(Located::Unknown));
    }
    let is_settled = job.now >= gone_at + PATIENCE;
    let found = match look(api, kept, job, &upload, is_settled, answers)? {
        Turn::Send(request) => return Ok(Turn::Send(request)),
        Turn::Done(found) => found,
    };
    let waits = |until: DateTime<Utc>| {
        let upload = Upload { gone_at: Some(gone_at), ..upload.clone() };
        Ok(Turn::Done(Located::Wait { progress: upload.to_value(), until }))
    };
    match found {
        Found::Video(id) => Ok(Turn::Done(Located::Live(upload.anew.live(api, &id, job.now)))),
        Found::Perhaps if job.now < gone_at + DETAILS_PATIENCE => waits(job.now + LOOK_AGAIN),
        Found::Perhaps => Ok(Turn::Done(Located::Unknown)),
        Found::Nothing if !is_settled => waits((job.now + LOOK_AGAIN).min(gone_at + PATIENCE)),
        Found::Nothing => {
            Ok(Turn::Done(Located::Continue(Progress::Opening(again(upload, job.now)).to_value())))
        }
    }
}

/// Looks among the latest uploads; at last, for a video that not everybody sees, by search as
/// well, which few calls a day are given for.
fn look(
    api: &Api,
    kept: &Kept,
    job: &PublishJob,
    upload: &Upload,
    is_last_look: bool,
    answers: &[Answer],
) -> Result<Turn<Found>, NetworkError> {
    let mut answers = answers.iter();
    let token = &kept.access_token;
    let uploads = match &kept.uploads {
        Some(uploads) => uploads.clone(),
        None => {
            let Some(answer) = answers.next() else {
                let pairs = [("part", "contentDetails"), ("mine", "true")];
                return Ok(Turn::Send(api.read(token, "channels", &pairs)));
            };
            let channels: Items<Channel> = read(answer, job)?;
            let content = channels.items.into_iter().find_map(|channel| channel.content_details);
            content.and_then(|content| content.related_playlists.uploads).ok_or_else(unreadable)?
        }
    };
    let Some(answer) = answers.next() else {
        let pairs = [
            ("part", "snippet,contentDetails"),
            ("playlistId", uploads.as_str()),
            ("maxResults", LATEST),
        ];
        return Ok(Turn::Send(api.read(token, "playlistItems", &pairs)));
    };
    // A channel without a video has no such playlist.
    let listed = match is_gone(answer) {
        true => Vec::new(),
        false => read::<Items<Value>>(answer, job)?.items,
    };
    let ids = since(
        &listed,
        upload,
        "/contentDetails/videoId",
        &["/contentDetails/videoPublishedAt", "/snippet/publishedAt"],
    );
    let found = match of_these(api, kept, job, upload, &ids, &mut answers)? {
        Turn::Send(request) => return Ok(Turn::Send(request)),
        Turn::Done(found) => found,
    };
    let is_for_all = upload.anew.video.privacy == "public";
    if is_for_all || !is_last_look || !matches!(found, Found::Nothing) {
        return Ok(Turn::Done(found));
    }
    let Some(answer) = answers.next() else {
        let pairs = [
            ("part", "snippet"),
            ("forMine", "true"),
            ("type", "video"),
            ("maxResults", LATEST),
            ("order", "date"),
        ];
        return Ok(Turn::Send(api.read(token, "search", &pairs)));
    };
    let listed: Items<Value> = read(answer, job)?;
    let ids = since(&listed.items, upload, "/id/videoId", &["/snippet/publishedAt"]);
    of_these(api, kept, job, upload, &ids, &mut answers)
}

/// The ids of those that came after the session was opened; of one whose time is not told, too.
fn since(listed: &[Value], upload: &Upload, id: &str, times: &[&str]) -> Vec<String> {
    let begin = upload.opened_at - CLOCK_SLACK;
    let is_new = |item: &&Value| {
        let at = times
            .iter()
            .filter_map(|time| item.pointer(time))
            .find_map(|at| DateTime::<Utc>::deserialize(at).ok());
        at.is_none_or(|at| at >= begin)
    };
    let items = listed.iter().filter(is_new);
    items.filter_map(|item| item.pointer(id)?.as_str().map(str::to_owned)).collect()
}

/// Tells which of some videos is the one that was sent.
fn of_these<'a>(
    api: &Api,
    kept: &Kept,
    job: &PublishJob,
    upload: &Upload,
    ids: &[String],
    answers: &mut impl Iterator<Item = &'a Answer>,
) -> Result<Turn<Found>, NetworkError> {
    if ids.is_empty() {
        return Ok(Turn::Done(Found::Nothing));
    }
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(details(api, kept, ids)));
    };
    let videos: Items<Value> = read(answer, job)?;
    let name = file_name(job);
    let mut found = Found::Nothing;
    for video in &videos.items {
        let text = |pointer: &str| video.pointer(pointer).and_then(Value::as_str);
        let Some(id) = text("/id") else { continue };
        let known = text("/fileDetails/fileName");
        let is_named = known == Some(&name);
        let has_title = text("/snippet/title") == Some(&upload.anew.video.title);
        // Without its name it is told by its title, unless it has the name of another of ours. A
        // name that is none of ours is one that the network has given.
        let is_candidate = is_named || (has_title && !known.is_some_and(names_a_target));
        if !is_candidate {
            continue;
        }
        match number(video.pointer("/fileDetails/fileSize")) {
            Some(size) if size == upload.total => {
                return Ok(Turn::Done(Found::Video(id.to_owned())));
            }
            Some(_) => {}
            None if is_named => return Ok(Turn::Done(Found::Video(id.to_owned()))),
            None => found = Found::Perhaps,
        }
    }
    Ok(Turn::Done(found))
}

/// True for the name of a file that was sent for a target, this or another.
fn names_a_target(name: &str) -> bool {
    name.get(..36).is_some_and(|id| id.parse::<TargetId>().is_ok())
}

fn details(api: &Api, kept: &Kept, ids: &[String]) -> Request {
    let ids = ids.join(",");
    let pairs = [("part", "fileDetails,status,snippet"), ("id", ids.as_str())];
    api.read(&kept.access_token, "videos", &pairs)
}

fn read<T: serde::de::DeserializeOwned>(
    answer: &Answer,
    job: &PublishJob,
) -> Result<T, NetworkError> {
    if !answer.is_success() {
        return Err(failure(answer, false, Some(job.now)));
    }
    answer.json().ok_or_else(unreadable)
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
