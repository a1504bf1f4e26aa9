//! People who log in.

use chrono::TimeDelta;
use scheduler_core::app::{Credential, NewKeyInput, RequestedLogin, SignInLink};
use scheduler_core::connecting::Pass;
use scheduler_core::error::{AccessRefusal, ErrorCode, RefusalKind};
use scheduler_core::ids::SessionId;
use scheduler_core::key::{Preset, Scope};
use scheduler_core::session::{
    BROWSER_IDLE, BROWSER_SESSION_LIFETIME, LINK_LIFETIME, LOGIN_LIFETIME, Role, SESSION_LIFETIME,
};
use uuid::Uuid;

use crate::support::{World, done, outcome, refused};

fn request(world: &World, api: bool) -> RequestedLogin {
    done(world.scheduler.request_login(" a laptop ", api)).unwrap()
}

fn confirm(world: &World, login: &RequestedLogin, role: Role) -> String {
    let workspace = world.caller.workspace.id;
    outcome(&refused(done(world.scheduler.confirm_login(workspace, &login.code, role))))
}

/// The value of a session of this role.
pub(crate) fn log_in(world: &World, role: Role, api: bool) -> String {
    let login = request(world, api);
    assert_eq!(confirm(world, &login, role), "ok");
    let claimed = done(world.scheduler.claim_session(&login.secret)).unwrap();
    claimed.unwrap().value.expose().to_owned()
}

fn member(world: &World, session: &str) -> String {
    outcome(&refused(done(world.scheduler.member(Some(session)))))
}

#[test]
fn a_program_claims_what_a_person_has_confirmed() {
    let world = World::empty();
    let login = request(&world, false);
    let claim = || done(world.scheduler.claim_session(&login.secret)).unwrap();
    assert!(claim().is_none(), "nobody has confirmed it");
    assert_eq!(confirm(&world, &login, Role::Drafter), "ok");
    let claimed = claim().unwrap();
    assert_eq!(claimed.workspace, world.caller.workspace);
    assert_eq!(
        (claimed.session.role, claimed.session.client.as_str()),
        (Role::Drafter, "a laptop")
    );
    let again = claim().unwrap();
    assert_eq!(again.value.expose(), claimed.value.expose(), "an answer may get lost");
    assert_eq!(confirm(&world, &login, Role::Owner), "not_found", "once");

    let found = done(world.scheduler.member(Some(claimed.value.expose()))).unwrap();
    assert_eq!((found.role, found.session), (Role::Drafter, Some(claimed.session.clone())));
    let known = done(world.scheduler.sessions(world.caller.workspace.id)).unwrap();
    assert_eq!(known, [claimed.session]);
    assert!(!format!("{login:?}{claimed:?}", claimed = claim()).contains(again.value.expose()));
}

#[test]
fn whoever_confirms_a_login_sees_who_asks_until_it_is_confirmed_or_over() {
    let world = World::empty();
    let (confirmed, late) = (request(&world, true), request(&world, false));
    let waiting = |login: &RequestedLogin| done(world.scheduler.waiting_login(&login.code));
    let found = waiting(&confirmed).unwrap();
    assert_eq!((found.client.as_str(), found.api), ("a laptop", true));
    assert_eq!(found.expires_at, confirmed.expires_at);
    assert_eq!(confirm(&world, &confirmed, Role::Reader), "ok");
    assert_eq!(outcome(&refused(waiting(&confirmed))), "not_found", "it is confirmed");
    assert!(waiting(&late).is_ok());
    world.clock.advance(LOGIN_LIFETIME);
    assert_eq!(outcome(&refused(waiting(&late))), "not_found", "its time is over");
}

#[test]
fn nobody_claims_what_another_has_asked_for() {
    let world = World::empty();
    let login = request(&world, false);
    assert_eq!(confirm(&world, &login, Role::Owner), "ok");
    let guessed = Pass::from_random([9; 32]);
    assert_eq!(outcome(&refused(done(world.scheduler.claim_session(&guessed)))), "not_found");
}

#[test]
fn logins_and_sessions_have_their_time() {
    let world = World::empty();
    let (early, late) = (request(&world, false), request(&world, false));
    world.clock.advance(LOGIN_LIFETIME - TimeDelta::microseconds(1));
    assert_eq!(confirm(&world, &early, Role::Editor), "ok");
    let session = done(world.scheduler.claim_session(&early.secret)).unwrap().unwrap();
    let session = session.value.expose().to_owned();
    world.clock.advance(TimeDelta::microseconds(1));
    assert_eq!(confirm(&world, &late, Role::Editor), "not_found");
    let claimed = refused(done(world.scheduler.claim_session(&early.secret)));
    assert_eq!(outcome(&claimed), "not_found");

    world.clock.advance(SESSION_LIFETIME - TimeDelta::microseconds(2));
    assert_eq!(member(&world, &session), "ok");
    world.clock.advance(TimeDelta::microseconds(1));
    assert_eq!(member(&world, &session), "unauthorized");
    assert_eq!(done(world.scheduler.sessions(world.caller.workspace.id)).unwrap(), []);
}

