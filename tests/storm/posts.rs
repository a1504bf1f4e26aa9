//! What is posted: texts, pictures, films and threads to all networks, spread over the run.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use image::{ImageFormat, Rgb, RgbImage};
use reqwest::Method;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::{Platform, RequiredMedia};
use serde_json::{Map, Value, json};

use crate::api::{Api, is_too_late};
use crate::dice::Dice;
use crate::networks::mark;
use crate::plan::{Plan, now};

/// An account, and what its network requires to be chosen.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    id: String,
    platform: Platform,
    options: Map<String, Value>,
}

/// A target that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) number: usize,
    pub(crate) platform: Platform,
    /// The kind of its file, where it has one.
    pub(crate) file: Option<MediaKind>,
    /// How many posts it makes at its network.
    pub(crate) parts: usize,
    pub(crate) due: DateTime<Utc>,
}

/// A post to be created.
#[derive(Clone, Debug)]
struct Order {
    key: String,
    body: Value,
    targets: Vec<Target>,
    /// When it is sent to the API.
    at: DateTime<Utc>,
}

/// The targets of each post that the API has accepted, by the post's id.
pub(crate) type Accepted = Arc<Mutex<BTreeMap<String, Vec<Target>>>>;

/// The files of the storm.
struct Files {
    picture: String,
    film: String,
}

async fn upload(api: &Api, kind: &str, name: &str, file: Vec<u8>) -> String {
    let body = json!({"kind": kind, "sizeBytes": file.len(), "fileName": name});
    let declared = api.post("/media", &body).await;
    let id = declared["media"]["id"].as_str().expect("an id").to_owned();
    let url = declared["upload"]["uploadUrl"].as_str().expect("a link");
    let sent = api.client.put(url).body(file).send().await.expect("an answer");
    assert!(sent.status().is_success(), "{sent:?}");
    api.post(&format!("/media/{id}/uploaded"), &json!({})).await;
    loop {
        let media = api.get(&format!("/media/{id}")).await;
        assert_ne!(media["status"], "failed", "{media}");
        if media["status"] == "ready" {
            return id;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn picture() -> Vec<u8> {
    let image = RgbImage::from_pixel(1200, 675, Rgb([250, 150, 90]));
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, ImageFormat::Jpeg).unwrap();
    file.into_inner()
}

/// The film of the demo, with an empty box behind it: one network wants 75 kB.
fn film() -> Vec<u8> {
    const EMPTY: u32 = 100_000;
    let mut film = crate::film::bytes();
    film.extend(EMPTY.to_be_bytes());
    film.extend(b"free");
    film.resize(film.len() + EMPTY as usize - 8, 0);
    film
}

/// The accounts that are connected, with what has to be chosen for them.
pub(crate) async fn accounts(api: &Api) -> Vec<Account> {
    let mut accounts = Vec::new();
    for account in api.get("/oauth/accounts").await["data"].as_array().expect("a list") {
        let id = account["id"].as_str().expect("an id").to_owned();
        let platform: Platform = account["platform"].as_str().unwrap().parse().unwrap();
        let mut options = Map::new();
        if platform == Platform::Pinterest {
            let boards = api.get(&format!("/oauth/accounts/{id}/boards")).await;
            options.insert("boardId".into(), boards["data"][0]["id"].clone());
        }
        if platform == Platform::Tiktok {
            let creator = api.get(&format!("/oauth/accounts/{id}/tiktok/creator")).await;
            options.insert("privacy".into(), creator["privacyLevels"][0].clone());
        }
        accounts.push(Account { id, platform, options });
    }
    accounts
}

/// What a target says: its mark, and something that networks clean, count or link.
fn text(number: usize, part: usize, dice: &mut Dice) -> String {
    let mark = mark(number, part);
    match dice.below(6) {
        0 => format!("{mark} see https://example.com/{number}?a=1&b=2 for more"),
        1 => format!("Two  blanks, and a line's end: {mark}\n\nAnother line \u{1F600}"),
        2 => format!("{mark} \"quoted\" *not bold* & more #scheduler"),
        3 => format!("{mark} ends in blanks  \n"),
        _ => format!("A line of text: {mark}"),
    }
}

/// True for what cannot be told for five minutes or more after its answer was lost: a call to
/// Telegram with files can last ten, Tumblr works on videos, and TikTok shows pictures up to half an
/// hour later.
fn settles_late(platform: Platform, kind: MediaKind) -> bool {
    matches!(
        (platform, kind),
        (Platform::Telegram, _)
            | (Platform::Tiktok, MediaKind::Image)
            | (Platform::Tumblr, MediaKind::Video)
    )
}

struct Writer<'a> {
    accounts: &'a [Account],
    waits_long: bool,
    files: Files,
    dice: Dice,
    number: usize,
}

impl Writer<'_> {
    /// A post of one to three targets, due then; without a time it goes out at once.
    fn order(&mut self, due: DateTime<Utc>, begin: DateTime<Utc>) -> Order {
        let file = match self.dice.below(10) {
            0..6 => None,
            6..9 => Some(MediaKind::Image),
            _ => Some(MediaKind::Video),
        };
        let takes = |account: &&Account| {
            let sheet = account.platform.sheet();
            match file {
                None => sheet.requires_media == RequiredMedia::None,
                Some(kind) if sheet.takes(kind) => {
                    self.waits_long || !settles_late(account.platform, kind)
                }
                Some(_) => false,
            }
        };
        let fitting: Vec<&Account> = self.accounts.iter().filter(takes).collect();
        let mut targets = Vec::new();
        let mut inputs = Vec::new();
        let mut chosen: Vec<&str> = Vec::new();
        for _ in 0..=self.dice.below(3) {
            let account = *self.dice.one(&fitting);
            if chosen.contains(&account.id.as_str()) {
                continue;
            }
            chosen.push(&account.id);
            let number = self.number;
            self.number += 1;
            let mut options = account.options.clone();
            options.insert("caption".into(), text(number, 0, &mut self.dice).into());
            let mut parts = 1;
            if account.platform.sheet().supports_thread && self.dice.percent(20) {
                let more: Vec<_> = (1..=2).map(|part| text(number, part, &mut self.dice)).collect();
                parts += more.len();
                options.insert("thread".into(), json!(more));
            } else if account.platform.sheet().supports_first_comment && self.dice.percent(20) {
                options.insert("firstComment".into(), text(number, 1, &mut self.dice).into());
                parts += 1;
            }
            targets.push(Target { number, platform: account.platform, file, parts, due });
            inputs.push(json!({
                "platform": account.platform, "accountId": account.id, "options": options,
            }));
        }
        let mut body = json!({"content": "In bad weather", "targets": inputs});
        if let Some(kind) = file {
            let id = if kind == MediaKind::Image { &self.files.picture } else { &self.files.film };
            body["mediaIds"] = json!([id]);
        }
        let lead = self.dice.between(Duration::from_secs(2), Duration::from_secs(15));
        let mut at = due - TimeDelta::from_std(lead).expect("seconds");
        if self.dice.percent(15) {
            at = due;
            body["publishNow"] = true.into();
        } else {
            body["scheduledAt"] = due.to_rfc3339().into();
        }
        let key = format!("storm-{:05}", targets[0].number);
        Order { key, body, targets, at: at.max(begin) }
    }
}

