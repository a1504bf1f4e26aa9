//! `POST /approve/<secret>`, outside the API: what the client says of it.

use scheduler_core::app::{ApprovalAnswer, Decided, OpenedApproval};
use scheduler_core::connecting::Pass;
use scheduler_core::error::{ErrorCode, Refusal};
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
    match api.scheduler.open_approval(&pass).await {
        Ok(OpenedApproval::Page(_)) => head.is_of_somebody_known(),
        Ok(OpenedApproval::Unknown) => return pages::no_approval(),
        Ok(OpenedApproval::Expired) => return pages::expired_approval(),
        Err(error) => return ApiError::from(error).into_page(pages::approval_failed),
    }
    let form = match body.form(&head, &api.bodies, &pass).await {
        Ok(form) => form,
        Err(error) => return error.into_page(pages::approval_failed),
    };
    let note = form.only("note").unwrap_or_default();
    let decided = match answer(&form, note) {
        Ok(answer) => api.scheduler.decide_approval(&pass, &answer).await.map_err(ApiError::from),
        Err(refusal) => Err(refusal.into()),
    };
    match decided {
        Ok(Decided::Stored) => {
            pages::sent_on(&secret).unwrap_or_else(|error| error.into_page(pages::approval_failed))
        }
        Ok(Decided::Changed(page)) => {
            let problem = "The post has changed since you opened this page, and your answer was \
                           not stored. This is how it looks now: please decide again.";
            pages::approval(&page, &secret, StatusCode::CONFLICT, Some(problem), note)
        }
        Ok(Decided::Unknown) => pages::no_approval(),
        Ok(Decided::Expired) => pages::expired_approval(),
        Err(error) => again(&api, &pass, &secret, note, error).await,
    }
}

fn answer(form: &Form, note: &str) -> Result<ApprovalAnswer, Refusal> {
    let decision = form.only("decision").unwrap_or_default();
    let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.as_str() == decision);
    let verdict = verdict
        .ok_or_else(|| Refusal::invalid("decision", "Approve the post, or ask for changes."))?;
    let seen = form.only("seen").unwrap_or_default().to_owned();
    Ok(ApprovalAnswer { seen, verdict, note: Some(note.to_owned()) })
}

/// The page with what was wrong, and what the client has written.
async fn again(api: &Api, pass: &Pass, secret: &str, note: &str, error: ApiError) -> Response {
    match api.scheduler.open_approval(pass).await {
        Ok(OpenedApproval::Page(page)) => error.into_page(|status, problem| {
            pages::approval(&page, secret, status, Some(problem), note)
        }),
        Ok(OpenedApproval::Unknown | OpenedApproval::Expired) | Err(_) => {
            error.into_page(pages::approval_failed)
        }
    }
}
