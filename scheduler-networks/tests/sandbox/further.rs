//! Options of layout, covers, subtitles, quotes and attached texts, against the sandbox.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkErrorKind as Kind, PublishJob};
use scheduler_core::target::Remote;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use crate::support::{World, input, mp4, png};

const SRT: &str = "1\n00:00:00,500 --> 00:00:02,000\nHello\n";
/// The head of a JPEG of 64 by 64 pixels.
const JPEG_HEAD: &[u8] = b"\xff\xd8\xff\xe0\0\x04JF\xff\xc0\0\x11\x08\0\x40\0\x40\x03\x01\x11\0\x02\x11\0\x03\x11\0\xff\xda";

const VTT: &str = "WEBVTT\n\n00:00.500 --> 00:02.000\nHallo\n";

/// A network whose work on videos takes no time.
async fn world(platform: Platform) -> World {
    let options = Options { media_processing: std::time::Duration::ZERO, ..Options::default() };
    World::with(platform, options).await
}

fn with_video(world: &World, job: PublishJob) -> PublishJob {
    PublishJob { files: vec![world.file(8, "video/mp4", &mp4())], ..job }
}

async fn live(world: &World, job: PublishJob) -> Remote {
    let (remote, failures) = world.publish(job).await;
    assert_eq!(failures, []);
    remote.unwrap()
}

#[tokio::test]
async fn a_post_on_mastodon_quotes_another_and_a_video_has_a_cover() {
    let world = world(Platform::Mastodon).await;
    let (quoted, _) = world.publish(world.job(1, "The first", &json!({}))).await;
    let url = quoted.unwrap().url.unwrap();
    live(&world, world.job(2, "As I said", &json!({ "quote": url }))).await;
    let bodies = world.bodies("/api/v1/statuses").await;
    assert!(bodies[1]["quoted_status_id"].is_string(), "{bodies:?}");
    let gone = world.job(3, "As nobody said", &json!({ "quote": "https://m.example/@ana/1" }));
    let (refused, failures) = world.publish(gone).await;
    assert_eq!((refused.unwrap_err().kind, failures), (Kind::Permanent, vec![Kind::Permanent]));
    let closed = world.job(4, "Mine alone", &json!({ "visibility": "direct" }));
    let closed = world.publish(closed).await.0.unwrap().url.unwrap();
    let (refused, _) = world.publish(world.job(5, "x", &json!({ "quote": closed }))).await;
    assert_eq!(refused.unwrap_err().kind, Kind::Permanent);
    assert_eq!(world.texts().await, ["The first", "As I said", "Mine alone"]);
    let mut job = with_video(&world, world.job(6, "Look", &json!({})));
    job.thumbnail = Some(world.file(9, "image/png", &png(9)));
    live(&world, job).await;
}

#[tokio::test]
async fn a_post_on_tumblr_is_laid_out_and_can_be_private() {
    let world = world(Platform::Tumblr).await;
    let options =
        json!({ "imageRows": [[0, 1], [2]], "readMoreAfter": 1, "visibility": "private" });
    let mut job = world.job(1, "One\n\nTwo", &options);
    job.files = (1..=3).map(|seed| world.file(seed.into(), "image/png", &png(seed))).collect();
    let (remote, failures) = world.publish(job).await;
    assert_eq!((remote.unwrap().url, failures), (None, vec![]), "nobody can open its page");
    live(&world, world.job(4, "One\n\nTwo", &json!({ "readMoreAfter": 1 }))).await;
    let made = world.bodies("/posts").await;
    let after = |body: &Value| body["layout"][0]["truncate_after"].as_i64();
    assert!(made.iter().any(|body| after(body) == Some(0)), "{made:?}");
    let mut refused = world.job(2, "x", &json!({ "imageRows": [[0]] }));
    refused.files = (1..=2).map(|seed| world.file(seed.into(), "image/png", &png(seed))).collect();
    let (refused, _) = world.publish(refused).await;
    assert_eq!(refused.unwrap_err().kind, Kind::Permanent, "each block has its row");
    let video = with_video(&world, world.job(3, "Look", &json!({ "visibility": "private" })));
    let (remote, failures) = world.publish(video).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, []);
}

