//! Files of posts on X, of accounts that may send them.

use scheduler_core::media::VideoCodec;
use scheduler_core::platform::{AccountLimits, Disclosed, FileDetails, Platform};
use scheduler_core::rules::{Context, MediaFacts};
use serde_json::json;
use uuid::Uuid;

use crate::case::{Case, document, files, image, text, video};

pub(super) fn cases() -> Vec<Case> {
    let limits = AccountLimits { takes_files: Some(true), ..AccountLimits::default() };
    let of = |case: Case| case.only(Platform::Twitter).limited(Platform::Twitter, limits.clone());
    let named =
        |name: &str, media: Vec<MediaFacts>| of(files(format!("X with files: {name}"), media));
    let typed = |mime_type: &str, file: MediaFacts| MediaFacts {
        mime_type: Some(mime_type.to_owned()),
        ..file
    };
    let gif = |frames, width, height, bytes| MediaFacts {
        frame_count: Some(frames),
        width: Some(width),
        height: Some(height),
        size_bytes: Some(bytes),
        ..typed("image/gif", image())
    };
    let sides = |width, height| MediaFacts { width: Some(width), height: Some(height), ..video() };
    let lasts = |seconds| MediaFacts { duration_seconds: Some(seconds), ..video() };
    let codec = |codec| MediaFacts { video_codec: Some(codec), ..video() };
    let rate = |fps| MediaFacts { fps: Some(fps), ..video() };
    let said = |details| serde_json::from_value::<FileDetails>(details).unwrap();
    let described = |length| said(json!({"altText": "a".repeat(length)}));
    let mut cases = vec![
        named("four images", vec![image(); 4]),
        named("five images", vec![image(); 5]),
        named("an image and a video", vec![image(), video()]),
        named("two videos", vec![video(); 2]),
        named("a document", vec![document()]),
        named("an animation", vec![gif(350, 1_280, 1_080, 15_000_000)]),
        named("an animation that is too large", vec![gif(350, 1_280, 1_080, 15_000_001)]),
        named("an animation that is too long", vec![gif(351, 1_280, 1_080, 15_000_000)]),
        named("an animation that is too wide", vec![gif(2, 1_281, 1_080, 1_000)]),
        named("an animation that is too high", vec![gif(2, 1_280, 1_081, 1_000)]),
        named("an animation beside an image", vec![gif(2, 100, 100, 1_000), image()]),
        named("a still GIF beside an image", vec![gif(1, 100, 100, 1_000), image()]),
        named("a picture to convert", vec![typed("image/heic", image())]),
        named("another type of video", vec![typed("video/webm", video())]),
        named("half a second", vec![lasts(0.5)]),
        named("less than half a second", vec![lasts(0.4)]),
        named("140 seconds", vec![lasts(140.0)]),
        named("more than 140 seconds", vec![lasts(140.1)]),
        named("a small video", vec![sides(32, 32)]),
        named("a video that is too small", vec![sides(31, 32)]),
        named("a video three times as wide as high", vec![sides(900, 300)]),
        named("a wider video", vec![sides(1_000, 300)]),
        named("a narrower video", vec![sides(300, 1_000)]),
        named("a codec that is not taken", vec![codec(VideoCodec::Vp9)]),
        named("60 frames a second", vec![rate(60.0)]),
        named("more than 60 frames a second", vec![rate(60.1)]),
        named("more than 60 frames a second that are made fewer", vec![rate(60.1)])
            .context(Context::default()),
        named("a file of its own that is not ready", vec![])
            .own_files([MediaFacts { ready: false, ..image() }]),
        named("an empty file of its own", vec![])
            .own_files([MediaFacts { size_bytes: Some(0), ..image() }]),
        named("an alternative text of 1000", vec![image()]).details([described(1_000)]),
        named("an alternative text of 1001", vec![image()]).details([described(1_001)]),
        named("a point that stays in sight", vec![image()])
            .details([said(json!({"focus": {"x": 0, "y": 0}}))]),
        of(text("X with files: no text", "").media([image()])),
        named("an alternative text of a video", vec![video()]).alt_texts(&[Some("A crab")]),
        named("made with AI", vec![image()]).disclosing(&[Disclosed::AiGenerated]),
        named("a warning", vec![image()])
            .with(Platform::Twitter, json!({"sensitive": ["adult", "violence", "other"]})),
        named("ten tagged users", vec![image()])
            .with(Platform::Twitter, json!({"taggedUsers": vec!["1"; 10]})),
        named("eleven tagged users", vec![image()])
            .with(Platform::Twitter, json!({"taggedUsers": vec!["1"; 11]})),
        named("a tagged name", vec![image()])
            .with(Platform::Twitter, json!({"taggedUsers": ["@ana"]})),
        named("tags that are a text", vec![image()])
            .with(Platform::Twitter, json!({"taggedUsers": "1"})),
        named("tags in a video", vec![video()])
            .with(Platform::Twitter, json!({"taggedUsers": ["1"]})),
        named("a poll", vec![image()])
            .with(Platform::Twitter, json!({"poll": {"options": ["a", "b"]}})),
        named("a label that is no flag", vec![image()])
            .with(Platform::Twitter, json!({"aiGenerated": "yes"})),
        named("a warning that is not known", vec![image()])
            .with(Platform::Twitter, json!({"sensitive": ["gore"]})),
        named("a warning of nothing", vec![image()])
            .with(Platform::Twitter, json!({"sensitive": []})),
        named("too many warnings", vec![image()])
            .with(Platform::Twitter, json!({"sensitive": ["adult", "adult", "other", "other"]})),
        named("a warning that is no array", vec![image()])
            .with(Platform::Twitter, json!({"sensitive": "adult"})),
        of(text("X with files: a warning of a text", "Hello"))
            .with(Platform::Twitter, json!({"sensitive": ["adult"], "aiGenerated": true})),
    ];
    let [first, second] = [1, 2].map(Uuid::from_u128);
    for (name, thread) in [
        ("a file", json!([{"text": "two", "mediaIds": [first]}, "three"])),
        ("a file without a text", json!([{"mediaIds": [first]}])),
        ("a file twice", json!([{"text": "two", "mediaIds": [first, first]}])),
        (
            "more texts than files",
            json!([{"text": "two", "mediaIds": [second], "altTexts": ["a", "b"]}]),
        ),
        ("a number", json!([7])),
    ] {
        let case = of(text(format!("X with files: a part with {name}"), "Hello"));
        cases.push(case.with(Platform::Twitter, json!({"thread": thread})));
    }
    cases
}
