//! Callers: they create posts, change their minds, and retry what failed.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use chrono::TimeDelta;
use scheduler_core::app::Caller;
use scheduler_core::error::{AppError, ErrorCode};
use scheduler_core::idempotency::IdempotencyKey;
use scheduler_core::ids::PostId;
use scheduler_core::media::MediaStatus;
use scheduler_core::ports::Clock as _;
use scheduler_core::post::{Field, PostInput, PostStatus, TargetInput};
use scheduler_core::target::{Failure, TargetStatus};

use crate::run::{NETWORKS, Setting};

/// A caller: creates a post, perhaps changes its mind, retries what failed.
pub(crate) async fn call(setting: Arc<Setting>, caller: Caller, number: u64) {
    let world = &setting.world;
    let scheduler = &setting.scheduler;
    world.until(world.now() + TimeDelta::seconds(i64::try_from(world.below(120)).unwrap())).await;
    let key = format!("idempotent-{}", number / 2);
    let input = input(&setting, number);
    let keyed = IdempotencyKey::stored(key.clone(), None);
    let created = loop {
        match scheduler.create_post(&caller, input.clone(), Some(&keyed)).await {
            Ok(created) => break created,
            Err(AppError::Store(_) | AppError::Files(_)) => world.pause().await,
            Err(AppError::Refused(refusal)) => {
                // An account may be broken by then, and a time may have passed.
                let has_passed =
                    matches!(refusal.field.as_deref(), Some("scheduledAt" | "scheduledLocal"));
                let allowed = refusal.code == ErrorCode::AccountNotConnected
                    || has_passed
                    || names_a_deleted_file(&setting, &input);
                if !allowed {
                    world.violated(format!("a good post was refused: {refusal:?}"));
                }
                return;
            }
        }
    };
    {
        let mut promises = setting.promises.lock().unwrap();
        promises.created.insert(created.value.id);
        let earlier = promises.by_key.insert(key, created.value.id);
        let was_removed = earlier.is_some_and(|earlier| promises.removed.contains(&earlier));
        if earlier.is_some_and(|earlier| earlier != created.value.id) && !was_removed {
            world.violated("one Idempotency-Key made two posts".to_owned());
        }
    }
    let id = created.value.id;
    match world.below(6) {
        0 => {
            let change = PostInput { publish_now: Field::Value(true), ..PostInput::default() };
            let _ = scheduler.update_post(&caller, id, change, None).await;
        }
        1 => {
            setting.promises.lock().unwrap().removed.insert(id);
            let _ = scheduler.delete_post(&caller, id, None).await;
        }
        // One person of a pair: two who look and then both retry could not know of each other.
        2 | 3 if number.is_multiple_of(2) => {
            while !setting.callers_done.load(Ordering::Relaxed) {
                world.until(world.now() + TimeDelta::minutes(20)).await;
                retry_after_a_look(&setting, &caller, id).await;
            }
        }
        _ => {}
    }
}

/// A person who does as the message says: looks first, and retries only what is missing.
async fn retry_after_a_look(setting: &Setting, caller: &Caller, id: PostId) {
    let Ok(post) = setting.scheduler.post(caller, id).await else { return };
    if post.status != PostStatus::Done {
        return;
    }
    let live_in_doubt = post.targets.iter().any(|target| {
        target.failure().is_some_and(Failure::is_in_doubt)
            && target.status() == TargetStatus::Failed
            && !setting.wall.parts(target.id).is_empty()
    });
    if !live_in_doubt {
        let _ = setting.scheduler.retry_post(caller, id).await;
    }
}

/// Whether somebody has deleted a file that was ready.
fn names_a_deleted_file(setting: &Setting, input: &PostInput) -> bool {
    let Field::Value(ids) = &input.media_ids else { return false };
    let files = setting.store.inner.all_media();
    files.iter().any(|file| file.status == MediaStatus::Deleted && ids.contains(&file.id))
}

fn input(setting: &Setting, number: u64) -> PostInput {
    let world = &setting.world;
    // Both callers of one key send the same.
    let text = ["a", "bb", "an album", "a video", "the video"][(number / 2 % 5) as usize];
    let targets = NETWORKS.iter().map(|(platform, _)| TargetInput::from(*platform));
    let mut input = PostInput {
        content: Field::Value(text.to_owned()),
        targets: Field::Value(targets.collect()),
        ..PostInput::default()
    };
    if setting.scene.has_files {
        let mut usable = setting.promises.lock().unwrap().usable.clone();
        if !usable.is_empty() {
            let first = world.below(usable.len() as u64) as usize;
            usable.rotate_left(first);
            usable.dedup();
            usable.truncate(1 + world.below(2) as usize);
            input.media_ids = Field::Value(usable);
        }
    }
    match number / 2 % 4 {
        0 => input.publish_now = Field::Value(true),
        1 => input.queue = Field::Value(true),
        2 => input.scheduled_local = Field::Value("2026-03-29T02:30".into()),
        _ => {
            let at = world.now() + TimeDelta::seconds(200);
            input.scheduled_at = Field::Value(at.to_rfc3339());
        }
    }
    input
}
