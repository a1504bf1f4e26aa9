//! What the pages of approving show.

use std::collections::BTreeSet;

use askama::Template;
use chrono::{DateTime, Utc};
use http::StatusCode;
use scheduler_core::app::{
    ApprovalFile, ApprovalNews, ApprovalPage, ApprovalPost, ApprovalTarget, FileNews, TargetNews,
};
use scheduler_core::ids::PostId;
use scheduler_core::media::MediaKind;
use scheduler_core::post::{
    ApprovalState, NOTE_MAX_CHARACTERS, Piece, PostStatus, RemarkBy, Verdict,
};
use scheduler_core::target::TargetStatus;
use scheduler_core::timing::Zone;
use url::Url;
use warp::reply::Response;

use crate::card::State;
use crate::door::{self, Forms};
use crate::filters;
use crate::mark::Mark;
use crate::page::{self, Assets};

/// Posts as their client sees them, each with the form beside it while they can decide on it.
#[derive(Template)]
#[template(path = "approve/show.html")]
struct Show<'a> {
    assets: Assets,
    /// What was just wrong.
    problem: Option<&'a str>,
    page: &'a ApprovalPage,
    picture: Option<&'a str>,
    secret: &'a str,
    is_one: bool,
    /// How many are decided, where there are several.
    counts: String,
    /// Those that one button approves.
    waiting: Vec<&'a ApprovalPost>,
    posts: Vec<Shown<'a>>,
    until: String,
    note_max: usize,
}

/// A post.
struct Shown<'a> {
    post: &'a ApprovalPost,
    state: State,
    /// What was decided, in a sentence.
    sentence: String,
    /// What is there no more, in sentences.
    gone: Vec<String>,
    shots: Vec<Shot<'a>>,
    said: Vec<Said<'a>>,
    /// What the client has written and is not stored.
    note: &'a str,
}

/// What one network gets.
struct Shot<'a> {
    target: &'a ApprovalTarget,
    mark: Mark,
    when: String,
    /// True of an account to which it was not to go when the client decided.
    is_new: bool,
    title: Vec<Piece>,
    spoiler: Vec<Piece>,
    link: Vec<Piece>,
    settings: Vec<(&'a str, Vec<Piece>)>,
    parts: Vec<Part<'a>>,
    goes_without_files: bool,
}

/// A post of a thread; most have one.
struct Part<'a> {
    text: Vec<Piece>,
    files: &'a [ApprovalFile],
}

impl Part<'_> {
    fn has_text(&self) -> bool {
        self.text.iter().any(|piece| !piece.text().is_empty())
    }
}

/// What client or team wrote.
struct Said<'a> {
    by: &'a str,
    at: String,
    text: &'a str,
}

/// The page. `problem` says what has just gone wrong, and `written` what the client had written
/// about which post.
pub(super) fn show(
    assets: Assets,
    page: &ApprovalPage,
    secret: &str,
    status: StatusCode,
    problem: Option<&str>,
    written: Option<(PostId, &str)>,
) -> Response {
    let in_state = |state| page.posts.iter().filter(|post| post.state == Some(state)).count();
    let is_waiting =
        |post: &&ApprovalPost| post.is_open && post.state == Some(ApprovalState::Pending);
    let waiting: Vec<&ApprovalPost> = page.posts.iter().filter(is_waiting).collect();
    let counts = format!(
        "{} approved, {} with changes asked for, {} to decide.",
        in_state(ApprovalState::Approved),
        in_state(ApprovalState::Changes),
        waiting.len()
    );
    let note_of = |id| written.filter(|(written, _)| *written == id).map_or("", |(_, note)| note);
    let picture = page.picture.as_ref();
    let shown = Show {
        assets,
        problem,
        page,
        picture: picture.and_then(|file| file.preview_url.as_deref().or(file.url.as_deref())),
        secret,
        is_one: page.posts.len() == 1,
        counts,
        waiting,
        posts: page.posts.iter().map(|post| shown(page, post, note_of(post.id))).collect(),
        until: local(page.expires_at, page.zone),
        note_max: NOTE_MAX_CHARACTERS,
    };
    let response = page::shown_as(status, &shown);
    door::guarded(response, Forms::Here, &origins(files_of(page)))
}

