//! Making a Pin as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::NetworkErrorKind as Kind;
use super::*;
use crate::conversation::Conversation as _;
use crate::pinterest::testing::{PIN, fault, of_images, of_video, ok, pinterest, pinterest_job};
use crate::testing::files::{described, with_file};
use crate::testing::steps::{next, take_step};
use crate::testing::{answered, answered_text, with_header, with_options};

const PINS: &str = include_str!("fixtures/pins.json");
const CREATED: &str = include_str!("fixtures/pin.json");

/// The progress at the call that makes the Pin.
fn ready(job: &PublishJob) -> Value {
    next(take_step(&pinterest(), job, &pinterest().begin(job), &[ok(r#"{"items":[]}"#)]).1)
}

/// The same once images go by links.
fn by_links(job: &PublishJob) -> Value {
    let mut progress = ready(job);
    progress["images"] = json!("links");
    progress
}

fn body(job: &PublishJob, progress: &Value) -> Value {
    let (asked, _) = take_step(&pinterest(), job, progress, &[ok(CREATED)]);
    asked[0]["body"].clone()
}

#[test]
fn only_images_within_the_call_take_time_and_as_base64() {
    let sized = |mut job: PublishJob| {
        job.files[0].facts.size_bytes = Some(12 * 1024 * 1024);
        job
    };
    let (images, film) = (sized(of_images(1)), sized(of_video()));
    let mut of_film = ready(&images);
    of_film["stage"]["create"]["mediaId"] = json!("7");
    for (name, job, progress, seconds) in [
        ("within the call", &images, ready(&images), 30 + 128),
        ("by links", &images, by_links(&images), 30),
        ("a video by its id", &film, of_film, 30),
    ] {
        assert!(pinterest().is_visible(&progress), "{name}");
        assert_eq!(
            pinterest().call_timeout(job, &progress).of_request().as_secs(),
            seconds,
            "{name}"
        );
    }
}

#[test]
fn an_image_goes_within_the_call() {
    let job = of_images(1);
    let pinterest = pinterest();
    let progress = pinterest.begin(&job);
    assert!(!pinterest.is_visible(&progress));
    let (asked, step) = take_step(&pinterest, &job, &progress, &[ok(r#"{"items":[]}"#)]);
    assert_eq!(asked[0]["request"], "GET https://api.pinterest.com/v5/pins?page_size=100");
    let progress = next(step);
    assert!(pinterest.is_visible(&progress));
    let (asked, step) = take_step(
        &pinterest,
        &job,
        &progress,
        &[answered(201, &serde_json::from_str(CREATED).unwrap())],
    );
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": {
          "alt_text": "image 0",
          "board_id": "549755885175",
          "description": "Ten minutes. #soup",
          "link": "https://example.com/soup",
          "media_source": {
            "content_type": "image/png",
            "data": "base64: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/png, as it came",
            "source_type": "image_base64"
          },
          "title": "Autumn soup"
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.pinterest.com/v5/pins",
        "visible": true
      }
    ]
    "#);
    let Ok(Step::Live(live)) = step else { panic!("{step:?}") };
    let remote = live.remote.unwrap();
    assert_eq!(remote.id, PIN);
    assert_eq!(remote.url.as_deref(), Some("https://www.pinterest.com/pin/813744226420795884/"));
    assert_eq!(remote.record, Value::Null);
    assert_eq!(live.then, None);
}

#[test]
fn several_images_make_a_carousel() {
    let job = of_images(3);
    assert_json_snapshot!(body(&job, &ready(&job))["media_source"], @r#"
    {
      "index": 0,
      "items": [
        {
          "content_type": "image/png",
          "data": "base64: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/png, as it came"
        },
        {
          "content_type": "image/png",
          "data": "base64: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000011, image/png, as it came"
        },
        {
          "content_type": "image/png",
          "data": "base64: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000012, image/png, as it came"
        }
      ],
      "source_type": "multiple_image_base64"
    }
    "#);
}

#[test]
fn images_go_by_links_where_a_call_cannot_carry_them() {
    let one = of_images(1);
    assert_json_snapshot!(body(&one, &by_links(&one))["media_source"], @r#"
    {
      "source_type": "image_url",
      "url": "link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/png, as it came"
    }
    "#);
    let two = of_images(2);
    assert_json_snapshot!(body(&two, &by_links(&two))["media_source"], @r#"
    {
      "index": 0,
      "items": [
        {
          "url": "link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/png, as it came"
        },
        {
          "url": "link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000011, image/png, as it came"
        }
      ],
      "source_type": "multiple_image_urls"
    }
    "#);
    let job = of_images(2);
    let larger = "Invalid request: the file size is above 10 MB";
    for (name, answer) in [
        ("a page", answered_text(413, "<html>")),
        ("its size", fault(400, 1, larger)),
        ("its bytes", fault(400, 1, "The image is too large.")),
    ] {
        let (_, step) = take_step(&pinterest(), &job, &ready(&job), &[answer]);
        let progress = next(step);
        assert_eq!(progress["images"], "links", "{name}");
        assert!(!pinterest().is_visible(&progress), "it is compared again");
    }
    for answer in [answered_text(413, ""), fault(400, 1, larger)] {
        let (_, step) = take_step(&pinterest(), &job, &by_links(&job), &[answer]);
        assert_eq!(step.unwrap_err().code, FailureCode::ValidationFailed);
    }
    let other = fault(400, 1, "Invalid request: 'the file size' is too long");
    let (_, step) = take_step(&pinterest(), &job, &ready(&job), &[other]);
    assert_eq!(step.unwrap_err().code, FailureCode::ValidationFailed, "it quotes the post");
}

#[test]
fn a_link_that_cannot_be_fetched_is_tried_three_times_more() {
    let mut job = of_images(1);
    let mut progress = by_links(&job);
    for number in 1..=4 {
        let answer = fault(400, 235, "Unable to reach the URL.");
        let (_, step) = take_step(&pinterest(), &job, &progress, &[answer]);
        if number == 4 {
            assert_eq!(step.unwrap_err().kind, Kind::Permanent);
            return;
        }
        let Ok(Step::Wait { progress: waiting, until }) = step else { panic!("{step:?}") };
        assert_eq!(until - job.now, LINK_WAIT);
        job.now = until;
        let (_, step) = take_step(&pinterest(), &job, &waiting, &[ok(r#"{"items":[]}"#)]);
        progress = next(step);
    }
}

#[test]
fn a_conflict_is_tried_once_more() {
    let job = of_images(1);
    let conflict = || fault(409, 58, "Conflict");
    let (_, step) = take_step(&pinterest(), &job, &ready(&job), &[conflict()]);
    let Ok(Step::Wait { progress, .. }) = step else { panic!("{step:?}") };
    let progress = next(take_step(&pinterest(), &job, &progress, &[ok(PINS)]).1);
    let (_, step) = take_step(&pinterest(), &job, &progress, &[conflict()]);
    assert_eq!(step.unwrap_err().kind, Kind::Permanent);
}

#[test]
fn what_a_pin_says_is_what_was_checked() {
    let fields = |job: &PublishJob| {
        let mut body = body(job, &ready(job));
        body.as_object_mut().unwrap().remove("media_source");
        body
    };
    let bare = PublishJob { content: String::new(), link_url: None, ..pinterest_job() };
    let bare = with_options(bare, json!({ "boardId": "1", "title": "  " }));
    assert_eq!(fields(&with_file(bare, "image/jpeg", "")), json!({ "board_id": "1" }));
    let caption = json!({ "boardId": "1", "caption": "a\r\nb", "title": null });
    let job = with_file(with_options(pinterest_job(), caption), "image/jpeg", "Soup");
    assert_eq!(
        fields(&job),
        json!({
            "board_id": "1",
            "description": "a\nb",
            "link": "https://example.com/soup",
            "alt_text": "Soup",
        })
    );
}

#[test]
fn the_cards_of_a_carousel_have_their_own_words() {
    let card = json!({ "title": "Soup", "description": "Hot", "link": "https://example.com/hot" });
    for (name, images, want) in [
        ("of a carousel", 2, ["Soup", "Hot", "https://example.com/hot"].map(Value::from)),
        ("of a picture alone", 1, [Value::Null, Value::Null, Value::Null]),
    ] {
        let job = described(of_images(images), card.clone());
        let source = body(&job, &ready(&job))["media_source"].clone();
        let shown = if images == 1 { &source } else { &source["items"][images - 1] };
        assert_eq!(["title", "description", "link"].map(|key| shown[key].clone()), want, "{name}");
        assert_eq!(source["items"][0]["title"], Value::Null, "{name}");
    }
}

#[test]
fn what_was_noted_before_the_call_is_noted_anew_when_it_is_old() {
    let mut job = of_images(1);
    let progress = ready(&job);
    job.now += MARK_LIFE;
    let (asked, step) = take_step(&pinterest(), &job, &progress, &[]);
    assert_eq!(asked, Vec::<Value>::new());
    let progress = next(step);
    assert!(!pinterest().is_visible(&progress));
    let progress = next(take_step(&pinterest(), &job, &progress, &[ok(PINS)]).1);
    assert_eq!(progress["stage"]["create"]["others"], json!([PIN]));
}

#[test]
fn a_comparison_that_fails_is_repeated_but_who_may_not_read_goes_on() {
    let job = of_images(1);
    let progress = pinterest().begin(&job);
    for (name, answer, want) in [
        ("failed", answered_text(500, ""), Some(Kind::Temporary)),
        ("a page", answered_text(200, "<html>"), Some(Kind::Temporary)),
        ("denied", fault(403, 3, "Missing"), None),
        ("a page of 403", answered_text(403, "<html>"), Some(Kind::Temporary)),
        ("expired", fault(401, 2, "Authentication failed."), Some(Kind::TokenExpired)),
        (
            "limited",
            with_header(fault(429, 8, "x"), "retry-after", "9"),
            Some(Kind::RateLimited { wait: Some(TimeDelta::seconds(9)) }),
        ),
    ] {
        let (_, step) = take_step(&pinterest(), &job, &progress, &[answer]);
        assert_eq!(step.err().map(|error| error.kind), want, "{name}");
    }
}

#[test]
fn answers_that_leave_it_open() {
    let job = of_images(1);
    for (name, answer, want) in [
        ("no id", answered_text(201, "{}"), Kind::InDoubt),
        ("a page", answered_text(200, "<html>"), Kind::InDoubt),
        ("failed", answered_text(500, ""), Kind::Unsettled),
        ("gateway", answered_text(504, "<html>"), Kind::Unsettled),
        ("trial", fault(403, 29, "Apps with Trial access may not"), Kind::Permanent),
        ("board", fault(404, 40, "Board not found."), Kind::Permanent),
    ] {
        let (_, step) = take_step(&pinterest(), &job, &ready(&job), &[answer]);
        assert_eq!(step.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn a_video_that_is_refused_is_asked_for_once_more() {
    let job = of_video();
    let mut progress = ready(&of_images(1));
    progress["isVideo"] = json!(true);
    progress["stage"]["create"]["mediaId"] = json!("12345");
    let refusal = || fault(400, 1, "Media is not ready");
    let (asked, step) = take_step(&pinterest(), &job, &progress, &[refusal()]);
    assert_eq!(
        asked[0]["body"]["media_source"],
        json!({
            "source_type": "video_id", "media_id": "12345", "cover_image_key_frame_time": 1,
        })
    );
    let waiting = next(step);
    assert_eq!(waiting["stage"]["processing"]["mediaId"], "12345");
    let ready = next(take_step(&pinterest(), &job, &waiting, &[ok(r#"{"status":"succeeded"}"#)]).1);
    let ready = next(take_step(&pinterest(), &job, &ready, &[ok(PINS)]).1);
    let (_, step) = take_step(&pinterest(), &job, &ready, &[refusal()]);
    assert_eq!(step.unwrap_err().kind, Kind::Permanent);
}

#[test]
fn a_post_whose_files_are_not_there_is_refused() {
    let job = of_images(2);
    let progress = ready(&job);
    let mut without = job.clone();
    without.files.remove(1);
    for (name, job, progress) in
        [("removed", without, progress), ("none", pinterest_job(), ready(&pinterest_job()))]
    {
        let (_, step) = take_step(&pinterest(), &job, &progress, &[]);
        assert_eq!(step.unwrap_err().code, FailureCode::MediaUnusable, "{name}");
    }
}

#[test]
fn a_progress_of_another_release_is_never_gone_on_with() {
    let job = of_images(1);
    let mut later = ready(&job);
    later["new"] = json!(1);
    for progress in [Value::Null, later] {
        assert!(pinterest().is_visible(&progress));
        let (_, step) = take_step(&pinterest(), &job, &progress, &[]);
        assert_eq!(step.unwrap_err().kind, Kind::InDoubt);
        let located = pinterest().locate(&job, &progress, &[]);
        let Ok(Turn::Done(scheduler_core::ports::Located::Unknown)) = located else {
            panic!("{located:?}")
        };
    }
}

#[test]
fn options_of_a_pin() {
    let with = |options: Value| {
        let mut all = json!({ "boardId": "1" });
        all.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        with_options(of_images(2), all)
    };
    for (name, options, pointer, want) in [
        ("link", json!({ "link": "https://b.example/x" }), "/link", json!("https://b.example/x")),
        ("the post's link", json!({}), "/link", json!("https://example.com/soup")),
        ("boardSectionId", json!({ "boardSectionId": "77" }), "/board_section_id", json!("77")),
        ("altText", json!({ "altText": "A cake" }), "/alt_text", json!("A cake")),
        ("the file's", json!({}), "/alt_text", json!("image 0")),
        (
            "dominantColor",
            json!({ "dominantColor": "#1e90ff" }),
            "/dominant_color",
            json!("#1e90ff"),
        ),
        ("coverIndex", json!({ "coverIndex": 1 }), "/media_source/index", json!(1)),
        ("the first image", json!({}), "/media_source/index", json!(0)),
    ] {
        let job = with(options);
        assert_eq!(body(&job, &ready(&job)).pointer(pointer), Some(&want), "{name}");
    }
    let plain = with(json!({}));
    let plain = body(&plain, &ready(&plain));
    for key in ["board_section_id", "dominant_color"] {
        assert_eq!(plain.get(key), None, "{key}");
    }
}

#[test]
fn the_cover_of_a_video_is_a_moment_or_an_image() {
    let shown = |job: &PublishJob| {
        let mut progress = ready(&of_images(1));
        let begun = pinterest().begin(job);
        progress["isVideo"] = begun["isVideo"].clone();
        progress["files"] = begun["files"].clone();
        progress["stage"]["create"]["mediaId"] = json!("12345");
        body(job, &progress)["media_source"].clone()
    };
    for (name, options, second) in [
        ("none", json!({}), 1),
        ("at once", json!({ "coverTimestampMs": 0 }), 0),
        ("a rounded one", json!({ "coverTimestampMs": 2_900 }), 2),
    ] {
        let want = json!({
            "source_type": "video_id", "media_id": "12345", "cover_image_key_frame_time": second,
        });
        assert_eq!(shown(&with_options(of_video(), options)), want, "{name}");
    }
    let mut job = of_video();
    job.thumbnail = of_images(1).files.pop();
    job.thumbnail.as_mut().unwrap().facts.size_bytes = Some(12 * 1024 * 1024);
    let source = shown(&job);
    assert_eq!(source["cover_image_content_type"], "image/png");
    assert!(source["cover_image_data"].as_str().unwrap().starts_with("base64: "), "{source}");
    assert_eq!(source.get("cover_image_key_frame_time"), None);
    let call_timeout = pinterest().call_timeout(&job, &pinterest().begin(&job));
    assert_eq!(call_timeout.of_request().as_secs(), 30 + 128, "the cover takes its time");
}
