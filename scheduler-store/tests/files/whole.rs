//! Files that come in one piece.

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use scheduler_core::ports::{ByteStream, FilesError};
use tokio::sync::oneshot;

use crate::stores::{broken, content, drop_midway, hanging, length, pieces, stores};

#[tokio::test]
async fn a_file_of_any_size_is_read_back() {
    for store in stores().await {
        for (number, size) in [(1, 1), (2, 5), (3, (512 << 10) - 1), (4, 512 << 10), (5, 3_000_001)]
        {
            let key = store.media(number).original();
            let file = content(1, size);
            assert_eq!(store.files.size(&key).await, Ok(None), "{} {size}", store.name);
            store.upload(&key, &file).await.unwrap();
            let found = store.files.size(&key).await;
            assert_eq!(found, Ok(Some(length(&file))), "{} {size}", store.name);
            assert!(store.read(&key).await == Some(file), "{} {size}", store.name);
        }
    }
}

#[tokio::test]
async fn the_last_of_two_uploads_to_one_key_counts() {
    for store in stores().await {
        let key = store.media(1).original();
        for seed in 1..=2 {
            let file = content(seed, 900_000);
            store.upload(&key, &file).await.unwrap();
            assert!(store.read(&key).await == Some(file), "{}", store.name);
        }
    }
}

#[tokio::test]
async fn two_uploads_to_one_key_at_once_leave_one_of_them() {
    for store in stores().await {
        let key = store.media(1).original();
        let (first, second) = (content(1, 1_500_000), content(2, 1_500_000));
        let (one, other) = tokio::join!(store.upload(&key, &first), store.upload(&key, &second));
        // The folder keeps what was begun last; the other was cut off.
        let both = [&one, &other].iter().filter(|sent| sent.is_ok()).count();
        assert!(both == 2 || (store.name == "folder" && both == 1), "{}", store.name);
        let found = store.read(&key).await.unwrap();
        assert!(found == first || found == second, "{}: a mixture", store.name);
    }
}