/// Posts whose targets are due between now and the end of the plan.
pub(crate) struct Orders(Vec<Order>);

impl Orders {
    /// Uploads the files and writes the posts.
    pub(crate) async fn write(api: &Api, accounts: &[Account], plan: &Plan) -> Self {
        let files = Files {
            picture: upload(api, "image", "picture.jpg", picture()).await,
            film: upload(api, "video", "film.mp4", film()).await,
        };
        let (waits_long, dice) = (plan.waits_long, Dice::new(plan.seed, 1));
        let mut writer = Writer { accounts, waits_long, files, dice, number: 0 };
        let begin = now();
        let first = begin + TimeDelta::seconds(3);
        let span = plan.length.saturating_sub(Duration::from_secs(5)).as_millis();
        let mut orders = Vec::new();
        while writer.number < plan.targets {
            let share = span * writer.number as u128 / plan.targets as u128;
            let share = i64::try_from(share).expect("no ages");
            orders.push(writer.order(first + TimeDelta::milliseconds(share), begin));
        }
        orders.sort_by_key(|order| order.at);
        Self(orders)
    }

    /// Creates all of them, each at its time, by several callers at once.
    pub(crate) async fn create(self, api: &Api, accepted: &Accepted, plan: &Plan) {
        const CALLERS: usize = 12;
        let orders = Arc::new(self.0);
        let mut callers = tokio::task::JoinSet::new();
        for caller in 0..CALLERS {
            let (api, accepted, orders) = (api.clone(), accepted.clone(), Arc::clone(&orders));
            let mut dice = Dice::new(plan.seed, 100 + caller as u64);
            callers.spawn(async move {
                for order in orders.iter().skip(caller).step_by(CALLERS) {
                    let wait = (order.at - now()).to_std().unwrap_or_default();
                    tokio::time::sleep(wait).await;
                    create(&api, order, &accepted, &mut dice).await;
                }
            });
        }
        callers.join_all().await;
    }
}

async fn create(api: &Api, order: &Order, accepted: &Accepted, dice: &mut Dice) {
    let (key, body) = (Some(order.key.as_str()), Some(&order.body));
    let wrong = |line: String| _ = api.answers.lock().unwrap().wrong.insert(line, 1);
    let mut post = api.until_done(dice, Method::POST, "/posts", key, body).await;
    if post.is_none() && is_too_late(&order.body) {
        // No node has answered until the time had passed. Where one has taken the post all the
        // same, its key finds it.
        let mut body = order.body.clone();
        body["publishNow"] = true.into();
        body.as_object_mut().expect("an object").remove("scheduledAt");
        post = api.until_done(dice, Method::POST, "/posts", key, Some(&body)).await;
    }
    let Some(post) = post else {
        wrong(format!("{} was never accepted", order.key));
        return;
    };
    let id = post["id"].as_str().expect("a post has an id").to_owned();
    accepted.lock().unwrap().insert(id.clone(), order.targets.clone());
    // Callers cannot know whether an answer was lost, so some ask once more.
    if dice.percent(10)
        && let Some(again) = api.until_done(dice, Method::POST, "/posts", key, body).await
        && again["id"] != id
    {
        wrong(format!("{} made two posts: {id} and {}", order.key, again["id"]));
    }
}
