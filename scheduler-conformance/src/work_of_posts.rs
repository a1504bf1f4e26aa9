use std::sync::Arc;

use scheduler_core::ids::TargetId;
use scheduler_core::ports::{Recorded, SaveOutcome, Store, WorkAfter, WorkKind};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::target::{Stage, Target, TargetStatus};

use crate::fixtures::{
    NO_LIMIT, World, at, begun, failure, followed, live, post, progress, skip, target,
};

/// The subjects of everything that is due within a day.
async fn due(world: &World) -> Vec<TargetId> {
    let claims = world.claim_with(at(86_400), 1_000, 1_000).await;
    let mut due: Vec<TargetId> = claims.iter().map(|claim| TargetId(claim.subject)).collect();
    for claim in claims {
        let released = world.store.release(&claim, claim.due_at).await.unwrap();
        assert_eq!(released, Recorded::Stored);
    }
    due.sort_unstable();
    due
}

pub(crate) async fn is_there_for_what_waits(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    let mut targets = Vec::new();
    let of_stage: [fn(Target) -> Target; 6] = [
        |mut parked| {
            parked.reschedule(None, None);
            parked
        },
        |waiting| waiting,
        begun,
        |waiting| live(begun(waiting), at(60)),
        |waiting| begun(waiting).fail(failure()).unwrap(),
        |waiting| waiting.cancel().unwrap(),
    ];
    for stage in of_stage {
        targets.push(stage(target(world.account().await.id, Some(at(60)))));
    }
    let waiting: Vec<TargetId> = targets
        .iter()
        .filter(|target| target.next_attempt_at().is_some())
        .map(|target| target.id)
        .collect();
    assert_eq!(waiting.len(), 1);
    world.create(post(world.workspace, targets)).await;
    assert_eq!(due(&world).await, waiting);
}

pub(crate) async fn is_as_the_post_says(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await;
    let post = world.due(account.id, at(60)).await;
    assert!(world.claim(at(59)).await.is_empty(), "never early");
    let claim = world.claim_one(at(60)).await;
    assert_eq!(claim.kind, WorkKind::Publish);
    assert_eq!(claim.subject, post.targets[0].id.0);
    assert_eq!(claim.number, 1);
    assert_eq!(claim.workspace_id, world.workspace);
    assert_eq!(claim.platform, Some(account.platform));
    assert_eq!(claim.due_at, at(60));
    let context = world.context(&claim).await;
    assert_eq!(context.post, post);
    assert_eq!(context.target_id, post.targets[0].id);
    assert_eq!(context.account, account);
    assert_eq!(context.credentials.unwrap().credentials.expose(), "token");
}

