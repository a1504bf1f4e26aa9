//! What the tools do: writing, checking, publishing once the person has confirmed, and what an
//! agent's key cannot do.

use serde_json::{Value, json};

use super::client::{Person, call, connect, done, eras, key, key_asking};
use crate::support::{Networks, Setup, wait_for};

/// A draft through the tools, its id and its plan for a time.
async fn drafted(client: &super::client::Connected, text: &str, time: &Value) -> (String, String) {
    let draft = json!({
        "content": text,
        "targets": [{"account": "bluesky"}, {"account": "mastodon", "options": {"visibility": "public"}}],
        "idempotencyKey": format!("draft of {text}"),
    });
    let post = done(client, "create_draft", draft).await;
    assert_eq!(post["status"], "draft");
    let mut asked = time.clone();
    asked["postId"] = post["id"].clone();
    let shown = done(client, "check_post", asked).await;
    assert_eq!(shown["ok"], true, "{shown}");
    let id = post["id"].as_str().unwrap().to_owned();
    (id, shown["planId"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_is_shown_confirmed_and_published_in_each_revision() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    let key = key(&service, "publish");
    for (number, era) in eras().into_iter().enumerate() {
        let client = connect(&service.url, &key, era, Person::NOT_ASKED).await;
        let text = format!("number {number}");
        let (id, plan) = drafted(&client, &text, &json!({"publishNow": true})).await;
        let mut send = json!({"id": id, "planId": plan, "idempotencyKey": format!("send {text}")});
        let waits = done(&client, "publish_now", send.clone()).await;
        assert_eq!(waits["state"], "awaiting_confirmation");
        assert!(waits["message"].as_str().unwrap().contains(&text), "{waits}");
        assert_eq!(done(&client, "get_post", json!({ "id": id })).await["status"], "draft");
        send["confirm"] = json!(plan);
        let sent = done(&client, "publish_now", send).await;
        assert_ne!(sent["state"], "awaiting_confirmation");
        let post = service.api().ended(&id).await;
        assert_eq!(post["targets"][0]["status"], "published");
        client.cancel().await.unwrap();
    }
    for network in ["bluesky", "mastodon"] {
        assert_eq!(networks.live(network).await.into_values().collect::<Vec<_>>(), [1; 3]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_can_ask_asks_and_the_answer_counts() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    let key = key(&service, "publish");
    let [_, discovering, _] = eras();
    for (says_yes, want) in [(false, "draft"), (true, "scheduled")] {
        let person = Person { can_be_asked: true, says_yes };
        let client = connect(&service.url, &key, discovering.clone(), person).await;
        let time = json!({"scheduledAt": "2040-01-01T09:00:00Z"});
        let (id, plan) = drafted(&client, &format!("asked {says_yes}"), &time).await;
        let send = json!({
            "id": id, "planId": plan, "confirm": plan, "scheduledAt": "2040-01-01T09:00:00Z",
            "idempotencyKey": format!("asked {says_yes}"),
        });
        let (is_done, said) = call(&client, "schedule_post", send).await;
        assert_eq!(is_done, says_yes, "{said}");
        if !says_yes {
            assert_eq!(said["error"]["code"], "declined");
        }
        assert_eq!(done(&client, "get_post", json!({ "id": id })).await["status"], want);
        client.cancel().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_of_what_has_changed_since_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), "").serve();
    let key = key(&service, "publish");
    let [initializing, ..] = eras();
    let client = connect(&service.url, &key, initializing, Person::NOT_ASKED).await;
    let time = json!({"scheduledAt": "2040-01-01T09:00:00Z"});
    let (id, plan) = drafted(&client, "before", &time).await;
    let change =
        json!({"id": id, "revision": 1, "content": "after", "idempotencyKey": "change it"});
    let changed = done(&client, "update_post", change.clone()).await;
    assert_eq!(changed["changed"], json!(["content"]));
    let again =
        json!({"id": id, "revision": 1, "content": "later", "idempotencyKey": "change again"});
    let (is_done, stale) = call(&client, "update_post", again).await;
    assert!(!is_done);
    assert_eq!(stale["error"]["code"], "stale");
    let send = |plan: &str| {
        json!({
            "id": id, "planId": plan, "confirm": plan, "scheduledAt": "2040-01-01T09:00:00Z",
            "idempotencyKey": format!("send {plan}"),
        })
    };
    let (is_done, refused) = call(&client, "schedule_post", send(&plan)).await;
    assert!(!is_done, "{refused}");
    assert_eq!(refused["error"]["code"], "stale_plan");
    assert_eq!(done(&client, "get_post", json!({ "id": id })).await["status"], "draft");
    let shown = json!({"postId": id, "scheduledAt": "2040-01-01T09:00:00Z"});
    let plan = done(&client, "check_post", shown).await["planId"].as_str().unwrap().to_owned();
    // A confirmation counts only after the question.
    let waits = done(&client, "schedule_post", send(&plan)).await;
    assert_eq!(waits["state"], "awaiting_confirmation");
    assert_eq!(done(&client, "get_post", json!({ "id": id })).await["status"], "draft");
    assert_eq!(done(&client, "schedule_post", send(&plan)).await["state"], "scheduled");
    client.cancel().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_key_publishes_nothing() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    let api = service.api();
    let live =
        json!({"content": "live", "publishNow": true, "targets": [{"platform": "mastodon"}]});
    let live = api.create(&live).await;
    let live = api.ended(live["id"].as_str().unwrap()).await;
    let later = json!({
        "content": "later", "scheduledAt": "2040-01-01T09:00:00Z", "targets": [{"platform": "mastodon"}],
    });
    let later = api.create(&later).await;
    let before = networks.live("mastodon").await;
    let key = key(&service, "agent");
    for era in eras() {
        let person = Person { can_be_asked: true, says_yes: true };
        let client = connect(&service.url, &key, era, person).await;
        let (id, plan) = drafted(&client, "a wish", &json!({"publishNow": true})).await;
        let target = &live["targets"][0]["id"];
        for (name, mut arguments) in [
            ("publish_now", json!({"id": id, "planId": plan, "confirm": plan})),
            ("schedule_post", json!({"id": id, "planId": plan, "confirm": plan, "queue": true})),
            ("retry_targets", json!({"id": live["id"]})),
            ("take_down", json!({"postId": live["id"], "targetId": target})),
            (
                "reply_to_comment",
                json!({"postId": live["id"], "targetId": target, "commentId": "1", "text": "Hi"}),
            ),
        ] {
            arguments["idempotencyKey"] = json!("with an agent's key");
            let (is_done, said) = call(&client, name, arguments).await;
            assert!(!is_done, "{name}: {said}");
            assert_eq!(said["error"]["code"], "forbidden", "{name}");
        }
        // What it may call leads nowhere either.
        let leading_nowhere = [
            ("create_draft", json!({"targets": [{"account": "mastodon"}], "publishNow": true})),
            ("create_draft", json!({"targets": [{"account": "mastodon"}], "saveAsDraft": false})),
            ("update_post", json!({"id": id, "revision": 1, "queue": true})),
            ("update_post", json!({"id": id, "revision": 1, "publishNow": true})),
            ("update_post", json!({"id": later["id"], "revision": 1, "content": "changed"})),
        ];
        for (number, (name, mut arguments)) in leading_nowhere.into_iter().enumerate() {
            arguments["idempotencyKey"] = json!(format!("attempt-{number}"));
            let (is_done, said) = call(&client, name, arguments).await;
            assert!(!is_done, "{name}: {said}");
            let want = if number == 4 { "not_a_draft" } else { "invalid_request" };
            assert_eq!(said["error"]["code"], want, "{name}: {said}");
        }
        assert_eq!(done(&client, "get_post", json!({ "id": id })).await["status"], "draft");
        client.cancel().await.unwrap();
    }
    assert_eq!(networks.live("mastodon").await, before);
    let shown = api.get(&format!("/posts/{}", later["id"].as_str().unwrap())).await;
    assert_eq!((&shown["content"], &shown["status"]), (&json!("later"), &json!("scheduled")));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_else_an_agent_does() {
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), "").serve();
    let key = key(&service, "agent");
    let [_, discovering, _] = eras();
    let client = connect(&service.url, &key, discovering, Person::NOT_ASKED).await;
    let accounts = done(&client, "list_accounts", json!({})).await;
    let accounts = accounts["accounts"].as_array().unwrap();
    assert!(accounts.len() >= 13);
    assert!(accounts.iter().all(|one| one["untrusted"] == true && one["health"].is_object()));
    let name = accounts[0]["name"].as_str().unwrap();
    let slots = done(&client, "find_slot", json!({ "account": name })).await;
    assert_eq!(slots["slots"][0]["accountId"], accounts[0]["id"]);
    let rules = done(&client, "get_network_rules", json!({"network": "bluesky"})).await;
    assert!(rules["charLimit"].is_u64() && rules["options"]["properties"].is_object(), "{rules}");
    let long = json!({"content": "a".repeat(301), "targets": [{"account": "bluesky"}]});
    let found = done(&client, "check_post", long).await;
    assert_eq!(found["ok"], false);
    let issue = &found["issues"][0];
    assert_eq!(issue["rule"], "bluesky.text.too_long", "{found}");
    assert_eq!(issue["remedy"], "Shorten it by 1 character, to 300 at most.", "{found}");
    assert_eq!(found["counts"][0]["used"], 301);
    let (id, _) = drafted(&client, "for Ana", &json!({})).await;
    let asked = json!({"postIds": [id], "client": "Ana", "idempotencyKey": "ask Ana once"});
    let link = done(&client, "request_approval", asked.clone()).await;
    assert!(link["url"].as_str().unwrap().ends_with("/approvals"), "{link}");
    assert_eq!(done(&client, "request_approval", asked).await, link);
    let listed = done(&client, "list_posts", json!({"q": "Ana"})).await;
    assert_eq!(listed["posts"][0]["id"], json!(id));
    let log = Setup::new(service.data(), "").run(&["log", "--json"]);
    let log = String::from_utf8(log.stdout).unwrap();
    assert!(log.contains("create_approval") && log.contains("create_post"), "{log}");
    let post = done(&client, "get_post", json!({ "id": id })).await;
    let cancel = json!({"id": id, "revision": post["revision"], "idempotencyKey": "not any more"});
    assert_eq!(done(&client, "cancel_post", cancel.clone()).await["status"], "removed");
    assert_eq!(done(&client, "cancel_post", cancel).await["status"], "removed");
    client.cancel().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_wants_each_change_confirmed_and_one_that_sends_out_little() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    // The usual of an agent: each change is confirmed.
    let careful = key_asking(&service, "agent", &[]);
    let hurried = key_asking(&service, "publish", &["--confirm", "never", "--live-per-hour", "1"]);
    for (number, era) in eras().into_iter().enumerate() {
        let client = connect(&service.url, &careful, era, Person::NOT_ASKED).await;
        let mut draft = json!({
            "content": "Careful", "targets": [{"account": "mastodon"}],
            "idempotencyKey": format!("confirmed-draft-{number}"),
        });
        let waits = done(&client, "create_draft", draft.clone()).await;
        assert_eq!(waits["state"], "awaiting_confirmation", "{waits}");
        draft["confirm"] = waits["planId"].clone();
        assert_eq!(done(&client, "create_draft", draft).await["status"], "draft");
        client.cancel().await.unwrap();
    }
    let [initializing, ..] = eras();
    let client = connect(&service.url, &hurried, initializing, Person::NOT_ASKED).await;
    let mut outcomes = Vec::new();
    for text in ["first", "second"] {
        let (id, plan) = drafted(&client, text, &json!({"publishNow": true})).await;
        let send = json!({"id": id, "planId": plan, "idempotencyKey": format!("send {text}")});
        let (is_done, said) = call(&client, "publish_now", send).await;
        outcomes.push(if is_done { json!("done") } else { said["error"]["code"].clone() });
    }
    assert_eq!(outcomes, ["done", "rate_limited"]);
    client.cancel().await.unwrap();
    let log = wait_for("the last call in the log", async || {
        let log = Setup::new(service.data(), "").json(&[], &["log", "--calls"]);
        (log["data"][0]["call"]["outcome"] == "rate_limited").then_some(log)
    })
    .await;
    let calls = log["data"].as_array().unwrap();
    let of =
        |outcome: &str| calls.iter().filter(|entry| entry["call"]["outcome"] == outcome).count();
    assert_eq!((of("awaiting_confirmation"), of("rate_limited")), (eras().len(), 1), "{log}");
    assert!(calls.iter().all(|entry| entry["call"]["client"] == "a test/1"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_program_gets_the_link_of_a_client() {
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), "").serve();
    let setup = Setup::new(service.data(), "");
    let api = service.api();
    let post = async |text: &str| {
        let targets = json!([{"platform": "bluesky"}]);
        let at = "2030-01-01T09:00:00Z";
        let made =
            api.create(&json!({"content": text, "scheduledAt": at, "targets": targets})).await;
        made["id"].as_str().unwrap().to_owned()
    };
    let (asked, shown) = (post("To be asked about").await, post("Shown to Jonas").await);
    let made = setup.json(&[], &["approvals", "create", &shown, "--client", "Jonas"]);
    let state = async |id: &str| api.get(&format!("/posts/{id}")).await["approvalState"].clone();
    for preset in ["agent", "publish", "full"] {
        let key = key_asking(&service, preset, &["--confirm", "never"]);
        let [_, discovering, _] = eras();
        let client = connect(&service.url, &key, discovering, Person::NOT_ASKED).await;
        let ask = |id: &str| {
            let key = format!("{preset} asks about {id}");
            json!({"postIds": [id], "client": "Ana", "idempotencyKey": key})
        };
        // The first asks; to the others the post waits already.
        let (is_done, said) = call(&client, "request_approval", ask(&asked)).await;
        assert_eq!(is_done, preset == "agent", "{preset}: {said}");
        let said = said.to_string();
        assert!(!said.contains("/approve/"), "{preset}: {said}");
        // It takes the place of no link that a client has.
        let (is_done, said) = call(&client, "request_approval", ask(&shown)).await;
        assert!(!is_done, "{preset}: {said}");
        assert_eq!(said["error"]["field"], "postIds", "{preset}: {said}");
        client.cancel().await.unwrap();
    }
    assert_eq!((state(&asked).await, state(&shown).await), (json!("pending"), json!("pending")));
    // The link that was made before leads to the post as it did.
    let page = crate::support::client().get(made["url"].as_str().unwrap()).send().await.unwrap();
    assert!(page.text().await.unwrap().contains("Shown to Jonas"));
}
