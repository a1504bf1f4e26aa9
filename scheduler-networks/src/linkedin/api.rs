//! Where LinkedIn's calls go, and the headers that each of them carries.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;

use crate::code_flow::Fields;
use crate::conversation::{ApiVersion, Body, Method, Request};
use crate::endpoint::Endpoint;

/// The version of the interface that this adapter was written for.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/versioning>.
const VERSION: &str = "202607";

/// Months after which a version is near its end; it lives for at least twelve.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/versioning>.
const OLD_MONTHS: i32 = 10;

/// LinkedIn's addresses, and the version that is spoken with them.
#[derive(Clone, Debug)]
pub(super) struct Api {
    calls: Url,
    pages: Url,
    version: String,
}

impl Api {
    /// LinkedIn itself, or whatever answers for all of it at `base`.
    pub(super) fn new(base: Option<Url>, version: Option<String>) -> Self {
        let at = |own: &str| Endpoint::new(base.clone().unwrap_or_else(|| known(own))).at([]);
        let (calls, pages) = (at("https://api.linkedin.com"), at("https://www.linkedin.com"));
        Self { calls, pages, version: version.unwrap_or_else(|| VERSION.to_owned()) }
    }

    /// The version that is spoken, and the day from which it may be refused.
    pub(super) fn version(&self) -> ApiVersion {
        ApiVersion { name: self.version.clone(), retires_on: retires_on(&self.version) }
    }

    /// The address of a call of the versioned interface; `path` and `query` are encoded already.
    pub(super) fn rest(&self, path: &str, query: &str) -> Url {
        extended(&self.calls, &format!("rest/{path}"), query)
    }

    /// The address of a call of the older interface.
    pub(super) fn older(&self, path: &str) -> Url {
        extended(&self.calls, &format!("v2/{path}"), "")
    }

    /// The address of a call about tokens.
    pub(super) fn oauth(&self, path: &str) -> Url {
        extended(&self.pages, &format!("oauth/v2/{path}"), "")
    }

    /// The page on which a person gives access.
    pub(super) fn authorization(&self, pairs: &[(&str, &str)]) -> Url {
        let mut url = self.oauth("authorization");
        url.query_pairs_mut().extend_pairs(pairs);
        url
    }

    /// The call about tokens.
    pub(super) fn token_call(&self, fields: Fields) -> Request {
        Request::act(self.oauth("accessToken"), Body::Form(fields))
    }

    /// The page of a post.
    ///
    /// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>.
    pub(super) fn page(&self, urn: &str) -> String {
        extended(&self.pages, &format!("feed/update/{urn}/"), "").into()
    }

    /// A call that reads.
    pub(super) fn read(&self, token: &SecretString, path: &str, query: &str) -> Request {
        self.with_headers(Request::read(self.rest(path, query)), token)
    }

    /// A call that does something, with a body of JSON.
    pub(super) fn act(
        &self,
        token: &SecretString,
        path: &str,
        query: &str,
        body: Value,
    ) -> Request {
        self.with_headers(Request::act(self.rest(path, query), Body::Json(body)), token)
    }

    /// A call that removes something.
    pub(super) fn remove(&self, token: &SecretString, path: &str, query: &str) -> Request {
        let request = Request::act(self.rest(path, query), Body::Empty).method(Method::Delete);
        self.with_headers(request, token).header("x-restli-method", "DELETE".to_owned())
    }

    /// A call with what every call carries.
    ///
    /// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/versioning> and
    /// <https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/protocol-version>.
    pub(super) fn with_headers(&self, request: Request, token: &SecretString) -> Request {
        request
            .bearer(token.expose_secret())
            .header("linkedin-version", self.version.clone())
            .header("x-restli-protocol-version", "2.0.0".to_owned())
    }

    /// Tells the operator of a version that is near its end.
    pub(super) fn warn_when_old(&self, now: DateTime<Utc>) {
        if is_old(&self.version, now) {
            tracing::warn!(
                version = self.version,
                "this version of LinkedIn's interface is older than 10 months and will be retired: raise api_version of linkedin"
            );
        }
    }
}

/// A part of an address with every sign encoded that has a meaning in addresses, as names such as
/// `urn:li:share:1` have to be.
pub(super) fn encoded(text: &str) -> String {
    let encoded: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
    encoded.replace('+', "%20")
}

