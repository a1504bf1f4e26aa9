//! Publishing: a video is announced, sent and waited for; photos are named and waited for.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-direct-post>,
//! <https://developers.tiktok.com/docs/en/content-posting-api-reference-photo-post> and
//! <https://developers.tiktok.com/docs/en/content-posting-api-reference-upload-video>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, Step};
use serde_json::{Value, json};

use super::api::Api;
use super::errors::taken;
use super::progress::{Progress, Stage};
use super::upload::{Chunks, Upload};
use super::wire::Init;
use super::{creator, status, upload};
use crate::conversation::{
    Answer, Body, FileBody, Job, JsonWithLinks, LinkedFile, Request, Turn, TurnResult,
};
use crate::oauth_tokens::Tokens;

/// How long the instant before the photos were named stays good.
const MARK_LIFE: TimeDelta = TimeDelta::minutes(9);

/// How long the links of photos live: they must be reachable for an hour.
///
/// Source: <https://developers.tiktok.com/docs/en/content-posting-api-media-transfer-guide>; the
/// rest is for clocks that differ.
const LINK_LIFE: TimeDelta = TimeDelta::hours(2);

/// The next turn of a step.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    match progress.stage.clone() {
        Stage::Creator => creator::check(api, job, progress, answers),
        Stage::Init => announce(api, job, progress, answers),
        Stage::Sending(upload) => upload::send(job, progress, upload, answers),
        Stage::Photos { since, .. } => photos(api, job, progress, since, answers),
        Stage::Processing { publish_id, since } => {
            status::poll(api, job, progress, (&publish_id, since), answers)
        }
        Stage::Posted { publish_id, since, begun_at } => {
            let posted = status::Posted { publish_id, since, begun_at };
            status::post_id(api, job, progress, &posted, answers)
        }
    }
}

/// The next turn of announcing a video. Nobody sees anything of it before its last byte, so it may
/// be announced twice.
fn announce(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let chunks = upload::chunks(job, &progress)?;
    let Some(answer) = answers.first() else {
        let (path, body): (&[&str], Value) = match progress.post.is_draft {
            true => (&["post", "publish", "inbox", "video", "init"], json!({})),
            false => (
                &["post", "publish", "video", "init"],
                json!({ "post_info": video_info(&progress) }),
            ),
        };
        let body = with_source(body, chunks);
        return Ok(Turn::Send(api.act(&job.credentials.access_token, path, body)));
    };
    let init: Init = taken(answer, false, Some(job.now))?;
    let stage = Stage::Sending(Upload::begin(init, chunks, job.now)?);
    Ok(Turn::Done(Step::Next(progress.at(stage))))
}

/// The next turn of naming the photos, which publishes them.
fn photos(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    since: DateTime<Utc>,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        if job.now >= since + MARK_LIFE {
            let stage = Stage::Photos { since: job.now, looks: 0 };
            return Ok(Turn::Done(Step::Next(progress.at(stage))));
        }
        return Ok(Turn::Send(name_photos(api, job, &progress)?));
    };
    let init: Init = taken(answer, true, Some(job.now))?;
    Ok(Turn::Done(progress.processing(init.publish_id, job.now)))
}

fn with_source(mut body: Value, chunks: Chunks) -> Value {
    body["source_info"] = json!({
        "source": "FILE_UPLOAD",
        "video_size": chunks.video_size,
        "chunk_size": chunks.chunk_size,
        "total_chunk_count": chunks.total_chunk_count,
    });
    body
}

fn video_info(progress: &Progress) -> Value {
    let mut info = direct_info(progress);
    let extras = &progress.post.extras;
    let creator = progress.creator.as_ref();
    let may_duet = extras.allow_duet && creator.is_none_or(|creator| !creator.duets_disabled);
    let may_stitch =
        extras.allow_stitch && creator.is_none_or(|creator| !creator.stitches_disabled);
    info["title"] = progress.post.text.as_str().into();
    info["disable_duet"] = (!may_duet).into();
    info["disable_stitch"] = (!may_stitch).into();
    if extras.ai_generated {
        info["is_aigc"] = true.into();
    }
    if let Some(at) = extras.cover_timestamp_ms {
        info["video_cover_timestamp_ms"] = at.into();
    }
    info
}

/// What goes with every post that is published directly.
fn direct_info(progress: &Progress) -> Value {
    let are_disabled = progress.creator.as_ref().is_some_and(|creator| creator.comments_disabled);
    json!({
        "privacy_level": progress.post.privacy,
        "disable_comment": !progress.post.allow_comments || are_disabled,
        "brand_content_toggle": progress.post.extras.branded_content,
        "brand_organic_toggle": progress.post.extras.own_brand,
    })
}

fn name_photos(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
) -> Result<Request, NetworkError> {
    let files = progress.files(job)?;
    let (mode, mut info) = match progress.post.is_draft {
        true => ("MEDIA_UPLOAD", json!({})),
        false => ("DIRECT_POST", direct_info(progress)),
    };
    let extras = &progress.post.extras;
    if !progress.post.is_draft {
        info["auto_add_music"] = extras.auto_music.into();
    }
    info["title"] = extras.title.as_str().into();
    info["description"] = progress.post.text.as_str().into();
    let value = json!({
        "media_type": "PHOTO",
        "post_mode": mode,
        "post_info": info,
        "source_info": {
            "source": "PULL_FROM_URL",
            "photo_cover_index": extras.cover_index,
            "photo_images": vec![""; files.len()],
        },
    });
    let links = files.iter().enumerate().map(|(at, file)| {
        let linked = LinkedFile { file: FileBody::of(file), expires_at: job.now + LINK_LIFE };
        (format!("/source_info/photo_images/{at}"), linked)
    });
    let body = Body::JsonWithLinks(Box::new(JsonWithLinks { value, links: links.collect() }));
    let path = &["post", "publish", "content", "init"];
    Ok(api.call(&job.credentials.access_token, path, None, body).visible())
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
