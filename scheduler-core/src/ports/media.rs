//! Fetching files from elsewhere, and finding out what files are.

use async_trait::async_trait;
use bytes::Bytes;

use super::{ByteStream, FilesError};
use crate::feeds::{FeedAnswer, FeedRequest};
use crate::media::{Decoding, Edit, FileFolder, FileKey, MediaFacts, Recipe};

/// A file that is being fetched.
#[derive(Debug)]
pub struct Fetched {
    /// Its bytes; the stream ends with an error when it is longer than was allowed.
    pub bytes: ByteStream,
}

/// Why a file cannot be fetched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// It cannot be had from there; a sentence for a person.
    #[error("{0}")]
    Refused(String),
    /// It may work later; a sentence for a person.
    #[error("{0}")]
    Temporary(String),
}

/// What a web page says of itself, for the card of a link to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFacts {
    /// Its title.
    pub title: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// The picture that it names for itself.
    pub image: Option<PageImage>,
}

/// The picture that a web page names for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageImage {
    /// Its address.
    pub url: String,
    /// Its bytes, which nobody has looked at yet.
    pub bytes: Bytes,
}

/// Fetches files from public https addresses.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Fetcher: Send + Sync {
    /// Whether an address may be fetched at all, as far as that can be told without a network.
    ///
    /// # Errors
    /// A sentence for a person.
    fn check_address(&self, url: &str) -> Result<(), String>;

    /// Begins to fetch a file of at most `max_bytes`.
    ///
    /// # Errors
    /// [`FetchError`]
    async fn fetch(&self, url: &str, max_bytes: u64) -> Result<Fetched, FetchError>;

    /// Reads what a web page says of itself, and the picture that it names. Without a body of its
    /// own it reads none, and nothing is known of any page.
    ///
    /// # Errors
    /// [`FetchError`]
    async fn page(&self, _url: &str) -> Result<PageFacts, FetchError> {
        Ok(PageFacts::default())
    }

    /// Reads a feed, unless it is as it was. Without a body of its own it reads none.
    ///
    /// # Errors
    /// [`FetchError`]
    async fn feed(&self, _request: &FeedRequest) -> Result<FeedAnswer, FetchError> {
        Err(FetchError::Refused("No feeds are read from here.".to_owned()))
    }
}

/// What an examination has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Examined {
    /// What was measured.
    pub facts: MediaFacts,
    /// A small WebP picture, its longest side 512 pixels, where one could be made.
    pub preview: Option<Bytes>,
}

/// What was made of a file for a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// Where its bytes are kept.
    pub key: FileKey,
    /// What it is.
    pub facts: MediaFacts,
}

/// Why a file cannot be examined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExamineError {
    /// It is damaged, hostile, or no picture or video; a sentence for a person.
    #[error("{0}")]
    Unusable(String),
    /// The file store does not work.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// It may work later; a sentence for a person.
    #[error("{0}")]
    Temporary(String),
    /// It is being made in the background, and has come so far; asking again tells more.
    #[error("It is being made: {percent} % is done.")]
    InProgress {
        /// How much of it is done, from 0 to 100.
        percent: u8,
    },
}

/// Finds out what files are, and makes smaller ones of them.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Examiner: Send + Sync {
    /// Measures the bytes of a key and makes a preview.
    ///
    /// # Errors
    /// [`ExamineError`]
    async fn examine(&self, key: &FileKey) -> Result<Examined, ExamineError>;

    /// Makes of a picture or a video what a recipe asks for, and keeps it beside the original.
    ///
    /// What was made before is found again and not made anew. A video is made in the background.
    ///
    /// # Errors
    /// [`ExamineError`]; [`ExamineError::Unusable`] also for what cannot be made to fit,
    /// [`ExamineError::InProgress`] until a video is made.
    async fn derive(&self, folder: &FileFolder, recipe: &Recipe) -> Result<Derived, ExamineError>;

    /// Makes a version of the picture of one key, keeps it under another, and returns how many
    /// bytes it has.
    ///
    /// # Errors
    /// [`ExamineError`]; [`ExamineError::Unusable`] also for what cannot be made of it.
    async fn edit(&self, from: &FileKey, to: &FileKey, edit: &Edit) -> Result<u64, ExamineError> {
        let _ = (from, to, edit);
        Err(ExamineError::Unusable("This server makes no versions of files.".to_owned()))
    }

    /// What it can read of pictures, to make others of them.
    fn decoding(&self) -> Decoding {
        Decoding { pictures: true, heif: false, films: false }
    }
}

/// Stands where a program has nothing that fetches or examines files: none can be had.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMedia;

#[async_trait]
impl Fetcher for NoMedia {
    fn check_address(&self, _: &str) -> Result<(), String> {
        Err("This server fetches no files; upload it instead.".to_owned())
    }

    async fn fetch(&self, _: &str, _: u64) -> Result<Fetched, FetchError> {
        Err(FetchError::Refused("This server fetches no files; upload it instead.".to_owned()))
    }
}

#[async_trait]
impl Examiner for NoMedia {
    async fn examine(&self, _: &FileKey) -> Result<Examined, ExamineError> {
        Err(ExamineError::Unusable("This server takes no files.".to_owned()))
    }

    async fn derive(&self, _: &FileFolder, _: &Recipe) -> Result<Derived, ExamineError> {
        Err(ExamineError::Unusable("This server takes no files.".to_owned()))
    }

    fn decoding(&self) -> Decoding {
        Decoding::NOTHING
    }
}
