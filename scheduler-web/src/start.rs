//! First steps: what a new workspace still lacks, each with the page that brings it.

use askama::Template;
use http::Method;
use scheduler_core::post::ListInput;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::filters;
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered};

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_start", Method::GET, "/w/{workspaceId}/start", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

#[derive(Template)]
#[template(path = "start/show.html")]
struct Show {
    frame: Frame,
    steps: Vec<Step>,
}

struct Step {
    title: &'static str,
    about: &'static str,
    /// Where it is done, and what leads there; empty where that is not on a page.
    href: String,
    action: &'static str,
    done: Done,
    /// True of the first one that is to do.
    is_next: bool,
}

/// Whether a step is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    Yes,
    No,
    /// Nobody but a person can tell.
    AskYourself,
}

impl From<bool> for Done {
    fn from(is_done: bool) -> Self {
        if is_done { Self::Yes } else { Self::No }
    }
}

impl Done {
    /// The state whose icon it has, and that in words.
    const fn shown(self) -> (&'static str, &'static str) {
        match self {
            Self::Yes => ("published", "done"),
            Self::No => ("draft", "to do"),
            Self::AskYourself => ("wait", "have a look"),
        }
    }
}

/// True while nobody has connected an account or written a post.
pub(crate) async fn is_new(visitor: &Visitor) -> Result<bool, Declined> {
    let accounts = visitor.scheduler().account_views(&visitor.caller).await?;
    Ok(accounts.is_empty() && !has_posts(visitor).await?)
}

async fn has_posts(visitor: &Visitor) -> Result<bool, Declined> {
    let input = ListInput { limit: Some("1".to_owned()), ..ListInput::default() };
    Ok(!visitor.scheduler().list_posts(&visitor.caller, &input).await?.data.is_empty())
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let (scheduler, workspace) = (visitor.scheduler(), visitor.workspace());
    let accounts = scheduler.account_details(workspace).await?;
    let has_slots = accounts.iter().any(|account| !account.schedule.slots.is_empty());
    let is_owner = visitor.may(Role::Owner);
    let step = |title, about, (action, path): (&'static str, &str), done| Step {
        title,
        about,
        href: visitor.at(path),
        action,
        done,
        is_next: false,
    };
    let connect = if is_owner { "accounts/connect" } else { "accounts" };
    let mut steps = vec![
        step(
            "Connect an account",
            "The page says of each network what it needs. A sandbox has imitations of all of them.",
            ("Connect", connect),
            Done::from(!accounts.is_empty()),
        ),
        step(
            "Set the zone of the workspace",
            "Times are read and shown in it; an account can have one of its own.",
            ("Settings", "settings"),
            workspace.timezone.is_some().into(),
        ),
        step(
            "Choose weekly slots",
            "A post for the next free slot then finds its time by itself.",
            ("Accounts", "accounts"),
            has_slots.into(),
        ),
        step(
            "Write a post",
            "What is typed is kept as a draft, and nothing leaves before you say so.",
            ("Write", "compose"),
            has_posts(&visitor).await?.into(),
        ),
    ];
    if is_owner {
        let sessions = scheduler.sessions(workspace.id).await?;
        let webhooks = scheduler.webhooks(&visitor.caller).await?;
        steps.extend([
            step(
                "Examine the server",
                "Some networks fetch files from it, and need an address that they can reach.",
                ("Examine", "settings/server"),
                Done::AskYourself,
            ),
            Step {
                title: "Keep a copy of the secret key",
                about: "Connected accounts are sealed with it, and no backup holds it unless asked: it is the file secret.key in the folder of the data.",
                href: String::new(),
                action: "",
                done: Done::AskYourself,
                is_next: false,
            },
            step(
                "Let somebody in",
                "A link signs one browser in, with the role that you choose.",
                ("Make a link", "settings"),
                Done::from(sessions.len() > 1),
            ),
            step(
                "Add a webhook, if a program is to know",
                "It is told what becomes of posts.",
                ("Webhooks", "activity/webhooks"),
                if webhooks.is_empty() { Done::AskYourself } else { Done::Yes },
            ),
        ]);
    }
    if let Some(next) = steps.iter_mut().find(|step| step.done == Done::No) {
        next.is_next = true;
    }
    let frame = Frame::of(&visitor, "start", "First steps").await?;
    Ok(page::shown(&Show { frame, steps }))
}
