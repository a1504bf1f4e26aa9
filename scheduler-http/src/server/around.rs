//! What stands around the answers of callers: compression, and who may read them in a browser.

use std::time::Duration;

use http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_MATCH, IF_NONE_MATCH,
    LOCATION, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version};
use tower::util::{Either, option_layer};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::access::{RATE_LIMIT, RATE_LIMIT_POLICY};
use crate::answer::{OTHER_BODY, REPLAYED};
use crate::extract::IDEMPOTENCY_KEY;
use crate::server::observe::REQUEST_ID;

/// Bytes below which an answer is sent as it is: compressed it would take as many packets.
///
/// Source: our decision.
const SMALL: u16 = 1_024;

/// How long a browser may keep what a preflight was answered.
///
/// Source: our decision; Chromium keeps it for at most two hours, Firefox for a day.
const PREFLIGHT_LASTS: Duration = Duration::from_secs(7_200);

/// Compresses answers of the API and the pages that say nothing secret, by gzip or zstd, whichever
/// the caller takes.
///
/// A page that may hold a secret is left as it is: whoever can have it repeat words of theirs could
/// read the secret off its length (<https://www.breachattack.com/>).
pub(super) fn compression() -> CompressionLayer<impl Predicate + use<>> {
    let is_fit = |_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions| {
        let kind =
            headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let may_be_kept = headers.get(CACHE_CONTROL).is_some_and(|cache| cache != "no-store");
        let is_text =
            kind.starts_with("application/json") || may_be_kept && kind.starts_with("text/");
        is_text && !headers.contains_key(CONTENT_ENCODING)
    };
    let layer = CompressionLayer::new().quality(CompressionLevel::Fastest);
    layer.compress_when(SizeAbove::new(SMALL).and(is_fit))
}

/// What clients of the Model Context Protocol repeat of a message.
///
/// Source: Model Context Protocol 2026-07-28, Streamable HTTP.
const MCP_PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const MCP_METHOD: HeaderName = HeaderName::from_static("mcp-method");
const MCP_NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Lets pages of these origins read the answers; without origins, none.
pub(super) fn cors(origins: &[HeaderValue]) -> Either<CorsLayer, tower::layer::util::Identity> {
    let layer = (!origins.is_empty()).then(|| {
        CorsLayer::new()
            .allow_origin(AllowOrigin::list(origins.iter().cloned()))
            .allow_methods([
                Method::GET,
                Method::HEAD,
                Method::POST,
                Method::PATCH,
                Method::PUT,
                Method::DELETE,
            ])
            .allow_headers([
                AUTHORIZATION,
                CONTENT_TYPE,
                IDEMPOTENCY_KEY,
                IF_MATCH,
                IF_NONE_MATCH,
                REQUEST_ID,
                MCP_PROTOCOL_VERSION,
                MCP_METHOD,
                MCP_NAME,
            ])
            .expose_headers([
                ETAG,
                LOCATION,
                RETRY_AFTER,
                REQUEST_ID,
                REPLAYED,
                OTHER_BODY,
                RATE_LIMIT,
                RATE_LIMIT_POLICY,
                // By which a client finds out how it is connected.
                WWW_AUTHENTICATE,
            ])
            .max_age(PREFLIGHT_LASTS)
    });
    option_layer(layer)
}