fn shown<'a>(page: &'a ApprovalPage, post: &'a ApprovalPost, note: &'a str) -> Shown<'a> {
    let (state, sentence) = state(post, page.zone);
    let said = post.remarks.iter().map(|remark| Said {
        by: match remark.by {
            RemarkBy::Client => "You",
            RemarkBy::Team => &page.workspace,
        },
        at: local(remark.at, page.zone),
        text: &remark.text,
    });
    let news = post.news.as_ref();
    let shots = post.targets.iter().enumerate().map(|(index, target)| {
        let of_target = news.and_then(|news| news.targets.get(index));
        shot(post, target, of_target)
    });
    Shown {
        post,
        state,
        sentence,
        gone: news.map_or_else(Vec::new, missing),
        shots: shots.collect(),
        said: said.collect(),
        note,
    }
}

/// What a post had that it has no more.
fn missing(news: &ApprovalNews) -> Vec<String> {
    let networks = news
        .gone
        .iter()
        .map(|network| format!("It does not go out on {} any more.", network.sheet().name));
    let files = match news.files_gone {
        0 => None,
        1 => Some("A file is there no more.".to_owned()),
        many => Some(format!("{many} files are there no more.")),
    };
    networks.chain(files).collect()
}

/// A text in pieces: with what is new in it, where that is known.
fn pieces(news: Option<&Vec<Piece>>, text: Option<&str>) -> Vec<Piece> {
    let whole = || text.map(|text| Piece::Same(text.to_owned())).into_iter().collect();
    news.cloned().unwrap_or_else(whole)
}

fn shot<'a>(
    post: &'a ApprovalPost,
    target: &'a ApprovalTarget,
    news: Option<&'a TargetNews>,
) -> Shot<'a> {
    let own = target.files.as_deref();
    let is_new = news.is_some_and(|news| news.is_new);
    let news = news.filter(|news| !news.is_new);
    let texts = &target.text.parts;
    let count = news.map_or(texts.len(), |news| news.parts.len());
    let parts = (0..count).map(|index| Part {
        text: pieces(
            news.and_then(|news| news.parts.get(index)),
            texts.get(index).map(String::as_str),
        ),
        files: match index.checked_sub(1) {
            None => own.unwrap_or(&post.files),
            Some(later) => target.thread_files.get(later).map(Vec::as_slice).unwrap_or_default(),
        },
    });
    Shot {
        target,
        mark: target.platform.into(),
        when: when(target, post.state == Some(ApprovalState::Approved)),
        is_new,
        title: pieces(news.map(|news| &news.title), target.title.as_deref()),
        spoiler: pieces(news.map(|news| &news.spoiler), target.text.spoiler.as_deref()),
        link: pieces(news.map(|news| &news.link), target.text.link_card.as_deref()),
        settings: match news {
            Some(news) => {
                let settings = news.settings.iter();
                settings.map(|(name, value)| (name.as_str(), value.clone())).collect()
            }
            None => {
                let settings = target.settings.iter();
                settings.map(|(name, value)| (name.as_str(), pieces(None, Some(value)))).collect()
            }
        },
        parts: parts.collect(),
        goes_without_files: own.is_some_and(<[_]>::is_empty) && !post.files.is_empty(),
    }
}

/// How a post stands, and what was decided in a sentence.
fn state(post: &ApprovalPost, zone: Zone) -> (State, String) {
    let when = |at: Option<DateTime<Utc>>| {
        at.map_or_else(String::new, |at| format!(" on {}", local(at, zone)))
    };
    match (post.status, post.state) {
        (PostStatus::Canceled, _) => {
            (State::Canceled, "This post was cancelled; nothing more goes out.".to_owned())
        }
        (PostStatus::Publishing | PostStatus::Done, _) if !post.is_open => {
            let begun = "This post has begun to go out; it cannot be stopped here any more.";
            (State::Publishing, begun.to_owned())
        }
        (_, Some(ApprovalState::Approved)) => {
            (State::Published, format!("You have approved it{}.", when(post.decided_at)))
        }
        (_, Some(ApprovalState::Changes)) => {
            (State::Draft, format!("You have asked for changes{}.", when(post.decided_at)))
        }
        (_, Some(ApprovalState::Pending) | None) if post.decided_at.is_some() => {
            (State::Waits, asked_again(post.news.as_ref()))
        }
        (_, Some(ApprovalState::Pending) | None) => {
            (State::Waits, "It goes out only when you have approved it.".to_owned())
        }
    }
}

