//! What a build can leave out: buckets (the feature `s3`), the sandbox (`sandbox`), pictures
//! (`media`), pages for people (`web`), and PostgreSQL (`postgres`), which leaves nothing out here.
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