#[tokio::test]
async fn a_post_on_tumblr_reblogs_another() {
    let world = world(Platform::Tumblr).await;
    let parent = live(&world, world.job(1, "The first", &json!({ "reblog": "everyone" }))).await;
    let closed = live(&world, world.job(2, "Mine alone", &json!({ "reblog": "noone" }))).await;
    let of = |remote: &Remote| json!({ "reblogOf": remote.url });
    live(&world, world.job(3, "Look", &of(&parent))).await;
    live(&world, world.job(4, "", &of(&parent))).await;
    let made = world.bodies("/posts").await;
    let of_parent: u64 = parent.id.parse().unwrap();
    let reblogs = made.iter().filter(|body| body["parent_post_id"] == of_parent);
    assert_eq!(reblogs.count(), 2, "{made:?}");
    for (seed, options) in
        [(5, of(&closed)), (6, json!({ "reblogOf": "https://www.tumblr.com/nobody/1" }))]
    {
        let (refused, _) = world.publish(world.job(seed, "Look", &options)).await;
        assert_eq!(refused.unwrap_err().kind, Kind::Permanent, "{options}");
    }
}

#[tokio::test]
async fn images_on_linkedin_become_a_document() {
    let world = world(Platform::Linkedin).await;
    let options = json!({ "imagesAsDocument": true, "documentTitle": "Sketches" });
    let mut job = world.job(1, "Look", &options);
    // Each ends with what would end it in a document that is read by its words.
    let jpeg = |seed| [JPEG_HEAD, &[seed], b"\nendstream\nendobj\n%%EOF\n"].concat();
    job.files = (1..=3).map(|seed| world.file(seed.into(), "image/jpeg", &jpeg(seed))).collect();
    live(&world, job).await;
    let made = world.bodies("/rest/posts").await;
    let media = &made[0]["content"]["media"];
    assert_eq!(media["title"], "Sketches");
    assert!(media["id"].as_str().unwrap().starts_with("urn:li:document:"), "{media}");
    let mut broken = world.job(2, "Look", &options);
    broken.files = vec![world.file(9, "image/jpeg", b"\xff\xd8\xff\xda no frame")];
    let (refused, _) = world.publish(broken).await;
    assert_eq!(refused.unwrap_err().kind, Kind::Permanent);
}

#[tokio::test]
async fn a_message_on_telegram_is_pinned_and_its_video_has_a_cover() {
    let world = world(Platform::Telegram).await;
    live(&world, world.job(1, "Read this", &json!({ "pin": true }))).await;
    assert_eq!(world.sent("/pinChatMessage").await.len(), 1);
    let mut job = with_video(&world, world.job(2, "Look", &json!({})));
    job.thumbnail = Some(world.file(9, "image/jpeg", &[0xff, 0xd8, 0xff, 0xe0, 9]));
    live(&world, job).await;
    let mut album = with_video(&world, world.job(3, "Both", &json!({})));
    album.files.push(world.file(1, "image/jpeg", &[0xff, 0xd8, 0xff, 0xe0, 1]));
    album.thumbnail = Some(world.file(9, "image/jpeg", &[0xff, 0xd8, 0xff, 0xe0, 9]));
    live(&world, album).await;
}

#[tokio::test]
async fn a_post_on_threads_is_blurred_and_has_a_text_behind_it() {
    let world = world(Platform::Threads).await;
    let attached = json!({
        "text": "Long text",
        "link": "https://a.example",
        "styles": [{ "offset": 0, "length": 4, "style": ["bold"] }],
    });
    let options = json!({ "spoilers": ["👍 butler"], "textAttachment": attached });
    live(&world, world.job(1, "It was the 👍 butler", &options)).await;
    let outside = json!({
        "textAttachment": { "text": "a", "styles": [{ "offset": 0, "length": 2, "style": ["bold"] }] },
    });
    let (refused, _) = world.publish(world.job(2, "Hi", &outside)).await;
    assert_eq!(refused.unwrap_err().kind, Kind::Permanent);
}

