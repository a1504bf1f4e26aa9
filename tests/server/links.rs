//! Links to files, as those follow them who have no key: callers, browsers and networks.

use std::fs::File;
use std::path::Path;

use reqwest::header::{CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, RANGE};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::files::{declare, id_of, picture, post, put, put_parts, ready, setup};
use crate::support::{Api, Bucket, Networks, client};

/// Sends a picture of a size and returns the links that were used, the last of them for reading.
async fn sent(api: &Api, file: &[u8]) -> Vec<String> {
    let declared = declare(api, file).await;
    let (id, upload) = (id_of(&declared), &declared["upload"]);
    let mut links = Vec::new();
    if upload["mode"] == "single" {
        put(&upload["uploadUrl"], file).await;
        links.push(upload["uploadUrl"].as_str().unwrap().to_owned());
        post(api, &format!("/media/{id}/uploaded"), &json!({})).await;
    } else {
        let parts = put_parts(upload, file).await;
        let urls = upload["parts"].as_array().unwrap().iter();
        links.extend(urls.map(|part| part["url"].as_str().unwrap().to_owned()));
        post(api, &format!("/media/{id}/complete"), &parts).await;
    }
    let media = ready(api, &id).await;
    links.push(media["previewUrl"].as_str().unwrap().to_owned());
    links
}

/// What must stand in no log: the signature of a link.
fn signature(link: &str) -> String {
    let url = reqwest::Url::parse(link).unwrap();
    let mut pairs = url.query_pairs();
    let found = pairs.find(|(name, _)| name.to_ascii_lowercase().ends_with("signature"));
    found.expect("a signed link").1.into_owned()
}

fn logged(log: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(log).unwrap()).into_owned()
}

async fn follow(link: &str, file: &[u8], is_bucket: bool) {
    let whole = client().get(link).send().await.unwrap();
    assert_eq!(whole.status(), StatusCode::OK);
    assert_eq!(whole.headers()[CONTENT_TYPE], "image/png");
    assert_eq!(whole.headers()[CONTENT_LENGTH], file.len().to_string());
    assert!(whole.bytes().await.unwrap() == file);
    let part = client().get(link).header(RANGE, "bytes=10-99").send().await.unwrap();
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.headers()[CONTENT_RANGE], format!("bytes 10-99/{}", file.len()));
    assert!(part.bytes().await.unwrap() == file[10..100]);
    // What a bucket signs is for one method.
    let head = client().head(link).send().await.unwrap();
    if is_bucket {
        assert_eq!(head.status(), StatusCode::FORBIDDEN);
    } else {
        assert_eq!(head.status(), StatusCode::OK);
        assert_eq!(head.headers()[CONTENT_TYPE], "image/png");
        assert_eq!(head.headers()[CONTENT_LENGTH], file.len().to_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn links_work_without_a_key_and_stand_in_no_log() {
    let networks = Networks::start().await;
    let bucket = Bucket::start().await;
    for variables in [&[][..], &bucket.variables()] {
        let is_bucket = !variables.is_empty();
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let variables = [variables, &[("SCHEDULER_LOG", "trace")]].concat();
        let stderr = File::create(&log).unwrap().into();
        let service = setup(folder.path(), &networks).serve_logging(&variables, stderr);
        let api = service.api();
        let (small, large) = (picture(300, 200), picture(2_500, 2_300));
        let mut links = sent(&api, &small).await;
        follow(links.last().unwrap(), &small, is_bucket).await;
        links.extend(sent(&api, &large).await);
        follow(links.last().unwrap(), &large, is_bucket).await;
        // What is refused is told all the more.
        for link in &links {
            let forged = link.replace(&signature(link), &"0".repeat(64));
            for method in [Method::GET, Method::PUT, Method::POST] {
                let refused = client().request(method, &forged).body("x").send().await.unwrap();
                assert!(refused.status().is_client_error(), "{}", refused.status());
            }
        }
        let key = service.first_key.clone().unwrap();
        assert_eq!(service.stop(), Some(0));
        let logged = logged(&log);
        assert!(logged.contains("TRACE") && logged.contains("/media"), "the log says something");
        for link in &links {
            assert!(!logged.contains(&signature(link)), "a signature is logged");
            let query = link.split_once('?').unwrap().1;
            assert!(!logged.contains(query), "a query is logged");
        }
        for secret in ["signature=", "Signature=", &key, "an example of a secret"] {
            let line = logged.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "{secret} is logged");
        }
    }
}
