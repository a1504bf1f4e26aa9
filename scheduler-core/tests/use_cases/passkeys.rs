//! Passkeys: whose they are, what they open, and how they end.

use chrono::TimeDelta;
use scheduler_core::app::{ClaimedSession, Member, NewPasskey};
use scheduler_core::ids::PersonId;
use scheduler_core::passkey::{CHALLENGE_LIFETIME, CHALLENGES_MAX, Passkey};
use scheduler_core::session::Role;

use crate::support::{World, done, outcome, refused};

/// Somebody who has signed in by a link.
fn signed_in(world: &World, role: Role) -> ClaimedSession {
    let workspace = world.caller.workspace.id;
    let link = done(world.scheduler.create_sign_in_link(workspace, role)).unwrap();
    done(world.scheduler.sign_in_by_link(&link.pass, "a browser")).unwrap().unwrap()
}

fn member(world: &World, session: &ClaimedSession) -> Member {
    done(world.scheduler.member(Some(session.value.expose()))).unwrap()
}

fn new(number: u8, role: Role) -> NewPasskey {
    NewPasskey {
        role,
        made_in: "a browser".to_owned(),
        credential: vec![number; 32],
        public: vec![1, number],
        state: vec![0; 7],
    }
}

fn add(world: &World, member: &Member, name: &str, number: u8, role: Role) -> Passkey {
    done(world.scheduler.add_passkey(member, name, new(number, role))).unwrap()
}

fn use_it(world: &World, passkey: &Passkey, count: u8) -> Option<ClaimedSession> {
    let workspace = world.caller.workspace.clone();
    let state = [count; 7];
    done(world.scheduler.sign_in_by_passkey(passkey, workspace, &state, "a phone")).unwrap()
}

#[test]
fn a_passkey_names_the_session_that_adds_it_and_those_that_it_opens() {
    let world = World::empty();
    let session = signed_in(&world, Role::Editor);
    let before = member(&world, &session);
    let passkey = add(&world, &before, " Ana ", 1, Role::Editor);
    assert_eq!(passkey.person.name.as_str(), "Ana");
    // What the session did before is hers.
    assert_eq!(passkey.person.id, PersonId(session.session.id.0));
    assert_eq!(member(&world, &session).person(), Some(&passkey.person));

    let opened = use_it(&world, &passkey, 1).unwrap();
    assert_eq!(opened.session.role, Role::Editor);
    let ana = member(&world, &opened);
    assert_eq!((ana.person(), ana.caller().person.as_ref()), (Some(&passkey.person), ana.person()));
    // Another one of hers needs no name, and takes none.
    let second = add(&world, &ana, "Somebody else", 2, Role::Editor);
    assert_eq!(second.person, passkey.person);
}

#[test]
fn no_passkey_may_more_than_the_session_that_adds_it() {
    for of_session in Role::ALL {
        for asked in Role::ALL {
            let world = World::empty();
            let mine = member(&world, &signed_in(&world, of_session));
            let passkey = add(&world, &mine, "Ana", 1, asked);
            assert_eq!(passkey.role, asked.min(of_session), "{asked} by {of_session}");
        }
    }
}

#[test]
fn names_are_of_one_person() {
    let world = World::empty();
    let ana = member(&world, &signed_in(&world, Role::Editor));
    add(&world, &ana, "Ana", 1, Role::Editor);
    let other = member(&world, &signed_in(&world, Role::Editor));
    for (name, want) in [
        ("Ana", "invalid_request name"),
        ("ANA", "invalid_request name"),
        ("", "invalid_request name"),
        ("Ben", "ok"),
    ] {
        let offered = refused(done(world.scheduler.offer_passkey(&other, name)));
        assert_eq!(outcome(&offered), want, "{name:?}");
    }
    let same = refused(done(world.scheduler.add_passkey(&other, "Ben", new(1, Role::Editor))));
    assert_eq!(outcome(&same), "invalid_request answer", "a credential is of one");
    let program = Member::owner_of(world.caller.workspace.clone());
    let offered = refused(done(world.scheduler.offer_passkey(&program, "Cleo")));
    assert_eq!(outcome(&offered), "forbidden", "a program is nobody");
}

