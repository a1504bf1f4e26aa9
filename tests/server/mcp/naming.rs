//! What the log calls each client, whichever way it began.

use serde_json::{Value, json};

use super::client::{call, connect, done, eras, key_asking, named};
use super::stdio::started;
use crate::support::{Setup, wait_for};

/// Who has called what, and what came of it, the first call first.
fn calls(setup: &Setup) -> Vec<[String; 3]> {
    let log = setup.json(&[], &["log", "--calls"]);
    let entries = log["data"].as_array().expect("entries").iter().rev();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let told = entries.map(|entry| {
        let call = &entry["call"];
        [text(&call["client"]), text(&entry["operation"]), text(&call["outcome"])]
    });
    told.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_names_each_client_its_tool_and_what_came_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), "").serve();
    let setup = Setup::new(service.data(), "");
    // One key for all of them, so that it does not tell them apart.
    let key = key_asking(&service, "agent", &["--confirm", "never"]);
    let [handshake, discovering, _] = eras();
    let mut want = Vec::new();
    let shaking = connect(&service.url, &key, handshake.clone(), named("Shaking", "1.2")).await;
    let other = connect(&service.url, &key, handshake.clone(), named("Grüße", "ü")).await;
    let asking = connect(&service.url, &key, discovering, named("Asking", "2")).await;
    let variables = [("SCHEDULER_URL", service.url.as_str()), ("SCHEDULER_API_KEY", &key)];
    let (child, starting) =
        started(&[], &variables, folder.path(), handshake, named("Starting", "3")).await;
    for (client, name) in [
        (&shaking, "Shaking/1.2"),
        (&other, "Grüße/ü"),
        (&asking, "Asking/2"),
        (&starting, "Starting/3"),
    ] {
        done(client, "list_accounts", json!({})).await;
        let nobody = json!({"id": "00000000-0000-7000-8000-000000000000"});
        let send = json!({
            "id": nobody["id"], "planId": "none", "idempotencyKey": format!("sent by {name}"),
        });
        for (tool, arguments, code) in
            [("get_post", nobody, "not_found"), ("publish_now", send, "forbidden")]
        {
            let (_, said) = call(client, tool, arguments).await;
            assert_eq!(said["error"]["code"], code, "{name}: {said}");
        }
        for (tool, outcome) in
            [("list_accounts", "done"), ("get_post", "not_found"), ("publish_now", "forbidden")]
        {
            want.push([name.to_owned(), tool.to_owned(), outcome.to_owned()]);
        }
    }
    wait_for("the log", async || (calls(&setup).len() >= want.len()).then_some(())).await;
    assert_eq!(calls(&setup), want);
    // People read the same.
    let told = String::from_utf8(setup.run(&["log", "--calls"]).stdout).unwrap();
    for [client, tool, outcome] in want {
        let (tool, outcome) = (tool.replace('_', " "), outcome.replace('_', " "));
        let end = format!("by {client}: {outcome}");
        let is_there = told.lines().any(|line| line.contains(&tool) && line.ends_with(&end));
        assert!(is_there, "{tool} {end}: {told}");
    }
    for client in [shaking, other, asking, starting] {
        client.cancel().await.unwrap();
    }
    drop(child);
}
