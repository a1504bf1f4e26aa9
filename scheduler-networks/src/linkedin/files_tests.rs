//! Files of posts to LinkedIn as an exchange of values.

use insta::assert_json_snapshot;

use super::*;
use crate::conversation::Conversation;
use crate::linkedin::testing::{
    EVERYTHING, MEMBER, SELF_SERVE, addresses, all_shown, asks, created, denied, done, gone, held,
    job, linkedin, refused,
};
use crate::testing::files::{with_file, with_images};
use crate::testing::{answered, answered_text, with_header};

const IMAGE: &str = include_str!("fixtures/initialize_image.json");
const DOCUMENT: &str = include_str!("fixtures/initialize_document.json");
const VIDEO: &str = include_str!("fixtures/initialize_video.json");

/// Takes one step with these answers.
fn step(job: &PublishJob, progress: &Value, answers: &[Answer]) -> (Vec<Request>, Step) {
    let (asked, step) = held(answers, |answers| linkedin().advance(job, progress, answers));
    (asked, step.unwrap())
}

fn next(step: Step) -> Value {
    match step {
        Step::Next(progress) | Step::Wait { progress, .. } => progress,
        other => panic!("not a next step: {other:?}"),
    }
}

fn ok(text: &str) -> Answer {
    answered_text(200, text)
}

fn status(status: &str) -> Answer {
    answered(200, &json!({ "status": status, "owner": MEMBER }))
}

fn tagged(tag: &str) -> Answer {
    with_header(answered_text(200, ""), "etag", tag)
}

/// The body of the post once its files are ready.
fn content(job: &PublishJob, progress: &Value) -> Value {
    let progress = next(done(linkedin().advance(job, progress, &[])));
    match asks(linkedin().advance(job, &progress, &[])).body {
        Body::Json(body) => body["content"].clone(),
        other => panic!("no JSON: {other:?}"),
    }
}

#[test]
fn an_image_is_announced_sent_and_asked_for() {
    let job = with_file(job(MEMBER, EVERYTHING), "image/jpeg", "A crab");
    let begun = linkedin().begin(&job);
    let (mut asked, announced) = step(&job, &begun, &[ok(IMAGE)]);
    let (sent, uploaded) = step(&job, &next(announced), &[answered_text(201, "")]);
    let uploaded = next(uploaded);
    let (polled, ready) = step(&job, &uploaded, &[status("AVAILABLE")]);
    asked.extend(sent);
    asked.extend(polled);
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": {
          "initializeUploadRequest": {
            "owner": "urn:li:person:8675309"
          }
        },
        "headers": {
          "authorization": "[redacted]",
          "linkedin-version": "202607",
          "x-restli-protocol-version": "2.0.0"
        },
        "request": "POST https://api.linkedin.com/rest/images?action=initializeUpload",
        "visible": false
      },
      {
        "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/jpeg, as it came",
        "headers": {
          "authorization": "[redacted]",
          "linkedin-version": "202607",
          "x-restli-protocol-version": "2.0.0"
        },
        "request": "PUT https://www.linkedin.com/dms-uploads/C4E10AQFoyyAjHPMQuQ/uploaded-image/0",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "linkedin-version": "202607",
          "x-restli-protocol-version": "2.0.0"
        },
        "request": "GET https://api.linkedin.com/rest/images/urn%3Ali%3Aimage%3AC4E10AQFoyyAjHPMQuQ",
        "visible": false
      }
    ]
    "#);
    assert_eq!(
        content(&job, &next(ready)),
        json!({ "media": { "id": "urn:li:image:C4E10AQFoyyAjHPMQuQ", "altText": "A crab" } })
    );
}

#[test]
fn the_image_of_a_card_is_sent_first() {
    let card = json!({ "linkCard": { "title": "Bread", "description": " Why it rises " } });
    let mut job = job(MEMBER, EVERYTHING);
    job.options = card.as_object().cloned().unwrap();
    job.link_url = Some("https://blog.example.com/a".to_owned());
    let without = linkedin().begin(&job);
    job.thumbnail = with_file(job.clone(), "image/jpeg", "").files.pop();
    let (_, announced) = step(&job, &linkedin().begin(&job), &[ok(IMAGE)]);
    let (_, uploaded) = step(&job, &next(announced), &[answered_text(201, "")]);
    let (_, ready) = step(&job, &next(uploaded), &[status("AVAILABLE")]);
    let shown = json!({
        "source": "https://blog.example.com/a",
        "title": "Bread",
        "description": "Why it rises",
    });
    assert_eq!(content(&job, &without), json!({ "article": shown }));
    let mut with_image = shown;
    with_image["thumbnail"] = "urn:li:image:C4E10AQFoyyAjHPMQuQ".into();
    assert_eq!(content(&job, &next(ready)), json!({ "article": with_image }));
}

