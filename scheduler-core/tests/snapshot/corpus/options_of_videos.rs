//! Options of YouTube, TikTok, Instagram and the videos of Facebook.

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
    for (name, options) in facebook() {
        let placed = |placement: &str| {
            let mut options = options.clone();
            options["placement"] = json!(placement);
            options
        };
        for placement in ["feed", "reel"] {
            cases.push(
                text(format!("facebook: {name}, {placement}"), "Hello")
                    .media([video()])
                    .with(Platform::Facebook, placed(placement))
                    .only(Platform::Facebook),
            );
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
    for (name, thumbnail) in [
        ("a JPEG", image()),
        ("a PNG", MediaFacts { mime_type: Some("image/png".to_owned()), ..image() }),
        ("a video", video()),
        ("a file that is not ready", MediaFacts { ready: false, ..image() }),
        ("8 MB", MediaFacts { size_bytes: Some(8_000_000), ..image() }),
        ("a byte more than 8 MB", MediaFacts { size_bytes: Some(8_000_001), ..image() }),
    ] {
        let case = text(format!("instagram: a cover that is {name}"), "Hello");
        cases.push(case.only(Platform::Instagram).thumbnail(thumbnail));
    }
    for (name, thumbnail) in [
        ("a PNG", MediaFacts { mime_type: Some("image/png".to_owned()), ..image() }),
        ("a WebP", MediaFacts { mime_type: Some("image/webp".to_owned()), ..image() }),
        ("a file that is not ready", MediaFacts { ready: false, ..image() }),
        ("10 MB", MediaFacts { size_bytes: Some(10_000_000), ..image() }),
        ("a byte more than 10 MB", MediaFacts { size_bytes: Some(10_000_001), ..image() }),
    ] {
        let case = text(format!("facebook: a cover that is {name}"), "Hello").media([video()]);
        cases.push(case.only(Platform::Facebook).thumbnail(thumbnail));
    }
    cases.push(
        text("facebook: a picture with what it has not", "Hello")
            .media([image()])
            .with(
                Platform::Facebook,
                json!({
                    "title": "T",
                    "thumbnailMediaId": "00000000-0000-0000-0000-000000000001",
                    "placeId": "7",
                    "aiGenerated": true,
                }),
            )
            .only(Platform::Facebook),
    );
    for (name, options) in [
        ("a title of 90", json!({"title": "a".repeat(90)})),
        ("a title of 91", json!({"title": "a".repeat(91)})),
        ("a title of 45 emoji", json!({"title": "👍".repeat(45)})),
        ("a title of 46 emoji", json!({"title": "👍".repeat(46)})),
        ("a title that is a number", json!({"title": 1})),
        ("a cover", json!({"coverIndex": 0})),
        ("a cover that is not there", json!({"coverIndex": 1})),
        ("the last cover there can be", json!({"coverIndex": 34})),
        ("a cover after it", json!({"coverIndex": 35})),
        ("a cover that is a text", json!({"coverIndex": "0"})),
        ("a cover of a video", json!({"coverTimestampMs": 5})),
        ("music", json!({"autoMusic": true})),
        ("music that is a text", json!({"autoMusic": "yes"})),
        (
            "a draft with a title and music",
            json!({
                "asDraft": true, "title": "Mine", "autoMusic": true,
            }),
        ),
        ("what is of videos", json!({"allowDuet": true, "allowStitch": true, "aiGenerated": true})),
    ] {
        let case = text(format!("tiktok: photos with {name}"), "Hello").media([image()]);
        cases.push(case.only(Platform::Tiktok).with(Platform::Tiktok, options));
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
        ("a title with a control character", json!({"title": "a\u{1b}b"})),
        ("a title with a tab", json!({"title": "a\tb"})),
        ("a title that is a number", json!({"title": 1})),
        ("a description", json!({"description": "Mine"})),
        ("a description with a bracket", json!({"description": "a > b"})),
        ("a description with a control character", json!({"description": "a\u{7}b"})),
        ("a description of two lines", json!({"description": "a\r\n\tb"})),
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
        ("subscribers who are not told", json!({"notifySubscribers": false})),
        (
            "subscribers who are told of an unlisted video",
            json!({"notifySubscribers": true, "privacy": "unlisted"}),
        ),
        ("subscribers that are a text", json!({"notifySubscribers": "yes"})),
        ("for children", json!({"madeForKids": true})),
        ("for children, and a number", json!({"madeForKids": 1})),
        (
            "for children, with a comment and a notice",
            json!({"madeForKids": true, "firstComment": "First", "notifySubscribers": true}),
        ),
        ("made by AI", json!({"aiGenerated": true})),
        ("made by AI, as a text", json!({"aiGenerated": "true"})),
        ("a paid promotion", json!({"paidPromotion": true})),
        ("a paid promotion that is a number", json!({"paidPromotion": 1})),
        ("a licence", json!({"license": "creativeCommon"})),
        ("an unknown licence", json!({"license": "CC BY"})),
        ("a licence that is a flag", json!({"license": true})),
        ("not to be embedded", json!({"embeddable": false})),
        ("embedding that is a text", json!({"embeddable": "no"})),
        ("hidden statistics", json!({"publicStats": false})),
        ("languages", json!({"language": "en", "audioLanguage": "pt-BR"})),
        ("languages that are none", json!({"language": "a language", "audioLanguage": "x"})),
        ("languages that are numbers", json!({"language": 1, "audioLanguage": 2})),
        ("statistics that are null in a list", json!({"publicStats": [null]})),
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
        ("duets and stitches", json!({"allowDuet": true, "allowStitch": true})),
        ("duets that are a text", json!({"allowDuet": "yes"})),
        ("stitches that are a number", json!({"allowStitch": 1})),
        (
            "a draft with duets and stitches",
            json!({"asDraft": true, "allowDuet": true, "allowStitch": true}),
        ),
        ("made by AI", json!({"aiGenerated": true})),
        ("made by AI, as a text", json!({"aiGenerated": "yes"})),
        ("a draft that is made by AI", json!({"asDraft": true, "aiGenerated": true})),
        ("a brand of one's own", json!({"commercialContent": ["ownBrand"]})),
        (
            "a brand of others, for oneself",
            json!({"commercialContent": ["ownBrand", "brandedContent"]}),
        ),
        (
            "a brand of others, for all",
            json!({"commercialContent": ["brandedContent"], "privacy": "PUBLIC_TO_EVERYONE"}),
        ),
        ("a promotion of nothing", json!({"commercialContent": []})),
        ("a promotion of something else", json!({"commercialContent": ["brand", " "]})),
        ("a promotion of too much", json!({"commercialContent": ["ownBrand", "ownBrand", "a"]})),
        ("a promotion with a long name", json!({"commercialContent": ["brandedContents"]})),
        ("a promotion that is a text", json!({"commercialContent": "ownBrand"})),
        (
            "a draft with a promotion and a cover",
            json!({"asDraft": true, "commercialContent": ["ownBrand"], "coverTimestampMs": 1}),
        ),
        ("a cover at the begin", json!({"coverTimestampMs": 0})),
        ("a cover before the begin", json!({"coverTimestampMs": -1})),
        ("a cover after 10 minutes", json!({"coverTimestampMs": 600_000})),
        ("a cover a millisecond later", json!({"coverTimestampMs": 600_001})),
        ("a cover that is a text", json!({"coverTimestampMs": "1"})),
        ("a cover among photos", json!({"coverIndex": 0})),
        ("a title of a video", json!({"title": "Mine"})),
        ("music of a video", json!({"autoMusic": true})),
    ]
}

fn facebook() -> Vec<(&'static str, Value)> {
    vec![
        ("a title of 255", json!({"title": "é".repeat(255)})),
        ("a title of 256", json!({"title": "é".repeat(256)})),
        ("a blank title", json!({"title": " "})),
        ("a title that is a list", json!({"title": []})),
        ("a cover", json!({"thumbnailMediaId": "00000000-0000-0000-0000-000000000001"})),
        ("a cover that is no id", json!({"thumbnailMediaId": "cover"})),
        ("a cover that is a number", json!({"thumbnailMediaId": 1})),
        ("a place", json!({"placeId": "1".repeat(32)})),
        ("a place of too many digits", json!({"placeId": "1".repeat(33)})),
        ("a place that is a number", json!({"placeId": 7})),
        ("a label", json!({"aiGenerated": true})),
        ("no label", json!({"aiGenerated": false})),
        ("a label that is a text", json!({"aiGenerated": "yes"})),
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
        ("a cover", json!({"thumbnailMediaId": "00000000-0000-0000-0000-000000000001"})),
        ("a cover that is no id", json!({"thumbnailMediaId": "cover"})),
        ("a cover that is a list", json!({"thumbnailMediaId": []})),
        ("the first frame", json!({"coverTimestampMs": 0})),
        ("the frame at the end", json!({"coverTimestampMs": 30_000})),
        ("a frame beyond the longest reel", json!({"coverTimestampMs": 900_001})),
        ("a frame that is a text", json!({"coverTimestampMs": "1000"})),
        (
            "a frame beside a cover",
            json!({
                "coverTimestampMs": 0,
                "thumbnailMediaId": "00000000-0000-0000-0000-000000000001",
            }),
        ),
        ("a place", json!({"locationId": "1".repeat(32)})),
        ("a place of too many digits", json!({"locationId": "1".repeat(33)})),
        ("a place that is a number", json!({"locationId": 7})),
        ("a trial", json!({"trial": "manual"})),
        ("a trial that ends itself", json!({"trial": "auto"})),
        ("a trial that is a flag", json!({"trial": true})),
        ("a trial of another name", json!({"trial": "SS_PERFORMANCE"})),
        ("a trial of two", json!({"trial": "manual", "collaborators": ["ana"]})),
        ("a label", json!({"aiGenerated": true})),
        ("a label that is a text", json!({"aiGenerated": "yes"})),
        ("no comments", json!({"allowComments": false})),
        ("comments that are a text", json!({"allowComments": "no"})),
        ("a first comment of 300", json!({"firstComment": "é".repeat(300)})),
        ("a first comment of 301", json!({"firstComment": "é".repeat(301)})),
        ("a blank first comment", json!({"firstComment": " "})),
        ("a first comment that is a list", json!({"firstComment": []})),
        ("a first comment with 4 hashtags", json!({"firstComment": "#a #b #c #d"})),
        ("a first comment with 5 hashtags", json!({"firstComment": "#a #b #c #d #e"})),
        ("a first comment with a link", json!({"firstComment": "see https://a.example"})),
        (
            "a first comment with two links",
            json!({"firstComment": "see https://a.example https://b.example"}),
        ),
        ("a shouted first comment", json!({"firstComment": "BUY"})),
        (
            "a story with what it has not",
            json!({
                "placement": "story",
                "caption": "",
                "thumbnailMediaId": "00000000-0000-0000-0000-000000000001",
                "coverTimestampMs": 0,
                "locationId": "7",
                "trial": "manual",
                "allowComments": true,
                "firstComment": "x",
            }),
        ),
    ]
}
