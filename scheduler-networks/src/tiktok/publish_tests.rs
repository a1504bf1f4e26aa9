//! Publishing to TikTok as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::{Live, NetworkErrorKind, PublishJob};
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, Part, shown};
use crate::testing::{answered_text, begun_at};
use crate::tiktok::testing::{
    COMPLETE, CONTENT_INIT, CREATOR, POST_ID, VIDEO_INIT, after, asks, photo_job, public, recorded,
    status, step, tiktok, video_job,
};

/// The body of the request that follows the look at what the account is allowed.
fn body_of(job: &PublishJob, creator: &str) -> Value {
    let progress = after(job, &tiktok().begin(job), &[recorded(creator)]);
    shown(&asks(tiktok().advance(job, &progress, &[])))["body"].clone()
}

#[test]
fn a_video_from_its_beginning_to_its_page() {
    let job = video_job(json!({ "privacy": "PUBLIC_TO_EVERYONE", "allowComments": true }), 1_000);
    let mut progress = tiktok().begin(&job);
    assert_eq!(tiktok().part(&progress), Some(Part { number: 1, of: 1 }));
    let mut asked = Vec::new();
    for (answer, is_visible) in [
        (recorded(CREATOR), false),
        (recorded(VIDEO_INIT), false),
        (answered_text(201, ""), true),
        (status("PROCESSING_UPLOAD"), false),
    ] {
        assert_eq!(tiktok().is_visible(&progress), is_visible);
        let (made, _) = step(&job, &progress, std::slice::from_ref(&answer));
        asked.extend(made);
        progress = after(&job, &progress, &[answer]);
    }
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "content-type": "application/json; charset=UTF-8"
        },
        "request": "POST https://open.tiktokapis.com/v2/post/publish/creator_info/query/",
        "visible": false
      },
      {
        "body": {
          "post_info": {
            "brand_content_toggle": false,
            "brand_organic_toggle": false,
            "disable_comment": false,
            "disable_duet": true,
            "disable_stitch": true,
            "privacy_level": "PUBLIC_TO_EVERYONE",
            "title": "Harbour walk #sea"
          },
          "source_info": {
            "chunk_size": 1000,
            "source": "FILE_UPLOAD",
            "total_chunk_count": 1,
            "video_size": 1000
          }
        },
        "headers": {
          "authorization": "[redacted]",
          "content-type": "application/json; charset=UTF-8"
        },
        "request": "POST https://open.tiktokapis.com/v2/post/publish/video/init/",
        "visible": false
      },
      {
        "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came, bytes 0..1000",
        "headers": {
          "content-range": "bytes 0-999/1000"
        },
        "request": "PUT https://open-upload.tiktokapis.com/video/?upload_id=67890&upload_token=Xza123",
        "visible": true
      },
      {
        "body": {
          "publish_id": "v_pub_file~v2-1.123456789"
        },
        "headers": {
          "authorization": "[redacted]",
          "content-type": "application/json; charset=UTF-8"
        },
        "request": "POST https://open.tiktokapis.com/v2/post/publish/status/fetch/",
        "visible": false
      }
    ]
    "#);
    let (_, live) = step(&job, &progress, &[recorded(COMPLETE)]);
    let Ok(Step::Live(Live { remote: Some(remote), then: None })) = live else {
        panic!("{live:?}")
    };
    assert_eq!(remote.id, POST_ID);
    assert_eq!(
        remote.url.as_deref(),
        Some("https://www.tiktok.com/@ana/video/7512345678901234567")
    );
    assert_eq!(remote.record, json!({ "publishId": "v_pub_file~v2-1.123456789" }));
}

