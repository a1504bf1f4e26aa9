//! Options of layout, targeting, covers, subtitles, quotes and attached texts.

use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::rules::MediaFacts;
use serde_json::{Value, json};

use crate::case::{Case, image, post, text, video};

/// A cover that every network takes.
const COVER: &str = "00000000-0000-0000-0000-000000000001";

pub(super) fn cases() -> Vec<Case> {
    let mut cases = of_tumblr();
    cases.extend(of_youtube());
    cases.extend(of_threads());
    cases.extend(of_others());
    cases.extend(of_instagram());
    cases
}

fn subtitles(language: &str) -> Value {
    json!({"language": language, "format": "srt", "content": "1"})
}

fn of_tumblr() -> Vec<Case> {
    let three = || vec![image(), image(), image()];
    [
        ("for everybody", vec![], json!({"visibility": "public"})),
        ("for members", vec![], json!({"visibility": "private"})),
        ("for friends", vec![], json!({"visibility": "friends"})),
        ("a visibility that is a flag", vec![], json!({"visibility": true})),
        ("a row of two", three(), json!({"imageRows": [[0, 1], [2]]})),
        ("a row that is left out", three(), json!({"imageRows": [[0, 1]]})),
        ("an image twice", three(), json!({"imageRows": [[0, 1], [1, 2]]})),
        ("a place beyond the last", three(), json!({"imageRows": [[0, 1, 2], [3]]})),
        ("a place of 30", three(), json!({"imageRows": [[30]]})),
        ("rows of numbers", three(), json!({"imageRows": [0, 1, 2]})),
        ("rows that are a text", three(), json!({"imageRows": "0,1"})),
        ("rows of nothing", vec![], json!({"imageRows": [[0]]})),
        ("a video in a row", vec![image(), video()], json!({"imageRows": [[0, 1]]})),
        ("a video beside a row", vec![image(), video()], json!({"imageRows": [[0]]})),
        ("read more at once", vec![], json!({"readMoreAfter": 0})),
        ("read more after one", vec![], json!({"readMoreAfter": 1})),
        ("read more after all", vec![], json!({"readMoreAfter": 2})),
        ("read more after 1000", vec![], json!({"readMoreAfter": 1000})),
        ("read more after a text", vec![], json!({"readMoreAfter": "one"})),
        ("a reblog", vec![], json!({"reblogOf": REBLOGGED})),
        ("a reblog with an image", vec![image()], json!({"reblogOf": REBLOGGED})),
        ("a reblog with a video", vec![video()], json!({"reblogOf": REBLOGGED})),
        ("a reblog of a blog", vec![], json!({"reblogOf": "https://staff.tumblr.com/"})),
        ("a reblog of no address", vec![], json!({"reblogOf": "staff/1"})),
        ("a reblog of 2049 letters", vec![], json!({"reblogOf": address_of(2049)})),
        ("a reblog of a number", vec![], json!({"reblogOf": 1})),
    ]
    .map(|(name, media, options)| post(Platform::Tumblr, name, "One\n\nTwo", media, options))
    .into_iter()
    .chain([post(
        Platform::Tumblr,
        "a reblog without a word",
        "",
        vec![],
        json!({"reblogOf": REBLOGGED}),
    )])
    .collect()
}

/// A post that can be reblogged.
const REBLOGGED: &str = "https://www.tumblr.com/staff/7612345/a-day";

/// The address of a post, with so many characters.
fn address_of(characters: usize) -> String {
    let mut address = format!("{REBLOGGED}/");
    address.push_str(&"a".repeat(characters - address.len()));
    address
}

