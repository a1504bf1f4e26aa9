//! The pages on which clients see posts and decide on them. The secret of their link stands in
//! place of a session.

mod show;

use http::{Method, StatusCode};
use scheduler_core::app::{
    APPROVAL_POSTS_MAX, ApprovalAnswer, ApprovalPage, Decided, OpenedApproval,
};
use scheduler_core::connecting::Pass;
use scheduler_core::error::{AppError, Refusal};
use scheduler_core::ids::PostId;
use scheduler_core::post::Verdict;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form, Visit};
use warp::reply::Response;

use crate::door;
use crate::page::Assets;

pub(crate) static SHOW: Endpoint =
    Endpoint::page("show_approval", Method::GET, "/approve/{name}", |visit| Box::pin(look(visit)));

pub(crate) static DECIDE: Endpoint =
    Endpoint::page("decide_approval", Method::POST, "/approve/{name}", |visit| {
        Box::pin(decide(visit))
    });

/// Why a client gets something else than their posts.
enum Closed {
    Unknown,
    Expired,
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
        match self {
            Self::Unknown => show::unknown(assets),
            Self::Expired => show::expired(assets),
            Self::Failed(declined) => {
                declined.into_page(|status, problem| show::failed(assets, status, problem))
            }
        }
    }
}

/// Shows the posts. Changes nothing, so that a look at the link, by whoever previews links, does no
/// harm.
async fn look(visit: Visit) -> Response {
    let assets = door::assets(&visit);
    match opened(&visit).await {
        Ok((pass, page)) => show::show(assets, &page, pass.expose(), StatusCode::OK, None, None),
        Err(closed) => closed.into_page(assets),
    }
}

/// What is under the link of the address.
async fn opened(visit: &Visit) -> Result<(Pass, Box<ApprovalPage>), Closed> {
    let pass = Pass::parse(visit.segment("name")).ok_or(Closed::Unknown)?;
    match visit.scheduler().open_approval(&pass).await? {
        OpenedApproval::Page(page) => Ok((pass, page)),
        OpenedApproval::Unknown => Err(Closed::Unknown),
        OpenedApproval::Expired => Err(Closed::Expired),
    }
}

async fn decide(mut visit: Visit) -> Response {
    let answered = decided(&mut visit).await;
    answered.unwrap_or_else(|closed| closed.into_page(door::assets(&visit)))
}

async fn decided(visit: &mut Visit) -> Result<Response, Closed> {
    visit.refuse_other_sites()?;
    // Nothing is read of whoever has no link.
    let (pass, page) = opened(visit).await?;
    let secret = pass.expose();
    let form = visit.form_of(&pass).await?;
    let note = form.only("note").unwrap_or_default();
    let answers = match answers(&form, note) {
        Ok(answers) => answers,
        Err(refusal) => return again(visit, None, refusal.into()).await,
    };
    for answer in &answers {
        let written = (answer.post_id, note);
        match visit.scheduler().decide_approval(&pass, answer).await.map_err(Declined::from) {
            Ok(Decided::Stored) => {}
            Ok(Decided::Changed(page)) => {
                let problem = if answers.len() == 1 {
                    "The post has changed since you opened this page, and your answer was not stored. This is how it looks now: please decide again."
                } else {
                    "A post has changed since you opened this page. Those before it are approved; please decide on the others as they look now."
                };
                let status = StatusCode::CONFLICT;
                let (assets, written) = (door::assets(visit), Some(written));
                return Ok(show::show(assets, &page, secret, status, Some(problem), written));
            }
            Ok(Decided::Unknown) => return Err(Closed::Unknown),
            Ok(Decided::Expired) => return Err(Closed::Expired),
            Err(declined) => return again(visit, Some(written), declined).await,
        }
    }
    // Back to the post that was decided on, where there are several.
    Ok(match answers.as_slice() {
        [answer] if page.posts.len() > 1 => door::sent_on(&format!("{secret}#{}", answer.post_id)),
        _ => door::sent_on(secret),
    })
}

/// What is decided on each post that the form names.
fn answers(form: &Form, note: &str) -> Result<Vec<ApprovalAnswer>, Refusal> {
    let decision = form.only("decision").unwrap_or_default();
    let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.as_str() == decision);
    let verdict = verdict
        .ok_or_else(|| Refusal::invalid("decision", "Approve the post, or ask for changes."))?;
    let posts: Vec<&str> = form.all("post").collect();
    let seen: Vec<&str> = form.all("seen").collect();
    if posts.is_empty() || posts.len() != seen.len() || posts.len() > APPROVAL_POSTS_MAX {
        return Err(Refusal::invalid("post", "The form names no post. Open the link again."));
    }
    let answer = |(post, seen): (&str, &str)| {
        let post_id = post.parse().map_err(|_| Refusal::invalid("post", "This is no post."))?;
        let note = Some(note.to_owned());
        Ok(ApprovalAnswer { post_id, seen: seen.to_owned(), verdict, note })
    };
    posts.into_iter().zip(seen).map(answer).collect()
}

/// The page with what was wrong, and what the client has written.
async fn again(
    visit: &Visit,
    written: Option<(PostId, &str)>,
    declined: Declined,
) -> Result<Response, Closed> {
    match opened(visit).await {
        Ok((pass, page)) => Ok(declined.into_page(|status, problem| {
            let assets = door::assets(visit);
            show::show(assets, &page, pass.expose(), status, Some(problem), written)
        })),
        Err(_) => Err(declined.into()),
    }
}
