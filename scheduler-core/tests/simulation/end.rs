//! What holds at the end of every run.

use std::collections::{BTreeMap, BTreeSet};

use scheduler_core::ids::MediaId;
use scheduler_core::media::{FileKey, Media, MediaStatus};
use scheduler_core::ports::{
    Clock as _, DeliveryRecord, MediaStore as _, ReadingStore as _, WebhookStore as _, WorkKind,
};
use scheduler_core::post::{Month, Post, PostStatus};
use scheduler_core::target::{Failure, TargetStatus};
use scheduler_core::webhook::DeliveryStatus;

use crate::files::{BROKEN, Blob};
use crate::run::{NETWORKS, Setting, block_on};
use crate::world::World;

pub(crate) fn has_ended(setting: &Setting) -> bool {
    let next = setting.store.inner.next_due_but_readings(setting.world.now());
    let posts = setting.store.inner.posts();
    let ended = |post: &Post| match post.status {
        PostStatus::Draft => true,
        _ => post.targets.iter().all(|target| target.status().has_ended()),
    };
    let deliveries = block_on(setting.store.inner.deliveries(setting.workspace, None, u32::MAX))
        .expect("memory");
    let is_pending = |record: &DeliveryRecord| record.delivery.status == DeliveryStatus::Pending;
    let files = setting.store.inner.all_media();
    // Leased work is not due, and not done either: what it works on is still unfinished.
    next.is_none()
        && posts.iter().all(ended)
        && files.iter().all(has_settled)
        && !deliveries.iter().any(is_pending)
}

pub(crate) fn check_the_end(setting: &Setting) {
    let world = &setting.world;
    if !has_ended(setting) {
        world.violated("something is left that never ended".to_owned());
    }
    let posts = setting.store.inner.posts();
    let promises = setting.promises.lock().unwrap();
    for id in promises.created.difference(&promises.removed) {
        if !posts.iter().any(|post| post.id == *id) {
            world.violated(format!("post {id} was answered and is lost"));
        }
    }
    let mut keys = BTreeSet::new();
    for post in &posts {
        if !keys.insert(post.idempotency_key.as_ref().map(|key| key.as_str().to_owned())) {
            world.violated(format!("{:?} made two posts", post.idempotency_key));
        }
        check_post(setting, post);
    }
    for (id, ends, events) in setting.store.ends_without_their_event() {
        world.violated(format!("target {id} ended {ends} times and has {events} events"));
    }
    check_deliveries(setting);
    check_readings(setting, &posts);
    check_slots(world, &posts);
    drop(promises);
    check_files(setting);
}

/// Nothing is left to be done with a file.
fn has_settled(media: &Media) -> bool {
    let is_at_an_end =
        matches!(media.status, MediaStatus::Ready | MediaStatus::Failed | MediaStatus::Deleted);
    is_at_an_end && media.due_at.is_none()
}

/// Every file is what its record says, and no bytes lie there that no record claims.
fn check_files(setting: &Setting) {
    let world = &setting.world;
    let records: BTreeMap<MediaId, Media> =
        setting.store.inner.all_media().into_iter().map(|media| (media.id, media)).collect();
    let promises = setting.promises.lock().unwrap();
    for id in promises.declared.iter().filter(|id| !records.contains_key(id)) {
        world.violated(format!("file {id} was answered and is lost"));
    }
    for id in promises.confirmed.difference(&promises.erased) {
        let media = &records[id];
        let is_kept = match media.status {
            MediaStatus::Ready => true,
            MediaStatus::Failed => {
                media.error.as_ref().is_some_and(|error| !error.contains("24 hours"))
            }
            MediaStatus::AwaitingUpload
            | MediaStatus::Ingesting
            | MediaStatus::Processing
            | MediaStatus::Deleted => false,
        };
        if !is_kept {
            world.violated(format!("file {id} was here and is lost: {media:?}"));
        }
    }
    let kept = setting.files.kept();
    for media in records.values() {
        check_file(world, media, |key| kept.blobs.get(key));
    }
    let claimed = |key: &FileKey| {
        let of = |media: &Media| key.as_str().starts_with(media.folder().as_str());
        records.values().any(|media| media.status == MediaStatus::Ready && of(media))
    };
    for key in kept.blobs.keys().filter(|key| !claimed(key)) {
        let record = records.values().find(|media| key.as_str().contains(&media.id.to_string()));
        world.violated(format!("nobody claims the bytes of {key}: {record:?}"));
    }
    // One that was opened for a record that was never stored is empty: nobody has its links.
    for upload in kept.uploads.values().filter(|upload| !upload.parts.is_empty()) {
        world.violated(format!("parts of {} are left", upload.key));
    }
    let month = Month::of(world.now());
    let counted = |media: &&Media| media.allowance_month() == month;
    let sum: u64 = records.values().filter(counted).map(Media::allowance_bytes).sum();
    let used = block_on(setting.store.inner.bytes_in_month(setting.workspace, month));
    if used.as_ref().ok() != Some(&sum) {
        world.violated(format!("{used:?} bytes are counted in {month:?}, of {sum}"));
    }
}

