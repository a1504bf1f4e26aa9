//! The head of a request.

use std::net::IpAddr;
use std::sync::Arc;

use http::header::{
    AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST, IF_MATCH,
    IF_NONE_MATCH, IF_RANGE, ORIGIN, RANGE,
};
use http::uri::Authority;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri};
use scheduler_core::app::{Caller, Member};
use scheduler_core::error::Refusal;
use scheduler_core::ports::ByteRange;
use url::Url;

use crate::server::activity::Connection;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// What proxies say of whom they pass a request on for.
///
/// Sources: RFC 7239; RFC 9110, section 7.6.3; what Caddy, nginx and others set.
const PASSED_ON: [HeaderName; 5] = [
    HeaderName::from_static("forwarded"),
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-real-ip"),
    HeaderName::from_static("via"),
];
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The headers and the address of a request, taken off it once and shared.
#[derive(Clone, Debug)]
pub(crate) struct Head(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    headers: HeaderMap,
    uri: Uri,
    /// `None` in tests that have none.
    connection: Option<Connection>,
    /// Whom the program itself has let in; what comes over a connection has none.
    local_member: Option<Arc<Member>>,
    /// Who asks within the server, where that is a program that has shown its key; what comes over
    /// a connection has none.
    program: Option<Arc<Caller>>,
    /// A tool asks; what comes over a connection is no tool.
    is_tool: bool,
}

/// Marks a request that a tool makes for a model, by an extension of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FromTool;

impl Head {
    /// Takes the headers off a request; the address stays there as well.
    pub(crate) fn take<B>(request: &mut Request<B>) -> Self {
        let headers = std::mem::take(request.headers_mut());
        let connection = request.extensions_mut().remove();
        let local_member = request.extensions_mut().remove();
        let program = request.extensions_mut().remove();
        let is_tool = request.extensions_mut().remove::<FromTool>().is_some();
        let uri = request.uri().clone();
        Self(Arc::new(Inner { headers, uri, connection, local_member, program, is_tool }))
    }

    /// The request that has this head.
    ///
    /// # Errors
    /// None that a request could have which was sent.
    pub(crate) fn request<B>(&self, method: Method, body: B) -> http::Result<Request<B>> {
        let mut request = Request::builder().method(method).uri(self.0.uri.clone()).body(body)?;
        request.headers_mut().clone_from(&self.0.headers);
        Ok(request)
    }

    /// Who asks within the server, by an extension of the request.
    pub(crate) fn program(&self) -> Option<&Arc<Caller>> {
        self.0.program.as_ref()
    }

    /// True when a tool asks for a model, whoever has let that in.
    pub(crate) fn is_from_tool(&self) -> bool {
        self.0.is_tool
    }

    /// Whom the program itself has let in, by an extension of the request.
    pub(crate) fn local_member(&self) -> Option<&Arc<Member>> {
        self.0.local_member.as_ref()
    }

    /// The address that the request has come from.
    pub(crate) fn peer(&self) -> Option<IpAddr> {
        self.0.connection.as_ref().map(Connection::peer)
    }

    /// True when a program of this machine has sent the request: it came from there, for a host of
    /// that name, and no proxy says that it passed it on for somebody else.
    ///
    /// A page that a browser was led to by a name of its own has that name as the host.
    pub(crate) fn is_of_this_machine(&self) -> bool {
        let is_near = self.0.connection.as_ref().is_some_and(|one| one.peer().is_loopback());
        let is_passed_on = PASSED_ON.iter().any(|name| self.0.headers.contains_key(name));
        is_near && !is_passed_on && self.authority().is_some_and(|host| is_loopback_name(&host))
    }

    /// Whoever has sent it has shown a key, a pass or a signed link: its connection is not among
    /// the first to be closed.
    pub(crate) fn is_of_somebody_known(&self) {
        if let Some(connection) = &self.0.connection {
            connection.is_known();
        }
    }

    /// The host that the request is for.
    fn authority(&self) -> Option<Authority> {
        if let Some(authority) = self.0.uri.authority() {
            return Some(authority.clone());
        }
        self.only(&HOST)?.to_str().ok()?.parse().ok()
    }

    /// The key of `Authorization: Bearer …`; `None` when it is missing or of another form.
    pub(crate) fn bearer(&self) -> Option<&str> {
        let value = self.only(&AUTHORIZATION)?.to_str().ok()?;
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    }

