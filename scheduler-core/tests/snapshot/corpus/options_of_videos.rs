//! Options of YouTube, TikTok and Instagram.

use scheduler_core::platform::Platform;
use scheduler_core::rules::MediaFacts;
use serde_json::{Value, json};

use crate::case::{Case, image, text, video};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (platform, posts) in [
        (Platform::Youtube, youtube()),
        (Platform::Tiktok, tiktok()),
        (Platform::Instagram, instagram()),
    ] {
        for (name, options) in posts {
            cases.push(text(format!("{platform}: {name}"), "Hello").with(platform, options));
        }
    }
    for (name, content, options) in [
        ("a title and no text", "", json!({"title": "Mine"})),
        ("no title and no text", "", json!({})),
        ("no title and a text of angle brackets", "<>\n ", json!({})),
        ("a description of 5000 bytes", "Hello", json!({"description": "a".repeat(5000)})),
        ("a description of 5001 bytes", "Hello", json!({"description": "a".repeat(5001)})),
    ] {
        let case = text(format!("youtube: {name}"), content).media([video()]);
        cases.push(case.with(Platform::Youtube, options));
    }
    for (name, thumbnail) in [
        ("a JPEG", image()),
        ("a PNG", MediaFacts { mime_type: Some("image/png".to_owned()), ..image() }),
        ("a GIF", MediaFacts { mime_type: Some("image/gif".to_owned()), ..image() }),
        ("a video", video()),
        ("a file that is not ready", MediaFacts { ready: false, ..image() }),
        ("50 MiB", MediaFacts { size_bytes: Some(52_428_800), ..image() }),
        ("a byte more than 50 MiB", MediaFacts { size_bytes: Some(52_428_801), ..image() }),
    ] {
        let case = text(format!("youtube: a thumbnail that is {name}"), "Hello");
        cases.push(case.only(Platform::Youtube).thumbnail(thumbnail));
    }
    cases.push(
        text("tiktok: a draft and no privacy", "Hello")
            .media([video()])
            .bare()
            .with(Platform::Tiktok, json!({"asDraft": true})),
    );
    cases
}

