//! `GET /login`, outside of the application's API: how a login is confirmed.

use scheduler_core::session::LoginCode;

use crate::extract::Form;
use crate::pages;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_login",
    method: Method::GET,
    pattern: "/login",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(async move { Ok(show(&call)) })),
    description: None,
};

/// Shows the code and the command. Confirms nothing: whoever was led here by somebody else's link
/// lets nobody in.
fn show(call: &Call) -> Response {
    let query = call.head.query().and_then(|query| Form::parse(query.as_bytes()).ok());
    let code = query.as_ref().and_then(|query| query.only("code"));
    pages::login(code.and_then(|code| code.parse::<LoginCode>().ok()).as_ref())
}