    /// The Idempotency-Key.
    ///
    /// # Errors
    /// `invalid_request` when it is sent more than once or is not text.
    pub(super) fn idempotency_key(&self) -> Result<Option<&str>, Refusal> {
        let mut values = self.0.headers.get_all(IDEMPOTENCY_KEY).iter();
        let Some(value) = values.next() else { return Ok(None) };
        let refuse = |message| Refusal::invalid("Idempotency-Key", message);
        if values.next().is_some() {
            return Err(refuse("The key is sent more than once."));
        }
        let key = std::str::from_utf8(value.as_bytes());
        key.map(Some).map_err(|_| refuse("The key is not text."))
    }

    /// True when the body is declared as JSON.
    pub(crate) fn is_json(&self) -> bool {
        let value = self.only(&CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = value.and_then(|value| value.split(';').next()).unwrap_or_default();
        let essence = essence.trim().to_ascii_lowercase();
        essence == "application/json"
            || (essence.starts_with("application/") && essence.ends_with("+json"))
    }

    /// True when no encoding of the body, such as a compression, is declared.
    pub(crate) fn is_unencoded(&self) -> bool {
        let mut values = self.0.headers.get_all(CONTENT_ENCODING).iter();
        values.all(|value| value.as_bytes().eq_ignore_ascii_case(b"identity"))
    }

    /// True when the body is declared as a form of a page.
    pub(crate) fn is_form(&self) -> bool {
        let value = self.only(&CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = value.and_then(|value| value.split(';').next()).unwrap_or_default();
        essence.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded")
    }

    /// What stands between the parts of a form with files; `None` for a body that is none.
    ///
    /// Source: RFC 7578, section 4.1.
    pub(crate) fn boundary(&self) -> Option<String> {
        multer::parse_boundary(self.only(&CONTENT_TYPE)?.to_str().ok()?).ok()
    }

    /// The value of a cookie; the first where a browser sends several of one name.
    ///
    /// Source: RFC 6265, section 5.4: those of the longer path come first.
    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        let values = self.0.headers.get_all(COOKIE).iter();
        let mut pairs = values.filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(';'));
        pairs.find_map(|pair| {
            let (found, value) = pair.split_once('=')?;
            (found.trim() == name).then(|| value.trim())
        })
    }

    /// True when a page of another site has made the browser send this. The browser says so of its
    /// own accord; a page has no say in it. `server` is how browsers reach this server.
    ///
    /// Browsers tell the site of what goes to https and to their own machine. Where they do not,
    /// they tell an origin, which is `null` for forms of pages without a referrer, such as ours.
    ///
    /// Sources: <https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header>,
    /// <https://fetch.spec.whatwg.org/#append-a-request-origin-header>.
    pub(crate) fn is_of_other_site(&self, server: &Url) -> bool {
        if self.0.headers.contains_key(SEC_FETCH_SITE) {
            let site = self.only(&SEC_FETCH_SITE).map(HeaderValue::as_bytes);
            // What nobody but the person has begun comes from no site.
            return !matches!(site, Some(b"same-origin" | b"none"));
        }
        if !self.0.headers.contains_key(ORIGIN) {
            return false;
        }
        let Some(origin) = self.only(&ORIGIN).and_then(|origin| origin.to_str().ok()) else {
            return true;
        };
        // A proxy may have changed the host; the address that was set is what browsers see.
        let is_of_host = origin.split_once("://").is_some_and(|(_, authority)| {
            self.only(&HOST).is_some_and(|host| host.as_bytes() == authority.as_bytes())
        });
        origin != "null" && !is_of_host && origin != server.origin().ascii_serialization()
    }

    /// True when the request is for this machine by one of its own names, or for the host by which
    /// others reach `server`: no page that was led here by a name of its own has sent it.
    pub(crate) fn is_for(&self, server: &Url) -> bool {
        self.authority().is_some_and(|authority| {
            let is_named = |host: &str| host.eq_ignore_ascii_case(authority.host());
            is_loopback_name(&authority) || server.host_str().is_some_and(is_named)
        })
    }

