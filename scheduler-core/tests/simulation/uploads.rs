//! Callers who upload files, finish them twice, leave them, delete them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use chrono::TimeDelta;
use scheduler_core::app::{Caller, CompleteInput, ShownMedia, UploadView};
use scheduler_core::error::AppError;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaInput, MediaKind, MediaStatus, UploadedPart};
use scheduler_core::ports::Clock as _;

use crate::files::{BROKEN, GOOD, Sent};
use crate::run::Setting;

/// Bytes of a file that is sent in one piece, and of one in two parts.
const SMALL: u64 = 9;
const LARGE: u64 = (17 << 20) + 5;

/// How the two callers of a share go about their file.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Whole,
    Parts,
    Fetched,
    /// Begun and left.
    Left,
}

const WAYS: [Way; 5] = [Way::Whole, Way::Parts, Way::Fetched, Way::Parts, Way::Left];

/// A caller: declares a file or joins the one of its pair, brings it to its end, may delete it.
pub(crate) async fn upload(setting: Arc<Setting>, caller: Caller, number: u64) {
    let world = &setting.world;
    world.until(world.now() + TimeDelta::seconds(i64::try_from(world.below(60)).unwrap())).await;
    let share = number / 2;
    let way = WAYS[(share % 5) as usize];
    let (id, content) = if number.is_multiple_of(2) {
        let id = declare(&setting, &caller, way).await;
        let content = if world.below(8) == 0 { BROKEN } else { GOOD };
        if way == Way::Whole && world.below(3) == 0 {
            send_too_little(&setting, &caller, id).await;
        }
        setting.promises.lock().unwrap().shares.insert(share, (id, content));
        (id, content)
    } else {
        loop {
            let found = setting.promises.lock().unwrap().shares.get(&share).copied();
            if let Some(found) = found {
                break found;
            }
            if is_over(&setting) {
                return;
            }
            pass(&setting, 7).await;
        }
    };
    let first = setting.scheduler.show_media(&caller, id).await.ok();
    let is_hasty = world.below(8) == 0;
    if is_hasty {
        erase(&setting, &caller, id).await;
    } else if way == Way::Left {
        if let Some(view) = first.as_ref().and_then(|shown| shown.upload.as_ref()) {
            send(&setting, view, content).await;
        }
    } else {
        bring_to_its_end(&setting, &caller, id, content).await;
        if world.below(2) == 0
            && let Some(view) = first.as_ref().and_then(|shown| shown.upload.as_ref())
        {
            // What was examined stays what goes out.
            send(&setting, view, BROKEN).await;
        }
        if world.below(3) > 0 {
            return;
        }
        pass(&setting, i64::try_from(world.below(7_200)).unwrap()).await;
        erase(&setting, &caller, id).await;
    }
    // A link that still lives brings bytes back.
    if let Some(view) = first.and_then(|shown| shown.upload)
        && world.below(2) == 0
    {
        send(&setting, &view, content).await;
    }
}

fn is_over(setting: &Setting) -> bool {
    setting.callers_done.load(Ordering::Relaxed)
}

async fn pass(setting: &Setting, seconds: i64) {
    let world = &setting.world;
    world.until(world.now() + TimeDelta::seconds(seconds)).await;
    world.pause().await;
}

async fn declare(setting: &Setting, caller: &Caller, way: Way) -> MediaId {
    let world = &setting.world;
    let source = ["good", "good", "broken", "gone"][world.below(4) as usize];
    let (size_bytes, source_url) = match way {
        Way::Whole | Way::Left => (Some(SMALL), None),
        Way::Parts => (Some(LARGE), None),
        Way::Fetched => (None, Some(format!("https://files.example/{source}"))),
    };
    loop {
        let input = MediaInput {
            kind: Some(MediaKind::Image),
            size_bytes,
            source_url: source_url.clone(),
            ..MediaInput::default()
        };
        match setting.scheduler.declare_media(caller, input, None).await {
            Ok(declared) => {
                setting.promises.lock().unwrap().declared.insert(declared.value.media.id);
                return declared.value.media.id;
            }
            Err(AppError::Store(_) | AppError::Files(_)) => world.pause().await,
            Err(AppError::Refused(refusal)) => {
                world.violated(format!("a good file was refused: {refusal:?}"));
            }
        }
    }
}

