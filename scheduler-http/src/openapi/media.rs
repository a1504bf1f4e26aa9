//! Files.

use scheduler_core::app::{MEDIA_LIMIT_DEFAULT, MEDIA_LIMIT_MAX};
use scheduler_core::error::ErrorCode as Code;
use serde_json::json;

use super::examples::{MEDIA, awaited_media, live_post, processing_media, ready_media};
use super::operation::{Answer, Content, Operation, Parameter, example};
use super::posts::{page_before, page_limit, up_to};
use super::schema::{named, text, with};
use crate::endpoints::{
    COMPLETE_UPLOAD, CONFIRM_UPLOAD, DECLARE_MEDIA, DELETE_MEDIA, LIST_MEDIA, LIST_MEDIA_POSTS,
    SHOW_MEDIA, SHOW_THUMB,
};

pub(super) fn operations() -> Vec<Operation> {
    vec![list(), declare(), show(), delete(), uploaded(), complete(), thumb(), posts()]
}

fn list() -> Operation {
    let listed = with(ready_media(), json!({"postCount": 1}));
    Operation::new(
        &LIST_MEDIA,
        "List files",
        "Newest first, each with the number of posts that use it.",
    )
    .query(Parameter::optional(
        "limit",
        "Files in the answer.",
        up_to(MEDIA_LIMIT_MAX, MEDIA_LIMIT_DEFAULT),
    ))
    .answers(200, "The files.", named("MediaList"), json!({"data": [listed]}))
}

fn declare() -> Operation {
    let link = |name: &str| format!("https://scheduler.example/files/a/b/{name}?signature=abc");
    let single = json!({
        "media": awaited_media(),
        "upload": {
            "mode": "single",
            "uploadUrl": link("sent"),
            "headers": {"content-type": "image/jpeg"},
        },
    });
    let video = json!({
        "kind": "video",
        "mimeType": "video/mp4",
        "sizeBytes": 20_000_000,
        "fileName": "film.mp4",
    });
    let multipart = json!({
        "media": with(awaited_media(), video.clone()),
        "upload": {
            "mode": "multipart",
            "partSize": 16_777_216,
            "parts": [
                {"partNumber": 1, "url": link("1")},
                {"partNumber": 2, "url": link("2")},
            ],
        },
    });
    let fetched =
        json!({"status": "ingesting", "mimeType": null, "sizeBytes": null, "fileName": null});
    let ingest = json!({"media": with(awaited_media(), fetched), "upload": {"mode": "ingest"}});
    Operation::new(
        &DECLARE_MEDIA,
        "Declare a file",
        "The bytes never pass through the API:\n\n- Declare the file with `sizeBytes`, or with `sourceUrl` when the server should fetch it.\n- `mode: single`: PUT the whole file to `uploadUrl` with the returned headers, then call `POST /media/{id}/uploaded`.\n- `mode: multipart` (files over 16 MiB): PUT each part to its address, keep each ETag, then call `POST /media/{id}/complete`.\n- `mode: ingest`: wait.\n- Use the file in a post once its status is `ready`.\n\n60 a minute a workspace, unless the operator has set another limit.",
    )
    .reads_any(
        named("MediaInput"),
        vec![
            example(
                "picture",
                "A picture to upload",
                json!({
                    "kind": "image",
                    "mimeType": "image/jpeg",
                    "sizeBytes": 245_760,
                    "fileName": "cake.jpg",
                }),
            ),
            example("video", "A video to upload in parts", video),
            example(
                "fetched",
                "A picture to fetch",
                json!({"kind": "image", "sourceUrl": "https://bakery.example/cake.jpg"}),
            ),
        ],
    )
    .answers_any(
        201,
        "The file, and how its bytes get here.",
        named("UploadInstructions"),
        vec![
            example("picture", "In one piece", single.clone()),
            example("video", "In parts", multipart),
            example("fetched", "Fetched by the server", ingest),
        ],
    )
    .answers_any(
        200,
        "The file that was declared before with this `Idempotency-Key`, as it is now, with fresh links; whether its bytes are still missing, its status says.",
        named("UploadInstructions"),
        vec![example("picture", "In one piece", single)],
    )
    .refuses(&[Code::UploadLimit, Code::FileTooLarge])
}

fn show() -> Operation {
    Operation::new(
        &SHOW_MEDIA,
        "Show a file",
        "While the file awaits its bytes, a key with media:write is given fresh addresses, so that an upload can go on after the first ones have expired.",
    )
    .answers(200, "The file.", named("ShownMedia"), ready_media())
    .refuses(&[Code::NotFound])
}

fn delete() -> Operation {
    let deleted = with(ready_media(), json!({"status": "deleted", "previewUrl": null}));
    Operation::new(
        &DELETE_MEDIA,
        "Delete a file",
        "Its bytes are removed, its record stays. Refused while a post that has not finished going out needs it.",
    )
    .answers(200, "The file, now deleted.", named("Media"), deleted)
    .refuses(&[Code::NotFound, Code::InUse])
}

fn uploaded() -> Operation {
    Operation::new(
        &CONFIRM_UPLOAD,
        "Tell that a file is uploaded",
        "After the PUT of `mode: single`. A repeat changes nothing. With 409 `media_unusable` bytes are missing or of another size, and the file can be sent again.",
    )
    .answers(200, "The file, being examined or ready.", named("Media"), processing_media())
    .refuses(&[Code::NotFound, Code::MediaUnusable])
}

fn complete() -> Operation {
    let parts = json!({"parts": [
        {"partNumber": 1, "etag": "\"9bb58f26192e4ba00f01e2e7b136bbd8\""},
        {"partNumber": 2, "etag": "\"5f4dcc3b5aa765d61d8327deb882cf99\""},
    ]});
    Operation::new(
        &COMPLETE_UPLOAD,
        "Put an upload in parts together",
        "After the PUTs of `mode: multipart`. A repeat changes nothing. With 409 `media_unusable` a part is missing or of another size, and the upload stays open.",
    )
    .reads(named("UploadedParts"), parts)
    .answers(200, "The file, being examined or ready.", named("Media"), processing_media())
    .refuses(&[Code::NotFound, Code::MediaUnusable])
}

fn thumb() -> Operation {
    Operation::new(
        &SHOW_THUMB,
        "Show the preview of a file",
        "A small picture, at most 512 pixels long. A file that is not ready has none, and neither has a video on a server without ffmpeg: 404.",
    )
    .answers_with(Answer {
        status: 200,
        description: "The preview.",
        content: Content::Picture,
        headers: vec![("Cache-Control", "A preview never changes.", text())],
    })
    .refuses(&[Code::NotFound])
}

fn posts() -> Operation {
    let post = with(live_post(), json!({"mediaIds": [MEDIA]}));
    Operation::new(
        &LIST_MEDIA_POSTS,
        "List the posts that use a file",
        "Newest first. When there are more, `nextCursor` is not null; send it as `before`. A page also ends before it holds more than 8 MiB.",
    )
        .query(page_limit())
        .query(page_before())
        .answers(
            200,
            "A page of posts.",
            named("PostPage"),
            json!({"data": [post], "nextCursor": null}),
        )
        .refuses(&[Code::NotFound])
}