    /// True when no page has sent it, or one of the origin of `server`, of the host that it is for,
    /// or of one of these.
    pub(crate) fn is_of_origin(&self, server: &Url, allowed: &[HeaderValue]) -> bool {
        if !self.0.headers.contains_key(ORIGIN) {
            return true;
        }
        let Some(origin) = self.only(&ORIGIN) else { return false };
        let is_of_host = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        let is_of_host = is_of_host.is_some_and(|(_, authority)| {
            self.only(&HOST).is_some_and(|host| host.as_bytes() == authority.as_bytes())
        });
        let own = server.origin().ascii_serialization();
        is_of_host || origin.as_bytes() == own.as_bytes() || allowed.contains(origin)
    }

    /// The declared length of the body, in bytes.
    pub(crate) fn content_length(&self) -> Option<u64> {
        self.only(&CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
    }

    /// True when the caller has the version with this entity tag already.
    pub(crate) fn has_version(&self, etag: &str) -> bool {
        let values = self.0.headers.get_all(IF_NONE_MATCH).iter();
        let mut tags = values.filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(','));
        tags.any(|tag| {
            let tag = tag.trim();
            tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag
        })
    }

    /// The revisions that a change is meant for, as `If-Match` names them; `None` when it is meant
    /// for whatever there is. A weak tag matches none.
    ///
    /// Source: RFC 9110, section 13.1.1.
    ///
    /// # Errors
    /// `invalid_request` when something in it is not an entity tag.
    pub(crate) fn if_match(&self) -> Result<Option<Vec<i64>>, Refusal> {
        let values = self.0.headers.get_all(IF_MATCH);
        let mut revisions = None;
        for tag in values.iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b',')) {
            let tag = std::str::from_utf8(tag).unwrap_or_default().trim();
            if tag == "*" {
                return Ok(None);
            }
            let quoted = tag.strip_prefix("W/").unwrap_or(tag);
            let inner = quoted.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
            let Some(inner) = inner.filter(|inner| !inner.contains('"')) else {
                let message = "If-Match holds entity tags as ETag gives them, such as \"3\", or *.";
                return Err(Refusal::invalid("If-Match", message));
            };
            let revision: Option<i64> = inner.parse().ok().filter(|_| quoted == tag);
            revisions.get_or_insert_with(Vec::new).extend(revision);
        }
        Ok(revisions)
    }

    /// The part of a file that is asked for, where the file has this entity tag; `None` for the
    /// whole, as well for what is no range or several, which may be passed over.
    ///
    /// Source: RFC 9110, sections 13.1.5 and 14.2.
    pub(crate) fn range(&self) -> Option<ByteRange> {
        let (unit, range) = self.only(&RANGE)?.to_str().ok()?.split_once('=')?;
        let (first, last) = range.trim().split_once('-')?;
        if !unit.trim().eq_ignore_ascii_case("bytes") {
            return None;
        }
        match (number(first)?, number(last)?) {
            (Some(first), Some(last)) if last < first => None,
            (Some(first), last) => Some(ByteRange::From { first, last }),
            (None, Some(last)) => Some(ByteRange::Last(last)),
            (None, None) => None,
        }
    }

    /// True when a range is meant for a certain version.
    pub(crate) fn has_range_version(&self) -> bool {
        self.0.headers.contains_key(IF_RANGE)
    }

    /// True when a range is meant for another version than that with this entity tag.
    pub(crate) fn has_other_range_version(&self, etag: &str) -> bool {
        self.has_range_version()
            && self.only(&IF_RANGE).is_none_or(|version| version.as_bytes() != etag.as_bytes())
    }

    /// The query of the address, without its question mark.
    pub(crate) fn query(&self) -> Option<&str> {
        self.0.uri.query()
    }

    /// The path of the address.
    pub(crate) fn path(&self) -> &str {
        self.0.uri.path()
    }

    /// A header's value, when it is sent exactly once.
    pub(crate) fn only(&self, name: &HeaderName) -> Option<&HeaderValue> {
        let mut values = self.0.headers.get_all(name).iter();
        values.next().filter(|_| values.next().is_none())
    }
}

/// True for this machine itself, by its name or by an address.
fn is_loopback_name(authority: &Authority) -> bool {
    let host = authority.host();
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

/// A number of a range: `Some(None)` where there is none, `None` for what is no number.
#[expect(clippy::option_option, reason = "absent and wrong are two things")]
fn number(text: &str) -> Option<Option<u64>> {
    if text.is_empty() {
        return Some(None);
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    // Beyond what can be counted is beyond every end.
    is_number.then(|| Some(text.parse().unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests;