fn of_youtube() -> Vec<Case> {
    let said = |language: &str, title: &str| json!({"language": language, "title": title});
    let localized = |all: Value| json!({"language": "en", "localizations": all});
    let long = |bytes: usize| {
        localized(json!([{"language": "de", "title": "T", "description": "a".repeat(bytes)}]))
    };
    let mut cases = [
        ("another language", localized(json!([said("de", "Brot")]))),
        ("no language of its own", json!({"localizations": [said("de", "Brot")]})),
        ("a language twice", localized(json!([said("de", "Brot"), said("DE", "Brot")]))),
        ("no language tag", localized(json!([said("a language", "Brot")]))),
        ("no title", localized(json!([{"language": "de"}]))),
        ("another title of 100", localized(json!([said("de", &"é".repeat(100))]))),
        ("another title of 101", localized(json!([said("de", &"é".repeat(101))]))),
        ("another title with a bracket", localized(json!([said("de", "a < b")]))),
        ("a localized description of 5000", long(5000)),
        ("a localized description of 5001 letters", long(5001)),
        (
            "a localized description of 5001 bytes",
            localized(json!([{"language": "de", "title": "T", "description": "é".repeat(2501)}])),
        ),
        ("another key", localized(json!([{"language": "de", "title": "T", "tags": []}]))),
        ("localizations by tag", json!({"localizations": {"de": "Brot"}})),
        ("a day", json!({"recordingDate": "2026-11-01"})),
        ("a day that is none", json!({"recordingDate": "2026-02-30"})),
        ("a day that is a number", json!({"recordingDate": 20261101})),
        ("two playlists", json!({"playlistIds": ["PL1", "PL2"]})),
        ("no playlists", json!({"playlistIds": []})),
        ("an empty playlist", json!({"playlistIds": [" "]})),
        ("ten playlists", json!({"playlistIds": vec!["PL1"; 10]})),
        ("eleven playlists", json!({"playlistIds": vec!["PL1"; 11]})),
        ("a playlist of 101 letters", json!({"playlistIds": ["a".repeat(101)]})),
        ("playlists that are a text", json!({"playlistIds": "PL1"})),
    ]
    .map(|(name, options)| post(Platform::Youtube, name, "Hello", vec![video()], options))
    .to_vec();
    let sized = |width, height, seconds| MediaFacts {
        width: Some(width),
        height: Some(height),
        duration_seconds: Some(seconds),
        ..video()
    };
    for (name, content, file) in [
        ("a Short", "Hello #Shorts", sized(720, 1280, 180.0)),
        ("a Short that is too long", "Hello #shorts", sized(720, 1280, 180.1)),
        ("a Short that is wide", "Hello #shorts", sized(1280, 720, 60.0)),
        ("no Short", "Hello #shortstory", sized(1280, 720, 60.0)),
    ] {
        cases.push(post(Platform::Youtube, name, content, vec![file], json!({})));
    }
    cases
}

fn of_threads() -> Vec<Case> {
    let attached = |value: Value| json!({"textAttachment": value});
    let styled = |offset: u32, style: &str| {
        attached(json!({
            "text": "Long text",
            "styles": [{"offset": offset, "length": 4, "style": [style]}],
        }))
    };
    let mut cases = [
        ("a blurred passage", 0, json!({"spoilers": ["butler"]})),
        ("a passage that is not there", 0, json!({"spoilers": ["gardener"]})),
        ("ten passages", 0, json!({"spoilers": vec!["butler"; 10]})),
        ("eleven passages", 0, json!({"spoilers": vec!["butler"; 11]})),
        ("places of a passage", 0, json!({"spoilers": ["e", "t"]})),
        ("no passages", 0, json!({"spoilers": []})),
        ("a blank passage", 0, json!({"spoilers": [" "]})),
        ("a passage of 501", 0, json!({"spoilers": ["a".repeat(501)]})),
        ("passages that are a text", 0, json!({"spoilers": "butler"})),
        ("an attached text", 0, attached(json!({"text": "a".repeat(10_000)}))),
        ("a longer attached text", 0, attached(json!({"text": "a".repeat(10_001)}))),
        ("an attached text with a link", 0, attached(json!({"text": "a", "link": "https://a.example"}))),
        ("an attached text with no address", 0, attached(json!({"text": "a", "link": "a.example"}))),
        ("bold letters", 0, styled(5, "bold")),
        ("bold letters outside", 0, styled(6, "bold")),
        ("another style", 0, styled(0, "red")),
        ("another key", 0, attached(json!({"text": "a", "colour": "red"}))),
        ("an attached text that is a text", 0, json!({"textAttachment": "Long"})),
        ("an attached text beside a file", 1, attached(json!({"text": "a"}))),
        (
            "an attached text beside a poll",
            0,
            json!({"textAttachment": {"text": "a"}, "poll": {"options": ["a", "b"]}}),
        ),
        (
            "an attached text with six links",
            0,
            attached(json!({"text": (0..6).map(|at| format!("https://a.example/{at} ")).collect::<String>()})),
        ),
    ]
    .map(|(name, files, options)| {
        let content = "It was the butler, let me tell you: the butler.";
        post(Platform::Threads, name, content, vec![image(); files], options)
    })
    .to_vec();
    let linked = attached(json!({"text": "a", "link": "https://b.example"}));
    let case =
        post(Platform::Threads, "a link beside that of an attached text", "Hi", vec![], linked);
    cases.push(case.link("https://a.example"));
    cases
}