/// Why the client is asked again.
fn asked_again(news: Option<&ApprovalNews>) -> String {
    let Some(news) = news else {
        return "It has changed since you decided: please look at it again.".to_owned();
    };
    let decided = match news.verdict {
        Verdict::Approve => "you approved",
        Verdict::Changes => "you asked for changes",
    };
    if news.is_nothing() {
        return format!("It has changed since {decided}: please look at it again.");
    }
    format!(
        "It has changed since {decided}: the words marked are new, and those struck out are gone. Please look at it again."
    )
}

/// An instant by the clock of a zone, with its name.
fn local(at: DateTime<Utc>, zone: Zone) -> String {
    format!("{} ({zone})", zone.local(at).format("%A, %-d %B %Y, %H:%M"))
}

/// When a target goes out, in a sentence.
fn when(target: &ApprovalTarget, is_approved: bool) -> String {
    match (target.status, target.local_time) {
        (TargetStatus::Published, _) => "Is live.".to_owned(),
        (TargetStatus::Failed, _) => "Could not go out.".to_owned(),
        (TargetStatus::Skipped, _) => "Does not go out.".to_owned(),
        (TargetStatus::Publishing, _) => "Is going out.".to_owned(),
        (TargetStatus::Pending, _) if target.waits_for_approval => {
            let missing = if is_approved { "the team approves it too" } else { "you approve it" };
            format!("Its time has come: it goes out as soon as {missing}.")
        }
        (TargetStatus::Pending, Some(time)) => {
            format!("Planned for {} ({}).", time.format("%A, %-d %B %Y, %H:%M"), target.zone)
        }
        (TargetStatus::Pending, None) => "No time is set yet.".to_owned(),
    }
}

/// Every file on a page.
fn files_of(page: &ApprovalPage) -> impl Iterator<Item = &ApprovalFile> {
    let of_targets = page.posts.iter().flat_map(|post| &post.targets).flat_map(|target| {
        let own = target.files.iter().flatten();
        target.thumbnail.iter().chain(own).chain(target.thread_files.iter().flatten())
    });
    page.posts.iter().flat_map(|post| &post.files).chain(of_targets).chain(&page.picture)
}

/// Where these files come from, with spaces between.
fn origins<'a>(files: impl IntoIterator<Item = &'a ApprovalFile>) -> String {
    let urls = files.into_iter().flat_map(|file| [&file.url, &file.preview_url]);
    let origins: BTreeSet<String> = urls
        .flatten()
        .filter_map(|url| Url::parse(url).ok())
        .map(|url| url.origin())
        .filter(url::Origin::is_tuple)
        .map(|origin| origin.ascii_serialization())
        .collect();
    origins.into_iter().collect::<Vec<_>>().join(" ")
}

/// The page of a link that there is none of, or not any more.
pub(super) fn unknown(assets: Assets) -> Response {
    let message = "There is no post under this link any more, or there never was.";
    gone(assets, StatusCode::NOT_FOUND, message)
}

/// The page of a link whose time is over.
pub(super) fn expired(assets: Assets) -> Response {
    gone(assets, StatusCode::GONE, "The time of this link is over.")
}

fn gone(assets: Assets, status: StatusCode, message: &str) -> Response {
    let advice = "Whoever has sent it to you can make a new one.";
    door::told(assets, status, "Nothing to approve", message, advice, None)
}

/// The page of a fault; `problem` says which.
pub(super) fn failed(assets: Assets, status: StatusCode, problem: &str) -> Response {
    let advice = "Nothing was decided. Open the link again.";
    door::told(assets, status, "This did not work", problem, advice, None)
}

#[cfg(test)]
mod tests {
    use scheduler_core::ids::MediaId;

    use super::*;

    #[test]
    fn files_come_from_where_their_links_lead_and_from_nowhere_else() {
        let file = |url: &str, preview: Option<&str>| ApprovalFile {
            id: MediaId(scheduler_core::uuid::Uuid::nil()),
            kind: MediaKind::Image,
            name: None,
            url: Some(url.to_owned()),
            preview_url: preview.map(str::to_owned),
            alt_text: None,
            news: None,
        };
        let here = "https://posts.example/files/a?signature=x;y";
        let bucket = "https://bucket.example:9000/a";
        for (name, files, want) in [
            ("no file", vec![], ""),
            ("no address of a server", vec![file("memory:a", None)], ""),
            ("one server", vec![file(here, Some(here))], "https://posts.example"),
            (
                "two servers",
                vec![file(here, Some(bucket))],
                "https://bucket.example:9000 https://posts.example",
            ),
        ] {
            assert_eq!(origins(&files), want, "{name}");
        }
    }
}
