//! The commands that README prints, run as printed.

use std::process::Command;

use serde_json::Value;

use crate::support::{Networks, Setup};

/// The commands of the blocks marked `sh walk`, in order.
fn walk() -> Vec<String> {
    let readme = include_str!("../../README.md");
    let blocks = readme.split("```sh walk\n").skip(1);
    blocks.filter_map(|rest| rest.split_once("```")).map(|(block, _)| block.to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_walk_with_curl_works_as_printed() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service =
        Setup { data: folder.path().into(), database: None, sandbox: networks.url().into() }
            .serve();
    let mut answers = Vec::new();
    for command in walk() {
        let output = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &command])
            .env("SCHEDULER_URL", &service.url)
            .env("SCHEDULER_API_KEY", service.first_key.as_deref().unwrap())
            .output()
            .expect("bash and curl are there");
        assert!(output.status.success(), "{command}");
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answer["error"], Value::Null, "{command}");
        answers.push(answer);
    }
    let [check, created, listed] = answers.as_slice() else { panic!("three commands") };
    assert_eq!(check["ok"], true);
    assert_eq!(created["targets"].as_array().map(Vec::len), Some(2));
    assert_eq!(listed["data"][0]["id"], created["id"]);
    let post = service.api().ended(created["id"].as_str().unwrap()).await;
    assert_eq!(post["targets"][0]["status"], "published");
    assert_eq!(post["targets"][1]["status"], "published");
}
