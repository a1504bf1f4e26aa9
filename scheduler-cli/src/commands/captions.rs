//! `scheduler captions`: has a caption written for each network.

use clap::Args;
use scheduler_core::app::Captions;
use scheduler_core::platform::Platform;
use serde_json::json;

use crate::client::{Call, MODEL_TIMEOUT};
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::OneOf;

/// What to write captions of, and for which networks.
#[derive(Args, Debug)]
pub(crate) struct CaptionsArguments {
    /// The text that the captions are made of
    text: String,
    /// The networks, with commas between
    #[arg(long, value_name = "NETWORKS", value_delimiter = ',', required = true, value_parser = OneOf::<Platform>::new(), hide_possible_values = true)]
    to: Vec<Platform>,
    #[command(flatten)]
    client: ClientOptions,
}

/// Asks for the captions and prints them, network by network.
pub(crate) async fn run(context: Context, arguments: CaptionsArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let body = json!({"content": arguments.text, "platforms": arguments.to});
    let call = Call::post("/ai/captions", &body).with_time_limit(MODEL_TIMEOUT);
    let answer = context.with_spinner("the assistant writes", client.send(call)).await?;
    let captions: Captions = answer.read()?;
    context.show(&answer.body, |printer| {
        let asked = arguments.to.iter().filter_map(|one| captions.captions.get_key_value(one));
        for (index, (platform, caption)) in asked.enumerate() {
            if index > 0 {
                printer.line("")?;
            }
            printer.line(&format!("{platform}\n{caption}"))?;
        }
        Ok(())
    })
}
