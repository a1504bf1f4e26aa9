use std::sync::Arc;

use futures_util::future::join_all;
use scheduler_core::account::{Account, Connection, Credentials};
use scheduler_core::ids::AccountId;
use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::ports::{ConnectOutcome, RefreshClaim, Store};
use serde_json::{Map, Value};

use crate::fixtures::{NO_LIMIT, World, account, at, credentials, id};

fn options(json: &str) -> Map<String, Value> {
    serde_json::from_str(json).unwrap()
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = Account {
        server_url: Some("https://social.example".to_owned()),
        display_name: Some("A \u{1f600} name".to_owned()),
        avatar_url: Some("https://social.example/a.png".to_owned()),
        connection: Some(Connection::ViaPage),
        timezone: Some("Europe/Berlin".parse().unwrap()),
        schedule: "mon-fri 09:00,13:00; sat 11:00".parse().unwrap(),
        default_options: options(r#"{"signature": "Ana", "labels": ["nudity"]}"#),
        limits: AccountLimits { text_limit: Some(5_000), ..AccountLimits::default() },
        ..account(world.workspace, Platform::Instagram, "1789")
    };
    store.connect_account(&account, &credentials("token"), NO_LIMIT).await.unwrap();
    assert_eq!(store.account(world.workspace, account.id).await.unwrap(), Some(account.clone()));
    let stored = store.credentials(account.id).await.unwrap().unwrap();
    assert_eq!(stored.credentials.expose(), "token");
    assert_eq!(stored.credentials.expires_at, Some(at(3_600)));

    let other = World::add(store.clone(), "other").await;
    assert_eq!(store.account(other.workspace, account.id).await.unwrap(), None);
    assert!(store.credentials(AccountId(id())).await.unwrap().is_none());
}

pub(crate) async fn are_listed_in_the_order_of_connection(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut ids = Vec::new();
    for (name, connected_at) in [("third", 9), ("first", 1), ("second", 1)] {
        let mut account = account(world.workspace, Platform::Bluesky, name);
        account.connected_at = at(connected_at);
        store.connect_account(&account, &credentials("token"), NO_LIMIT).await.unwrap();
        ids.push(account.id);
    }
    let listed: Vec<AccountId> =
        store.accounts(world.workspace).await.unwrap().iter().map(|account| account.id).collect();
    assert_eq!(listed, [ids[1], ids[2], ids[0]]);
}

pub(crate) async fn connected_again_keep_what_is_theirs(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut old = world.account().await;
    old.timezone = Some("Asia/Tokyo".parse().unwrap());
    old.schedule = "daily 10:00".parse().unwrap();
    old.default_options = options(r#"{"signature": "Ana"}"#);
    assert!(store.update_account(&old).await.unwrap());
    let before = store.credentials(old.id).await.unwrap().unwrap();
    assert!(store.mark_needs_reconnect(old.id, before.version, None).await.unwrap());

    for is_disconnected in [false, true] {
        if is_disconnected {
            assert!(store.disconnect_account(world.workspace, old.id, at(50)).await.unwrap());
        }
        let again = Account {
            id: AccountId(id()),
            username: Some("renamed.example".to_owned()),
            limits: AccountLimits { max_media: Some(3), ..AccountLimits::default() },
            connected_at: at(100),
            schedule: "mon 01:00".parse().unwrap(),
            default_options: options(r#"{"signature": "Bo"}"#),
            timezone: None,
            ..old.clone()
        };
        let outcome = store.connect_account(&again, &credentials("new"), NO_LIMIT).await.unwrap();
        let want = Account {
            username: again.username,
            limits: again.limits,
            needs_reconnect: false,
            ..old.clone()
        };
        assert_eq!(outcome, ConnectOutcome::Reconnected(want.clone()), "{is_disconnected}");
        let stored = store.account(world.workspace, old.id).await.unwrap();
        assert_eq!(stored, Some(want), "{is_disconnected}");
        assert_eq!(store.account(world.workspace, again.id).await.unwrap(), None);
        let stored = store.credentials(old.id).await.unwrap().unwrap();
        assert_eq!(stored.credentials.expose(), "new");
        assert!(stored.version > before.version);
    }
}

pub(crate) async fn are_counted_against_the_limit(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let accounts: Vec<Account> = ["a", "b", "c"]
        .into_iter()
        .map(|name| account(world.workspace, Platform::Bluesky, name))
        .collect();
    let connect = async |index: usize, limit: u64| {
        store.connect_account(&accounts[index], &credentials("token"), limit).await.unwrap()
    };
    assert_eq!(connect(0, 0).await, ConnectOutcome::LimitReached);
    assert_eq!(connect(0, 2).await, ConnectOutcome::Added);
    assert_eq!(connect(1, 2).await, ConnectOutcome::Added);
    assert_eq!(connect(2, 2).await, ConnectOutcome::LimitReached);
    assert_eq!(store.accounts(world.workspace).await.unwrap().len(), 2, "nothing was stored");
    assert!(
        matches!(connect(0, 2).await, ConnectOutcome::Reconnected(_)),
        "one that is connected already is not counted twice"
    );
    assert!(store.disconnect_account(world.workspace, accounts[0].id, at(1)).await.unwrap());
    assert_eq!(connect(2, 2).await, ConnectOutcome::Added, "a place has become free");
    assert_eq!(connect(0, 2).await, ConnectOutcome::LimitReached, "and is taken again");
    assert!(store.credentials(accounts[0].id).await.unwrap().is_none());

    let other = World::add(store.clone(), "other").await;
    let theirs = account(other.workspace, Platform::Bluesky, "a");
    let outcome = store.connect_account(&theirs, &credentials("token"), 1).await.unwrap();
    assert_eq!(outcome, ConnectOutcome::Added, "another workspace counts by itself");
}

pub(crate) async fn connected_at_once_respect_the_limit(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let callers = (0..20).map(|number| {
        let (store, workspace) = (store.clone(), world.workspace);
        tokio::spawn(async move {
            let account = account(workspace, Platform::Bluesky, &format!("did:{number}"));
            store.connect_account(&account, &credentials("token"), 3).await.unwrap()
        })
    });
    let outcomes: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    assert_eq!((count(ConnectOutcome::Added), count(ConnectOutcome::LimitReached)), (3, 17));
    assert_eq!(store.accounts(world.workspace).await.unwrap().len(), 3);
}

pub(crate) async fn the_same_connected_at_once_is_one(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let callers = (0..10).map(|_| {
        let (store, workspace) = (store.clone(), world.workspace);
        tokio::spawn(async move {
            let account = account(workspace, Platform::Bluesky, "did:same");
            store.connect_account(&account, &credentials("token"), 1).await.unwrap()
        })
    });
    let outcomes: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let added = outcomes.iter().filter(|outcome| **outcome == ConnectOutcome::Added).count();
    assert_eq!(added, 1);
    let reconnected = |outcome: &&ConnectOutcome| matches!(outcome, ConnectOutcome::Reconnected(_));
    assert_eq!(outcomes.iter().filter(reconnected).count(), 9);
    assert_eq!(store.accounts(world.workspace).await.unwrap().len(), 1);
}

pub(crate) async fn are_updated(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut account = world.account().await;
    account.timezone = Some("Europe/Berlin".parse().unwrap());
    account.schedule = "sun 23:30".parse().unwrap();
    account.default_options = options(r#"{"languages": ["en"]}"#);
    let changed = Account { username: Some("ignored".to_owned()), ..account.clone() };
    assert!(store.update_account(&changed).await.unwrap());
    let stored = store.account(world.workspace, account.id).await.unwrap();
    assert_eq!(stored.as_ref(), Some(&account), "zone, schedule and default options alone");
    account.default_options = options("{}");
    assert!(store.update_account(&account).await.unwrap());
    assert_eq!(store.account(world.workspace, account.id).await.unwrap(), Some(account));
    let unknown = crate::fixtures::account(world.workspace, Platform::Bluesky, "unknown");
    assert!(!store.update_account(&unknown).await.unwrap());
}

/// Replaces the credentials of one account, and says whether that was done.
async fn replace(store: &Arc<dyn Store>, id: AccountId, version: i64, new: &str) -> bool {
    let replaced = store.replace_credentials(&[(id, version)], &credentials(new)).await.unwrap();
    replaced == [id]
}

pub(crate) async fn that_share_credentials_get_new_ones_together(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (first, second) = (world.account().await, world.account().await);
    let gone = world.account().await;
    let version = async |id: AccountId| store.credentials(id).await.unwrap().unwrap().version;
    let stale = version(second.id).await - 1;
    let all = [
        (second.id, version(second.id).await),
        (gone.id, version(gone.id).await),
        (first.id, version(first.id).await),
    ];
    assert!(store.mark_needs_reconnect(second.id, all[0].1, None).await.unwrap());
    assert!(store.disconnect_account(world.workspace, gone.id, at(9)).await.unwrap());
    let until = at(19);
    store.claim_refresh(first.id, all[2].1, at(9), until).await.unwrap();

    let mut replaced = store.replace_credentials(&all, &credentials("shared")).await.unwrap();
    replaced.sort();
    let mut want = vec![first.id, second.id];
    want.sort();
    assert_eq!(replaced, want, "not the one that is disconnected");
    for (id, before) in [(first.id, all[2].1), (second.id, all[0].1)] {
        let stored = store.credentials(id).await.unwrap().unwrap();
        assert_eq!((stored.credentials.expose(), stored.version), ("shared", before + 1));
        let claim = store.claim_refresh(id, stored.version, at(9), until).await.unwrap();
        assert!(matches!(claim, RefreshClaim::Granted), "{claim:?}: the claim has ended");
    }
    let account = store.account(world.workspace, second.id).await.unwrap().unwrap();
    assert!(!account.needs_reconnect);
    let late = [(second.id, stale), (first.id, version(first.id).await)];
    let replaced = store.replace_credentials(&late, &credentials("late")).await.unwrap();
    assert_eq!(replaced, [first.id], "the other has newer ones");
}

pub(crate) async fn are_disconnected(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let account = world.account().await;
    let version = store.credentials(account.id).await.unwrap().unwrap().version;
    assert!(!store.disconnect_account(other.workspace, account.id, at(9)).await.unwrap());
    assert!(store.disconnect_account(world.workspace, account.id, at(9)).await.unwrap());
    assert!(!store.disconnect_account(world.workspace, account.id, at(10)).await.unwrap());
    assert!(store.accounts(world.workspace).await.unwrap().is_empty());
    let stored = store.account(world.workspace, account.id).await.unwrap().unwrap();
    assert_eq!(stored.disconnected_at, Some(at(9)), "it can still be read");
    assert!(store.credentials(account.id).await.unwrap().is_none());
    assert!(!store.mark_needs_reconnect(account.id, version, None).await.unwrap());
    assert!(!replace(&store, account.id, version, "late").await);
    let claim = store.claim_refresh(account.id, version, at(9), at(19)).await.unwrap();
    assert!(matches!(claim, RefreshClaim::Gone), "{claim:?}");
}

pub(crate) async fn are_marked_against_the_version_that_was_refused(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await;
    let version = store.credentials(account.id).await.unwrap().unwrap().version;
    assert!(replace(&store, account.id, version, "new").await);
    assert!(!store.mark_needs_reconnect(account.id, version, None).await.unwrap());
    let needs =
        async || store.account(world.workspace, account.id).await.unwrap().unwrap().needs_reconnect;
    assert!(!needs().await, "the refused token is not the one that it has");
    let version = store.credentials(account.id).await.unwrap().unwrap().version;
    assert!(store.mark_needs_reconnect(account.id, version, None).await.unwrap());
    assert!(needs().await);
}

pub(crate) async fn are_refreshed_by_one_holder_at_a_time(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await;
    let version = store.credentials(account.id).await.unwrap().unwrap().version;
    let claim = async |version: i64, now: i64| {
        store.claim_refresh(account.id, version, at(now), at(now + 10)).await.unwrap()
    };
    assert!(matches!(claim(version, 0).await, RefreshClaim::Granted));
    let RefreshClaim::Busy { until } = claim(version, 9).await else { panic!("leased until 10") };
    assert_eq!(until, at(10));
    assert!(matches!(claim(version, 10).await, RefreshClaim::Granted), "the lease has run out");
    assert!(replace(&store, account.id, version, "new").await);
    let RefreshClaim::Newer(stored) = claim(version, 11).await else { panic!("not newer") };
    assert_eq!(stored.credentials.expose(), "new");
    assert!(matches!(claim(stored.version, 11).await, RefreshClaim::Granted), "the claim ended");
    assert!(!replace(&store, account.id, version, "late").await, "the first holder is too late");
    let gone = store.claim_refresh(AccountId(id()), 1, at(0), at(10)).await.unwrap();
    assert!(matches!(gone, RefreshClaim::Gone));
}

pub(crate) async fn refreshed_at_once_are_granted_to_one(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await;
    let version = store.credentials(account.id).await.unwrap().unwrap().version;
    let callers = (0..20).map(|_| {
        let (store, id) = (store.clone(), account.id);
        tokio::spawn(async move { store.claim_refresh(id, version, at(0), at(10)).await.unwrap() })
    });
    let claims: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let granted = |claim: &&RefreshClaim| matches!(claim, RefreshClaim::Granted);
    let busy =
        |claim: &&RefreshClaim| matches!(claim, RefreshClaim::Busy { until } if *until == at(10));
    assert_eq!(claims.iter().filter(granted).count(), 1);
    assert_eq!(claims.iter().filter(busy).count(), 19);
}

pub(crate) async fn are_found_when_they_expire(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let expiring = async |account: &Account, seconds: Option<i64>| {
        let version = store.credentials(account.id).await.unwrap().unwrap().version;
        let new = Credentials::new("new", seconds.map(at));
        store.replace_credentials(&[(account.id, version)], &new).await.unwrap();
        version + 1
    };
    let (late, soon, never) = (world.account().await, other.account().await, world.account().await);
    let (marked, gone) = (world.account().await, world.account().await);
    expiring(&late, Some(20)).await;
    expiring(&soon, Some(10)).await;
    expiring(&never, None).await;
    let version = expiring(&marked, Some(5)).await;
    assert!(store.mark_needs_reconnect(marked.id, version, None).await.unwrap());
    expiring(&gone, Some(5)).await;
    assert!(store.disconnect_account(world.workspace, gone.id, at(6)).await.unwrap());
    let found = async |until: i64, limit: u32| {
        let found = store.accounts_expiring(at(until), limit).await.unwrap();
        found.into_iter().map(|account| account.id).collect::<Vec<_>>()
    };
    assert_eq!(found(9, 10).await, []);
    assert_eq!(found(10, 10).await, [soon.id]);
    assert_eq!(found(20, 10).await, [soon.id, late.id], "those first that expire first");
    assert_eq!(found(20, 1).await, [soon.id]);
}
