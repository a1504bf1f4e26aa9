//! What follows publishing, as exchanges of values.

use insta::{allow_duplicates, assert_json_snapshot};
use scheduler_core::ports::{NetworkErrorKind as Kind, PublishJob};
use scheduler_core::target::FailureCode;
use serde_json::Value;

use super::super::testing::{access, bot_job, discord, held, live_post, webhook_job};
use super::super::wire::{FORUM, TEXT};
use super::*;
use crate::conversation::AfterConversation;
use crate::testing::{answered, answered_text};

const CHANNEL: &str = "1400000000000000000";
const MESSAGE: &str = "1400000000000000001";
const API: &str = "https://discord.com/api/v10";

fn refused(status: u16, code: u64) -> Answer {
    answered(status, &json!({ "message": "No.", "code": code }))
}

fn in_channel(job: &PublishJob) -> LivePost {
    live_post(job, CHANNEL, None)
}

fn in_forum(job: &PublishJob) -> LivePost {
    live_post(job, MESSAGE, Some(MESSAGE))
}

#[test]
fn a_text_is_changed_and_the_files_stay() {
    let change = RemoteEdit { content: Some("New".to_owned()), title: None };
    let (webhook, bot) = (webhook_job(), bot_job(TEXT));
    let token = "webhooks/1300000000000000000/webhook-token";
    for (name, job, post, want) in [
        ("webhook", &webhook, in_channel(&webhook), format!("{API}/{token}/messages/{MESSAGE}")),
        (
            "webhook in a forum",
            &webhook,
            in_forum(&webhook),
            format!("{API}/{token}/messages/{MESSAGE}?thread_id={MESSAGE}"),
        ),
        ("bot", &bot, in_channel(&bot), format!("{API}/channels/{CHANNEL}/messages/{MESSAGE}")),
        (
            "bot with a thread",
            &bot,
            live_post(&bot, CHANNEL, Some(MESSAGE)),
            format!("{API}/channels/{CHANNEL}/messages/{MESSAGE}"),
        ),
        (
            "bot in a forum",
            &bot,
            in_forum(&bot),
            format!("{API}/channels/{MESSAGE}/messages/{MESSAGE}"),
        ),
    ] {
        let mut post = post;
        post.link_url = Some("https://a.example/x".to_owned());
        let edits = |answers: &[Answer]| discord().edit(&access(job), &post, &change, answers);
        let (asked, done) = held(&[answered(200, &json!({ "id": MESSAGE }))], edits);
        assert_eq!(done, Ok(()), "{name}");
        assert_eq!(asked[0]["request"], format!("PATCH {want}"), "{name}");
        allow_duplicates! {
            assert_json_snapshot!(asked[0]["body"], @r#"
            {
              "allowed_mentions": {
                "parse": []
              },
              "content": "New\nhttps://a.example/x"
            }
            "#);
        }
        assert_eq!(asked[0]["visible"], false, "a repeat changes nothing more");
        for (answer, kind) in [
            (refused(404, 10_008), Kind::Permanent),
            (refused(400, 30_046), Kind::RateLimited { wait: None }),
            (refused(500, 0), Kind::Temporary),
            (refused(404, 10_015), Kind::Reconnect),
        ] {
            assert_eq!(held(&[answer], edits).1.unwrap_err().kind, kind, "{name}");
        }
        // A thread that is gone took the message with it; a channel, the account.
        let error = held(&[refused(404, 10_003)], edits).1.unwrap_err();
        let want = if post.remote.record["channelId"] == CHANNEL {
            Kind::Reconnect
        } else {
            Kind::Permanent
        };
        assert_eq!(error.kind, want, "{name}");
    }
    let title = RemoteEdit { content: None, title: Some("New".to_owned()) };
    let error = discord().edit(&access(&bot), &in_channel(&bot), &title, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}

#[test]
fn a_post_whose_channel_is_not_known_is_left_alone() {
    let job = bot_job(TEXT);
    let mut post = in_channel(&job);
    post.remote.record = Value::Null;
    let error = discord().take_down(&access(&job), &post, &[]).unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
}

#[test]
fn a_message_is_taken_down_and_one_that_is_gone_is_no_error() {
    let (webhook, bot) = (webhook_job(), bot_job(TEXT));
    for (job, post) in [(&webhook, in_forum(&webhook)), (&bot, in_channel(&bot))] {
        let takes = |answers: &[Answer]| discord().take_down(&access(job), &post, answers);
        for (answer, want) in [
            (answered_text(204, ""), Ok(())),
            (refused(404, 10_008), Ok(())),
            (refused(404, 10_003), Ok(())),
            (refused(500, 0), Err(Kind::Temporary)),
            (refused(401, 50_027), Err(Kind::Reconnect)),
        ] {
            let (asked, done) = held(&[answer], takes);
            assert_eq!(done.map_err(|error| error.kind), want);
            assert!(asked[0]["request"].as_str().unwrap().starts_with("DELETE "));
        }
    }
    let takes =
        |answers: &[Answer]| discord().take_down(&access(&webhook), &in_forum(&webhook), answers);
    let (asked, _) = held(&[answered_text(204, "")], takes);
    assert_eq!(
        asked[0]["request"],
        format!(
            "DELETE {API}/webhooks/1300000000000000000/webhook-token/messages/{MESSAGE}?thread_id={MESSAGE}"
        )
    );
}

#[test]
fn a_bot_takes_away_the_thread_of_a_forum_where_it_may() {
    let job = bot_job(FORUM);
    let post = in_forum(&job);
    let takes = |answers: &[Answer]| discord().take_down(&access(&job), &post, answers);
    for (answer, want) in [
        (answered(200, &json!({ "id": MESSAGE })), Ok(())),
        (refused(403, 50_013), Ok(())),
        (refused(404, 10_003), Ok(())),
        (refused(500, 0), Err(Kind::Temporary)),
    ] {
        let (asked, done) = held(&[answered_text(204, ""), answer], takes);
        assert_eq!(done.map_err(|error| error.kind), want);
        assert_eq!(asked[1]["request"], format!("DELETE {API}/channels/{MESSAGE}"));
    }
}

fn figures_of(pairs: &[(Metric, f64)]) -> Vec<Option<Figures>> {
    vec![Some(Figures(pairs.iter().copied().collect()))]
}

#[test]
fn reactions_and_answers_are_counted() {
    let job = bot_job(TEXT);
    let message = |thread: Value| {
        let reaction =
            |name: &str, count: u64| json!({ "count": count, "emoji": { "name": name } });
        let mut message = json!({
            "id": MESSAGE,
            "channel_id": CHANNEL,
            "reactions": [reaction("❤️", 3), reaction("👍", 4)],
        });
        message["thread"] = thread;
        answered(200, &message)
    };
    let reads = |post: LivePost| {
        move |answers: &[Answer]| {
            discord().figures(&access(&bot_job(TEXT)), std::slice::from_ref(&post), answers)
        }
    };
    let (asked, figures) = held(&[message(Value::Null)], reads(in_channel(&job)));
    assert_eq!(asked[0]["request"], format!("GET {API}/channels/{CHANNEL}/messages/{MESSAGE}"));
    assert_eq!(figures.unwrap(), figures_of(&[(Metric::Reactions, 7.0), (Metric::Comments, 0.0)]));
    let with_thread = message(json!({ "id": MESSAGE, "message_count": 5 }));
    let figures = held(&[with_thread], reads(in_channel(&job))).1.unwrap();
    assert_eq!(figures, figures_of(&[(Metric::Reactions, 7.0), (Metric::Comments, 5.0)]));

    let thread = answered(200, &json!({ "id": MESSAGE, "type": 11, "message_count": 2 }));
    let (asked, figures) = held(&[message(Value::Null), thread], reads(in_forum(&job)));
    assert_eq!(asked[1]["request"], format!("GET {API}/channels/{MESSAGE}"));
    assert_eq!(figures.unwrap(), figures_of(&[(Metric::Reactions, 7.0), (Metric::Comments, 2.0)]));

    assert_eq!(held(&[refused(404, 10_008)], reads(in_channel(&job))).1, Ok(vec![None]));
    let error = held(&[refused(500, 0)], reads(in_channel(&job))).1.unwrap_err();
    assert_eq!(error.kind, Kind::Temporary);
}

#[test]
fn a_webhook_tells_nothing_of_its_posts() {
    let job = webhook_job();
    let (access, post) = (access(&job), in_channel(&job));
    let nothing = |_: &[Answer]| discord().figures(&access, std::slice::from_ref(&post), &[]);
    assert_eq!(held(&[], nothing).1, Ok(vec![None]));
    assert_eq!(held(&[], |answers| discord().followers(&access, answers)).1, Ok(None));
    assert_eq!(held(&[], |answers| discord().limits(&access, answers)).1, Ok(None));
    assert_eq!(held(&[], |answers| discord().mentions(&access, "a", answers)).1, Ok(vec![]));
}

#[test]
fn a_server_counts_its_members_and_says_what_it_allows() {
    let job = bot_job(FORUM);
    let guild = answered(
        200,
        &json!({ "id": "1", "name": "x", "premium_tier": 3, "approximate_member_count": 42 }),
    );
    let (asked, followers) =
        held(std::slice::from_ref(&guild), |answers| discord().followers(&access(&job), answers));
    assert_eq!(
        asked[0]["request"],
        format!("GET {API}/guilds/1200000000000000000?with_counts=true")
    );
    assert_eq!(followers, Ok(Some(42)));
    let (asked, limits) = held(&[guild], |answers| discord().limits(&access(&job), answers));
    assert_eq!(asked[0]["request"], format!("GET {API}/guilds/1200000000000000000"));
    let limits = limits.unwrap().unwrap();
    assert_eq!((limits.max_image_bytes, limits.is_forum), (Some(104_857_600), Some(true)));
    assert_eq!((limits.posts_as_bot, limits.is_announcement), (Some(true), Some(false)));
    let gone = [refused(404, 10_004)];
    let error = held(&gone, |answers| discord().limits(&access(&job), answers)).1.unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);
}

#[test]
fn members_are_found_by_the_begin_of_their_names() {
    let job = bot_job(TEXT);
    let member = |id: &str, nick: Value, global_name: Value| {
        json!({
            "user": { "id": id, "username": "ana", "global_name": global_name },
            "nick": nick,
        })
    };
    let members = json!([
        member("1", json!("Nick"), json!("Global")),
        member("2", Value::Null, json!("Global")),
        member("3", Value::Null, Value::Null),
    ]);
    let (asked, found) = held(&[answered(200, &members)], |answers| {
        discord().mentions(&access(&job), "@a b", answers)
    });
    assert_eq!(
        asked[0]["request"],
        format!("GET {API}/guilds/1200000000000000000/members/search?query=a+b&limit=10")
    );
    let found = found.unwrap();
    let found: Vec<(&str, &str)> =
        found.iter().map(|mention| (mention.handle.as_str(), mention.name.as_str())).collect();
    assert_eq!(found, [("<@1>", "Nick"), ("<@2>", "Global"), ("<@3>", "ana")]);
    assert_eq!(held(&[], |answers| discord().mentions(&access(&job), " @", answers)).1, Ok(vec![]));
    let not_allowed = [refused(403, 50_001)];
    let found = held(&not_allowed, |answers| discord().mentions(&access(&job), "a", answers)).1;
    assert_eq!(found, Ok(vec![]), "publishing goes on");
}