fn youtube() -> Vec<(&'static str, Value)> {
    let subtitles = |items: Value| json!({"subtitles": items});
    let one = |changed: &str, value: Value| {
        let mut item = json!({"language": "en", "format": "srt", "content": "1", "name": "A"});
        item[changed] = value;
        json!({"subtitles": [item]})
    };
    vec![
        ("a title of 100", json!({"title": "é".repeat(100)})),
        ("a title of 101", json!({"title": "é".repeat(101)})),
        ("a title of 50 emoji", json!({"title": "👍".repeat(50)})),
        ("a title of 51 emoji", json!({"title": "👍".repeat(51)})),
        ("a blank title", json!({"title": " "})),
        ("a title with a bracket", json!({"title": "a < b"})),
        ("a title that is a number", json!({"title": 1})),
        ("a description", json!({"description": "Mine"})),
        ("a description with a bracket", json!({"description": "a > b"})),
        ("a description that is a list", json!({"description": ["a"]})),
        ("tags of 500 characters", json!({"tags": ["a".repeat(300), "b".repeat(199)]})),
        ("tags of 501 characters", json!({"tags": ["a".repeat(300), "b".repeat(200)]})),
        ("tags of 500 with spaces", json!({"tags": [format!("a {}", "b".repeat(496))]})),
        ("tags of 501 with spaces", json!({"tags": [format!("a {}", "b".repeat(497))]})),
        ("a tag with a bracket", json!({"tags": ["<a"]})),
        ("a tag with a comma", json!({"tags": ["a,b"]})),
        ("an empty tag", json!({"tags": ["a", ""]})),
        ("tags of which one is a number", json!({"tags": ["a", 1]})),
        ("tags that are a flag", json!({"tags": true})),
        ("a category", json!({"categoryId": "22"})),
        ("a category of 4 digits", json!({"categoryId": "9999"})),
        ("a category of 5 digits", json!({"categoryId": "99999"})),
        ("a category that is a name", json!({"categoryId": "Music"})),
        ("a category that is a number", json!({"categoryId": 22})),
        ("privacy unlisted", json!({"privacy": "unlisted"})),
        ("privacy of another network", json!({"privacy": "SELF_ONLY"})),
        ("privacy that is a flag", json!({"privacy": false})),
        ("a playlist", json!({"playlistId": "PLx"})),
        ("a blank playlist", json!({"playlistId": ""})),
        (
            "a playlist that is an address",
            json!({"playlistId": "https://www.youtube.com/playlist?list=PLx"}),
        ),
        ("a playlist that is a number", json!({"playlistId": 3})),
        ("a thumbnail", json!({"thumbnailMediaId": "01890a5d-ac96-774b-bcce-b302099a8057"})),
        ("a thumbnail that is no id", json!({"thumbnailMediaId": "thumb.png"})),
        ("a thumbnail that is a number", json!({"thumbnailMediaId": 1})),
        (
            "subtitles",
            subtitles(json!([
                {"language": "en", "format": "srt", "content": "1"},
                {"language": "pt-BR", "format": "vtt", "content": "WEBVTT", "name": "Português"},
            ])),
        ),
        ("subtitles that are one object", subtitles(json!({"language": "en"}))),
        ("subtitles that are texts", subtitles(json!(["en"]))),
        ("subtitles of an unknown language", one("language", json!("english language"))),
        ("subtitles without a language", one("language", Value::Null)),
        ("subtitles of an unknown format", one("format", json!("sbv"))),
        ("subtitles without content", one("content", json!(""))),
        ("subtitles of blanks", one("content", json!(" \n"))),
        ("subtitles of 1 MiB", one("content", json!("a".repeat(1_048_576)))),
        ("subtitles of 1 MiB, one over", one("content", json!("a".repeat(1_048_577)))),
        ("subtitles with a name of 150", one("name", json!("é".repeat(150)))),
        ("subtitles with a name of 151", one("name", json!("é".repeat(151)))),
        ("subtitles with a name that is a number", one("name", json!(1))),
        (
            "subtitles of one language twice",
            subtitles(json!([
                {"language": "en", "format": "srt", "content": "1"},
                {"language": "EN", "format": "vtt", "content": "2"},
            ])),
        ),
        ("a first comment of 10 000", json!({"firstComment": "a".repeat(10_000)})),
        ("a first comment of 10 001", json!({"firstComment": "a".repeat(10_001)})),
        ("a blank first comment", json!({"firstComment": " "})),
        ("a first comment that is a flag", json!({"firstComment": true})),
        (
            "a first comment on a private video",
            json!({"firstComment": "First", "privacy": "private"}),
        ),
    ]
}

fn tiktok() -> Vec<(&'static str, Value)> {
    vec![
        ("no privacy", json!({"privacy": null})),
        ("privacy for all", json!({"privacy": "PUBLIC_TO_EVERYONE"})),
        ("privacy of another network", json!({"privacy": "public"})),
        ("privacy that is a number", json!({"privacy": 0})),
        ("a draft with a privacy", json!({"asDraft": true})),
        ("no draft", json!({"asDraft": false})),
        ("a draft that is a text", json!({"asDraft": "true"})),
        ("comments", json!({"allowComments": true})),
        ("a draft with comments", json!({"asDraft": true, "allowComments": true})),
        ("comments that are a number", json!({"allowComments": 1})),
    ]
}

fn instagram() -> Vec<(&'static str, Value)> {
    vec![
        ("a placement that is none", json!({"placement": "wall"})),
        ("a placement that is a flag", json!({"placement": true})),
        ("sharing that is a text", json!({"shareToFeed": "yes"})),
        ("3 collaborators", json!({"collaborators": ["alice", "@bob", "c.d_9"]})),
        ("4 collaborators", json!({"collaborators": ["a", "b", "c", "d"]})),
        ("a collaborator of 30", json!({"collaborators": ["a".repeat(30)]})),
        ("a collaborator of 31", json!({"collaborators": ["a".repeat(31)]})),
        ("a collaborator with a space", json!({"collaborators": ["a b"]})),
        ("an empty collaborator", json!({"collaborators": [""]})),
        ("a collaborator that is null", json!({"collaborators": ["alice", null]})),
        ("collaborators in one text", json!({"collaborators": "alice, bob"})),
    ]
}
