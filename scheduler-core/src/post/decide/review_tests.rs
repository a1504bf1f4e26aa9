//! Who may approve whose post, and what a change makes of an approval.

use uuid::Uuid;

use super::*;
use crate::audit::ActorKind;
use crate::error::ErrorCode;
use crate::ids::{PersonId, PostId, WorkspaceId};
use crate::post::{ApprovalState, Verdict, decide};

fn now() -> DateTime<Utc> {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

fn person(id: u128, name: &str) -> Person {
    Person { id: PersonId(Uuid::from_u128(id)), name: name.parse().unwrap() }
}

fn ana() -> Person {
    person(1, "Ana")
}

fn ben() -> Person {
    person(2, "Ben")
}

fn author(kind: ActorKind, person: Option<Person>) -> Author {
    Author { kind, id: Some(Uuid::from_u128(9)), person }
}

/// A scheduled post that these have written, one after the other, in a workspace that asks.
fn written_by(authors: &[Author]) -> Post {
    let status = PostStatus::Scheduled;
    let new = Post::new(PostId(Uuid::nil()), WorkspaceId(Uuid::nil()), now());
    let mut post = Post { status, ..new };
    for (number, author) in authors.iter().enumerate() {
        let before = (number > 0).then(|| post.clone());
        post.content = format!("version {number}");
        rewritten(before.as_ref(), &mut post, author.clone(), true);
    }
    post
}

#[test]
fn every_actor_and_every_author() {
    let (key, session, server) = (ActorKind::Key, ActorKind::Session, ActorKind::Server);
    let of_ana = || author(session, Some(ana()));
    let of_ben = || author(session, Some(ben()));
    let authors: [(&str, Vec<Author>, Option<&str>); 9] = [
        ("Ana", vec![of_ana()], Some("Ana")),
        ("Ben", vec![of_ben()], Some("Ben")),
        ("a key", vec![author(key, None)], None),
        ("a session without a person", vec![author(session, None)], None),
        ("the server", vec![author(server, None)], None),
        ("Ana, then Ben", vec![of_ana(), of_ben()], Some("Ben")),
        ("a key, then Ana", vec![author(key, None), of_ana()], Some("Ana")),
        // What touches it afterwards does not make it another's.
        ("Ana, then a key", vec![of_ana(), author(key, None)], Some("Ana")),
        ("Ana, then a nameless session", vec![of_ana(), author(session, None)], Some("Ana")),
    ];
    let actors = [
        ("Ana", Some(ana())),
        ("Ben", Some(ben())),
        ("Ana by another way", Some(person(1, "ana@example.com"))),
        ("another who is called Ana", Some(person(7, "ANA"))),
        ("a key or a nameless session", None),
    ];
    for (of, authors, own) in &authors {
        let post = written_by(authors);
        assert_eq!(post.approval(), Some(ApprovalState::Pending), "{of}");
        for (by, actor) in &actors {
            let is_ana = by.contains("Ana");
            let is_own = (*own == Some("Ana") && is_ana) || (*own == Some("Ben") && *by == "Ben");
            let want = if actor.is_none() || is_own { Err(ErrorCode::Forbidden) } else { Ok(()) };
            let approved = approve(&post, actor.as_ref(), now());
            let got = approved.as_ref().map(drop).map_err(|refusal| refusal.code);
            assert_eq!(got, want, "{by} approves what {of} has written");
            if let Ok(approved) = approved {
                let by = actor.clone().unwrap();
                assert_eq!(approved.review, Some(Review::Approved { by, at: now() }));
                assert_eq!(approved.approval(), Some(ApprovalState::Approved));
            }
        }
    }
}

/// A session that names nobody yet is of whoever it names later.
#[test]
fn nobody_approves_what_they_wrote_before_they_said_who_they_are() {
    let author =
        |person| Author { id: Some(Uuid::from_u128(2)), ..author(ActorKind::Session, person) };
    for before in [None, Some(ana())] {
        let post = written_by(&[author(before)]);
        let approved = approve(&post, Some(&ben()), now()).map_err(|refusal| refusal.code);
        assert_eq!(approved, Err(ErrorCode::Forbidden));
        assert!(approve(&post, Some(&person(3, "Cleo")), now()).is_ok());
    }
}

#[test]
fn a_change_makes_an_approval_void_and_a_time_does_not() {
    let approved =
        approve(&written_by(&[author(ActorKind::Session, Some(ana()))]), Some(&ben()), now());
    let approved = approved.unwrap();
    let state = |change: fn(&mut Post), by: Person, is_asked| {
        let mut after = approved.clone();
        change(&mut after);
        rewritten(Some(&approved), &mut after, author(ActorKind::Session, Some(by)), is_asked);
        let author = after.author.clone().and_then(|author| author.person);
        (after.approval(), author.map(|person| person.name.to_string()))
    };
    let (pending, done) = (Some(ApprovalState::Pending), Some(ApprovalState::Approved));
    for (name, change, is_asked, want) in [
        (
            "its text",
            (|post| post.content = "other".into()) as fn(&mut Post),
            true,
            (pending, "Ben"),
        ),
        (
            "its link",
            |post| post.link_url = Some("https://example.com".into()),
            true,
            (pending, "Ben"),
        ),
        ("its time", |post| post.scheduled_at = Some(now()), true, (done, "Ana")),
        ("its note", |post| post.annotations.note = Some("x".into()), true, (done, "Ana")),
        ("nothing", |_| {}, true, (done, "Ana")),
        ("its text, where nobody asks", |post| post.content = "other".into(), false, (None, "Ben")),
        ("nothing, where nobody asks", |_| {}, false, (None, "Ana")),
    ] {
        let (state, author) = state(change, ben(), is_asked);
        assert_eq!((state, author.as_deref()), (want.0, Some(want.1)), "{name}");
    }
}

#[test]
fn a_client_and_the_team_are_both_needed() {
    let client = [None, Some(ApprovalState::Pending), Some(ApprovalState::Approved)];
    for client in client.into_iter().chain([Some(ApprovalState::Changes)]) {
        let mut post = written_by(&[author(ActorKind::Session, Some(ana()))]);
        post.approval_state = client;
        let want = match client {
            Some(ApprovalState::Changes) => ApprovalState::Changes,
            _ => ApprovalState::Pending,
        };
        assert_eq!(post.approval(), Some(want), "{client:?}, and nobody of the team");
        let post = approve(&post, Some(&ben()), now()).unwrap();
        let want = client.unwrap_or(ApprovalState::Approved);
        assert_eq!(post.approval(), Some(want), "{client:?}, and Ben");
        if client.is_some() {
            let post = decide::record_decision(&post, Verdict::Approve, now()).unwrap();
            assert_eq!(post.approval(), Some(ApprovalState::Approved));
            let post = decide::withdraw(&post, now()).unwrap();
            assert_eq!(post.approval(), Some(ApprovalState::Approved), "Ben has said it");
        }
    }
}

#[test]
fn who_is_asked_and_when() {
    let post = written_by(&[author(ActorKind::Key, None)]);
    for status in PostStatus::ALL {
        let post = Post { status, ..post.clone() };
        let want = match status {
            PostStatus::Canceled => Err(ErrorCode::AlreadyStarted),
            _ => Ok(()),
        };
        let got = approve(&post, Some(&ana()), now()).map(drop).map_err(|refusal| refusal.code);
        assert_eq!(got, want, "{status:?}");
        let not_asked = Post { review: None, ..post.clone() };
        let refused = approve(&not_asked, Some(&ana()), now()).unwrap_err();
        assert_eq!(refused.code, ErrorCode::NotFound, "{status:?}, nobody asks");
        let asked = review_asked(&not_asked, true, now());
        assert_eq!(asked.is_some(), status.is_unfinished(), "{status:?}, asked from now on");
        assert_eq!(review_asked(&post, true, now()), None, "{status:?}, asked already");
    }
    let approved = approve(&post, Some(&ana()), now()).unwrap();
    assert_eq!(approve(&approved, Some(&ben()), now()).unwrap(), approved, "once is enough");
}
