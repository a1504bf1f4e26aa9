//! What programs find that are to be let in to the tools by OAuth, outside of the API: nothing where
//! the address of the server does not allow it.

mod resource;
mod revoke;
mod server;
mod token;

use http::header::CACHE_CONTROL;

use crate::routes::prelude::*;

pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&resource::ENDPOINT, &server::ENDPOINT, &token::ENDPOINT, &revoke::ENDPOINT];

/// An answer that nobody keeps.
fn unkept(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
