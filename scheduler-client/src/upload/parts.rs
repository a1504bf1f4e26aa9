//! Which parts a file has, and sending those that are missing, several at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use scheduler_core::app::UploadView;
use tokio::task::JoinSet;

use super::send::{Part, SendError, Sender};
use crate::error::UploadError;

/// The parts of an upload of so many bytes; one for a file that is sent whole.
///
/// # Errors
/// [`UploadError::Parts`] when what the server asks for does not cover the file.
pub(super) fn parts_of(upload: &UploadView, size_bytes: u64) -> Result<Vec<Part>, UploadError> {
    let (part_bytes, count) = match upload {
        UploadView::Single { .. } => (size_bytes, 1),
        UploadView::Multipart { part_size, parts } => (*part_size, parts.len() as u64),
        UploadView::Ingest {} => (0, 0),
    };
    if part_bytes == 0 || size_bytes.div_ceil(part_bytes) != count {
        return Err(UploadError::Parts { count, part_bytes, size_bytes });
    }
    let part = |number: u32| {
        let offset = u64::from(number - 1) * part_bytes;
        Part { number, offset, length: part_bytes.min(size_bytes - offset) }
    };
    Ok((1..).take_while(|number| u64::from(*number) <= count).map(part).collect())
}

/// Sends parts, so many at once, and hands each one's number and ETag over as it arrives.
///
/// # Errors
/// [`SendError`] of the first that does not arrive; those under way are given up.
pub(super) async fn send_parts(
    sender: Arc<Sender>,
    parts: Vec<Part>,
    parallel: usize,
    mut arrived: impl FnMut(u32, String),
) -> Result<(), SendError> {
    let mut waiting = parts.into_iter();
    let mut under_way = JoinSet::new();
    loop {
        while under_way.len() < parallel
            && let Some(part) = waiting.next()
        {
            let sender = Arc::clone(&sender);
            under_way.spawn(async move { (part.number, sender.send(part).await) });
        }
        let Some(ended) = under_way.join_next().await else { return Ok(()) };
        let (number, sent) = ended.map_err(UploadError::GivenUp)?;
        arrived(number, sent?);
    }
}

pub(super) fn missing(parts: &[Part], arrived: &BTreeMap<u32, String>) -> Vec<Part> {
    parts.iter().copied().filter(|part| !arrived.contains_key(&part.number)).collect()
}

#[cfg(test)]
mod tests {
    use scheduler_core::app::PartView;

    use super::*;

    fn multipart(part_size: u64, count: u32) -> UploadView {
        let parts = (1..=count).map(|part_number| PartView { part_number, url: String::new() });
        UploadView::Multipart { part_size, parts: parts.collect() }
    }

    fn single() -> UploadView {
        UploadView::Single { upload_url: String::new(), headers: BTreeMap::new() }
    }

    #[test]
    fn parts_cover_the_file() {
        for (name, upload, size_bytes, want) in [
            ("whole", single(), 7, Some(&[(0, 7)][..])),
            ("a shorter last part", multipart(3, 3), 7, Some(&[(0, 3), (3, 3), (6, 1)])),
            ("no shorter part", multipart(3, 2), 6, Some(&[(0, 3), (3, 3)])),
            ("a part too few", multipart(3, 2), 7, None),
            ("a part too many", multipart(3, 3), 6, None),
            ("no size", multipart(0, 1), 6, None),
            ("fetched", UploadView::Ingest {}, 6, None),
        ] {
            let parts = parts_of(&upload, size_bytes).ok();
            if let Some(parts) = &parts {
                assert!(parts.iter().map(|part| part.number).eq(1..=parts.len() as u32));
            }
            let found = parts.map(|parts| {
                parts.iter().map(|part| (part.offset, part.length)).collect::<Vec<_>>()
            });
            assert_eq!(found.as_deref(), want, "{name}");
        }
    }

    #[test]
    fn what_has_arrived_is_not_missing() {
        let parts = parts_of(&multipart(3, 3), 7).unwrap();
        let arrived = BTreeMap::from([(2, "e".to_owned())]);
        let left: Vec<u32> = missing(&parts, &arrived).iter().map(|part| part.number).collect();
        assert_eq!(left, [1, 3]);
    }
}
