//! Bluesky and Mastodon after publishing: what holds for both.

use std::sync::Arc;

use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, AfterPublishing, Comment, CommentAction, LivePost, Metered, Metric,
    NetworkErrorKind as Kind, NoMedia, PublishJob,
};
use scheduler_core::target::FailureCode;
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{NetworkSettings, Settings, adapters};
use serde_json::{Value, json};
use url::Url;

use crate::support::{World, input, present};

const PLATFORMS: [Platform; 2] = [Platform::Bluesky, Platform::Mastodon];

/// A sandbox with one account, and both sides of its adapter.
pub(crate) struct Side {
    pub(crate) world: World,
    pub(crate) after: Arc<dyn AfterPublishing>,
    platform: Platform,
    http: reqwest::Client,
}

impl Side {
    pub(crate) async fn new(platform: Platform) -> Self {
        let world = World::new(platform).await;
        let base = Url::parse(&format!("{}/{platform}", world.sandbox.url())).unwrap();
        let settings = NetworkSettings { api_base: Some(base), ..NetworkSettings::default() };
        let settings = Settings { allow_private: true, networks: [(platform, settings)].into() };
        let files = Arc::new(MemoryFiles::new());
        let stored = StoredFiles { files, examiner: Arc::new(NoMedia) };
        let adapters = adapters(&settings, stored).unwrap();
        let after = adapters.after.network(platform).unwrap().clone();
        Self { world, after, platform, http: reqwest::Client::builder().build().unwrap() }
    }

    pub(crate) fn access(&self) -> Access {
        let PublishJob { account, credentials, .. } = self.world.job(1, "", &json!({}));
        Access { account, credentials, now: present(), meter: Metered::free() }
    }

    /// Publishes, and gives the post as it is kept.
    pub(crate) async fn live(&self, job: PublishJob) -> LivePost {
        let (remote, failures) = self.world.publish(job.clone()).await;
        assert_eq!(failures, []);
        LivePost {
            target_id: job.target_id,
            remote: remote.unwrap(),
            content: job.content,
            link_url: job.link_url,
            file_count: job.files.len(),
            options: job.options,
            published_at: present(),
        }
    }

    pub(crate) async fn comments(&self, post: &LivePost) -> Vec<Comment> {
        self.after.comments(&self.access(), post).await.unwrap().unwrap().comments
    }

    /// Another account, and what opens it.
    pub(crate) async fn another(&self, name: &str) -> Someone {
        let root = self.world.sandbox.url();
        let made = self.http.post(format!("{root}/_sandbox/accounts"));
        let made = made.json(&json!({ "platform": self.platform, "name": name }));
        let account: Value = made.send().await.unwrap().json().await.unwrap();
        let connected = self.world.network.connect(&input(&account)).await.unwrap().remove(0);
        let kept: Value = serde_json::from_str(connected.credentials.expose()).unwrap();
        let token = kept["accessJwt"].as_str().or(kept["accessToken"].as_str()).unwrap();
        Someone { id: connected.network_id, token: token.to_owned() }
    }

    /// Sends something as somebody, below the network's address.
    pub(crate) async fn send(&self, someone: &Someone, path: &str, body: &Value) -> Value {
        let url = format!("{}/{}/{path}", self.world.sandbox.url(), self.platform);
        let call = self.http.post(url).bearer_auth(&someone.token).json(body);
        let answer = call.send().await.unwrap();
        assert!(answer.status().is_success(), "{answer:?}");
        answer.json().await.unwrap()
    }

    /// What somebody says below a post, given by the network's id; the network's id of it.
    pub(crate) async fn say(&self, someone: &Someone, parent: &str, text: &str) -> String {
        if self.platform == Platform::Mastodon {
            let body =
                json!({ "status": text, "in_reply_to_id": parent, "visibility": "unlisted" });
            let said = self.send(someone, "api/v1/statuses", &body).await;
            return said["id"].as_str().unwrap().to_owned();
        }
        let url = format!("{}/bluesky/xrpc/app.bsky.feed.getPosts", self.world.sandbox.url());
        let found = self.http.get(url).query(&[("uris", parent)]).send().await.unwrap();
        let found: Value = found.json().await.unwrap();
        let view = &found["posts"][0];
        let parent = json!({ "uri": view["uri"], "cid": view["cid"] });
        let root = match &view["record"]["reply"]["root"] {
            Value::Null => parent.clone(),
            root => root.clone(),
        };
        let record = json!({
            "$type": "app.bsky.feed.post",
            "text": text,
            "createdAt": present().to_rfc3339(),
            "reply": { "root": root, "parent": parent },
        });
        let body =
            json!({ "repo": someone.id, "collection": "app.bsky.feed.post", "record": record });
        let said = self.send(someone, "xrpc/com.atproto.repo.createRecord", &body).await;
        said["uri"].as_str().unwrap().to_owned()
    }
}

/// An account of the sandbox.
pub(crate) struct Someone {
    pub(crate) id: String,
    pub(crate) token: String,
}

