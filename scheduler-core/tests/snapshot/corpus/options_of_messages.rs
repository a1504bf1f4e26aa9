//! Options of Telegram, Discord and Pinterest.

use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::rules::MediaFacts;
use serde_json::{Value, json};

use crate::case::{Case, image, post, video};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = of_telegram();
    cases.extend(of_discord());
    cases.extend(of_pinterest());
    cases
}

fn poll_of(count: usize, length: usize) -> Value {
    let option = |at: usize| format!("{at:0>length$}");
    json!({"poll": {"options": (0..count).map(option).collect::<Vec<_>>()}})
}

fn poll_with(key: &str, value: Value) -> Value {
    json!({"poll": {"options": ["Tea", "Coffee"], key: value}})
}

fn of_telegram() -> Vec<Case> {
    let mut cases = Vec::new();
    let button = |text: &str, url: &str| json!({"text": text, "url": url});
    let go = || button("Go", "https://a.example/x");
    for (name, media, options) in [
        ("without a sound", 0, json!({"silent": true})),
        ("silent that is a text", 0, json!({"silent": "yes"})),
        ("protected", 1, json!({"protect": true})),
        ("protect that is a number", 1, json!({"protect": 1})),
        ("the first topic", 0, json!({"topicId": 1})),
        ("a topic of 0", 0, json!({"topicId": 0})),
        ("the last topic", 0, json!({"topicId": 2_147_483_647})),
        ("a topic beyond the last", 0, json!({"topicId": 2_147_483_648_u32})),
        ("a topic by its name", 0, json!({"topicId": "News"})),
        ("no preview", 0, json!({"linkPreview": false})),
        ("a large preview above", 0, json!({"linkPreview": {"size": "large", "above": true}})),
        ("a preview of another size", 0, json!({"linkPreview": {"size": "huge"}})),
        ("a preview of no address", 0, json!({"linkPreview": {"url": "a.example"}})),
        ("a preview with another key", 0, json!({"linkPreview": {"colour": "red"}})),
        ("a preview that is a text", 0, json!({"linkPreview": "large"})),
        ("a preview beside a file", 1, json!({"linkPreview": {"size": "small"}})),
        ("a caption above", 1, json!({"captionAbove": true})),
        ("a caption above nothing", 0, json!({"captionAbove": true})),
        ("captionAbove that is a list", 1, json!({"captionAbove": []})),
        ("a covered file", 1, json!({"spoilerMedia": true})),
        ("a cover of nothing", 0, json!({"spoilerMedia": true})),
        ("spoilerMedia that is a text", 1, json!({"spoilerMedia": "yes"})),
        ("a button", 0, json!({"buttons": [[go()]]})),
        ("a button below a file", 1, json!({"buttons": [[go()]]})),
        ("a button below an album", 2, json!({"buttons": [[go()]]})),
        ("a button of 64", 0, json!({"buttons": [[button(&"é".repeat(64), "tg://x?y")]]})),
        ("a button of 65", 0, json!({"buttons": [[button(&"é".repeat(65), "tg://x?y")]]})),
        ("a blank button", 0, json!({"buttons": [[button(" ", "https://a.example")]]})),
        ("a button that leads nowhere", 0, json!({"buttons": [[{"text": "Go"}]]})),
        ("a button to no address", 0, json!({"buttons": [[button("Go", "a.example")]]})),
        ("a row of 8 buttons", 0, json!({"buttons": [vec![go(); 8]]})),
        ("a row of 9 buttons", 0, json!({"buttons": [vec![go(); 9]]})),
        ("12 rows of buttons", 0, json!({"buttons": vec![json!([go()]); 12]})),
        ("13 rows of buttons", 0, json!({"buttons": vec![json!([go()]); 13]})),
        (
            "a button with another key",
            0,
            json!({"buttons": [[{"text": "Go", "url": "https://a.example", "style": "red"}]]}),
        ),
        ("buttons without rows", 0, json!({"buttons": [go()]})),
        ("buttons that are an object", 0, json!({"buttons": go()})),
        ("a poll of 12 options of 100", 0, poll_of(12, 100)),
        ("a poll of 13 options", 0, poll_of(13, 2)),
        ("a poll with an option of 101", 0, poll_of(2, 101)),
        ("a poll beside a file", 1, poll_of(2, 1)),
        ("a question of 300", 0, poll_with("question", json!("é".repeat(300)))),
        ("a question of 301", 0, poll_with("question", json!("é".repeat(301)))),
        ("a question that is a number", 0, poll_with("question", json!(1))),
        ("a poll of a minute", 0, poll_with("durationMinutes", json!(1))),
        ("a poll of no time", 0, poll_with("durationMinutes", json!(0))),
        ("a poll of 730 hours", 0, poll_with("durationMinutes", json!(43_800))),
        ("a poll of a minute more", 0, poll_with("durationMinutes", json!(43_801))),
        ("a poll that lasts a text", 0, poll_with("durationMinutes", json!("long"))),
        ("a poll of several choices", 0, poll_with("multiple", json!(true))),
        ("a poll of hidden results", 0, poll_with("hideResults", json!(true))),
        ("a poll of wrong flags", 0, poll_with("multiple", json!("yes"))),
        ("a poll with another key", 0, poll_with("colour", json!("red"))),
        ("a poll with an empty option", 0, json!({"poll": {"options": ["a", " "]}})),
        ("a poll with one option twice", 0, json!({"poll": {"options": ["a", "a"]}})),
        ("a poll that is a list", 0, json!({"poll": ["a", "b"]})),
    ] {
        cases.push(post(Platform::Telegram, name, "Hello", vec![image(); media], options));
    }
    for (name, length, options) in [
        ("a poll that asks 300 letters", 300, poll_of(2, 1)),
        ("a poll that asks 301 letters", 301, poll_of(2, 1)),
        ("1024 letters below a question", 1_024, poll_with("question", json!("Tea?"))),
        ("1025 letters below a question", 1_025, poll_with("question", json!("Tea?"))),
        ("a question and no text", 0, poll_with("question", json!("Tea?"))),
        ("a poll that asks nothing", 0, poll_of(2, 1)),
    ] {
        cases.push(post(Platform::Telegram, name, &"é".repeat(length), Vec::new(), options));
    }
    let html = || json!({"formatting": "html"});
    for (name, content, options) in [
        ("4096 letters within tags", format!("<b>{}</b>", "a".repeat(4_096)), html()),
        ("4097 letters within tags", format!("<b>{}</b>", "a".repeat(4_097)), html()),
        ("a tag that is not known", "<x>Hello</x>".to_owned(), html()),
        ("a tag that is not closed", "<b>Hello".to_owned(), html()),
        ("tags around nothing", "<b> </b>".to_owned(), html()),
        ("tags that are text", "<b>Hello".to_owned(), json!({"formatting": "none"})),
        ("another formatting", "Hello".to_owned(), json!({"formatting": "rtf"})),
        ("formatting that is a flag", "Hello".to_owned(), json!({"formatting": true})),
    ] {
        cases.push(post(Platform::Telegram, name, &content, Vec::new(), options));
    }
    for (name, has_topics) in [("with topics", true), ("without topics", false)] {
        let limits = AccountLimits { has_topics: Some(has_topics), ..AccountLimits::default() };
        let options = json!({"topicId": 5});
        let case =
            post(Platform::Telegram, &format!("a group {name}"), "Hello", Vec::new(), options);
        cases.push(case.limited(Platform::Telegram, limits));
    }
    cases
}

