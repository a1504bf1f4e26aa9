//! Videos: announced, sent, processed, listed.

use std::time::Duration;

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, code, mp4, put, video};
use crate::support::{World, send};

async fn quick() -> World {
    World::start(Options { media_processing: Duration::ZERO, ..Options::default() }).await
}

#[tokio::test]
async fn a_video_of_one_chunk_is_posted_and_listed_when_it_is_public() {
    let world = quick().await;
    let ana = Actor::new(&world, "ana").await;
    let open = ana.publish(&world, "Harbour walk #sea", "PUBLIC_TO_EVERYONE").await;
    let own = ana.publish(&world, "for myself", "SELF_ONLY").await;
    let status = ana.status(&world, &open).await;
    assert_eq!(status.body["data"]["status"], "PUBLISH_COMPLETE");
    let id = status.body["data"]["publicaly_available_post_id"][0].as_u64().unwrap();
    let status = ana.status(&world, &own).await;
    assert_eq!(status.body["data"]["status"], "PUBLISH_COMPLETE");
    assert_eq!(status.body["data"]["publicaly_available_post_id"], json!([]));

    let posts = world.posts("tiktok").await;
    assert_eq!(posts[0]["remoteId"], id.to_string());
    assert_eq!((&posts[1]["remoteId"], posts.len()), (&json!(own), 2));
    assert_eq!(posts[0]["media"][0]["bytes"], 100);
    let fields = "id,create_time,share_url,video_description,view_count,like_count";
    let listed = ana
        .post(&world, &format!("video/list/?fields={fields}"), &json!({ "max_count": 20 }))
        .await;
    let videos = listed.body["data"]["videos"].as_array().unwrap();
    assert_eq!(videos.len(), 1, "only what everybody can see");
    assert_eq!(videos[0]["id"], id.to_string());
    assert_eq!(videos[0]["video_description"], "Harbour walk #sea");
    let page = videos[0]["share_url"].as_str().unwrap();
    assert!(page.ends_with(&format!("/tiktok/@{}/video/{id}", ana.username)), "{page}");
    let path = page.strip_prefix(world.sandbox.url()).unwrap();
    assert_eq!(world.get(path).await.header("location"), Some(format!("/#tiktok-{id}").as_str()));
    let query = json!({ "filters": { "video_ids": [id.to_string(), "1"] } });
    let asked = ana.post(&world, "video/query/?fields=id,view_count", &query).await;
    assert_eq!(asked.body["data"]["videos"], json!([{ "id": id.to_string(), "view_count": 240 }]));
    let ben = Actor::new(&world, "ben").await;
    let asked = ben.post(&world, "video/query/?fields=id", &query).await;
    assert_eq!(asked.body["data"]["videos"], json!([]), "another's");
    let other = ben.status(&world, &open).await;
    assert_eq!(code(&other), "token_not_authorized_for_specified_publish_id");
    assert_eq!(code(&ana.status(&world, "v_pub_file~v2-1.1").await), "invalid_publish_id");
}

/// Source: <https://github.com/gitroomhq/postiz-app/issues/1470>.
#[tokio::test]
async fn a_post_whose_id_is_never_told_is_listed_all_the_same() {
    let world = quick().await;
    let ana = Actor::new(&world, "ana").await;
    let publish = ana.publish(&world, "Harbour walk #no_id", "PUBLIC_TO_EVERYONE").await;
    let status = ana.status(&world, &publish).await;
    assert_eq!(status.body["data"]["status"], "PUBLISH_COMPLETE");
    assert_eq!(status.body["data"]["publicaly_available_post_id"], json!([]));
    let fields = "id,create_time,video_description";
    let listed = ana.post(&world, &format!("video/list/?fields={fields}"), &json!({})).await;
    let videos = listed.body["data"]["videos"].as_array().unwrap();
    assert_eq!(videos[0]["video_description"], "Harbour walk #no_id");
    assert_eq!(videos[0]["id"], world.posts("tiktok").await[0]["remoteId"]);
}

