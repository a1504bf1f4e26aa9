//! What a build can leave out: buckets (the feature `s3`), the sandbox (`sandbox`), pictures
//! (`media`), pages for people (`web`), tools for agents (`mcp`), and PostgreSQL (`postgres`), which
//! leaves nothing out here.
//!
//! Where a feature is off, a stand-in of the same form says how to get it.

#[cfg_attr(not(feature = "s3"), path = "no_bucket.rs")]
pub(crate) mod bucket;
#[cfg_attr(not(feature = "web"), path = "no_pages.rs")]
pub(crate) mod pages;
#[cfg_attr(not(feature = "media"), path = "no_picture.rs")]
pub(crate) mod picture;
#[cfg_attr(not(feature = "sandbox"), path = "no_sandbox.rs")]
pub(crate) mod sandbox;
#[cfg_attr(not(feature = "mcp"), path = "no_tools.rs")]
pub(crate) mod tools;

use std::sync::{Arc, LazyLock};

use scheduler_core::oauth::OAuth;
use scheduler_http::endpoints::Endpoint;
use scheduler_networks::outbound::{ClientError, DocumentReader, Guard};
use url::Url;

/// What a server answers beside its own: the pages, and the tools.
pub(crate) fn served() -> &'static [&'static Endpoint] {
    static SERVED: LazyLock<Vec<&Endpoint>> = LazyLock::new(|| {
        let (pages, tools) = (pages::pages().iter(), tools::endpoints().iter());
        pages.chain(tools).copied().collect()
    });
    &SERVED
}

/// What lets programs in to the tools by OAuth; `None` where there are none, or no pages on which
/// people are asked, or where the address of the server does not allow it.
///
/// # Errors
/// [`ClientError`]
pub(crate) fn oauth(server: &Url, allow_private: bool) -> Result<Option<OAuth>, ClientError> {
    if !cfg!(all(feature = "web", feature = "mcp")) {
        return Ok(None);
    }
    let documents = DocumentReader::new(Guard::new(allow_private))?;
    Ok(OAuth::at(server, Arc::new(documents)))
}

/// Why a setting cannot name a database of PostgreSQL; `None` where it can.
pub(crate) const NO_POSTGRES: Option<&str> = if cfg!(feature = "postgres") {
    None
} else {
    Some(
        "names a database of PostgreSQL, and this build has no PostgreSQL; build it with the \
         feature `postgres`, or use a sqlite: address",
    )
};

/// Why a setting cannot name a bucket; `None` where it can.
pub(crate) const NO_BUCKETS: Option<&str> = if cfg!(feature = "s3") {
    None
} else {
    Some(
        "names a bucket, and this build has no S3; build it with the feature `s3`, or name a \
         folder",
    )
};
