//! Removing everything of a file.

use crate::stores::{content, pieces, stores};

#[tokio::test]
async fn erasing_removes_everything_of_one_file_and_nothing_else() {
    for store in stores().await {
        let (gone, other) = (store.media(1), store.media(2));
        let file = content(1, 100_000);
        for folder in [&gone, &other] {
            store.upload(&folder.original(), &file).await.unwrap();
            for key in [folder.preview(), folder.derived("bluesky-image")] {
                store.files.write(&key, "image/webp", pieces(&file)).await.unwrap();
            }
        }
        for _ in 0..2 {
            store.files.erase(&gone).await.unwrap();
            for key in [gone.original(), gone.preview(), gone.derived("bluesky-image")] {
                assert_eq!(store.files.size(&key).await, Ok(None), "{} {key}", store.name);
            }
        }
        for key in [other.original(), other.preview(), other.derived("bluesky-image")] {
            assert!(store.read(&key).await == Some(file.clone()), "{} {key}", store.name);
        }
        // A link that still lives brings it back, until it is erased once more.
        store.upload(&gone.original(), &file).await.unwrap();
        assert!(store.read(&gone.original()).await == Some(file), "{}", store.name);
        store.files.erase(&gone).await.unwrap();
        assert_eq!(store.files.size(&gone.original()).await, Ok(None), "{}", store.name);
    }
}

#[tokio::test]
async fn erasing_what_never_was_is_no_error() {
    for store in stores().await {
        assert_eq!(store.files.erase(&store.media(9)).await, Ok(()), "{}", store.name);
    }
}
