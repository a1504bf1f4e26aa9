//! Posts that failed: what happened, what to do, and the button for it; and what nobody knows.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use scheduler_core::account::Account;
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{ClaimRequest, Ids as _, Place, Store, WorkAfter};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::target::{FailedAttempt, Failure, FailureCode, Target};
use scheduler_store::{Database, SealingKey};
use scheduler_worker::UuidV7;
use serde_json::{Map, json};

use super::Site;
use super::acting::Visitor;
use super::browser::{Browser, Like};
use crate::support::wait_for;

/// What each network says of whatever failed.
const SAID: &str = "HTTP 503 <b>request 7</b>";

/// A post of which the only target has failed like this.
async fn failed(
    store: &dyn Store,
    account: &Account,
    code: FailureCode,
    at: DateTime<Utc>,
) -> PostId {
    let id = TargetId(UuidV7.next(at));
    let target = Target::new(id, account.platform, account.id, Map::new(), Some(at), None);
    let post = Post {
        status: PostStatus::Scheduled,
        content: format!("Failed with {}", code.as_str()),
        scheduled_at: Some(at),
        version: 1,
        targets: vec![target],
        ..Post::new(PostId(UuidV7.next(at)), account.workspace_id, at)
    };
    store.create_post(&post, u64::MAX).await.unwrap();
    let request = ClaimRequest::new(at, at + TimeDelta::minutes(1), 1, 1);
    let claim = store.claim(&request.without([Place::Read])).await.unwrap().remove(0);
    let context = store.publish_context(&claim).await.unwrap().unwrap();
    let begun = context.target().cloned().unwrap().start().unwrap();
    let held = WorkAfter::Held(at + TimeDelta::minutes(1));
    store.record_publish(&claim, &begun, None, held, at).await.unwrap();
    let failure = Failure { message: SAID.to_owned(), code, permanent: false };
    let attempt =
        FailedAttempt { at, error_code: code, error: SAID.to_owned(), next_attempt_at: None };
    let ended = begun.having_failed(attempt).fail(failure).unwrap();
    store.record_publish(&claim, &ended, None, WorkAfter::Done, at).await.unwrap();
    post.id
}

