//! What a network says for one account, and what the plan says for all.

use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::rules::{Context, MediaFacts, Uploads};
use serde_json::json;

use crate::case::{Case, files, image, one_file, text, video};

pub(super) fn cases() -> Vec<Case> {
    let none = AccountLimits::default;
    let levels = || AccountLimits {
        privacy_levels: Some(vec!["FOLLOWER_OF_CREATOR".to_owned(), "SELF_ONLY".to_owned()]),
        ..none()
    };
    let sized = |size_bytes| MediaFacts { size_bytes: Some(size_bytes), ..image() };
    let long = |seconds| MediaFacts { duration_seconds: Some(seconds), ..video() };
    let rate = |fps| MediaFacts { fps: Some(fps), ..video() };
    let mut cases = Vec::new();
    for off in [true, false] {
        let limits =
            AccountLimits { duets_disabled: Some(off), stitches_disabled: Some(off), ..none() };
        let name = format!("a creator with duets and stitches off: {off}");
        let case = text(name, "Hello").only(Platform::Tiktok).limited(Platform::Tiktok, limits);
        let options = json!({"allowDuet": true, "allowStitch": true});
        cases.push(case.with(Platform::Tiktok, options));
    }
    for (name, is_page) in [("a member", false), ("a page", true)] {
        let limits = AccountLimits { is_page: Some(is_page), ..none() };
        for visibility in ["connections", "loggedIn"] {
            let case = text(format!("{name} that posts to {visibility}"), "Hello");
            let case = case.only(Platform::Linkedin).limited(Platform::Linkedin, limits.clone());
            cases.push(case.with(Platform::Linkedin, json!({"visibility": visibility})));
        }
    }
    for (name, may_comment) in [("that may write comments", true), ("that may not", false)] {
        let limits = AccountLimits { may_comment: Some(may_comment), ..none() };
        let case = text(format!("a member {name}: a first comment"), "Hello");
        let case = case.only(Platform::Linkedin).limited(Platform::Linkedin, limits);
        cases.push(case.with(Platform::Linkedin, json!({"firstComment": "First"})));
    }
    for length in [5000, 5001] {
        let limits = AccountLimits { text_limit: Some(5000), ..none() };
        cases.push(
            text(format!("a server with 5000 characters: {length}"), "a".repeat(length))
                .limited(Platform::Mastodon, limits),
        );
    }
    for length in [468, 469] {
        let limits = AccountLimits { characters_reserved_per_url: Some(32), ..none() };
        let content = format!("{} https://example.com", "a".repeat(length - 1));
        cases.push(
            text(format!("a server that counts 32 for a link: {length} beside it"), content)
                .limited(Platform::Mastodon, limits),
        );
    }
    for count in [8, 9] {
        let limits = AccountLimits { max_media: Some(8), ..none() };
        cases.push(
            files(format!("a server with 8 files: {count}"), vec![image(); count])
                .limited(Platform::Mastodon, limits),
        );
    }
    for length in [200, 201] {
        let limits = AccountLimits { alt_text_limit: Some(200), ..none() };
        let name = format!("accounts with alternative texts of 200: {length}");
        let alt_text = "a".repeat(length);
        let case = one_file(name, image()).alt_texts(&[Some(&alt_text)]);
        let everywhere = |case: Case, platform| case.limited(platform, limits.clone());
        cases.push(Platform::ALL.into_iter().fold(case, everywhere));
    }
    for bytes in [26_000_000, 26_000_001] {
        let limits = AccountLimits { max_image_bytes: Some(26_000_000), ..none() };
        cases.push(
            files(format!("a channel with more bytes: {bytes}"), [sized(bytes)])
                .limited(Platform::Discord, limits),
        );
    }
    for seconds in [1200.0, 1200.1] {
        let limits = AccountLimits { max_video_duration_seconds: Some(1200.0), ..none() };
        cases.push(
            files(format!("a creator with 20 minutes: {seconds} s"), [long(seconds)])
                .limited(Platform::Tiktok, limits),
        );
    }
    for fps in [60.9, 61.0] {
        let limits = AccountLimits { max_video_fps: Some(60.0), ..none() };
        cases.push(
            files(format!("a server with 60 fps: {fps}"), [rate(fps)])
                .limited(Platform::Mastodon, limits),
        );
    }
    for (width, height) in [(1000, 1000), (1001, 1000)] {
        let limits = AccountLimits {
            max_image_pixels: Some(1_000_000),
            max_video_pixels: Some(1_000_000),
            ..none()
        };
        let shaped = |file| MediaFacts { width: Some(width), height: Some(height), ..file };
        cases.push(
            files(
                format!("a server with a million pixels: an image {width} wide"),
                [shaped(image())],
            )
            .limited(Platform::Mastodon, limits.clone()),
        );
        cases.push(
            files(
                format!("a server with a million pixels: a video {width} wide"),
                [shaped(video())],
            )
            .limited(Platform::Mastodon, limits),
        );
    }
    for media_type in ["image/jxl", "image/jpeg"] {
        let limits = AccountLimits { media_types: Some(vec!["image/jxl".to_owned()]), ..none() };
        let typed = MediaFacts { mime_type: Some(media_type.to_owned()), ..image() };
        cases.push(
            files(format!("a server that takes JPEG XL alone: {media_type}"), [typed])
                .limited(Platform::Mastodon, limits),
        );
    }
    cases.extend([
        text("an account without the privacy PUBLIC_TO_EVERYONE", "Hello")
            .with(Platform::Tiktok, json!({"privacy": "PUBLIC_TO_EVERYONE"}))
            .limited(Platform::Tiktok, levels()),
        text("an account with the privacy FOLLOWER_OF_CREATOR", "Hello")
            .with(Platform::Tiktok, json!({"privacy": "FOLLOWER_OF_CREATOR"}))
            .limited(Platform::Tiktok, levels()),
        text("an account of some privacies, none given", "Hello")
            .media([video()])
            .bare()
            .limited(Platform::Tiktok, levels()),
        text("a draft for an account without its privacy", "Hello")
            .with(Platform::Tiktok, json!({"privacy": "PUBLIC_TO_EVERYONE", "asDraft": true}))
            .limited(Platform::Tiktok, levels()),
        text("an account that allows no comments", "Hello")
            .with(Platform::Tiktok, json!({"allowComments": true}))
            .limited(Platform::Tiktok, AccountLimits { comments_disabled: Some(true), ..none() }),
        text("an account that allows comments", "Hello")
            .with(Platform::Tiktok, json!({"allowComments": true}))
            .limited(Platform::Tiktok, AccountLimits { comments_disabled: Some(false), ..none() }),
        text("a forum", "Hello")
            .limited(Platform::Discord, AccountLimits { is_forum: Some(true), ..none() }),
        text("a forum, with a name", "Hello")
            .with(Platform::Discord, json!({"threadName": "News"}))
            .limited(Platform::Discord, AccountLimits { is_forum: Some(true), ..none() }),
        text("a channel that is no forum, with a name", "Hello")
            .with(Platform::Discord, json!({"threadName": "News"}))
            .limited(Platform::Discord, AccountLimits { is_forum: Some(false), ..none() }),
        upload("a file that the month has bytes for", 1_000_000, 1_000_000),
        upload("a file that the month has one byte too few for", 999_999, 1_000_000),
        upload("a file that is one byte over those of the plan", 1_000_000, 999_999),
        text("no posts left", "Hello").context(Context {
            posts_left: Some(0),
            posts_limit: Some(30),
            ..Context::default()
        }),
        text("one post left", "Hello").context(Context {
            posts_left: Some(1),
            posts_limit: Some(30),
            ..Context::default()
        }),
    ]);
    cases
}

/// A video of 1,000,000 bytes that is yet to be uploaded.
fn upload(name: &str, bytes_left: u64, bytes_a_file: u64) -> Case {
    let uploads = Uploads { to_come: 1, bytes_left, bytes_a_month: 2_000_000, bytes_a_file };
    let context = Context { uploads: Some(uploads), ..Context::default() };
    files(name, [video()]).context(context).only(Platform::Bluesky)
}
