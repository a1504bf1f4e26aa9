//! How many files a post has, of which kinds, in which placement.

use scheduler_core::platform::Platform;
use scheduler_core::rules::MediaFacts;
use serde_json::{Value, json};

use crate::case::{Case, files, image, text, video};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = vec![
        text("a text and no file", "Hello").bare(),
        files("one image", [image()]),
        files("one video", [video()]),
        files("one image and one video", [image(), video()]),
        files("one video and one image", [video(), image()]),
        files("a file that is not ready", [MediaFacts { ready: false, ..image() }]),
        files(
            "a file that is not ready among others",
            [image(), MediaFacts { ready: false, ..image() }],
        ),
    ];
    for count in [4, 5, 10, 20, 30, 35_usize] {
        for count in [count, count + 1] {
            let is_new = !cases.iter().any(|case| case.name == format!("{count} images"));
            if is_new {
                cases.push(files(format!("{count} images"), vec![image(); count]));
            }
        }
    }
    for count in [2, 10, 11, 20, 21] {
        cases.push(files(format!("{count} videos"), vec![video(); count]));
    }
    cases.extend(placements());
    cases
}

fn placements() -> Vec<Case> {
    let on_instagram = |name: &str, media: Vec<MediaFacts>, options: Value| {
        files(name, media).with(Platform::Instagram, options)
    };
    let on_facebook = |name: &str, media: Vec<MediaFacts>| {
        files(name, media).with(Platform::Facebook, json!({"asReel": true}))
    };
    let named_on_facebook = |name: &str, media: Vec<MediaFacts>, options: Value| {
        files(name, media).with(Platform::Facebook, options).only(Platform::Facebook)
    };
    let feed = || json!({"placement": "feed"});
    let reel = || json!({"placement": "reel"});
    let story = || json!({"placement": "story"});
    vec![
        on_instagram("the feed, an image", vec![image()], feed()),
        on_instagram("the feed, a video", vec![video()], feed()),
        on_instagram("the feed, an image and a video", vec![image(), video()], feed()),
        on_instagram("a reel, a video", vec![video()], reel()),
        on_instagram("a reel, an image", vec![image()], reel()),
        on_instagram("a reel, two videos", vec![video(), video()], reel()),
        on_instagram("a story, an image", vec![image()], story()),
        on_instagram("a story, a video", vec![video()], story()),
        on_instagram("a story, two images", vec![image(), image()], story()),
        on_instagram(
            "a story with collaborators",
            vec![video()],
            json!({"placement": "story", "collaborators": ["bob"]}),
        ),
        on_instagram(
            "a story to be shared to the feed",
            vec![video()],
            json!({"placement": "story", "shareToFeed": true}),
        ),
        on_instagram(
            "a reel to be shared to the feed",
            vec![video()],
            json!({"placement": "reel", "shareToFeed": false}),
        ),
        text("a story without a text", "")
            .media([MediaFacts { width: Some(1080), height: Some(1920), ..image() }])
            .with(Platform::Instagram, story()),
        text(
            "a story with 2201 letters and 31 hashtags",
            format!("{}{}", "#t1 ".repeat(31), "a".repeat(2201)),
        )
        .media([image()])
        .link("https://example.com/a")
        .with(Platform::Instagram, story())
        .only(Platform::Instagram),
        on_facebook("a reel of Facebook, a video", vec![video()]),
        on_facebook("a reel of Facebook, an image", vec![image()]),
        on_facebook("a reel of Facebook, two videos", vec![video(), video()]),
        named_on_facebook("the feed of Facebook, a video", vec![video()], feed()),
        named_on_facebook("a named reel of Facebook, a video", vec![video()], reel()),
        named_on_facebook("a named reel of Facebook, an image", vec![image()], reel()),
        named_on_facebook("a story of Facebook, a video", vec![video()], story()),
        named_on_facebook("a story of Facebook, an image", vec![image()], story()),
        named_on_facebook("a story of Facebook, two images", vec![image(), image()], story()),
        named_on_facebook("a story of Facebook, a link", vec![video()], story())
            .link("https://example.com/a"),
        named_on_facebook(
            "a story of Facebook, a comment",
            vec![video()],
            json!({"placement": "story", "caption": "", "firstComment": "x"}),
        ),
        named_on_facebook(
            "two names for a reel of Facebook",
            vec![video()],
            json!({"placement": "feed", "asReel": true}),
        ),
        named_on_facebook("nowhere on Facebook", vec![video()], json!({"placement": "wall"})),
        named_on_facebook("a placement that is a flag", vec![video()], json!({"placement": true})),
        text("a reel of Facebook without a file", "Hello")
            .with(Platform::Facebook, json!({"asReel": true})),
    ]
}
