//! `POST /media/{id}/versions`

use scheduler_core::media::{MediaView, VersionInput};

use crate::openapi::examples::processing_media;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_version",
    method: Method::POST,
    pattern: "/v1/media/{id}/versions",
    query: &[],
    handler: Handler::Repeatable(Access::Scope(Scope::MediaWrite), |call, caller| {
        Box::pin(create(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let made = with(
        processing_media(),
        json!({
            "status": "ingesting",
            "mimeType": "image/jpeg",
            "sizeBytes": null,
            "originalId": "01993b5c-2b7e-7000-8000-000000000001",
        }),
    );
    Description::new(
        "Make a version of a picture",
        "A file of its own, cropped, smaller or of another type; the original stays. Wait until its status is `ready`, then use it in a post.\n\n- `crop` with `ratio` takes the largest part of that ratio from the middle, such as the one that `detail.fix` of an issue names.\n- `crop` with `width` and `height`, and `x` and `y` from the top left, takes that rectangle.\n- A crop is measured in the picture as it is seen, after its orientation, and comes before `maxSide`.\n\nIt carries no metadata but the profile of its colours. 409 `media_unusable` for a file that is not ready, a video, and a type that the server does not read. Counts as an upload.",
    )
    .reads_any(
        read::<VersionInput>,
        vec![
            example("ratio", "Cropped to a ratio", json!({"crop": {"ratio": "4:5"}})),
            example(
                "rectangle",
                "A rectangle, as a JPEG of at most 1080 pixels a side",
                json!({
                    "crop": {"x": 10, "y": 20, "width": 600, "height": 400},
                    "maxSide": 1080,
                    "format": "jpeg",
                }),
            ),
        ],
    )
    .answers_any(
        201,
        "The version, about to be made.",
        written::<MediaView>,
        vec![example("version", "A version", made.clone())],
    )
    .answers_any(
        200,
        "The version that was made before with this `Idempotency-Key`, as it is now.",
        written::<MediaView>,
        vec![example("version", "A version", made)],
    )
    .refuses(&[Code::NotFound, Code::MediaUnusable, Code::UploadLimit])
}

async fn create(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    call.count_upload(&caller)?;
    let original = call.path("id")?;
    let sent = call.repeatable::<VersionInput>(&caller).await?;
    let (scheduler, key) = (&call.api.scheduler, sent.key.as_ref());
    let made = match sent.input {
        Ok(input) => scheduler.create_version(&caller, original, input, key).await?,
        Err(error) => scheduler.earlier_version(&caller, original, key).await?.ok_or(error)?,
    };
    let location = format!("/v1/media/{}", made.value.id);
    Ok(answer::made(&location, made.replay, &made.value))
}
