//! `GET /media`

use scheduler_core::app::MediaPage;
use scheduler_core::media::{MEDIA_LIMIT_DEFAULT, MEDIA_LIMIT_MAX, MediaListInput};
use scheduler_core::post::{LABEL_MAX_CHARACTERS, SEARCH_MAX_CHARACTERS};

use crate::openapi::examples::ready_media;
use crate::routes::posts::page;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_media",
    method: Method::GET,
    pattern: "/v1/media",
    query: &[
        Parameter::optional("kind", "Only files of this kind.", || named("MediaKind")),
        Parameter::optional(
            "used",
            "`true`: only files that a post uses; `false`: only those that none does.",
            || json!({"type": "boolean"}),
        ),
        Parameter::optional(
            "label",
            "Only files with this label, whatever its case. Up to 20, for any of them.",
            || with(text(), json!({"minLength": 1, "maxLength": LABEL_MAX_CHARACTERS})),
        )
        .repeatable()
        .for_example("spring"),
        Parameter::optional(
            "q",
            "Only files with words that begin like each of these, in `name` or `fileName`; without case and accents.",
            || with(text(), json!({"minLength": 1, "maxLength": SEARCH_MAX_CHARACTERS})),
        )
        .for_example("cake"),
        Parameter::optional("limit", "Files in a page.", || {
            up_to(MEDIA_LIMIT_MAX, MEDIA_LIMIT_DEFAULT)
        }),
        page::BEFORE,
    ],
    handler: Handler::Keyed(Access::Scope(Scope::MediaRead), |call, caller| {
        Box::pin(list(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let listed = with(ready_media(), json!({"postCount": 1}));
    Description::new(
        "List files",
        "Newest first, each with the number of posts that use it. What is asked for by several parameters has all of them. When there are more, `nextCursor` is not null; send it as `before`.",
    )
    .answers(
        200,
        "A page of files.",
        written::<MediaPage>,
        json!({"data": [listed], "nextCursor": null}),
    )
}

async fn list(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let query = &mut call.query;
    let input = MediaListInput {
        kind: query.take("kind"),
        used: query.take("used"),
        label: query.take_all("label"),
        q: query.take("q"),
        limit: query.take("limit"),
        before: query.take("before"),
    };
    let page = call.api.scheduler.list_media(&caller, &input).await?;
    Ok(answer::json(StatusCode::OK, &page))
}
