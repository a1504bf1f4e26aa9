//! LinkedIn.

use std::sync::Arc;

use scheduler_core::account::Account;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, AfterPublishing, AuthorizeInput, Comment, CommentAction, ConnectInput, Connected,
    Files, LivePost, Metered, Metric, NetworkErrorKind as Kind, PublishJob,
};
use scheduler_core::target::{FailureCode, Remote};
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Adapters, Client, NetworkSettings, Settings, adapters};
use serde_json::{Value, json};
use url::Url;

use crate::support::{World, png, present};

/// A video of three pieces.
const VIDEO_BYTES: usize = 9_000_000;

/// A sandbox whose member and page are connected through the network's own page.
struct Linkedin {
    world: World,
    after: Arc<dyn AfterPublishing>,
    accounts: Vec<Connected>,
}

const EVERYTHING: &str = "openid profile w_member_social w_member_social_feed r_member_social r_member_postAnalytics r_member_profileAnalytics w_organization_social w_organization_social_feed r_organization_social rw_organization_admin";
const SELF_SERVE: &str = "openid profile w_member_social";

impl Linkedin {
    async fn new(scopes: &str) -> Self {
        let mut world = World::new(Platform::Linkedin).await;
        let Adapters { networks, after, .. } = adapters_of(&world, scopes);
        let network = networks.network(Platform::Linkedin).unwrap().clone();
        // The adapter with an application; files are read through the one without, which has them.
        let accounts = network.connect(&code(&world, &*network).await).await.unwrap();
        world.connected = accounts[0].clone();
        let after = after.network(Platform::Linkedin).unwrap().clone();
        Self { world, after, accounts }
    }

    fn account(&self, connected: &Connected) -> Account {
        let mut account = self.world.job(1, "", &json!({})).account;
        account.network_id = connected.network_id.clone();
        account.display_name = connected.display_name.clone();
        account
    }

    fn job(
        &self,
        connected: &Connected,
        target: u128,
        content: &str,
        options: &Value,
    ) -> PublishJob {
        PublishJob {
            account: self.account(connected),
            credentials: connected.credentials.clone(),
            ..self.world.job(target, content, options)
        }
    }

    fn access(&self, connected: &Connected) -> Access {
        let account = self.account(connected);
        Access {
            account,
            credentials: connected.credentials.clone(),
            now: present(),
            meter: Metered::free(),
        }
    }

    fn live_post(&self, remote: Remote) -> LivePost {
        let job = self.world.job(1, "", &json!({}));
        LivePost {
            target_id: job.target_id,
            remote,
            content: String::new(),
            link_url: None,
            file_count: 0,
            options: job.options,
            published_at: present(),
        }
    }
}

/// Adapters for the same sandbox that know an application and need no files.
fn adapters_of(world: &World, scopes: &str) -> Adapters {
    let base = Url::parse(&format!("{}/linkedin", world.sandbox.url())).unwrap();
    let client = Client { id: "scheduler".to_owned(), secret: "secret".into() };
    let scopes = scopes.split(' ').map(str::to_owned).collect();
    let chosen = NetworkSettings {
        api_base: Some(base),
        client: Some(client),
        scopes: Some(scopes),
        ..NetworkSettings::default()
    };
    let networks = [(Platform::Linkedin, chosen)].into();
    let settings = Settings { allow_private: true, networks };
    let files: Arc<dyn Files> = Arc::new(scheduler_core::memory::MemoryFiles::new());
    let examiner = Arc::new(scheduler_core::ports::NoMedia);
    adapters(&settings, StoredFiles { files, examiner }).unwrap()
}

