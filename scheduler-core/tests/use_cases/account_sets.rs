//! Accounts that are picked together.

use scheduler_core::account::{
    ACCOUNT_SETS_MAX, Account, AccountSetChange, AccountSetInput, AccountSetView, LeftOut,
    LeftOutReason,
};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ids::AccountId;
use scheduler_core::key::Scope;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::AccountStore as _;
use scheduler_core::uuid::Uuid;

use crate::support::{World, done, refused};

fn create(world: &World, name: &str, accounts: &[AccountId]) -> Result<AccountSetView, Refusal> {
    let input = AccountSetInput { name: name.to_owned(), account_ids: accounts.to_vec() };
    refused(done(world.scheduler.create_account_set(&world.caller, input)))
}

fn change(
    world: &World,
    set: &AccountSetView,
    change: AccountSetChange,
) -> Result<AccountSetView, Refusal> {
    refused(done(world.scheduler.change_account_set(&world.caller, set.id, change)))
}

fn named(name: &str) -> AccountSetChange {
    AccountSetChange { name: Some(name.to_owned()), ..AccountSetChange::default() }
}

fn of(accounts: &[AccountId]) -> AccountSetChange {
    AccountSetChange { account_ids: Some(accounts.to_vec()), ..AccountSetChange::default() }
}

fn listed(world: &World) -> Vec<AccountSetView> {
    done(world.scheduler.account_sets(&world.caller)).unwrap()
}

fn ids(accounts: &[Account]) -> Vec<AccountId> {
    accounts.iter().map(|account| account.id).collect()
}

fn left(set: &AccountSetView) -> Vec<(AccountId, LeftOutReason)> {
    set.left_out.iter().map(|LeftOut { id, reason, .. }| (*id, *reason)).collect()
}

#[test]
fn sets_are_made_changed_and_removed() {
    let world = World::new();
    let all = ids(&world.accounts());
    let both = create(&world, "  Clients\u{2019} Instagram ", &[all[0], all[1], all[0]]).unwrap();
    assert_eq!(both.name, "Clients\u{2019} Instagram", "without blanks around it");
    assert_eq!(both.account_ids, [all[0], all[1]], "each once");
    assert_eq!(both.picked().collect::<Vec<_>>(), both.account_ids);
    let other = create(&world, "Other", &all[2..]).unwrap();
    assert_eq!(listed(&world), [both.clone(), other.clone()], "oldest first");

    let renamed = change(&world, &both, named("Both")).unwrap();
    assert_eq!((renamed.name.as_str(), &renamed.account_ids), ("Both", &both.account_ids));
    let grown = change(&world, &renamed, of(&all)).unwrap();
    assert_eq!((grown.name.as_str(), &grown.account_ids), ("Both", &all));
    assert_eq!(change(&world, &grown, AccountSetChange::default()).unwrap(), grown);
    assert_eq!(change(&world, &grown, named("Both")).unwrap(), grown, "its own name");
    assert_eq!(listed(&world), [grown.clone(), other.clone()]);

    // Another workspace has none of it.
    let stranger = world.stranger();
    assert_eq!(done(world.scheduler.account_sets(&stranger)).unwrap(), []);
    let theirs = done(world.scheduler.change_account_set(&stranger, grown.id, named("Mine")));
    assert_eq!(refused(theirs).unwrap_err().code, ErrorCode::NotFound);
    let theirs = done(world.scheduler.remove_account_set(&stranger, grown.id));
    assert_eq!(refused(theirs).unwrap_err().code, ErrorCode::NotFound);

    done(world.scheduler.remove_account_set(&world.caller, grown.id)).unwrap();
    let again = done(world.scheduler.remove_account_set(&world.caller, grown.id));
    assert_eq!(refused(again).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(change(&world, &grown, named("Both")).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(listed(&world), [other]);
}

#[test]
fn what_is_refused_names_its_field() {
    let world = World::new();
    let all = ids(&world.accounts());
    let kept = create(&world, "Kept", &all).unwrap();
    let unknown = AccountId(Uuid::from_u128(7));
    for (name, called, accounts, field) in [
        ("no name", " ", &all[..], "name"),
        ("two lines", "a\nb", &all, "name"),
        ("too long", &"é".repeat(51), &all, "name"),
        ("a name of another", "Kept", &all, "name"),
        ("no account", "New", &[], "accountIds"),
        ("an unknown account", "New", &[all[0], unknown], "accountIds[1]"),
    ] {
        let refusal = create(&world, called, accounts).unwrap_err();
        let found = (refusal.code, refusal.field.as_deref());
        assert_eq!(found, (ErrorCode::InvalidRequest, Some(field)), "{name}");
    }
    let other = create(&world, &"é".repeat(50), &all).unwrap();
    let refusal = change(&world, &other, named("Kept")).unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("name"));
    let refusal = change(&world, &kept, of(&[unknown])).unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("accountIds[0]"));
    for index in 2..ACCOUNT_SETS_MAX {
        create(&world, &index.to_string(), &all).unwrap();
    }
    let refusal = create(&world, "One more", &all).unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("name"));

    let reader = world.caller_with(&[Scope::PostsRead]);
    done(world.scheduler.account_sets(&reader)).unwrap();
    let input = AccountSetInput { name: "New".to_owned(), account_ids: all };
    for refused in [
        refused(done(world.scheduler.create_account_set(&reader, input))).map(|_| ()),
        refused(done(world.scheduler.change_account_set(&reader, kept.id, named("a")))).map(|_| ()),
        refused(done(world.scheduler.remove_account_set(&reader, kept.id))),
    ] {
        assert_eq!(refused.unwrap_err().code, ErrorCode::Forbidden);
    }
}

