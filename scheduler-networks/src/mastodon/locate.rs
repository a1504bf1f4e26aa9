//! Looking for a status of ours among those of the account.
//!
//! | criterion | guaranteed by | excludes or chooses |
//! |---|---|---|
//! | account | the server, whose list it is | excludes |
//! | the status that it answers | the server | excludes |
//! | files | Mastodon by their ids, other software by their number | excludes, unless edited |
//! | letters and digits of the source | the server, which completes names | excludes, unless edited |
//! | the rest of the source, the content warning | nobody | chooses |
//! | application | nobody: an operator may change it | chooses among several |
//! | made after the call began | clocks within 15 minutes | excludes; more than 60 s before is in doubt |
//! | 400 statuses since, 50 sources | nobody | beyond is in doubt |
//!
//! Several that are the same are in doubt, as are those of a server that shows no source.

use std::collections::BTreeSet;

use scheduler_core::ports::NetworkError;
use secrecy::ExposeSecret;

use super::errors::failure;
use super::progress::Progress;
use super::wire::{ListedStatus, Status, StatusSource, Tokens};
use crate::candidates::{CLOCK_SLACK, Pick};
use crate::conversation::{Answer, Job, Request, StoredProgress, Turn, TurnResult};
use crate::endpoint::Endpoint;
use crate::html;
use crate::likeness::{Among, CLOCK_DOUBT, Likeness, letters};

/// Statuses of one page, the most that there can be.
///
/// Source: <https://docs.joinmastodon.org/methods/accounts/#statuses>.
const PAGE: usize = 40;

/// Pages that are looked through. An account that has posted more since is not followed further.
const PAGES_MAX: usize = 10;

/// Statuses whose sources are read, beside which a conversation has room for its pages. Our
/// decision; those that read like the text come first.
const SOURCES_MAX: usize = 50;

/// A status that can be it.
struct Candidate {
    listed: ListedStatus,
    /// Its HTML has the letters and digits of the text.
    reads_alike: bool,
}

/// The next turn of a look for the next part: the account's statuses since it can have been sent,
/// newest first, and then the source of each that can be it.
pub(super) fn look(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    answers: &[Answer],
) -> TurnResult<Pick<Status>> {
    let sent = progress.text().ok_or_else(Progress::unreadable)?;
    let not_before = progress.not_sent_before;
    let mut answers = answers.iter();
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut last_id: Option<String> = None;
    let mut is_complete = false;
    for _ in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(page(server, &job.credentials, last_id.as_deref())));
        };
        let listed: Vec<ListedStatus> =
            answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
        // Pinned statuses and an id that does not sort by time may stand out of order, so all of
        // a page count. A short page is not the last: servers give fewer than they are asked for.
        // One without anything new is: a server that cannot go back gives the same again.
        let is_old = |oldest: &ListedStatus| oldest.created_at < not_before - CLOCK_DOUBT;
        is_complete = listed.last().is_none_or(is_old);
        last_id = listed.last().map(|oldest| oldest.status.id.clone());
        let mut has_new = false;
        for listed in listed {
            if !seen.insert(listed.status.id.clone()) {
                continue;
            }
            has_new = true;
            let reads_alike =
                letters(&html::plain(&listed.content, html::Author::Server)) == letters(sent);
            let is_late = listed.created_at >= not_before - CLOCK_SLACK;
            let is_edited = listed.edited_at.is_some();
            let can_be_it = is_late || ((reads_alike || is_edited) && !is_old(&listed));
            if can_be_it
                && listed.in_reply_to_id == progress.parent
                && (is_edited || has_files(&listed, progress, &job.credentials))
            {
                candidates.push(Candidate { listed, reads_alike });
            }
        }
        is_complete |= !has_new;
        if is_complete {
            break;
        }
    }

    candidates.sort_by_key(|candidate| !candidate.reads_alike);
    is_complete &= candidates.len() <= SOURCES_MAX;
    let mut among = Among::new();
    let mut by_this_app = Among::new();
    for Candidate { listed, .. } in candidates.iter().take(SOURCES_MAX) {
        let Some(answer) = answers.next() else {
            let url = server.at(["api", "v1", "statuses", &listed.status.id, "source"]);
            return Ok(Turn::Send(authorized(Request::read(url), &job.credentials)));
        };
        // Servers that do not offer the source cannot tell us more than that.
        if matches!(answer.status, 404 | 405 | 501) {
            among.add(Likeness::Alike, listed.status.id.clone());
            continue;
        }
        let source: StatusSource =
            answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
        let spoiler = progress.spoiler.as_deref().unwrap_or_default();
        let likeness = Likeness::of_texts(sent, &source.text, plain)
            .unless(plain(&source.spoiler_text) != plain(spoiler))
            .unless(!has_files(listed, progress, &job.credentials))
            .edited(listed.edited_at.is_some())
            .made_at(listed.created_at, not_before);
        among.add(likeness, listed.status.id.clone());
        let app = listed.application.as_ref().map(|app| &app.name);
        if app.is_some() && app == job.credentials.app_name.as_ref() {
            by_this_app.add(likeness, listed.status.id.clone());
        }
    }
    let picked = match among.pick(is_complete) {
        // Of several that are the same, the one that this application has made.
        Pick::Unclear => by_this_app.pick(false),
        picked => picked,
    };
    Ok(Turn::Done(match picked {
        Pick::One(id) => {
            let found = candidates.into_iter().map(|candidate| candidate.listed.status);
            found.into_iter().find(|status| status.id == id).map_or(Pick::Unclear, Pick::One)
        }
        Pick::Nothing => Pick::Nothing,
        Pick::Unclear => Pick::Unclear,
    }))
}