/// Lets the application in on the network's page, as a person does, and gives what came back.
async fn code(world: &World, network: &dyn scheduler_core::ports::Network) -> ConnectInput {
    let redirect_uri = "https://s.example/connect/linkedin";
    let asked = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: redirect_uri.to_owned(),
        state: "the-state".to_owned(),
        code_verifier: "x".repeat(43).into(),
    };
    let page = Url::parse(&network.authorize(&asked).await.unwrap().url).unwrap();
    let mut fields: Vec<(String, String)> =
        page.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    let member = world.connected.network_id.rsplit_once(':').unwrap().1;
    fields.push(("member".to_owned(), member.to_owned()));
    fields.push(("decision".to_owned(), "allow".to_owned()));
    let client =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let answer = client.post(page).form(&fields).send().await.unwrap();
    let location = answer.headers()["location"].to_str().unwrap();
    let back = Url::parse(location).unwrap();
    let given = |wanted: &str| {
        let pair = back.query_pairs().find(|(name, _)| name == wanted);
        pair.unwrap_or_else(|| panic!("{wanted} is missing: {back}")).1.into_owned()
    };
    assert_eq!(given("state"), "the-state");
    let pairs = [
        ("code", given("code")),
        ("redirectUri", redirect_uri.to_owned()),
        ("codeVerifier", "x".repeat(43)),
    ];
    ConnectInput(pairs.map(|(name, value)| (name.to_owned(), value)).into())
}

fn mp4(seed: &str) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.extend(seed.bytes());
    bytes.resize(VIDEO_BYTES, 7);
    bytes
}

/// Gives the job files of these types.
fn with_files(world: &World, mut job: PublishJob, media_types: &[&str]) -> PublishJob {
    let files = media_types.iter().zip(1_u8..).map(|(media_type, number)| {
        let bytes = match *media_type {
            "video/mp4" => mp4(&job.content),
            "application/pdf" => format!("%PDF-1.4 {}", job.content).into_bytes(),
            _ => png(number),
        };
        world.file(number.into(), media_type, &bytes)
    });
    job.files = files.collect();
    job
}

#[tokio::test]
async fn one_token_opens_the_member_and_the_page() {
    let linkedin = Linkedin::new(EVERYTHING).await;
    let [member, page] = linkedin.accounts.as_slice() else { panic!("{:?}", linkedin.accounts) };
    assert!(member.network_id.starts_with("urn:li:person:"));
    assert!(page.network_id.starts_with("urn:li:organization:"));
    assert!(page.username.is_some() && page.display_name.is_some());
    for account in [member, page] {
        assert_eq!(account.lacks, Vec::<String>::new());
        let left = account.credentials.expires_at.unwrap() - present();
        assert!((59..=60).contains(&left.num_days()), "{left}");
    }
    let alone = Linkedin::new(SELF_SERVE).await;
    assert_eq!(alone.accounts.len(), 1);
    assert_eq!(alone.accounts[0].lacks.len(), 4);
}

#[tokio::test]
async fn every_kind_of_post_for_members_and_pages() {
    for scopes in [EVERYTHING, SELF_SERVE] {
        let linkedin = Linkedin::new(scopes).await;
        let world = &linkedin.world;
        for account in &linkedin.accounts {
            for (name, types, text) in [
                ("text", &[][..], "Signs (all) of_them #tag #2024 me@example.com C# [x] <y>"),
                ("image", &["image/png"][..], "an image"),
                ("images", &["image/png", "image/png", "image/png"][..], "images"),
                ("video", &["video/mp4"][..], "a video"),
                ("document", &["application/pdf"][..], "a document"),
                ("image alone", &["image/png"][..], ""),
            ] {
                let job = linkedin.job(account, 1, text, &json!({}));
                let job = with_files(world, job, types);
                let (remote, failures) = world.publish(job).await;
                let remote = remote.unwrap();
                assert_eq!(failures, [], "{name}");
                let live = world.live().await;
                let last = live.last().unwrap();
                assert_eq!(last["text"], text, "{name}: nothing is cut");
                assert_eq!(last["remoteId"], json!(remote.id), "{name}");
                assert_eq!(last["account"], json!(account.network_id), "{name}");
                assert_eq!(last["media"].as_array().unwrap().len(), types.len(), "{name}");
                assert!(remote.url.unwrap().ends_with(&format!("/feed/update/{}/", remote.id)));
            }
        }
        let bytes: Vec<u64> = world
            .live()
            .await
            .iter()
            .filter(|post| post["media"][0]["type"] == "video/mp4")
            .map(|post| post["media"][0]["bytes"].as_u64().unwrap())
            .collect();
        let want = u64::try_from(VIDEO_BYTES).unwrap();
        assert_eq!(bytes, vec![want; linkedin.accounts.len()]);
    }
}