pub(crate) async fn follows_a_save(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let mut post = world.due(account, at(60)).await;
    let first = post.targets[0].clone();
    let save = async |post: &mut Post| {
        assert_eq!(store.save_post(post, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
        post.version += 1;
    };

    post.targets[0].reschedule(Some(at(90)), None);
    save(&mut post).await;
    assert!(world.claim(at(60)).await.is_empty(), "later than before");
    assert_eq!(due(&world).await, [first.id]);

    let second = target(world.account().await.id, Some(at(70)));
    post.targets.push(second.clone());
    save(&mut post).await;
    assert_eq!(due(&world).await, [first.id, second.id], "one more");

    post.targets.remove(0);
    save(&mut post).await;
    assert_eq!(due(&world).await, [second.id], "one less");

    post.status = PostStatus::Draft;
    post.scheduled_at = None;
    post.targets[0].reschedule(None, None);
    save(&mut post).await;
    assert!(due(&world).await.is_empty(), "a draft has none");
}

pub(crate) async fn that_is_replaced_is_lost(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let mut post = world.due(account, at(60)).await;
    let old = world.claim_one(at(60)).await;
    let held = world.target(&old).await;
    post.content = "changed".to_owned();
    assert_eq!(store.save_post(&post, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);

    assert!(store.publish_context(&old).await.unwrap().is_none());
    let after = WorkAfter::Held(at(100));
    let recorded = store.record_publish(&old, &held, None, after, at(61)).await.unwrap();
    assert_eq!(recorded, Recorded::Lost);
    assert_eq!(store.release(&old, at(61)).await.unwrap(), Recorded::Lost);
    assert_eq!(store.renew(std::slice::from_ref(&old), at(99)).await.unwrap(), [old.work_id]);
    let new = world.claim_one(at(61)).await;
    assert_eq!(world.context(&new).await.post.content, "changed");
    assert!(store.publish_context(&old).await.unwrap().is_none(), "nor by the new claim");
}

pub(crate) async fn of_a_target_that_is_going_out_stays(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (one, two) = (world.account().await.id, world.account().await.id);
    let targets = vec![target(one, Some(at(60))), target(two, Some(at(90)))];
    let post = world.create(post(world.workspace, targets)).await;
    let claim = world.claim_one(at(60)).await;
    let mut going_out = world.start(&claim, at(60)).await;
    let read = world.read(post.id).await;

    // While a person moves the other target, the holder writes down how far it has come.
    going_out.keep_progress(progress("further"));
    let after = WorkAfter::Held(at(120));
    let recorded = store.record_publish(&claim, &going_out, None, after, at(61)).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    let mut moved = read.clone();
    moved.targets[1].account_id = world.account().await.id;
    moved.targets.reverse();
    assert_eq!(store.save_post(&moved, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);

    let stored = world.read(post.id).await;
    assert_eq!(stored.targets, [moved.targets[0].clone(), going_out.clone()]);
    assert_eq!(world.succeed(&claim, going_out, at(62)).await, Recorded::Stored);
    assert_eq!(due(&world).await, [moved.targets[0].id], "the moved one is due as before");
}

/// A target that is live and followed belongs to the holder of its work as well, until it is taken
/// down.
pub(crate) async fn of_a_target_that_is_followed_stays(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (one, two) = (world.account().await.id, world.account().await.id);
    let targets = vec![target(one, Some(at(60))), target(two, Some(at(60)))];
    let post = world.create(post(world.workspace, targets)).await;
    let mut of_one = None;
    for claim in world.claim(at(60)).await {
        let target = world.start(&claim, at(60)).await;
        let (ended, after) = if target.account_id == one {
            (followed(target, at(61)), WorkAfter::DueAt(at(200)))
        } else {
            (target.fail(failure()).unwrap(), WorkAfter::Done)
        };
        let recorded = store.record_publish(&claim, &ended, None, after, at(61)).await.unwrap();
        assert_eq!(recorded, Recorded::Stored);
        if ended.status() == TargetStatus::Published {
            of_one = Some(ended);
        }
    }
    let mut followed = of_one.unwrap();

    // A person tries the failed one again while the holder writes down how far it has come.
    let mut again = world.read(post.id).await;
    let claim = world.claim_one(at(200)).await;
    followed.keep_progress(progress("further"));
    let after = WorkAfter::Held(at(300));
    let recorded = store.record_publish(&claim, &followed, None, after, at(200)).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    again.targets[1] = again.targets[1].clone().retry(at(400)).unwrap();
    again.status = PostStatus::Publishing;
    assert_eq!(store.save_post(&again, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    let stored = world.read(post.id).await;
    assert_eq!(stored.targets[0], followed, "as its holder left it");
    assert!(store.publish_context(&claim).await.unwrap().is_some(), "and the work is held");

    // The comment is there. What was read before that does not bring it back.
    if let Stage::Published(live) = &mut followed.stage {
        live.follow_up = None;
    }
    let done = WorkAfter::Done;
    let recorded = store.record_publish(&claim, &followed, None, done, at(201)).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    assert_eq!(store.save_post(&stored, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    assert_eq!(world.read(post.id).await.targets[0], followed);
    assert_eq!(due(&world).await, [again.targets[1].id]);
}

/// What a live target says is its callers' to change, also while something follows it.
pub(crate) async fn of_a_target_that_is_edited_goes_on(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let post = world.due(account, at(60)).await;
    let claim = world.claim_one(at(60)).await;
    let target = world.start(&claim, at(60)).await;
    let mut followed = followed(target, at(61));
    let held = WorkAfter::Held(at(300));
    let recorded = store.record_publish(&claim, &followed, None, held, at(61)).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);

    let mut edited = world.read(post.id).await;
    edited.targets[0].options.insert("caption".to_owned(), "New".into());
    let options = edited.targets[0].options.clone();
    followed.keep_progress(progress("further"));
    let recorded = store.record_publish(&claim, &followed, None, held, at(62)).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    assert_eq!(store.save_post(&edited, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    for after in [held, WorkAfter::DueAt(at(200))] {
        let recorded = store.record_publish(&claim, &followed, None, after, at(63)).await.unwrap();
        assert_eq!(recorded, Recorded::Stored);
        let want = Target { options: options.clone(), ..followed.clone() };
        assert_eq!(world.read(post.id).await.targets[0], want, "{after:?}");
    }
    let claim = world.claim_one(at(200)).await;
    let context = store.publish_context(&claim).await.unwrap().unwrap();
    assert_eq!(context.target().unwrap().options, options, "what follows goes by it");
}

pub(crate) async fn of_a_followed_target_goes_when_it_is_taken_down(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let post = world.due(account, at(60)).await;
    let claim = world.claim_one(at(60)).await;
    let target = world.start(&claim, at(60)).await;
    let followed = followed(target, at(61));
    let after = WorkAfter::DueAt(at(200));
    let recorded = store.record_publish(&claim, &followed, None, after, at(61)).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    assert_eq!(due(&world).await, [followed.id]);
    let claim = world.claim_one(at(200)).await;
    let mut taken_down = world.read(post.id).await;
    skip(&mut taken_down.targets[0]);
    assert_eq!(store.save_post(&taken_down, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    assert_eq!(world.read(post.id).await.targets, taken_down.targets);
    assert!(store.publish_context(&claim).await.unwrap().is_none());
    let done = WorkAfter::Done;
    let recorded = store.record_publish(&claim, &followed, None, done, at(201)).await.unwrap();
    assert_eq!(recorded, Recorded::Lost);
    assert!(due(&world).await.is_empty());
}
