//! Files whose bytes come with the request that names them, what is read of files, and pictures of
//! accounts.

use scheduler_core::app::{Caller, Settings};
use scheduler_core::bytes::Bytes;
use scheduler_core::error::Refusal;
use scheduler_core::ids::MediaId;
use scheduler_core::key::Scope;
use scheduler_core::media::{MediaInput, MediaKind, MediaStatus, MediaView};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{ByteRange, ByteStream, FetchError};

use crate::after_support::world_after;
use crate::support::{World, done, outcome, refused};

fn take(world: &World, caller: &Caller, bytes: &'static str) -> Result<MediaView, Refusal> {
    let input = MediaInput {
        kind: Some(MediaKind::Image),
        mime_type: Some("image/png".to_owned()),
        file_name: Some("a.png".to_owned()),
        ..MediaInput::default()
    };
    let bytes = ByteStream::once(Bytes::from_static(bytes.as_bytes()));
    refused(done(world.scheduler.take_media(caller, input, bytes)))
}

#[test]
fn a_file_is_taken_with_its_request() {
    let mut settings = Settings { file_bytes_max: 8, ..Settings::default() };
    settings.plans.studio.upload_bytes_a_month = 14;
    let world = World::with(settings);
    let reader = world.caller_with(&[Scope::MediaRead]);
    assert_eq!(outcome(&take(&world, &reader, "four")), "forbidden");
    let taken = take(&world, &world.caller, "four").unwrap();
    assert_eq!((taken.status, taken.size_bytes), (MediaStatus::Processing, Some(4)));
    assert_eq!(taken.file_name.as_deref(), Some("a.png"));
    world.work();
    assert_eq!(world.shown(taken.id).unwrap().media.status, MediaStatus::Ready);
    for (name, bytes, want) in [
        ("nothing", "", "invalid_request"),
        ("more than the server takes", "nine byte", "file_too_large"),
        ("as much as it takes", "8 bytes.", "ok"),
        ("beyond the month", "four", "upload_limit"),
        ("the rest of the month", "2.", "ok"),
        ("nothing is left", "1", "upload_limit"),
    ] {
        assert_eq!(outcome(&take(&world, &world.caller, bytes)), want, "{name}");
    }
}

#[test]
fn a_file_is_read_whole_or_in_part() {
    let world = World::new();
    let id = world.ready();
    let read = |caller: &Caller, id: MediaId, range| {
        let opened = refused(done(world.scheduler.open_media(caller, id, range)))?;
        let (range, size) = (opened.range.clone(), opened.size_bytes);
        Ok::<_, Refusal>((range, size, done(opened.bytes.collect()).unwrap()))
    };
    let from = |first, last| Some(ByteRange::From { first, last });
    for (name, range, want) in [
        ("whole", None, (0..4, "four")),
        ("a part", from(1, Some(2)), (1..3, "ou")),
        ("the end", Some(ByteRange::Last(1)), (3..4, "r")),
        ("outside", from(9, None), (0..4, "four")),
    ] {
        let found = read(&world.caller, id, range).unwrap();
        assert_eq!(found, (want.0, 4, Bytes::from_static(want.1.as_bytes())), "{name}");
    }
    assert_eq!(outcome(&read(&world.stranger(), id, None)), "not_found");
    assert_eq!(outcome(&read(&world.caller_with(&[Scope::PostsRead]), id, None)), "forbidden");
    assert_eq!(outcome(&read(&world.caller, world.small(), None)), "not_found", "no bytes yet");
}

#[test]
fn the_picture_of_an_account_is_fetched_once_a_minute() {
    let (world, _) = world_after();
    let account = world.connect(Platform::Tiktok, "me");
    let ask = |caller: &Caller| refused(done(world.scheduler.account_picture(caller, account.id)));
    assert_eq!(outcome(&ask(&world.caller)), "not_found", "nobody has told of one");
    let tell = || refused(done(world.scheduler.creator(&world.caller, account.id))).unwrap();
    tell();
    let answers = [
        Err(FetchError::Temporary("It does not answer.".to_owned())),
        Ok(vec!["<html>", "GIF89a"]),
        Ok(vec!["GIF", "89a…"]),
        Ok(vec!["GIF89a of another day"]),
    ];
    world.source.answers.lock().unwrap().extend(answers);
    assert_eq!(outcome(&ask(&world.caller_with(&[Scope::MediaRead]))), "forbidden");
    assert_eq!(outcome(&ask(&world.stranger())), "not_found");
    assert_eq!(outcome(&ask(&world.caller)), "not_found", "it cannot be had");
    assert_eq!(outcome(&ask(&world.caller)), "not_found", "it is no picture");
    for _ in 0..2 {
        let found = ask(&world.caller).unwrap();
        assert_eq!((found.media_type, &found.bytes[..6]), ("image/gif", &b"GIF89a"[..]));
    }
    let asked = world.source.asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 3, "it is kept");
    assert_eq!(asked[0], ("https://a.example/me.gif".to_owned(), 256 << 10));
    world.clock.advance(chrono::TimeDelta::minutes(1));
    tell();
    assert!(ask(&world.caller).unwrap().bytes.ends_with(b"another day"));
}
