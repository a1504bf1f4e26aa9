//! The pages of connecting an account.

use http::StatusCode;
use scheduler_core::app::Choice;
use scheduler_core::connecting::PickOutcome;
use scheduler_core::platform::{CapabilitySheet, Field, Platform, Way};
use scheduler_core::ports::ConnectInput;
use warp::reply::Response;

use super::html::Html;
use super::{Forms, page};

/// What the first page is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begin<'a> {
    /// The network.
    pub(crate) platform: Platform,
    /// The workspace that will post as the account.
    pub(crate) workspace: &'a str,
    /// Whereto its forms lead.
    pub(crate) action: &'a str,
    /// What was given already.
    pub(crate) given: &'a ConnectInput,
    /// Why the network's own page cannot be opened.
    pub(crate) without_page: Option<&'a str>,
    /// What went wrong before, and the status of the answer that says so.
    pub(crate) problem: Option<(StatusCode, &'a str)>,
}

/// The first page: what will happen, and what the network needs for it.
pub(crate) fn start(begin: Begin<'_>) -> Response {
    let name = begin.platform.sheet().name;
    let facts = begin.platform.sheet().connecting;
    let mut html = Html::new();
    if let Some((_, problem)) = begin.problem {
        html.problem(problem);
    }
    html.raw("<p>The workspace <strong>").text(begin.workspace);
    html.raw("</strong> of this scheduler will be able to post to ").text(name);
    html.raw(" as the account that you connect").text(&more_rights(begin.platform.sheet()));
    html.raw(". Go on only if you know who has given you this link.</p>");
    let mut opens_page = false;
    for way in facts.ways {
        if way.opens_page
            && let Some(reason) = begin.without_page
        {
            html.problem(reason);
            continue;
        }
        opens_page |= way.opens_page;
        form(&mut html, way, name, &begin, facts.ways.len() > 1);
    }
    let status = begin.problem.map_or(StatusCode::OK, |(status, _)| status);
    let forms = if opens_page { Forms::Onward } else { Forms::Here };
    page(status, &format!("Connect {name}"), forms, html)
}

/// What can be done in the name of an account besides posting, as the end of a sentence.
fn more_rights(sheet: &CapabilitySheet) -> String {
    let of_posts = match (sheet.can_edit_remote, sheet.can_delete_remote) {
        (true, true) => Some("to change and take down what it has posted"),
        (true, false) => Some("to change what it has posted"),
        (false, true) => Some("to take down what it has posted"),
        (false, false) => None,
    };
    let of_comments = sheet.can_read_comments.then_some("to read and answer comments");
    match (of_posts, of_comments) {
        (Some(posts), Some(comments)) => format!(", {posts}, and {comments}"),
        (Some(right), None) | (None, Some(right)) => format!(", and {right}"),
        (None, None) => String::new(),
    }
}

fn form(html: &mut Html, way: &Way, name: &str, begin: &Begin<'_>, is_one_of_many: bool) {
    html.raw("<form method=\"post\" action=\"").text(begin.action);
    html.raw("\" autocomplete=\"off\">");
    if is_one_of_many {
        html.raw("<h2>Connect ").text(way.title).raw("</h2>");
    }
    html.paragraph(way.explanation).hidden("way", way.name);
    for field in way.fields {
        input(html, field, way, begin.given.value(field.name));
    }
    html.raw("<button>");
    if way.opens_page {
        html.raw("Continue to ").text(name);
    } else {
        html.raw("Connect");
    }
    html.raw("</button></form>");
}

fn input(html: &mut Html, field: &Field, way: &Way, given: Option<&str>) {
    if field.is_flag {
        html.raw("<label class=\"choice\"><input type=\"checkbox\" name=\"").raw(field.name);
        html.raw("\" value=\"true\"").raw(if given == Some("true") { " checked>" } else { ">" });
        html.raw("<span>").text(field.label).raw("</span></label>");
        return;
    }
    let id = |html: &mut Html| {
        html.raw(way.name).raw("-").raw(field.name);
    };
    html.raw("<label for=\"");
    id(html);
    html.raw("\">").text(field.label).raw("</label><input id=\"");
    id(html);
    html.raw("\" name=\"").raw(field.name).raw("\" type=\"");
    html.raw(if field.is_secret { "password" } else { "text" });
    html.raw("\" placeholder=\"").text(field.hint);
    html.raw("\" maxlength=\"4096\" autocapitalize=\"none\" spellcheck=\"false\"");
    if let Some(given) = given.filter(|_| !field.is_secret) {
        html.raw(" value=\"").text(given).raw("\"");
    }
    // A secret that was given already need not be typed again.
    if field.is_required && given.is_none() {
        html.raw(" required");
    }
    html.raw(">");
}

