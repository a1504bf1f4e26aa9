//! A post's way from its creation to a verified event.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use crate::support::{Networks, Receiver, Setup, backends};

#[tokio::test(flavor = "multi_thread")]
async fn a_scheduled_post_goes_out_and_is_reported() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let receiver = Receiver::start().await;
        let folder = tempfile::tempdir().unwrap();
        let service = Setup {
            data: folder.path().into(),
            database: backend.url(),
            sandbox: networks.url().into(),
        }
        .serve();
        let api = service.api();
        let secret = api.add_webhook(&receiver.url()).await;
        let at = DateTime::<Utc>::from(now()) + TimeDelta::seconds(2);
        let post = api
            .create(&json!({
                "content": "Out at its time #rust",
                "linkUrl": "https://example.com/news",
                "scheduledAt": at.to_rfc3339(),
                "targets": [{"platform": "bluesky"}, {"platform": "mastodon"}],
            }))
            .await;
        assert_eq!(post["status"], "scheduled", "{backend:?}");
        let post = api.ended(post["id"].as_str().unwrap()).await;
        for target in post["targets"].as_array().unwrap() {
            assert_eq!(target["status"], "published", "{backend:?}: {target}");
            assert!(target["remoteUrl"].as_str().is_some_and(|url| url.starts_with("http")));
            let published: DateTime<Utc> = target["publishedAt"].as_str().unwrap().parse().unwrap();
            assert!(published >= at, "{backend:?}: never early");
        }
        let events = receiver.wait_for(2).await;
        assert!(events.iter().all(|event| event["event"] == "post.published"), "{backend:?}");
        receiver.verify(&secret);
        assert_eq!(service.stop(), Some(0), "{backend:?}: it stops when it is asked to");
        assert_eq!(receiver.events().len(), 2, "{backend:?}: one event for each target");
    }
}

#[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
pub(crate) fn now() -> std::time::SystemTime {
    std::time::SystemTime::now()
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_in_no_file_in_clear() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    let api = service.api();
    let webhook = api.add_webhook("http://127.0.0.1:9/").await;
    let key = service.first_key.clone().unwrap();
    let data = service.data().to_owned();
    assert_eq!(service.stop(), Some(0));
    for entry in std::fs::read_dir(data).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("first-key") {
            // Written for the operator, who is told to remove it.
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        for secret in [&webhook, &key] {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "a secret is in {}", path.display());
        }
    }
}