#[tokio::test]
async fn chunks_come_in_their_order_and_a_wrong_one_is_told_what_is_there() {
    let world = quick().await;
    let ana = Actor::new(&world, "ana").await;
    let size = 15_000_123;
    let mut bytes = mp4();
    bytes.resize(size, 7);
    let mut body = video("long", "SELF_ONLY");
    body["source_info"] = json!({
        "source": "FILE_UPLOAD", "video_size": size, "chunk_size": 5_000_000, "total_chunk_count": 3,
    });
    let init = ana.post(&world, "post/publish/video/init/", &body).await;
    let url = &init.body["data"]["upload_url"];
    let id = init.body["data"]["publish_id"].as_str().unwrap();
    assert!(url.as_str().unwrap().len() <= 256 && id.len() <= 64, "{url} {id}");
    let piece = |from: usize, to: usize| {
        (format!("bytes {from}-{}/{size}", to - 1), bytes[from..to].to_vec())
    };
    for (name, (range, piece), status, there) in [
        ("the second first", piece(5_000_000, 10_000_000), 416, Some("bytes */15000123")),
        ("the first", piece(0, 5_000_000), 206, Some("bytes 0-4999999/15000123")),
        ("again", piece(0, 5_000_000), 416, Some("bytes 0-4999999/15000123")),
        ("too long", piece(5_000_000, 11_000_000), 416, Some("bytes 0-4999999/15000123")),
        ("fewer bytes", ("bytes 5000000-9999999/15000123".to_owned(), vec![7]), 400, None),
        ("another size", ("bytes 5000000-5000000/9".to_owned(), vec![7]), 400, None),
        ("the second", piece(5_000_000, 10_000_000), 206, Some("bytes 0-9999999/15000123")),
        (
            "the last, with the rest",
            piece(10_000_000, size),
            201,
            Some("bytes 0-15000122/15000123"),
        ),
        ("once more", piece(10_000_000, size), 416, Some("bytes 0-15000122/15000123")),
    ] {
        let got = put(&world, url, &range, piece).await;
        assert_eq!((got.status, got.header("content-range")), (status, there), "{name}");
    }
    assert_eq!(world.posts("tiktok").await[0]["media"][0]["bytes"], size);
    let unknown = url.as_str().unwrap().replace("upload_token=", "upload_token=x");
    assert_eq!(put(&world, &json!(unknown), "bytes 0-99/100", mp4()).await.status, 404);
}

#[tokio::test]
async fn ways_of_cutting_a_video() {
    let world = quick().await;
    let ana = Actor::new(&world, "ana").await;
    for (size, chunk, count, is_right) in [
        (50_000_123_u64, 10_000_000_u64, 5_u64, true),
        (50_000_123, 10_000_000, 6, false),
        (4_999_999, 4_999_999, 1, true),
        (4_999_999, 1_000_000, 4, false),
        (64_000_000, 64_000_000, 1, true),
        (64_000_001, 64_000_001, 1, false),
        (100_000_000, 60_000_000, 1, true),
        (9_000_000, 10_000_000, 1, false),
        (4_000_000_000, 10_000_000, 400, true),
        (4_000_000_001, 10_000_000, 400, false),
        (0, 0, 0, false),
    ] {
        let body = json!({ "source_info": {
            "source": "FILE_UPLOAD",
            "video_size": size,
            "chunk_size": chunk,
            "total_chunk_count": count,
        } });
        let got = ana.post(&world, "post/publish/inbox/video/init/", &body).await;
        let want = if is_right { "ok" } else { "invalid_params" };
        assert_eq!(code(&got), want, "{size} {chunk} {count}");
    }
}

