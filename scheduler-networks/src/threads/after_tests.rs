//! What comes after publishing, as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::{CommentAction, NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{AfterConversation, shown};
use crate::testing::{answered_text, begun_at};
use crate::threads::testing::{USER, access, done, fault, held, live_post, ok, threads};

fn lines(asked: &[Request]) -> Vec<String> {
    let line = |request: &Request| {
        let shown = shown(request);
        assert_eq!(shown["headers"]["authorization"], "[redacted]");
        let body = match &shown["body"] {
            Value::Null => String::new(),
            body => format!(" {body}"),
        };
        format!("{}{body}", shown["request"].as_str().unwrap())
            .replace("https://graph.threads.net/v1.0", "")
    };
    asked.iter().map(line).collect()
}

fn success() -> Answer {
    ok(&json!({ "success": true, "deleted_id": "180" }))
}

#[test]
fn a_thread_is_taken_down_from_its_end() {
    let post = live_post(&["180", "181", "182"]);
    let gone = fault(400, 100, 33, "Unsupported delete request. Object does not exist");
    let answers = [success(), gone, success()];
    let (asked, taken) = held(&answers, |answers| threads().take_down(&access(), &post, answers));
    assert_eq!(taken, Ok(()));
    assert_eq!(lines(&asked), ["DELETE /182", "DELETE /181", "DELETE /180"]);

    let post = live_post(&["180"]);
    for (name, answer, want) in [
        ("not done", ok(&json!({ "success": false })), Kind::Temporary),
        ("down", answered_text(500, ""), Kind::Temporary),
        ("token", fault(401, 190, 0, "expired"), Kind::Reconnect),
        ("not allowed", fault(400, 10, 0, "permission"), Kind::Permanent),
    ] {
        let taken = held(&[answer], |answers| threads().take_down(&access(), &post, answers)).1;
        assert_eq!(taken.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn figures_have_the_names_of_the_vocabulary() {
    let posts = [live_post(&["180"])];
    let answers = [answered_text(200, include_str!("fixtures/insights.json"))];
    let (asked, figures) = held(&answers, |answers| threads().figures(&access(), &posts, answers));
    assert_eq!(
        lines(&asked),
        ["GET /180/insights?metric=views%2Clikes%2Creplies%2Creposts%2Cquotes%2Cshares"]
    );
    assert_json_snapshot!(figures.unwrap(), @r#"
    [
      {
        "views": 1200.0,
        "likes": 100.0,
        "comments": 7.0,
        "shares": 1.0,
        "reposts": 3.0,
        "quotes": 2.0
      }
    ]
    "#);
    for (name, answer, want) in [
        ("gone", fault(400, 100, 33, "does not exist"), Ok(vec![None])),
        ("none", ok(&json!({ "data": [] })), Ok(vec![None])),
        ("not allowed", fault(400, 10, 0, "permission"), Ok(vec![None])),
        ("token", fault(401, 190, 0, "expired"), Err(Kind::Reconnect)),
        ("unreadable", answered_text(200, "<html>"), Err(Kind::Temporary)),
    ] {
        let figures = held(&[answer], |answers| threads().figures(&access(), &posts, answers)).1;
        assert_eq!(figures.map_err(|error| error.kind), want, "{name}");
    }
}

#[test]
fn followers_are_counted() {
    let body = json!({ "data": [{
        "name": "followers_count",
        "period": "day",
        "total_value": { "value": 96 },
        "id": "x",
    }] });
    let (asked, followers) = held(&[ok(&body)], |answers| threads().followers(&access(), answers));
    assert_eq!(followers, Ok(Some(96)));
    assert_eq!(lines(&asked), [format!("GET /{USER}/threads_insights?metric=followers_count")]);
    let none = ok(&json!({ "data": [] }));
    let followers = held(&[none], |answers| threads().followers(&access(), answers)).1;
    assert_eq!(followers, Ok(None));
}

#[test]
fn comments_are_those_of_others_and_our_answers() {
    let post = live_post(&["180", "181"]);
    let answers = [answered_text(200, include_str!("fixtures/conversation.json"))];
    let (asked, comments) = held(&answers, |answers| threads().comments(&access(), &post, answers));
    assert_eq!(
        lines(&asked),
        [
            "GET /180/conversation?fields=id%2Ctext%2Ctimestamp%2Cusername%2Cpermalink%2Chas_replies%2Cis_reply%2Cis_reply_owned_by_me%2Chide_status%2Croot_post%2Creplied_to&reverse=true&limit=50"
        ]
    );
    let comments = comments.unwrap().unwrap();
    assert_eq!(comments.rights, RIGHTS);
    assert_json_snapshot!(comments.comments, @r#"
    [
      {
        "id": "901",
        "author": "ben",
        "text": "Well said",
        "createdAt": "2026-11-20T11:00:00Z",
        "own": false,
        "hidden": false,
        "likeCount": null
      },
      {
        "id": "902",
        "author": "cid",
        "text": "",
        "createdAt": "2026-11-20T10:30:00Z",
        "own": false,
        "hidden": true,
        "likeCount": null
      },
      {
        "id": "903",
        "author": "ana",
        "text": "Thanks",
        "createdAt": "2026-11-20T11:10:00Z",
        "own": true,
        "hidden": false,
        "likeCount": null
      }
    ]
    "#);
}

#[test]
fn pages_of_comments_are_followed_up_to_four() {
    let post = live_post(&["180"]);
    let page = |id: &str| {
        ok(&json!({
            "data": [{ "id": id, "text": "x", "is_reply": true }],
            "paging": { "cursors": { "after": format!("after-{id}") }, "next": "https://x" },
        }))
    };
    let answers = [page("1"), page("2"), page("3"), page("4")];
    let (asked, comments) = held(&answers, |answers| threads().comments(&access(), &post, answers));
    assert_eq!(comments.unwrap().unwrap().comments.len(), 4);
    assert!(lines(&asked)[3].ends_with("&limit=50&after=after-3"));
    let refused = fault(400, 10, 0, "permission");
    let comments = held(&[refused], |answers| threads().comments(&access(), &post, answers)).1;
    assert_eq!(comments, Ok(None));
}

fn named(own: bool) -> Answer {
    ok(&json!({
        "id": "901",
        "username": if own { "ana" } else { "ben" },
        "is_reply": true,
        "is_reply_owned_by_me": own,
        "root_post": { "id": "180" },
    }))
}

fn act(
    act: &CommentAction,
    answers: &[Answer],
) -> (Vec<Request>, Result<Option<Comment>, NetworkError>) {
    let post = live_post(&["180", "181"]);
    held(answers, |answers| threads().act_on_comment(&access(), &post, "901", act, answers))
}

const NAMED: &str = "GET /901?fields=id%2Cusername%2Cis_reply%2Cis_reply_owned_by_me%2Croot_post";

#[test]
fn a_comment_is_answered_in_two_steps() {
    let is = |status: &str| ok(&json!({ "id": "c1", "status": status }));
    let made = |id: &str| ok(&json!({ "id": id }));
    let reply = CommentAction::Reply(" Thank\r\nyou ".to_owned());
    let answers = [named(false), made("c1"), is("IN_PROGRESS"), is("FINISHED"), made("904")];
    let (asked, comment) = act(&reply, &answers);
    assert_eq!(
        lines(&asked),
        [
            NAMED.to_owned(),
            format!(
                r#"POST /{USER}/threads ["media_type=TEXT","text=Thank\nyou","reply_to_id=901"]"#
            ),
            "GET /c1?fields=id%2Cstatus%2Cerror_message".to_owned(),
            "GET /c1?fields=id%2Cstatus%2Cerror_message".to_owned(),
            format!(r#"POST /{USER}/threads_publish ["creation_id=c1"]"#),
        ]
    );
    let visible: Vec<bool> = asked.iter().map(|request| request.is_visible).collect();
    assert_eq!(visible, [false, false, false, false, true]);
    let comment = comment.unwrap().unwrap();
    assert_eq!(
        (comment.id.as_str(), comment.text.as_str(), comment.own),
        ("904", "Thank\nyou", true)
    );
    assert_eq!(comment.created_at, Some(begun_at()));

    let begin = || vec![named(false), made("c1"), is("FINISHED")];
    for (name, answers, want) in [
        ("not published", [begin(), vec![answered_text(500, "")]].concat(), Kind::InDoubt),
        ("unreadable", [begin(), vec![answered_text(200, "")]].concat(), Kind::InDoubt),
        ("too long", vec![named(false), fault(400, 100, 0, "too long")], Kind::Permanent),
        ("failed", vec![named(false), made("c1"), is("ERROR")], Kind::Temporary),
    ] {
        let error = act(&reply, &answers).1.unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
    }
}

#[test]
fn comments_are_hidden_shown_and_ones_own_deleted() {
    for (name, what, own, want) in [
        ("hide", CommentAction::Hide, false, r#"POST /901/manage_reply ["hide=true"]"#),
        ("unhide", CommentAction::Unhide, false, r#"POST /901/manage_reply ["hide=false"]"#),
        ("delete", CommentAction::Delete, true, "DELETE /901"),
    ] {
        let (asked, done) = act(&what, &[named(own), success()]);
        assert_eq!(done, Ok(None), "{name}");
        assert_eq!(lines(&asked), [NAMED, want], "{name}");
    }
    let error = act(&CommentAction::Delete, &[named(false)]).1.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported, "another's");
    for what in [CommentAction::Edit("x".to_owned()), CommentAction::Like, CommentAction::Unlike] {
        assert_eq!(act(&what, &[]).1.unwrap_err().code, FailureCode::Unsupported);
    }
}

#[test]
fn nothing_is_done_with_what_is_no_comment_on_the_post() {
    let body = |id: &str, is_reply: bool, root: &str| {
        ok(&json!({
            "id": id,
            "username": "ana",
            "is_reply": is_reply,
            "is_reply_owned_by_me": true,
            "root_post": { "id": root },
        }))
    };
    for (name, answer) in [
        ("another post", body("901", false, "901")),
        ("a comment elsewhere", body("901", true, "777")),
        ("a name in place of an id", body("17841400000000001", true, "180")),
        ("gone", fault(400, 100, 33, "does not exist")),
    ] {
        let error = act(&CommentAction::Delete, &[answer]).1.unwrap_err();
        assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::NotFound), "{name}");
    }
    let post = live_post(&["180", "181"]);
    let part = [body("181", true, "180")];
    let acted = held(&part, |answers| {
        threads().act_on_comment(&access(), &post, "181", &CommentAction::Delete, answers)
    });
    assert_eq!(acted.1.unwrap_err().kind, Kind::Permanent, "a part of the thread");
    for id in ["", "..", ".\n.", "me"] {
        let (asked, acted) = held(&[], |answers| {
            threads().act_on_comment(&access(), &post, id, &CommentAction::Hide, answers)
        });
        assert_eq!((asked.len(), acted.unwrap_err().code), (0, FailureCode::NotFound), "{id:?}");
    }
}

#[test]
fn names_are_looked_up_and_a_refusal_is_no_name() {
    let found = ok(&json!({ "username": "meta", "name": "Meta", "is_verified": true }));
    let (asked, names) = held(&[found], |answers| threads().mentions(&access(), " @meta", answers));
    assert_eq!(lines(&asked), ["GET /profile_lookup?username=meta"]);
    assert_eq!(names.unwrap(), [Mention { handle: "@meta".to_owned(), name: "Meta".to_owned() }]);
    for (name, query, answers) in [
        ("refused", "meta", vec![fault(400, 10, 0, "permission")]),
        ("unknown", "meta", vec![fault(400, 100, 33, "does not exist")]),
        ("nothing asked", " @ ", vec![]),
    ] {
        let names = held(&answers, |answers| threads().mentions(&access(), query, answers)).1;
        assert_eq!(names.unwrap(), Vec::<Mention>::new(), "{name}");
    }
}

#[test]
fn what_threads_does_not_offer() {
    let post = live_post(&["180"]);
    let edit = RemoteEdit { content: Some("x".to_owned()), title: None };
    let error = threads().edit(&access(), &post, &edit, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    assert_eq!(done(threads().insights(&access(), &post, &[])), None);
    assert_eq!(done(threads().limits(&access(), &[])), None);
}
