//! The look for a part among the account's posts.

use scheduler_core::ports::{NetworkError, NetworkErrorKind as Kind, PublishJob};
use serde_json::{Value, json};

use super::*;
use crate::conversation::StoredProgress as _;
use crate::testing::{answered_text, begun_at, in_thread};
use crate::twitter::testing::{addresses, held, made, page, problem, twitter, twitter_job};

const TIMELINE: &str = include_str!("fixtures/timeline.json");

fn looked(
    job: &PublishJob,
    progress: &Progress,
    answers: &[Answer],
) -> (Vec<Request>, Result<Pick<String>, NetworkError>) {
    let network = twitter();
    let job = crate::conversation::Protocol::job(&network, job).unwrap();
    held(answers, |answers| look(&Api::new(None), &job, progress, answers))
}

fn post(id: &str, text: &str, created_at: &str, parent: Option<&str>) -> Value {
    let mut post = json!({ "id": id, "text": text, "created_at": created_at });
    if let Some(parent) = parent {
        post["referenced_tweets"] = json!([
            { "type": "quoted", "id": "99" },
            { "type": "replied_to", "id": parent },
        ]);
    }
    post
}

/// The progress of a thread of these parts, `sent` of which are live as 1, 2 and so on.
fn thread(texts: &[&str], sent: usize) -> (PublishJob, Progress) {
    use crate::conversation::{Conversation, Turn};
    use scheduler_core::ports::Step;
    let mut job = in_thread(twitter_job(), &texts[1..]);
    job.content = texts[0].to_owned();
    let mut progress = twitter().begin(&job);
    for id in 1..=sent {
        let step = twitter().advance(&job, &progress, &[made(&id.to_string())]);
        let Ok(Turn::Done(Step::Next(next))) = step else { panic!("{step:?}") };
        progress = next;
    }
    let progress = Progress::read(&progress).unwrap();
    (job, progress)
}

#[test]
fn a_post_is_known_by_its_text_with_links_as_they_were_sent() {
    let mut job = twitter_job();
    job.content = "Hello https://blog.example.com/a?x=1&y=2".to_owned();
    let progress = Progress::begin(&job);
    let answers = [answered_text(200, TIMELINE)];
    let (_, found) = looked(&job, &progress, &answers);
    assert_eq!(found, Ok(Pick::One("1445880548472328193".to_owned())), "no answer to another");
}

#[test]
fn a_part_is_known_by_what_it_answers_too() {
    let hour = "2026-11-20T10:00:10Z";
    for (name, sent, listed, want) in [
        ("the first part", 0, post("1", "same", hour, None), Some("1")),
        ("an answer of the same text", 0, post("2", "same", hour, Some("1")), None),
        ("the second part", 1, post("2", "same", hour, Some("1")), Some("2")),
        ("an answer to another", 1, post("2", "same", hour, Some("5")), None),
        ("no answer", 1, post("2", "same", hour, None), None),
        ("a part that is known already", 1, post("1", "same", hour, None), None),
        ("another text", 1, post("2", "other", hour, Some("1")), None),
    ] {
        let (job, progress) = thread(&["same", "same", "three"], sent);
        let (_, found) = looked(&job, &progress, &[page(&json!([listed]), None)]);
        let want = want.map_or(Pick::Nothing, |id| Pick::One(id.to_owned()));
        assert_eq!(found, Ok(want), "{name}");
    }
}

#[test]
fn only_posts_since_it_can_have_been_sent_count() {
    let job = twitter_job();
    let progress = Progress::begin(&job);
    let text = "Hello #rust";
    for (name, at, want) in [
        ("a minute before, by a clock that is behind", "2026-11-20T09:59:00Z", true),
        ("earlier", "2026-11-20T09:58:59.999Z", false),
        ("much earlier", "2026-11-20T09:44:59Z", false),
        ("later", "2026-11-20T18:00:00Z", true),
    ] {
        let answer = page(&json!([post("1", text, at, None)]), None);
        let (_, found) = looked(&job, &progress, &[answer]);
        assert_eq!(found == Ok(Pick::One("1".to_owned())), want, "{name}: {found:?}");
    }
    assert_eq!(begun_at().to_rfc3339(), "2026-11-20T10:00:00+00:00");
}

#[test]
fn what_cannot_be_told_apart_is_in_doubt() {
    let job = twitter_job();
    let progress = Progress::begin(&job);
    let at = |id, time: &str| post(id, "Hello #rust", &format!("2026-11-20T{time}Z"), None);
    let found = |id: &str| Pick::One(id.to_owned());
    for (name, listed, want) in [
        ("one", vec![at("2", "10:00:10")], found("2")),
        ("one, and one of before", vec![at("2", "10:00:10"), at("1", "09:50:00")], found("2")),
        ("two", vec![at("2", "10:00:10"), at("1", "10:00:05")], Pick::Unclear),
        ("one of before, or of a clock that is behind", vec![at("1", "09:50:00")], Pick::Unclear),
        ("one long before", vec![at("1", "09:40:00")], Pick::Nothing),
        (
            "other signs",
            vec![post("2", "Hello rust!", "2026-11-20T10:00:10Z", None)],
            Pick::Unclear,
        ),
    ] {
        let (_, result) = looked(&job, &progress, &[page(&Value::Array(listed), None)]);
        assert_eq!(result, Ok(want), "{name}");
    }
    // By the other way nothing need be told of what a post answers.
    let (job, progress) = thread(&["one", "two"], 1);
    let refused = problem(400, "invalid-request", "Invalid Request", "tweet.fields is unknown");
    let listed = page(&json!([post("2", "two", "2026-11-20T10:00:10Z", None)]), None);
    let (_, result) = looked(&job, &progress, &[refused, listed]);
    assert_eq!(result, Ok(Pick::Unclear));
}

