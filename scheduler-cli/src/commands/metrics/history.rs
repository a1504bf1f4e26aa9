//! `scheduler metrics --history`

use chrono::{DateTime, FixedOffset};
use scheduler_core::ids::PostId;
use scheduler_core::post::TargetView;
use serde_json::{Map, Value};

use crate::client::{Call, Client};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{figure_cells, figure_columns, figure_names, target_path};
use crate::printer::Column;

/// Shows the readings of a target that are kept.
pub(super) async fn run(
    context: &Context,
    client: &Client,
    post: PostId,
    target: &TargetView,
    since: Option<DateTime<FixedOffset>>,
) -> Result<Exit, Failure> {
    let path = format!("{}/metrics/history", target_path(post, target.id));
    let call = Call::get(&path).query("since", since.map(|at| at.to_rfc3339()));
    let answer = client.send(call).await?;
    let history: Vec<Map<String, Value>> = answer.data()?;
    let names = figure_names(history.iter());
    let columns: Vec<Column> = figure_columns(&names).collect();
    let rows = history.iter().map(|reading| figure_cells(&names, Some(reading)));
    context.show(&answer.body, |printer| printer.columns(&columns, rows, "No readings."))
}
