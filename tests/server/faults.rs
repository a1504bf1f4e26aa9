//! What becomes of a post when a network fails.

use serde_json::{Value, json};

use crate::support::{Networks, Receiver, Service, Setup};

struct Case {
    networks: Networks,
    receiver: Receiver,
    service: Service,
    _folder: tempfile::TempDir,
}

async fn case() -> Case {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    let receiver = Receiver::start().await;
    service.api().add_webhook(&receiver.url()).await;
    Case { networks, receiver, service, _folder: folder }
}

impl Case {
    /// Sends a post to one network through a fault, and waits for its end.
    async fn publish(&self, platform: &str, kind: &str, times: u32) -> Value {
        self.networks.fault_publish(platform, kind, times).await;
        self.publish_plainly(platform, kind).await
    }

    /// The same of all networks at once: a lost answer is waited for as long as its request may
    /// have an effect.
    async fn publish_to_all(&self, kind: &str, times: u32) -> [(&'static str, Value); 2] {
        let [first, second] = NETWORKS;
        let of = |platform| async move { (platform, self.publish(platform, kind, times).await) };
        tokio::join!(of(first), of(second)).into()
    }

    /// Sends a post to one network, and waits for its end.
    async fn publish_plainly(&self, platform: &str, kind: &str) -> Value {
        let api = self.service.api();
        let post = api
            .create(&json!({
                "content": format!("through {kind}"),
                "publishNow": true,
                "targets": [{"platform": platform}],
            }))
            .await;
        let post = api.ended(post["id"].as_str().unwrap()).await;
        post["targets"][0].clone()
    }

    /// How often the post of a case is live.
    async fn times_live(&self, platform: &str, kind: &str) -> usize {
        let live = self.networks.live(platform).await;
        let ours = live.iter().filter(|(text, _)| text.ends_with(&format!("through {kind}")));
        ours.map(|(_, count)| count).sum()
    }
}

const NETWORKS: [&str; 2] = ["bluesky", "mastodon"];

#[tokio::test(flavor = "multi_thread")]
async fn two_server_errors_are_followed_by_success_and_one_event() {
    let case = case().await;
    for (platform, target) in case.publish_to_all("error500", 2).await {
        assert_eq!(target["status"], "published", "{platform}");
        assert_eq!(target["attempts"], 3, "{platform}");
        assert_eq!(target["error"], Value::Null, "{platform}");
        let failed = target["failedAttempts"].as_array().unwrap();
        assert_eq!(failed.len(), 2, "{platform}: {failed:?}");
        assert!(failed.iter().all(|failed| failed["nextAttemptAt"].is_string()), "{platform}");
    }
    let events = case.receiver.wait_for(NETWORKS.len()).await;
    let kinds: Vec<&Value> = events.iter().map(|event| &event["event"]).collect();
    assert_eq!(kinds, ["post.published"; 2], "no event in between");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permanent_refusal_ends_it_with_one_event() {
    let case = case().await;
    for (index, platform) in NETWORKS.into_iter().enumerate() {
        let target = case.publish(platform, "permanent", 1).await;
        assert_eq!(target["status"], "failed", "{platform}");
        assert_eq!(target["errorPermanent"], true, "{platform}");
        assert_eq!(target["attempts"], 1, "{platform}");
        assert_eq!(case.times_live(platform, "permanent").await, 0, "{platform}");
        let events = case.receiver.wait_for(index + 1).await;
        assert_eq!(events[index]["event"], "post.failed", "{platform}");
        assert_eq!(events[index]["data"]["permanent"], true, "{platform}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_leaves_the_post_live_once() {
    let case = case().await;
    for (platform, target) in case.publish_to_all("reset_after", 1).await {
        assert_eq!(target["status"], "published", "{platform}");
        assert!(target["remoteUrl"].is_string(), "{platform}");
        assert_eq!(case.times_live(platform, "reset_after").await, 1, "{platform}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_closed_before_anything_happened_is_tried_again() {
    let case = case().await;
    for (platform, target) in case.publish_to_all("reset_before", 1).await {
        assert_eq!(target["status"], "published", "{platform}");
        assert_eq!(case.times_live(platform, "reset_before").await, 1, "{platform}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_limit_is_waited_for_and_uses_up_no_try() {
    // More limits than there are tries, each with a wait of one second.
    const LIMITS: u32 = 7;
    let case = case().await;
    for platform in NETWORKS {
        let fault = json!({
            "platform": platform, "operation": "publish", "kind": "rate_limited",
            "times": LIMITS, "retryAfterSeconds": 1,
        });
        case.networks.fault(&fault).await;
        let begun = std::time::Instant::now();
        let target = case.publish_plainly(platform, "rate_limited").await;
        assert_eq!(target["status"], "published", "{platform}: {target}");
        assert_eq!(target["attempts"], LIMITS + 1, "{platform}");
        assert_eq!(case.times_live(platform, "rate_limited").await, 1, "{platform}");
        // The networks tell the end of a wait in whole seconds, so each may be short of one.
        assert!(begun.elapsed().as_secs() >= u64::from(LIMITS) / 2, "{platform}: it waited");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_token_is_refreshed() {
    let case = case().await;
    let target = case.publish("bluesky", "expired_token", 1).await;
    assert_eq!(target["status"], "published");
    assert_eq!(target["attempts"], 1, "a refresh is no attempt");
    assert_eq!(case.times_live("bluesky", "expired_token").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_post_is_retried_by_hand() {
    let case = case().await;
    let target = case.publish("bluesky", "permanent", 1).await;
    assert_eq!(target["status"], "failed");
    let api = case.service.api();
    let posts = api.get("/posts").await;
    let id = posts["data"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/posts/{id}/retry");
    let answer = api.send(reqwest::Method::POST, &path, None, None).await;
    assert_eq!(answer.status(), 200);
    let post = api.ended(&id).await;
    assert_eq!(post["targets"][0]["status"], "published");
    assert_eq!(post["targets"][0]["attempts"], 2, "attempts keep counting");
    let kinds: Vec<Value> =
        case.receiver.wait_for(2).await.iter().map(|event| event["event"].clone()).collect();
    assert_eq!(kinds, ["post.failed", "post.published"]);
}
