//! What goes out, and what breaks on the way.

use chrono::TimeDelta;
use scheduler_core::ports::{JobFile, NetworkErrorKind as Kind};
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::{Facebook, mp4, png, shown};

/// The files of a form, and how they are shown.
fn files(facebook: &Facebook, form: &[&str], seed: u8) -> (Vec<JobFile>, Vec<Value>) {
    let files = form.iter().zip(seed..).map(|(kind, seed)| {
        let is_film = *kind == "film";
        let media_type = if is_film { "video/mp4" } else { "image/png" };
        let bytes = if is_film { mp4(2_000, seed) } else { png(seed) };
        (facebook.world.file(seed.into(), media_type, &bytes), shown(media_type, &bytes))
    });
    files.unzip()
}

#[tokio::test]
async fn every_form_goes_out_with_its_files_and_its_comment() {
    let facebook = Facebook::new().await;
    let mut count = 0;
    for (name, form, as_reel, place) in [
        ("a text", [].as_slice(), false, "/posts/"),
        ("a picture", ["picture"].as_slice(), false, "/posts/"),
        ("pictures", ["picture", "picture", "picture"].as_slice(), false, "/posts/"),
        ("a video", ["film"].as_slice(), false, "/videos/"),
        ("a reel", ["film"].as_slice(), true, "/reel/"),
    ] {
        let (files, shown) = files(&facebook, form, count * 10);
        let comment = format!("More on {name}");
        let options = json!({ "asReel": as_reel, "firstComment": comment });
        let mut job = facebook.job(count.into(), name, files, &options);
        job.link_url = Some("https://blog.example.com/post".to_owned());
        let (remote, failures) = facebook.world.publish(job).await;
        let remote = remote.unwrap();
        assert_eq!(failures, [], "{name}");
        let url = remote.url.unwrap();
        assert!(url.contains(place), "{name}: {url}");
        count += 1;
        let live = facebook.world.live().await;
        assert_eq!(live.len(), 2 * usize::from(count), "{name}");
        let [.., post, comments] = live.as_slice() else { panic!("nothing") };
        assert_eq!(post["remoteId"], json!(remote.id), "{name}");
        assert_eq!(post["media"], Value::Array(shown), "{name}");
        assert_eq!(post["text"], format!("{name}\nhttps://blog.example.com/post"), "{name}");
        assert_eq!(comments["text"], comment, "{name}");
        assert_eq!(comments["replyTo"], json!(remote.id), "{name}");
    }
    let forms = facebook.world.bodies("/feed").await;
    assert_eq!(forms[0]["link"], "https://blog.example.com/post");
    assert_eq!(forms[2]["attached_media"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn stories_go_out_without_a_text_and_are_found_again() {
    let facebook = Facebook::new().await;
    for (number, kind) in [(1, "picture"), (2, "film")] {
        facebook.world.fault(json!({ "operation": "publish", "kind": "reset_after" })).await;
        let (files, shown) = files(&facebook, &[kind], number * 10);
        let options = json!({ "placement": "story" });
        let job = facebook.job(number.into(), "left out", files, &options);
        let (remote, failures) = facebook.world.publish(job).await;
        let remote = remote.unwrap();
        assert_eq!(failures, [Kind::InDoubt], "{kind}");
        let url = remote.url.unwrap();
        assert!(url.contains("/stories/"), "{kind}: {url}");
        let live = facebook.world.live().await;
        let [.., story] = live.as_slice() else { panic!("nothing") };
        assert_eq!(live.len(), usize::from(number), "{kind}");
        assert_eq!(story["remoteId"], json!(remote.id), "{kind}");
        assert_eq!((&story["text"], &story["media"]), (&json!(""), &Value::Array(shown)), "{kind}");
    }
}

#[tokio::test]
async fn a_reel_has_title_place_label_and_cover() {
    let facebook = Facebook::new().await;
    let (files, _) = files(&facebook, &["film"], 1);
    let options = json!({
        "placement": "reel", "title": "How it is made", "placeId": "7", "aiGenerated": true,
        "firstComment": "Ask us",
    });
    let mut job = facebook.job(1, "a reel", files, &options);
    job.thumbnail = Some(facebook.world.file(9, "image/png", &png(9)));
    let (remote, failures) = facebook.world.publish(job).await;
    assert_eq!(failures, []);
    let live = facebook.world.live().await;
    assert_eq!(live[1]["replyTo"], json!(remote.unwrap().id), "the comment comes after the cover");
    let finishing = facebook.world.sent("/video_reels").await.pop().unwrap();
    for field in ["title=How+it+is+made", "place=7", "is_ai_generated=true"] {
        assert!(finishing.as_str().unwrap().contains(field), "{field}: {finishing}");
    }
    assert_eq!(facebook.world.sent("/thumbnails").await.len(), 1);
}

#[tokio::test]
async fn a_background_is_asked_for_and_left_out_where_it_is_not_known() {
    let facebook = Facebook::new().await;
    for (number, background, calls) in [(1, "303063890126415", 1), (2, "12", 2)] {
        let text = format!("Open on Sunday {number}");
        let options = json!({ "textBackground": background });
        let job = facebook.job(number, &text, Vec::new(), &options);
        let (remote, _) = facebook.world.publish(job).await;
        // What was left out of a live post is told as an error of what follows it.
        let told = remote.err().map(|error| error.message).unwrap_or_default();
        assert_eq!(told.starts_with("The background was left out"), calls == 2, "{told}");
        let sent = facebook.world.bodies("/feed").await;
        let of_this = sent.iter().filter(|body| body["message"] == json!(text));
        assert_eq!(of_this.count(), calls, "{background}: {sent:?}");
        assert_eq!(facebook.world.texts().await.last(), Some(&text));
    }
}

#[tokio::test]
async fn a_text_that_was_posted_and_not_told_is_found_however_the_repeat_is_refused() {
    let facebook = Facebook::new().await;
    let fault = json!({ "operation": "publish", "kind": "reset_after" });
    facebook.world.fault(fault).await;
    let job = facebook.job(1, "Hello", Vec::new(), &json!({}));
    let (remote, failures) = facebook.world.publish(job).await;
    assert_eq!(failures, [Kind::InDoubt]);
    assert_eq!(facebook.world.live().await[0]["remoteId"], json!(remote.unwrap().id));
    // The same text again is another post, which the network does not take.
    let job = facebook.job(2, "Hello", Vec::new(), &json!({}));
    let error = facebook.world.publish(job).await.0.unwrap_err();
    assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::ValidationFailed));
    assert!(error.message.contains("twice in a row"), "{error}");
}

#[tokio::test]
async fn a_rate_limit_is_as_long_as_the_network_says() {
    let facebook = Facebook::new().await;
    let fault = json!({ "operation": "publish", "kind": "rate_limited", "retryAfterSeconds": 120 });
    facebook.world.fault(fault).await;
    let job = facebook.job(1, "x", Vec::new(), &json!({}));
    let (remote, failures) = facebook.world.publish(job).await;
    assert!(remote.is_ok(), "{remote:?}");
    let wait = TimeDelta::try_minutes(2);
    assert_eq!(failures, [Kind::RateLimited { wait }]);
}

#[tokio::test]
async fn what_the_network_refuses_is_said_in_its_words() {
    for (operation, words) in [("upload", "4 MB"), ("publish", "flagged as abusive")] {
        let facebook = Facebook::new().await;
        facebook.world.fault(json!({ "operation": operation, "kind": "permanent" })).await;
        let (files, _) = files(&facebook, &["picture"], 1);
        let job = facebook.job(1, "x", files, &json!({}));
        let (remote, failures) = facebook.world.publish(job).await;
        let error = remote.unwrap_err();
        assert_eq!(failures, [Kind::Permanent], "{operation}");
        assert_eq!(error.code, FailureCode::ValidationFailed, "{operation}: {error}");
        assert!(error.message.contains(words), "{operation}: {error}");
        assert_eq!(facebook.world.live().await, Vec::<Value>::new());
    }
}

#[tokio::test]
async fn files_and_links_that_are_no_good_are_refused() {
    for (name, media_type, bytes, words) in [
        ("a picture", "image/png", b"no picture at all, but long enough".to_vec(), "image file"),
        ("a video", "video/mp4", vec![b'x'; 2_000], "video format"),
    ] {
        let facebook = Facebook::new().await;
        let file = facebook.world.file(1, media_type, &bytes);
        let job = facebook.job(1, "x", vec![file], &json!({}));
        let (remote, failures) = facebook.world.publish(job).await;
        let error = remote.unwrap_err();
        assert_eq!(failures, [Kind::Permanent], "{name}");
        assert_eq!(error.code, FailureCode::ValidationFailed, "{name}: {error}");
        assert!(error.message.contains(words), "{name}: {error}");
    }
    let facebook = Facebook::new().await;
    for (link, want) in [("https://www.facebook.com/x", 0), ("https://x.invalid/", 0)] {
        let mut job = facebook.job(1, "x", Vec::new(), &json!({}));
        job.link_url = Some(link.to_owned());
        let error = facebook.world.publish(job).await.0.unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "{link}: {error}");
        assert_eq!(facebook.world.live().await.len(), want, "{link}");
    }
    assert_eq!(facebook.world.bodies("/feed").await.len(), 4, "a link is tried three times");
}

#[tokio::test]
async fn a_token_that_has_run_out_needs_a_new_connection() {
    for operation in ["upload", "publish"] {
        let facebook = Facebook::new().await;
        facebook.world.fault(json!({ "operation": operation, "kind": "expired_token" })).await;
        let (files, _) = files(&facebook, &["picture"], 1);
        let job = facebook.job(1, "x", files, &json!({}));
        let (remote, failures) = facebook.world.publish(job).await;
        assert_eq!(failures, [Kind::Reconnect], "{operation}");
        assert_eq!(remote.unwrap_err().code, FailureCode::AccountNotConnected, "{operation}");
        assert_eq!(facebook.world.live().await, Vec::<Value>::new());
    }
}
