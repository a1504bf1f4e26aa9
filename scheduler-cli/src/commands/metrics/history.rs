//! `scheduler metrics --history`

use chrono::{DateTime, FixedOffset};
use scheduler_core::ids::PostId;
use scheduler_core::post::TargetView;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::client::{Call, Client};
use crate::commands::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{figure_cells, figure_columns, figure_names, target_path};
use crate::printer::Column;

/// Shows the readings of a target that are kept.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn run(
    context: &Context,
    client: &Client,
    post: PostId,
    target: &TargetView,
    since: Option<DateTime<FixedOffset>>,
) -> Result<Exit, Failure> {
    #[derive(Deserialize)]
    struct History {
        data: Vec<Map<String, Value>>,
    }
    let path = format!("{}/metrics/history", target_path(post, target.id));
    let call = Call::get(&path).query("since", since.map(|at| at.to_rfc3339()));
    let answer = client.send(call).await?;
    let history: History = answer.read()?;
    let names = figure_names(history.data.iter());
    let columns: Vec<Column> = figure_columns(&names).collect();
    let rows = history.data.iter().map(|reading| figure_cells(&names, Some(reading)));
    let printed = context
        .printer
        .result(&answer.body, |printer| printer.columns(&columns, rows, "No readings."));
    printed.map_err(anyhow::Error::from)?;
    Ok(Exit::Done)
}
