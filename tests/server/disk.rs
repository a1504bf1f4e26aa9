//! A disk that fills up under the server.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Networks, Setup, client, wait_for};

/// A small file system in memory; gone with the test.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// `None` where this user may mount nothing.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=6m", "tmpfs"]).arg(folder.path());
        if mount.output().is_ok_and(|output| output.status.success()) {
            return Some(Self(folder));
        }
        #[expect(clippy::print_stderr, reason = "whoever runs the tests is told what was left out")]
        {
            eprintln!("not run: a full disk, since no file system can be mounted here");
        }
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Leaves no room at all.
    fn fill(&self) {
        let mut file = std::fs::File::create(self.path().join("filler")).unwrap();
        while file.write_all(&[0; 4096]).is_ok() {}
    }

    fn make_room(&self) {
        std::fs::remove_file(self.path().join("filler")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: the server may still be ending.
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_named_and_work_goes_on_when_there_is_room() {
    let Some(disk) = SmallDisk::mount() else { return };
    let networks = Networks::start().await;
    let setup = Setup::new(disk.path(), networks.url());
    let service = setup.serve();
    let api = service.api();
    let targets = json!([{"platform": "mastodon"}]);
    let before = json!({"content": "before", "publishNow": true, "targets": targets});
    let before = api.create(&before).await;
    api.ended(before["id"].as_str().unwrap()).await;

    disk.fill();
    let mut refused = None;
    // The last pages of the log that there is room for may still be taken.
    for number in 0..2_000 {
        let content = format!("{number}: {}", "x".repeat(400));
        let body = json!({"content": content, "saveAsDraft": true, "targets": targets});
        let answer = api.send(Method::POST, "/posts", None, Some(&body)).await;
        if answer.status() != StatusCode::CREATED {
            let status = answer.status();
            let body: Value = answer.json().await.unwrap();
            refused = Some((status.as_u16(), body["error"]["code"].clone()));
            break;
        }
    }
    assert_eq!(refused, Some((507, json!("storage_full"))));
    // What is kept can be read.
    assert_eq!(api.get("/posts?limit=1").await["data"].as_array().unwrap().len(), 1);

    disk.make_room();
    let after = json!({"content": "after", "publishNow": true, "targets": targets});
    let after = wait_for("a post to be taken again", async || {
        let answer = api.send(Method::POST, "/posts", None, Some(&after)).await;
        let is_taken = answer.status() == StatusCode::CREATED;
        let body: Value = answer.json().await.unwrap();
        is_taken.then_some(body)
    })
    .await;
    let ended = api.ended(after["id"].as_str().unwrap()).await;
    assert_eq!(ended["targets"][0]["status"], "published", "{ended}");
    wait_for("readiness", async || {
        let answer = client().get(format!("{}/readyz", service.url)).send().await.unwrap();
        answer.status().is_success().then_some(())
    })
    .await;
}