#[test]
fn an_ended_session_opens_nothing() {
    let world = World::empty();
    let session = log_in(&world, Role::Owner, true);
    let workspace = world.caller.workspace.id;
    let id = done(world.scheduler.sessions(workspace)).unwrap()[0].id;
    let end = |workspace, id| outcome(&refused(done(world.scheduler.end_session(workspace, id))));
    assert_eq!(end(world.stranger().workspace.id, id), "not_found");
    assert_eq!(member(&world, &session), "ok");
    assert_eq!(end(workspace, id), "ok");
    assert_eq!(member(&world, &session), "unauthorized");
    let caller = refused(done(world.scheduler.authenticate(Some(&session))));
    assert_eq!(outcome(&caller), "unauthorized");
    assert_eq!(end(workspace, SessionId(Uuid::nil())), "not_found");
}

#[test]
fn a_session_is_a_key_only_where_that_was_asked_for() {
    let world = World::empty();
    for role in Role::ALL {
        let (with, without) = (log_in(&world, role, true), log_in(&world, role, false));
        let caller = done(world.scheduler.authenticate(Some(&with))).unwrap();
        assert!(matches!(caller.by, Credential::Session(_)));
        assert_eq!(caller.scopes, role.scopes(), "{role}");
        let other = refused(done(world.scheduler.authenticate(Some(&without))));
        assert_eq!(outcome(&other), "unauthorized", "{role}");
    }
    let publishes = |role: Role| role.scopes().allows(Scope::PostsPublish);
    assert_eq!(Role::ALL.map(publishes), [false, false, true, true]);
}

#[test]
fn a_credential_at_the_wrong_door_is_told_by_its_form_alone() {
    use AccessRefusal as R;
    let world = World::empty();
    let session = log_in(&world, Role::Owner, false);
    let made_up = format!("ses_{}", "0".repeat(43));
    let key = done(
        world
            .scheduler
            .create_key(&world.caller.workspace, &NewKeyInput::new("a program", Preset::Full)),
    );
    let key = key.unwrap().value.expose().to_owned();
    for (name, sent, as_key, as_session) in [
        ("a key", key.as_str(), None, Some(R::KeyForSession)),
        ("no key of ours", "sk_guessed", Some(R::UnknownKey), Some(R::KeyForSession)),
        ("a session", session.as_str(), Some(R::SessionForKey), None),
        ("no session of ours", made_up.as_str(), Some(R::SessionForKey), Some(R::UnknownSession)),
        ("neither", "secret", Some(R::UnknownKey), Some(R::UnknownSession)),
    ] {
        let answers = [
            (as_key, refused(done(world.scheduler.authenticate(Some(sent)))).err()),
            (as_session, refused(done(world.scheduler.member(Some(sent)))).err()),
        ];
        for (want, refusal) in answers {
            let is_unauthorized =
                refusal.as_ref().is_none_or(|refusal| refusal.code == ErrorCode::Unauthorized);
            assert!(is_unauthorized, "{name}: {refusal:?}");
            let kind = refusal.map(|refusal| refusal.kind);
            assert_eq!(kind, want.map(RefusalKind::Access), "{name}");
        }
    }
}

#[test]
fn what_is_no_session() {
    let world = World::empty();
    let session = log_in(&world, Role::Owner, false);
    for (name, sent, want) in [
        ("none", None, "unauthorized"),
        ("empty", Some(""), "unauthorized"),
        ("a key", Some("sk_0000000000000000000000000000000000000000000"), "unauthorized"),
        ("with a space", Some(&format!("{session} ") as &str), "unauthorized"),
        ("the session", Some(&session), "ok"),
    ] {
        assert_eq!(outcome(&refused(done(world.scheduler.member(sent)))), want, "{name}");
    }
}

#[test]
fn a_client_has_a_name() {
    let world = World::empty();
    for (name, client, want) in [
        ("empty", String::new(), "invalid_request client"),
        ("blank", "  ".to_owned(), "invalid_request client"),
        ("the longest", "n".repeat(100), "ok"),
        ("too long", "n".repeat(101), "invalid_request client"),
    ] {
        let requested = refused(done(world.scheduler.request_login(&client, false)));
        assert_eq!(outcome(&requested), want, "{name}");
    }
}

