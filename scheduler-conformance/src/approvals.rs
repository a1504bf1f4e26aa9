use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_core::connecting::{Pass, PassHash};
use scheduler_core::ids::{PostId, WorkspaceId};
use scheduler_core::ports::{ApprovalsOf, Recorded, RemoveOutcome, SaveOutcome, Store, WorkAfter};
use scheduler_core::post::{Approval, ApprovalState, Post, Verdict, decide};
use scheduler_core::target::TargetStatus;
use tokio::task::JoinSet;

use crate::fixtures::{World, at, begun, id};

fn pass(seed: u8) -> PassHash {
    Pass::from_random([seed; 32]).hash()
}

/// A link made at this second.
fn link(post: &Post, seed: u8, second: i64) -> Approval {
    Approval {
        post_id: post.id,
        workspace_id: post.workspace_id,
        pass: pass(seed),
        created_at: at(second),
        expires_at: at(second + 900),
        decided_at: None,
        note: None,
    }
}

async fn by_pass(store: &Arc<dyn Store>, pass: PassHash) -> Option<(Approval, Post)> {
    store.approvals(ApprovalsOf::Pass(pass)).await.unwrap().pop()
}

async fn of_post(store: &Arc<dyn Store>, workspace: WorkspaceId, id: PostId) -> Option<Approval> {
    let found = store.approvals(ApprovalsOf::Post(workspace, id)).await.unwrap().pop();
    found.map(|(approval, post)| {
        assert_eq!(post.id, id);
        approval
    })
}

/// Shows a post that is due at this second to a client.
async fn shown(world: &World, seed: u8, second: i64) -> (Post, Approval) {
    let account = world.account().await.id;
    let post = world.due(account, at(second)).await;
    let offered = decide::request_approval(&post, at(second)).unwrap();
    let approval = link(&post, seed, second);
    let saved = world.store.save_approval(&offered, Some(&approval), None).await.unwrap();
    assert_eq!(saved, SaveOutcome::Saved);
    (world.read(post.id).await, approval)
}

pub(crate) async fn are_kept_with_their_posts(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (post, approval) = shown(&world, 1, 0).await;
    assert_eq!((post.approval_state, post.version), (Some(ApprovalState::Pending), 2));
    let found = of_post(&store, world.workspace, post.id).await;
    assert_eq!(found, Some(approval.clone()));
    assert_eq!(of_post(&store, other.workspace, post.id).await, None);
    assert_eq!(of_post(&store, world.workspace, PostId(id())).await, None);
    let found = by_pass(&store, pass(1)).await;
    assert_eq!(found, Some((approval.clone(), post.clone())));
    assert_eq!(by_pass(&store, pass(2)).await, None);

    let refused = decide::record_decision(&post, Verdict::Changes, at(5)).unwrap();
    let note = Some("Größer, bitte \u{1f600}\n'quoted'".to_owned());
    let replaced =
        Approval { decided_at: Some(at(5)), note, expires_at: at(7_000), ..link(&post, 3, 4) };
    let saved = store.save_approval(&refused, Some(&replaced), None).await.unwrap();
    assert_eq!(saved, SaveOutcome::Saved);
    assert_eq!(by_pass(&store, pass(1)).await, None, "it was replaced");
    let (found, post) = by_pass(&store, pass(3)).await.unwrap();
    assert_eq!((&found, post.approval_state), (&replaced, Some(ApprovalState::Changes)));

    let withdrawn = decide::withdraw(&post, at(6)).unwrap();
    store.save_approval(&withdrawn, None, None).await.unwrap();
    assert_eq!(of_post(&store, world.workspace, post.id).await, None);
    assert_eq!(world.read(post.id).await.approval_state, None);
}

pub(crate) async fn are_not_stored_with_a_stale_post(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (post, approval) = shown(&world, 1, 0).await;
    let stale = Post { version: post.version - 1, ..post.clone() };
    let other = link(&post, 2, 1);
    for approval in [Some(&other), None] {
        let outcome = store.save_approval(&stale, approval, None).await.unwrap();
        assert_eq!(outcome, SaveOutcome::Stale);
    }
    assert_eq!(of_post(&store, world.workspace, post.id).await, Some(approval));
    let missing = Post { id: PostId(id()), ..post.clone() };
    let outcome = store.save_approval(&missing, None, None).await.unwrap();
    assert_eq!(outcome, SaveOutcome::Missing);
}

