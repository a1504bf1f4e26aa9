//! `POST /approve/<secret>`, outside the API: what the client says of the posts.

use scheduler_core::app::{APPROVAL_POSTS_MAX, ApprovalAnswer, Decided, OpenedApproval};
use scheduler_core::connecting::Pass;
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ids::PostId;
use scheduler_core::post::Verdict;

use super::secret::pass;
use crate::api::Api;
use crate::extract::Form;
use crate::pages;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "decide_approval",
    method: Method::POST,
    pattern: "/approve/{name}",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(async move { Ok(decide(call).await) })),
    description: None,
};

async fn decide(call: Call) -> Response {
    let secret = call.segment("name").to_owned();
    let Call { api, head, mut body, .. } = call;
    let pass = match pass(&secret) {
        Ok(pass) => pass,
        Err(page) => return *page,
    };
    if head.is_of_other_site(&api.connecting.server) {
        let message = "This was sent by a page of another site, and nothing was decided. Open the \
                       link that you were given instead.";
        let refusal = Refusal::new(ErrorCode::Forbidden, message);
        return ApiError::from(refusal).into_page(pages::approval_failed);
    }
    // Nothing is read of whoever has no link.
    let is_of_several = match api.scheduler.open_approval(&pass).await {
        Ok(OpenedApproval::Page(page)) => page.posts.len() > 1,
        Ok(OpenedApproval::Unknown) => return pages::no_approval(),
        Ok(OpenedApproval::Expired) => return pages::expired_approval(),
        Err(error) => return ApiError::from(error).into_page(pages::approval_failed),
    };
    head.is_of_somebody_known();
    let form = match body.form(&head, &api.bodies, &pass).await {
        Ok(form) => form,
        Err(error) => return error.into_page(pages::approval_failed),
    };
    let note = form.only("note").unwrap_or_default();
    let answers = match answers(&form, note) {
        Ok(answers) => answers,
        Err(refusal) => return again(&api, &pass, &secret, None, refusal.into()).await,
    };
    let is_one = answers.len() == 1;
    for answer in &answers {
        let written = (answer.post_id, note);
        match api.scheduler.decide_approval(&pass, answer).await.map_err(ApiError::from) {
            Ok(Decided::Stored) => {}
            Ok(Decided::Changed(page)) => {
                let problem = if is_one {
                    "The post has changed since you opened this page, and your answer was not \
                     stored. This is how it looks now: please decide again."
                } else {
                    "A post has changed since you opened this page. Those before it are approved; \
                     please decide on the others as they look now."
                };
                let status = StatusCode::CONFLICT;
                return pages::approval(&page, &secret, status, Some(problem), Some(written));
            }
            Ok(Decided::Unknown) => return pages::no_approval(),
            Ok(Decided::Expired) => return pages::expired_approval(),
            Err(error) => return again(&api, &pass, &secret, Some(written), error).await,
        }
    }
    // Back to the post that was decided on, where there are several.
    let back = match answers.as_slice() {
        [answer] if is_of_several => format!("{secret}#{}", answer.post_id),
        _ => secret,
    };
    pages::sent_on(&back).unwrap_or_else(|error| error.into_page(pages::approval_failed))
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
    api: &Api,
    pass: &Pass,
    secret: &str,
    written: Option<(PostId, &str)>,
    error: ApiError,
) -> Response {
    match api.scheduler.open_approval(pass).await {
        Ok(OpenedApproval::Page(page)) => error.into_page(|status, problem| {
            pages::approval(&page, secret, status, Some(problem), written)
        }),
        Ok(OpenedApproval::Unknown | OpenedApproval::Expired) | Err(_) => {
            error.into_page(pages::approval_failed)
        }
    }
}
