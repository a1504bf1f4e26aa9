//! Figures as exchanges of values.

use serde_json::json;

use super::*;
use crate::conversation::{AfterConversation, shown};
use crate::facebook::testing::{access, asks, done, error, facebook, live_post, live_video, ok};
use crate::testing::answered_text;

const INSIGHTS: &str = include_str!("fixtures/insights.json");
const COUNTED: &str = include_str!("fixtures/counts.json");

fn read(post: &LivePost, answers: &[Answer]) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
    facebook().figures(&access(), std::slice::from_ref(post), answers)
}

fn found(post: &LivePost, answers: &[Answer]) -> Value {
    json!(done(read(post, answers)).remove(0))
}

#[test]
fn figures_come_from_the_insights_and_from_the_post() {
    let told = answered_text(200, INSIGHTS);
    let counted = answered_text(200, COUNTED);
    let first = asks(read(&live_video(), &[]));
    let second = asks(read(&live_post(), std::slice::from_ref(&told)));
    insta::assert_json_snapshot!([shown(&first), shown(&second)], @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/1001_2001/insights?metric=post_media_view%2Cpost_total_media_view_unique%2Cpost_clicks%2Cpost_reactions_by_type_total%2Cpost_video_views&period=lifetime",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/1001_2001?fields=shares%2Ccomments.limit%280%29.summary%28true%29%2Creactions.limit%280%29.summary%28true%29",
        "visible": false
      }
    ]
    "#);
    let want = json!({
        "views": 120.0, "reach": 90.0, "clicks": 7.0, "likes": 6.0, "comments": 3.0, "shares": 5.0,
    });
    assert_eq!(found(&live_post(), &[told, counted]), want);
}

#[test]
fn a_figure_that_is_gone_takes_no_other_with_it() {
    let dead = || error(100, 0, "(#100) The value must be a valid insights metric");
    let told = |name: &str, value: Value| {
        ok(
            &json!({ "data": [{ "name": name, "period": "lifetime", "values": [{ "value": value }] }] }),
        )
    };
    let alone = asks(read(&live_post(), &[dead()]));
    assert!(alone.url.as_str().contains("metric=post_media_view&"), "{}", alone.url);
    let answers = [
        dead(),
        told("post_media_view", json!(5)),
        dead(),
        told("post_clicks", json!(1)),
        told("post_reactions_by_type_total", json!({})),
        ok(&json!({ "id": "1001_2001" })),
    ];
    let want = json!({ "views": 5.0, "clicks": 1.0, "likes": 0.0, "shares": 0.0 });
    assert_eq!(found(&live_post(), &answers), want);
}

#[test]
fn what_may_not_be_read_is_left_out() {
    let denied = || error(10, 0, "(#10) This endpoint requires read_insights");
    let counted = answered_text(200, COUNTED);
    let want = json!({ "likes": 6.0, "comments": 3.0, "shares": 5.0 });
    assert_eq!(found(&live_post(), &[denied(), counted]), want);
    let fewer = asks(read(&live_post(), &[denied(), denied()]));
    assert!(!fewer.url.as_str().contains("comments"), "{}", fewer.url);
    let rest = ok(&json!({ "reactions": { "summary": { "total_count": 6 } } }));
    let want = json!({ "likes": 6.0, "shares": 0.0 });
    assert_eq!(found(&live_post(), &[denied(), denied(), rest]), want);
    assert_eq!(found(&live_post(), &[error(100, 33, "gone")]), Value::Null);
    let gone = [answered_text(200, INSIGHTS), error(100, 33, "gone")];
    assert_eq!(found(&live_post(), &gone), Value::Null);
    for (name, answers) in [
        ("down", vec![answered_text(500, "")]),
        ("down later", vec![answered_text(200, INSIGHTS), answered_text(500, "")]),
        ("a page", vec![answered_text(200, "<html>")]),
    ] {
        let failed = read(&live_post(), &answers).unwrap_err();
        assert_eq!(failed.kind, scheduler_core::ports::NetworkErrorKind::Temporary, "{name}");
    }
}
