//! What people have granted programs, and its tokens.

use std::sync::Arc;

use scheduler_core::connecting::Pass;
use scheduler_core::ids::{GrantId, SessionId, WorkspaceId};
use scheduler_core::key::Preset;
use scheduler_core::oauth::{
    Challenge, ClientId, Grant, GrantToken, Redirect, TokenHash, TokenKind, TokenValue,
    USED_TOKENS_MAX,
};
use scheduler_core::ports::Store;
use tokio::task::JoinSet;

use crate::fixtures::{World, at, id, person};

fn grant(workspace_id: WorkspaceId, number: u8) -> Grant {
    Grant {
        id: GrantId(id()),
        workspace_id,
        session_id: (!number.is_multiple_of(2)).then(|| SessionId(id())),
        person: number.is_multiple_of(2).then(|| person(&format!("Ana {number}"))),
        client_id: ClientId::parse(&format!("https://a.example/it's/{number}")).unwrap(),
        client_name: format!("it's client {number} é"),
        redirect: Redirect::parse(&format!("http://127.0.0.1:{number}/back?of=1")).unwrap(),
        challenge: Challenge([number; 32]),
        resource: "https://posts.example/mcp".to_owned(),
        scopes: Preset::Agent.scopes(),
        created_at: at(100 - i64::from(number)),
        used_at: None,
        expires_at: at(160),
    }
}

fn hash(kind: TokenKind, number: u8) -> TokenHash {
    TokenValue::new(kind, &Pass::from_random([number; 32])).hash()
}

fn token(grant: &Grant, kind: TokenKind, number: u8, seconds: i64) -> GrantToken {
    let (hash, grant_id, expires_at) = (hash(kind, number), grant.id, at(seconds));
    GrantToken { hash, grant_id, kind, expires_at, used_at: None }
}

/// The code of a grant that is stored.
async fn stored(store: &Arc<dyn Store>, grant: &Grant, number: u8) -> GrantToken {
    let code = token(grant, TokenKind::Code, number, 160);
    assert!(store.create_grant(grant, &code, at(0), 9).await.unwrap());
    code
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (first, second) = (grant(world.workspace, 1), grant(world.workspace, 2));
    let foreign = grant(other.workspace, 3);
    for (number, grant) in (1..).zip([&first, &second, &foreign]) {
        let code = stored(&store, grant, number).await;
        let (found, of, workspace) = store.grant_token(code.hash).await.unwrap().unwrap();
        assert_eq!((&found, &of, workspace.id), (&code, grant, grant.workspace_id));
    }
    let mine = store.grants(world.workspace).await.unwrap();
    assert_eq!(mine, [second, first], "oldest first");
    assert_eq!(store.grant_token(hash(TokenKind::Code, 9)).await.unwrap(), None);
}

pub(crate) async fn have_a_limit_and_an_end(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let ends =
        |number, seconds| Grant { expires_at: at(seconds), ..grant(world.workspace, number) };
    for (number, seconds) in [(1, 10), (2, 20)] {
        let grant = ends(number, seconds);
        let code = token(&grant, TokenKind::Code, number, seconds);
        assert!(store.create_grant(&grant, &code, at(0), 2).await.unwrap());
    }
    let third = ends(3, 30);
    let code = token(&third, TokenKind::Code, 3, 30);
    assert!(!store.create_grant(&third, &code, at(9), 2).await.unwrap(), "there are two");
    assert_eq!(store.grant_token(code.hash).await.unwrap(), None);
    let foreign = grant(other.workspace, 4);
    let of_other = token(&foreign, TokenKind::Code, 4, 160);
    assert!(store.create_grant(&foreign, &of_other, at(10), 2).await.unwrap(), "another's count");
    assert_eq!(store.grants(world.workspace).await.unwrap().len(), 2, "each removes its own");
    assert!(store.create_grant(&third, &code, at(10), 2).await.unwrap(), "one has expired");
    assert_eq!(store.grants(world.workspace).await.unwrap().len(), 2);
    assert_eq!(store.grant_token(hash(TokenKind::Code, 1)).await.unwrap(), None, "with its token");
}