#[tokio::test]
async fn a_thread_is_taken_down_whole_whatever_breaks() {
    for platform in PLATFORMS {
        let side = Side::new(platform).await;
        let options = json!({ "thread": ["two", "three"] });
        for (target, kind) in
            (1..).zip(["", "error500", "rate_limited", "timeout", "reset_before", "reset_after"])
        {
            let post = side.live(side.world.job(target, "one", &options)).await;
            assert_eq!(post.remote.record["parts"].as_array().map(Vec::len), Some(3));
            if !kind.is_empty() {
                let fault = json!({ "operation": "any", "kind": kind, "afterMs": 20 });
                side.world.fault(fault).await;
                let error = side.after.take_down(&side.access(), &post).await.unwrap_err();
                let is_for_now = matches!(error.kind, Kind::Temporary | Kind::RateLimited { .. });
                assert!(is_for_now, "{platform} {kind}: {error}");
            }
            for _ in 0..2 {
                side.after.take_down(&side.access(), &post).await.unwrap();
                assert_eq!(side.world.texts().await, Vec::<String>::new(), "{platform} {kind}");
            }
        }
        let post = side.live(side.world.job(9, "one", &options)).await;
        side.world.fault(json!({ "operation": "any", "kind": "expired_token" })).await;
        let error = side.after.take_down(&side.access(), &post).await.unwrap_err();
        assert!(matches!(error.kind, Kind::TokenExpired | Kind::Reconnect), "{platform}: {error}");
        assert_eq!(side.world.texts().await, ["one", "two", "three"]);
    }
}

#[tokio::test]
async fn figures_of_several_posts() {
    for platform in PLATFORMS {
        let side = Side::new(platform).await;
        let mut posts = Vec::new();
        for target in 1..=3 {
            let job = side.world.job(target, &format!("post {target}"), &json!({}));
            posts.push(side.live(job).await);
        }
        let ben = side.another("ben").await;
        side.say(&ben, &posts[1].remote.id, "Well said").await;
        let access = side.access();
        let read = async || side.after.figures(&access, &posts).await.unwrap();
        let of = |figures: &[Option<scheduler_core::ports::Figures>], metric| -> Vec<Option<f64>> {
            figures.iter().map(|one| one.as_ref().map(|one| one.0[&metric])).collect()
        };
        let figures = read().await;
        assert_eq!(of(&figures, Metric::Comments), [Some(0.0), Some(1.0), Some(0.0)], "{platform}");
        for metric in [Metric::Likes, Metric::Shares, Metric::Quotes] {
            assert_eq!(of(&figures, metric), [Some(0.0); 3], "{platform}");
        }
        for kind in ["error500", "rate_limited", "reset_before", "reset_after"] {
            side.world.fault(json!({ "operation": "metrics", "kind": kind })).await;
            let error = side.after.figures(&access, &posts).await.unwrap_err();
            let is_for_now = matches!(error.kind, Kind::Temporary | Kind::RateLimited { .. });
            assert!(is_for_now, "{platform} {kind}: {error}");
        }
        side.after.take_down(&access, &posts[1]).await.unwrap();
        let figures = read().await;
        assert_eq!(of(&figures, Metric::Comments), [Some(0.0), None, Some(0.0)], "{platform}");
        let one = side.after.figures(&access, &posts[1..2]).await;
        assert_eq!(one, Ok(vec![None]), "{platform}");
    }
}

#[tokio::test]
async fn comments_are_read_answered_liked_and_deleted() {
    for platform in PLATFORMS {
        let side = Side::new(platform).await;
        let post = side.live(side.world.job(1, "one", &json!({ "thread": ["two"] }))).await;
        assert_eq!(side.comments(&post).await, [], "the parts are no comments");
        let ben = side.another("ben").await;
        let part = post.remote.record["parts"][1].as_str().unwrap().to_owned();
        for (parent, text) in [(&post.remote.id, "Well said"), (&part, "Indeed")] {
            side.say(&ben, parent, text).await;
        }
        let found = side.comments(&post).await;
        let mut texts: Vec<&str> = found.iter().map(|comment| comment.text.as_str()).collect();
        texts.sort_unstable();
        assert_eq!(texts, ["Indeed", "Well said"], "{platform}");
        assert!(found.iter().all(|comment| !comment.own && !comment.hidden));
        assert!(found.iter().all(|comment| !comment.id.contains(['/', '%', '?', '#'])));
        let said = found.iter().find(|comment| comment.text == "Indeed").unwrap();
        assert!(said.author.as_deref().unwrap().starts_with("ben"), "{said:?}");
        assert!(said.created_at.is_some());

        let access = side.access();
        let act = async |comment: &str, act: CommentAction| {
            side.after.act_on_comment(&access, &post, comment, &act).await
        };
        let likes = async || {
            let found = side.comments(&post).await;
            found.into_iter().find(|comment| comment.text == "Indeed").unwrap().like_count
        };
        for (what, count) in [(CommentAction::Like, 1), (CommentAction::Unlike, 0)] {
            for _ in 0..2 {
                assert_eq!(act(&said.id, what.clone()).await, Ok(None), "{platform}");
                assert_eq!(likes().await, Some(count), "{platform}");
            }
        }

        let reply = CommentAction::Reply("Thanks".to_owned());
        let made = act(&said.id, reply).await.unwrap().unwrap();
        assert!(made.own && made.text.contains("Thanks"), "{made:?}");
        let seen = side.comments(&post).await;
        let seen = seen.iter().find(|comment| comment.id == made.id).unwrap();
        assert_eq!((&seen.text, &seen.author, seen.own), (&made.text, &made.author, true));
        let below = CommentAction::Reply("And more".to_owned());
        let below = act(&made.id, below).await.unwrap().unwrap();
        assert_eq!(below.text, "And more", "nobody mentions themselves");

        let error = act(&said.id, CommentAction::Delete).await.unwrap_err();
        assert_eq!(error.code, FailureCode::Unsupported, "{platform}: another's");
        for id in [&below.id, &made.id] {
            for _ in 0..2 {
                assert_eq!(act(id, CommentAction::Delete).await, Ok(None), "{platform}");
            }
        }
        assert_eq!(side.comments(&post).await.len(), 2);

        let other = side.live(side.world.job(2, "another", &json!({}))).await;
        let error = side
            .after
            .act_on_comment(&access, &other, &said.id, &CommentAction::Like)
            .await
            .unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "{platform}: a comment on another post");
    }
}

