//! Changing and taking down as exchanges of values.

use scheduler_core::ports::NetworkErrorKind;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{AfterConversation, shown};
use crate::facebook::testing::{access, asks, done, error, facebook, live_post, live_video, ok};
use crate::testing::answered_text;

fn edit_of(content: &str) -> RemoteEdit {
    RemoteEdit { content: Some(content.to_owned()), title: None }
}

#[test]
fn a_text_and_a_description_are_changed() {
    let mut post = live_post();
    post.link_url = Some("https://blog.example.com/post".to_owned());
    post.options.insert("caption".to_owned(), json!("Old"));
    let mut video = live_video();
    video.link_url.clone_from(&post.link_url);
    let edit = edit_of("New");
    let requests: Vec<Value> = [&post, &video]
        .into_iter()
        .map(|post| shown(&asks(facebook().edit(&access(), post, &edit, &[]))))
        .collect();
    insta::assert_json_snapshot!(requests, @r#"
    [
      {
        "body": [
          "message=New"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/1001_2001",
        "visible": false
      },
      {
        "body": [
          "description=New\nhttps://blog.example.com/post"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/3001",
        "visible": false
      }
    ]
    "#);
    done(facebook().edit(&access(), &post, &edit, &[ok(&json!({ "success": true }))]));
    for (name, answer, want) in [
        ("not done", ok(&json!({ "success": false })), NetworkErrorKind::Temporary),
        ("gone", error(100, 33, "gone"), NetworkErrorKind::Permanent),
        ("of another app", error(200, 0, "no"), NetworkErrorKind::Permanent),
        ("token", error(190, 463, "expired"), NetworkErrorKind::Reconnect),
        ("down", answered_text(500, ""), NetworkErrorKind::Temporary),
    ] {
        let failed = facebook().edit(&access(), &post, &edit, &[answer]).unwrap_err();
        assert_eq!(failed.kind, want, "{name}");
    }
    let title = RemoteEdit { content: None, title: Some("x".to_owned()) };
    let refused = facebook().edit(&access(), &post, &title, &[]).unwrap_err();
    assert_eq!(refused.code, FailureCode::Unsupported);
}

#[test]
fn a_post_is_taken_down_and_one_that_is_gone_too() {
    let requests: Vec<Value> = [live_post(), live_video()]
        .iter()
        .map(|post| shown(&asks(facebook().take_down(&access(), post, &[]))))
        .collect();
    insta::assert_json_snapshot!(requests, @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "DELETE https://graph.facebook.com/v26.0/1001_2001",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "DELETE https://graph.facebook.com/v26.0/3001",
        "visible": false
      }
    ]
    "#);
    for answer in [ok(&json!({ "success": true })), error(100, 33, "gone")] {
        done(facebook().take_down(&access(), &live_post(), &[answer]));
    }
    let failed = facebook().take_down(&access(), &live_post(), &[error(190, 460, "changed")]);
    assert_eq!(failed.unwrap_err().kind, NetworkErrorKind::Reconnect);
}

#[test]
fn followers_are_counted() {
    let request = asks(facebook().followers(&access(), &[]));
    assert_eq!(
        request.url.as_str(),
        "https://graph.facebook.com/v26.0/1001?fields=followers_count%2Cfan_count"
    );
    for (body, want) in [
        (json!({ "followers_count": 96, "fan_count": 90 }), Some(96)),
        (json!({ "fan_count": 90 }), Some(90)),
        (json!({}), None),
    ] {
        assert_eq!(done(facebook().followers(&access(), &[ok(&body)])), want);
    }
    let gone = facebook().followers(&access(), &[error(100, 33, "gone")]).unwrap_err();
    assert_eq!(gone.kind, NetworkErrorKind::Reconnect);
}
