//! No pages for people.

use scheduler_http::endpoints::Endpoint;

/// None.
pub(crate) const fn pages() -> &'static [&'static Endpoint] {
    &[]
}