#[tokio::test]
async fn a_link_and_a_first_comment() {
    let linkedin = Linkedin::new(EVERYTHING).await;
    let world = &linkedin.world;
    let options = json!({ "firstComment": "More (here): https://a.example/x_y" });
    let mut job = linkedin.job(&linkedin.accounts[0], 1, "Hello", &options);
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let (remote, failures) = world.publish(job).await;
    let remote = remote.unwrap();
    assert_eq!(failures, []);
    let live = world.live().await;
    assert_eq!(live.len(), 2);
    assert_eq!(live[1]["replyTo"], json!(remote.id));
    assert_eq!(live[1]["text"], "More (here): https://a.example/x_y");
    assert_eq!(remote.record["firstComment"], live[1]["remoteId"]);
    let posts = world.bodies("/rest/posts").await;
    assert_eq!(posts[0]["content"]["article"]["source"], "https://blog.example.com/post");
}

#[tokio::test]
async fn whom_a_post_mentions() {
    let here = Linkedin::new(SELF_SERVE).await;
    let mentions = json!([{ "name": "Acme (Mills)", "urn": "urn:li:organization:2414183" }]);
    let options = json!({ "mentions": mentions });
    let content = "Baked with @Acme (Mills), for @you";
    let job = here.job(&here.accounts[0], 1, content, &options);
    let (remote, failures) = here.world.publish(job).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, []);
    assert_eq!(here.world.live().await[0]["text"], "Baked with Acme (Mills), for @you");
}

#[tokio::test]
async fn a_card_with_an_image() {
    let here = Linkedin::new(SELF_SERVE).await;
    let options = json!({ "linkCard": { "title": "Bread", "description": "Why it rises" } });
    let mut job = here.job(&here.accounts[0], 1, "Read this", &options);
    job.link_url = Some("https://example.com/a".to_owned());
    job.thumbnail = Some(here.world.file(9, "image/png", &png(9)));
    let (remote, failures) = here.world.publish(job).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, []);
    let bodies = here.world.bodies("/rest/posts").await;
    let article = &bodies.last().unwrap()["content"]["article"];
    let said = [&article["source"], &article["title"], &article["description"]];
    assert_eq!(said, ["https://example.com/a", "Bread", "Why it rises"]);
    assert!(article["thumbnail"].as_str().unwrap().starts_with("urn:li:image:"), "{article}");
    let live = here.world.live().await;
    assert_eq!(live[0]["media"][0]["bytes"], json!(png(9).len()), "{live:?}");
}

#[tokio::test]
async fn a_first_comment_that_is_not_permitted_is_left_out_and_told() {
    let linkedin = Linkedin::new(SELF_SERVE).await;
    assert_eq!(linkedin.accounts[0].limits.may_comment, Some(false), "the rules warn of it");
    let world = &linkedin.world;
    let options = json!({ "firstComment": "More" });
    let job = linkedin.job(&linkedin.accounts[0], 1, "Hello", &options);
    let (remote, failures) = world.publish(job).await;
    assert_eq!(failures, [Kind::Permanent]);
    let told = remote.unwrap_err().message;
    assert!(told.starts_with("The first comment could not be made"), "{told}");
    assert_eq!(world.texts().await, ["Hello"]);
}

#[tokio::test]
async fn a_refusal_is_said_in_the_networks_words() {
    let linkedin = Linkedin::new(EVERYTHING).await;
    let world = &linkedin.world;
    let member = &linkedin.accounts[0];
    for (operation, said, code) in [
        ("publish", "maximum allowed (3000", FailureCode::ValidationFailed),
        ("upload", "does not take files of this type", FailureCode::ValidationFailed),
        ("poll", "cannot use a file", FailureCode::ValidationFailed),
    ] {
        world.fault(json!({ "operation": operation, "kind": "permanent" })).await;
        let job = linkedin.job(member, 1, operation, &json!({}));
        let (remote, failures) = world.publish(with_files(world, job, &["image/png"])).await;
        let error = remote.unwrap_err();
        assert_eq!(failures, [Kind::Permanent], "{operation}");
        assert_eq!(error.code, code, "{operation}: {error}");
        assert!(error.message.contains(said), "{operation}: {error}");
    }
    assert_eq!(world.texts().await, Vec::<String>::new());
    let (first, _) = world.publish(linkedin.job(member, 1, "twice", &json!({}))).await;
    let (second, failures) = world.publish(linkedin.job(member, 2, "twice", &json!({}))).await;
    let error = second.unwrap_err();
    assert_eq!(failures, [Kind::Permanent]);
    assert!(error.message.contains(&first.unwrap().id), "{error}");
    assert_eq!(world.texts().await, ["twice"]);
}