fn of_discord() -> Vec<Case> {
    let mut cases = Vec::new();
    let card = |key: &str, value: Value| json!({"embeds": [{"title": "News", key: value}]});
    let described = |length: usize| json!({"description": "é".repeat(length)});
    let fields = |count: usize| json!({"embeds": [{"fields": vec![json!({"name": "n", "value": "v"}); count]}]});
    for (name, media, options) in [
        ("a thread that is there", 0, json!({"threadId": "1400000000000000001"})),
        ("a thread of too many digits", 0, json!({"threadId": "1".repeat(21)})),
        ("a thread that is a number", 0, json!({"threadId": 14})),
        ("two threads", 0, json!({"threadId": "14", "threadName": "News"})),
        ("five tags", 0, json!({"threadName": "News", "forumTags": ["1", "2", "3", "4", "5"]})),
        ("six tags", 0, json!({"threadName": "News", "forumTags": ["1", "2", "3", "4", "5", "6"]})),
        ("a tag by its name", 0, json!({"threadName": "News", "forumTags": ["news"]})),
        ("tags that are a text", 0, json!({"threadName": "News", "forumTags": "1,2"})),
        ("tags without a thread", 0, json!({"forumTags": ["1"]})),
        ("a card", 0, card("color", json!("#1e90ff"))),
        ("cards that are an object", 0, json!({"embeds": {"title": "News"}})),
        ("ten cards", 0, json!({"embeds": vec![json!({"title": "News"}); 10]})),
        ("eleven cards", 0, json!({"embeds": vec![json!({"title": "News"}); 11]})),
        ("a card of 256", 0, json!({"embeds": [{"title": "é".repeat(256)}]})),
        ("a card of 257", 0, json!({"embeds": [{"title": "é".repeat(257)}]})),
        ("cards of 6000", 0, json!({"embeds": [described(4_096), described(1_904)]})),
        ("cards of 6001", 0, json!({"embeds": [described(4_096), described(1_905)]})),
        ("a card of 4097", 0, json!({"embeds": [described(4_097)]})),
        ("a card that shows nothing", 0, json!({"embeds": [{"url": "https://a.example"}]})),
        ("a card of a picture", 0, json!({"embeds": [{"image": "https://a.example/x.png"}]})),
        ("a card of a file", 0, card("image", json!("x.png"))),
        ("a card of a named colour", 0, card("color", json!("blue"))),
        ("a card of tomorrow", 0, card("timestamp", json!("tomorrow"))),
        ("a card of nobody", 0, card("author", json!({"url": "https://a.example"}))),
        ("a card with another key", 0, card("colour", json!("red"))),
        ("25 fields", 0, fields(25)),
        ("26 fields", 0, fields(26)),
        (
            "two cards of one address",
            0,
            json!({"embeds": [
                {"title": "A", "url": "https://a.example"},
                {"title": "B", "url": "https://a.example"},
            ]}),
        ),
        (
            "cards that are hidden",
            0,
            json!({"embeds": [{"title": "News"}], "hideLinkPreviews": true}),
        ),
        ("mentions", 0, json!({"mentions": {"everyone": true, "roles": ["1"], "users": ["2"]}})),
        ("100 people", 0, json!({"mentions": {"users": vec!["1"; 100]}})),
        ("101 people", 0, json!({"mentions": {"users": vec!["1"; 101]}})),
        ("a role by its name", 0, json!({"mentions": {"roles": ["mods"]}})),
        ("mentions with another key", 0, json!({"mentions": {"here": true}})),
        ("mentions that are a list", 0, json!({"mentions": ["1"]})),
        ("a name of 80", 0, json!({"username": "é".repeat(80)})),
        ("a name of 81", 0, json!({"username": "é".repeat(81)})),
        ("a blank name", 0, json!({"username": " "})),
        ("a name that nobody may have", 0, json!({"username": "My Discord"})),
        ("a name that is a number", 0, json!({"username": 5})),
        ("a picture", 0, json!({"avatarUrl": "https://a.example/x.png"})),
        ("a picture of no address", 0, json!({"avatarUrl": "x.png"})),
        ("a picture that is a number", 0, json!({"avatarUrl": 5})),
        ("no notification", 0, json!({"silent": true})),
        ("silent that is a number", 0, json!({"silent": 1})),
        ("no previews", 0, json!({"hideLinkPreviews": true})),
        ("hideLinkPreviews that is a number", 0, json!({"hideLinkPreviews": 1})),
        ("covered files", 1, json!({"spoilerFiles": true})),
        ("a cover of no file", 0, json!({"spoilerFiles": true})),
        ("spoilerFiles that is a number", 1, json!({"spoilerFiles": 1})),
        ("crosspost that is a number", 0, json!({"crosspost": 1})),
        ("a poll of 10 options of 55", 0, poll_of(10, 55)),
        ("a poll of 11 options", 0, poll_of(11, 2)),
        ("a poll with an option of 56", 0, poll_of(2, 56)),
        ("a poll beside a file", 1, poll_of(2, 1)),
        ("a question of 300", 0, poll_with("question", json!("é".repeat(300)))),
        ("a question of 301", 0, poll_with("question", json!("é".repeat(301)))),
        ("a question that is a number", 0, poll_with("question", json!(1))),
        ("a poll of an hour", 0, poll_with("durationMinutes", json!(60))),
        ("a poll of less", 0, poll_with("durationMinutes", json!(0))),
        ("a poll of an hour and a half", 0, poll_with("durationMinutes", json!(90))),
        ("a poll of 768 hours", 0, poll_with("durationMinutes", json!(46_080))),
        ("a poll of 769 hours", 0, poll_with("durationMinutes", json!(46_140))),
        ("a poll that lasts a text", 0, poll_with("durationMinutes", json!("long"))),
        ("a poll of several choices", 0, poll_with("multiple", json!(true))),
        ("a poll of hidden results", 0, poll_with("hideResults", json!(true))),
        ("a poll of wrong flags", 0, poll_with("multiple", json!("yes"))),
        ("a poll with another key", 0, poll_with("colour", json!("red"))),
        ("a poll with an empty option", 0, json!({"poll": {"options": ["a", " "]}})),
        ("a poll with one option twice", 0, json!({"poll": {"options": ["a", "a"]}})),
        ("a poll that is a list", 0, json!({"poll": ["a", "b"]})),
    ] {
        cases.push(post(Platform::Discord, name, "Hello", vec![image(); media], options));
    }
    for (name, content, options) in [
        ("a word to everyone", "@everyone: news", json!({})),
        ("everyone is told", "@everyone: news", json!({"mentions": {"everyone": true}})),
        ("a card and no text", "", json!({"embeds": [{"title": "News"}]})),
        ("a question and no text", "", poll_with("question", json!("Tea?"))),
        ("a poll that asks nothing", "", poll_of(2, 1)),
    ] {
        cases.push(post(Platform::Discord, name, content, Vec::new(), options));
    }
    let bot = |is_announcement| AccountLimits {
        posts_as_bot: Some(true),
        is_announcement: Some(is_announcement),
        ..AccountLimits::default()
    };
    let webhook = AccountLimits { posts_as_bot: Some(false), ..AccountLimits::default() };
    let forum = AccountLimits { is_forum: Some(true), ..AccountLimits::default() };
    let no_forum = AccountLimits { is_forum: Some(false), ..AccountLimits::default() };
    for (name, limits, options) in [
        ("a bot of another name", bot(false), json!({"username": "News"})),
        ("a bot of another picture", bot(false), json!({"avatarUrl": "https://a.example/x"})),
        ("a crosspost of announcements", bot(true), json!({"crosspost": true})),
        ("a crosspost of no announcements", bot(false), json!({"crosspost": true})),
        ("a crosspost by webhook", webhook, json!({"crosspost": true})),
        ("a thread of a forum", forum, json!({"threadId": "14"})),
        ("tags and no forum", no_forum, json!({"threadName": "News", "forumTags": ["1"]})),
    ] {
        let case = post(Platform::Discord, name, "Hello", Vec::new(), options);
        cases.push(case.limited(Platform::Discord, limits));
    }
    cases
}

