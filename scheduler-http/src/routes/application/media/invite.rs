//! `POST /app/v1/media/links`

use scheduler_core::media::{UploadLinkInput, UploadLinkView};

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_upload_link",
    method: Method::POST,
    pattern: "/app/v1/media/links",
    query: &[],
    handler: Handler::Member(Role::Drafter, |call, member| Box::pin(create(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Ask a person for files",
        "Makes a link under which somebody without a session gives files in a browser, once, within half an hour. The files are the newest of `GET /v1/media` then. Whoever has the link can give some: send it to nobody but the person whom it is for.",
    )
    .reads(read::<UploadLinkInput>, json!({"note": "The picture of the fair.", "files": 2}))
    .answers(
        201,
        "The link; it is shown once.",
        written::<UploadLinkView>,
        json!({
            "url": "https://posts.example.com/upload/example0example0example0example0example0exa",
            "files": 2,
            "expiresAt": "2026-11-28T09:30:00Z",
        }),
    )
}

async fn create(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: UploadLinkInput = call.json_of(&member).await?;
    let new = call.api.scheduler.create_upload_link(member.workspace.id, &input).await?;
    let url = call.api.page_at(&format!("upload/{}", new.pass.expose()));
    let view = UploadLinkView { url: url.clone(), files: new.files, expires_at: new.expires_at };
    Ok(answer::made(&url, None, &view))
}
