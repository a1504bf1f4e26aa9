//! Figures as exchanges of values.

use scheduler_core::ports::NetworkErrorKind;
use serde_json::json;

use super::*;
use crate::conversation::{AfterConversation, shown};
use crate::instagram::testing::{access, asks, done, error, instagram, live_post};
use crate::instagram::wire::Way;
use crate::testing::{answered, answered_text};

fn read(product: &str, answers: &[Answer]) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
    instagram().figures(&access(Way::Direct), &[live_post(product)], answers)
}

fn figure(name: &str, value: u32) -> Answer {
    let values = json!([{ "value": value }]);
    answered(200, &json!({ "data": [{ "name": name, "period": "lifetime", "values": values }] }))
}

#[test]
fn figures_are_asked_for_at_once() {
    insta::assert_json_snapshot!(shown(&asks(read("REELS", &[]))), @r#"
    {
      "body": null,
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "GET https://graph.instagram.com/v26.0/18000000000000001/insights?metric=views%2Creach%2Clikes%2Ccomments%2Csaved%2Cshares%2Ctotal_interactions",
      "visible": false
    }
    "#);
    let answer = answered_text(200, include_str!("fixtures/insights.json"));
    let figures = done(read("REELS", &[answer])).remove(0).unwrap();
    insta::assert_json_snapshot!(figures, @r#"
    {
      "views": 1200.0,
      "reach": 900.0,
      "likes": 80.0,
      "comments": 7.0,
      "shares": 3.0,
      "saves": 5.0,
      "interactions": 95.0
    }
    "#);
    let story = asks(read("STORY", &[]));
    assert!(
        story.url.as_str().ends_with("metric=views%2Creach%2Cshares%2Ctotal_interactions"),
        "{}",
        story.url
    );
}

#[test]
fn a_figure_that_the_network_does_not_have_is_left_out() {
    let refused = || error(100, 0, "Incompatible metrics (shares) with reel media");
    let mut answers = vec![refused()];
    for (name, _) in LASTING {
        let request = asks(read("FEED", &answers));
        assert!(request.url.as_str().ends_with(&format!("metric={name}")), "{}", request.url);
        answers.push(if name == "shares" { refused() } else { figure(name, 2) });
    }
    let figures = done(read("FEED", &answers)).remove(0).unwrap();
    assert_eq!(figures.0.len(), LASTING.len() - 1);
    assert!(!figures.0.contains_key(&Metric::Shares));
    let none: Vec<Answer> = (0..=LASTING.len()).map(|_| refused()).collect();
    assert_eq!(done(read("FEED", &none)), [None]);
    let down = [refused(), answered_text(500, "")];
    assert_eq!(read("FEED", &down).unwrap_err().kind, NetworkErrorKind::Temporary);
}

#[test]
fn without_the_permission_the_post_itself_is_counted() {
    let refused = || error(10, 0, "(#10) Application does not have permission");
    let request = asks(read("FEED", &[refused()]));
    assert_eq!(
        request.url.as_str(),
        "https://graph.instagram.com/v26.0/18000000000000001?fields=like_count%2Ccomments_count"
    );
    let counted = answered(200, &json!({ "like_count": 4, "comments_count": 1, "id": "1" }));
    let figures = done(read("FEED", &[refused(), counted])).remove(0).unwrap();
    let want = [(Metric::Likes, 4.0), (Metric::Comments, 1.0)];
    assert_eq!(figures, Figures(want.into()));
    let also_refused = [refused(), refused()];
    assert_eq!(read("FEED", &also_refused).unwrap_err().kind, NetworkErrorKind::Reconnect);
}

#[test]
fn a_story_has_figures_for_a_day_and_for_five_viewers() {
    assert_eq!(done(read("STORY", &[error(10, 2_108_006, "Not enough viewers")])), [None]);
    let mut late = access(Way::Direct);
    late.now += STORY_LIFE;
    let turn = instagram().figures(&late, &[live_post("STORY")], &[]);
    assert_eq!(done(turn), [None]);
    assert!(matches!(instagram().figures(&late, &[live_post("FEED")], &[]), Ok(Turn::Send(_))));
}

#[test]
fn what_else_can_come_of_a_reading() {
    assert_eq!(done(read("FEED", &[error(100, 33, "gone")])), [None]);
    for (name, answer, want) in [
        ("token", error(190, 463, "expired"), NetworkErrorKind::Reconnect),
        ("down", answered_text(502, ""), NetworkErrorKind::Temporary),
        ("a page", answered_text(200, "<html>"), NetworkErrorKind::Temporary),
    ] {
        assert_eq!(read("FEED", &[answer]).unwrap_err().kind, want, "{name}");
    }
    let total = json!({ "data": [{ "name": "views", "total_value": { "value": 9 } }] });
    let figures = done(read("FEED", &[answered(200, &total)])).remove(0).unwrap();
    assert_eq!(figures, Figures([(Metric::Views, 9.0)].into()));
    let none = instagram().figures(&access(Way::Direct), &[], &[]);
    assert_eq!(done(none), []);
}
