//! What the pages of connecting show.

use askama::Template;
use http::StatusCode;
use scheduler_core::app::Choice;
use scheduler_core::connecting::PickOutcome;
use scheduler_core::platform::{CapabilitySheet, Field, Platform, Way};
use scheduler_core::ports::ConnectInput;
use warp::reply::Response;

use crate::door::{self, Forms};
use crate::filters;
use crate::page::{self, Assets};

/// What went wrong before, and the status of the answer that says so.
pub(super) type Problem<'a> = Option<(StatusCode, &'a str)>;

/// The first page: what will happen, and what the network needs for it.
#[derive(Template)]
#[template(path = "connect/start.html")]
pub(super) struct Start<'a> {
    pub(super) assets: Assets,
    /// The name of the network.
    pub(super) name: &'static str,
    /// The workspace that will post as the account.
    pub(super) workspace: &'a str,
    /// What can be done in the name of an account besides posting, as the end of a sentence.
    pub(super) more_rights: String,
    /// Whereto its forms lead.
    pub(super) action: String,
    /// The ways that can be gone.
    pub(super) ways: Vec<&'static Way>,
    pub(super) is_one_of_many: bool,
    /// What was given already.
    pub(super) given: &'a ConnectInput,
    /// Why the network's own page cannot be opened, where it has one.
    pub(super) without_page: Option<&'a str>,
    pub(super) problem: Option<&'a str>,
}

impl<'a> Start<'a> {
    pub(super) fn of(
        platform: Platform,
        assets: Assets,
        workspace: &'a str,
        action: String,
        given: &'a ConnectInput,
        unregistered: Option<&'a str>,
    ) -> Self {
        let sheet = platform.sheet();
        let ways = sheet.connecting.ways;
        let open = |way: &&Way| unregistered.is_none() || !way.opens_page;
        let has_page = ways.iter().any(|way| way.opens_page);
        Self {
            assets,
            name: sheet.name,
            workspace,
            more_rights: more_rights(sheet),
            action,
            ways: ways.iter().filter(open).collect(),
            is_one_of_many: ways.len() > 1,
            given,
            without_page: unregistered.filter(|_| has_page),
            problem: None,
        }
    }

    pub(super) fn answer(mut self, problem: Problem<'a>) -> Response {
        self.problem = problem.map(|(_, problem)| problem);
        let status = problem.map_or(StatusCode::OK, |(status, _)| status);
        let leads_on = self.ways.iter().any(|way| way.opens_page);
        let forms = if leads_on { Forms::Onward } else { Forms::Here };
        door::guarded(page::shown_as(status, &self), forms, "")
    }

    /// What was given for a field, unless it must not be seen.
    fn shown(&self, field: &Field) -> Option<&str> {
        self.given.value(field.name).filter(|_| !field.is_secret)
    }

    /// True for what has to be typed: a secret that was given already has not.
    fn is_needed(&self, field: &Field) -> bool {
        field.is_required && self.given.value(field.name).is_none()
    }
}

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

/// The page on which a person picks among the accounts that the network has opened.
#[derive(Template)]
#[template(path = "connect/pick.html")]
struct Pick<'a> {
    assets: Assets,
    name: &'static str,
    workspace: &'a str,
    choices: &'a [Choice],
    problem: Option<&'a str>,
}

pub(super) fn pick(
    assets: Assets,
    platform: Platform,
    workspace: &str,
    choices: &[Choice],
    problem: Problem<'_>,
) -> Response {
    let status = problem.map_or(StatusCode::OK, |(status, _)| status);
    let problem = problem.map(|(_, problem)| problem);
    let page = Pick { assets, name: platform.sheet().name, workspace, choices, problem };
    door::guarded(page::shown_as(status, &page), Forms::Here, "")
}

/// The last page: what became of each account that was picked.
#[derive(Template)]
#[template(path = "connect/ended.html")]
struct Ended<'a> {
    assets: Assets,
    name: &'static str,
    workspace: &'a str,
    outcomes: &'a [PickOutcome],
}

pub(super) fn ended(
    assets: Assets,
    platform: Platform,
    workspace: &str,
    outcomes: &[PickOutcome],
) -> Response {
    let page = Ended { assets, name: platform.sheet().name, workspace, outcomes };
    door::guarded(page::shown(&page), Forms::Here, "")
}

/// The page of a browser that is in no visit, or of a fault; `problem` says which.
pub(super) fn begun_elsewhere(assets: Assets, status: StatusCode, problem: &str) -> Response {
    let advice = "Whoever runs this server gets a new link with this command:";
    let command = Some("scheduler accounts connect");
    door::told(assets, status, "This did not work", problem, advice, command)
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
        static WAY: Way = Way {
            name: "webhook",
            title: "with a webhook",
            explanation: "",
            fields: &[Field {
                name: "isForum",
                label: "The channel is a forum",
                hint: "",
                is_secret: false,
                is_flag: true,
                is_required: false,
            }],
            fixed: &[],
            opens_page: false,
        };
        for (given, is_checked) in [(None, false), (Some("true"), true), (Some("false"), false)] {
            let given = given.map(|value: &str| ("isForum".to_owned(), value.to_owned()));
            let given = ConnectInput(given.into_iter().collect());
            let action = "discord".to_owned();
            let start =
                Start::of(Platform::Discord, Assets::new(), "default", action, &given, None);
            let html = Start { ways: vec![&WAY], ..start }.render().unwrap();
            assert!(html.contains("type=\"checkbox\" name=\"isForum\" value=\"true\""), "{html}");
            assert_eq!(html.contains(" checked>"), is_checked, "{given:?}: {html}");
        }
    }
}
