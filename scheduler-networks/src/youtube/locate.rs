//! Looking whether a video is there.
//!
//! The session knows as long as it lives. Once it has ended, the video is looked for among the
//! uploads of the channel: by when it came, the name of its file, or its title and its size. Only
//! when it is not there after ten minutes is another session opened.
//!
//! | criterion | guaranteed by | excludes or chooses |
//! |---|---|---|
//! | the session | YouTube, while it lives | excludes |
//! | channel | YouTube, whose list of the channel's uploads it is | excludes |
//! | size of the file | YouTube, once it tells it | excludes |
//! | the name of a file of another target | us, where YouTube keeps names | excludes |
//! | title, the name of the file | nobody: a person may edit the one, YouTube drops the other | chooses; before the size is told, every title is in doubt |
//! | made after the session was opened | clocks within 15 minutes | excludes; more than 60 s before is in doubt |
//! | the 50 latest uploads | nobody | beyond is in doubt |
//!
//! Several that are the same are in doubt.
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
use super::publish::{SessionState, again, file_name, probe, session_state};
use super::wire::{Channel, Items, READING, Tokens, number};
use crate::candidates::Pick;
use crate::conversation::{Answer, Job, Request, Turn, TurnResult, or_send};
use crate::likeness::{Among, CLOCK_DOUBT, Likeness};

/// How long after the end of a session a video that is not there counts as never made, and how
/// often it is looked for until then. Our decision, with ample room for what is on its way.
const TIMEOUT: TimeDelta = TimeDelta::minutes(10);
const LOOK_AGAIN: TimeDelta = TimeDelta::minutes(2);

/// How long it is waited for what is known of a file while the network works on it.
const DETAILS_TIMEOUT: TimeDelta = TimeDelta::hours(1);

/// Uploads that are looked at: the most of one page, and of one call for their files.
///
/// Source: <https://developers.google.com/youtube/v3/docs/playlistItems/list>, `maxResults`.
const LATEST: usize = 50;

/// The next turn of a look whether the video is there.
pub(super) fn locate(
    api: &Api,
    job: &Job<'_, Tokens>,
    upload: Upload,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let absent = |upload: Upload| Ok(Turn::Done(Located::Absent(upload.progress())));
    if upload.last_at.is_none() {
        return absent(upload);
    }
    let (gone_at, answers) = match upload.gone_at {
        Some(gone_at) => (gone_at, answers),
        None => {
            let Some((answer, rest)) = answers.split_first() else {
                return Ok(Turn::Send(probe(api, &job.credentials, &upload)?));
            };
            match session_state(answer, &upload).ok_or_else(unreadable)? {
                SessionState::Video(id) => {
                    let live = upload.anew.live(api, &id, job.now);
                    return Ok(Turn::Done(Located::Live(live)));
                }
                // It has everything, and will name the video.
                SessionState::Has(offset) if offset >= upload.total => {
                    let upload = Upload { offset, ..upload };
                    return Ok(Turn::Done(Located::Repeat(upload.progress())));
                }
                // Whatever is sent again comes to the same video.
                SessionState::Has(offset) => return absent(Upload { offset, ..upload }),
                SessionState::Gone => (job.now, rest),
                SessionState::OutOfPlace | SessionState::Failed => {
                    return Err(failure(answer, false, Some(job.now)));
                }
            }
        }
    };
    // Nobody but the session could say.
    if !job.credentials.may(READING) {
        return Ok(Turn::Done(Located::Unknown));
    }
    let is_settled = job.now >= gone_at + TIMEOUT;
    let found = or_send!(look(api, job, &upload, is_settled, answers)?);
    let waits = |until: DateTime<Utc>| {
        let upload = Upload { gone_at: Some(gone_at), ..upload.clone() };
        Ok(Turn::Done(Located::Wait { progress: upload.progress(), until }))
    };
    match found {
        Pick::One(id) => Ok(Turn::Done(Located::Live(upload.anew.live(api, &id, job.now)))),
        Pick::Unclear if job.now < gone_at + DETAILS_TIMEOUT => waits(job.now + LOOK_AGAIN),
        Pick::Unclear => Ok(Turn::Done(Located::Unknown)),
        Pick::Nothing if !is_settled => waits((job.now + LOOK_AGAIN).min(gone_at + TIMEOUT)),
        Pick::Nothing => Ok(Turn::Done(Located::Absent(Progress::Opening(again(upload))))),
    }
}