/// A list of names in the notation of the interface.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/protocol-version>.
pub(super) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(encoded).collect();
    format!("List({})", names.join(","))
}

fn extended(base: &Url, path: &str, query: &str) -> Url {
    let mut url = base.clone();
    let whole = format!("{}/{path}", url.path().trim_end_matches('/'));
    url.set_path(&whole);
    url.set_query(Some(query).filter(|query| !query.is_empty()));
    url
}

#[expect(clippy::expect_used, reason = "an address of this file, which a test reads")]
fn known(address: &str) -> Url {
    Url::parse(address).expect("is an address")
}

/// The earliest day on which a version has ended so far: the 15th, a year after its month.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/versioning>.
fn retires_on(version: &str) -> Option<NaiveDate> {
    let (year, month) = version.split_at_checked(4)?;
    let year = year.parse::<i32>().ok()?.checked_add(1)?;
    NaiveDate::from_ymd_opt(year, month.parse().ok()?, 15)
}

fn is_old(version: &str, now: DateTime<Utc>) -> bool {
    let parts = version.split_at_checked(4);
    let Some((Ok(year), Ok(month))) =
        parts.map(|(year, month)| (year.parse::<i32>(), month.parse::<i32>()))
    else {
        return false;
    };
    let month_now = i32::try_from(now.month()).unwrap_or(1);
    (now.year() - year) * 12 + month_now - month > OLD_MONTHS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_lives_a_year() {
        for (version, want) in [
            ("202607", Some("2027-07-15")),
            ("202511", Some("2026-11-15")),
            ("202613", None),
            ("soon", None),
            ("", None),
        ] {
            let version = Api::new(None, Some(version.to_owned())).version();
            let found = version.retires_on.map(|day| day.to_string());
            assert_eq!(found.as_deref(), want, "{}", version.name);
        }
    }

    #[test]
    fn names_are_encoded_in_addresses_and_left_alone_on_pages() {
        let api = Api::new(None, None);
        let urn = "urn:li:share:7141138937766391808";
        assert_eq!(
            api.rest(&format!("posts/{}", encoded(urn)), "").as_str(),
            "https://api.linkedin.com/rest/posts/urn%3Ali%3Ashare%3A7141138937766391808"
        );
        assert_eq!(
            api.rest("x", &format!("shares={}", list([urn, "a b"]))).as_str(),
            "https://api.linkedin.com/rest/x?shares=List(urn%3Ali%3Ashare%3A7141138937766391808,a%20b)"
        );
        let comment = encoded("urn:li:comment:(urn:li:activity:1,2)");
        assert_eq!(comment, "urn%3Ali%3Acomment%3A%28urn%3Ali%3Aactivity%3A1%2C2%29");
        assert_eq!(
            api.page(urn),
            "https://www.linkedin.com/feed/update/urn:li:share:7141138937766391808/"
        );
    }

    #[test]
    fn one_address_stands_for_all_of_the_network() {
        let base = Url::parse("http://127.0.0.1:9/linkedin/").unwrap();
        let api = Api::new(Some(base), None);
        assert_eq!(api.rest("posts", "").as_str(), "http://127.0.0.1:9/linkedin/rest/posts");
        assert_eq!(
            api.oauth("accessToken").as_str(),
            "http://127.0.0.1:9/linkedin/oauth/v2/accessToken"
        );
        assert_eq!(api.older("userinfo").as_str(), "http://127.0.0.1:9/linkedin/v2/userinfo");
    }

    #[test]
    fn versions_grow_old_after_ten_months() {
        for (version, now, want) in [
            ("202607", "2026-11-20T10:00:00Z", false),
            ("202607", "2027-05-31T10:00:00Z", false),
            ("202607", "2027-06-01T10:00:00Z", true),
            ("202512", "2026-11-20T10:00:00Z", true),
            ("202601", "2026-11-20T10:00:00Z", false),
            ("later", "2030-01-01T00:00:00Z", false),
            ("", "2030-01-01T00:00:00Z", false),
        ] {
            assert_eq!(is_old(version, now.parse().unwrap()), want, "{version} at {now}");
        }
    }
}