pub(crate) async fn exchange_a_token_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let given = grant(world.workspace, 1);
    let code = stored(&store, &given, 1).await;
    let used = Grant { used_at: Some(at(110)), expires_at: at(9_000), ..given.clone() };
    let mut callers = JoinSet::new();
    for number in 10..18 {
        let (store, used, shown) = (store.clone(), used.clone(), code.hash);
        callers.spawn(async move {
            let access = token(&used, TokenKind::Access, number, 3_600);
            let refresh = token(&used, TokenKind::Refresh, number, 9_000);
            let next = [access, refresh];
            store.exchange_token(shown, &used, &next).await.unwrap().then_some(number)
        });
    }
    let won: Vec<u8> = callers.join_all().await.into_iter().flatten().collect();
    assert_eq!(won.len(), 1, "of many at once");
    for number in 10..18 {
        for kind in [TokenKind::Access, TokenKind::Refresh] {
            let found = store.grant_token(hash(kind, number)).await.unwrap();
            assert_eq!(found.is_some(), won.contains(&number), "{kind:?} of {number}");
        }
    }
    let (spent, of, _) = store.grant_token(code.hash).await.unwrap().unwrap();
    assert_eq!(spent, GrantToken { used_at: Some(at(110)), ..code.clone() }, "it is still known");
    assert_eq!(of, used);
    assert_eq!(store.grants(world.workspace).await.unwrap(), [used]);
    let unknown = hash(TokenKind::Code, 9);
    assert!(!store.exchange_token(unknown, &given, &[]).await.unwrap(), "there is none");
}

pub(crate) async fn forget_tokens_that_have_expired(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (given, other) = (grant(world.workspace, 1), grant(world.workspace, 2));
    let (code, of_other) = (stored(&store, &given, 1).await, stored(&store, &other, 2).await);
    let used =
        |seconds| Grant { used_at: Some(at(seconds)), expires_at: at(9_000), ..given.clone() };
    let refresh = token(&given, TokenKind::Refresh, 3, 9_000);
    let next = [token(&given, TokenKind::Access, 3, 3_600), refresh.clone()];
    assert!(store.exchange_token(code.hash, &used(110), &next).await.unwrap());
    let next = [token(&given, TokenKind::Access, 4, 7_200)];
    assert!(store.exchange_token(refresh.hash, &used(3_600), &next).await.unwrap());
    for (name, hash, is_known) in [
        ("the code", code.hash, false),
        ("the first access token", hash(TokenKind::Access, 3), false),
        ("the refresh token, which is used", refresh.hash, true),
        ("the second access token", hash(TokenKind::Access, 4), true),
        ("that of another grant", of_other.hash, true),
    ] {
        assert_eq!(store.grant_token(hash).await.unwrap().is_some(), is_known, "{name}");
    }
}

pub(crate) async fn have_one_access_token_each(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (given, other) = (grant(world.workspace, 1), grant(world.workspace, 2));
    let mut shown = Vec::new();
    for (number, grant) in [(1, &given), (2, &other)] {
        let code = stored(&store, grant, number).await;
        let used = Grant { used_at: Some(at(110)), expires_at: at(9_000), ..grant.clone() };
        let access = token(grant, TokenKind::Access, number, 3_600);
        let refresh = token(grant, TokenKind::Refresh, number, 9_000);
        shown.push(refresh.hash);
        assert!(store.exchange_token(code.hash, &used, &[access, refresh]).await.unwrap());
    }
    let used = Grant { used_at: Some(at(120)), expires_at: at(9_000), ..given.clone() };
    let next = [token(&given, TokenKind::Access, 3, 3_600)];
    let again = [token(&given, TokenKind::Access, 4, 3_600)];
    assert!(store.exchange_token(shown[0], &used, &next).await.unwrap());
    assert!(!store.exchange_token(shown[0], &used, &again).await.unwrap(), "once");
    for (number, is_known) in [(1, false), (2, true), (3, true), (4, false)] {
        let found = store.grant_token(hash(TokenKind::Access, number)).await.unwrap();
        assert_eq!(found.is_some(), is_known, "{number}");
    }
    assert!(store.grant_token(shown[0]).await.unwrap().is_some(), "used, and still known");
}

pub(crate) async fn are_removed_by_their_workspace(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let mine = grant(world.workspace, 1);
    let code = stored(&store, &mine, 1).await;
    assert!(!store.remove_grant(other.workspace, mine.id).await.unwrap(), "another's");
    assert!(store.remove_grant(world.workspace, mine.id).await.unwrap());
    assert!(!store.remove_grant(world.workspace, mine.id).await.unwrap(), "it is gone");
    assert_eq!(store.grant_token(code.hash).await.unwrap(), None, "with its tokens");
    let used = Grant { used_at: Some(at(110)), ..mine };
    let next = [token(&used, TokenKind::Access, 2, 3_600)];
    assert!(!store.exchange_token(code.hash, &used, &next).await.unwrap());
    assert_eq!(store.grants(world.workspace).await.unwrap(), []);
}

