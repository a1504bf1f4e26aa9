//! Passkeys of people, and what they are asked.

use std::sync::Arc;

use scheduler_core::connecting::{Pass, PassHash};
use scheduler_core::ids::{PasskeyId, SessionId, WorkspaceId};
use scheduler_core::passkey::{Challenge, Passkey};
use scheduler_core::ports::Store;
use scheduler_core::session::Role;
use tokio::task::JoinSet;

use crate::fixtures::{World, at, id, person};

fn passkey(workspace_id: WorkspaceId, number: u8) -> Passkey {
    Passkey {
        id: PasskeyId(id()),
        workspace_id,
        person: person(&format!("Ana {number}")),
        role: Role::Editor,
        made_in: format!("it's browser {number}"),
        credential: vec![number; 64],
        public: vec![0, 255, number],
        state: vec![number; 7],
        created_at: at(100 - i64::from(number)),
        used_at: None,
    }
}

fn challenge(number: u8, seconds: i64) -> Challenge {
    Challenge {
        pass: pass(number),
        session: (number % 2 == 1).then(|| SessionId(id())),
        state: vec![0, number],
        expires_at: at(seconds),
    }
}

fn pass(number: u8) -> PassHash {
    Pass::from_random([number; 32]).hash()
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (first, second) = (passkey(world.workspace, 1), passkey(world.workspace, 2));
    let foreign = passkey(other.workspace, 3);
    for passkey in [&first, &second, &foreign] {
        assert!(store.create_passkey(passkey).await.unwrap());
    }
    let same = Passkey { credential: first.credential.clone(), ..passkey(other.workspace, 4) };
    assert!(!store.create_passkey(&same).await.unwrap(), "a credential is of one passkey");
    let mine = store.passkeys(world.workspace).await.unwrap();
    assert_eq!(mine, [second, first.clone()], "oldest first");
    let (found, workspace) = store.passkey_by_credential(&first.credential).await.unwrap().unwrap();
    assert_eq!((found, workspace.id), (first, world.workspace));
    assert_eq!(store.passkey_by_credential(&[9; 64]).await.unwrap(), None);
}

pub(crate) async fn are_used_against_the_state_that_was_read(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let read = passkey(world.workspace, 1);
    store.create_passkey(&read).await.unwrap();
    let mut callers = JoinSet::new();
    for number in 10..18 {
        let (store, read) = (store.clone(), read.clone());
        callers.spawn(async move { store.use_passkey(&read, &[number; 7], at(5)).await.unwrap() });
    }
    let used = callers.join_all().await.into_iter().filter(|used| *used).count();
    assert_eq!(used, 1, "of many at once");
    let kept = store.passkeys(world.workspace).await.unwrap().pop().unwrap();
    assert_eq!(kept.used_at, Some(at(5)));
    assert!(!store.use_passkey(&read, &[1; 7], at(6)).await.unwrap(), "it has another state");
    assert!(store.use_passkey(&kept, &[1; 7], at(6)).await.unwrap());
}

pub(crate) async fn are_removed_by_their_workspace(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let mine = passkey(world.workspace, 1);
    store.create_passkey(&mine).await.unwrap();
    assert!(!store.remove_passkey(other.workspace, mine.id).await.unwrap(), "another's");
    assert!(store.remove_passkey(world.workspace, mine.id).await.unwrap());
    assert!(!store.remove_passkey(world.workspace, mine.id).await.unwrap(), "it is gone");
    assert_eq!(store.passkey_by_credential(&mine.credential).await.unwrap(), None);
    assert!(!store.use_passkey(&mine, &[2; 7], at(5)).await.unwrap());
}

pub(crate) async fn answer_what_they_are_asked_once(store: Arc<dyn Store>) {
    let (of_session, of_nobody) = (challenge(1, 50), challenge(2, 50));
    for asked in [&of_session, &of_nobody] {
        assert!(store.keep_challenge(asked, at(0), 9).await.unwrap());
    }
    let mut callers = JoinSet::new();
    for _ in 0..8 {
        let store = store.clone();
        callers.spawn(async move { store.take_challenge(pass(1)).await.unwrap() });
    }
    let taken: Vec<Challenge> = callers.join_all().await.into_iter().flatten().collect();
    assert_eq!(taken, [of_session], "of many at once");
    assert_eq!(store.take_challenge(pass(2)).await.unwrap(), Some(of_nobody));
    for number in 1..=3 {
        assert_eq!(store.take_challenge(pass(number)).await.unwrap(), None);
    }
}

pub(crate) async fn are_asked_a_number_of_things(store: Arc<dyn Store>) {
    for number in 1..=3 {
        let asked = challenge(number, 10 + i64::from(number));
        assert!(store.keep_challenge(&asked, at(0), 3).await.unwrap());
    }
    assert!(!store.keep_challenge(&challenge(4, 50), at(0), 3).await.unwrap(), "three are open");
    assert_eq!(store.take_challenge(pass(4)).await.unwrap(), None);
    assert!(store.keep_challenge(&challenge(5, 50), at(11), 3).await.unwrap(), "one has expired");
    assert_eq!(store.take_challenge(pass(1)).await.unwrap(), None);
    assert!(store.take_challenge(pass(2)).await.unwrap().is_some());
}
