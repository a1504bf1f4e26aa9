//! The page on which a person gives files that a program cannot read. The secret of its link stands
//! in place of a session.

use askama::Template;
use http::{Method, StatusCode};
use scheduler_core::app::OpenUploadLink;
use scheduler_core::connecting::Pass;
use scheduler_core::error::AppError;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Visit};
use warp::reply::Response;

use crate::door::{self, Forms};
use crate::filters;
use crate::media::FIELD;
use crate::page::{self, Assets};

pub(crate) static SHOW: Endpoint =
    Endpoint::page("show_upload", Method::GET, "/upload/{name}", |visit| Box::pin(look(visit)));

pub(crate) static TAKE: Endpoint =
    Endpoint::page("take_upload", Method::POST, "/upload/{name}", |visit| Box::pin(take(visit)));

#[derive(Template)]
#[template(path = "upload/show.html")]
struct Show<'a> {
    assets: Assets,
    workspace: &'a str,
    note: Option<&'a str>,
    files: u32,
    /// Whereto its form leads: the last part of its own address.
    action: &'a str,
    problem: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "upload/taken.html")]
struct Taken<'a> {
    assets: Assets,
    workspace: &'a str,
    taken: usize,
    problem: Option<&'a str>,
}

/// Why somebody gets something else than the form.
enum Closed {
    /// The link is unknown, was used, or has expired.
    Ended,
    Failed(Declined),
}

impl From<Declined> for Closed {
    fn from(declined: Declined) -> Self {
        Self::Failed(declined)
    }
}

impl From<AppError> for Closed {
    fn from(error: AppError) -> Self {
        Self::Failed(error.into())
    }
}

impl Closed {
    fn into_page(self, assets: Assets) -> Response {
        let advice = "Ask whoever has sent you here for a new link.";
        match self {
            Self::Ended => {
                let message = "This link was used, has expired, or is incomplete.";
                door::told(assets, StatusCode::NOT_FOUND, "Upload files", message, advice, None)
            }
            Self::Failed(declined) => declined.into_page(|status, message| {
                door::told(assets, status, "Upload files", message, advice, None)
            }),
        }
    }
}

/// Shows the form. Uses nothing up, so that a look at the link, by whoever previews links, does no
/// harm.
async fn look(visit: Visit) -> Response {
    shown(&visit).await.unwrap_or_else(|closed| closed.into_page(door::assets(&visit)))
}

async fn shown(visit: &Visit) -> Result<Response, Closed> {
    let pass = Pass::parse(visit.segment("name")).ok_or(Closed::Ended)?;
    let open = visit.scheduler().upload_link(&pass).await?.ok_or(Closed::Ended)?;
    Ok(form(visit, &pass, &open, StatusCode::OK, None))
}

fn form(
    visit: &Visit,
    pass: &Pass,
    open: &OpenUploadLink,
    status: StatusCode,
    problem: Option<&str>,
) -> Response {
    let page = Show {
        assets: door::assets(visit),
        workspace: &open.workspace.name,
        note: open.link.note.as_deref(),
        files: open.link.files,
        action: pass.expose(),
        problem,
    };
    door::guarded(page::shown_as(status, &page), Forms::Here, "")
}

async fn take(mut visit: Visit) -> Response {
    let taken = taken(&mut visit).await;
    taken.unwrap_or_else(|closed| closed.into_page(door::assets(&visit)))
}

/// Takes the files. The link is used up before they are read, and given back when none was taken.
async fn taken(visit: &mut Visit) -> Result<Response, Closed> {
    visit.refuse_other_sites()?;
    let pass = Pass::parse(visit.segment("name")).ok_or(Closed::Ended)?;
    let open = visit.scheduler().use_upload_link(&pass).await?.ok_or(Closed::Ended)?;
    let most = usize::try_from(open.link.files).unwrap_or(usize::MAX);
    let brought = visit.files_of(&pass, &open.caller(), FIELD, most).await;
    let (taken, refused) = match brought {
        Ok(brought) => (brought.taken, brought.refused),
        Err(declined) => (0, Some(declined)),
    };
    if taken == 0 {
        visit.scheduler().give_back_upload_link(&open.link).await?;
        return Ok(match refused {
            Some(declined) => declined
                .into_page(|status, message| form(visit, &pass, &open, status, Some(message))),
            None => {
                let problem = Some("Choose a file first.");
                form(visit, &pass, &open, StatusCode::BAD_REQUEST, problem)
            }
        });
    }
    let problem = refused.as_ref().map(Declined::message);
    let (assets, workspace) = (door::assets(visit), &open.workspace.name);
    let page = Taken { assets, workspace, taken, problem };
    Ok(door::guarded(page::shown(&page), Forms::Here, ""))
}