pub(crate) async fn removed_while_a_token_is_exchanged_are_gone(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for number in 1..=8 {
        let given = grant(world.workspace, number);
        let code = stored(&store, &given, number).await;
        let used = Grant { used_at: Some(at(110)), ..given.clone() };
        let next = [token(&used, TokenKind::Access, number, 3_600)];
        let (exchanged, removed) = tokio::join!(
            store.exchange_token(code.hash, &used, &next),
            store.remove_grant(world.workspace, given.id),
        );
        assert!(exchanged.is_ok() && removed.unwrap());
        assert_eq!(store.grants(world.workspace).await.unwrap(), []);
        for hash in [code.hash, next[0].hash] {
            assert_eq!(store.grant_token(hash).await.unwrap(), None);
        }
    }
}

pub(crate) async fn name_the_person_of_a_session(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (mine, beside) = (grant(world.workspace, 1), grant(world.workspace, 3));
    for (number, grant) in [(1, &mine), (3, &beside)] {
        stored(&store, grant, number).await;
    }
    let (session, ana) = (mine.session_id.unwrap(), person("it's Ana"));
    store.name_grants(other.workspace, session, &ana).await.unwrap();
    assert_eq!(store.grants(world.workspace).await.unwrap(), [beside.clone(), mine.clone()]);
    store.name_grants(world.workspace, session, &ana).await.unwrap();
    let named = Grant { person: Some(ana), ..mine };
    assert_eq!(store.grants(world.workspace).await.unwrap(), [beside, named]);
}

pub(crate) async fn end_with_a_session_that_names_nobody(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let mine = grant(world.workspace, 1);
    let session = mine.session_id.unwrap();
    let named = Grant { session_id: Some(session), ..grant(world.workspace, 2) };
    let beside = grant(world.workspace, 3);
    let mut codes = Vec::new();
    for (number, grant) in [(1, &mine), (2, &named), (3, &beside)] {
        codes.push(stored(&store, grant, number).await);
    }
    store.remove_grants_of_session(other.workspace, session).await.unwrap();
    assert_eq!(store.grants(world.workspace).await.unwrap().len(), 3, "another's");
    store.remove_grants_of_session(world.workspace, session).await.unwrap();
    assert_eq!(store.grants(world.workspace).await.unwrap(), [beside, named]);
    for (code, is_known) in codes.iter().zip([false, true, true]) {
        assert_eq!(store.grant_token(code.hash).await.unwrap().is_some(), is_known);
    }
    store.remove_grants_of_session(world.workspace, session).await.unwrap();
}

pub(crate) async fn remember_so_many_used_tokens(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let given = grant(world.workspace, 1);
    let mut shown = stored(&store, &given, 1).await.hash;
    let numbered = |number: u32| {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        TokenValue::new(TokenKind::Refresh, &Pass::from_random(bytes)).hash()
    };
    for number in 1..=USED_TOKENS_MAX + 2 {
        let used_at = Some(at(110 + i64::from(number)));
        let used = Grant { used_at, expires_at: at(90_000), ..given.clone() };
        let refresh =
            GrantToken { hash: numbered(number), ..token(&given, TokenKind::Refresh, 0, 90_000) };
        assert!(store.exchange_token(shown, &used, &[refresh]).await.unwrap(), "{number}");
        shown = numbered(number);
    }
    // The last was not used; of the others, so many are remembered.
    let oldest = 2;
    for (number, is_known) in [
        (oldest - 1, false),
        (oldest, true),
        (USED_TOKENS_MAX + 1, true),
        (USED_TOKENS_MAX + 2, true),
    ] {
        let found = store.grant_token(numbered(number)).await.unwrap();
        assert_eq!(found.is_some(), is_known, "{number}");
    }
}

pub(crate) async fn are_removed_when_they_have_expired(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut codes = Vec::new();
    for (number, seconds) in [(1, 160), (2, 160), (3, 161), (4, 160)] {
        let grant = Grant { expires_at: at(seconds), ..grant(world.workspace, number) };
        codes.push(stored(&store, &grant, number).await.hash);
    }
    for (seconds, limit, want) in [(159, 9, 0), (160, 2, 2), (160, 2, 1), (160, 2, 0)] {
        assert_eq!(store.remove_expired_grants(at(seconds), limit).await.unwrap(), want);
    }
    let left = store.grants(world.workspace).await.unwrap();
    assert_eq!(left.iter().map(|grant| grant.expires_at).collect::<Vec<_>>(), [at(161)]);
    for (hash, is_known) in codes.into_iter().zip([false, false, true, false]) {
        assert_eq!(store.grant_token(hash).await.unwrap().is_some(), is_known, "with its tokens");
    }
}