#[tokio::test]
async fn an_expired_token_is_refreshed_and_a_refused_refresh_asks_for_a_connection() {
    let mut linkedin = Linkedin::new(EVERYTHING).await;
    // Its adapter knows the application, without which nothing can be refreshed.
    let adapters = adapters_of(&linkedin.world, EVERYTHING);
    linkedin.world.network = adapters.networks.network(Platform::Linkedin).unwrap().clone();
    let world = &linkedin.world;
    let member = &linkedin.accounts[0];
    world.fault(json!({ "operation": "publish", "kind": "expired_token" })).await;
    let (remote, failures) = world.publish(linkedin.job(member, 1, "refreshed", &json!({}))).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, [Kind::TokenExpired]);

    let job = linkedin.job(member, 2, "never", &json!({}));
    for (kind, want) in [
        ("error500", Kind::Temporary),
        ("reset_after", Kind::Temporary),
        ("expired_token", Kind::Reconnect),
    ] {
        world.fault(json!({ "operation": "token", "kind": kind })).await;
        let error = world.network.refresh(&job.account, &job.credentials).await.unwrap_err();
        assert_eq!(error.kind, want, "{kind}: {error}");
    }
    assert_eq!(world.texts().await, ["refreshed"]);
}

#[tokio::test]
async fn a_lost_first_comment_is_found_or_left_out() {
    for (scopes, kind, want) in [
        (EVERYTHING, "reset_after", 1),
        (EVERYTHING, "reset_before", 1),
        (EVERYTHING, "error500", 1),
        (EVERYTHING, "rate_limited", 1),
    ] {
        let linkedin = Linkedin::new(scopes).await;
        let world = &linkedin.world;
        for account in &linkedin.accounts {
            world.fault(json!({ "operation": "comment", "kind": kind, "times": 1 })).await;
            let options = json!({ "firstComment": "More" });
            let content = format!("{kind} {}", account.network_id);
            let (remote, failures) =
                world.publish(linkedin.job(account, 1, &content, &options)).await;
            assert_eq!(failures.len(), 1, "{content}: {failures:?}");
            let remote = remote.unwrap();
            let live = world.live().await;
            let comments = live.iter().filter(|post| post["replyTo"] == json!(remote.id));
            assert_eq!(comments.count(), want, "{content}");
        }
    }
}

#[tokio::test]
async fn comments_are_read_answered_changed_liked_and_deleted() {
    let linkedin = Linkedin::new(EVERYTHING).await;
    let (world, after) = (&linkedin.world, &linkedin.after);
    for account in &linkedin.accounts {
        let options = json!({ "firstComment": "First" });
        let job = linkedin.job(account, 1, &account.network_id, &options);
        let post = linkedin.live_post(world.publish(job).await.0.unwrap());
        let access = linkedin.access(account);
        let read = || async { after.comments(&access, &post).await.unwrap().unwrap() };
        let act = async |comment: &Comment, act: CommentAction| {
            after.act_on_comment(&access, &post, &comment.id, &act).await
        };
        let comments = read().await;
        assert!(comments.rights.reply && !comments.rights.hide);
        let [first] = comments.comments.as_slice() else { panic!("{comments:?}") };
        assert_eq!((first.text.as_str(), first.own, first.like_count), ("First", true, Some(0)));

        let reply = act(first, CommentAction::Reply("Second".to_owned())).await.unwrap().unwrap();
        assert_eq!((reply.text.as_str(), reply.own), ("Second", true));
        assert_eq!(act(&reply, CommentAction::Edit("Changed".to_owned())).await, Ok(None));
        for _ in 0..2 {
            assert_eq!(act(first, CommentAction::Like).await, Ok(None));
        }
        let texts: Vec<(String, Option<u64>)> = read()
            .await
            .comments
            .into_iter()
            .map(|comment| (comment.text, comment.like_count))
            .collect();
        assert_eq!(texts, [("First".to_owned(), Some(1)), ("Changed".to_owned(), Some(0))]);
        for _ in 0..2 {
            assert_eq!(act(first, CommentAction::Unlike).await, Ok(None));
            assert_eq!(act(&reply, CommentAction::Delete).await, Ok(None));
        }
        let left = read().await.comments;
        assert_eq!((left.len(), left[0].like_count), (1, Some(0)));
        let error = act(first, CommentAction::Hide).await.unwrap_err();
        assert_eq!(error.code, FailureCode::Unsupported);

        for (kind, want) in [
            ("error500", Kind::Unsettled),
            ("reset_after", Kind::InDoubt),
            ("permanent", Kind::Permanent),
        ] {
            world.fault(json!({ "operation": "comment", "kind": kind })).await;
            let error = act(first, CommentAction::Reply("x".to_owned())).await.unwrap_err();
            assert_eq!(error.kind, want, "{kind}");
        }
    }
    let alone = Linkedin::new(SELF_SERVE).await;
    let member = &alone.accounts[0];
    let post = alone.world.publish(alone.job(member, 1, "x", &json!({}))).await.0.unwrap();
    let read = alone.after.comments(&alone.access(member), &alone.live_post(post)).await;
    assert_eq!(read, Ok(None));
}