fn of_pinterest() -> Vec<Case> {
    let mut cases = Vec::new();
    let long = |length: usize| {
        let start = "https://a.example/";
        format!("{start}{}", "x".repeat(length - start.len()))
    };
    let moment = |moment: i64| json!({"coverTimestampMs": moment});
    for (name, media, options) in [
        ("a link of 2048", vec![image()], json!({"link": long(2_048)})),
        ("a link of 2049", vec![image()], json!({"link": long(2_049)})),
        ("a link that is none", vec![image()], json!({"link": "a.example"})),
        ("a link that is a number", vec![image()], json!({"link": 5})),
        ("a section", vec![image()], json!({"boardSectionId": "1".repeat(32)})),
        ("a section of too many digits", vec![image()], json!({"boardSectionId": "1".repeat(33)})),
        ("a section that is a number", vec![image()], json!({"boardSectionId": 5})),
        ("a description of 500", vec![image()], json!({"altText": "é".repeat(500)})),
        ("a description of 501", vec![image()], json!({"altText": "é".repeat(501)})),
        ("a description that is a list", vec![image()], json!({"altText": []})),
        ("a cover that is no id", vec![video()], json!({"thumbnailMediaId": "cover.png"})),
        ("a cover that is a number", vec![video()], json!({"thumbnailMediaId": 5})),
        ("a cover at once", vec![video()], moment(0)),
        ("a cover before", vec![video()], moment(-1)),
        ("a cover of half a second", vec![video()], moment(500)),
        ("a cover of an hour", vec![video()], moment(900_001)),
        ("a cover at 15 minutes", vec![video()], moment(900_000)),
        ("a moment that is a text", vec![video()], json!({"coverTimestampMs": "1s"})),
        ("a moment of an image", vec![image()], moment(1_000)),
        (
            "two covers",
            vec![video()],
            json!({
                "coverTimestampMs": 1_000,
                "thumbnailMediaId": "01890a5d-ac96-774b-bcce-b302099a8057",
            }),
        ),
        (
            "a cover of an image",
            vec![image()],
            json!({"thumbnailMediaId": "01890a5d-ac96-774b-bcce-b302099a8057"}),
        ),
        ("the second image first", vec![image(); 2], json!({"coverIndex": 1})),
        ("the third of two first", vec![image(); 2], json!({"coverIndex": 2})),
        ("the fifth of five first", vec![image(); 5], json!({"coverIndex": 4})),
        ("the sixth of five first", vec![image(); 5], json!({"coverIndex": 5})),
        ("the image before the first", vec![image(); 2], json!({"coverIndex": -1})),
        ("coverIndex that is a text", vec![image(); 2], json!({"coverIndex": "2"})),
        ("coverIndex of a video", vec![video()], json!({"coverIndex": 0})),
        ("a colour", vec![image()], json!({"dominantColor": "#1e90ff"})),
        ("a named colour", vec![image()], json!({"dominantColor": "blue"})),
        ("a colour that is a number", vec![image()], json!({"dominantColor": 5})),
    ] {
        let mut options = options;
        options["boardId"] = json!("1234567890");
        cases.push(post(Platform::Pinterest, name, "Hello", media, options));
    }
    for (name, thumbnail) in [
        ("a JPEG", image()),
        ("a GIF", MediaFacts { mime_type: Some("image/gif".to_owned()), ..image() }),
        ("a video", video()),
        ("a file that is not ready", MediaFacts { ready: false, ..image() }),
        ("20 MB", MediaFacts { size_bytes: Some(20_000_000), ..image() }),
        ("a byte more than 20 MB", MediaFacts { size_bytes: Some(20_000_001), ..image() }),
    ] {
        let name = format!("a cover that is {name}");
        let case =
            post(Platform::Pinterest, &name, "Hello", vec![video()], json!({"boardId": "1"}));
        cases.push(case.naming(thumbnail));
    }
    let own = post(
        Platform::Pinterest,
        "a description of its own",
        "Hello",
        vec![image()],
        json!({"boardId": "1", "altText": "A cake"}),
    );
    cases.push(own.alt_texts(&[Some(&"é".repeat(501))]));
    cases
}