fn of_others() -> Vec<Case> {
    let quote = |url: &str| json!({"quote": url});
    let targeted = |to: Value| json!({"targeting": to});
    let mut cases = Vec::new();
    for (platform, name, media, options) in [
        (Platform::Mastodon, "a quote", vec![], quote("https://m.example/@ana/1")),
        (Platform::Mastodon, "a quote by id", vec![], quote("109")),
        (
            Platform::Mastodon,
            "a quote of 2049",
            vec![],
            quote(&format!("https://m.example/{}", "a".repeat(2_031))),
        ),
        (Platform::Mastodon, "a quote that is a number", vec![], json!({"quote": 109})),
        (Platform::Mastodon, "a cover", vec![video()], json!({"thumbnailMediaId": COVER})),
        (Platform::Mastodon, "a cover of nothing", vec![], json!({"thumbnailMediaId": COVER})),
        (
            Platform::Mastodon,
            "a cover by name",
            vec![video()],
            json!({"thumbnailMediaId": "cover"}),
        ),
        (
            Platform::Mastodon,
            "a cover that is a number",
            vec![video()],
            json!({"thumbnailMediaId": 1}),
        ),
        (Platform::Telegram, "a cover", vec![video()], json!({"thumbnailMediaId": COVER})),
        (
            Platform::Telegram,
            "a cover of an image",
            vec![image()],
            json!({"thumbnailMediaId": COVER}),
        ),
        (
            Platform::Telegram,
            "a cover by name",
            vec![video()],
            json!({"thumbnailMediaId": "cover"}),
        ),
        (
            Platform::Telegram,
            "a cover that is a number",
            vec![video()],
            json!({"thumbnailMediaId": 1}),
        ),
        (Platform::Telegram, "pinned", vec![], json!({"pin": true})),
        (Platform::Telegram, "pin that is a text", vec![], json!({"pin": "silent"})),
        (Platform::Linkedin, "a cover", vec![video()], json!({"thumbnailMediaId": COVER})),
        (
            Platform::Linkedin,
            "a cover of an image",
            vec![image()],
            json!({"thumbnailMediaId": COVER}),
        ),
        (
            Platform::Linkedin,
            "a cover by name",
            vec![video()],
            json!({"thumbnailMediaId": "cover"}),
        ),
        (
            Platform::Linkedin,
            "a cover that is a number",
            vec![video()],
            json!({"thumbnailMediaId": 1}),
        ),
        (Platform::Bluesky, "captions", vec![video()], json!({"subtitles": [subtitles("de")]})),
        (
            Platform::Bluesky,
            "captions of an image",
            vec![image()],
            json!({"subtitles": [subtitles("de")]}),
        ),
        (
            Platform::Bluesky,
            "captions twice",
            vec![video()],
            json!({"subtitles": [subtitles("de"), subtitles("de")]}),
        ),
        (
            Platform::Bluesky,
            "captions in no language",
            vec![video()],
            json!({"subtitles": [subtitles("a language")]}),
        ),
        (Platform::Bluesky, "captions that are a text", vec![video()], json!({"subtitles": "1"})),
        (
            Platform::Bluesky,
            "captions in 21 languages",
            vec![video()],
            json!({"subtitles": (0..21_u8).map(|at| subtitles(&format!("x{}", char::from(b'a' + at)))).collect::<Vec<_>>()}),
        ),
        (Platform::Facebook, "captions", vec![video()], json!({"subtitles": [subtitles("de-DE")]})),
        (
            Platform::Facebook,
            "captions without a country",
            vec![video()],
            json!({"subtitles": [subtitles("de")]}),
        ),
        (
            Platform::Facebook,
            "captions twice",
            vec![video()],
            json!({"subtitles": [subtitles("de-DE"), subtitles("de-DE")]}),
        ),
        (
            Platform::Facebook,
            "captions in no language",
            vec![video()],
            json!({"subtitles": [subtitles("a language")]}),
        ),
        (
            Platform::Facebook,
            "captions of an image",
            vec![image()],
            json!({"subtitles": [subtitles("de-DE")]}),
        ),
        (Platform::Facebook, "captions that are a text", vec![video()], json!({"subtitles": "1"})),
        (Platform::Facebook, "two countries", vec![], targeted(json!({"countries": ["DE", "AT"]}))),
        (
            Platform::Facebook,
            "25 countries",
            vec![],
            targeted(json!({"countries": vec!["DE"; 25]})),
        ),
        (
            Platform::Facebook,
            "26 countries",
            vec![],
            targeted(json!({"countries": vec!["DE"; 26]})),
        ),
        (
            Platform::Facebook,
            "a country in small letters",
            vec![],
            targeted(json!({"countries": ["de"]})),
        ),
        (Platform::Facebook, "13 years", vec![], targeted(json!({"ageMin": 13}))),
        (Platform::Facebook, "12 years", vec![], targeted(json!({"ageMin": 12}))),
        (Platform::Facebook, "66 years", vec![], targeted(json!({"ageMin": 66}))),
        (Platform::Facebook, "another key of targeting", vec![], targeted(json!({"gender": 1}))),
        (Platform::Facebook, "targeting that is a text", vec![], targeted(json!("DE"))),
        (
            Platform::Facebook,
            "a story for one country",
            vec![image()],
            json!({"targeting": {"countries": ["DE"]}, "placement": "story", "caption": ""}),
        ),
        (
            Platform::Tiktok,
            "terms agreed to",
            vec![video()],
            json!({"privacy": "SELF_ONLY", "musicUsageConfirmed": true}),
        ),
        (
            Platform::Tiktok,
            "terms not agreed to",
            vec![video()],
            json!({"privacy": "SELF_ONLY", "musicUsageConfirmed": false}),
        ),
        (
            Platform::Tiktok,
            "a draft without terms",
            vec![video()],
            json!({"asDraft": true, "musicUsageConfirmed": false}),
        ),
        (
            Platform::Tiktok,
            "terms that are a text",
            vec![video()],
            json!({"privacy": "SELF_ONLY", "musicUsageConfirmed": "yes"}),
        ),
    ] {
        cases.push(post(platform, name, "Hello", media, options));
    }
    for platform in [Platform::Linkedin, Platform::Mastodon, Platform::Telegram] {
        for (name, file) in [
            ("a file that is not ready", MediaFacts { ready: false, ..image() }),
            ("a video", video()),
        ] {
            let case = text(format!("{platform}: a cover that is {name}"), "Hello");
            cases.push(case.media([video()]).only(platform).thumbnail(file));
        }
    }
    cases
}