#[tokio::test]
async fn what_the_server_writes_is_read_back_and_replaced() {
    for store in stores().await {
        let key = store.media(1).preview();
        // Over what a bucket takes in one piece, and empty.
        for (seed, size) in [(1, 100), (2, 20 << 20), (3, 0)] {
            let file = content(seed, size);
            let written = store.files.write(&key, "image/webp", pieces(&file)).await;
            assert_eq!(written, Ok(length(&file)), "{}", store.name);
            assert!(store.read(&key).await == Some(file), "{} {size}", store.name);
        }
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_keeps_what_was_there() {
    for store in stores().await {
        let key = store.media(1).original();
        let error = FilesError::Refused("The sender went away.".to_owned());
        for size in [10, 12 << 20] {
            let stream = broken(&content(1, size));
            let written = store.files.write(&key, "video/mp4", stream).await;
            assert_eq!(written, Err(error.clone()), "{}", store.name);
            assert_eq!(store.files.size(&key).await, Ok(None), "{}", store.name);
        }
        let file = content(2, 10);
        store.files.write(&key, "video/mp4", pieces(&file)).await.unwrap();
        let stream = broken(&content(1, 12 << 20));
        store.files.write(&key, "video/mp4", stream).await.unwrap_err();
        assert!(store.read(&key).await == Some(file), "{}", store.name);
    }
}

#[tokio::test]
async fn a_write_that_is_dropped_keeps_nothing() {
    for store in stores().await {
        let key = store.media(1).original();
        let (stream, all_taken) = hanging(&content(1, 12 << 20));
        drop_midway(store.files.write(&key, "video/mp4", stream), all_taken).await;
        assert_eq!(store.files.size(&key).await, Ok(None), "{}", store.name);
        let file = content(2, 5);
        store.files.write(&key, "video/mp4", pieces(&file)).await.unwrap();
        assert!(store.read(&key).await == Some(file), "{}", store.name);
    }
}

#[tokio::test]
async fn what_is_not_there_is_missing() {
    for store in stores().await {
        let key = store.media(1).original();
        assert!(store.files.read(&key, None).await.is_err_and(|e| e == FilesError::Missing));
        let read = store.files.read(&key, Some(0..1)).await;
        assert!(read.is_err_and(|error| error == FilesError::Missing), "{}", store.name);
        let link = store.files.read_link(&key, "image/png", store.soon()).await.unwrap();
        assert!(store.serving.fetch(&link, None).await.is_err(), "{}", store.name);
    }
}

#[tokio::test]
async fn a_body_of_another_size_is_refused() {
    for store in stores().await.into_iter().filter(|store| store.binds_size) {
        let key = store.media(1).original();
        let link = store.files.upload_link(&key, 1_000_000, store.soon()).await.unwrap();
        for (name, size, declared) in [
            ("declared longer", 1_000_001, Some(1_000_001)),
            ("declared shorter", 999_999, Some(999_999)),
            ("longer", 1_000_001, None),
            ("shorter", 999_999, None),
            ("much longer", 3_000_000, None),
            ("empty", 0, None),
        ] {
            let sent = store.serving.send(&link.url, declared, pieces(&content(1, size))).await;
            assert!(sent.is_err(), "{}: {name}", store.name);
            assert_eq!(store.files.size(&key).await, Ok(None), "{}: {name}", store.name);
        }
        let file = content(1, 1_000_000);
        store.serving.send(&link.url, Some(1_000_000), pieces(&file)).await.unwrap();
        assert!(store.read(&key).await == Some(file), "{}", store.name);
    }
}

#[tokio::test]
async fn a_stream_of_one_piece_is_written_too() {
    for store in stores().await {
        let key = store.media(1).original();
        let bytes = ByteStream::once(Bytes::from_static(b"bytes"));
        assert_eq!(store.files.write(&key, "image/png", bytes).await, Ok(5), "{}", store.name);
        assert_eq!(store.read(&key).await.as_deref(), Some(&b"bytes"[..]), "{}", store.name);
    }
}

#[tokio::test]
async fn what_was_sent_settles_once() {
    for store in stores().await {
        let (sent, kept) = (store.media(1).sent(), store.media(1).original());
        store.files.settle(&sent, &kept).await.unwrap();
        assert_eq!(store.files.size(&kept).await, Ok(None), "{}: nothing was sent", store.name);
        let file = content(1, 900_000);
        store.upload(&sent, &file).await.unwrap();
        for _ in 0..2 {
            store.files.settle(&sent, &kept).await.unwrap();
            assert_eq!(store.files.size(&sent).await, Ok(None), "{}", store.name);
            assert!(store.read(&kept).await.as_ref() == Some(&file), "{}", store.name);
        }
        let late = ByteStream::once(Bytes::from_static(b"late"));
        store.files.write(&sent, "image/png", late).await.unwrap();
        store.files.settle(&sent, &kept).await.unwrap();
        assert_eq!(store.files.size(&sent).await, Ok(None), "{}", store.name);
        assert!(store.read(&kept).await == Some(file), "{}: it was replaced", store.name);
    }
}

#[tokio::test]
async fn a_file_that_has_settled_takes_no_more_bytes() {
    // Only the folder sees what comes to its links.
    for store in stores().await.into_iter().filter(|store| store.name == "folder") {
        let (sent, kept) = (store.media(1).sent(), store.media(1).original());
        let (file, late) = (content(1, 900_000), content(2, 900_000));
        let link = store.files.upload_link(&sent, length(&file), store.soon()).await.unwrap();
        // One that began before, and ends afterwards.
        let (begin, begun) = oneshot::channel();
        let (go_on, goes_on) = oneshot::channel();
        let (first, rest) = (late.slice(..600_000), late.slice(600_000..));
        let first = stream::once(async move {
            begin.send(()).unwrap();
            Ok(first)
        });
        let slow = first.chain(stream::once(async move {
            goes_on.await.unwrap();
            Ok(rest)
        }));
        let slow = store.serving.send(&link.url, None, ByteStream(Box::pin(slow)));
        let meanwhile = async {
            begun.await.unwrap();
            store.serving.send(&link.url, None, pieces(&file)).await.unwrap();
            store.files.settle(&sent, &kept).await.unwrap();
            go_on.send(()).unwrap();
        };
        let (slow, ()) = tokio::join!(slow, meanwhile);
        assert!(slow.is_err(), "{}", store.name);
        assert!(store.serving.send(&link.url, None, pieces(&late)).await.is_err());
        assert_eq!(store.files.size(&sent).await, Ok(None), "{}", store.name);
        assert!(store.read(&kept).await == Some(file), "{}", store.name);
    }
}
