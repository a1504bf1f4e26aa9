//! `scheduler metrics`, of what is stored and with `--live`.

use comfy_table::Cell;
use futures_util::future::join_all;
use reqwest::Method;
use scheduler_core::account::AccountView;
use scheduler_core::ids::PostId;
use scheduler_core::post::{PostView, TargetView};
use scheduler_core::target::TargetStatus;
use serde_json::{Map, Value, json};

use crate::client::{Answer, Call, Client};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{
    account_name, figure_cells, figure_columns, figure_names, known_accounts, target_label,
    target_path,
};
use crate::printer::{Column, cell};

/// A target and its latest figures.
struct Latest<'a> {
    target: &'a TargetView,
    figures: Option<Map<String, Value>>,
    failure: Option<Failure>,
}

impl<'a> Latest<'a> {
    fn stored(target: &'a TargetView) -> Self {
        Self { target, figures: target.metrics.clone(), failure: None }
    }

    fn document(&self) -> Value {
        let target = self.target;
        let mut document = json!({
            "targetId": target.id,
            "platform": target.platform,
            "accountId": target.account_id,
            "metrics": self.figures,
        });
        if let Some(failure) = &self.failure {
            document["error"] = failure.document()["error"].take();
        }
        document
    }
}

/// Shows what is stored of every live target of a post.
///
/// # Errors
/// When standard output cannot be written.
pub(super) async fn show_all(
    context: &Context,
    client: &Client,
    post: &PostView,
) -> Result<Exit, Failure> {
    let latest: Vec<Latest<'_>> = live(post).into_iter().map(Latest::stored).collect();
    let is_read = latest.iter().any(|latest| latest.figures.is_some());
    print(context, client, &latest, &documents(&latest)).await?;
    if !latest.is_empty() && !is_read && !context.printer.is_json() {
        context.printer.advice("nothing was read yet; read the figures now with --live");
    }
    Ok(Exit::Done)
}

/// Shows what is stored of a target.
///
/// # Errors
/// When standard output cannot be written.
pub(super) async fn show_one(
    context: &Context,
    client: &Client,
    target: &TargetView,
) -> Result<Exit, Failure> {
    print(context, client, &[Latest::stored(target)], &json!(target.metrics)).await?;
    Ok(Exit::Done)
}

/// Reads the figures of a target now.
pub(super) async fn read_one(
    context: &Context,
    client: &Client,
    post: PostId,
    target: &TargetView,
) -> Result<Exit, Failure> {
    let answer =
        context.with_spinner("asking the network for figures", read(client, post, target)).await?;
    let latest = Latest { target, figures: Some(answer.read()?), failure: None };
    print(context, client, &[latest], &answer.body).await?;
    Ok(Exit::Done)
}

/// Reads the figures of every live target of a post now. Where a network fails, what is stored of
/// it is shown, and the failure beside it.
///
/// # Errors
/// [`Failure::Unreachable`], [`Failure::Usage`] and [`Failure::Other`], which are not of one
/// target alone; when standard output cannot be written.
pub(super) async fn read_all(
    context: &Context,
    client: &Client,
    post: &PostView,
) -> Result<Exit, Failure> {
    let targets = live(post);
    let read = join_all(targets.iter().map(|target| read(client, post.id, target)));
    let read = context.with_spinner("asking the networks for figures", read).await;
    let mut latest = Vec::new();
    for (target, read) in targets.into_iter().zip(read) {
        latest.push(match read {
            Ok(answer) => Latest { target, figures: Some(answer.read()?), failure: None },
            Err(failure @ Failure::Refused(_)) => {
                Latest { failure: Some(failure), ..Latest::stored(target) }
            }
            Err(failure) => return Err(failure),
        });
    }
    print(context, client, &latest, &documents(&latest)).await?;
    let has_failed = latest.iter().any(|latest| latest.failure.is_some());
    if has_failed {
        let accounts = known_accounts(client).await;
        for latest in &latest {
            if let Some(failure) = &latest.failure {
                let name = target_label(latest.target, &accounts);
                context.printer.error(&format!("{name}: {failure}"));
            }
        }
    }
    Ok(if has_failed { Exit::Failed } else { Exit::Done })
}

/// The targets of a post that are live.
pub(super) fn live(post: &PostView) -> Vec<&TargetView> {
    let is_live = |target: &&TargetView| target.status == TargetStatus::Published;
    post.targets.iter().filter(is_live).collect()
}

async fn read(client: &Client, post: PostId, target: &TargetView) -> Result<Answer, Failure> {
    let path = format!("{}/metrics", target_path(post, target.id));
    Ok(client.send(Call::new(Method::POST, &path)).await?)
}

fn documents(latest: &[Latest<'_>]) -> Value {
    json!({"data": latest.iter().map(Latest::document).collect::<Vec<Value>>()})
}

async fn print(
    context: &Context,
    client: &Client,
    latest: &[Latest<'_>],
    document: &Value,
) -> Result<(), Failure> {
    let accounts =
        if context.printer.is_json() { Vec::new() } else { known_accounts(client).await };
    let names = figure_names(latest.iter().filter_map(|latest| latest.figures.as_ref()));
    let columns: Vec<Column> = [Column::words("network"), Column::words("account")]
        .into_iter()
        .chain(figure_columns(&names))
        .collect();
    let rows = latest.iter().map(|latest| row(latest, &names, &accounts));
    let empty = "No target of this post is live.";
    Ok(context.printer.result(document, |printer| printer.columns(&columns, rows, empty))?)
}

fn row(latest: &Latest<'_>, names: &[String], accounts: &[AccountView]) -> Vec<Cell> {
    let target = latest.target;
    [cell(target.platform), cell(account_name(target.account_id, accounts))]
        .into_iter()
        .chain(figure_cells(names, latest.figures.as_ref()))
        .collect()
}
