//! The secret key is changed while a server runs.

use serde_json::json;

use crate::support::{Networks, Setup, backends};

#[tokio::test(flavor = "multi_thread")]
async fn the_secret_key_changes_while_a_server_runs() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let service = setup.serve();
        let api = service.api();
        let key = folder.path().join("secret.key");
        let before = std::fs::read_to_string(&key).unwrap();
        api.add_webhook("http://127.0.0.1:9/").await;

        let said = setup.json(&[], &["secrets", "rotate", "--wait", "1"]);
        assert!(said["secretsSealed"].as_u64().unwrap() > 1, "{backend:?}: {said}");
        assert_eq!(said["secretsThatDoNotOpen"], 0, "{backend:?}");
        let after = std::fs::read_to_string(&key).unwrap();
        assert!(after.lines().count() == 1 && after != before, "{backend:?}");

        // The server that has been running all the time opens them, and seals by the new key.
        let post =
            json!({"content": "x", "publishNow": true, "targets": [{"platform": "bluesky"}]});
        let id = api.create(&post).await["id"].as_str().unwrap().to_owned();
        assert_eq!(api.ended(&id).await["targets"][0]["status"], "published", "{backend:?}");
        api.add_webhook("http://127.0.0.1:9/two").await;

        // The earlier key opens nothing any more, the new one everything.
        let setup = service.kill();
        let earlier = folder.path().join("earlier.key");
        std::fs::write(&earlier, before).unwrap();
        let wrong = [("SCHEDULER_SECRET_KEY_FILE", earlier.to_str().unwrap())];
        let said = setup.refused(&wrong, &["accounts", "list"]);
        assert!(said.contains("the secret key is the wrong one"), "{backend:?}: {said}");
        let findings = setup.json(&[], &["doctor"]).to_string();
        assert!(!findings.contains("key-wrong"), "{backend:?}: {findings}");

        // A run that was broken off goes on, with both keys in the file.
        let both = format!("{}\n{after}", "ab".repeat(32));
        std::fs::write(&key, &both).unwrap();
        let service = setup.serve();
        setup.run(&["secrets", "rotate", "--wait", "0"]);
        let kept = std::fs::read_to_string(&key).unwrap();
        assert_eq!(kept.trim(), "ab".repeat(32), "{backend:?}");
        drop(service);

        let text = "cd".repeat(32);
        let alone = [("SCHEDULER_SECRET_KEY", kept.trim())];
        let said = setup.refused(&alone, &["secrets", "rotate"]);
        assert!(said.contains("put a new key before the present one"), "{backend:?}: {said}");
        let two = format!("{text},{}", kept.trim());
        setup.run_with(&[("SCHEDULER_SECRET_KEY", &two)], &["secrets", "rotate", "--wait", "0"]);
        let new = [("SCHEDULER_SECRET_KEY", text.as_str())];
        setup.run_with(&new, &["accounts", "list"]);
    }
}