#[tokio::test]
async fn captions_privacy_and_tokens_are_checked() {
    let world = quick().await;
    let ana = Actor::new(&world, "ana").await;
    let closed = Actor::new(&world, "private_ben").await;
    let emoji = format!("{}👍", "a".repeat(2199));
    for (name, actor, body, status, want) in [
        ("2200", &ana, video(&"a".repeat(2200), "SELF_ONLY"), 200, "ok"),
        ("2201 units", &ana, video(&emoji, "SELF_ONLY"), 400, "invalid_params"),
        (
            "a level of private accounts",
            &ana,
            video("x", "FOLLOWER_OF_CREATOR"),
            403,
            "privacy_level_option_mismatch",
        ),
        (
            "a level of public accounts",
            &closed,
            video("x", "PUBLIC_TO_EVERYONE"),
            403,
            "privacy_level_option_mismatch",
        ),
        ("theirs", &closed, video("x", "FOLLOWER_OF_CREATOR"), 200, "ok"),
        (
            "none",
            &ana,
            json!({ "source_info": video("x", "")["source_info"] }),
            400,
            "invalid_params",
        ),
    ] {
        let got = actor.post(&world, "post/publish/video/init/", &body).await;
        assert_eq!((got.status, code(&got)), (status, want), "{name}");
    }
    let nobody = Actor { token: "x".to_owned(), ..Actor::new(&world, "nobody").await };
    let got = nobody.post(&world, "post/publish/video/init/", &video("x", "SELF_ONLY")).await;
    assert_eq!((got.status, code(&got)), (401, "access_token_invalid"));
    let request = ana.request(&world, Method::POST, "post/publish/video/init/");
    let got = send(request.body(video("x", "SELF_ONLY").to_string())).await;
    assert_eq!(code(&got), "invalid_params", "no content type");
    let info = ana.post(&world, "post/publish/creator_info/query/", &Value::Null).await;
    assert_eq!(info.body["data"]["privacy_level_options"][0], "PUBLIC_TO_EVERYONE");
    assert_eq!(info.body["data"]["max_video_post_duration_sec"], 600);
    let brief = Actor::new(&world, "ana brief").await;
    let info = brief.post(&world, "post/publish/creator_info/query/", &Value::Null).await;
    assert_eq!(info.body["data"]["max_video_post_duration_sec"], 4);
    let full = Actor::new(&world, "ana full").await;
    let info = full.post(&world, "post/publish/creator_info/query/", &Value::Null).await;
    assert_eq!((info.status, code(&info)), (200, "spam_risk_too_many_posts"));
    let init = full.post(&world, "post/publish/video/init/", &video("x", "SELF_ONLY")).await;
    assert_eq!((init.status, code(&init)), (403, "spam_risk_too_many_posts"));
}

#[tokio::test]
async fn a_publish_fails_for_what_its_caption_says_and_for_what_is_no_video() {
    let world = quick().await;
    let ana = Actor::new(&world, "ana").await;
    for reason in ["duration_check_failed", "frame_rate_check_failed", "auth_removed", "internal"] {
        let id = ana.publish(&world, &format!("x #fail_{reason}"), "SELF_ONLY").await;
        let status = ana.status(&world, &id).await.body["data"].clone();
        assert_eq!(status, json!({ "status": "FAILED", "fail_reason": reason }));
    }
    let init = ana.post(&world, "post/publish/video/init/", &video("text", "SELF_ONLY")).await;
    let url = &init.body["data"]["upload_url"];
    assert_eq!(put(&world, url, "bytes 0-99/100", vec![7; 100]).await.status, 201);
    let id = init.body["data"]["publish_id"].as_str().unwrap();
    let status = ana.status(&world, id).await;
    assert_eq!(status.body["data"]["fail_reason"], "file_format_check_failed");
    assert_eq!(world.posts("tiktok").await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_draft_lands_in_the_inbox_and_may_be_cancelled_before() {
    let world = quick().await;
    let ana = Actor::new(&world, "ana").await;
    let body = json!({ "source_info": video("", "")["source_info"] });
    for is_cancelled in [false, true] {
        let init = ana.post(&world, "post/publish/inbox/video/init/", &body).await;
        let id = init.body["data"]["publish_id"].clone();
        assert!(id.as_str().unwrap().starts_with("v_inbox_file~"));
        let cancel = json!({ "publish_id": id });
        if is_cancelled {
            assert_eq!(code(&ana.post(&world, "post/publish/cancel/", &cancel).await), "ok");
        }
        let url = &init.body["data"]["upload_url"];
        assert_eq!(put(&world, url, "bytes 0-99/100", mp4()).await.status, 201);
        let status = ana.status(&world, id.as_str().unwrap()).await.body["data"].clone();
        let want = if is_cancelled { "FAILED" } else { "SEND_TO_USER_INBOX" };
        assert_eq!(status["status"], want);
        let late = ana.post(&world, "post/publish/cancel/", &cancel).await;
        assert_eq!(code(&late), "publish_not_cancellable");
    }
    assert_eq!(world.posts("tiktok").await.len(), 1);
}
