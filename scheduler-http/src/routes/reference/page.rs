//! `GET /docs`, outside the API: its description as a page.

use crate::extract::Query;
use crate::pages;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_reference",
    method: Method::GET,
    pattern: "/docs",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(show(call))),
    description: None,
};

async fn show(call: Call) -> Result<Response, ApiError> {
    Query::read(&call.head, ENDPOINT.query)?;
    Ok(pages::reference_answer(call.api.reference.page.answer(&call.head, pages::HTML)))
}
