//! A key that only reads, and asks the networks as often as it likes: what reaches them, what it is
//! told, and that publishing goes on.

use std::collections::BTreeMap;
use std::time::SystemTime;

use futures_util::{StreamExt as _, stream};
use reqwest::Client;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use super::{Row, crowd, sized};
use crate::everywhere::upload;
use crate::files::setup;
use crate::support::{Api, Networks, Setup, backends};

/// Calls under way at once.
const AT_ONCE: usize = 32;

/// A question, where it arrives at its network, and how often it may in a span of so many seconds.
struct Question {
    name: &'static str,
    platform: Platform,
    /// The path of a call.
    path: Box<dyn Fn(usize) -> String>,
    /// A part of the path of its request at the network.
    arrives_at: &'static str,
    /// The most answers of the network, and the span that they count in; `None` for a question
    /// that is always the same.
    most: Option<(usize, u64)>,
}

/// What was answered to the calls of a question.
#[derive(Default)]
struct Answers {
    by_status: BTreeMap<u16, usize>,
    waits: Vec<u64>,
    words: Option<String>,
}

fn seconds() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
    let now = SystemTime::now();
    now.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

async fn ask(client: &Client, base: &str, key: &str, question: &Question, calls: usize) -> Answers {
    let asked = stream::iter(0..calls).map(async |number| {
        let url = format!("{base}/v1{}", (question.path)(number));
        let answer = client.get(url).bearer_auth(key).send().await.expect("the server answers");
        let status = answer.status().as_u16();
        let wait = answer.headers().get("retry-after").map(|wait| wait.to_str().unwrap().parse());
        let body: Value = answer.json().await.expect("JSON");
        (status, wait.map(|wait: Result<u64, _>| wait.expect("whole seconds")), body)
    });
    let mut answers = Answers::default();
    let mut asked = asked.buffer_unordered(AT_ONCE);
    while let Some((status, wait, body)) = asked.next().await {
        *answers.by_status.entry(status).or_default() += 1;
        if status == 429 {
            assert_eq!(body["error"]["code"], "rate_limited", "{body}");
            answers.waits.push(wait.expect("a refusal says how long to wait"));
            answers.words = body["error"]["message"].as_str().map(str::to_owned);
        }
    }
    answers
}

async fn arrived(networks: &Networks, question: &Question) -> usize {
    let requests = networks.requests(question.platform.as_str()).await;
    requests.iter().filter(|path| path.contains(question.arrives_at)).count()
}

/// Publishes on a network, and waits until the post is live.
async fn publish(api: &Api, platform: Platform, options: Value, media: &[&str]) -> Value {
    let mut body = json!({
        "content": format!("Live on {platform}"),
        "publishNow": true,
        "targets": [{ "platform": platform, "options": options }],
    });
    if !media.is_empty() {
        body["mediaIds"] = json!(media);
    }
    let created = api.create(&body).await;
    let ended = api.ended(created["id"].as_str().unwrap()).await;
    assert_eq!(ended["targets"][0]["status"], "published", "{ended}");
    ended
}

async fn questions(api: &Api, film: &str) -> Vec<Question> {
    let accounts = api.get("/oauth/accounts").await["data"].as_array().unwrap().clone();
    let account = |platform: Platform| {
        let of = accounts.iter().find(|account| account["platform"] == platform.as_str());
        of.unwrap()["id"].as_str().unwrap().to_owned()
    };
    let live = publish(api, Platform::Youtube, json!({}), &[film]).await;
    let post = live["id"].as_str().unwrap();
    let target = live["targets"][0]["id"].as_str().unwrap();
    let target = format!("/posts/{post}/targets/{target}");
    let same = |name, platform, path: String, arrives_at| Question {
        name,
        platform,
        path: Box::new(move |_| path.clone()),
        arrives_at,
        most: None,
    };
    let mentions = |platform: Platform, arrives_at, most| {
        let account = account(platform);
        Question {
            name: "mentions, each of another name",
            platform,
            path: Box::new(move |number| format!("/oauth/accounts/{account}/mentions?q=n{number}")),
            arrives_at,
            most: Some(most),
        }
    };
    let of = |platform, what: &str| format!("/oauth/accounts/{}/{what}", account(platform));
    let boards = of(Platform::Pinterest, "boards");
    let playlists = of(Platform::Youtube, "youtube/playlists");
    let creator = of(Platform::Tiktok, "tiktok/creator");
    vec![
        same("comments", Platform::Youtube, format!("{target}/comments"), "/commentThreads"),
        same("insights", Platform::Youtube, format!("{target}/insights"), "/reports"),
        same("boards", Platform::Pinterest, boards, "/boards"),
        same("playlists", Platform::Youtube, playlists, "/playlists"),
        same("creator", Platform::Tiktok, creator, "creator_info"),
        mentions(Platform::Mastodon, "/accounts/search", (75, 300)),
        mentions(Platform::Tumblr, "/info", (50, 3_600)),
    ]
}

/// Of the calls of a question so many are answered with 200 and the others with 429; the network
/// gets no more than its budget has, or one a minute where the question is always the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_reads_uses_up_no_network() {
    let calls = sized(300, 10_000);
    for backend in backends().await {
        let row = Row::new("10 000 live questions of a key that reads", &backend);
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..setup(folder.path(), &networks) };
        let service = setup.serve();
        let api = service.api();
        let film = upload(&api, MediaKind::Video).await;
        let made = setup.json(&[], &["keys", "create", "--name", "reports", "--preset", "read"]);
        let key = made["key"].as_str().unwrap();
        crowd(&setup, 1);
        let client = Client::builder().no_proxy().build().unwrap();
        for question in questions(&api, &film).await {
            let name = format!("{} of {}", question.name, question.platform);
            let before = arrived(&networks, &question).await;
            let begun = seconds();
            let answers = ask(&client, &service.url, key, &question, calls).await;
            let ended = seconds();
            let reached = arrived(&networks, &question).await - before;
            let of = |status| answers.by_status.get(&status).copied().unwrap_or_default();
            let wait = answers.waits.iter().max().copied().unwrap_or_default();
            let told = format!("{name}, {} refused for up to {wait} s, to the network", of(429));
            assert_eq!(of(200) + of(429), calls, "{name}: {:?}", answers.by_status);
            assert!(answers.waits.iter().all(|wait| *wait > 0), "{name}");
            match question.most {
                None => {
                    // What follows the post may still be done meanwhile, which makes an answer old.
                    let most = usize::try_from((ended - begun) / 60).unwrap() + 2;
                    row.at_most(&told, reached as u64, most as u64);
                    assert_eq!(of(429), 0, "{name}");
                }
                Some((most, per)) => {
                    let spans = usize::try_from(ended / per - begun / per).unwrap() + 1;
                    row.at_most(&told, reached as u64, (most * spans) as u64);
                    assert_eq!(reached, of(200), "{name}");
                    assert!(of(429) > 0, "{name}: nothing is refused");
                    assert!(answers.waits.iter().all(|wait| *wait <= per), "{name}");
                    let words = answers.words.unwrap();
                    assert!(words.contains("besides publishing"), "{name}: {words}");
                }
            }
        }
        for platform in [Platform::Mastodon, Platform::Tumblr] {
            publish(&api, platform, json!({}), &[]).await;
            row.holds(&format!("a post to {platform}"), "published", "goes on", true);
        }
    }
}