#[test]
fn one_answer_counts_once() {
    let world = World::empty();
    let ana = member(&world, &signed_in(&world, Role::Editor));
    let passkey = add(&world, &ana, "Ana", 1, Role::Editor);
    assert!(use_it(&world, &passkey, 1).is_some());
    assert!(use_it(&world, &passkey, 1).is_none(), "it was read before the first");
    let (read, _) = done(world.scheduler.passkey_of(&passkey.credential)).unwrap().unwrap();
    assert_eq!((read.state.as_slice(), read.used_at), ([1; 7].as_slice(), Some(world.now())));
    assert!(use_it(&world, &read, 2).is_some());
}

#[test]
fn a_challenge_is_answered_once_in_time_and_where_it_was_asked() {
    let world = World::empty();
    let mine = signed_in(&world, Role::Editor).session.id;
    let other = signed_in(&world, Role::Editor).session.id;
    let almost = CHALLENGE_LIFETIME - TimeDelta::microseconds(1);
    for (name, asked_in, answered_in, after, want) in [
        ("in its session", Some(mine), Some(mine), almost, true),
        ("in another", Some(mine), Some(other), almost, false),
        ("asked in a session, answered to sign in", Some(mine), None, almost, false),
        ("asked to sign in, answered in a session", None, Some(mine), almost, false),
        ("to sign in", None, None, almost, true),
        ("too late", None, None, CHALLENGE_LIFETIME, false),
    ] {
        let pass = done(world.scheduler.keep_challenge(asked_in, vec![7])).unwrap();
        world.clock.advance(after);
        let taken = || done(world.scheduler.take_challenge(&pass, answered_in)).unwrap();
        assert_eq!(taken(), want.then(|| vec![7]), "{name}");
        assert_eq!(taken(), None, "{name}, again");
    }
}

#[test]
fn open_challenges_are_bounded() {
    let world = World::empty();
    let ask = || refused(done(world.scheduler.keep_challenge(None, vec![7])).map(drop));
    for _ in 0..CHALLENGES_MAX {
        ask().unwrap();
    }
    assert_eq!(outcome(&ask()), "unavailable");
    world.clock.advance(CHALLENGE_LIFETIME);
    assert_eq!(outcome(&ask()), "ok", "those that were open have expired");
}

#[test]
fn whoever_is_shut_out_is_out() {
    let world = World::empty();
    let first = signed_in(&world, Role::Editor);
    let ana = member(&world, &first);
    let passkey = add(&world, &ana, "Ana", 1, Role::Editor);
    let on_phone = use_it(&world, &passkey, 1).unwrap();
    let ben = member(&world, &signed_in(&world, Role::Editor));
    let remove = |by: &Member| refused(done(world.scheduler.remove_passkey(by, passkey.id)));
    assert_eq!(outcome(&remove(&ben)), "forbidden", "an editor, of another");
    let is_in = |session: &ClaimedSession| {
        done(world.scheduler.member(Some(session.value.expose()))).is_ok()
    };
    let owner = member(&world, &signed_in(&world, Role::Owner));
    assert_eq!(outcome(&remove(&owner)), "ok");
    assert!(!is_in(&first) && !is_in(&on_phone), "both of hers");
    assert_eq!(outcome(&remove(&owner)), "not_found");
    assert!(done(world.scheduler.passkey_of(&passkey.credential)).unwrap().is_none());
    assert!(use_it(&world, &passkey, 2).is_none(), "it was read before");
}

#[test]
fn whoever_removes_their_own_stays() {
    let world = World::empty();
    let session = signed_in(&world, Role::Reader);
    let passkey = add(&world, &member(&world, &session), "Ana", 1, Role::Reader);
    let other = use_it(&world, &passkey, 1).unwrap();
    let ana = member(&world, &session);
    done(world.scheduler.remove_passkey(&ana, passkey.id)).unwrap();
    assert_eq!(member(&world, &session).person(), ana.person());
    assert!(done(world.scheduler.member(Some(other.value.expose()))).is_err());
}
