//! What is listed: in each revision of the protocol, for each preset, always the same.

use std::collections::BTreeSet;

use rmcp::model::ReadResourceRequestParams;
use serde_json::json;

use super::client::{Person, answered, connect, eras, key, key_asking, request};
use crate::support::{Service, Setup};

const READING: [&str; 9] = [
    "check_post",
    "find_slot",
    "get_network_rules",
    "get_post",
    "get_results",
    "list_accounts",
    "list_comments",
    "list_media",
    "list_posts",
];
const WRITING: [&str; 7] = [
    "add_media_from_url",
    "cancel_post",
    "create_draft",
    "make_upload_link",
    "request_approval",
    "update_post",
    "write_captions",
];
const PUBLISHING: [&str; 5] =
    ["publish_now", "reply_to_comment", "retry_targets", "schedule_post", "take_down"];

fn serve(folder: &tempfile::TempDir) -> Service {
    Setup::new(folder.path(), "").serve()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_preset_is_shown_its_tools_in_each_revision() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(&folder);
    for (preset, groups) in [
        ("read", &[&READING[..]][..]),
        ("agent", &[&READING, &WRITING]),
        ("drafts", &[&READING, &WRITING]),
        ("publish", &[&READING, &WRITING, &PUBLISHING]),
        ("full", &[&READING, &WRITING, &PUBLISHING]),
    ] {
        let want: BTreeSet<&str> = groups.iter().copied().flatten().copied().collect();
        let key = key(&service, preset);
        for era in eras() {
            let client = connect(&service.url, &key, era.clone(), Person::NOT_ASKED).await;
            let tools = client.list_all_tools().await.unwrap();
            let found: BTreeSet<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
            assert_eq!(found, want, "{preset}, {era:?}");
            let prompts = client.list_all_prompts().await.unwrap();
            assert_eq!(prompts.len(), 3, "{preset}, {era:?}");
            let rules = client.list_all_resources().await.unwrap();
            assert_eq!(rules.len(), 13, "{preset}, {era:?}");
            let asked = ReadResourceRequestParams::new(rules[0].uri.clone());
            let read = client.read_resource(asked).await.unwrap();
            let read = serde_json::to_value(&read.contents[0]).unwrap();
            assert!(read["text"].as_str().unwrap().contains("charLimit"), "{read}");
            let nothing = ReadResourceRequestParams::new("scheduler://posts/none");
            assert!(client.read_resource(nothing).await.is_err());
            client.cancel().await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_lists_are_equal_byte_by_byte_and_short() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(&folder);
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let (key, tools) =
        (service.first_key.clone().unwrap(), READING.len() + WRITING.len() + PUBLISHING.len());
    let careful = key_asking(&service, "full", &["--confirm", "always"]);
    for key in [&key, &careful] {
        let mut first = None;
        for _ in 0..100 {
            let answer = request(&service, Some(key), &body).send().await.unwrap();
            assert_eq!(answer.headers()["content-type"], "application/json");
            assert!(answer.headers().contains_key("x-request-id"));
            let answer = answer.bytes().await.unwrap();
            assert!(answer.len() <= 16 << 10, "{} bytes", answer.len());
            assert_eq!(*first.get_or_insert_with(|| answer.clone()), answer);
        }
        let shown = answered(request(&service, Some(key), &body).send().await.unwrap()).await;
        assert_eq!(shown["result"]["tools"].as_array().unwrap().len(), tools);
        // The same in each way in which a client may begin.
        let mut first = None;
        for era in eras() {
            let client = connect(&service.url, key, era, Person::NOT_ASKED).await;
            let listed = serde_json::to_vec(&client.list_all_tools().await.unwrap()).unwrap();
            assert!(listed.len() <= 16 << 10, "{} bytes", listed.len());
            assert_eq!(*first.get_or_insert_with(|| listed.clone()), listed);
            client.cancel().await.unwrap();
        }
    }
}