/// A server that only answers, with a failed post for each code.
async fn filled() -> (Site, Vec<(FailureCode, PostId)>) {
    let Site { service, setup, networks, _folder } = Site::start().await;
    let first_key = service.first_key.clone();
    assert_eq!(service.stop(), Some(0));
    let key = SealingKey::load_or_create_file(&setup.data.join("secret.key")).unwrap();
    let url = format!("sqlite:{}", setup.data.join("scheduler.db").display());
    let database = Database::open(&url, &key).await.unwrap();
    let store = database.store();
    let workspace = store.workspaces().await.unwrap().remove(0);
    let accounts = store.accounts(workspace.id).await.unwrap();
    let bluesky = accounts.iter().find(|account| account.platform == Platform::Bluesky).unwrap();
    #[expect(clippy::disallowed_methods, reason = "the server goes by the clock of the machine")]
    let begin = DateTime::<Utc>::from(std::time::SystemTime::now()) - TimeDelta::hours(1);
    let mut posts = Vec::new();
    for (minutes, code) in (0_i64..).zip(FailureCode::ALL) {
        let at = begin + TimeDelta::minutes(minutes);
        posts.push((code, failed(&*store, bluesky, code, at).await));
    }
    drop(store);
    drop(database);
    let mut service = setup.serve_with(&[("SCHEDULER_ROLE", "api")]);
    service.first_key = first_key;
    (Site { service, setup, networks, _folder }, posts)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_failure_has_a_sentence_and_a_button() {
    let (site, posts) = filled().await;
    let visitor = Visitor::of(&site, "owner").await;
    assert_eq!(posts.len(), FailureCode::ALL.len());
    for (code, id) in posts {
        let page = visitor.page(&format!("posts/{id}")).await;
        let (_, rest) = page.split_once("class=\"errbox\"").unwrap();
        let (failure, _) = rest.split_once("</article>").unwrap();
        let button = match code {
            FailureCode::AccountNotConnected => "Connect again</button>",
            FailureCode::ChannelLimit => "Settings</a>",
            FailureCode::MediaUnusable => "Choose another file</button>",
            FailureCode::ValidationFailed => "Fix it</button>",
            FailureCode::NotFound | FailureCode::NetworkRefused => "Edit and retry</button>",
            FailureCode::RateLimited | FailureCode::NetworkError => "Retry Bluesky</button>",
            FailureCode::Unsupported => "Send without it</button>",
            FailureCode::InDoubt => "I have looked.",
        };
        assert!(failure.contains(button), "{code:?}: {failure}");
        assert!(failure.contains("HTTP 503 &#60;b&#62;request 7"), "{code:?}: {failure}");
        assert!(!page.to_lowercase().contains("unknown error"), "{code:?}");
        // The attention line leads to the target, where there is room for it.
        let here = format!("/w/default/posts/{id}#t-");
        if page.contains(&here) {
            assert!(page.contains("What to do"), "{code:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_in_doubt_is_looked_at_first() {
    let (site, posts) = filled().await;
    let Some(browser) = Browser::start(Like::default()).await else { return };
    let id = posts.iter().find(|(code, _)| *code == FailureCode::InDoubt).unwrap().1;
    let stands = async || {
        let post = site.service.api().get(&format!("/posts/{id}")).await;
        post["targets"][0].clone()
    };
    browser.open(&site.link("editor")).await;
    browser.follow("button.go").await;
    browser.open(&site.at(&format!("posts/{id}"))).await;
    let retry = "[action$='/retry'] button";
    browser.click(retry).await;
    let asked = "return document.querySelector('[name=looked]').matches(':invalid');";
    assert_eq!(browser.run(asked, vec![]).await, json!(true), "not without the tick");
    assert_eq!(stands().await["status"], "failed");
    // Nor is it taken from whoever sends the form alone.
    let visitor = Visitor::of(&site, "editor").await;
    let target = stands().await["id"].as_str().unwrap().to_owned();
    let retry_at = format!("posts/{id}/retry");
    for form in [&[("target", target.as_str())][..], &[]] {
        let (status, page) = visitor.send(&retry_at, form).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert!(page.contains("tick that you have"), "{page}");
    }

    // It is there.
    let found_at = format!("posts/{id}/found");
    let (status, _) = visitor.send(&found_at, &[("target", &target), ("link", "nowhere")]).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    browser.write("[name=link]", "https://bsky.example/post/1").await;
    browser.click("[action$='/found'] button").await;
    let live = wait_for("the post to count as live", async || {
        let target = stands().await;
        (target["status"] == "published").then_some(target)
    })
    .await;
    assert_eq!(live["remoteUrl"], "https://bsky.example/post/1");
    assert_eq!((&live["remoteId"], &live["canDeleteRemote"]), (&json!(null), &json!(false)));
    let (status, _) = visitor.send(&retry_at, &[("target", &target), ("looked", "on")]).await;
    assert!(status.is_client_error(), "never twice");
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_sent_once_somebody_has_looked() {
    let (site, posts) = filled().await;
    let id = posts.iter().find(|(code, _)| *code == FailureCode::InDoubt).unwrap().1;
    let visitor = Visitor::of(&site, "editor").await;
    let post = site.service.api().get(&format!("/posts/{id}")).await;
    let target = post["targets"][0]["id"].as_str().unwrap();
    visitor.done(&format!("posts/{id}/retry"), &[("target", target), ("looked", "on")]).await;
    let post = site.service.api().get(&format!("/posts/{id}")).await;
    assert_eq!(post["targets"][0]["status"], "pending");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_touches_what_failed_alone() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "editor").await;
    site.networks.fault_publish("bluesky", "permanent", 1).await;
    let targets = json!([{"platform": "mastodon"}, {"platform": "bluesky"}]);
    let id = site.post("To both", json!({"publishNow": true, "targets": targets})).await;
    let post = site.service.api().ended(&id).await;
    let failed = post["targets"].as_array().unwrap().iter();
    let failed = failed.clone().find(|target| target["status"] == "failed").unwrap();
    let page = visitor.page(&format!("posts/{id}")).await;
    let target = failed["id"].as_str().unwrap();
    assert!(page.contains("Retry Bluesky</button>") && !page.contains("Retry Mastodon"));
    // The attention line and the list of what is due lead to the target.
    assert!(page.contains(&format!("href=\"/w/default/posts/{id}#t-{target}\"")));
    visitor.done(&format!("posts/{id}/retry"), &[("target", target)]).await;
    let post = site.service.api().ended(&id).await;
    let is_live = |target: &serde_json::Value| target["status"] == "published";
    assert!(post["targets"].as_array().unwrap().iter().all(is_live), "{post}");
    for network in ["mastodon", "bluesky"] {
        let live = site.networks.live(network).await;
        assert_eq!(live.values().collect::<Vec<_>>(), [&1], "{network}");
    }
    // What is live is taken down only by a second press that names what is lost.
    let page = visitor.page(&format!("posts/{id}")).await;
    let down = page.split("Take down from Bluesky…").nth(1).unwrap();
    let (down, _) = down.split_once("</form>").unwrap();
    for want in ["Removes it from Bluesky, where", "href=\"", "cannot be undone"] {
        assert!(down.contains(want), "{want}: {down}");
    }
    let form = [("target", target)];
    let (status, _) = visitor.send(&format!("posts/{id}/take-down"), &form).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "not by one press");
}
