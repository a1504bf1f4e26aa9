//! `scheduler channels list`

use clap::Args;
use scheduler_core::account::AccountView;
use serde::Deserialize;

use crate::client::Call;
use crate::commands::Context;
use crate::commands::accounts::state;
use crate::config::ClientOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Column, cell};

/// What the help shows last.
pub(super) const EXAMPLE: &str = "Example:\n  scheduler channels list";

/// The server to ask.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    client: ClientOptions,
}

/// Lists the accounts.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn run(context: &Context, arguments: ListArguments) -> Result<Exit, Failure> {
    #[derive(Deserialize)]
    struct Accounts {
        data: Vec<AccountView>,
    }
    let client = context.client(arguments.client)?;
    let answer = client.send(Call::get("/oauth/accounts")).await?;
    let accounts: Accounts = answer.read()?;
    let rows = accounts.data.iter().map(|account| {
        vec![
            cell(account.id),
            cell(account.platform),
            cell(account.username.as_deref().unwrap_or_default()),
            cell(account.display_name.as_deref().unwrap_or_default()),
            state(account),
        ]
    });
    let printed = context.printer.result(&answer.body, |printer| {
        let columns = [
            Column::words("id"),
            Column::words("network"),
            Column::words("account"),
            Column::text("name"),
            Column::words("state"),
        ];
        printer.columns(&columns, rows, "No accounts.")
    });
    printed.map_err(anyhow::Error::from)?;
    Ok(Exit::Done)
}
