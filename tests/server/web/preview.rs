//! What the composer shows as it will be sent is what networks receive, byte for byte.

use std::collections::BTreeMap;

use http::header::COOKIE;
use reqwest::StatusCode;
use scheduler_core::platform::{Platform, RequiredMedia};
use scheduler_core::rules::fitted;
use serde_json::{Value, json};

use super::Site;
use super::doors::signed_in;
use super::tiktok::file;
use crate::files::picture;
use crate::support::{Offers, client, client_of_forms, film};

/// Posts of the corpus.
const POSTS: u64 = 800;

/// What texts are put together of. Overrides of the direction are left out: the page shows them as �.
const PIECES: [&str; 26] = [
    "plain words",
    "Wörter mit Umlauten",
    "👩‍👩‍👧‍👦",
    "🇸🇪🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "👍🏽 ❤️‍🔥",
    "花鳥風月を友とする",
    "한국어 텍스트",
    "e\u{301}a\u{308}o\u{302}\u{323}",
    "z\u{335}\u{321}\u{34a}\u{36f}",
    "שלום עולם",
    "مرحبا بالعالم",
    "Ελληνικά",
    "ไทย नमस्ते",
    "https://example.com/a?b=c&d=e#f",
    "www.example.org/päth",
    "#hashtag",
    "#zwei_Wörter",
    "@somebody",
    "@some.body@example.social",
    "a < b && c > \"d\" 'e'",
    "*stars* _lines_ `code` ~waves~",
    "&amp; &#39; <b>no tag</b>",
    "two\nlines",
    "an empty line\n\nbetween",
    "tab\tand  spaces",
    "1,000.50 € – “quoted” …",
];

/// A text of the corpus as a network takes it; the same for the same number.
fn text(number: u64, platform: Platform) -> Option<String> {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(below).unwrap()).unwrap()
    };
    // Some are long, whatever that is on the network.
    let length = [1, 3, 6, 12, 400][next(5)];
    // No two are the same, since networks refuse that.
    let mut pieces = vec![format!("No. {number}:")];
    pieces.extend((0..length).map(|_| PIECES[next(PIECES.len())].to_owned()));
    fitted(platform, &pieces.join([" ", "\n"][next(2)]))
}

/// A text of a page as it is read.
fn read(rest: &str) -> String {
    let text = rest.split("</p>").next().unwrap();
    let signs = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")];
    signs.iter().fold(text.to_owned(), |text, (code, sign)| text.replace(code, sign))
}

/// The texts that the page shows of the only preview, and the link that it shows as a card; `None`
/// where it says that something is wrong.
fn previews(page: &str) -> Option<(Vec<String>, Option<String>)> {
    if page.contains("<article class=\"shot bad\"") {
        return None;
    }
    let texts = page.split("<p class=\"say\" dir=\"auto\">").skip(1).map(read).collect();
    let mut cards = page.split("<p class=\"say hint\">").skip(1).map(read);
    Some((texts, cards.find(|card| card.starts_with("https://"))))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_is_what_networks_receive() {
    let site = Site::start().await;
    let cookie = signed_in(&site, "editor").await;
    let api = site.service.api();
    let image = file(&site, "image", "a.png", &picture(1_080, 1_080)).await;
    let video = file(&site, "video", "a.mp4", &film::bytes()).await;
    let offers = Offers::open(site.service.data(), site.networks.url()).await;
    // Where a file is needed, a post takes many requests: those networks get fewer.
    let (plain, with_files): (Vec<Platform>, Vec<Platform>) =
        Platform::ALL.into_iter().partition(|platform| file_of(*platform).is_none());
    let mut ways = BTreeMap::new();
    for platform in Platform::ALL {
        let account = site.account(platform.as_str()).await;
        let options = offers.required(platform, &account).await;
        ways.insert(platform, (account, options));
    }
    let mut sent = Vec::new();
    for number in 0..POSTS {
        let place = usize::try_from(number).unwrap();
        let platform = match place % 40 {
            39 => with_files[place / 40 % with_files.len()],
            _ => plain[place % plain.len()],
        };
        let (account, options) = &ways[&platform];
        let Some(content) = text(number, platform) else { continue };
        let has_link = number % 5 == 0;
        let link = format!("https://example.com/{number}?a=b&c=d");
        let mut form = vec![
            ("content".to_owned(), content.clone()),
            ("account".to_owned(), account.clone()),
            ("when".to_owned(), "draft".to_owned()),
        ];
        let mut body = json!({
            "content": content,
            "publishNow": true,
            "targets": [{"platform": platform, "accountId": account, "options": options}],
        });
        if has_link {
            form.push(("link".to_owned(), link.clone()));
            body["linkUrl"] = json!(link);
        }
        if let Some(kind) = file_of(platform) {
            let id = if kind == "video" { &video } else { &image };
            form.push(("media".to_owned(), id.clone()));
            body["mediaIds"] = json!([id]);
        }
        for (key, value) in options {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            form.push((format!("option.{account}.{key}"), value));
        }
        let request = client_of_forms().post(site.at("check")).header(COOKIE, &cookie);
        let answer = request.header("x-fragment", "check").form(&form).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        let page = answer.text().await.unwrap();
        // With its link the text can be too long.
        let Some(shown) = previews(&page) else { continue };
        let post = api.create(&body).await;
        sent.push((platform, post["id"].as_str().unwrap().to_owned(), shown));
    }
    assert!(sent.len() > 700, "{} of {POSTS} are sent", sent.len());
    for (platform, id, _) in &sent {
        let post = api.ended(id).await;
        assert_eq!(post["targets"][0]["status"], "published", "{platform}: {post}");
    }
    let mut received: BTreeMap<Platform, Vec<String>> = BTreeMap::new();
    for platform in Platform::ALL {
        let url = format!("{}/_sandbox/posts?platform={platform}", site.networks.url());
        let posts: Value = client().get(url).send().await.unwrap().json().await.unwrap();
        let texts = posts["data"].as_array().unwrap().iter();
        let texts = texts.map(|post| post["text"].as_str().unwrap().to_owned()).collect();
        received.insert(platform, texts);
    }
    let mut by_network: BTreeMap<Platform, usize> = BTreeMap::new();
    for (platform, id, (texts, card)) in sent {
        for text in &texts {
            let number = text.split(':').next().unwrap();
            let near =
                received[&platform].iter().find(|one| one.starts_with(&format!("{number}:")));
            // The imitated networks tell a card below the text.
            let with_card = card.as_ref().map(|card| format!("{text}\n{card}"));
            // YouTube's have a title above it, which without one of its own is how the text begins.
            let above = near.and_then(|near| near.strip_suffix(text.as_str()));
            let title = above.and_then(|above| above.strip_suffix("\n\n"));
            let is_below =
                platform == Platform::Youtube && title.is_some_and(|title| text.starts_with(title));
            let is_shown =
                is_below || near == Some(text) || with_card.is_some() && near == with_card.as_ref();
            assert!(is_shown, "{platform} {id}: {near:?} {text:?} {card:?}");
        }
        *by_network.entry(platform).or_default() += 1;
    }
    assert_eq!(by_network.len(), Platform::ALL.len(), "{by_network:?}");
}

/// The kind of file that a network cannot do without.
fn file_of(platform: Platform) -> Option<&'static str> {
    match platform.sheet().requires_media {
        RequiredMedia::None => None,
        RequiredMedia::Video => Some("video"),
        _ => Some("image"),
    }
}
