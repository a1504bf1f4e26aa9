//! Links that were changed, and links whose time is over.

use chrono::TimeDelta;

use crate::stores::{content, folder, pieces, stores};

/// A link with one field of its query changed.
fn changed(url: &str, field: &str, value: &str) -> String {
    let mut parsed: url::Url = url.parse().unwrap();
    let pairs: Vec<(String, String)> = parsed
        .query_pairs()
        .map(|(name, old)| {
            let value = if name.eq_ignore_ascii_case(field) { value.into() } else { old };
            (name.into_owned(), value.into_owned())
        })
        .collect();
    parsed.query_pairs_mut().clear().extend_pairs(pairs);
    assert_ne!(parsed.as_str(), url, "{field} is not in the link");
    parsed.into()
}

#[tokio::test]
async fn a_changed_link_is_refused() {
    for store in stores().await.into_iter().filter(|store| store.has_signed_links) {
        let (mine, theirs) = (store.media(1).original(), store.media(2).original());
        let file = content(1, 5);
        let put = store.files.upload_link(&mine, 5, store.soon()).await.unwrap().url;
        let (upload, _, parts) = store.begin(&mine, &content(1, 6 << 20)).await;
        let is_folder = store.name == "folder";
        let (expires, signature) =
            if is_folder { ("expires", "signature") } else { ("X-Amz-Expires", "X-Amz-Signature") };
        let part_number = if is_folder { "part" } else { "partNumber" };
        let name = |url: &str, key: &str| url.replace(mine.as_str(), key);
        for (what, url) in [
            ("another key", name(&put, theirs.as_str())),
            ("a later end", changed(&put, expires, "99999")),
            ("another signature", changed(&put, signature, &"0".repeat(64))),
            ("another part", changed(&parts[1], part_number, "1")),
            ("no query", put.split('?').next().unwrap().to_owned() + "?"),
        ] {
            let sent = store.serving.send(&url, Some(5), pieces(&file)).await;
            assert!(sent.is_err(), "{} {what}", store.name);
        }
        let read = store.files.read_link(&mine, "image/png", store.soon()).await.unwrap();
        assert!(store.serving.send(&read, Some(5), pieces(&file)).await.is_err());
        assert!(store.serving.fetch(&put, None).await.is_err(), "{}", store.name);
        for key in [&mine, &theirs] {
            assert_eq!(store.files.size(key).await, Ok(None), "{}", store.name);
        }
        store.files.abandon_parts(&mine, &upload).await.unwrap();
    }
}

#[tokio::test]
async fn a_link_of_the_folder_ends() {
    let store = folder().await.store;
    let key = store.media(1).original();
    let file = content(1, 6 << 20);
    let put = store.files.upload_link(&key, 5, store.soon()).await.unwrap().url;
    let (_, _, parts) = store.begin(&key, &file).await;
    let get = store.files.read_link(&key, "image/png", store.soon()).await.unwrap();
    store.clock.advance(TimeDelta::minutes(61));
    let expired = Err("the link has expired".to_owned());
    for url in [&put, &parts[0]] {
        assert_eq!(store.serving.send(url, None, pieces(&file.slice(..5))).await, expired);
    }
    assert_eq!(store.serving.fetch(&get, None).await.map(|_| String::new()), expired);
}
