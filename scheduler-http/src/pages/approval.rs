//! The pages on which a client sees a post and decides on it.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use http::HeaderValue;
use http::StatusCode;
use http::header::CONTENT_SECURITY_POLICY;
use scheduler_core::app::{ApprovalFile, ApprovalPage, ApprovalTarget};
use scheduler_core::media::MediaKind;
use scheduler_core::post::{ApprovalState, NOTE_MAX_CHARACTERS, PostStatus, Verdict};
use scheduler_core::target::TargetStatus;
use scheduler_core::timing::Zone;
use url::Url;
use warp::reply::Response;

use super::html::Html;
use super::{Forms, page, policy};

/// A post as its client sees it, with the form under it while they can decide; `problem` says what
/// has just gone wrong, `note` is what they had written.
pub(crate) fn approval(
    shown: &ApprovalPage,
    secret: &str,
    status: StatusCode,
    problem: Option<&str>,
    note: &str,
) -> Response {
    let mut html = Html::new();
    if let Some(problem) = problem {
        html.problem(problem);
    }
    html.raw("<p><strong>").text(&shown.workspace);
    html.raw("</strong> shows you this post before it goes out.</p>");
    html.raw("<p class=\"state\" role=\"status\">").text(&state(shown)).raw("</p>");
    if let Some(note) = shown.note.as_deref() {
        html.raw("<p>Your note:</p><p class=\"text\">").text(note).raw("</p>");
    }
    for target in &shown.targets {
        network(&mut html, target, &shown.files);
    }
    if shown.is_open {
        form(&mut html, shown, secret, note);
    }
    let mut response = page(status, "A post for your approval", Forms::Here, html);
    if let Ok(policy) = HeaderValue::from_str(&policy_with(&shown.files, &shown.targets)) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// What was decided, in a sentence.
fn state(shown: &ApprovalPage) -> String {
    let when = |at: Option<DateTime<Utc>>| {
        at.map_or_else(String::new, |at| format!(" on {}", local(at, shown.zone)))
    };
    match (shown.status, shown.state) {
        (PostStatus::Canceled, _) => "This post was cancelled; nothing more goes out.".to_owned(),
        (PostStatus::Publishing | PostStatus::Done, _) if !shown.is_open => {
            "This post has begun to go out; it cannot be stopped here any more.".to_owned()
        }
        (_, Some(ApprovalState::Approved)) => {
            format!("You have approved it{}.", when(shown.decided_at))
        }
        (_, Some(ApprovalState::Changes)) => {
            format!("You have asked for changes{}.", when(shown.decided_at))
        }
        (_, Some(ApprovalState::Pending) | None) if shown.decided_at.is_some() => {
            "It has changed since you decided: please look at it again.".to_owned()
        }
        (_, Some(ApprovalState::Pending) | None) => {
            "It goes out only when you have approved it.".to_owned()
        }
    }
}

/// An instant by the clock of a zone, with its name.
fn local(at: DateTime<Utc>, zone: Zone) -> String {
    format!("{} ({zone})", zone.local(at).format("%A, %-d %B %Y, %H:%M"))
}

fn network(html: &mut Html, target: &ApprovalTarget, files_of_post: &[ApprovalFile]) {
    html.raw("<section><h2>").text(target.platform.sheet().name).raw(": ");
    html.text(&target.account).raw("</h2><p><small>").text(&when(target)).raw("</small></p>");
    if let Some(title) = &target.title {
        html.raw("<p><strong>").text(title).raw("</strong></p>");
    }
    if let Some(spoiler) = &target.text.spoiler {
        html.raw("<p>Content warning: ").text(spoiler).raw("</p>");
    }
    for (index, part) in target.text.parts.iter().enumerate() {
        if index > 0 {
            html.raw("<p><small>followed by</small></p>");
        }
        if part.is_empty() && index == 0 {
            html.raw("<p><small>No text.</small></p>");
        } else {
            html.raw("<p class=\"text\">").text(part).raw("</p>");
        }
        let files = match index.checked_sub(1) {
            None => target.files.as_deref().unwrap_or(files_of_post),
            Some(later) => target.thread_files.get(later).map(Vec::as_slice).unwrap_or_default(),
        };
        for file in files {
            figure(html, file);
        }
    }
    if let Some(link) = &target.text.link_card {
        html.raw("<p>Link: ").text(link).raw("</p>");
    }
    if let Some(thumbnail) = &target.thumbnail {
        html.raw("<p><small>Thumbnail</small></p>");
        figure(html, thumbnail);
    }
    if target.files.as_ref().is_some_and(Vec::is_empty) && !files_of_post.is_empty() {
        html.raw("<p><small>Goes without files.</small></p>");
    }
    if !target.settings.is_empty() {
        html.raw("<ul>");
        for (name, value) in &target.settings {
            html.raw("<li>").text(name).raw(": <span class=\"text\">").text(value);
            html.raw("</span></li>");
        }
        html.raw("</ul>");
    }
    html.raw("</section>");
}

/// When a target goes out, in a sentence.
fn when(target: &ApprovalTarget) -> String {
    match (target.status, target.local_time) {
        (TargetStatus::Published, _) => "Is live.".to_owned(),
        (TargetStatus::Failed, _) => "Could not go out.".to_owned(),
        (TargetStatus::Skipped, _) => "Does not go out.".to_owned(),
        (TargetStatus::Publishing, _) => "Is going out.".to_owned(),
        (TargetStatus::Pending, _) if target.waits_for_client => {
            "Its time has come: it goes out as soon as you approve it.".to_owned()
        }
        (TargetStatus::Pending, Some(time)) => {
            format!("Planned for {} ({}).", time.format("%A, %-d %B %Y, %H:%M"), target.zone)
        }
        (TargetStatus::Pending, None) => "No time is set yet.".to_owned(),
    }
}

fn figure(html: &mut Html, file: &ApprovalFile) {
    html.raw("<figure>");
    match (&file.url, file.kind) {
        (Some(url), MediaKind::Image) => {
            html.raw("<a href=\"").text(url).raw("\"><img src=\"");
            html.text(file.preview_url.as_deref().unwrap_or(url)).raw("\" alt=\"");
            html.text(file.alt_text.as_deref().unwrap_or_default()).raw("\"></a>");
        }
        (Some(url), MediaKind::Video) => {
            html.raw("<video controls preload=\"metadata\" src=\"").text(url).raw("\"");
            if let Some(preview) = &file.preview_url {
                html.raw(" poster=\"").text(preview).raw("\"");
            }
            html.raw("></video>");
        }
        (Some(url), MediaKind::Document) => {
            let name = file.name.as_deref().unwrap_or("The document");
            html.raw("<p><a href=\"").text(url).raw("\">").text(name).raw("</a></p>");
        }
        (None, _) => {
            html.raw("<p><small>This file cannot be shown.</small></p>");
        }
    }
    html.raw("<figcaption>");
    if let Some(name) = &file.name {
        html.text(name).raw(" ");
    }
    if let Some(alt_text) = &file.alt_text {
        html.raw("<small>Description: ").text(alt_text).raw("</small>");
    }
    html.raw("</figcaption></figure>");
}

fn form(html: &mut Html, shown: &ApprovalPage, secret: &str, note: &str) {
    html.raw("<form method=\"post\" action=\"").text(secret).raw("\" autocomplete=\"off\">");
    html.hidden("seen", &shown.seen);
    html.raw("<label for=\"note\">Note (needed to ask for changes)</label>");
    html.raw("<textarea id=\"note\" name=\"note\" rows=\"4\" maxlength=\"");
    html.text(&NOTE_MAX_CHARACTERS.to_string()).raw("\">").text(note).raw("</textarea>");
    for (verdict, class, label) in [
        (Verdict::Approve, "primary", "Approve"),
        (Verdict::Changes, "secondary", "Ask for changes"),
    ] {
        html.raw("<button class=\"").raw(class).raw("\" name=\"decision\" value=\"");
        html.text(verdict.as_str()).raw("\">");
        html.text(label).raw("</button> ");
    }
    html.raw(
        "</form><p><small>You can change your mind until the post begins to go out. The link ",
    );
    html.raw("is valid until ").text(&local(shown.expires_at, shown.zone));
    html.raw(".</small></p>");
}

/// The policy of a page that shows these files, and nothing from elsewhere.
fn policy_with(files: &[ApprovalFile], targets: &[ApprovalTarget]) -> String {
    let of_targets = targets.iter().flat_map(|target| {
        let own = target.files.iter().flatten();
        target.thumbnail.iter().chain(own).chain(target.thread_files.iter().flatten())
    });
    let urls = files.iter().chain(of_targets).flat_map(|file| [&file.url, &file.preview_url]);
    let origins: BTreeSet<String> = urls
        .flatten()
        .filter_map(|url| Url::parse(url).ok())
        .map(|url| url.origin())
        .filter(url::Origin::is_tuple)
        .map(|origin| origin.ascii_serialization())
        .collect();
    let policy = format!("{}; form-action 'self'", policy());
    if origins.is_empty() {
        return policy;
    }
    let origins = origins.into_iter().collect::<Vec<_>>().join(" ");
    format!("{policy}; img-src {origins}; media-src {origins}")
}

/// The page of a link that there is none of, or not any more.
pub(crate) fn no_approval() -> Response {
    let message = "There is no post under this link any more, or there never was.";
    gone(StatusCode::NOT_FOUND, message)
}

/// The page of a link whose time is over.
pub(crate) fn expired_approval() -> Response {
    gone(StatusCode::GONE, "The time of this link is over.")
}

fn gone(status: StatusCode, message: &str) -> Response {
    let mut html = Html::new();
    html.problem(message);
    html.raw("<p>Whoever has sent it to you can make a new one.</p>");
    page(status, "Nothing to approve", Forms::Here, html)
}

/// The page of a fault; `problem` says which.
pub(crate) fn approval_failed(status: StatusCode, problem: &str) -> Response {
    let mut html = Html::new();
    html.problem(problem);
    html.raw("<p>Nothing was decided. Open the link again.</p>");
    page(status, "This did not work", Forms::Here, html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_from_where_their_links_lead_and_from_nowhere_else() {
        let file = |url: &str, preview: Option<&str>| ApprovalFile {
            kind: MediaKind::Image,
            name: None,
            url: Some(url.to_owned()),
            preview_url: preview.map(str::to_owned),
            alt_text: None,
        };
        let here = "https://posts.example/files/a?signature=x;y";
        let bucket = "https://bucket.example:9000/a";
        for (name, files, want) in [
            ("no file", vec![], "form-action 'self'"),
            ("no address of a server", vec![file("memory:a", None)], "form-action 'self'"),
            (
                "one server",
                vec![file(here, Some(here))],
                "img-src https://posts.example; media-src https://posts.example",
            ),
            (
                "two servers",
                vec![file(here, Some(bucket))],
                "img-src https://bucket.example:9000 https://posts.example; \
                 media-src https://bucket.example:9000 https://posts.example",
            ),
        ] {
            let policy = policy_with(&files, &[]);
            assert!(policy.ends_with(want), "{name}: {policy}");
            assert!(policy.starts_with("default-src 'none'; "), "{name}: {policy}");
        }
    }
}
