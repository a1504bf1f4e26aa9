//! Files in a folder of the server.
//!
//! ```text
//! kept/{workspace}/{media}/{name}               whole files, and nothing else
//! partial/{workspace}.{media}.{name}.{random}   a file on its way, locked by who writes it
//! partial/{workspace}.{media}.{name}.{id}.parts/
//!                                               an upload in parts
//! partial/*.removed                             what is being removed
//! ```
//!
//! A file is written to `partial`, brought to the disk, and renamed into `kept`. The lock on what
//! is on its way ends with the process that holds it, so that leftovers can be told from files
//! that are being written. What is on its way lies in one folder, so that cleaning after a crash
//! need not walk over everything that is kept.
//!
//! Of what is sent to one link the newest counts: whoever begins to send cuts off whoever has begun
//! before, and frees what has come of that. So however many send at once, a link takes no more room
//! than what it is for and one attempt. [`Room`] keeps some of the disk free.
//!
//! All work on the disk runs on threads that may block.

mod clean;
mod copy;
mod draft;
mod fault;
mod files;
mod layout;
mod parts;
mod read;
mod room;
mod signed;
mod stream;

use std::path::PathBuf;
use std::sync::Arc;

use scheduler_core::media::link::LinkSigner;
use scheduler_core::ports::{Clock, FilesError};
use url::Url;

pub use copy::{CopiedFiles, copy_files, has_copied_file};

use fault::blocking;
use layout::Layout;
use room::Room;

/// Bytes of the disk that files leave free unless said otherwise: 1 GiB.
///
/// Source: our decision; enough for the database to grow until somebody makes room.
pub const FREE_BYTES_MIN: u64 = 1 << 30;

/// What a folder of files is opened with.
pub struct FolderSettings {
    /// The folder; made where it does not exist.
    pub folder: PathBuf,
    /// The address under which callers reach this server; links begin with it.
    pub public_url: Url,
    /// What links are signed with, such as `SealingKey::derive` gives for `file links`.
    pub link_secret: [u8; 32],
    /// Bytes of the disk below which nothing is taken any more that is sent or fetched; 0 for a
    /// disk that may be filled.
    pub free_bytes_min: u64,
}

impl std::fmt::Debug for FolderSettings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { folder, public_url, link_secret: _, free_bytes_min: _ } = self;
        write!(formatter, "FolderSettings({}, links to {public_url})", folder.display())
    }
}

/// Keeps files in a folder of the server, and serves its own links.
///
/// Several processes may share the folder when its file system has working locks.
#[derive(Clone)]
pub struct FolderFiles {
    layout: Arc<Layout>,
    room: Room,
    signer: LinkSigner,
    /// The address that keys are put behind, with a slash at its end.
    link_base: Arc<str>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for FolderFiles {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("FolderFiles").field("layout", &self.layout).finish_non_exhaustive()
    }
}

impl FolderFiles {
    /// Opens a folder, makes it where it does not exist, and removes what a crash has left of
    /// files that were on their way.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`] when the folder cannot be made or written to.
    pub async fn open(settings: FolderSettings, clock: Arc<dyn Clock>) -> Result<Self, FilesError> {
        let FolderSettings { folder, public_url, link_secret, free_bytes_min } = settings;
        let room = Room { folder: folder.clone(), free_bytes_min };
        let mut link_base = public_url;
        link_base.set_query(None);
        link_base.set_fragment(None);
        let path = format!("{}/files/", link_base.path().trim_end_matches('/'));
        link_base.set_path(&path);
        let layout = blocking(move || Layout::make(folder)).await?;
        let files = Self {
            layout: Arc::new(layout),
            room,
            signer: LinkSigner::new(link_secret),
            link_base: link_base.as_str().into(),
            clock,
        };
        files.clean().await?;
        Ok(files)
    }
}
