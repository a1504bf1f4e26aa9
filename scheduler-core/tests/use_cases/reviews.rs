//! The second pair of eyes, from the setting of a workspace to what goes out.

use chrono::TimeDelta;
use scheduler_core::app::{Caller, DueChoice, WorkspaceChange};
use scheduler_core::engine::RunOutcome;
use scheduler_core::error::Refusal;
use scheduler_core::ids::{PersonId, PostId};
use scheduler_core::key::{Scope, Scopes};
use scheduler_core::post::{ApprovalState, ListInput, Post, Review, Verdict};
use scheduler_core::session::Person;
use serde_json::{Value, json};

use crate::approvals::{say, show, view};
use crate::support::{World, body, done, outcome, refused, statuses};

/// A world whose workspace asks for a second pair of eyes.
fn asking() -> World {
    let mut world = World::new();
    world.caller.workspace = ask(&world, true);
    world
}

pub(crate) fn ask(world: &World, second_pair: bool) -> scheduler_core::workspace::Workspace {
    let change = WorkspaceChange { second_pair: Some(second_pair), ..WorkspaceChange::default() };
    done(world.scheduler.change_workspace(&world.caller.workspace, change)).unwrap()
}

/// Somebody of this name who may publish.
pub(crate) fn person(world: &World, number: u128, name: &str) -> Caller {
    let id = PersonId(uuid::Uuid::from_u128(number));
    let person = Some(Person { id, name: name.parse().unwrap() });
    Caller { person, ..world.caller_with(&[Scope::PostsPublish, Scope::PostsRead]) }
}

/// A post to Bluesky that is due in an hour.
fn hello() -> Value {
    body(&["bluesky"], json!({"scheduledAt": "2026-11-21T13:00:00Z"}))
}

pub(crate) fn approve(world: &World, by: &Caller, id: PostId) -> Result<Post, Refusal> {
    let seen = world.post(id).revision;
    refused(done(world.scheduler.approve_post(by, id, seen)))
}

fn waiting(world: &World) -> usize {
    let input = ListInput { state: Some("awaiting_approval".into()), ..ListInput::default() };
    world.list(&input).unwrap().data.len()
}

#[test]
fn a_post_waits_for_somebody_else_and_goes_out_once_they_have_approved_it() {
    let world = asking();
    let (ana, ben) = (person(&world, 1, "Ana"), person(&world, 2, "Ben"));
    let id = world.create_as(&ana, hello()).unwrap().id;
    assert_eq!(waiting(&world), 1);
    assert_eq!(world.work_after(TimeDelta::hours(1)), [RunOutcome::PublishWithheld]);
    assert_eq!(statuses(&world.post(id)), "scheduled: pending");
    let said = world.post(id).targets[0].message().unwrap().to_owned();
    assert!(said.contains("Somebody else"), "{said}");

    assert_eq!(outcome(&approve(&world, &ana, id)), "forbidden", "her own");
    assert_eq!(outcome(&approve(&world, &world.caller, id)), "forbidden", "a key is no person");
    let reader = Caller { scopes: Scopes::of(&[Scope::PostsRead]), ..ben.clone() };
    assert_eq!(outcome(&approve(&world, &reader, id)), "forbidden", "who may not publish");
    let stale = refused(done(world.scheduler.approve_post(&ben, id, 7)));
    assert_eq!(outcome(&stale), "stale", "what was not seen");
    assert!(world.work().is_empty());

    let approved = approve(&world, &ben, id).unwrap();
    let at = world.now();
    assert_eq!(approved.review, Some(Review::Approved { by: ben.person.unwrap(), at }));
    assert_eq!((waiting(&world), world.work()), (0, vec![RunOutcome::Published]), "at once");
}

#[test]
fn a_change_asks_again_and_its_author_is_the_one_who_made_it() {
    let world = asking();
    let (ana, ben) = (person(&world, 1, "Ana"), person(&world, 2, "Ben"));
    let id = world.create_as(&ana, hello()).unwrap().id;
    approve(&world, &ben, id).unwrap();
    world.patch_as(&ben, id, json!({"content": "Hello!"})).unwrap();
    assert_eq!(world.post(id).approval(), Some(ApprovalState::Pending));
    assert_eq!(outcome(&approve(&world, &ben, id)), "forbidden", "he has changed it");
    // What a program touches stays Ben's.
    world.patch(id, json!({"linkUrl": "https://example.com/"})).unwrap();
    assert_eq!(outcome(&approve(&world, &ben, id)), "forbidden", "by another door");
    approve(&world, &ana, id).unwrap();
    world.patch_as(&ben, id, json!({"scheduledAt": "2026-11-21T12:30:00Z"})).unwrap();
    assert_eq!(world.post(id).approval(), Some(ApprovalState::Approved), "a time is no text");
    assert_eq!(world.work_after(TimeDelta::minutes(30)), [RunOutcome::Published]);
}

#[test]
fn undoing_and_moving_are_changes() {
    let world = asking();
    let (ana, ben) = (person(&world, 1, "Ana"), person(&world, 2, "Ben"));
    let id = world.create_as(&ana, hello()).unwrap().id;
    world.patch_as(&ana, id, json!({"content": "Hello!"})).unwrap();
    done(world.scheduler.undo_post(&ben, id, None)).unwrap();
    assert_eq!(outcome(&approve(&world, &ben, id)), "forbidden", "he has put it back");
    approve(&world, &ana, id).unwrap();
    let other = world.connect(scheduler_core::platform::Platform::Bluesky, "another").id;
    let target = world.post(id).targets[0].id;
    let mut mover = ben.clone();
    mover.scopes = Scopes::of(&[Scope::All]);
    done(world.scheduler.move_target(&mover, id, target, other)).unwrap();
    assert_eq!(world.post(id).approval(), Some(ApprovalState::Pending));
    assert_eq!(outcome(&approve(&world, &ben, id)), "forbidden", "he has sent it elsewhere");
}

