//! A tool that a key is not shown is refused as well when it is called all the same.

use std::collections::BTreeSet;

use rmcp::model::Tool;
use scheduler_core::key::Preset;
use serde_json::{Map, Value, json};

use super::client::{Connected, Person, call, connect, eras, key_asking};
use crate::support::{Api, Networks, Setup, wait_for};

/// What the arguments of a call may name.
struct Named {
    draft: Value,
    live: Value,
    plan: Value,
}

/// What a tool asks for, by its schema.
fn arguments(tool: &Tool, named: &Named, call: &str) -> Value {
    let of_live = tool.input_schema["properties"].get("targetId").is_some();
    let post = if of_live || tool.name == "retry_targets" { &named.live } else { &named.draft };
    let needed = tool.input_schema["required"].as_array().expect("what it needs");
    let fields = needed.iter().map(|field| {
        let field = field.as_str().expect("a name");
        let value = match field {
            "id" | "postId" => post["id"].clone(),
            "postIds" => json!([post["id"]]),
            "revision" => post["revision"].clone(),
            "targetId" => post["targets"][0]["id"].clone(),
            "planId" => named.plan.clone(),
            "targets" => json!([{"account": "mastodon"}]),
            "networks" => json!(["mastodon"]),
            "url" => json!("https://127.0.0.1:1/a.png"),
            "client" => json!("Ana"),
            "commentId" => json!("1"),
            "text" => json!("Hello"),
            "idempotencyKey" => json!(call),
            _ => panic!("{} asks for {field}, of which this table has nothing", tool.name),
        };
        (field.to_owned(), value)
    });
    let mut arguments: Map<_, _> = fields.collect();
    if tool.name == "schedule_post" {
        // One of the ways to say when, none of which is needed by itself.
        arguments.insert("queue".to_owned(), json!(true));
    }
    Value::Object(arguments)
}

/// The tools that a client is shown, and of those that write their names.
async fn shown(client: &Connected) -> (Vec<Tool>, BTreeSet<String>) {
    let tools = client.list_all_tools().await.expect("a list");
    let writes = |tool: &&Tool| {
        let hints = tool.annotations.as_ref().expect("each says what it does to the world");
        hints.read_only_hint == Some(false)
    };
    let writing = tools.iter().filter(writes).map(|tool| tool.name.to_string()).collect();
    (tools, writing)
}

/// Posts, files and what was changed, as they are now.
async fn state(api: &Api, setup: &Setup) -> [Value; 3] {
    let log = setup.json(&[], &["log", "--limit", "200"]);
    [api.get("/posts?limit=100").await, api.get("/media").await, log]
}

async fn named(api: &Api) -> Named {
    let targets = json!([{"platform": "mastodon"}]);
    let mut body = json!({"content": "A draft", "saveAsDraft": true, "targets": targets});
    let draft = api.create(&body).await;
    body = json!({"content": "Live", "publishNow": true, "targets": targets});
    let live = api.create(&body).await;
    let live = api.ended(live["id"].as_str().unwrap()).await;
    Named { draft, live, plan: json!("a plan") }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_writing_tool_that_is_not_listed_is_refused_and_changes_nothing() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    // A file is fetched from this machine alone.
    let service = setup.serve_with(&[("SCHEDULER_MEDIA_ALLOW_PRIVATE", "true")]);
    let api = service.api();
    let keys = Preset::ALL.map(|preset| {
        // Nothing but what the key may do stands in the way.
        let key = key_asking(&service, preset.as_str(), &["--confirm", "never"]);
        (preset, key)
    });
    let named = named(&api).await;
    let [_, discovering, _] = eras();
    let (_, full) = keys.iter().find(|(preset, _)| *preset == Preset::Full).unwrap();
    let owner = connect(&service.url, full, discovering, Person::NOT_ASKED).await;
    let (tools, writing) = shown(&owner).await;
    wait_for("the log of what was made", async || {
        let log = setup.json(&[], &["log"]).to_string();
        (log.matches("create_post").count() == 2).then_some(())
    })
    .await;
    let (before, live) = (state(&api, &setup).await, networks.live("mastodon").await);

    let mut refused = Vec::new();
    for (preset, key) in &keys {
        for era in eras() {
            let client = connect(&service.url, key, era.clone(), Person::NOT_ASKED).await;
            let (_, listed) = shown(&client).await;
            let unlisted: BTreeSet<&String> = writing.difference(&listed).collect();
            let scopes = preset.scopes();
            let is_whole = [Preset::Full, Preset::Publish].contains(preset);
            assert_eq!(unlisted.is_empty(), is_whole, "{preset:?}, {era:?}: {scopes:?}");
            for tool in tools.iter().filter(|tool| unlisted.contains(&tool.name.to_string())) {
                let case = format!("{preset:?} {era:?} {}", tool.name);
                let (is_done, said) =
                    call(&client, tool.name.clone(), arguments(tool, &named, &case)).await;
                assert!(!is_done, "{case}: {said}");
                assert_eq!(said["error"]["code"], "forbidden", "{case}: {said}");
                let message = said["error"]["message"].as_str().unwrap();
                assert!(message.contains("it lacks "), "{case}: {message}");
                refused.push(tool.name.to_string());
            }
            client.cancel().await.unwrap();
        }
    }
    // Each call stands in the log of calls; what is noted of changes would stand there before.
    refused.sort_unstable();
    wait_for("the log of calls", async || {
        let log = setup.json(&[], &["log", "--calls", "--limit", "200"]);
        let calls = log["data"].as_array()?.iter();
        let mut forbidden: Vec<String> = calls
            .filter(|entry| entry["call"]["outcome"] == "forbidden")
            .filter_map(|entry| Some(entry["operation"].as_str()?.to_owned()))
            .collect();
        forbidden.sort_unstable();
        (forbidden == refused).then_some(())
    })
    .await;
    assert_eq!(state(&api, &setup).await, before);
    assert_eq!(networks.live("mastodon").await, live);

    // With these arguments a key that may is refused for nothing of the kind.
    for tool in tools.iter().filter(|tool| writing.contains(&*tool.name)) {
        let case = format!("the owner, {}", tool.name);
        let (_, said) = call(&owner, tool.name.clone(), arguments(tool, &named, &case)).await;
        let code = said["error"]["code"].as_str().unwrap_or("done");
        assert!(!["forbidden", "invalid_request"].contains(&code), "{case}: {said}");
    }
    assert_ne!(state(&api, &setup).await, before, "the drafts of the owner are there");
}
