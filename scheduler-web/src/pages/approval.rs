//! The pages on which a client sees posts and decides on them.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use http::HeaderValue;
use http::StatusCode;
use http::header::CONTENT_SECURITY_POLICY;
use scheduler_core::app::{ApprovalFile, ApprovalPage, ApprovalPost, ApprovalTarget};
use scheduler_core::ids::PostId;
use scheduler_core::media::MediaKind;
use scheduler_core::post::{ApprovalState, NOTE_MAX_CHARACTERS, PostStatus, RemarkBy, Verdict};
use scheduler_core::target::TargetStatus;
use scheduler_core::timing::Zone;
use url::Url;
use warp::reply::Response;

use super::html::Html;
use super::{Forms, page, policy};

/// Posts as their client sees them, each with the form under it while they can decide on it;
/// `problem` says what has just gone wrong, and `written` is what they had written about which post.
pub(crate) fn approval(
    shown: &ApprovalPage,
    secret: &str,
    status: StatusCode,
    problem: Option<&str>,
    written: Option<(PostId, &str)>,
) -> Response {
    let mut html = Html::new();
    if let Some(problem) = problem {
        html.problem(problem);
    }
    introduction(&mut html, shown);
    let is_one = shown.posts.len() == 1;
    if !is_one {
        approve_all(&mut html, shown, secret);
    }
    for (index, post) in shown.posts.iter().enumerate() {
        if !is_one {
            html.raw("<article id=\"").text(&post.id.to_string()).raw("\"><h2>Post ");
            html.text(&format!("{} of {}", index + 1, shown.posts.len())).raw("</h2>");
        }
        html.raw("<p class=\"state\" role=\"status\">").text(&state(post, shown.zone)).raw("</p>");
        for target in &post.targets {
            network(&mut html, target, &post.files, is_one);
        }
        remarks(&mut html, post, shown);
        if post.is_open {
            let note = written.filter(|(id, _)| *id == post.id).map_or("", |(_, note)| note);
            form(&mut html, post, secret, note);
        }
        if !is_one {
            html.raw("</article>");
        }
    }
    html.raw("<p><small>You can change your mind until a post begins to go out. The link ");
    html.raw("is valid until ").text(&local(shown.expires_at, shown.zone)).raw(".</small></p>");
    let title = if is_one { "A post for your approval" } else { "Posts for your approval" };
    let mut response = page(status, title, Forms::Here, html);
    if let Ok(policy) = HeaderValue::from_str(&policy_with(files_of(shown))) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Who shows what, and what they say of it.
fn introduction(html: &mut Html, shown: &ApprovalPage) {
    if let Some(picture) = &shown.picture
        && let Some(url) = &picture.url
    {
        let url = picture.preview_url.as_deref().unwrap_or(url);
        html.raw("<p><img class=\"brand\" src=\"").text(url).raw("\" alt=\"\"></p>");
    }
    if let Some(client) = &shown.client {
        html.raw("<p>Hello ").text(client).raw(",</p>");
    }
    html.raw("<p><strong>").text(&shown.workspace).raw("</strong> shows you ");
    match shown.posts.len() {
        1 => html.raw("this post before it goes out.</p>"),
        count => html.text(&count.to_string()).raw(" posts before they go out.</p>"),
    };
    if let Some(message) = &shown.message {
        html.raw("<blockquote class=\"text\">").text(message).raw("</blockquote>");
    }
}

/// How many are decided, and one button for those that are not.
fn approve_all(html: &mut Html, shown: &ApprovalPage, secret: &str) {
    let in_state = |state| shown.posts.iter().filter(|post| post.state == Some(state)).count();
    let waiting: Vec<&ApprovalPost> = shown
        .posts
        .iter()
        .filter(|post| post.is_open && post.state == Some(ApprovalState::Pending))
        .collect();
    html.raw("<p class=\"state\" role=\"status\">").text(&format!(
        "{} approved, {} with changes asked for, {} to decide.",
        in_state(ApprovalState::Approved),
        in_state(ApprovalState::Changes),
        waiting.len()
    ));
    html.raw("</p>");
    if waiting.len() < 2 {
        return;
    }
    html.raw("<form method=\"post\" action=\"").text(secret).raw("\" autocomplete=\"off\">");
    for post in &waiting {
        html.hidden("post", &post.id.to_string()).hidden("seen", &post.seen);
    }
    html.raw("<button class=\"secondary\" name=\"decision\" value=\"approve\">Approve all ");
    html.text(&waiting.len().to_string()).raw(" as they are</button></form>");
}

/// What client and team have written about a post.
fn remarks(html: &mut Html, post: &ApprovalPost, shown: &ApprovalPage) {
    for remark in &post.remarks {
        let by = match remark.by {
            RemarkBy::Client => "You",
            RemarkBy::Team => &shown.workspace,
        };
        html.raw("<div class=\"remark\"><small>").text(by).raw(", ");
        html.text(&local(remark.at, shown.zone)).raw("</small><p class=\"text\">");
        html.text(&remark.text).raw("</p></div>");
    }
}

/// What was decided, in a sentence.
fn state(post: &ApprovalPost, zone: Zone) -> String {
    let when = |at: Option<DateTime<Utc>>| {
        at.map_or_else(String::new, |at| format!(" on {}", local(at, zone)))
    };
    match (post.status, post.state) {
        (PostStatus::Canceled, _) => "This post was cancelled; nothing more goes out.".to_owned(),
        (PostStatus::Publishing | PostStatus::Done, _) if !post.is_open => {
            "This post has begun to go out; it cannot be stopped here any more.".to_owned()
        }
        (_, Some(ApprovalState::Approved)) => {
            format!("You have approved it{}.", when(post.decided_at))
        }
        (_, Some(ApprovalState::Changes)) => {
            format!("You have asked for changes{}.", when(post.decided_at))
        }
        (_, Some(ApprovalState::Pending) | None) if post.decided_at.is_some() => {
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

/// What one network gets; under the title of the page itself, or under that of its post.
fn network(
    html: &mut Html,
    target: &ApprovalTarget,
    files_of_post: &[ApprovalFile],
    is_under_title: bool,
) {
    let [opens, closes] = if is_under_title { ["<h2>", "</h2>"] } else { ["<h3>", "</h3>"] };
    html.raw("<section>").raw(opens).text(target.platform.sheet().name).raw(": ");
    html.text(&target.account).raw(closes);
    html.raw("<p><small>").text(&when(target)).raw("</small></p>");
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

fn form(html: &mut Html, post: &ApprovalPost, secret: &str, note: &str) {
    let id = post.id.to_string();
    html.raw("<form method=\"post\" action=\"").text(secret).raw("\" autocomplete=\"off\">");
    html.hidden("post", &id).hidden("seen", &post.seen);
    html.raw("<label for=\"note-").text(&id).raw("\">Note (needed to ask for changes)</label>");
    html.raw("<textarea id=\"note-").text(&id).raw("\" name=\"note\" rows=\"4\" maxlength=\"");
    html.text(&NOTE_MAX_CHARACTERS.to_string()).raw("\">").text(note).raw("</textarea>");
    for (verdict, class, label) in [
        (Verdict::Approve, "primary", "Approve"),
        (Verdict::Changes, "secondary", "Ask for changes"),
    ] {
        html.raw("<button class=\"").raw(class).raw("\" name=\"decision\" value=\"");
        html.text(verdict.as_str()).raw("\">");
        html.text(label).raw("</button> ");
    }
    html.raw("</form>");
}

/// Every file on a page.
fn files_of(shown: &ApprovalPage) -> impl Iterator<Item = &ApprovalFile> {
    let of_targets = shown.posts.iter().flat_map(|post| &post.targets).flat_map(|target| {
        let own = target.files.iter().flatten();
        target.thumbnail.iter().chain(own).chain(target.thread_files.iter().flatten())
    });
    shown.posts.iter().flat_map(|post| &post.files).chain(of_targets).chain(&shown.picture)
}

/// The policy of a page that shows these files, and nothing from elsewhere.
fn policy_with<'a>(files: impl IntoIterator<Item = &'a ApprovalFile>) -> String {
    let urls = files.into_iter().flat_map(|file| [&file.url, &file.preview_url]);
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
            let policy = policy_with(&files);
            assert!(policy.ends_with(want), "{name}: {policy}");
            assert!(policy.starts_with("default-src 'none'; "), "{name}: {policy}");
        }
    }
}