#[test]
fn a_post_that_was_edited_may_be_it_whatever_it_says() {
    let (job, progress) = thread(&["one", "two"], 1);
    for (name, time, versions, parent, want) in [
        ("edited", "10:00:10", &["8", "9"][..], "1", Pick::Unclear),
        ("edited, a little before", "09:50:00", &["8", "9"], "1", Pick::Unclear),
        ("edited, long before", "09:40:00", &["8", "9"], "1", Pick::Nothing),
        ("not edited", "10:00:10", &["9"], "1", Pick::Nothing),
        ("an answer to another, edited", "10:00:10", &["8", "9"], "5", Pick::Nothing),
        ("a part that is known, edited", "10:00:10", &["1", "9"], "1", Pick::Nothing),
    ] {
        for history in ["edit_history_tweet_ids", "edit_history_post_ids"] {
            let mut post = post("9", "other", &format!("2026-11-20T{time}Z"), Some(parent));
            post[history] = json!(versions);
            let (_, found) = looked(&job, &progress, &[page(&json!([post]), None)]);
            assert_eq!(found.as_ref(), Ok(&want), "{name}, {history}");
        }
    }
}

#[test]
fn pages_are_followed_up_to_five() {
    let job = twitter_job();
    let progress = Progress::begin(&job);
    let other = |next| page(&json!([post("1", "other", "2026-11-20T10:00:10Z", None)]), next);
    let found = page(&json!([post("2", "Hello #rust", "2026-11-20T10:00:10Z", None)]), None);
    let (asked, result) = looked(&job, &progress, &[other(Some("a")), found]);
    assert_eq!(result, Ok(Pick::One("2".to_owned())));
    assert!(addresses(&asked)[1].ends_with("&pagination_token=a"));
    let many: Vec<Answer> = (0..PAGES_MAX).map(|_| other(Some("x"))).collect();
    let (asked, result) = looked(&job, &progress, &many);
    assert_eq!((asked.len(), result), (PAGES_MAX, Ok(Pick::Unclear)));
    let (_, result) = looked(&job, &progress, &[other(None)]);
    assert_eq!(result, Ok(Pick::Nothing));
}

#[test]
fn what_is_told_of_posts_is_asked_for_in_another_way_once() {
    let job = twitter_job();
    let progress = Progress::begin(&job);
    let wrong = || problem(400, "invalid-request", "Invalid Request", "post.fields is unknown");
    let bare = || page(&json!([{ "id": "2", "text": "Hello #rust" }]), None);
    let told = || page(&json!([post("2", "Hello #rust", "2026-11-20T10:00:10Z", None)]), None);
    let found = || Ok(Pick::One("2".to_owned()));
    for (name, answers, want) in [
        ("refused", vec![wrong(), told()], found()),
        ("passed over", vec![bare(), told()], found()),
        ("neither", vec![bare(), bare()], Ok(Pick::Unclear)),
    ] {
        let (asked, result) = looked(&job, &progress, &answers);
        assert_eq!(result, want, "{name}");
        let asked = addresses(&asked);
        assert!(asked[0].contains("&tweet.fields=created_at%2Centities%2Creferenced_tweets"));
        assert!(
            asked[1].contains("&post.fields=created_at%2Centities&expansions=referenced_posts")
        );
    }
    let (_, result) = looked(&job, &progress, &[wrong(), wrong()]);
    assert_eq!(result.unwrap_err().kind, Kind::Permanent);
}

#[test]
fn a_long_text_is_known_by_its_beginning() {
    let long = format!("Bread {}", "rises slowly and well. ".repeat(40));
    let (job, progress) = thread(&[&long], 0);
    let at = "2026-11-20T10:00:05.000Z";
    let cut: String = long.chars().take(270).collect();
    for (name, text, want) in [
        ("cut with a link", format!("{cut}… https://t.co/abc"), Pick::One("1".to_owned())),
        ("cut alone", format!("{cut}…"), Pick::One("1".to_owned())),
        ("another beginning", format!("Butter{}… https://t.co/abc", &cut[5..]), Pick::Nothing),
        ("too little is left", "Bread rises… https://t.co/abc".to_owned(), Pick::Nothing),
    ] {
        let answer = page(&json!([post("1", &text, at, None)]), None);
        let (_, found) = looked(&job, &progress, &[answer]);
        assert_eq!(found.unwrap(), want, "{name}");
    }
}
