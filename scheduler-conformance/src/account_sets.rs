use std::sync::Arc;

use scheduler_core::account::{AccountSet, AccountSetChange};
use scheduler_core::ids::{AccountId, AccountSetId, WorkspaceId};
use scheduler_core::ports::{SetOutcome, Store};
use tokio::task::JoinSet;

use crate::fixtures::{World, at, id};

fn set(workspace: WorkspaceId, name: &str, created: i64) -> AccountSet {
    AccountSet {
        id: AccountSetId(id()),
        workspace_id: workspace,
        name: name.to_owned(),
        accounts: vec![AccountId(id()), AccountId(id())],
        created_at: at(created),
    }
}

/// Everything that can be changed of a set.
fn all_of(set: &AccountSet) -> AccountSetChange {
    AccountSetChange { name: Some(set.name.clone()), account_ids: Some(set.accounts.clone()) }
}

async fn update(store: &dyn Store, set: &AccountSet, change: &AccountSetChange) -> SetOutcome {
    store.update_account_set(set.workspace_id, set.id, change).await.unwrap()
}

async fn kept(world: &World) -> Vec<AccountSet> {
    world.store.account_sets(world.workspace).await.unwrap()
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let [first, second] = [
        set(world.workspace, "Clients\u{2019} Instagram", 1),
        set(world.workspace, "\u{e9}'\"", 2),
    ];
    let theirs = set(other.workspace, &first.name, 1);
    for one in [&second, &first, &theirs] {
        assert_eq!(store.create_account_set(one, 9).await.unwrap(), SetOutcome::Stored);
    }
    assert_eq!(kept(&world).await, [first.clone(), second.clone()], "oldest first");
    assert_eq!(kept(&other).await, std::slice::from_ref(&theirs));

    let mut changed = AccountSet { name: "New".to_owned(), ..second.clone() };
    changed.accounts.reverse();
    changed.accounts.push(AccountId(id()));
    assert_eq!(update(&*store, &changed, &all_of(&changed)).await, SetOutcome::Stored);
    assert_eq!(kept(&world).await, [first.clone(), changed.clone()]);
    let elsewhere = AccountSet { workspace_id: other.workspace, ..changed.clone() };
    assert_eq!(update(&*store, &elsewhere, &all_of(&elsewhere)).await, SetOutcome::Missing);

    assert!(!store.remove_account_set(other.workspace, first.id).await.unwrap());
    assert!(store.remove_account_set(world.workspace, first.id).await.unwrap());
    assert!(!store.remove_account_set(world.workspace, first.id).await.unwrap());
    assert_eq!(update(&*store, &first, &all_of(&first)).await, SetOutcome::Missing);
    assert_eq!(kept(&world).await, [changed]);
    assert_eq!(kept(&other).await, [theirs]);
}

pub(crate) async fn keep_what_a_change_leaves_out(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut set = set(world.workspace, "a", 1);
    assert_eq!(store.create_account_set(&set, 9).await.unwrap(), SetOutcome::Stored);
    let nothing = AccountSetChange::default();
    let renamed = AccountSetChange { name: Some("b".to_owned()), ..nothing.clone() };
    let accounts = vec![AccountId(id())];
    let moved = AccountSetChange { account_ids: Some(accounts.clone()), ..nothing.clone() };
    assert_eq!(update(&*store, &set, &nothing).await, SetOutcome::Stored);
    assert_eq!(kept(&world).await, std::slice::from_ref(&set), "nothing is said");
    assert_eq!(update(&*store, &set, &renamed).await, SetOutcome::Stored);
    set.name = "b".to_owned();
    assert_eq!(kept(&world).await, std::slice::from_ref(&set), "the name alone");
    assert_eq!(update(&*store, &set, &moved).await, SetOutcome::Stored);
    set.accounts = accounts;
    assert_eq!(kept(&world).await, std::slice::from_ref(&set), "the accounts alone");

    // Of two callers at once, each changes what it says.
    let mut callers = JoinSet::new();
    let accounts = vec![AccountId(id()), AccountId(id())];
    for change in [
        AccountSetChange { name: Some("c".to_owned()), ..nothing.clone() },
        AccountSetChange { account_ids: Some(accounts.clone()), ..nothing },
    ] {
        let (store, set) = (store.clone(), set.clone());
        callers.spawn(async move { update(&*store, &set, &change).await });
    }
    assert_eq!(callers.join_all().await, [SetOutcome::Stored; 2]);
    assert_eq!(kept(&world).await, [AccountSet { name: "c".to_owned(), accounts, ..set }]);
}

pub(crate) async fn have_names_of_their_own(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let [first, second] = [set(world.workspace, "a", 1), set(world.workspace, "b", 2)];
    for one in [&first, &second] {
        assert_eq!(store.create_account_set(one, 9).await.unwrap(), SetOutcome::Stored);
    }
    let namesake = set(world.workspace, "a", 3);
    assert_eq!(store.create_account_set(&namesake, 9).await.unwrap(), SetOutcome::NameTaken);
    let renamed = AccountSet { name: "a".to_owned(), ..second.clone() };
    assert_eq!(update(&*store, &renamed, &all_of(&renamed)).await, SetOutcome::NameTaken);
    assert_eq!(kept(&world).await, [first.clone(), second]);
    assert_eq!(update(&*store, &first, &all_of(&first)).await, SetOutcome::Stored, "its own");
    assert!(store.remove_account_set(world.workspace, first.id).await.unwrap());
    assert_eq!(store.create_account_set(&namesake, 9).await.unwrap(), SetOutcome::Stored);

    let mut callers = JoinSet::new();
    for created in 4..10 {
        let (store, one) = (store.clone(), set(world.workspace, "at once", created));
        callers.spawn(async move { store.create_account_set(&one, 99).await.unwrap() });
    }
    let stored = callers.join_all().await.into_iter();
    assert_eq!(stored.filter(|outcome| *outcome == SetOutcome::Stored).count(), 1);
}

pub(crate) async fn have_a_limit(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut callers = JoinSet::new();
    for index in 0..8 {
        let (store, one) = (store.clone(), set(world.workspace, &index.to_string(), index));
        callers.spawn(async move { store.create_account_set(&one, 3).await.unwrap() });
    }
    let stored = callers.join_all().await.into_iter();
    assert_eq!(stored.filter(|outcome| *outcome == SetOutcome::Stored).count(), 3);
    let kept = kept(&world).await;
    assert_eq!(kept.len(), 3);
    let further = set(world.workspace, "further", 9);
    assert_eq!(store.create_account_set(&further, 3).await.unwrap(), SetOutcome::Full);
    assert_eq!(update(&*store, &kept[0], &all_of(&kept[0])).await, SetOutcome::Stored);
}