#[test]
fn what_is_there_already_follows_the_setting() {
    let mut world = World::new();
    let draft = world.create(body(&["bluesky"], json!({"saveAsDraft": true})));
    let id = world.create(hello()).id;
    assert_eq!((waiting(&world), world.post(id).review), (0, None));
    world.caller.workspace = ask(&world, true);
    assert_eq!(waiting(&world), 2);
    assert_eq!(world.post(draft.id).review, Some(Review::Pending));
    assert_eq!(world.work_after(TimeDelta::hours(1)), [RunOutcome::PublishWithheld]);
    // A key has written it: any person may approve it.
    approve(&world, &person(&world, 1, "Ana"), draft.id).unwrap();
    world.caller.workspace = ask(&world, false);
    assert_eq!((waiting(&world), world.post(id).review), (0, None));
    assert_eq!(world.work(), [RunOutcome::Published], "at once");
    let nobody_asks = approve(&world, &person(&world, 1, "Ana"), draft.id);
    assert_eq!(outcome(&nobody_asks), "not_found");
}

/// A post that was stored while its workspace asked for nothing is looked at when it is due.
#[test]
fn a_post_that_knows_nothing_of_the_setting_is_withheld() {
    let world = World::new();
    let id = world.create(hello()).id;
    let workspace = scheduler_core::workspace::Workspace {
        second_pair: true,
        links: Default::default(),
        ..world.caller.workspace.clone()
    };
    let store: &dyn scheduler_core::ports::Store = &*world.store;
    done(store.update_workspace(&workspace)).unwrap();
    assert_eq!(world.post(id).review, None);
    assert_eq!(world.work_after(TimeDelta::hours(1)), [RunOutcome::PublishWithheld]);
    let ana = Caller { workspace, ..person(&world, 1, "Ana") };
    approve(&world, &ana, id).unwrap();
    assert_eq!(world.work(), [RunOutcome::Published]);
}

#[test]
fn a_client_says_nothing_for_the_team_nor_the_team_for_a_client() {
    for by_client_first in [true, false] {
        let world = asking();
        let (ana, ben) = (person(&world, 1, "Ana"), person(&world, 2, "Ben"));
        let id = world.create_as(&ana, hello()).unwrap().id;
        let pass = show(&world, id).unwrap().pass;
        let client = || say(&world, &pass, Verdict::Approve, "").map(drop);
        let team = || approve(&world, &ben, id).map(drop);
        let mut both: [&dyn Fn() -> Result<(), Refusal>; 2] = [&client, &team];
        if !by_client_first {
            both.reverse();
        }
        for (say, want) in both.iter().zip([ApprovalState::Pending, ApprovalState::Approved]) {
            say().unwrap();
            let state = world.post(id).approval();
            assert_eq!(state, Some(want), "client first: {by_client_first}");
        }
        let link = done(world.scheduler.approval(world.caller.workspace.id, id));
        assert!(link.is_ok(), "what the client has is theirs: {link:?}");
    }
}

#[test]
fn the_setting_leaves_the_links_of_clients_alone() {
    let world = World::new();
    let id = world.create(hello()).id;
    let pass = show(&world, id).unwrap().pass;
    for second_pair in [true, false] {
        ask(&world, second_pair);
        assert_eq!(world.post(id).review.is_some(), second_pair);
    }
    say(&world, &pass, Verdict::Approve, "").unwrap();
    assert_eq!(world.work_after(TimeDelta::hours(1)), [RunOutcome::Published]);
}

#[test]
fn moving_all_of_an_account_is_a_change_of_whoever_disconnects_it() {
    let world = asking();
    let (ana, ben) = (person(&world, 1, "Ana"), person(&world, 2, "Ben"));
    let id = world.create_as(&ana, hello()).unwrap().id;
    let account = world.account(scheduler_core::platform::Platform::Bluesky);
    let other = world.connect(scheduler_core::platform::Platform::Bluesky, "another").id;
    let owner = Caller { scopes: Scopes::of(&[Scope::All]), ..ben.clone() };
    let choice = Some(DueChoice::Move(other));
    done(world.scheduler.disconnect(&owner, &account, choice)).unwrap();
    assert_eq!(outcome(&approve(&world, &ben, id)), "forbidden", "he has sent it elsewhere");
    approve(&world, &ana, id).unwrap();
}

#[test]
fn a_view_tells_of_it_only_where_it_is_asked_for() {
    let world = World::new();
    let post = world.create(hello());
    assert!(view(&world, post.id).get("review").is_none());
    let world = asking();
    let ana = person(&world, 1, "Ana");
    let post = world.create_as(&ana, hello()).unwrap();
    let view = view(&world, post.id);
    assert_eq!(view["approvalState"], "pending");
    let review = &view["review"];
    assert_eq!(
        (&review["state"], &review["writtenBy"]["name"]),
        (&json!("pending"), &json!("Ana"))
    );
    assert_eq!(review["approvedBy"], Value::Null);
}