/// The page on which a person picks among the accounts that the network has opened.
pub(crate) fn pick(
    platform: Platform,
    workspace: &str,
    choices: &[Choice],
    problem: Option<(StatusCode, &str)>,
) -> Response {
    let name = platform.sheet().name;
    let mut html = Html::new();
    if let Some((_, problem)) = problem {
        html.problem(problem);
    }
    html.raw("<p>Which of these should the workspace <strong>").text(workspace);
    html.raw("</strong> be able to post as?</p><form method=\"post\" action=\"pick\">");
    for choice in choices {
        html.raw("<label class=\"choice\"><input type=\"checkbox\" name=\"account\" value=\"");
        html.text(&choice.network_id).raw("\"><span>").text(&choice.label);
        if choice.is_connected {
            html.raw(" <small>connected already; its token is replaced</small>");
        }
        lacks(&mut html, &choice.lacks);
        html.raw("</span></label>");
    }
    html.raw("<button>Connect</button></form>");
    let status = problem.map_or(StatusCode::OK, |(status, _)| status);
    page(status, &format!("Choose what to connect of {name}"), Forms::Here, html)
}

/// The last page: what became of each account that was picked.
pub(crate) fn ended(platform: Platform, workspace: &str, outcomes: &[PickOutcome]) -> Response {
    let name = platform.sheet().name;
    let mut html = Html::new();
    html.raw("<ul>");
    for outcome in outcomes {
        html.raw("<li><strong>").text(&outcome.label).raw("</strong> ");
        match &outcome.problem {
            Some(problem) => html.raw("is not connected: ").text(problem),
            None if outcome.was_known => html.raw("is connected again."),
            None => html.raw("is connected."),
        };
        lacks(&mut html, &outcome.lacks);
        html.raw("</li>");
    }
    html.raw("</ul><p>The workspace <strong>").text(workspace);
    html.raw("</strong> can use it from now on. You can close this page.</p>");
    page(StatusCode::OK, &format!("{name} is connected"), Forms::Here, html)
}

fn lacks(html: &mut Html, sentences: &[String]) {
    for sentence in sentences {
        html.raw("<br><small>").text(sentence).raw("</small>");
    }
}

/// The page of a browser that is in no visit, or of a fault; `problem` says which.
pub(crate) fn begun_elsewhere(status: StatusCode, problem: &str) -> Response {
    let mut html = Html::new();
    html.problem(problem);
    html.raw("<p>Whoever runs this server gets a new link with ");
    html.raw("<code>scheduler accounts connect</code>.</p>");
    page(status, "This did not work", Forms::Here, html)
}

/// The page of a network that there is none of.
pub(crate) fn unknown_network() -> Response {
    begun_elsewhere(StatusCode::NOT_FOUND, "There is no such network.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_network_allows_is_asked_for() {
        for (platform, want) in [
            (
                Platform::Mastodon,
                ", to change and take down what it has posted, and to read and answer comments",
            ),
            (
                Platform::Bluesky,
                ", to take down what it has posted, and to read and answer comments",
            ),
            (Platform::Discord, ", and to change and take down what it has posted"),
            (Platform::Tiktok, ""),
        ] {
            assert_eq!(more_rights(platform.sheet()), want, "{platform}");
        }
    }

    #[test]
    fn what_is_so_or_not_is_a_box() {
        let way = &Platform::Discord.sheet().connecting.ways[0];
        let field = Field {
            name: "isForum",
            label: "The channel is a forum",
            hint: "",
            is_secret: false,
            is_flag: true,
            is_required: false,
        };
        for (given, is_checked) in [(None, false), (Some("true"), true), (Some("false"), false)] {
            let mut html = Html::new();
            input(&mut html, &field, way, given);
            let html = html.into_string();
            assert!(html.contains("type=\"checkbox\" name=\"isForum\" value=\"true\""), "{html}");
            assert_eq!(html.contains(" checked>"), is_checked, "{given:?}: {html}");
        }
    }
}