pub(crate) async fn saved_at_once_are_saved_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (post, _) = shown(&world, 1, 0).await;
    let mut callers = JoinSet::new();
    for seed in 2..10 {
        let (store, post) = (store.clone(), post.clone());
        let approval = link(&post, seed, 1);
        callers.spawn(async move {
            let outcome = store.save_approval(&post, Some(&approval), None).await.unwrap();
            (outcome == SaveOutcome::Saved).then_some(seed)
        });
    }
    let saved: Vec<u8> = callers.join_all().await.into_iter().flatten().collect();
    let [seed] = saved.as_slice() else { panic!("{saved:?}") };
    let (found, _) = by_pass(&store, pass(*seed)).await.unwrap();
    assert_eq!(found.post_id, post.id);
}

pub(crate) async fn are_listed_newest_first(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let mut want = Vec::new();
    for (seed, second) in [(1, 20), (2, 10), (3, 30)] {
        let (post, approval) = shown(&world, seed, second).await;
        want.push((approval, post));
    }
    want.sort_by_key(|(approval, _)| std::cmp::Reverse(approval.created_at));
    assert_eq!(store.approvals(ApprovalsOf::Workspace(world.workspace, 9)).await.unwrap(), want);
    assert_eq!(
        store.approvals(ApprovalsOf::Workspace(world.workspace, 2)).await.unwrap(),
        want[..2]
    );
    assert!(store.approvals(ApprovalsOf::Workspace(other.workspace, 9)).await.unwrap().is_empty());
}

pub(crate) async fn go_with_their_post(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (post, _) = shown(&world, 1, 0).await;
    let removed = store.remove_post(world.workspace, post.id, post.version).await.unwrap();
    assert_eq!(removed, RemoveOutcome::Removed);
    assert_eq!(by_pass(&store, pass(1)).await, None);
    assert_eq!(of_post(&store, world.workspace, post.id).await, None);
    assert!(store.approvals(ApprovalsOf::Workspace(world.workspace, 9)).await.unwrap().is_empty());
}

/// Whoever has read that a post is approved can begin nothing once the client says otherwise.
pub(crate) async fn fence_off_a_holder_who_read_another(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (post, approval) = shown(&world, 1, 0).await;
    let approved = decide::record_decision(&post, Verdict::Approve, at(1)).unwrap();
    store.save_approval(&approved, Some(&approval), None).await.unwrap();
    let claim = world.claim_one(at(2)).await;
    let context = world.context(&claim).await;
    assert_eq!(context.post.approval_state, Some(ApprovalState::Approved));
    let target = context.target().unwrap().clone();

    let refused = decide::record_decision(&context.post, Verdict::Changes, at(3)).unwrap();
    let saved = store.save_approval(&refused, Some(&approval), None).await.unwrap();
    assert_eq!(saved, SaveOutcome::Saved);
    let begun = begun(target);
    let held = WorkAfter::Held(at(60));
    let recorded = store.record_publish(&claim, &begun, None, held, at(3)).await.unwrap();
    assert_eq!(recorded, Recorded::Lost);
    assert_eq!(world.read(post.id).await.targets[0].status(), TargetStatus::Pending);

    // The other way round the client comes too late.
    let claim = world.claim_one(at(4)).await;
    let current = world.read(post.id).await;
    let approved = decide::record_decision(&current, Verdict::Approve, at(4)).unwrap();
    store.save_approval(&approved, Some(&approval), None).await.unwrap();
    assert!(store.publish_context(&claim).await.unwrap().is_none());
    let claim = world.claim_one(at(4)).await;
    let read = world.read(post.id).await;
    world.start(&claim, at(5)).await;
    let refused = decide::record_decision(&read, Verdict::Changes, at(5)).unwrap();
    let saved = store.save_approval(&refused, Some(&approval), None).await.unwrap();
    assert_eq!(saved, SaveOutcome::Stale);
    assert!(decide::record_decision(&world.read(post.id).await, Verdict::Changes, at(5)).is_err());
}

pub(crate) async fn withhold_what_is_due(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (post, approval) = shown(&world, 1, 0).await;
    let claim = world.claim_one(at(0)).await;
    let context = world.context(&claim).await;
    let target = context.target().unwrap().clone();
    assert!(decide::is_withheld(&context.post, &target));
    let held = decide::defer_until_approved(&context.post, target, at(0));
    let look = at(0) + TimeDelta::hours(1);
    let after = WorkAfter::DueAt(look);
    let recorded = store.record_publish(&claim, &held, None, after, at(0)).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    let stored = world.read(post.id).await;
    assert_eq!(stored.targets, [held], "with a message and without a code");
    assert_eq!((stored.status, stored.version), (post.status, post.version));
    assert!(world.claim(look - TimeDelta::seconds(1)).await.is_empty());

    let approved = decide::record_decision(&stored, Verdict::Approve, at(9)).unwrap();
    store.save_approval(&approved, Some(&approval), None).await.unwrap();
    let claim = world.claim_one(at(9)).await;
    assert_eq!(world.target(&claim).await.failure(), None);
}
