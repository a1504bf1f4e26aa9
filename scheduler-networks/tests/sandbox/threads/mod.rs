//! Threads.

mod after;
mod connecting;
mod faults;
mod here;

use scheduler_core::ports::{NetworkErrorKind as Kind, PublishJob};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::png;
use here::Here;

fn mp4(seed: u8) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.extend([seed; 200_000]);
    bytes
}

fn shown(media_type: &str, bytes: &[u8]) -> Value {
    let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    json!({ "type": media_type, "bytes": bytes.len(), "sha256": sha256 })
}

fn field<'a>(form: &'a [(String, String)], name: &str) -> Option<&'a str> {
    form.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

#[tokio::test]
async fn a_text_with_its_link_and_its_page() {
    let here = Here::new().await;
    let mut job = here.world.job(1, "Hello", &json!({}));
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let (remote, failures) = here.world.publish(job).await;
    assert_eq!(failures, []);
    assert!(remote.unwrap().url.unwrap().contains("/threads/@sandbox_1/post/"));
    let forms = here.forms("/threads").await;
    let form = [
        ("media_type", "TEXT"),
        ("text", "Hello"),
        ("link_attachment", "https://blog.example.com/post"),
    ];
    assert_eq!(forms, [form.map(|(name, value)| (name.to_owned(), value.to_owned()))]);
    assert_eq!(here.world.texts().await, ["Hello"]);
}

#[tokio::test]
async fn a_poll_goes_out_with_its_choices() {
    let here = Here::new().await;
    let options = json!({ "poll": { "options": ["Tea", "Coffee", "Water"] } });
    let (remote, failures) = here.world.publish(here.world.job(1, "Which?", &options)).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, []);
    let forms = here.forms("/threads").await;
    let poll: Value = serde_json::from_str(field(&forms[0], "poll_attachment").unwrap()).unwrap();
    assert_eq!(poll, json!({ "option_a": "Tea", "option_b": "Coffee", "option_c": "Water" }));
}

#[tokio::test]
async fn files_of_every_kind_arrive_in_their_order() {
    let here = Here::new().await;
    let files: Vec<(&str, Vec<u8>)> =
        vec![("image/png", png(1)), ("video/mp4", mp4(2)), ("image/png", png(3))];
    for (target, count) in [(1, 1), (2, 2), (3, 3)] {
        for first in 0..=files.len() - count {
            let mut job = here.world.job(target, &format!("{count} from {first}"), &json!({}));
            let mut want = Vec::new();
            for (number, (media_type, bytes)) in files.iter().enumerate().skip(first).take(count) {
                job.files.push(here.file(number as u128, media_type, bytes).await);
                want.push(shown(media_type, bytes));
            }
            let (remote, failures) = here.world.publish(job).await;
            assert!(remote.is_ok(), "{count} from {first}: {remote:?}");
            assert_eq!(failures, [], "{count} from {first}");
            let live = here.world.live().await;
            assert_eq!(live.last().unwrap()["media"], Value::Array(want), "{count} from {first}");
        }
    }
    let forms = here.forms("/threads").await;
    let alt = |form: &Vec<(String, String)>| field(form, "alt_text").map(str::to_owned);
    assert_eq!(alt(&forms[0]).as_deref(), Some("file 0"));
}

#[tokio::test]
async fn a_thread_hangs_together_with_its_files_at_the_first() {
    let here = Here::new().await;
    let options = json!({ "thread": ["two", "three"] });
    let mut job = here.world.job(1, "one", &options);
    job.files = vec![here.file(1, "image/png", &png(1)).await];
    let (remote, failures) = here.world.publish(job).await;
    assert_eq!(failures, []);
    let live = here.world.live().await;
    let texts: Vec<&Value> = live.iter().map(|post| &post["text"]).collect();
    assert_eq!(texts, ["one", "two", "three"]);
    let remote = remote.unwrap();
    assert_eq!(live[0]["remoteId"], json!(remote.id));
    for (before, after) in live.iter().zip(&live[1..]) {
        assert_eq!(before["remoteId"], after["replyTo"]);
    }
    let ids: Vec<&Value> = live.iter().map(|post| &post["remoteId"]).collect();
    assert_eq!(remote.record["parts"], json!(ids));
    let media: Vec<usize> =
        live.iter().map(|post| post["media"].as_array().unwrap().len()).collect();
    assert_eq!(media, [1, 0, 0]);
}

#[tokio::test]
async fn what_the_network_refuses_is_told_and_nothing_is_live() {
    let here = Here::new().await;
    let six: String = (0..6).map(|number| format!("https://a.example/{number} ")).collect();
    // An emoji counts its bytes, of which this one has four.
    let emoji = format!("{}👍", "a".repeat(497));
    for (name, content, words) in
        [("501 characters", emoji.as_str(), "500 characters"), ("six links", &six, "5 links")]
    {
        let (remote, failures) = here.world.publish(here.world.job(1, content, &json!({}))).await;
        let error = remote.unwrap_err();
        assert_eq!(failures, [Kind::Permanent], "{name}");
        assert!(error.message.contains(words), "{name}: {error}");
    }
    let mut job = here.world.job(1, "no picture", &json!({}));
    job.files = vec![here.file(1, "image/png", b"GIF89a").await];
    let (remote, failures) = here.world.publish(job).await;
    assert_eq!(failures, [Kind::Permanent]);
    assert!(remote.unwrap_err().message.contains("UNKNOWN"));
    assert_eq!(here.world.texts().await, Vec::<String>::new());
}

/// A job that stands before its publishing, which can be seen.
async fn before_publishing(here: &Here, job: &mut PublishJob) -> Value {
    use scheduler_core::ports::Step;
    let network = &here.world.network;
    let mut progress = network.begin(job);
    while !network.is_visible(&progress) {
        match network.advance(job, &progress).await.unwrap() {
            Step::Next(next) => progress = next,
            Step::Wait { progress: next, until } => (progress, job.now) = (next, until),
            step @ (Step::Live(_) | Step::Failed { .. }) => panic!("{step:?}"),
        }
    }
    progress
}
