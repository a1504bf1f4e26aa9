//! Publishing: mentions are resolved, files uploaded, then each part of the thread is put.

use chrono::TimeDelta;
use scheduler_core::ports::{Located, NetworkError, NetworkErrorKind, Step};

use super::caller::Servers;
use super::errors::{failure, is_error, is_too_large};
use super::progress::Progress;
use super::tokens::Tokens;
use super::wire::{POSTS, PostRecord, PutRecord, Reference, StoredPost};
use super::{captions, gates, quote, richtext, upload};
use crate::conversation::{
    Answer, Body, Job, Request, StoredProgress, Turn, TurnResult, unreadable_account,
};
use crate::endpoint::Endpoint;

/// How often handles are looked up again of which a server could not tell whose they are, and how
/// long until the next time. Our decision.
const LOOK_UPS_MAX: u32 = 2;
const LOOK_UP_WAIT: TimeDelta = TimeDelta::seconds(5);

/// The next turn of a step.
pub(super) fn advance(
    servers: &Servers,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let server = &servers.account;
    if !progress.gates.is_empty() {
        return gates::advance(server, job, progress, answers);
    }
    if !progress.unresolved_handles().is_empty() {
        return resolve(server, job, progress, answers);
    }
    if progress.named_quote().is_some() {
        return quote::advance(server, job, progress, answers);
    }
    if progress.has_files() && !progress.is_ready() {
        return captions::advance(servers, job, progress, answers);
    }
    if !progress.is_ready() {
        return upload::advance(servers, job, progress, answers);
    }
    let (key, record) = progress.next_post().ok_or_else(Progress::unreadable)?;
    match answers {
        [] => Ok(Turn::Send(put_record(server, job, key, &record)?)),
        [answer] if is_error(answer, "InvalidSwap") => {
            // Something is there already: ours, from a call whose answer was lost, or not.
            Ok(Turn::Send(stored_record(server, job, key)))
        }
        // Blobs that no record names are swept; nothing was put.
        [answer] if is_error(answer, "BlobNotFound") => match progress.uploads_again() {
            Some(progress) => Ok(Turn::Done(Step::Next(progress))),
            None => Err(failure(answer, true, Some(job.now))),
        },
        // An older server takes less of a picture than the lexicon says.
        [answer] if is_too_large(answer) && progress.has_large_images() => {
            Ok(Turn::Done(Step::Next(progress.made_smaller())))
        }
        [answer] => {
            let reference =
                answer.taken(|| failure(answer, true, Some(job.now)), unreadable_answer)?;
            Ok(Turn::Done(put(progress, reference)))
        }
        [_, answer, ..] => match find(answer, &record, job)? {
            Under::Ours(reference) => Ok(Turn::Done(put(progress, reference))),
            Under::Another => Err(NetworkError::new(NetworkErrorKind::InDoubt, ANOTHER)),
            Under::Nothing => Err(NetworkError::temporary(
                "The server says that a record has the key of this post, and shows none.",
            )),
        },
    }
}

/// Who else's a record can be that has a key of ours is not known, so nothing is put in its place.
const ANOTHER: &str = "Another record has the key of this post, and is left as it is.";

/// The next turn of a look whether a part was put.
///
/// | criterion | guaranteed by | excludes or chooses |
/// |---|---|---|
/// | the key of the record | us, who chose it, and the server, which keeps one record under a key | excludes |
/// | the time in the record, its text | the server, unless somebody has edited it | one of them is enough; neither is in doubt |
///
/// Source: <https://atproto.com/specs/record-key>.
pub(super) fn locate(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    if !progress.is_ready() {
        return Ok(Turn::Done(Located::Absent(progress)));
    }
    let (key, record) = progress.next_post().ok_or_else(Progress::unreadable)?;
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(stored_record(server, job, key)));
    };
    Ok(Turn::Done(match find(answer, &record, job)? {
        Under::Nothing => Located::Absent(progress),
        Under::Another => Located::Unknown,
        Under::Ours(reference) => match progress.put(reference) {
            Ok(progress) => Located::Continue(progress),
            Err(live) => Located::Live(*live),
        },
    }))
}

fn put(progress: Progress, reference: Reference) -> Step<Progress> {
    match progress.put(reference) {
        Ok(progress) => Step::Next(progress),
        Err(live) => Step::Live(*live),
    }
}

/// Asks for each handle in turn; one that is nobody's stays plain text, as does one that cannot be
/// looked up again and again.
fn resolve(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let handles = progress.unresolved_handles();
    if let Some(handle) = handles.get(answers.len()) {
        return Ok(Turn::Send(richtext::resolve(server, handle)));
    }
    let found = richtext::identities(&handles, answers, job.now)?;
    if found.len() < handles.len() && progress.look_ups < LOOK_UPS_MAX {
        let until = job.now + LOOK_UP_WAIT;
        let progress = progress.resolved(&found).looks_up_again();
        return Ok(Turn::Done(Step::Wait { progress, until }));
    }
    let identities = richtext::or_nobody(found, &handles);
    Ok(Turn::Done(Step::Next(progress.resolved(&identities))))
}

fn put_record(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    key: &str,
    record: &PostRecord,
) -> Result<Request, NetworkError> {
    let input = PutRecord {
        repo: &job.account.network_id,
        collection: POSTS,
        rkey: key,
        swap_record: None,
        record,
    };
    let body = serde_json::to_value(&input).map_err(|_| unreadable_account("account"))?;
    let url = server.at(["xrpc", "com.atproto.repo.putRecord"]);
    Ok(job.credentials.authorized(Request::act(url, Body::Json(body))).visible())
}

fn stored_record(server: &Endpoint, job: &Job<'_, Tokens>, key: &str) -> Request {
    Request::read(server.query(
        ["xrpc", "com.atproto.repo.getRecord"],
        &[("repo", &job.account.network_id), ("collection", POSTS), ("rkey", key)],
    ))
}

/// What is under a key of ours.
enum Under {
    /// Our post.
    Ours(Reference),
    /// Something that we know nothing of.
    Another,
    Nothing,
}

/// What is under the key of a post.
fn find(
    answer: &Answer,
    record: &PostRecord,
    job: &Job<'_, Tokens>,
) -> Result<Under, NetworkError> {
    if is_error(answer, "RecordNotFound") {
        return Ok(Under::Nothing);
    }
    let found: StoredPost =
        answer.taken(|| failure(answer, false, Some(job.now)), unreadable_look)?;
    let is_ours = found.value.created_at == record.created_at || found.value.text == record.text;
    Ok(if is_ours { Under::Ours(found.reference) } else { Under::Another })
}

fn unreadable_answer() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::InDoubt,
        "Bluesky took the post, but its answer cannot be read.",
    )
}

fn unreadable_look() -> NetworkError {
    NetworkError::temporary("The answer of Bluesky cannot be read.")
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