#[test]
fn accounts_that_cannot_be_posted_to_are_left_out_with_the_reason() {
    let world = World::new();
    let all = ids(&world.accounts());
    let set = create(&world, "All", &all).unwrap();
    create(&world, "The same", &all).unwrap();
    let gone = world.account(Platform::Bluesky);
    done(world.scheduler.disconnect_account(&gone)).unwrap();
    let shown = listed(&world).remove(0);
    assert_eq!(left(&shown), [(gone.id, LeftOutReason::Disconnected)]);
    assert_eq!(shown.left_out[0].said(), format!("{} (disconnected)", gone.label()));
    assert_eq!(listed(&world)[1].left_out, shown.left_out, "in each set that has it");
    let rest: Vec<AccountId> = all.iter().copied().filter(|id| *id != gone.id).collect();
    assert_eq!(shown.picked().collect::<Vec<_>>(), rest, "the others can be used");
    // It stays while the set is changed, and cannot be put into another.
    let renamed = change(&world, &set, named("Rest")).unwrap();
    assert_eq!((&renamed.account_ids, left(&renamed).len()), (&all, 1));
    assert_eq!(change(&world, &set, of(&all)).unwrap().account_ids, all);
    let refusal = create(&world, "New", &[gone.id]).unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("accountIds[0]"));
    // Connected again, it is picked again.
    world.connect(Platform::Bluesky, "me");
    let shown = listed(&world).remove(0);
    assert_eq!((left(&shown), shown.picked().count()), (vec![], 3));

    // What has to be connected again, and what the plan does not cover.
    let lapsed = world.account(Platform::Mastodon);
    done(world.store.mark_needs_reconnect(lapsed.id, 1, None)).unwrap();
    let shown = listed(&world).remove(0);
    assert_eq!(left(&shown), [(lapsed.id, LeftOutReason::NeedsReconnect)]);
    world.connect(Platform::Mastodon, "me");
    let settings = world.scheduler.settings();
    let channels = settings.plans.of(Plan::Free).channels;
    assert!((1..100).contains(&channels), "{channels}");
    for index in 0..channels {
        world.connect(Platform::Mastodon, &format!("more{index}"));
    }
    let every = ids(&world.accounts());
    create(&world, "Every", &every).unwrap();
    let poor = world.caller_on(Plan::Free);
    let sets = done(world.scheduler.account_sets(&poor)).unwrap();
    let shown = sets.iter().find(|set| set.name == "Every").unwrap();
    assert!(left(shown).iter().all(|(_, reason)| *reason == LeftOutReason::Paused));
    assert_eq!(u64::try_from(shown.picked().count()).unwrap(), channels);
}