/// Sends what is asked for and reports it, until the file is ready or will never be.
async fn bring_to_its_end(setting: &Setting, caller: &Caller, id: MediaId, content: &'static [u8]) {
    while !is_over(setting) {
        let Ok(ShownMedia { media, upload }) = setting.scheduler.show_media(caller, id).await
        else {
            pass(setting, 1).await;
            continue;
        };
        match media.status {
            MediaStatus::AwaitingUpload => {
                let Some(view) = upload else {
                    setting.world.violated(format!("nobody says where {id} is sent"));
                    return;
                };
                let parts = send(setting, &view, content).await;
                finish(setting, caller, id, parts).await;
            }
            MediaStatus::Ingesting | MediaStatus::Processing => pass(setting, 10).await,
            MediaStatus::Ready => {
                // Larger ones are more than the networks take.
                if media.size_bytes.is_some_and(|size| size < LARGE) {
                    setting.promises.lock().unwrap().usable.push(id);
                }
                return;
            }
            MediaStatus::Failed | MediaStatus::Deleted => return,
        }
    }
}

/// Sends a file that is cut off, and calls it finished; stores on S3 take one of any size.
async fn send_too_little(setting: &Setting, caller: &Caller, id: MediaId) {
    let shown = setting.scheduler.show_media(caller, id).await;
    if let Ok(ShownMedia { upload: Some(UploadView::Single { upload_url, .. }), .. }) = shown {
        setting.files.send(&upload_url, SMALL - 1, GOOD).await;
    }
    if setting.scheduler.confirm_upload(caller, id).await.is_ok() {
        setting.world.violated(format!("{id} was taken and is cut off"));
    }
}

/// Sends a file where the view says; the ETags of the parts that were taken, none for one piece.
async fn send(setting: &Setting, view: &UploadView, content: &'static [u8]) -> Vec<UploadedPart> {
    let world = &setting.world;
    let files = &setting.files;
    match view {
        UploadView::Single { upload_url, .. } => {
            files.send(upload_url, SMALL, content).await;
            Vec::new()
        }
        UploadView::Multipart { part_size, parts } => {
            let mut taken = Vec::new();
            let mut order: Vec<_> = parts.iter().collect();
            if world.below(2) == 0 {
                order.reverse();
            }
            if world.below(4) == 0 {
                order.push(&parts[0]);
            }
            for part in order {
                let before = u64::from(part.part_number - 1) * part_size;
                let size = (LARGE - before).min(*part_size);
                if let Sent::Kept { etag } = files.send(&part.url, size, content).await {
                    taken.retain(|other: &UploadedPart| other.part_number != part.part_number);
                    taken.push(UploadedPart { part_number: part.part_number, etag });
                }
            }
            taken
        }
        UploadView::Ingest {} => Vec::new(),
    }
}

/// Reports an upload as finished, sometimes twice.
async fn finish(setting: &Setting, caller: &Caller, id: MediaId, parts: Vec<UploadedPart>) {
    for _ in 0..=setting.world.below(2) {
        let answer = if parts.is_empty() {
            setting.scheduler.confirm_upload(caller, id).await
        } else {
            let input = CompleteInput { parts: Some(parts.clone()) };
            setting.scheduler.complete_upload(caller, id, input).await
        };
        if answer.is_ok() {
            setting.promises.lock().unwrap().confirmed.insert(id);
        }
        setting.world.pause().await;
    }
}

/// Deletes a file as soon as no post needs it.
async fn erase(setting: &Setting, caller: &Caller, id: MediaId) {
    while !is_over(setting) {
        setting.promises.lock().unwrap().erased.insert(id);
        match setting.scheduler.delete_media(caller, id).await {
            Ok(_) => return,
            Err(AppError::Store(_) | AppError::Files(_)) => setting.world.pause().await,
            Err(AppError::Refused(_)) => pass(setting, 600).await,
        }
    }
}