#[test]
fn a_document_goes_under_its_title_or_its_name() {
    let titled = json!({ "documentTitle": " Our year " });
    for (name, options, file_name, want) in [
        ("a title", &titled, Some("slides.pdf"), "Our year"),
        ("a name alone", &json!({}), Some("slides.pdf"), "slides.pdf"),
        ("an empty title", &json!({ "documentTitle": " " }), Some("slides.pdf"), "slides.pdf"),
        ("neither", &json!({}), None, "Document"),
        ("an empty name", &json!({}), Some(" "), "Document"),
    ] {
        let mut job = with_file(job(MEMBER, EVERYTHING), "application/pdf", "Slides");
        job.options = options.as_object().cloned().unwrap();
        job.files[0].file_name = file_name.map(str::to_owned);
        let (mut asked, announced) = step(&job, &linkedin().begin(&job), &[ok(DOCUMENT)]);
        let (sent, uploaded) = step(&job, &next(announced), &[answered_text(201, "")]);
        let (polled, processing) = step(&job, &next(uploaded), &[status("PROCESSING")]);
        assert!(matches!(processing, Step::Wait { .. }), "{name}");
        let (_, ready) = step(&job, &next(processing), &[status("AVAILABLE")]);
        asked.extend(sent);
        asked.extend(polled);
        assert_eq!(
            addresses(&asked),
            [
                "POST https://api.linkedin.com/rest/documents?action=initializeUpload",
                "PUT https://www.linkedin.com/dms-uploads/C5F05AQH8Bwrb6Y9Wug/ads-uploadedDocument/0",
                "GET https://api.linkedin.com/rest/documents/urn%3Ali%3Adocument%3AC5F05AQH8Bwrb6Y9Wug",
            ],
            "{name}"
        );
        assert_eq!(
            content(&job, &next(ready)),
            json!({ "media": { "id": "urn:li:document:C5F05AQH8Bwrb6Y9Wug", "title": want } }),
            "{name}"
        );
    }
}

#[test]
fn images_become_one_document_where_that_is_asked_for() {
    let mut job = with_images(job(MEMBER, EVERYTHING), 2);
    assert_eq!(File::of_images(&job, None), None, "nobody has asked for it");
    job.options = json!({ "imagesAsDocument": true }).as_object().cloned().unwrap();
    job.files[0].file_name = Some("first.jpg".to_owned());
    let (asked, announced) = step(&job, &linkedin().begin(&job), &[ok(DOCUMENT)]);
    let (sent, uploaded) = step(&job, &next(announced), &[answered_text(201, "")]);
    let (_, ready) = step(&job, &next(uploaded), &[status("AVAILABLE")]);
    let documents = "POST https://api.linkedin.com/rest/documents?action=initializeUpload";
    assert_eq!(addresses(&asked), [documents]);
    let Body::ImagesAsPdf(pages) = &sent[0].body else { panic!("{:?}", sent[0].body) };
    assert_eq!(pages.len(), 2);
    assert_eq!(
        content(&job, &next(ready)),
        json!({ "media": { "id": "urn:li:document:C5F05AQH8Bwrb6Y9Wug", "title": "first.jpg" } }),
    );
    job.files.push(with_file(job.clone(), "video/mp4", "").files.pop().unwrap());
    assert_eq!(File::of_images(&job, None), None, "a video is no page");
    job.files.clear();
    assert_eq!(File::of_images(&job, None), None, "no page makes no document");
}

#[test]
fn a_document_that_takes_too_long_is_tried_again_later() {
    let mut job = with_file(job(MEMBER, EVERYTHING), "application/pdf", "");
    let announced = next(step(&job, &linkedin().begin(&job), &[ok(DOCUMENT)]).1);
    let sent = next(step(&job, &announced, &[answered_text(201, "")]).1);
    job.now += TimeDelta::minutes(10) + TimeDelta::seconds(1);
    let (_, ended) =
        held(&[status("PROCESSING")], |answers| linkedin().advance(&job, &sent, answers));
    let error = ended.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Temporary);
    assert_eq!(error.message, "LinkedIn has not finished with the document after 10 minutes.");
}

