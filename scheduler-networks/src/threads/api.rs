//! Where the calls of Threads go.

use url::Url;

use crate::endpoint::Endpoint;

/// A server and the version of its calls.
#[derive(Clone, Debug)]
pub(super) struct Api {
    pub(super) server: Endpoint,
    pub(super) version: String,
}

impl Api {
    /// The address of a call.
    pub(super) fn at(&self, segments: &[&str]) -> Url {
        let version = [self.version.as_str()];
        self.server.at(version.into_iter().chain(segments.iter().copied()))
    }

    /// The same with a query.
    pub(super) fn query(&self, segments: &[&str], pairs: &[(&str, &str)]) -> Url {
        let version = [self.version.as_str()];
        self.server.query(version.into_iter().chain(segments.iter().copied()), pairs)
    }
}
