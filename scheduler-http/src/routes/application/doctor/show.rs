//! `GET /app/v1/doctor`

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "examine_server",
    method: Method::GET,
    pattern: "/app/v1/doctor",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    let check = json!({
        "check": "video tools",
        "verdict": "warning",
        "id": "tool-not-installed",
        "found": "ffprobe is not installed",
        "advice": "install ffmpeg",
    });
    Description::new(
        "Examine the server",
        "What `scheduler doctor` finds of the server, and of the accounts and webhooks of this workspace: each check with its verdict, a name under which the documentation explains it, and what to do. Of several callers at once one is answered, others 429.",
    )
    .answers(200, "What was found.", found, json!({"ok": true, "checks": [check]}))
    .refuses(&[Code::Unsupported])
}

fn found(components: &mut Components) -> Value {
    let or_null = || json!({"type": ["string", "null"]});
    let verdict = one_of(["ok", "warning", "problem", "skipped"]);
    let check = object([
        ("check", said(text(), "What was looked at.")),
        ("verdict", said(verdict, "How bad it is.")),
        ("id", said(or_null(), "The name under which the documentation explains it.")),
        ("found", said(text(), "What was found.")),
        ("advice", said(or_null(), "What to do about it.")),
    ]);
    let check = components.add("DoctorCheck", check);
    let checks = json!({"type": "array", "items": check});
    let whole = object([
        ("ok", said(json!({"type": "boolean"}), "False when there is a problem.")),
        ("checks", said(checks, "In the order of the checks.")),
    ]);
    components.add("DoctorReport", whole)
}

async fn show(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let found = call.api.examine(member.workspace.id).await?;
    Ok(answer::json(StatusCode::OK, &found))
}
