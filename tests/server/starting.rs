//! Starts that are refused, with words that say what to do.

use serde_json::{Value, json};

use crate::support::{Api, Networks, Receiver, Setup, backends, wait_for};

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_on_one_file_is_refused() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let service = setup.serve();
    let said = setup.refused(&[], &["serve", "--sandbox"]);
    assert!(said.contains("scheduler.db") && said.contains("another server"), "{said}");
    assert!(said.contains("stop it first"), "{said}");
    // Every other command works beside the server.
    setup.run(&["accounts", "list"]);
    setup.run(&["backup", folder.path().join("copy").to_str().unwrap()]);
    let setup = service.kill();
    // A server that was killed leaves nothing that has to be cleared away.
    drop(setup.serve());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_or_lost_key_stops_the_start_and_none_is_made() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup {
            data: folder.path().into(),
            database: backend.url(),
            sandbox: networks.url().into(),
        };
        drop(setup.serve());
        let other = folder.path().join("other.key");
        std::fs::write(&other, "ab".repeat(32)).unwrap();
        let wrong = [("SCHEDULER_SECRET_KEY_FILE", other.to_str().unwrap())];
        for command in [&["serve", "--sandbox", "--role", "worker"][..], &["accounts", "list"]] {
            let said = setup.refused(&wrong, command);
            assert!(said.contains("the secret key is the wrong one"), "{backend:?}: {said}");
            assert!(said.contains("bring back the key"), "{backend:?}: {said}");
        }
        let key = folder.path().join("secret.key");
        let kept = std::fs::read(&key).unwrap();
        std::fs::remove_file(&key).unwrap();
        for command in [&["serve", "--sandbox"][..], &["migrate"]] {
            let said = setup.refused(&[], command);
            assert!(said.contains("secret.key is gone"), "{backend:?}: {said}");
            assert!(!key.exists(), "{backend:?}: a new key was made");
        }
        std::fs::write(&key, kept).unwrap();
        drop(setup.serve());

        // A key that is lost for good.
        std::fs::remove_file(&key).unwrap();
        setup.run(&["secrets", "forget"]);
        drop(setup.serve());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_cannot_be_opened_is_named_in_words() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let mut setup = Setup::new(folder.path(), networks.url());
    std::fs::write(folder.path().join("scheduler.db"), "no database at all".repeat(100)).unwrap();
    let said = setup.refused(&[], &["serve", "--sandbox"]);
    assert!(said.contains("no database of SQLite") && !said.contains("code"), "{said}");
    setup.database = Some("sqlite:/nowhere/at/all/scheduler.db".to_owned());
    let said = setup.refused(&[], &["accounts", "list"]);
    assert!(!said.contains("code"), "{said}");
}

/// The key changes under work that is due: nothing fails, and it goes out once the key is back.
#[tokio::test(flavor = "multi_thread")]
async fn work_whose_secrets_cannot_be_opened_is_given_back() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let service = setup.serve();
    let api = service.api();
    let key = service.first_key.clone().unwrap();
    let receiver = Receiver::start().await;
    api.add_webhook(&receiver.url()).await;
    // One account is sealed with another key: copied from another row, which the seal notices.
    let accounts = api.get("/oauth/accounts").await;
    let id_of = |platform: &str| -> String {
        let accounts = accounts["data"].as_array().unwrap();
        let found = accounts.iter().find(|account| account["platform"] == platform).unwrap();
        found["id"].as_str().unwrap().to_owned()
    };
    let (bluesky, mastodon) = (id_of("bluesky"), id_of("mastodon"));
    let file = format!("sqlite:{}", folder.path().join("scheduler.db").display());
    let pool = sqlx::SqlitePool::connect(&file).await.unwrap();
    let blob = |id: &str| id.parse::<uuid::Uuid>().unwrap();
    let good: Vec<u8> = sqlx::query_scalar("SELECT credentials FROM accounts WHERE id = $1")
        .bind(blob(&bluesky))
        .fetch_one(&pool)
        .await
        .unwrap();
    let swap = "UPDATE accounts SET credentials = (SELECT credentials FROM accounts \
                WHERE id = $2) WHERE id = $1";
    let swapped = sqlx::query(swap).bind(blob(&bluesky)).bind(blob(&mastodon));
    assert_eq!(swapped.execute(&pool).await.unwrap().rows_affected(), 1);
    let targets = json!([{"platform": "bluesky"}, {"platform": "mastodon"}]);
    let post =
        api.create(&json!({"content": "kept", "publishNow": true, "targets": targets})).await;
    let path = format!("/posts/{}", post["id"].as_str().unwrap());
    let target = |post: &Value, platform: &str| {
        let targets = post["targets"].as_array().unwrap().clone();
        targets.into_iter().find(|target| target["platform"] == platform).unwrap()
    };
    wait_for("mastodon to be live", async || {
        let post = api.get(&path).await;
        (target(&post, "mastodon")["status"] == "published").then_some(())
    })
    .await;
    let back: i64 = wait_for("bluesky's work to be given back", async || {
        let claimed = "SELECT due_at FROM work WHERE kind = 'publish' AND NOT leased \
                       AND claimed > 0";
        sqlx::query_scalar(claimed).fetch_optional(&pool).await.unwrap()
    })
    .await;
    assert!(back > 0);
    let post = api.get(&path).await;
    let waiting = target(&post, "bluesky");
    assert_eq!((&waiting["status"], &waiting["errorCode"]), (&json!("pending"), &Value::Null));
    let events = receiver.events();
    assert!(events.iter().all(|event| event["event"] != "post.failed"), "{events:?}");

    sqlx::query("UPDATE accounts SET credentials = $2 WHERE id = $1")
        .bind(blob(&bluesky))
        .bind(good)
        .execute(&pool)
        .await
        .unwrap();
    sqlx::query("UPDATE work SET due_at = 0, claimable_at = 0 WHERE kind = 'publish'")
        .execute(&pool)
        .await
        .unwrap();
    drop(pool);
    let service = service.kill().serve();
    let api = Api::new(&service.url, &key);
    let post = api.ended(post["id"].as_str().unwrap()).await;
    assert_eq!(target(&post, "bluesky")["status"], "published", "{post}");
    assert_eq!(networks.live("bluesky").await.len(), 1);
}