#[test]
fn photos_are_named_by_links_and_that_is_visible() {
    let mut job = photo_job(public(), 2);
    let progress = after(&job, &tiktok().begin(&job), &[recorded(CREATOR)]);
    assert!(tiktok().is_visible(&progress));
    let request = asks(tiktok().advance(&job, &progress, &[]));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": {
        "media_type": "PHOTO",
        "post_info": {
          "auto_add_music": false,
          "brand_content_toggle": false,
          "brand_organic_toggle": false,
          "description": "Harbour walk #sea",
          "disable_comment": true,
          "privacy_level": "PUBLIC_TO_EVERYONE",
          "title": ""
        },
        "post_mode": "DIRECT_POST",
        "source_info": {
          "photo_cover_index": 0,
          "photo_images": [
            "link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/jpeg, as it came",
            "link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000011, image/jpeg, as it came"
          ],
          "source": "PULL_FROM_URL"
        }
      },
      "headers": {
        "authorization": "[redacted]",
        "content-type": "application/json; charset=UTF-8"
      },
      "request": "POST https://open.tiktokapis.com/v2/post/publish/content/init/",
      "visible": true
    }
    "#);
    let Body::JsonWithLinks(body) = &request.body else { panic!("{request:?}") };
    assert_eq!(body.links[1].1.expires_at, begun_at() + LINK_LIFE);
    let (_, stepped) = step(&job, &progress, &[recorded(CONTENT_INIT)]);
    let Ok(Step::Wait { progress: processing, until }) = stepped else { panic!("{stepped:?}") };
    assert_eq!(until, job.now + TimeDelta::seconds(5));
    let (_, live) = step(&job, &processing, &[recorded(COMPLETE)]);
    let Ok(Step::Live(Live { remote: Some(remote), .. })) = live else { panic!("{live:?}") };
    assert_eq!(
        remote.url.as_deref(),
        Some("https://www.tiktok.com/@ana/photo/7512345678901234567")
    );
    // What was taken and cannot be read is never sent again.
    let error = step(&job, &progress, &[answered_text(200, "<html>")]).1.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::InDoubt);
    // An instant that is long past is stored anew first.
    job.now += MARK_LIFE;
    let marked = after(&job, &progress, &[]);
    assert!(tiktok().is_visible(&marked));
    assert_eq!(
        asks(tiktok().advance(&job, &marked, &[])).method,
        crate::conversation::Method::Post
    );
}

#[test]
fn drafts_ask_nothing_and_carry_what_the_app_takes() {
    let draft = json!({ "asDraft": true, "privacy": "SELF_ONLY" });
    let job = video_job(draft.clone(), 1_000);
    let begun = tiktok().begin(&job);
    assert_json_snapshot!(shown(&asks(tiktok().advance(&job, &begun, &[]))), @r#"
    {
      "body": {
        "source_info": {
          "chunk_size": 1000,
          "source": "FILE_UPLOAD",
          "total_chunk_count": 1,
          "video_size": 1000
        }
      },
      "headers": {
        "authorization": "[redacted]",
        "content-type": "application/json; charset=UTF-8"
      },
      "request": "POST https://open.tiktokapis.com/v2/post/publish/inbox/video/init/",
      "visible": false
    }
    "#);
    let sending = after(&job, &begun, &[recorded(VIDEO_INIT)]);
    let processing = after(&job, &sending, &[answered_text(201, "")]);
    let (_, live) = step(&job, &processing, &[status("SEND_TO_USER_INBOX")]);
    let Ok(Step::Live(Live { remote: Some(remote), then: None })) = live else {
        panic!("{live:?}")
    };
    assert_eq!((remote.id.as_str(), remote.url), ("v_pub_file~v2-1.123456789", None));

    let job = photo_job(draft, 1);
    let begun = tiktok().begin(&job);
    assert!(tiktok().is_visible(&begun));
    let body = shown(&asks(tiktok().advance(&job, &begun, &[])))["body"].clone();
    assert_eq!(body["post_mode"], "MEDIA_UPLOAD");
    assert_eq!(body["post_info"], json!({ "title": "", "description": "Harbour walk #sea" }));
}

#[test]
fn texts_links_and_comments_as_they_were_asked_for() {
    let mut job = video_job(json!({ "privacy": "SELF_ONLY", "caption": "a\r\nb 👍" }), 1_000);
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let info = body_of(&job, CREATOR)["post_info"].clone();
    assert_eq!(info["title"], "a\nb 👍\nhttps://blog.example.com/post");
    assert_eq!(
        (&info["privacy_level"], &info["disable_comment"]),
        (&json!("SELF_ONLY"), &json!(true))
    );
    let quiet = CREATOR.replace("\"comment_disabled\": false", "\"comment_disabled\": true");
    for (wanted, creator, is_disabled) in
        [(true, CREATOR, false), (false, CREATOR, true), (true, quiet.as_str(), true)]
    {
        let options = json!({ "privacy": "SELF_ONLY", "allowComments": wanted });
        for job in [video_job(options.clone(), 1_000), photo_job(options, 1)] {
            let info = body_of(&job, creator)["post_info"].clone();
            assert_eq!(info["disable_comment"], is_disabled, "{wanted}");
        }
    }
}

#[test]
fn a_progress_of_another_release_is_never_sent() {
    let job = video_job(public(), 1_000);
    let mut odd = tiktok().begin(&job);
    odd["stage"] = json!({ "is": "unheardOf" });
    for progress in [Value::Null, json!({}), odd] {
        assert!(tiktok().is_visible(&progress));
        let error = step(&job, &progress, &[]).1.unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt);
        let located = tiktok().locate(&job, &progress, &[]).unwrap();
        assert!(matches!(located, Turn::Done(scheduler_core::ports::Located::Unknown)));
        assert_eq!((tiktok().part(&progress), tiktok().live_part(&progress)), (None, None));
    }
}

