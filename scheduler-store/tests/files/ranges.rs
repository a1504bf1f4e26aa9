//! Reading a part of a file.

use scheduler_core::ports::ByteRange;

use crate::stores::{content, stores};

#[tokio::test]
async fn ranges_are_cut_off_at_the_end() {
    for store in stores().await {
        let key = store.media(1).original();
        let file = content(1, 700_000);
        store.upload(&key, &file).await.unwrap();
        for (name, range, want) in [
            ("the first byte", 0..1, 0..1),
            ("in the middle", 262_143..262_146, 262_143..262_146),
            ("the whole", 0..700_000, 0..700_000),
            ("over the end", 699_999..u64::MAX, 699_999..700_000),
            ("nothing", 5..5, 5..5),
        ] {
            let read = store.files.read(&key, Some(range)).await;
            let read = read.unwrap_or_else(|error| panic!("{} {name}: {error}", store.name));
            let bytes = read.collect().await.unwrap();
            assert!(bytes == file.slice(want), "{} {name}", store.name);
        }
    }
}

#[tokio::test]
async fn a_link_gives_ranges_and_its_media_type() {
    for store in stores().await.into_iter().filter(|store| store.has_signed_links) {
        let key = store.media(1).original();
        let file = content(1, 700_000);
        store.upload(&key, &file).await.unwrap();
        let link = store.files.read_link(&key, "video/mp4", store.soon()).await.unwrap();
        let from = |first, last| Some(ByteRange::From { first, last });
        for (name, range, want) in [
            ("the whole", None, 0..700_000),
            ("the first two bytes", from(0, Some(1)), 0..2),
            ("from a byte", from(699_990, None), 699_990..700_000),
            ("the end", Some(ByteRange::Last(300_000)), 400_000..700_000),
        ] {
            let (media_type, bytes) = store.serving.fetch(&link, range).await.unwrap();
            assert_eq!(media_type, "video/mp4", "{} {name}", store.name);
            assert!(bytes == file.slice(want), "{} {name}", store.name);
        }
        let outside = store.serving.fetch(&link, from(700_000, None)).await;
        assert!(outside.is_err(), "{}", store.name);
    }
}
