//! The pages that a browser is shown.
//!
//! They are plain HTML out of this binary: no script, nothing from elsewhere, nothing kept by the
//! browser.

mod approval;
mod connect;
mod html;
mod login;
mod reference;

use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_FRAME_OPTIONS};
use http::{HeaderMap, HeaderValue, StatusCode};
use warp::reply::Response;

use html::Html;

pub(crate) use approval::{approval, approval_failed, expired_approval, no_approval};
pub(crate) use connect::{Begin, begun_elsewhere, ended, pick, start, unknown_network};
pub(crate) use login::login;
pub(crate) use reference::{reference, reference_answer};

/// The type of every page.
pub(crate) const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// The one style of all pages. Its hash stands in [`POLICY`].
const STYLE: &str = ":root{color-scheme:light dark}\
body{max-width:34rem;margin:3rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}\
h1{font-size:1.5rem;line-height:1.2}\
form{margin:1.5rem 0;padding:1rem 1.25rem;border:1px solid #8886;border-radius:.5rem}\
h2{font-size:1.1rem;margin:0 0 .25rem}\
label{display:block;margin:.75rem 0 .15rem}\
input[type=text],input[type=password]{box-sizing:border-box;width:100%;padding:.45rem;font:inherit}\
.choice{display:flex;gap:.5rem;align-items:baseline;margin:.5rem 0}\
small{opacity:.75}\
button{margin-top:1rem;padding:.5rem 1.1rem;font:inherit}\
.primary{background:#0b62c4;border:1px solid #0b62c4;border-radius:.3rem;color:#fff;font-weight:600}\
.problem{padding:.6rem .9rem;border-left:.25rem solid #c33;background:#c331}\
code{overflow-wrap:anywhere}\
section{margin:1.5rem 0;border-top:1px solid #8886;padding-top:1rem}\
.text{white-space:pre-wrap;overflow-wrap:anywhere}\
.state{font-weight:600}\
article{margin:2.5rem 0;border-top:3px solid #8886;padding-top:1rem}\
h3{font-size:1rem;margin:0 0 .25rem}\
blockquote,.remark{margin:1rem 0;padding:.1rem .9rem;border-left:.25rem solid #8886}\
.remark p{margin:.2rem 0}\
.brand{max-height:4rem}\
figure{margin:1rem 0}\
img,video{max-width:100%;max-height:30rem}\
textarea{box-sizing:border-box;width:100%;padding:.45rem;font:inherit}";

/// Nothing is loaded, nothing runs, nobody frames the page.
const POLICY: &str = "default-src 'none'; style-src 'sha256-STYLE_HASH'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// Whereto a page's forms may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forms {
    /// To this server.
    Here,
    /// To this server, which sends the browser on to a network: browsers count that as a part of
    /// the form's way, and no list of addresses can hold the networks' servers.
    Onward,
}

/// A page.
pub(crate) fn page(status: StatusCode, title: &str, forms: Forms, content: Html) -> Response {
    let mut page = Html::new();
    page.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
        .raw("<meta name=\"robots\" content=\"noindex\"><title>")
        .text(title)
        .raw("</title><style>")
        .raw(STYLE)
        .raw("</style></head><body><main><h1>")
        .text(title)
        .raw("</h1>")
        .add(content)
        .raw("</main></body></html>\n");
    let mut response = Response::new(page.into_string().into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HTML);
    guard(headers, forms);
    response
}

/// Sends the browser to another address by GET.
pub(crate) fn sent_on(address: &str) -> Response {
    let mut response = crate::page::sent_to(address);
    guard(response.headers_mut(), Forms::Onward);
    response
}

/// The answer to a request that asks only what a page's headers are.
pub(crate) fn nothing() -> Response {
    let mut response = Response::default();
    guard(response.headers_mut(), Forms::Here);
    response
}

fn guard(headers: &mut HeaderMap, forms: Forms) {
    let policy = match forms {
        Forms::Here => format!("{}; form-action 'self'", policy()),
        Forms::Onward => policy(),
    };
    guard_under(headers, &policy);
}

/// Sets what guards every page, and this policy.
fn guard_under(headers: &mut HeaderMap, policy: &str) {
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
}

/// The policy with the hash of the style.
fn policy() -> String {
    policy_of(STYLE)
}

/// The policy of a page of this style.
fn policy_of(style: &str) -> String {
    use base64::Engine as _;
    use sha2::Digest as _;
    let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(style));
    POLICY.replace("STYLE_HASH", &hash)
}