#[tokio::test]
async fn a_reply_whose_answer_was_lost_is_there_once() {
    for platform in PLATFORMS {
        let side = Side::new(platform).await;
        let post = side.live(side.world.job(1, "one", &json!({}))).await;
        let ben = side.another("ben").await;
        side.say(&ben, &post.remote.id, "Well said").await;
        let said = side.comments(&post).await.remove(0).id;
        for (kind, want) in [
            ("error500", Kind::Unsettled),
            ("timeout", Kind::InDoubt),
            ("reset_before", Kind::InDoubt),
            ("reset_after", Kind::InDoubt),
            ("permanent", Kind::Permanent),
        ] {
            let reply = CommentAction::Reply(format!("after {kind}"));
            let act =
                || async { side.after.act_on_comment(&side.access(), &post, &said, &reply).await };
            side.world.fault(json!({ "operation": "comment", "kind": kind, "afterMs": 20 })).await;
            assert_eq!(act().await.unwrap_err().kind, want, "{platform} {kind}");
            let made = act().await.unwrap().unwrap();
            let again = act().await.unwrap().unwrap();
            assert_eq!(made.id, again.id, "{platform} {kind}");
            let texts = side.world.texts().await;
            let count = texts.iter().filter(|text| text.ends_with(kind)).count();
            assert_eq!(count, 1, "{platform} {kind}: {texts:?}");
        }
        // Acts that may be done again are failures for now, and done the next time.
        for act in [CommentAction::Like, CommentAction::Unlike] {
            for kind in ["error500", "rate_limited", "reset_before", "reset_after"] {
                let act = || async {
                    side.after.act_on_comment(&side.access(), &post, &said, &act).await
                };
                side.world.fault(json!({ "operation": "any", "kind": kind })).await;
                let error = act().await.unwrap_err();
                let is_for_now = matches!(error.kind, Kind::Temporary | Kind::RateLimited { .. });
                assert!(is_for_now, "{platform} {kind}: {error}");
                assert_eq!(act().await, Ok(None), "{platform} {kind}");
            }
        }
    }
}

#[tokio::test]
async fn followers_names_and_limits() {
    for (platform, followers) in [(Platform::Bluesky, 128), (Platform::Mastodon, 96)] {
        let side = Side::new(platform).await;
        for name in ["Anton", "ben"] {
            side.another(name).await;
        }
        let access = side.access();
        assert_eq!(side.after.followers(&access).await, Ok(Some(followers)));
        let names = side.after.mentions(&access, "@an").await.unwrap();
        assert_eq!(names.len(), 1, "{platform}: {names:?}");
        assert!(names[0].handle.starts_with("@anton"), "{platform}: {names:?}");
        assert_eq!(names[0].name, "Anton");
        assert_eq!(side.after.mentions(&access, "nobody").await, Ok(Vec::new()));
        let limits = side.after.limits(&access).await.unwrap();
        let is_mastodon = platform == Platform::Mastodon;
        assert_eq!(limits.is_some(), is_mastodon);
        assert_eq!(limits.map(|limits| limits.text_limit), is_mastodon.then_some(Some(500)));

        for kind in ["error500", "rate_limited", "reset_after"] {
            side.world.fault(json!({ "operation": "metrics", "kind": kind })).await;
            let error = side.after.followers(&access).await.unwrap_err();
            let is_for_now = matches!(error.kind, Kind::Temporary | Kind::RateLimited { .. });
            assert!(is_for_now, "{platform} {kind}: {error}");
        }
    }
}
