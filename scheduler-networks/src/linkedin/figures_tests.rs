//! Figures as exchanges of values.

use scheduler_core::ports::NetworkErrorKind;
use serde_json::json;

use super::*;
use crate::conversation::AfterConversation;
use crate::driver::REQUESTS_MAX;
use crate::linkedin::testing::{
    EVERYTHING, MEMBER, PAGE, SELF_SERVE, SHARE, access, addresses, denied, gone, held, linkedin,
    live_post,
};
use crate::testing::{answered, answered_text};

const UGC: &str = "urn:li:ugcPost:7141138937766391809";

fn read(
    author: &str,
    scope: &str,
    posts: &[&str],
    answers: &[Answer],
) -> (Vec<String>, Result<Vec<Option<Figures>>, NetworkErrorKind>) {
    let access = access(author, scope);
    let posts: Vec<LivePost> = posts.iter().map(|urn| live_post(urn)).collect();
    let (asked, done) = held(answers, |answers| linkedin().figures(&access, &posts, answers));
    (addresses(&asked), done.map_err(|error| error.kind))
}

fn figures(figures: &[(Metric, f64)]) -> Option<Figures> {
    Some(Figures(figures.iter().copied().collect()))
}

fn count(count: u64) -> Answer {
    answered(200, &json!({ "elements": [{ "count": count }], "paging": {} }))
}

#[test]
fn a_pages_figures_come_at_once() {
    let of = |member: &str, urn: &str| {
        answered(
            200,
            &json!({ "elements": [{ member: urn, "totalShareStatistics": {
                "impressionCount": 10, "uniqueImpressionsCount": 8, "likeCount": 3,
                "commentCount": 2, "shareCount": 1, "clickCount": 4, "engagement": 0.5,
            } }] }),
        )
    };
    let answers = [of("share", SHARE), of("ugcPost", UGC)];
    let (asked, done) = read(PAGE, EVERYTHING, &[UGC, SHARE, "urn:li:share:1"], &answers);
    let start = "GET https://api.linkedin.com/rest/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=urn%3Ali%3Aorganization%3A5515715";
    assert_eq!(
        asked,
        [
            format!(
                "{start}&shares=List(urn%3Ali%3Ashare%3A7141138937766391808,urn%3Ali%3Ashare%3A1)"
            ),
            format!("{start}&ugcPosts=List(urn%3Ali%3AugcPost%3A7141138937766391809)"),
        ]
    );
    let seen = figures(&[
        (Metric::Impressions, 10.0),
        (Metric::Reach, 8.0),
        (Metric::Likes, 3.0),
        (Metric::Comments, 2.0),
        (Metric::Shares, 1.0),
        (Metric::Clicks, 4.0),
    ]);
    assert_eq!(done.unwrap(), [seen.clone(), seen, Some(zeros())]);
}

#[test]
fn a_members_figures_come_one_by_one() {
    let answers: Vec<Answer> = (1..=7).map(count).collect();
    let (asked, done) = read(MEMBER, EVERYTHING, &[SHARE], &answers);
    assert_eq!(
        asked[0],
        "GET https://api.linkedin.com/rest/memberCreatorPostAnalytics?q=entity&entity=(share:urn%3Ali%3Ashare%3A7141138937766391808)&queryType=IMPRESSION&aggregation=TOTAL"
    );
    let kinds: Vec<&str> = asked
        .iter()
        .map(|address| address.split("queryType=").nth(1).unwrap().split('&').next().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "IMPRESSION",
            "MEMBERS_REACHED",
            "REACTION",
            "COMMENT",
            "RESHARE",
            "LINK_CLICKS",
            "POST_SAVE"
        ]
    );
    assert_eq!(
        done.unwrap(),
        [figures(&[
            (Metric::Impressions, 1.0),
            (Metric::Reach, 2.0),
            (Metric::Likes, 3.0),
            (Metric::Comments, 4.0),
            (Metric::Shares, 5.0),
            (Metric::Clicks, 6.0),
            (Metric::Saves, 7.0),
        ])]
    );
}

#[test]
fn the_other_name_of_a_kind_and_unknown_figures() {
    let unknown = || answered(400, &json!({ "status": 400, "message": "no" }));
    let mut answers = vec![unknown(), count(1), count(2), count(3), count(4), count(5)];
    answers.extend([unknown(), count(7)]);
    let (asked, done) = read(MEMBER, EVERYTHING, &[UGC], &answers);
    assert!(asked[0].contains("entity=(ugc:urn%3Ali%3AugcPost"), "{}", asked[0]);
    assert!(asked[1..].iter().all(|address| address.contains("(ugcPost:urn")), "{asked:?}");
    let read = done.unwrap().remove(0).unwrap();
    assert_eq!((read.0.len(), read.0.get(&Metric::Clicks)), (6, None));
}

#[test]
fn a_conversation_about_as_many_posts_as_can_be_named_has_an_end() {
    // Every member's post takes one question more where the first name of its kind is refused.
    assert!(AT_ONCE * (OF_MEMBER.len() + 1) <= REQUESTS_MAX);
    assert_eq!(linkedin().figures_at_once(), AT_ONCE);
}

#[test]
fn without_the_permission_likes_and_comments_or_nothing() {
    let metadata = || {
        answered(
            200,
            &json!({
                "commentSummary": { "count": 4, "topLevelCount": 3 },
                "reactionSummaries": { "LIKE": { "count": 2 }, "PRAISE": { "count": 1 } },
            }),
        )
    };
    let known = figures(&[(Metric::Likes, 3.0), (Metric::Comments, 4.0)]);
    let (asked, done) = read(MEMBER, "r_member_social", &[SHARE], &[metadata()]);
    assert_eq!(
        asked,
        ["GET https://api.linkedin.com/rest/socialMetadata/urn%3Ali%3Ashare%3A7141138937766391808"]
    );
    assert_eq!(done.unwrap(), std::slice::from_ref(&known));
    let after_refusal = read(PAGE, EVERYTHING, &[SHARE], &[denied(), metadata()]);
    assert_eq!(after_refusal.1.unwrap(), [known]);
    let refused = read(MEMBER, EVERYTHING, &[SHARE], &[denied(), denied()]);
    assert_eq!(refused.1.unwrap(), [None]);
    assert_eq!(read(MEMBER, SELF_SERVE, &[SHARE, UGC], &[]), (vec![], Ok(vec![None, None])));
    assert_eq!(read(MEMBER, EVERYTHING, &[SHARE], &[gone()]).1.unwrap(), [None]);
    for author in [MEMBER, PAGE] {
        let down = read(author, EVERYTHING, &[SHARE], &[answered_text(503, "")]).1;
        assert_eq!(down, Err(NetworkErrorKind::Temporary));
    }
}
