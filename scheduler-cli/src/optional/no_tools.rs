//! A build without tools for clients of the Model Context Protocol.

use scheduler_http::endpoints::Endpoint;

pub(crate) const fn endpoints() -> &'static [&'static Endpoint] {
    &[]
}