#[tokio::test]
async fn figures_followers_and_names() {
    let linkedin = Linkedin::new(EVERYTHING).await;
    let (world, after) = (&linkedin.world, &linkedin.after);
    for (account, followers, has_saves) in
        [(&linkedin.accounts[0], 96, true), (&linkedin.accounts[1], 512, false)]
    {
        let access = linkedin.access(account);
        let mut posts = Vec::new();
        for (number, types) in [(1, &[][..]), (2, &["video/mp4"][..])] {
            let job = linkedin.job(account, number, &format!("figures {number}"), &json!({}));
            let job = with_files(world, job, types);
            posts.push(linkedin.live_post(world.publish(job).await.0.unwrap()));
        }
        let figures = after.figures(&access, &posts).await.unwrap();
        assert_eq!(figures.len(), 2);
        for figures in figures {
            let figures = figures.unwrap().0;
            assert_eq!(figures[&Metric::Impressions], 240.0);
            assert_eq!(figures[&Metric::Reach], 180.0);
            assert_eq!(figures[&Metric::Clicks], 12.0);
            assert_eq!(figures.contains_key(&Metric::Saves), has_saves);
        }
        assert_eq!(after.followers(&access).await, Ok(Some(followers)));
        for (kind, want) in [("error500", Kind::Temporary), ("reset_before", Kind::Temporary)] {
            world.fault(json!({ "operation": "metrics", "kind": kind })).await;
            assert_eq!(after.figures(&access, &posts).await.unwrap_err().kind, want, "{kind}");
        }
        world.fault(json!({ "operation": "metrics", "kind": "rate_limited" })).await;
        let limited = after.followers(&access).await.unwrap_err();
        let Kind::RateLimited { wait: Some(wait) } = limited.kind else { panic!("{limited:?}") };
        assert!(wait.num_hours() <= 24, "until midnight: {wait}");
        world.fault(json!({ "operation": "metrics", "kind": "permanent", "times": 3 })).await;
        let without = after.figures(&access, &posts).await.unwrap();
        assert_eq!(without, [None, None], "a permission that is not there is no failure");
    }
    let member = linkedin.access(&linkedin.accounts[0]);
    let handle = linkedin.accounts[1].username.clone().unwrap();
    let found = after.mentions(&member, &handle).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].handle, handle);
    assert_eq!(after.mentions(&member, "nobody").await, Ok(vec![]));
}

#[tokio::test]
async fn a_post_is_taken_down_once_and_for_all() {
    let linkedin = Linkedin::new(EVERYTHING).await;
    let (world, after) = (&linkedin.world, &linkedin.after);
    for account in &linkedin.accounts {
        let options = json!({ "firstComment": "goes with it" });
        let job = linkedin.job(account, 1, "short", &options);
        let post = linkedin.live_post(world.publish(job).await.0.unwrap());
        let access = linkedin.access(account);
        assert_eq!(world.texts().await, ["short", "goes with it"]);
        for _ in 0..2 {
            assert_eq!(after.take_down(&access, &post).await, Ok(()));
            assert_eq!(world.texts().await, Vec::<String>::new());
        }
    }
}