#[test]
fn several_images_are_all_sent_before_the_first_is_asked_for() {
    let job = with_images(job(MEMBER, EVERYTHING), 2);
    let mut progress = linkedin().begin(&job);
    let mut asked = Vec::new();
    let answers = [
        ok(IMAGE),
        answered_text(201, ""),
        ok(&IMAGE.replace("image:C4", "image:D4")),
        answered_text(201, ""),
        status("AVAILABLE"),
        status("PROCESSING"),
    ];
    for answer in answers {
        let (made, stepped) = step(&job, &progress, &[answer]);
        asked.extend(made);
        if let Step::Wait { until, .. } = &stepped {
            assert_eq!(*until, job.now + TimeDelta::seconds(2));
        }
        progress = next(stepped);
    }
    let kinds: Vec<String> =
        addresses(&asked).iter().map(|address| address[..4].trim().to_owned()).collect();
    assert_eq!(kinds, ["POST", "PUT", "POST", "PUT", "GET", "GET"]);
    let progress = next(step(&job, &progress, &[status("AVAILABLE")]).1);
    assert_eq!(
        content(&job, &progress),
        json!({ "multiImage": { "images": [
            { "id": "urn:li:image:C4E10AQFoyyAjHPMQuQ", "altText": "image 0" },
            { "id": "urn:li:image:D4E10AQFoyyAjHPMQuQ", "altText": "image 1" },
        ] } })
    );
}

#[test]
fn a_video_goes_piece_by_piece_and_is_put_together() {
    let mut job = with_file(job(MEMBER, EVERYTHING), "video/mp4", "not shown");
    job.files[0].facts.size_bytes = Some(5_000_001);
    let mut progress = linkedin().begin(&job);
    let mut asked = Vec::new();
    for answer in [ok(VIDEO), tagged("/ambry/1"), tagged("/ambry/2"), ok("")] {
        assert!(!linkedin().is_visible(&progress));
        let (made, stepped) = step(&job, &progress, &[answer]);
        asked.extend(made);
        progress = next(stepped);
    }
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": {
          "initializeUploadRequest": {
            "fileSizeBytes": 5000001,
            "owner": "urn:li:person:8675309",
            "uploadCaptions": false,
            "uploadThumbnail": false
          }
        },
        "headers": {
          "authorization": "[redacted]",
          "linkedin-version": "202607",
          "x-restli-protocol-version": "2.0.0"
        },
        "request": "POST https://api.linkedin.com/rest/videos?action=initializeUpload",
        "visible": false
      },
      {
        "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came, bytes 0..4194304",
        "headers": {
          "content-type": "application/octet-stream"
        },
        "request": "PUT https://www.linkedin.com/dms-uploads/C5F10AQGKQg_6y2a4sQ/0",
        "visible": false
      },
      {
        "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came, bytes 4194304..5000001",
        "headers": {
          "content-type": "application/octet-stream"
        },
        "request": "PUT https://www.linkedin.com/dms-uploads/C5F10AQGKQg_6y2a4sQ/1",
        "visible": false
      },
      {
        "body": {
          "finalizeUploadRequest": {
            "uploadToken": "",
            "uploadedPartIds": [
              "/ambry/1",
              "/ambry/2"
            ],
            "video": "urn:li:video:C5F10AQGKQg_6y2a4sQ"
          }
        },
        "headers": {
          "authorization": "[redacted]",
          "linkedin-version": "202607",
          "x-restli-protocol-version": "2.0.0"
        },
        "request": "POST https://api.linkedin.com/rest/videos?action=finalizeUpload",
        "visible": false
      }
    ]
    "#);
    let begun = job.now;
    for (seconds, wait) in [(10, 10), (119, 10), (120, 20), (600, 20)] {
        job.now = begun + TimeDelta::seconds(seconds);
        let (asked, stepped) = step(&job, &progress, &[status("PROCESSING")]);
        assert!(
            addresses(&asked)[0].ends_with("/rest/videos/urn%3Ali%3Avideo%3AC5F10AQGKQg_6y2a4sQ")
        );
        let Step::Wait { until, .. } = stepped else { panic!("{stepped:?}") };
        assert_eq!(until, job.now + TimeDelta::seconds(wait), "{seconds}");
    }
    job.now = begun + TimeDelta::seconds(601);
    let late = linkedin().advance(&job, &progress, &[status("PROCESSING")]).unwrap_err();
    assert_eq!(late.kind, NetworkErrorKind::Temporary);
    let failed = linkedin().advance(&job, &progress, &[status("PROCESSING_FAILED")]).unwrap_err();
    assert_eq!(
        (failed.kind, failed.code),
        (NetworkErrorKind::Permanent, FailureCode::ValidationFailed)
    );
    let ready = next(step(&job, &progress, &[status("AVAILABLE")]).1);
    assert_eq!(
        content(&job, &ready),
        json!({ "media": { "id": "urn:li:video:C5F10AQGKQg_6y2a4sQ" } })
    );
}

