use std::sync::Arc;

use scheduler_core::connecting::Pass;
use scheduler_core::ids::{SessionId, WorkspaceId};
use scheduler_core::ports::{LoginOf, Store};
use scheduler_core::session::{Login, LoginCode, Role, Session, SessionValue};
use tokio::task::JoinSet;

use crate::fixtures::{World, at, id, person};

fn login(seed: u8) -> Login {
    let secret = Pass::from_random([seed; 32]);
    Login {
        id: SessionId(id()),
        code: LoginCode::from_random([seed; 32]),
        secret: secret.hash(),
        session: SessionValue::of_login(&secret).hash(),
        client: format!("client {seed}"),
        api: seed % 2 == 1,
        created_at: at(0),
        expires_at: at(600),
    }
}

/// The session that a login becomes.
fn session(workspace: WorkspaceId, login: &Login, role: Role) -> Session {
    Session {
        id: login.id,
        workspace_id: workspace,
        hash: login.session,
        role,
        person: None,
        client: login.client.clone(),
        api: login.api,
        created_at: at(1),
        expires_at: at(86_400),
    }
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let mut all = Vec::new();
    for (seed, role) in (1_u8..).zip(Role::ALL) {
        let mut session = session(world.workspace, &login(seed), role);
        session.created_at = at(100 - i64::from(seed));
        session.person = (seed % 2 == 0).then(|| person(&format!("Ana {seed}")));
        assert!(store.open_session(&session).await.unwrap());
        all.insert(0, session);
    }
    let foreign = session(other.workspace, &login(9), Role::Owner);
    assert!(store.open_session(&foreign).await.unwrap());
    assert_eq!(store.sessions(world.workspace).await.unwrap(), all, "oldest first");
    assert_eq!(store.sessions(other.workspace).await.unwrap(), [foreign]);
}

pub(crate) async fn are_found_by_hash_with_their_workspace(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut expired = session(world.workspace, &login(1), Role::Editor);
    expired.expires_at = at(-1);
    store.open_session(&expired).await.unwrap();
    let (found, workspace) = store.session_by_hash(expired.hash).await.unwrap().unwrap();
    assert_eq!(found, expired, "expired or not");
    assert_eq!(workspace.id, world.workspace);
    assert_eq!(store.session_by_hash(login(2).session).await.unwrap(), None);
}

pub(crate) async fn opened_at_once_are_opened_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let login = login(1);
    let mut callers = JoinSet::new();
    for role in Role::ALL.into_iter().cycle().take(8) {
        let (store, mine) = (store.clone(), session(world.workspace, &login, role));
        callers.spawn(async move { store.open_session(&mine).await.unwrap() });
    }
    let opened = callers.join_all().await.into_iter().filter(|opened| *opened).count();
    assert_eq!(opened, 1);
    assert_eq!(store.sessions(world.workspace).await.unwrap().len(), 1);
}

pub(crate) async fn are_ended_by_their_workspace(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let mine = session(world.workspace, &login(1), Role::Owner);
    store.open_session(&mine).await.unwrap();
    assert!(!store.remove_session(other.workspace, mine.id).await.unwrap(), "another's");
    assert!(store.session_by_hash(mine.hash).await.unwrap().is_some());
    assert!(store.remove_session(world.workspace, mine.id).await.unwrap());
    assert!(!store.remove_session(world.workspace, mine.id).await.unwrap(), "it is gone");
    assert_eq!(store.session_by_hash(mine.hash).await.unwrap(), None);
}

pub(crate) async fn last_longer(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let mine = session(world.workspace, &login(1), Role::Owner);
    store.open_session(&mine).await.unwrap();
    let until = at(172_800);
    assert!(!store.extend_session(other.workspace, mine.id, until).await.unwrap(), "another's");
    assert!(store.extend_session(world.workspace, mine.id, until).await.unwrap());
    let longer = Session { expires_at: until, ..mine.clone() };
    assert_eq!(store.sessions(world.workspace).await.unwrap(), [longer]);
    let nobody = login(2).id;
    assert!(!store.extend_session(world.workspace, nobody, until).await.unwrap(), "there is none");
}

pub(crate) async fn name_a_person(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let mine = session(world.workspace, &login(1), Role::Owner);
    store.open_session(&mine).await.unwrap();
    let ana = person("it's Ana");
    assert!(!store.name_session(other.workspace, mine.id, &ana).await.unwrap(), "another's");
    assert!(store.name_session(world.workspace, mine.id, &ana).await.unwrap());
    let named = Session { person: Some(ana.clone()), ..mine };
    assert_eq!(store.sessions(world.workspace).await.unwrap(), [named]);
    let nobody = login(2).id;
    assert!(!store.name_session(world.workspace, nobody, &ana).await.unwrap(), "there is none");
}

pub(crate) async fn begin_with_a_login_of_its_own(store: Arc<dyn Store>) {
    let (first, second) = (login(1), login(2));
    assert!(store.create_login(&first).await.unwrap());
    assert!(store.create_login(&second).await.unwrap());
    let of_code = |login: &Login| LoginOf::Code(login.code.clone());
    for login in [&first, &second] {
        let of_secret = LoginOf::Secret(login.secret);
        assert_eq!(store.login(&of_code(login)).await.unwrap().as_ref(), Some(login));
        assert_eq!(store.login(&of_secret).await.unwrap().as_ref(), Some(login));
    }
    assert_eq!(store.login(&of_code(&login(3))).await.unwrap(), None);
    let same_code = Login { code: first.code.clone(), ..login(4) };
    let same_secret = Login { secret: first.secret, ..login(5) };
    for (name, login) in [("the code", same_code), ("the secret", same_secret)] {
        assert!(!store.create_login(&login).await.unwrap(), "{name} of another");
    }
}

pub(crate) async fn are_removed_after_their_time(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for (seed, end) in [(1, 10), (2, 20), (3, 21)] {
        let login = Login { expires_at: at(end), ..login(seed) };
        assert!(store.create_login(&login).await.unwrap());
        let session = session(world.workspace, &login, Role::Owner);
        store.open_session(&Session { expires_at: at(end + 1), ..session }).await.unwrap();
    }
    assert_eq!(store.remove_expired_sessions(at(9)).await.unwrap(), 0);
    assert_eq!(store.remove_expired_sessions(at(20)).await.unwrap(), 3, "two and one");
    let left = store.sessions(world.workspace).await.unwrap();
    assert_eq!(left.len(), 2);
    assert!(store.login(&LoginOf::Code(login(3).code)).await.unwrap().is_some());
}
