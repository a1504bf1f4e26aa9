//! `POST /media`

use scheduler_core::app::{FILE_BYTES_MAX, UploadInstructions};
use scheduler_core::media::MediaInput;

use crate::openapi::examples::awaited_media;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "declare_media",
    method: Method::POST,
    pattern: "/v1/media",
    query: &[],
    handler: Handler::Repeatable(Access::Scope(Scope::MediaWrite), |call, caller| {
        Box::pin(create(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
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
    Description::new(
        "Declare a file",
        "The bytes never pass through the API:\n\n- Declare the file with `sizeBytes`, or with `sourceUrl` when the server should fetch it.\n- `mode: single`: PUT the whole file to `uploadUrl` with the returned headers, then call `POST /media/{id}/uploaded`.\n- `mode: multipart` (files over 16 MiB): PUT each part to its address, keep each ETag, then call `POST /media/{id}/complete`.\n- `mode: ingest`: wait.\n- Use the file in a post once its status is `ready`.\n\n60 a minute a workspace, unless the operator has set another limit.",
    )
    .reads_any(
        input,
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
        written::<UploadInstructions>,
        vec![
            example("picture", "In one piece", single.clone()),
            example("video", "In parts", multipart),
            example("fetched", "Fetched by the server", ingest),
        ],
    )
    .answers_any(
        200,
        "The file that was declared before with this `Idempotency-Key`, as it is now, with fresh links; whether its bytes are still missing, its status says.",
        written::<UploadInstructions>,
        vec![example("picture", "In one piece", single)],
    )
    .refuses(&[Code::UploadLimit, Code::FileTooLarge])
}

fn input(components: &mut Components) -> Value {
    let schema = read::<MediaInput>(components);
    let size = format!(
        "The exact size in bytes; required unless there is a `sourceUrl`. At most {FILE_BYTES_MAX} unless the operator has set another ceiling (413), and less on smaller plans (402)."
    );
    components.change("MediaInput", "/properties/sizeBytes", json!({"description": size}));
    schema
}

async fn create(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    call.count_upload(&caller)?;
    let sent = call.repeatable::<MediaInput>(&caller).await?;
    let (scheduler, key) = (&call.api.scheduler, sent.key.as_ref());
    let declared = match sent.input {
        Ok(input) => scheduler.declare_media(&caller, input, key).await?,
        Err(error) => scheduler.earlier_media(&caller, key).await?.ok_or(error)?,
    };
    let location = format!("/v1/media/{}", declared.value.media.id);
    Ok(answer::made(&location, declared.replay, &declared.value))
}
