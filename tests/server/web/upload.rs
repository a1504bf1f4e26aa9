//! Giving files that a program cannot read, by a link that works once.

use http::header::{CONTENT_TYPE, ORIGIN};
use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use super::Site;
use crate::files::picture;
use crate::support::{client, client_of_forms, wait_for};

/// The address that the tool gives.
async fn link(site: &Site, arguments: Value) -> String {
    let mut arguments = arguments;
    arguments["idempotencyKey"] = json!("a link for the test");
    let body = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "make_upload_link", "arguments": arguments},
    });
    let call = client().post(format!("{}/mcp", site.service.url));
    let call = call.bearer_auth(site.service.first_key.as_deref().unwrap());
    let call = call.header("accept", "application/json, text/event-stream").json(&body);
    let said: Value = call.send().await.unwrap().json().await.unwrap();
    let made = &said["result"]["structuredContent"];
    made["url"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned()
}

fn files(count: usize) -> Form {
    (0..count).fold(Form::new(), |form, number| {
        let part = Part::bytes(picture(64, 48)).file_name(format!("{number}.png"));
        form.part("files", part.mime_str("image/png").unwrap())
    })
}

async fn given(link: &str, form: Form) -> StatusCode {
    client_of_forms().post(link).multipart(form).send().await.unwrap().status()
}

async fn names(site: &Site) -> Vec<Value> {
    let media = site.service.api().get("/media").await;
    media["data"].as_array().unwrap().iter().map(|file| file["fileName"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_gives_files_once() {
    let site = Site::start().await;
    let link = link(&site, json!({"files": 2, "note": "The <fair>"})).await;
    let page = client().get(&link).send().await.unwrap();
    assert_eq!(page.headers()["x-frame-options"], "DENY");
    let page = page.text().await.unwrap();
    assert!(page.contains("up to 2 files") && !page.contains("<fair>"), "{page}");

    // Nothing of this uses it up.
    assert_eq!(given(&link, Form::new()).await, StatusCode::BAD_REQUEST, "no file");
    let foreign = client_of_forms().post(&link).header(ORIGIN, "https://evil.example");
    let foreign = foreign.multipart(files(1)).send().await.unwrap();
    assert_eq!(foreign.status(), StatusCode::FORBIDDEN);
    assert_eq!(names(&site).await, [Value::Null; 0]);

    assert_eq!(given(&link, files(3)).await, StatusCode::OK, "two of three");
    let given_now = wait_for("both", async || {
        let names = names(&site).await;
        (names.len() == 2).then_some(names)
    });
    assert_eq!(given_now.await, [json!("1.png"), json!("0.png")], "newest first");
    assert_eq!(given(&link, files(1)).await, StatusCode::NOT_FOUND, "a second time");
    assert_eq!(client().get(&link).send().await.unwrap().status(), StatusCode::NOT_FOUND);
    let (address, _) = link.rsplit_once('/').unwrap();
    let unknown = format!("{address}/{}", "a".repeat(43));
    assert_eq!(given(&unknown, files(1)).await, StatusCode::NOT_FOUND, "a guess");
    assert_eq!(names(&site).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_breaks_off_after_a_file_uses_the_link_up() {
    let site = Site::start().await;
    let link = link(&site, json!({"files": 2})).await;
    let head = "--of-it\r\ncontent-disposition: form-data; name=\"files\"; filename=\"0.png\"\r\ncontent-type: image/png\r\n\r\n";
    let broken = [head.as_bytes(), &picture(64, 48), b"\r\n--of-it\r\ncontent-dis"].concat();
    let send = client_of_forms().post(&link).body(broken);
    let send = send.header(CONTENT_TYPE, "multipart/form-data; boundary=of-it");
    let page = send.send().await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    let page = page.text().await.unwrap();
    assert!(page.contains("One file is") && page.contains("role=\"alert\""), "{page}");
    assert_eq!(given(&link, files(1)).await, StatusCode::NOT_FOUND, "a second time");
    assert_eq!(names(&site).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_give_at_once_are_one() {
    let site = Site::start().await;
    let link = link(&site, json!({})).await;
    let (one, other) = tokio::join!(given(&link, files(1)), given(&link, files(1)));
    let mut both = [one.as_u16(), other.as_u16()];
    both.sort_unstable();
    assert_eq!(both, [200, 404]);
    assert_eq!(names(&site).await.len(), 1);
}
