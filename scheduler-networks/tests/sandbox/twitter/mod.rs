//! X.

mod after;
mod connecting;
mod faults;
mod here;

use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use here::Here;

#[tokio::test]
async fn a_text_with_its_link_and_its_page() {
    let here = Here::new().await;
    let mut job = here.world.job(1, "1 < 2 & the rest", &json!({}));
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let (remote, failures) = here.world.publish(job).await;
    assert_eq!(failures, []);
    let remote = remote.unwrap();
    let page = format!("/twitter/sandbox_1/status/{}", remote.id);
    assert!(remote.url.unwrap().ends_with(&page));
    let text = "1 < 2 & the rest\nhttps://blog.example.com/post";
    assert_eq!(here.world.bodies("/2/tweets").await, [json!({ "text": text })]);
    assert_eq!(here.world.texts().await, [text]);
}

#[tokio::test]
async fn a_thread_is_answers_one_by_one() {
    let here = Here::new().await;
    let job = here.world.job(1, "one", &json!({ "thread": ["two", "three"] }));
    let (remote, failures) = here.world.publish(job).await;
    assert_eq!(failures, []);
    let remote = remote.unwrap();
    let live = here.world.live().await;
    assert_eq!(here.world.texts().await, ["one", "two", "three"]);
    assert_eq!(live[0]["remoteId"], json!(remote.id));
    for (before, after) in live.iter().zip(&live[1..]) {
        assert_eq!(before["remoteId"], after["replyTo"]);
    }
    let ids: Vec<&Value> = live.iter().map(|post| &post["remoteId"]).collect();
    assert_eq!(remote.record["parts"], json!(ids));
}

#[tokio::test]
async fn what_the_network_refuses_is_told_and_nothing_is_live() {
    let here = Here::new().await;
    for (name, content, words) in [
        ("too long", "の".repeat(141), "Shorten it"),
        ("cashtags", "$TSLA $AAPL".to_owned(), "one cashtag"),
        ("a forbidden sign", "a\u{feff}b".to_owned(), "refused the call"),
    ] {
        let (remote, failures) = here.world.publish(here.world.job(1, &content, &json!({}))).await;
        let error = remote.unwrap_err();
        assert_eq!(failures, [Kind::Permanent], "{name}");
        assert_eq!(error.code, FailureCode::ValidationFailed, "{name}");
        assert!(error.message.contains(words), "{name}: {error}");
    }
    assert_eq!(here.world.texts().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_text_that_was_posted_already_is_told() {
    let here = Here::new().await;
    let (first, _) = here.world.publish(here.world.job(1, "again", &json!({}))).await;
    let (second, failures) = here.world.publish(here.world.job(2, "again", &json!({}))).await;
    assert!(first.is_ok(), "{first:?}");
    assert_eq!(failures, [Kind::Permanent]);
    let error = second.unwrap_err();
    assert_eq!(error.code, FailureCode::ValidationFailed);
    assert!(error.message.contains("posted already"), "{error}");
    assert_eq!(here.world.texts().await, ["again"]);
}

#[tokio::test]
async fn a_post_with_all_of_its_options() {
    let here = Here::new().await;
    let options = json!({
        "replyControl": "mentioned",
        "paidPartnership": true,
        "communityId": "1146654567674912769",
        "poll": { "options": ["Yes", "No"], "durationMinutes": 60 },
    });
    let (remote, failures) = here.world.publish(here.world.job(1, "Buy this", &options)).await;
    assert_eq!((remote.is_ok(), failures), (true, vec![]));
    let elsewhere = json!({ "communityId": "1" });
    let (remote, failures) = here.world.publish(here.world.job(2, "And that", &elsewhere)).await;
    let error = remote.unwrap_err();
    assert_eq!((error.kind, failures), (Kind::Permanent, vec![Kind::Permanent]));
    assert!(error.message.contains("community"), "{error}");
}
