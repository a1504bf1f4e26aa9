use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_core::connecting::{Pass, PassHash};
use scheduler_core::ids::{MediaId, PostId, WorkspaceId};
use scheduler_core::ports::{ApprovalsOf, Recorded, RemoveOutcome, SaveOutcome, Store, WorkAfter};
use scheduler_core::post::{
    Approval, ApprovalState, Place, Post, Remark, RemarkBy, Seen, SeenTarget, Verdict, decide,
};
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
        client: Some("Ana".to_owned()),
        message: Some("Our \u{1f600} 'plan'\n".to_owned()),
        timezone: Some("Europe/Lisbon".parse().unwrap()),
        created_at: at(second),
        expires_at: at(second + 900),
        decided_at: None,
        seen: None,
        remarks: Vec::new(),
    }
}

/// Stores a post with its approval.
async fn save(store: &Arc<dyn Store>, post: &Post, approval: Option<&Approval>) -> SaveOutcome {
    store.save_approvals(&[(post.clone(), approval.cloned())], None).await.unwrap()
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
    let saved = save(&world.store, &offered, Some(&approval)).await;
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
    let remark = |by, text: &str| Remark { at: at(5), by, text: text.to_owned() };
    let remarks = vec![
        remark(RemarkBy::Client, "Größer, bitte \u{1f600}\n'quoted'"),
        remark(RemarkBy::Team, "\"So?\""),
    ];
    let seen = Seen {
        verdict: Verdict::Changes,
        targets: vec![SeenTarget {
            account_id: post.targets[0].account_id,
            platform: post.targets[0].platform,
            texts: BTreeMap::from([(Place::Part(0), "Gr\u{f6}\u{df}e \u{1f600}\n'x'".to_owned())]),
        }],
        files: BTreeMap::from([(MediaId(id()), None)]),
    };
    let replaced = Approval {
        decided_at: Some(at(5)),
        seen: Some(seen),
        remarks,
        client: None,
        message: None,
        timezone: None,
        expires_at: at(7_000),
        ..link(&post, 3, 4)
    };
    let saved = save(&store, &refused, Some(&replaced)).await;
    assert_eq!(saved, SaveOutcome::Saved);
    assert_eq!(by_pass(&store, pass(1)).await, None, "it was replaced");
    let (found, post) = by_pass(&store, pass(3)).await.unwrap();
    assert_eq!((&found, post.approval_state), (&replaced, Some(ApprovalState::Changes)));

    let withdrawn = decide::withdraw(&post, at(6)).unwrap();
    save(&store, &withdrawn, None).await;
    assert_eq!(of_post(&store, world.workspace, post.id).await, None);
    assert_eq!(world.read(post.id).await.approval_state, None);
}

pub(crate) async fn are_not_stored_with_a_stale_post(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (post, approval) = shown(&world, 1, 0).await;
    let stale = Post { version: post.version - 1, ..post.clone() };
    let other = link(&post, 2, 1);
    for approval in [Some(&other), None] {
        let outcome = save(&store, &stale, approval).await;
        assert_eq!(outcome, SaveOutcome::Stale);
    }
    assert_eq!(of_post(&store, world.workspace, post.id).await, Some(approval));
    let missing = Post { id: PostId(id()), ..post.clone() };
    let outcome = save(&store, &missing, None).await;
    assert_eq!(outcome, SaveOutcome::Missing);
}

/// A link of several posts: all of them are stored, or none.
pub(crate) async fn of_several_posts_are_stored_together(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (first, earlier) = shown(&world, 1, 0).await;
    let (second, _) = shown(&world, 2, 0).await;
    let change = |post: &Post| (post.clone(), Some(link(post, 3, 9)));
    let stale = Post { version: second.version - 1, ..second.clone() };
    let outcome = store.save_approvals(&[change(&first), change(&stale)], None).await.unwrap();
    assert_eq!(outcome, SaveOutcome::Stale);
    assert_eq!(of_post(&store, world.workspace, first.id).await, Some(earlier));
    assert_eq!(world.read(first.id).await.version, first.version);

    let changes = [change(&first), change(&second)];
    assert_eq!(store.save_approvals(&changes, None).await.unwrap(), SaveOutcome::Saved);
    let found = store.approvals(ApprovalsOf::Pass(pass(3))).await.unwrap();
    let ids: Vec<PostId> = found.iter().map(|(_, post)| post.id).collect();
    let mut want = [first.id, second.id];
    want.sort_unstable_by_key(|id| std::cmp::Reverse(*id));
    assert_eq!(ids, want);
    assert_eq!(by_pass(&store, pass(1)).await, None);
}

pub(crate) async fn saved_at_once_are_saved_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (post, _) = shown(&world, 1, 0).await;
    let mut callers = JoinSet::new();
    for seed in 2..10 {
        let (store, post) = (store.clone(), post.clone());
        let approval = link(&post, seed, 1);
        callers.spawn(async move {
            let outcome = save(&store, &post, Some(&approval)).await;
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
    save(&store, &approved, Some(&approval)).await;
    let claim = world.claim_one(at(2)).await;
    let context = world.context(&claim).await;
    assert_eq!(context.post.approval_state, Some(ApprovalState::Approved));
    let target = context.target().unwrap().clone();

    let refused = decide::record_decision(&context.post, Verdict::Changes, at(3)).unwrap();
    let saved = save(&store, &refused, Some(&approval)).await;
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
    save(&store, &approved, Some(&approval)).await;
    assert!(store.publish_context(&claim).await.unwrap().is_none());
    let claim = world.claim_one(at(4)).await;
    let read = world.read(post.id).await;
    world.start(&claim, at(5)).await;
    let refused = decide::record_decision(&read, Verdict::Changes, at(5)).unwrap();
    let saved = save(&store, &refused, Some(&approval)).await;
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
    save(&store, &approved, Some(&approval)).await;
    let claim = world.claim_one(at(9)).await;
    assert_eq!(world.target(&claim).await.failure(), None);
}
