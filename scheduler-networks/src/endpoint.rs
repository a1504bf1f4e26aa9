//! The addresses of one server's calls.

use url::Url;

/// A server, by the address that its calls' paths are appended to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint(Url);

impl Endpoint {
    /// A server at an address; its path is kept, its query and fragment are not.
    pub(crate) fn new(mut base: Url) -> Self {
        base.set_query(None);
        base.set_fragment(None);
        Self(base)
    }

    /// The address of a call. Each segment is one step of the path, whatever it holds.
    pub(crate) fn at<'a>(&self, segments: impl IntoIterator<Item = &'a str>) -> Url {
        let mut url = self.0.clone();
        // Fails only for addresses without a host, which no server has.
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// The same with a query.
    pub(crate) fn query<'a>(
        &self,
        segments: impl IntoIterator<Item = &'a str>,
        pairs: &[(&str, &str)],
    ) -> Url {
        let mut url = self.at(segments);
        url.query_pairs_mut().extend_pairs(pairs);
        url
    }

    /// The address itself, without a slash at its end.
    pub(crate) fn address(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }

    /// Host, and port where it is not the usual one.
    pub(crate) fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_appended_to_the_path_of_the_server() {
        for (name, base, want) in [
            ("a host", "https://a.example", "https://a.example/xrpc/a.b.c"),
            ("a slash", "https://a.example/", "https://a.example/xrpc/a.b.c"),
            ("a path", "http://127.0.0.1:80/bluesky", "http://127.0.0.1/bluesky/xrpc/a.b.c"),
            ("a path and a slash", "https://a.example/x/", "https://a.example/x/xrpc/a.b.c"),
            ("a query", "https://a.example/?token=1#x", "https://a.example/xrpc/a.b.c"),
        ] {
            let endpoint = Endpoint::new(Url::parse(base).unwrap());
            assert_eq!(endpoint.at(["xrpc", "a.b.c"]).as_str(), want, "{name}");
        }
    }

    #[test]
    fn what_is_given_stays_within_its_place() {
        let endpoint = Endpoint::new(Url::parse("https://a.example:8443/").unwrap());
        assert_eq!(
            endpoint.query(["statuses", "../x?y"], &[("a b", "c&d=e")]).as_str(),
            "https://a.example:8443/statuses/..%2Fx%3Fy?a+b=c%26d%3De"
        );
        assert_eq!(endpoint.host(), "a.example:8443");
        assert_eq!(endpoint.address(), "https://a.example:8443");
    }
}
