//! `scheduler review`: has a live post reviewed, or shows its last review.

use clap::Args;
use scheduler_core::assistant::ReviewView;
use scheduler_core::ids::TargetId;
use serde_json::json;

use crate::client::{Call, MODEL_TIMEOUT};
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names;
use crate::posting::instant;
use crate::printer::Printer;

/// What to review.
#[derive(Args, Debug)]
pub(crate) struct ReviewArguments {
    /// The target's id, as `scheduler posts show POST --json` tells it
    #[arg(value_parser = names::target_id)]
    target: TargetId,
    /// Review it anew, although there is a review
    #[arg(long)]
    refresh: bool,
    #[command(flatten)]
    client: ClientOptions,
}

/// Asks for the review and prints it.
pub(crate) async fn run(context: Context, arguments: ReviewArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let body = json!({"targetId": arguments.target, "refresh": arguments.refresh});
    let call = Call::post("/ai/review", &body).with_time_limit(MODEL_TIMEOUT);
    let answer = context.with_spinner("the assistant reads and writes", client.send(call)).await?;
    let review: ReviewView = answer.read()?;
    context.show(&answer.body, |printer| show(printer, &review))
}

fn show(printer: Printer, view: &ReviewView) -> std::io::Result<()> {
    let review = &view.review;
    printer.line(&format!("{}/10, {}", review.score, instant(view.created_at)))?;
    printer.line(&review.summary)?;
    for (heading, texts) in [("Strengths", &review.strengths), ("Suggestions", &review.suggestions)]
    {
        if texts.is_empty() {
            continue;
        }
        printer.line(&format!("\n{heading}"))?;
        for text in texts {
            printer.line(&format!("- {text}"))?;
        }
    }
    Ok(())
}