#[test]
fn a_file_whose_state_cannot_be_read_is_given_a_while() {
    for (media_type, wait) in [("image/png", 3), ("video/mp4", 15), ("application/pdf", 3)] {
        let job = with_file(job(MEMBER, SELF_SERVE), media_type, "");
        let mut progress = linkedin().begin(&job);
        let upload = match media_type {
            "image/png" => vec![ok(IMAGE), answered_text(201, "")],
            "application/pdf" => vec![ok(DOCUMENT), answered_text(201, "")],
            _ => vec![ok(VIDEO), tagged("1"), tagged("2"), ok("")],
        };
        for answer in upload {
            progress = next(step(&job, &progress, &[answer]).1);
        }
        let Step::Wait { progress, until } = step(&job, &progress, &[denied()]).1 else {
            panic!("no wait")
        };
        assert_eq!(until, job.now + TimeDelta::seconds(wait), "{media_type}");
        assert!(content(&job, &progress).get("media").is_some(), "{media_type}");
    }
}

#[test]
fn an_image_that_takes_long_is_left_to_the_post() {
    let mut job = with_file(job(MEMBER, EVERYTHING), "image/png", "");
    let announced = next(step(&job, &linkedin().begin(&job), &[ok(IMAGE)]).1);
    let sent = next(step(&job, &announced, &[answered_text(201, "")]).1);
    job.now += TimeDelta::seconds(60);
    assert!(matches!(step(&job, &sent, &[status("WAITING_UPLOAD")]).1, Step::Wait { .. }));
    job.now += TimeDelta::seconds(1);
    assert!(matches!(step(&job, &sent, &[status("WAITING_UPLOAD")]).1, Step::Next(_)));
}

#[test]
fn an_upload_whose_address_has_ended_begins_anew_but_not_for_ever() {
    let expired = || refused(400, "EXPIRED_UPLOAD_URL", "The upload URL has expired");
    for (media_type, announcement, ended) in [
        ("image/png", IMAGE, expired()),
        ("video/mp4", VIDEO, expired()),
        ("video/mp4", VIDEO, gone()),
        ("video/mp4", VIDEO, answered_text(403, "<Error/>")),
    ] {
        let job = with_file(job(MEMBER, EVERYTHING), media_type, "");
        let mut progress = linkedin().begin(&job);
        let mut times = 0;
        let error = loop {
            progress = next(step(&job, &progress, &[ok(announcement)]).1);
            match held(std::slice::from_ref(&ended), |answers| {
                linkedin().advance(&job, &progress, answers)
            })
            .1
            {
                Ok(step) => progress = next(step),
                Err(error) => break error,
            }
            times += 1;
            assert!(times < 10, "no end");
        };
        assert_eq!((times, error.kind), (REPEATS_MAX, NetworkErrorKind::Temporary), "{media_type}");
    }
    // By the clock, without asking.
    let mut late = with_file(job(MEMBER, EVERYTHING), "video/mp4", "");
    let announced = next(step(&late, &linkedin().begin(&late), &[ok(VIDEO)]).1);
    late.now += TimeDelta::days(3_650);
    let again = next(step(&late, &announced, &[]).1);
    let request = asks(linkedin().advance(&late, &again, &[]));
    assert!(request.url.as_str().ends_with("action=initializeUpload"));
}