#[tokio::test]
async fn a_video_on_facebook_has_captions_and_is_for_some_alone() {
    let world = world(Platform::Facebook).await;
    let options = json!({
        "placement": "feed",
        "targeting": { "countries": ["DE", "AT"], "ageMin": 18 },
        "subtitles": [
            { "language": "en-US", "format": "srt", "content": SRT },
            { "language": "de-DE", "format": "vtt", "content": VTT },
        ],
    });
    live(&world, with_video(&world, world.job(1, "Look", &options))).await;
    assert_eq!(world.sent("/captions").await.len(), 2);
    let text = json!({ "targeting": { "countries": ["DE"] } });
    live(&world, world.job(2, "Hallo", &text)).await;
    let (refused, _) =
        world.publish(world.job(3, "x", &json!({ "targeting": { "countries": ["de"] } }))).await;
    assert_eq!(refused.unwrap_err().kind, Kind::Permanent);
}

#[tokio::test]
async fn a_video_on_linkedin_has_a_cover() {
    let world = world(Platform::Linkedin).await;
    let mut job = with_video(&world, world.job(1, "Look", &json!({})));
    job.thumbnail = Some(world.file(9, "image/png", &png(9)));
    live(&world, job).await;
    assert_eq!(world.sent("/thumbnail").await.len(), 1);
}

#[tokio::test]
async fn a_video_on_bluesky_has_captions() {
    let world = world(Platform::Bluesky).await;
    let options = json!({ "subtitles": [
        { "language": "en", "format": "srt", "content": SRT },
        { "language": "de", "format": "vtt", "content": VTT },
    ] });
    live(&world, with_video(&world, world.job(1, "Look", &options))).await;
    let bodies = world.bodies("putRecord").await;
    let captions = bodies[0]["record"]["embed"]["captions"].as_array().unwrap();
    let said = |caption: &Value| (caption["lang"].clone(), caption["file"]["mimeType"].clone());
    let said: Vec<(Value, Value)> = captions.iter().map(said).collect();
    assert_eq!(said, [(json!("en"), json!("text/vtt")), (json!("de"), json!("text/vtt"))]);
}

#[tokio::test]
async fn a_video_on_youtube_is_described_in_other_languages() {
    let world = world(Platform::Youtube).await;
    let options = json!({
        "title": "Bread",
        "language": "en",
        "localizations": [{ "language": "de", "title": "Brot", "description": "Wie es aufgeht" }],
        "recordingDate": "2026-11-01",
    });
    live(&world, with_video(&world, world.job(1, "How it rises", &options))).await;
    let no_language = json!({ "localizations": [{ "language": "de", "title": "Brot" }] });
    let (refused, _) = world.publish(with_video(&world, world.job(2, "x", &no_language))).await;
    assert_eq!(refused.unwrap_err().kind, Kind::Permanent);
}

#[tokio::test]
async fn an_account_on_x_that_pays_may_write_long_posts() {
    let world = world(Platform::Twitter).await;
    let long = "Bread rises slowly. ".repeat(50);
    let (refused, _) = world.publish(world.job(1, &long, &json!({}))).await;
    assert_eq!(refused.unwrap_err().kind, Kind::Permanent);
    assert_eq!(world.connected.limits.text_limit, None);

    let url = format!("{}/_sandbox/accounts", world.sandbox.url());
    let body = json!({ "platform": "twitter", "name": "premium" });
    let client = reqwest::Client::builder().build().unwrap();
    let made: Value = client.post(url).json(&body).send().await.unwrap().json().await.unwrap();
    let premium = world.network.connect(&input(&made)).await.unwrap().remove(0);
    assert_eq!(premium.limits.text_limit, Some(25_000));
    let mut job = world.job(2, &long, &json!({}));
    job.account.network_id = premium.network_id;
    job.account.limits = premium.limits;
    job.credentials = premium.credentials;
    // The answer is lost, and the post is found although X shows its beginning alone.
    world.fault(json!({ "operation": "publish", "kind": "reset_after" })).await;
    let (remote, _) = world.publish(job).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(world.live().await.len(), 1);
}
