//! Asking clients.

use futures_util::FutureExt as _;
use http::Method;
use scheduler_core::app::ApprovalLinkView;
use scheduler_core::key::Scope;
use serde_json::json;

use crate::api::Call;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::schema::{Shape, text, texts};
use crate::tool::{Definition, Hints, Outcome};
use crate::work::Work;

pub(crate) static REQUEST_APPROVAL: Definition = Definition {
    name: "request_approval",
    title: "Ask a client's approval",
    description: "Has posts wait for a client: from then on they go out only with their approval. The client's link is shown to people alone; give the person `url`, the page on which they make it. Refused for a post whose client is asked already.",
    // The endpoint keeps no key; after a restart of the server a repeat is refused.
    hints: Hints { repeats: false, ..Hints::CHANGES },
    scopes: &[Scope::PostsRead, Scope::PostsWrite],
    is_repeatable: true,
    input: || {
        Shape::default().needs("postIds", texts()).needs("client", text()).with("note", text())
    },
    output: || Shape::default().written::<ApprovalLinkView>(&["url", "expiresAt"]),
    run: |work, arguments| request_approval(work, arguments).boxed(),
};

async fn request_approval(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let posts = arguments.texts("postIds")?;
    let client = arguments.needed("client")?;
    let note = arguments.text("note")?;
    arguments.finish()?;
    let mut body = json!({"postIds": posts, "client": client});
    if let Some(note) = note {
        body["note"] = json!(note);
    }
    let call = Call::new(Method::POST, "/app/v1/approvals").with_body(body);
    Ok(Outcome::Done(work.ask(call).await?))
}