#[test]
fn roles_as_a_matrix() {
    let world = World::empty();
    for role in Role::ALL {
        let session = log_in(&world, role, false);
        let member = done(world.scheduler.member(Some(&session))).unwrap();
        for least in Role::ALL {
            let want = if role >= least { "ok" } else { "forbidden" };
            assert_eq!(outcome(&member.require(least)), want, "{role} where {least} is needed");
        }
    }
}

fn visits(world: &World, session: &str) -> String {
    outcome(&refused(done(world.scheduler.visitor(Some(session)))))
}

#[test]
fn a_link_signs_one_browser_in() {
    let world = World::empty();
    let workspace = world.caller.workspace.id;
    let make = || done(world.scheduler.create_sign_in_link(workspace, Role::Drafter)).unwrap();
    let sign_in = |link: &SignInLink| {
        let signed_in = done(world.scheduler.sign_in_by_link(&link.pass, "a browser")).unwrap();
        signed_in.map(|claimed| (claimed.session.role, claimed.value.expose().to_owned()))
    };
    let link = make();
    let listed = done(world.scheduler.sessions(workspace)).unwrap();
    assert_eq!(listed.len(), 1, "a link that waits can be ended");
    let value = format!("ses_{}", link.pass.expose());
    assert_eq!(visits(&world, &value), "unauthorized", "the link itself opens nothing");
    let (role, session) = sign_in(&link).unwrap();
    assert_eq!(role, Role::Drafter);
    assert_eq!(visits(&world, &session), "ok");
    assert_eq!(sign_in(&link), None, "once");
    let listed = done(world.scheduler.sessions(workspace)).unwrap();
    assert_eq!(listed.iter().map(|one| one.client.as_str()).collect::<Vec<_>>(), ["a browser"]);

    let late = make();
    world.clock.advance(LINK_LIFETIME);
    assert_eq!(sign_in(&late), None, "its time is over");
    let ended = make();
    let listed = done(world.scheduler.sessions(workspace)).unwrap();
    let waiting = listed.iter().find(|one| one.client != "a browser").unwrap();
    done(world.scheduler.end_session(workspace, waiting.id)).unwrap();
    assert_eq!(sign_in(&ended), None, "it was ended");
    let unknown = Pass::from_random([7; 32]);
    assert!(done(world.scheduler.sign_in_by_link(&unknown, "x")).unwrap().is_none());
}

#[test]
fn a_session_of_a_browser_ends_when_nobody_visits_and_after_a_week() {
    let world = World::empty();
    let sign_in = || {
        let workspace = world.caller.workspace.id;
        let link = done(world.scheduler.create_sign_in_link(workspace, Role::Owner)).unwrap();
        let signed_in = done(world.scheduler.sign_in_by_link(&link.pass, "a browser")).unwrap();
        signed_in.unwrap().value.expose().to_owned()
    };
    let second = TimeDelta::seconds(1);
    let (idle, busy) = (sign_in(), sign_in());
    let mut passed = TimeDelta::zero();
    while passed + BROWSER_IDLE < BROWSER_SESSION_LIFETIME {
        world.clock.advance(BROWSER_IDLE - second);
        passed += BROWSER_IDLE - second;
        assert_eq!(visits(&world, &busy), "ok", "after {passed}");
    }
    assert_eq!(visits(&world, &idle), "unauthorized");
    world.clock.advance(BROWSER_SESSION_LIFETIME - passed);
    assert_eq!(visits(&world, &busy), "unauthorized", "a week is over");
}

#[test]
fn a_key_signs_in_with_the_highest_role_that_it_covers() {
    let world = World::empty();
    for (preset, want) in [
        (Preset::Full, Role::Owner),
        (Preset::Publish, Role::Editor),
        (Preset::Drafts, Role::Drafter),
        (Preset::Agent, Role::Drafter),
        (Preset::Read, Role::Reader),
    ] {
        let input = NewKeyInput::new(preset.as_str(), preset);
        let key = done(world.scheduler.create_key(&world.caller.workspace, &input)).unwrap();
        let signed_in = done(world.scheduler.sign_in_by_key(key.value.expose(), "a browser"));
        assert_eq!(signed_in.unwrap().session.role, want, "{}", preset.as_str());
    }
    let unknown = refused(done(world.scheduler.sign_in_by_key("sk_guessed", "a browser")));
    assert_eq!(outcome(&unknown.map(drop)), "unauthorized");
}