#[test]
fn a_video_that_was_put_together_before_is_not_sent_again() {
    let job = with_file(job(MEMBER, EVERYTHING), "video/mp4", "");
    let mut progress = linkedin().begin(&job);
    for answer in [ok(VIDEO), tagged("1"), tagged("2")] {
        progress = next(step(&job, &progress, &[answer]).1);
    }
    let refusal = || refused(400, "INVALID_VALUE_FOR_FIELD", "finalized already");
    for (name, state, is_whole) in [
        ("processing", status("PROCESSING"), true),
        ("ready", status("AVAILABLE"), true),
        ("not whole", status("WAITING_UPLOAD"), false),
        ("unknown", denied(), false),
    ] {
        let (asked, stepped) = step(&job, &progress, &[refusal(), state]);
        assert_eq!(asked.len(), 2, "{name}");
        assert_eq!(matches!(stepped, Step::Wait { .. }), is_whole, "{name}: {stepped:?}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let job = with_file(job(MEMBER, EVERYTHING), "image/png", "");
    let begun = linkedin().begin(&job);
    let announced = next(step(&job, &begun, &[ok(IMAGE)]).1);
    for (name, progress, answer, kind, code) in [
        (
            "too large",
            &announced,
            answered_text(413, ""),
            NetworkErrorKind::Permanent,
            FailureCode::ValidationFailed,
        ),
        (
            "wrong type",
            &announced,
            answered_text(415, ""),
            NetworkErrorKind::Permanent,
            FailureCode::ValidationFailed,
        ),
        (
            "down",
            &announced,
            answered_text(500, ""),
            NetworkErrorKind::Temporary,
            FailureCode::NetworkError,
        ),
        (
            "unreadable",
            &begun,
            answered_text(200, "<html>"),
            NetworkErrorKind::Temporary,
            FailureCode::NetworkError,
        ),
        (
            "a name alone",
            &begun,
            created("urn:li:image:1"),
            NetworkErrorKind::Temporary,
            FailureCode::NetworkError,
        ),
        ("denied", &begun, denied(), NetworkErrorKind::Reconnect, FailureCode::AccountNotConnected),
    ] {
        let error = linkedin().advance(&job, progress, &[answer]).unwrap_err();
        assert_eq!((error.kind, error.code), (kind, code), "{name}: {error}");
    }
    let mut without = job.clone();
    without.files.clear();
    let error = linkedin().advance(&without, &announced, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::MediaUnusable);
}

#[test]
fn the_cover_of_a_video_is_sent_before_its_pieces_are_put_together() {
    let mut job = with_file(job(MEMBER, EVERYTHING), "video/mp4", "");
    job.thumbnail = with_file(job.clone(), "image/jpeg", "").files.pop();
    let address = "https://www.linkedin.com/dms-uploads/cover";
    let mut announced: Value = serde_json::from_str(VIDEO).unwrap();
    announced["value"]["thumbnailUploadUrl"] = address.into();
    let announced = ok(&announced.to_string());
    let (asked, step_of) = step(&job, &linkedin().begin(&job), &[announced]);
    assert_eq!(all_shown(&asked)[0]["body"]["initializeUploadRequest"]["uploadThumbnail"], true);
    let mut progress = next(step_of);
    let mut seen = Vec::new();
    for _ in 0..20 {
        let request = asks(linkedin().advance(&job, &progress, &[]));
        seen.push(request.url.to_string());
        if seen.last().unwrap() == address {
            let headers = all_shown(std::slice::from_ref(&request))[0]["headers"].clone();
            assert_eq!(headers["media-type-family"], "STILLIMAGE");
        }
        if seen.last().unwrap().contains("finalizeUpload") {
            break;
        }
        progress = next(step(&job, &progress, &[tagged("/ambry")]).1);
    }
    let (last, before) = (seen.pop().unwrap(), seen.pop().unwrap());
    assert!(last.contains("finalizeUpload"), "{last}");
    assert_eq!(before, address);
    let plain = with_file(super::super::testing::job(MEMBER, EVERYTHING), "video/mp4", "");
    let asked = asks(linkedin().advance(&plain, &linkedin().begin(&plain), &[]));
    let body = all_shown(&[asked])[0]["body"].clone();
    assert_eq!(body["initializeUploadRequest"]["uploadThumbnail"], false);
}
