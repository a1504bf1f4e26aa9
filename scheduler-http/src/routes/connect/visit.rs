//! The visit of a browser that connects accounts.
//!
//! Everything that the pages say is about the browser that asks: it shows the ticket of its link
//! first, and from then on a cookie that this server has given it.

use http::header::SET_COOKIE;
use http::{HeaderValue, StatusCode};
use scheduler_core::app::{Browser, ConnectingView, StageView};
use scheduler_core::connecting::{LIFETIME, Pass};
use scheduler_core::error::{ErrorCode, Refusal, Resource};
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use warp::reply::Response;

use crate::api::Api;
use crate::call::Call;
use crate::error::ApiError;
use crate::extract::{Body, Form, Head};
use crate::pages::{self, Begin};

/// Where a page stands, to write links that hold behind any proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// `/connect/<network>`
    First,
    /// `/connect/<network>/…`
    Below,
}

impl Place {
    /// The way to the first page.
    pub(super) fn first_page(self, platform: Platform) -> String {
        match self {
            Self::First => platform.to_string(),
            Self::Below => format!("../{platform}"),
        }
    }
}

/// The network of a path.
pub(super) fn network(call: &Call) -> Result<Platform, Box<Response>> {
    call.segment("name").parse().map_err(|_| Box::new(pages::unknown_network()))
}

/// The name of the cookie of a visit. A name that begins with `__Host-` is taken only over https
/// and from this very host, so that no neighbour of it can put a cookie in a browser.
///
/// Source: RFC 6265bis, section 4.1.3.2.
fn cookie_name(api: &Api, platform: Platform) -> String {
    let prefix = if api.connecting.is_https() { "__Host-" } else { "" };
    format!("{prefix}connect-{platform}")
}

/// The pass of the visit that the browser is in.
pub(super) fn cookie(api: &Api, head: &Head, platform: Platform) -> Option<Pass> {
    head.cookie(&cookie_name(api, platform)).and_then(Pass::parse)
}

/// What the browser shows: the ticket of its link, which stands in the address, and its cookie.
pub(super) fn browser(api: &Api, head: &Head, platform: Platform) -> Browser {
    let query = Form::parse(head.query().unwrap_or_default().as_bytes()).unwrap_or_default();
    let ticket = query.only("ticket").and_then(Pass::parse);
    Browser { ticket, cookie: cookie(api, head, platform) }
}

/// Reads the form of a browser, once its visit is found.
///
/// # Errors
/// `not_found` when it is in none; those of [`Body::form`].
pub(super) async fn form(
    api: &Api,
    head: &Head,
    mut body: Body,
    platform: Platform,
    browser: &Browser,
) -> Result<Form, ApiError> {
    api.scheduler.connecting_view(platform, browser).await?;
    head.is_of_somebody_known();
    let pass = browser.cookie.as_ref().or(browser.ticket.as_ref());
    let pass = pass.ok_or_else(|| Refusal::not_found(Resource::ConnectLink))?;
    body.form(head, &api.bodies, pass).await
}

/// Gives the browser the pass of its visit. It comes along when a network sends the browser back,
/// and with nothing that another site asks for.
pub(super) fn with_cookie(
    mut response: Response,
    api: &Api,
    platform: Platform,
    pass: &Pass,
) -> Result<Response, ApiError> {
    let (name, seconds) = (cookie_name(api, platform), LIFETIME.num_seconds());
    let secure = if api.connecting.is_https() { "; Secure" } else { "" };
    let pass = pass.expose();
    let cookie =
        format!("{name}={pass}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut cookie = HeaderValue::from_str(&cookie).map_err(ApiError::internal)?;
    cookie.set_sensitive(true);
    response.headers_mut().append(SET_COOKIE, cookie);
    Ok(response)
}

/// Refuses a form that a page of another site has sent: with a ticket of its own, that page could
/// take a person past ours, which says for whom an account is connected.
///
/// # Errors
/// `forbidden`
pub(super) fn own_form(api: &Api, head: &Head) -> Result<(), Refusal> {
    if head.is_of_other_site(&api.connecting.server) {
        let message = "This was sent by a page of another site, and nothing was connected. Open \
                       the link that you were given instead.";
        return Err(Refusal::new(ErrorCode::Forbidden, message));
    }
    Ok(())
}

/// Where the network sends the browser back to.
///
/// # Errors
/// `unsupported` when it would not send it here, or its page needs what is not set.
pub(super) fn redirect_uri(api: &Api, platform: Platform) -> Result<String, Refusal> {
    if let Some(reason) = without_page(api, platform) {
        return Err(Refusal::new(ErrorCode::Unsupported, reason));
    }
    let address = api.connecting.address(platform).map_err(|error| {
        let name = platform.sheet().name;
        Refusal::new(
            ErrorCode::Unsupported,
            format!("{name}: {error}. The operator can set the public URL of this server to one."),
        )
    })?;
    Ok(format!("{address}/connect/{platform}/callback"))
}

/// Why the network's own page cannot be opened.
fn without_page(api: &Api, platform: Platform) -> Option<&str> {
    api.connecting.unregistered.get(&platform).map(String::as_str)
}

/// The page of a browser's visit as it stands, with what has just gone wrong.
pub(super) fn shown(
    api: &Api,
    platform: Platform,
    place: Place,
    browser: &Browser,
    view: &ConnectingView,
    problem: Option<(StatusCode, &str)>,
) -> Result<Response, ApiError> {
    match &view.stage {
        StageView::Begin { given } => Ok(pages::start(Begin {
            platform,
            workspace: &view.workspace,
            ticket: browser.ticket.as_ref().map(Pass::expose),
            action: &place.first_page(platform),
            given,
            without_page: without_page(api, platform),
            problem,
        })),
        StageView::Pick { .. } | StageView::Ended { .. } => {
            pages::sent_on(&format!("{}/pick", place.first_page(platform)))
        }
    }
}

/// The page that says what has gone wrong, with the form again where there still is one.
pub(super) async fn again(
    api: &Api,
    platform: Platform,
    place: Place,
    browser: &Browser,
    typed: ConnectInput,
    error: ApiError,
) -> Response {
    let Ok(mut view) = api.scheduler.connecting_view(platform, browser).await else {
        return error.into_page(pages::begun_elsewhere);
    };
    if let StageView::Begin { given } = &mut view.stage {
        given.0.extend(typed.0.into_iter().filter(|(name, _)| !is_secret(platform, name)));
    }
    error.into_page(|status, problem| {
        shown(api, platform, place, browser, &view, Some((status, problem)))
            .unwrap_or_else(|error| error.into_page(pages::begun_elsewhere))
    })
}

/// True for a value that is not shown again.
fn is_secret(platform: Platform, name: &str) -> bool {
    let mut fields = platform.sheet().connecting.ways.iter().flat_map(|way| way.fields);
    fields.any(|field| field.name == name && field.is_secret)
}