/// Looks among the latest uploads; at last, for a video that not everybody sees, by search as
/// well, which few calls a day are given for.
fn look(
    api: &Api,
    job: &Job<'_, Tokens>,
    upload: &Upload,
    is_last_look: bool,
    answers: &[Answer],
) -> TurnResult<Pick<String>> {
    let mut answers = answers.iter();
    let token = &job.credentials.access_token;
    let uploads = match &job.credentials.uploads {
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
    let latest = LATEST.to_string();
    let Some(answer) = answers.next() else {
        let pairs = [
            ("part", "snippet,contentDetails"),
            ("playlistId", uploads.as_str()),
            ("maxResults", latest.as_str()),
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
    let found = or_send!(of_these(api, job, upload, &ids, &mut answers)?);
    let is_for_all = upload.anew.video.privacy == "public";
    if is_for_all || !is_last_look || !matches!(found, Pick::Nothing) {
        return Ok(Turn::Done(found));
    }
    let Some(answer) = answers.next() else {
        let pairs = [
            ("part", "snippet"),
            ("forMine", "true"),
            ("type", "video"),
            ("maxResults", latest.as_str()),
            ("order", "date"),
        ];
        return Ok(Turn::Send(api.read(token, "search", &pairs)));
    };
    let listed: Items<Value> = read(answer, job)?;
    let ids = since(&listed.items, upload, "/id/videoId", &["/snippet/publishedAt"]);
    of_these(api, job, upload, &ids, &mut answers)
}

/// An upload that came after the session was opened, or a little before.
struct Listed {
    id: String,
    /// By YouTube's clock; as late as can be where it is not told.
    at: DateTime<Utc>,
}

/// Those that came after the session was opened, or a little before.
fn since(listed: &[Value], upload: &Upload, id: &str, times: &[&str]) -> Vec<Listed> {
    let new = listed.iter().filter_map(|item| {
        let at = times
            .iter()
            .filter_map(|time| item.pointer(time))
            .find_map(|at| DateTime::<Utc>::deserialize(at).ok())
            .unwrap_or(DateTime::<Utc>::MAX_UTC);
        let id = item.pointer(id)?.as_str()?.to_owned();
        (at >= upload.opened_at - CLOCK_DOUBT).then_some(Listed { id, at })
    });
    new.collect()
}

/// Tells which of some videos is the one that was sent.
fn of_these<'a>(
    api: &Api,
    job: &Job<'_, Tokens>,
    upload: &Upload,
    listed: &[Listed],
    answers: &mut impl Iterator<Item = &'a Answer>,
) -> TurnResult<Pick<String>> {
    if listed.is_empty() {
        return Ok(Turn::Done(Pick::Nothing));
    }
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(details(api, &job.credentials, listed)));
    };
    let videos: Items<Value> = read(answer, job)?;
    let name = file_name(job);
    let mut among = Among::new();
    for video in &videos.items {
        let text = |pointer: &str| video.pointer(pointer).and_then(Value::as_str);
        let Some(id) = text("/id") else { continue };
        let known = text("/fileDetails/fileName");
        let is_named = known == Some(&name);
        let has_title = text("/snippet/title") == Some(&upload.anew.video.title);
        // Without its name it is told by its title, unless it has the name of another of ours. A
        // name that is none of ours is one that the network has given.
        let size = number(video.pointer("/fileDetails/fileSize"));
        let likeness = match size {
            // Nobody but us gives such names.
            _ if is_named && size.is_none_or(|size| size == upload.total) => {
                return Ok(Turn::Done(Pick::One(id.to_owned())));
            }
            _ if known.is_some_and(names_a_target) => Likeness::Other,
            Some(size) if size == upload.total => Likeness::Same.unless(!has_title),
            Some(_) => Likeness::Other,
            // What is known of its file comes later.
            None => Likeness::Alike,
        };
        let at = listed.iter().find(|listed| listed.id == id).map(|listed| listed.at);
        let likeness = likeness.made_at(at.unwrap_or(job.now), upload.opened_at);
        among.add(likeness, id.to_owned());
    }
    Ok(Turn::Done(among.pick(listed.len() < LATEST)))
}

/// True for the name of a file that was sent for a target, this or another.
fn names_a_target(name: &str) -> bool {
    name.get(..36).is_some_and(|id| id.parse::<TargetId>().is_ok())
}

fn details(api: &Api, tokens: &Tokens, listed: &[Listed]) -> Request {
    let ids: Vec<&str> = listed.iter().map(|listed| listed.id.as_str()).collect();
    let ids = ids.join(",");
    let pairs = [("part", "fileDetails,status,snippet"), ("id", ids.as_str())];
    api.read(&tokens.access_token, "videos", &pairs)
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
