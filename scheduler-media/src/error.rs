//! Why a file cannot be measured.

use std::io;

/// Why a file cannot be measured, as the end of a sentence that begins with its name.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// It holds no byte.
    #[error("is empty")]
    Empty,
    /// Its bytes are those of something else; its media type, where it is known.
    #[error("is neither a picture, a video nor a document{}", .0.map(|mime| format!(" ({mime})")).unwrap_or_default())]
    NotMedia(Option<&'static str>),
    /// It ends before what its headers announce.
    #[error("is cut off: it ends before its pictures do")]
    CutOff,
    /// Its headers contradict themselves; what is wrong.
    #[error("is damaged: {0}")]
    Damaged(&'static str),
    /// Its headers are longer or more numerous than those of any real file.
    #[error("is damaged: its headers have no end")]
    Endless,
    /// The system cannot read it.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
}
