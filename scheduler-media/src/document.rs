//! Documents that are made of several files.

use std::io::{Read, Seek};

use scheduler_core::media::MediaKind;

use crate::format::holds;
use crate::source::Source;
use crate::{MeasureError, Measured};

/// The end of a file in which its list of files is looked for.
///
/// Ours: the list of a presentation of thousands of files is as long.
const LIST_BYTES: u64 = 256 * 1024;

/// The file that each type has, by its name in the list.
///
/// Source: ISO/IEC 29500-1, 11.3.10 and 13.3.6, as Office and LibreOffice name the parts.
const TYPES: [(&[u8], &str); 2] = [
    (
        b"ppt/presentation.xml",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
    (
        b"word/document.xml",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
];

/// Tells a presentation or a text of Office by the list of files that a ZIP file ends with.
///
/// # Errors
/// [`MeasureError::NotMedia`] with the type that the first bytes speak for, or those of the system.
pub(crate) fn measure(
    source: &mut Source<impl Read + Seek>,
    otherwise: &'static str,
) -> Result<Measured, MeasureError> {
    let length = source.length();
    let list = source.tail(LIST_BYTES)?;
    let found = TYPES.iter().find(|(name, _)| holds(list, name));
    let (_, mime_type) = found.ok_or(MeasureError::NotMedia(Some(otherwise)))?;
    Ok(Measured::new(MediaKind::Document, mime_type, length))
}
