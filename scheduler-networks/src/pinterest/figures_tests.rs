//! Figures as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::json;

use super::*;
use crate::conversation::AfterConversation as _;
use crate::pinterest::testing::{access, fault, held, live_post, ok, pinterest};
use crate::testing::{answered_text, begun_at};

const ANALYTICS_BODY: &str = include_str!("fixtures/analytics.json");
const LIFETIME_BODY: &str = include_str!("fixtures/pin_metrics.json");

fn video() -> LivePost {
    let mut post = live_post();
    post.remote.record = json!({ "isVideo": true });
    post
}

fn of_age(days: i64) -> LivePost {
    LivePost { published_at: begun_at() - TimeDelta::days(days), ..live_post() }
}

fn read(posts: &[LivePost], answers: &[Answer]) -> Result<Vec<Option<Figures>>, NetworkError> {
    held(answers, |answers| pinterest().figures(&access(), posts, answers)).1
}

#[test]
fn figures_of_every_kind() {
    let posts = [live_post(), video(), of_age(200)];
    let answers = [ok(ANALYTICS_BODY), ok(ANALYTICS_BODY), ok(LIFETIME_BODY)];
    let (asked, figures) =
        held(&answers, |answers| pinterest().figures(&access(), &posts, answers));
    let addresses: Vec<&str> =
        asked.iter().map(|request| request["request"].as_str().unwrap()).collect();
    assert_json_snapshot!(addresses, @r#"
    [
      "GET https://api.pinterest.com/v5/pins/813744226420795884/analytics?start_date=2026-11-20&end_date=2026-11-20&metric_types=IMPRESSION%2CPIN_CLICK%2COUTBOUND_CLICK%2CSAVE%2CTOTAL_COMMENTS%2CTOTAL_REACTIONS&app_types=ALL",
      "GET https://api.pinterest.com/v5/pins/813744226420795884/analytics?start_date=2026-11-20&end_date=2026-11-20&metric_types=IMPRESSION%2CPIN_CLICK%2COUTBOUND_CLICK%2CSAVE%2CTOTAL_COMMENTS%2CTOTAL_REACTIONS%2CVIDEO_MRC_VIEW&app_types=ALL",
      "GET https://api.pinterest.com/v5/pins/813744226420795884?pin_metrics=true"
    ]
    "#);
    let figures: Vec<serde_json::Value> =
        figures.unwrap().iter().map(|figures| json!(figures)).collect();
    let image = json!({
        "impressions": 240.0, "saves": 9.0, "clicks": 12.0, "outboundClicks": 5.0,
        "likes": 7.0, "comments": 3.0,
    });
    let mut video = image.clone();
    video["videoViews"] = json!(31.0);
    let old = json!({
        "impressions": 2400.0, "clicks": 120.0, "outboundClicks": 50.0,
        "likes": 70.0, "comments": 30.0,
    });
    assert_eq!(figures, [image, video, old]);
}

#[test]
fn days_reach_back_to_the_publication_and_no_further_than_they_may() {
    for (name, age, want) in [
        ("today", 0, "start_date=2026-11-20&end_date=2026-11-20"),
        ("a week", 7, "start_date=2026-11-13&end_date=2026-11-20"),
        ("the last day", 90, "start_date=2026-08-23&end_date=2026-11-20"),
        ("a clock that is ahead", -1, "start_date=2026-11-20&end_date=2026-11-20"),
    ] {
        let (asked, _) = held(&[ok(ANALYTICS_BODY)], |answers| {
            pinterest().figures(&access(), &[of_age(age)], answers)
        });
        let address = asked[0]["request"].as_str().unwrap();
        assert!(address.contains(want), "{name}: {address}");
    }
}

#[test]
fn a_pin_of_which_nothing_is_told_has_no_figures() {
    for (name, answer) in [
        ("fresh", fault(404, 50, "Pin not found.")),
        ("empty", ok("{}")),
        (
            "no day yet",
            ok(r#"{"all":{"daily_metrics":[],"lifetime_metrics":{},"summary_metrics":{}}}"#),
        ),
        ("not permitted", fault(403, 7, "Not permitted")),
        ("no permission", fault(403, 3, "Missing")),
    ] {
        assert_eq!(read(&[live_post()], &[answer]), Ok(vec![None]), "{name}");
    }
    for (name, answer, want) in [
        ("failed", answered_text(500, ""), Kind::Temporary),
        ("a page", answered_text(200, "<html>"), Kind::Temporary),
        ("a page of 404", answered_text(404, "<html>"), Kind::Temporary),
        ("a page of 403", answered_text(403, "<html>"), Kind::Temporary),
        ("expired", fault(401, 2, "Authentication failed."), Kind::TokenExpired),
    ] {
        assert_eq!(read(&[live_post()], &[answer]).unwrap_err().kind, want, "{name}");
    }
}
