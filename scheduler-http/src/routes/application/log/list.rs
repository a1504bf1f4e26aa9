//! `GET /app/v1/log`

use scheduler_core::audit::{AUDIT_LIMIT_DEFAULT, AUDIT_LIMIT_MAX, AuditFilter, AuditPage};
use scheduler_core::post::PageInput;

use crate::openapi::examples::{EVENT, KEY, POST};
use crate::routes::posts::page;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_log",
    method: Method::GET,
    pattern: "/app/v1/log",
    query: &[
        Parameter::optional("limit", "Entries in a page.", || {
            up_to(AUDIT_LIMIT_MAX, AUDIT_LIMIT_DEFAULT)
        }),
        page::BEFORE,
        Parameter::optional(
            "calls",
            "`true`: calls of tools, by programs that act for people; else what was changed.",
            || json!({"type": "boolean"}),
        ),
        Parameter::optional(
            "by",
            "Only entries of this key or session.",
            || json!({"type": "string", "format": "uuid"}),
        ),
    ],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    let entry = json!({
        "id": EVENT,
        "at": "2026-12-24T17:00:00Z",
        "by": {"kind": "key", "id": KEY, "name": "The website"},
        "operation": "create_post",
        "path": format!("/v1/posts/{POST}"),
    });
    Description::new(
        "See who changed what, and what agents have called",
        "Newest first: every request with a key or a session that has changed something, and the same of commands on the server; with `calls`, in place of these, every call of a tool through the Model Context Protocol, also one that reads or is refused, with `call`; not what clients decide, nor that accounts were connected. Entries come within a second of the change on other servers of the same database, and are kept as long as events are.",
    )
    .answers(
        200,
        "A page of the log.",
        written::<AuditPage>,
        json!({"data": [entry], "nextCursor": null}),
    )
}

async fn list(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let page = PageInput { limit: call.query.take("limit"), before: call.query.take("before") };
    call.api.audit.store(&call.api.scheduler).await;
    let (calls, by) = (call.query.take("calls"), call.query.take("by"));
    let filter = AuditFilter::parse(calls.as_deref(), by.as_deref())?;
    let page = call.api.scheduler.audit(member.workspace.id, &page, filter).await?;
    Ok(answer::json(StatusCode::OK, &page))
}
