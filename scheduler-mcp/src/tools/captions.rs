//! Captions, by the model that the server's operator has chosen.

use futures_util::FutureExt as _;
use http::Method;
use scheduler_core::app::Captions;
use scheduler_core::key::Scope;
use serde_json::json;

use crate::api::Call;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::schema::{Shape, text, texts};
use crate::tool::{Definition, Hints, Outcome};
use crate::work::Work;

pub(crate) static WRITE_CAPTIONS: Definition = Definition {
    name: "write_captions",
    title: "Write captions",
    description: "Makes of a text a caption for each network that keeps its rules, by the model that the operator has set. Counts against the plan; stores nothing.",
    hints: Hints { reads: false, destroys: false, repeats: false, reaches_out: true },
    scopes: &[Scope::PostsWrite],
    is_repeatable: false,
    input: || Shape::default().needs("text", text()).needs("networks", texts()),
    output: || Shape::default().written::<Captions>(&["captions"]),
    run: |work, arguments| write_captions(work, arguments).boxed(),
};

async fn write_captions(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let text = arguments.needed("text")?;
    let networks = arguments.texts("networks")?;
    arguments.finish()?;
    let body = json!({"content": text, "platforms": networks});
    let call = Call::new(Method::POST, "/v1/ai/captions").with_body(body);
    Ok(Outcome::Done(work.ask(call).await?))
}
