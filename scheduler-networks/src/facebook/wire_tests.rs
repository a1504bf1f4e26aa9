//! What the network answers, as it is read.

use super::*;

#[test]
fn what_is_kept_prints_no_token() {
    let kept = Tokens {
        access_token: SecretString::from("secret"),
        page_id: "1001".to_owned(),
        proof: Some(SecretString::from("secret-too")),
    };
    assert!(!format!("{kept:?}").contains("secret"));
    let read: Tokens = serde_json::from_str(&kept.to_text()).unwrap();
    assert_eq!(read.access_token.expose_secret(), "secret");
    assert_eq!(read.page_id, "1001");
    assert_eq!(read.proof.unwrap().expose_secret(), "secret-too");
}

#[test]
fn offsets_as_numbers_and_as_texts() {
    for (name, body, want) in [
        ("texts", json!({ "start_offset": "5", "end_offset": "9" }), Some((5, 9))),
        ("numbers", json!({ "start_offset": 5, "end_offset": 9 }), Some((5, 9))),
        ("nonsense", json!({ "start_offset": "x", "end_offset": 9 }), None),
        ("negative", json!({ "start_offset": -1, "end_offset": 9 }), None),
    ] {
        let read: Option<Offsets> = serde_json::from_value(body).ok();
        assert_eq!(read.map(|it| (it.start_offset, it.end_offset)), want, "{name}");
    }
    let announced = json!({
        "upload_session_id": 7, "video_id": "3001", "start_offset": "0", "end_offset": "9",
    });
    let announced: Announced = serde_json::from_value(announced).unwrap();
    assert_eq!((announced.upload_session_id.as_str(), announced.piece.end_offset), ("7", 9));
}

#[test]
fn a_video_is_read_whatever_way_the_id_of_its_post_is_written() {
    for (name, body, want) in [
        ("text", json!({ "post_id": "2001" }), Some("2001")),
        ("number", json!({ "post_id": 2001 }), Some("2001")),
        ("null", json!({ "post_id": null }), None),
        ("left out", json!({}), None),
    ] {
        let video: Video = serde_json::from_value(body).unwrap();
        assert_eq!(video.post_id.as_deref(), want, "{name}");
    }
}

#[test]
fn the_bytes_that_are_there_are_read_in_either_spelling() {
    for (name, phase, want) in [
        ("documented", json!({ "bytes_transfered": 600 }), 600),
        ("newer", json!({ "bytes_transferred": 600 }), 600),
        ("both", json!({ "bytes_transfered": 600, "bytes_transferred": 600 }), 600),
        ("left out", json!({ "status": "not_started" }), 0),
    ] {
        let body = json!({ "status": { "uploading_phase": phase } });
        let video: Video = serde_json::from_value(body).unwrap();
        assert_eq!(video.status.uploading_phase.bytes(), want, "{name}");
    }
}

#[test]
fn how_far_a_video_is() {
    let status = |video: &str, publishing: Value| json!({ "status": { "video_status": video, "publishing_phase": publishing } });
    let documented: Value = serde_json::from_str(include_str!("fixtures/video.json")).unwrap();
    let ready = json!({ "published": true, "status": { "video_status": "ready" } });
    let hidden = json!({ "published": false, "status": { "video_status": "ready" } });
    let error = json!({ "status": {
        "video_status": "processing",
        "processing_phase": { "status": "error", "errors": [{ "code": 5, "message": "Bad" }] },
    } });
    // Uploaded, finished, live, failed.
    for (name, body, want) in [
        ("nothing", json!({}), (false, false, false, false)),
        ("documented", documented, (true, true, false, false)),
        ("uploading", status("uploading", json!({})), (false, false, false, false)),
        ("whole", status("upload_complete", json!({})), (true, false, false, false)),
        (
            "a draft",
            status("processing", json!({ "publish_status": "draft" })),
            (true, false, false, false),
        ),
        (
            "publishing",
            status("processing", json!({ "status": "in_progress" })),
            (true, true, false, false),
        ),
        ("ready", ready, (true, true, true, false)),
        ("ready and hidden", hidden, (true, false, false, false)),
        (
            "shown",
            status("ready", json!({ "status": "complete", "publish_status": "published" })),
            (true, true, true, false),
        ),
        ("a phase failed", error, (true, false, false, true)),
        ("expired", status("expired", json!({})), (false, false, false, true)),
        (
            "not published",
            status("processing", json!({ "publish_status": "error" })),
            (true, false, false, true),
        ),
    ] {
        let video: Video = serde_json::from_value(body).unwrap();
        let found = (
            video.status.is_uploaded(),
            video.is_finished(),
            video.is_live(),
            video.status.failed().is_some(),
        );
        assert_eq!(found, want, "{name}");
    }
}

#[test]
fn a_post_is_known_by_its_photos_alone_or_together() {
    for (name, attachments, want) in [
        ("one", json!({ "data": [{ "target": { "id": "7" } }] }), true),
        (
            "several",
            json!({ "data": [{ "target": { "id": "1" }, "subattachments": { "data": [
                { "target": { "id": "6" } }, { "target": { "id": "7" } },
            ] } }] }),
            true,
        ),
        ("others", json!({ "data": [{ "target": { "id": "70" } }, {}] }), false),
        ("none", Value::Null, false),
    ] {
        let post: Post =
            serde_json::from_value(json!({ "id": "1_2", "attachments": attachments })).unwrap();
        assert_eq!(post.shows("7"), want, "{name}");
    }
}
