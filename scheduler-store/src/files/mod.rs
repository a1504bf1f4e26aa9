//! Where the bytes of files are kept: a folder of the server, or a bucket of an S3 service.
//!
//! - `url`: which of the two a server uses, as one text of its configuration.
//! - `folder`: bytes pass through this server, under links that it signs and serves itself.
//! - `s3` (a feature): bytes go between the caller and the bucket, under presigned links.
//!
//! Both pass one suite, `tests/files`.

mod check;
mod folder;
#[cfg(feature = "s3")]
mod s3;
mod url;

pub use folder::{
    CopiedFiles, FREE_BYTES_MIN, FolderFiles, FolderSettings, copy_files, has_copied_file,
};
#[cfg(feature = "s3")]
pub use s3::{S3Files, S3Keys, S3OpenError};
pub use url::{Addressing, BucketUrl, FilesUrl, FilesUrlError};