/// True unless the server guarantees that the files of a status are others than those of the part:
/// other software may give files other ids once a status shows them.
fn has_files(listed: &ListedStatus, progress: &Progress, tokens: &Tokens) -> bool {
    let wanted = progress.media_ids();
    let shown = listed.media_attachments.iter().map(|file| file.id.as_str());
    shown.clone().eq(wanted.iter().copied())
        || (!tokens.is_mastodon && shown.count() == wanted.len())
}

fn page(server: &Endpoint, tokens: &Tokens, before: Option<&str>) -> Request {
    let limit = PAGE.to_string();
    let mut query = vec![("exclude_reblogs", "true"), ("limit", limit.as_str())];
    query.extend(before.map(|id| ("max_id", id)));
    let url = server.query(["api", "v1", "accounts", &tokens.account_id, "statuses"], &query);
    authorized(Request::read(url), tokens)
}

fn authorized(request: Request, tokens: &Tokens) -> Request {
    request.bearer(tokens.access_token.expose_secret())
}

/// A text as a server may have stored it: without the servers of mentions, which it rewrites, with
/// one kind of line end, and without space around it.
fn plain(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(at) = rest.find('@') {
        let (before, mention) = rest.split_at(at);
        plain.push_str(before);
        let name = 1 + run(&mention[1..]);
        plain.push_str(&mention[..name]);
        rest = &mention[name..];
        // `@name@server`
        if name > 1 && rest.starts_with('@') {
            let server = run(&rest[1..]);
            // The full stop that ends a sentence is not part of the server.
            let server = rest[1..=server].trim_end_matches(['.', '-']).len();
            if server > 0 {
                rest = &rest[1 + server..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// Bytes of the name at the start of a text.
fn run(text: &str) -> usize {
    let is_part = |character: char| character.is_alphanumeric() || "_.-".contains(character);
    text.find(|character| !is_part(character)).unwrap_or(text.len())
}

fn unreadable() -> NetworkError {
    NetworkError::temporary("The answer of the server cannot be read.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_without_what_servers_change() {
        for (name, sent, stored, want) in [
            ("the same", "Hello", "Hello", true),
            ("line ends", "a\r\nb", "a\nb", true),
            ("space around", " a \n", "a", true),
            ("a server added", "Hi @bob!", "Hi @bob@b.example!", true),
            ("a server at the end", "Hi @bob", "Hi @bob@b.example", true),
            ("a full stop", "Hi @bob.", "Hi @bob@b.example.", true),
            ("case of a server", "@bob@B.example", "@bob@b.example", true),
            ("another name", "@bob@b.example", "@bo@b.example", false),
            ("an address", "a@b.example", "a@b.example", true),
            ("two signs", "@@", "@@", true),
            ("a sign at the end", "a@", "a@", true),
            ("space inside", "a  b", "a b", false),
            ("another text", "Hello", "hello", false),
            ("of other scripts", "@日本@例え.jp です", "@日本 です", true),
        ] {
            assert_eq!(plain(sent) == plain(stored), want, "{name}");
        }
    }
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod edited_tests;