fn of_instagram() -> Vec<Case> {
    let reel = |more: Value| {
        let mut options = json!({"placement": "reel"});
        options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        options
    };
    let audio = |more: Value| reel(json!({ "audio": more }));
    let mut cases = Vec::new();
    for (name, via_page, media, options) in [
        (
            "a partnership",
            Some(true),
            image(),
            json!({"paidPartnership": true, "sponsors": ["17"]}),
        ),
        (
            "a partnership without a Page",
            Some(false),
            image(),
            json!({"paidPartnership": true, "sponsors": ["17"]}),
        ),
        (
            "a partnership of a story",
            Some(true),
            image(),
            json!({"placement": "story", "caption": "", "paidPartnership": true, "sponsors": ["17"]}),
        ),
        ("a partnership that is a text", Some(true), image(), json!({"paidPartnership": "yes"})),
        ("three sponsors", Some(true), image(), json!({"sponsors": ["1", "2", "3"]})),
        ("a sponsor by name", Some(true), image(), json!({"sponsors": ["acme"]})),
        ("sponsors that are a text", Some(true), image(), json!({"sponsors": "17"})),
        ("music", Some(true), video(), audio(json!({"id": "1", "volume": 100, "videoVolume": 0}))),
        ("music without a Page", Some(false), video(), audio(json!({"id": "1"}))),
        ("music of an image", Some(true), image(), json!({"audio": {"id": "1"}})),
        ("music that is too loud", Some(true), video(), audio(json!({"id": "1", "volume": 101}))),
        ("music by name", Some(true), video(), audio(json!({"id": "song"}))),
        ("music with another key", Some(true), video(), audio(json!({"id": "1", "begin": 1}))),
        ("music that is a text", Some(true), video(), audio(json!("1"))),
    ] {
        let limits = AccountLimits { via_page, ..AccountLimits::default() };
        let case = post(Platform::Instagram, name, "Hello", vec![media], options);
        cases.push(case.limited(Platform::Instagram, limits));
    }
    cases
}
