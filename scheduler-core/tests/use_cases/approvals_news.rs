//! What a client is told who is asked again: what is new since they decided.

use scheduler_core::app::{ApprovalPost, FileNews};
use scheduler_core::media::MediaStatus;
use scheduler_core::platform::Platform;
use scheduler_core::post::{Piece, Verdict};
use serde_json::json;

use crate::approvals::{page, say, show};
use crate::support::World;

/// What is new in each target, marked as people mark it.
fn marked(post: &ApprovalPost) -> Vec<String> {
    let marked = |pieces: &Vec<Piece>| -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Same(text) => text.clone(),
            Piece::New(text) => format!("+{text}+"),
            Piece::Gone(text) => format!("-{text}-"),
        };
        pieces.iter().map(piece).collect()
    };
    let news = post.news.as_ref().unwrap();
    let of_target = |news: &scheduler_core::app::TargetNews| {
        let settings =
            news.settings.iter().map(|(name, value)| format!("{name}: {}", marked(value)));
        let mut texts: Vec<String> = news.parts.iter().map(marked).collect();
        texts.extend([&news.title, &news.spoiler, &news.link].map(marked));
        texts.extend(settings);
        texts.retain(|text| !text.is_empty());
        if news.is_new { "new".to_owned() } else { texts.join(" | ") }
    };
    news.targets.iter().map(of_target).collect()
}

#[test]
fn a_client_who_is_asked_again_is_shown_what_is_new() {
    let world = World::new();
    let [stays, goes, comes] = [(); 3].map(|()| world.file(MediaStatus::Ready));
    let of_mastodon = |options| json!({"platform": "mastodon", "options": options});
    let thread = |last: &str| json!({"thread": ["one", last]});
    let post = world.create(json!({
        "content": "To the fair", "mediaIds": [stays, goes], "altTexts": ["A barn", null],
        "saveAsDraft": true,
        "targets": [
            {"platform": "bluesky", "options": thread("two")},
            of_mastodon(json!({"spoilerText": "Food", "visibility": "unlisted"})),
            {"platform": "telegram"},
        ],
    }));
    let pass = show(&world, post.id).unwrap().pass;
    assert_eq!(page(&world, &pass).news, None, "nothing was decided");
    say(&world, &pass, Verdict::Approve, "").unwrap();
    assert_eq!(page(&world, &pass).news, None, "nothing has changed");

    let change = json!({
        "content": "To the market", "mediaIds": [stays, comes], "altTexts": ["A red barn", null],
        "targets": [
            {"platform": "bluesky", "options": {"thread": ["one"]}},
            of_mastodon(json!({"spoilerText": "Good food", "visibility": "public"})),
        ],
    });
    world.patch(post.id, change).unwrap();
    let shown = page(&world, &pass);
    assert_eq!(
        marked(&shown),
        [
            "To the -fair-+market+ | one | -two-",
            "To the -fair-+market+ | -Food-+Good food+ | Visibility: -unlisted-+public+",
        ]
    );
    let news = shown.news.as_ref().unwrap();
    assert_eq!((news.verdict, news.files_gone), (Verdict::Approve, 1));
    assert_eq!(news.gone, [Platform::Telegram]);
    assert!(!news.is_nothing());
    let files: Vec<_> = shown.files.iter().map(|file| (file.id, file.news)).collect();
    assert_eq!(files, [(stays, Some(FileNews::Described)), (comes, Some(FileNews::Added))]);

    // It is asked about until they decide.
    say(&world, &pass, Verdict::Changes, "The fair, please").unwrap();
    assert_eq!(page(&world, &pass).news, None);
    let bluesky = || json!({"platform": "bluesky", "options": {"thread": ["one"]}});
    let mastodon = || of_mastodon(json!({"spoilerText": "Good food", "visibility": "public"}));
    let targets = json!([bluesky(), mastodon(), {"platform": "telegram"}]);
    world.patch(post.id, json!({"content": "To the fair", "targets": targets})).unwrap();
    let shown = page(&world, &pass);
    let news = marked(&shown);
    assert_eq!((&*news[0], &*news[2]), ("To the -market-+fair+ | one", "new"));
    assert_eq!(shown.news.unwrap().verdict, Verdict::Changes);
    let targets = json!([bluesky(), mastodon()]);
    world.patch(post.id, json!({"content": "To the market", "targets": targets})).unwrap();
    assert!(page(&world, &pass).news.unwrap().is_nothing(), "it is as it was");
}

#[test]
fn a_post_that_is_too_long_to_be_kept_is_shown_without() {
    let world = World::new();
    let long = "word ".repeat(700);
    // Each target holds less than it may, and both more than is kept.
    let thread: Vec<String> = (0..12).map(|number| format!("{number} {long}")).collect();
    let options = json!({"thread": thread});
    let post = world.create(json!({
        "content": "To the fair", "saveAsDraft": true, "allowIssues": true,
        "targets": [
            {"platform": "mastodon", "options": options},
            {"platform": "bluesky", "options": options},
        ],
    }));
    let pass = show(&world, post.id).unwrap().pass;
    say(&world, &pass, Verdict::Approve, "").unwrap();
    let change = json!({"content": "To the market", "saveAsDraft": true, "allowIssues": true});
    world.patch(post.id, change).unwrap();
    let shown = page(&world, &pass);
    assert!(shown.decided_at.is_some());
    assert_eq!(shown.news, None);
}