#[test]
fn what_the_options_ask_for_goes_with_the_announcement() {
    let mut creator: Value = serde_json::from_str(CREATOR).unwrap();
    creator["data"]["stitch_disabled"] = false.into();
    let all_allowed = creator.to_string();
    let told = |options: &Value, is_video: bool, creator: &str| {
        let mut options = options.clone();
        options["privacy"] = json!("SELF_ONLY");
        let job = if is_video { video_job(options, 1_000) } else { photo_job(options, 2) };
        body_of(&job, creator)["post_info"].clone()
    };
    for (option, value, is_video, name, usual, want) in [
        ("allowDuet", json!(true), true, "disable_duet", json!(true), json!(false)),
        ("allowStitch", json!(true), true, "disable_stitch", json!(true), json!(false)),
        ("aiGenerated", json!(true), true, "is_aigc", Value::Null, json!(true)),
        ("aiGenerated", json!(false), true, "is_aigc", Value::Null, Value::Null),
        (
            "commercialContent",
            json!(["ownBrand"]),
            true,
            "brand_organic_toggle",
            json!(false),
            json!(true),
        ),
        (
            "commercialContent",
            json!(["ownBrand", "brandedContent"]),
            false,
            "brand_content_toggle",
            json!(false),
            json!(true),
        ),
        (
            "coverTimestampMs",
            json!(1_500),
            true,
            "video_cover_timestamp_ms",
            Value::Null,
            json!(1_500),
        ),
        ("title", json!(" Mine "), false, "title", json!(""), json!("Mine")),
        ("autoMusic", json!(true), false, "auto_add_music", json!(false), json!(true)),
    ] {
        let before = told(&json!({}), is_video, &all_allowed);
        let after = told(&json!({ option: value }), is_video, &all_allowed);
        assert_eq!(before[name], usual, "{option}: {before}");
        assert_eq!(after[name], want, "{option}: {after}");
    }
    for (option, name, switch) in [
        ("allowDuet", "disable_duet", "duet_disabled"),
        ("allowStitch", "disable_stitch", "stitch_disabled"),
    ] {
        let mut creator = creator.clone();
        creator["data"][switch] = true.into();
        let off = told(&json!({ option: true }), true, &creator.to_string());
        assert_eq!(off[name], true, "the account has it switched off");
    }
    let options = json!({ "privacy": "SELF_ONLY", "coverIndex": 1 });
    let photos = body_of(&photo_job(options, 2), CREATOR);
    assert_eq!(photos["source_info"]["photo_cover_index"], 1);
    let draft = json!({ "asDraft": true, "aiGenerated": true, "allowDuet": true });
    let job = video_job(draft, 1_000);
    let request = asks(tiktok().advance(&job, &tiktok().begin(&job), &[]));
    assert_eq!(shown(&request)["body"].get("post_info"), None, "a draft carries nothing");
    let stored = tiktok().begin(&video_job(json!({ "privacy": "SELF_ONLY" }), 1_000));
    assert_eq!(stored["post"].get("extras"), None, "{stored}");
}