fn check_file<'a>(world: &World, media: &Media, blob_of: impl Fn(&FileKey) -> Option<&'a Blob>) {
    if media.status != MediaStatus::Ready {
        return;
    }
    let original = blob_of(&media.folder().original());
    if original.map(|blob| blob.size_bytes) != media.size_bytes
        || original.is_some_and(|blob| blob.content == BROKEN)
    {
        world.violated(format!("the bytes of a ready file are others: {media:?}"));
    }
    if blob_of(&media.folder().preview()).is_some() != media.has_preview {
        world.violated(format!("the preview of a ready file is not there: {media:?}"));
    }
}

/// What is shown of a post is its latest reading, and every account is still read.
fn check_readings(setting: &Setting, posts: &[Post]) {
    let world = &setting.world;
    for target in posts.iter().flat_map(|post| &post.targets) {
        let readings = block_on(setting.store.inner.readings(target.id, None, u32::MAX));
        let readings = readings.expect("memory");
        if readings.last() != target.reading.as_ref() {
            world.violated(format!("{} shows another reading than its latest", target.id));
        }
        if target.published_at().is_none() && !readings.is_empty() {
            world.violated(format!("{} was read and never published", target.id));
        }
    }
    let work = setting.store.inner.work();
    let read = work.iter().filter(|(kind, _)| *kind == WorkKind::Read).count();
    if read != NETWORKS.len() {
        world.violated(format!("{read} accounts of {} are read", NETWORKS.len()));
    }
}

/// Every event was received, or was sent as often as promised.
fn check_deliveries(setting: &Setting) {
    let world = &setting.world;
    let received = setting.receiver.received.lock().unwrap();
    let events = setting.store.inner.events();
    let deliveries = block_on(setting.store.inner.deliveries(setting.workspace, None, u32::MAX))
        .expect("memory");
    for event in events {
        let of_event: Vec<_> =
            deliveries.iter().filter(|found| found.delivery.event_id == event.id).collect();
        let [record] = of_event.as_slice() else {
            world.violated(format!("event {} has {} deliveries", event.id, of_event.len()));
            continue;
        };
        let kept = match record.delivery.status {
            DeliveryStatus::Delivered => received.get(&event.id.to_string()) == Some(&event.body),
            DeliveryStatus::Failed => record.attempts.len() == 6,
            DeliveryStatus::Pending => false,
        };
        if !kept {
            world.violated(format!("event {} was given up: {record:?}", event.id));
        }
    }
}

fn check_post(setting: &Setting, post: &Post) {
    let world = &setting.world;
    if post.status == PostStatus::Done || post.status == PostStatus::Publishing {
        let derived = PostStatus::of_targets(&post.targets);
        if derived != post.status {
            world.violated(format!(
                "post {} is {:?}, its targets say {derived:?}",
                post.id, post.status
            ));
        }
    }
    for target in &post.targets {
        let parts = setting.wall.parts(target.id);
        let what = format!("{} of {} ({:?})", target.id, target.platform, target.failure());
        if parts.iter().any(|count| *count > 1) {
            world.violated(format!("{what} is live twice: {parts:?}"));
        }
        let items = setting.wall.items(target.id);
        if items > 1 {
            world.violated(format!("{what} is live twice: {items} times the rest of an album"));
        }
        let expected = 1 + post.content.len() % 3;
        match target.status() {
            TargetStatus::Published if parts.len() != expected => {
                world.violated(format!(
                    "{what} is published with {} parts of {expected}",
                    parts.len()
                ));
            }
            TargetStatus::Skipped
                if post.status == PostStatus::Canceled
                    && target.attempts == 0
                    && !parts.is_empty() =>
            {
                world.violated(format!("{what} is live and was cancelled before it began"));
            }
            TargetStatus::Failed => {
                let in_doubt = target.failure().is_some_and(Failure::is_in_doubt);
                if parts.len() == expected && !in_doubt {
                    world.violated(format!("{what} is live and reported as failed"));
                }
            }
            _ => {}
        }
    }
}

fn check_slots(world: &World, posts: &[Post]) {
    let mut slots = BTreeSet::new();
    for target in posts.iter().flat_map(|post| &post.targets) {
        if let Some(slot) = target.slot_at().filter(|_| !target.status().has_ended())
            && !slots.insert((target.account_id, slot))
        {
            world.violated(format!("the slot {slot} was taken twice"));
        }
    }
}
