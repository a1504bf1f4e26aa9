//! Whether signed links take and give the bytes of files, as callers and networks follow them.

use chrono::TimeDelta;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, RANGE};
use reqwest::{Response, StatusCode};
use scheduler_core::ports::{Files, FilesError};
use tokio::time::timeout;
use url::Url;

use super::finding::{Finding, Id};
use super::probe::Probe;
use super::public_url::{FETCHING, unfit};
use super::reach::{TIMEOUT, look_up, unfit_for_networks};
use super::subject::Subject;
use crate::client::unreachable;
use crate::files::FileStore;

/// How long the links live. The check takes less.
const LIFE: TimeDelta = TimeDelta::minutes(5);

/// The type that the file is said to have, which no server would guess of it.
const MEDIA_TYPE: &str = "image/webp";

/// Why a link does not work, and whether nobody answers under it or something wrong does.
type Fault = (Id, String);

fn unreached(reason: String) -> Fault {
    (Id::LinksUnreachable, reason)
}

fn wrong(reason: impl Into<String>) -> Fault {
    (Id::LinksWrong, reason.into())
}

/// Sends a small file to a signed link, reads it again whole and in part by another, and for a
/// bucket tells whether networks could fetch from there.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    let opened = subject.files.as_ref();
    let opened = opened.map_err(|_| Finding::skipped("they need the file store"))?;
    if !opened.has_links {
        return Err(Finding::skipped("they need the secret key, and a port or a public URL"));
    }
    let store = &opened.store;
    let files = store.files();
    let probe = Probe::new(&*subject.clock);
    let is_bucket = matches!(store, FileStore::Bucket(_));
    let tried = timeout(TIMEOUT, follow(subject, &*files, &probe, is_bucket)).await;
    // What cannot be erased is told by the check of the file store.
    // Who has not answered once need not be waited for as long again.
    let is_there = matches!(tried, Ok(Ok(_) | Err((Id::LinksWrong, _))));
    let time_limit = if is_there { TIMEOUT } else { TIMEOUT / 5 };
    let _ = timeout(time_limit, files.erase(&probe.folder)).await;
    let (id, reason) =
        match tried.unwrap_or_else(|_| Err(unreached("no answer in time".to_owned()))) {
            Ok(base) if is_bucket => return Ok(of_bucket(subject, &base).await),
            Ok(base) => return Ok(Finding::ok(format!("{} takes and gives files", shown(&base)))),
            Err(fault) => fault,
        };
    let is_wrong = id == Id::LinksWrong;
    if !is_wrong && !is_bucket && !subject.runs_here().await {
        let why = format!("{reason}; the server does not run where --listen says");
        return Err(Finding::skipped(why));
    }
    let advice = match (is_wrong, is_bucket) {
        (false, true) => {
            "see that the endpoint of --files can be reached; callers send files straight there"
        }
        (true, true) => {
            "see that the service takes presigned links; something before it may change the host, \
             the path or the query"
        }
        (false, false) => "see --public-url; callers send files there, and networks fetch them",
        (true, false) => {
            "see that --public-url leads to this very server, with this secret key and this \
             folder, and that nothing before it changes the path or the query"
        }
    };
    Ok(Finding::problem(id, reason, advice))
}

/// # Errors
/// [`Fault`]; no part of a link is told.
async fn follow(
    subject: &Subject,
    files: &dyn Files,
    probe: &Probe,
    is_bucket: bool,
) -> Result<Url, Fault> {
    let (key, until) = (probe.folder.original(), subject.now() + LIFE);
    let no_link = |error: FilesError| unreached(format!("no link can be made: {error}"));
    let link = files.upload_link(&key, probe.size_bytes(), until).await.map_err(no_link)?;
    let base = Url::parse(&link.url).map_err(|_| wrong("a link is no URL"))?;
    let silent = |error: reqwest::Error| unreached(unreachable(&shown(&base), &error).to_string());
    let mut request = subject.client.put(&link.url).body(probe.bytes.clone());
    for (name, value) in &link.headers {
        request = request.header(name, value);
    }
    let sent = request.send().await.map_err(silent)?;
    expect(&sent, StatusCode::OK, "a link for sending")?;
    let unseen = |error: FilesError| {
        unreached(format!("what a link has taken cannot be looked at: {error}"))
    };
    if files.size(&key).await.map_err(unseen)? != Some(probe.size_bytes()) {
        let reason = "a link has taken a file, which has not come to this file store";
        return Err(wrong(reason));
    }

    let link = files.read_link(&key, MEDIA_TYPE, until).await.map_err(no_link)?;
    let read = subject.client.get(&link).send().await.map_err(silent)?;
    expect(&read, StatusCode::OK, "a link for reading")?;
    let has_type = read.headers().get(CONTENT_TYPE).is_some_and(|found| found == MEDIA_TYPE);
    if !has_type {
        return Err(wrong("a link for reading gives another content type"));
    }
    if read.bytes().await.map_err(silent)? != probe.bytes {
        return Err(wrong("a link for reading gives other bytes"));
    }
    let part = subject.client.get(&link).header(RANGE, "bytes=3-8").send().await;
    let part = part.map_err(silent)?;
    expect(&part, StatusCode::PARTIAL_CONTENT, "a link for reading, asked for a part,")?;
    if part.bytes().await.map_err(silent)? != probe.bytes.slice(3..9) {
        return Err(wrong("a link for reading gives another part"));
    }
    // A presigned link is for one method.
    if !is_bucket {
        let head = subject.client.head(&link).send().await.map_err(silent)?;
        expect(&head, StatusCode::OK, "a link for reading, asked by HEAD,")?;
        let length = head.headers().get(CONTENT_LENGTH).and_then(|text| text.to_str().ok());
        if length != Some(&*probe.size_bytes().to_string()) {
            return Err(wrong("a link for reading tells another length"));
        }
    }
    Ok(base)
}

fn expect(answer: &Response, want: StatusCode, what: &str) -> Result<(), Fault> {
    let status = answer.status();
    if status == want {
        return Ok(());
    }
    Err(wrong(format!("{what} is answered with {} instead of {}", status.as_u16(), want.as_u16())))
}

async fn of_bucket(subject: &Subject, base: &Url) -> Finding {
    let shown = shown(base);
    let addresses = look_up(base).await.unwrap_or_default();
    match unfit_for_networks(base, &addresses) {
        Some(reason) if !subject.has_sandbox() => {
            let found = format!("{FETCHING} cannot fetch files from {shown}: {reason}");
            let advice = "name the service in --files by a public https address";
            unfit(subject, Id::BucketPrivate, found, advice)
        }
        Some(_) | None => Finding::ok(format!("{shown} takes and gives files")),
    }
}

/// Scheme and host alone.
fn shown(url: &Url) -> String {
    url.origin().ascii_serialization()
}
