//! Insights as exchanges of values.

use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::json;

use super::*;
use crate::conversation::AfterConversation;
use crate::testing::{answered, answered_text};
use crate::youtube::testing::{
    EVERYTHING, VIDEO, access, addresses, held, live_post, refused, youtube,
};

const RETENTION: &str = include_str!("fixtures/retention.json");
const TRAFFIC: &str = include_str!("fixtures/traffic.json");

fn asked(scope: &str, answers: &[Answer]) -> (Vec<String>, Result<Option<Insights>, NetworkError>) {
    let mut access = access(scope);
    access.now = "2026-11-23T00:30:00Z".parse().unwrap();
    let post = live_post(VIDEO);
    let (asked, found) = held(answers, |answers| youtube().insights(&access, &post, answers));
    (addresses(&asked), found)
}

#[test]
fn a_curve_and_sources() {
    let answers = [answered_text(200, RETENTION), answered_text(200, TRAFFIC)];
    let (asked, found) = asked(EVERYTHING, &answers);
    assert_eq!(
        asked,
        [
            "GET https://youtubeanalytics.googleapis.com/v2/reports?ids=channel%3D%3DMINE&startDate=2026-11-20&endDate=2026-11-23&dimensions=elapsedVideoTimeRatio&metrics=audienceWatchRatio%2CrelativeRetentionPerformance&filters=video%3D%3DaBcDeFgHiJk",
            "GET https://youtubeanalytics.googleapis.com/v2/reports?ids=channel%3D%3DMINE&startDate=2026-11-20&endDate=2026-11-23&dimensions=insightTrafficSourceType&metrics=views%2CestimatedMinutesWatched&filters=video%3D%3DaBcDeFgHiJk&sort=-views",
        ]
    );
    let found = found.unwrap().unwrap();
    let point = |elapsed_ratio, watch_ratio, relative_performance| Retention {
        elapsed_ratio,
        watch_ratio,
        relative_performance,
    };
    assert_eq!(found.retention, [point(0.01, 1.18, Some(0.5)), point(0.02, 0.97, None)]);
    let sources: Vec<(&str, u64, f64)> = found
        .traffic_sources
        .iter()
        .map(|source| (source.source.as_str(), source.views, source.watch_time_minutes))
        .collect();
    assert_eq!(sources, [("YT_SEARCH", 120, 240.0), ("EXT_URL", 80, 90.0)]);
    assert_eq!(found.days.unwrap().1.to_string(), "2026-11-23");
}

#[test]
fn nothing_yet_is_empty_and_no_permission_is_none() {
    let empty = || answered(200, &json!({ "columnHeaders": [] }));
    let (_, found) = asked(EVERYTHING, &[empty(), empty()]);
    let found = found.unwrap().unwrap();
    assert!(found.retention.is_empty() && found.traffic_sources.is_empty());
    let (requests, found) = asked("https://www.googleapis.com/auth/youtube", &[]);
    assert_eq!((requests.len(), found), (0, Ok(None)));
    let (_, found) = asked(EVERYTHING, &[refused(403, "insufficientPermissions")]);
    assert_eq!(found, Ok(None));
    let (_, found) = asked(EVERYTHING, &[refused(403, "quotaExceeded")]);
    assert!(matches!(found.unwrap_err().kind, Kind::RateLimited { .. }));
    let (_, found) = asked(EVERYTHING, &[empty(), answered_text(500, "")]);
    assert_eq!(found.unwrap_err().kind, Kind::Temporary);
}
