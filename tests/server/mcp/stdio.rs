//! `scheduler mcp`, started by a client.

use std::process::Stdio;

use rmcp::service::{RoleClient, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt as _};
use serde_json::json;
use tokio::process::{Child, Command};

use super::client::{Connected, Person, call, done, eras, key};
use crate::support::{Service, Setup, scheduler};

/// A client that has started the command, which ends with it.
pub(super) async fn started<H: ClientHandler>(
    arguments: &[&str],
    variables: &[(&str, &str)],
    folder: &std::path::Path,
    era: ClientLifecycleMode,
    person: H,
) -> (Child, RunningService<RoleClient, H>) {
    let mut child = Command::new(scheduler())
        .arg("mcp")
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the command starts");
    let (output, input) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    let client = Box::pin(person.serve_with_lifecycle((output, input), era)).await;
    (child, client.expect("the command speaks with it"))
}

async fn drafts_and_does_not_publish(service: &Service, client: &Connected, preset: &str) {
    let tools = client.list_all_tools().await.unwrap();
    let publishes = tools.iter().any(|tool| tool.name == "publish_now");
    assert_eq!(publishes, preset == "owner", "{preset}");
    let draft = json!({
        "content": "By a client", "targets": [{"account": "bluesky"}],
        "idempotencyKey": "by-a-client-of-stdio",
    });
    let post = done(client, "create_draft", draft.clone()).await;
    assert_eq!(done(client, "create_draft", draft).await["id"], post["id"]);
    let stored = service.api().get(&format!("/posts/{}", post["id"].as_str().unwrap())).await;
    assert_eq!((&stored["status"], &stored["content"]), (&json!("draft"), &json!("By a client")));
    let shown = json!({"postId": post["id"], "publishNow": true});
    let plan = &done(client, "check_post", shown).await["planId"];
    let send = json!({"id": post["id"], "planId": plan, "idempotencyKey": "not confirmed"});
    let (is_done, said) = call(client, "publish_now", send).await;
    match preset {
        "owner" => assert_eq!(said["state"], "awaiting_confirmation"),
        _ => assert_eq!((is_done, &said["error"]["code"]), (false, &json!("forbidden"))),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn on_the_servers_own_machine_it_needs_no_key() {
    for era in eras() {
        let folder = tempfile::tempdir().unwrap();
        let service = Setup::new(folder.path(), "").serve();
        let data = folder.path().to_str().unwrap();
        let (child, client) =
            started(&["--data", data], &[], folder.path(), era, Person::NOT_ASKED).await;
        drafts_and_does_not_publish(&service, &client, "owner").await;
        let slots = done(&client, "find_slot", json!({"account": "bluesky"})).await;
        assert!(!slots["slots"].as_array().unwrap().is_empty());
        // Not even here does it get the link with which it could decide for the client.
        let posts = service.api().get("/posts").await;
        let ask = json!({
            "postIds": [posts["data"][0]["id"]], "client": "Ana", "note": "Before Friday?",
            "idempotencyKey": "ask-ana-once",
        });
        let asked = done(&client, "request_approval", ask).await;
        assert!(asked["url"].as_str().unwrap().ends_with("/approvals"), "{asked}");
        // A person makes the link, under which stands what was noted.
        let id = posts["data"][0]["id"].as_str().unwrap();
        let made = Setup::new(folder.path(), "").json(&[], &["approvals", "create", id]);
        let page =
            crate::support::client().get(made["url"].as_str().unwrap()).send().await.unwrap();
        assert!(page.text().await.unwrap().contains("Before Friday?"));
        client.cancel().await.unwrap();
        drop(child);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_key_it_shows_what_the_key_allows() {
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), "").serve();
    let key = key(&service, "agent");
    for era in eras() {
        let elsewhere = tempfile::tempdir().unwrap();
        let variables = [("SCHEDULER_URL", service.url.as_str()), ("SCHEDULER_API_KEY", &key)];
        let (child, client) =
            started(&[], &variables, elsewhere.path(), era, Person::NOT_ASKED).await;
        drafts_and_does_not_publish(&service, &client, "agent").await;
        let accounts = done(&client, "list_accounts", json!({})).await;
        assert!(accounts["accounts"].as_array().unwrap().len() >= 13);
        let slots = done(&client, "find_slot", json!({"account": "bluesky"})).await;
        assert!(!slots["slots"].as_array().unwrap().is_empty());
        client.cancel().await.unwrap();
        drop(child);
    }
}
