//! The page that says how a login is confirmed.

use http::StatusCode;
use scheduler_core::session::LoginCode;
use warp::reply::Response;

use super::html::Html;
use super::{Forms, page};

/// The page of the login with this code.
pub(crate) fn login(code: Option<&LoginCode>) -> Response {
    let mut content = Html::new();
    let Some(code) = code else {
        content.problem("This address holds no code. Run `scheduler login` again.");
        return page(StatusCode::NOT_FOUND, "Log in", Forms::Here, content);
    };
    let code = code.to_string();
    content
        .paragraph("A program asks to be let in with this code:")
        .raw("<p class=\"state\"><code>")
        .text(&code)
        .raw("</code></p>")
        .paragraph("If it is yours, confirm it on the server within ten minutes:")
        .raw("<p><code>scheduler sessions confirm ")
        .text(&code)
        .raw("</code></p>")
        .paragraph(
            "It lets the program in as an editor; --as reader, drafter or owner lets it do less or more. Nobody who works for the server will ever send you a code: if this one was sent to you, close this page.",
        );
    page(StatusCode::OK, "Log in", Forms::Here, content)
}
