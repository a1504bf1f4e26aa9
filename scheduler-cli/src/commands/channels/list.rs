//! `scheduler channels list`

use scheduler_core::account::AccountView;

use crate::client::Call;
use crate::commands::accounts::state;
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Column, Shows, cell};

/// What the help shows last.
pub(super) const EXAMPLE: &str = "Example:\n  scheduler channels list";

/// Lists the accounts.
pub(super) async fn run(context: &Context, options: ClientOptions) -> Result<Exit, Failure> {
    let client = context.client(options).await?;
    let answer = client.send(Call::get("/oauth/accounts")).await?;
    let columns: [Shows<AccountView>; 5] = [
        (Column::words("id"), |account| cell(account.id)),
        (Column::words("network"), |account| cell(account.platform)),
        (Column::words("account"), |account| cell(account.username.as_deref().unwrap_or_default())),
        (Column::text("name"), |account| cell(account.display_name.as_deref().unwrap_or_default())),
        (Column::words("state"), state),
    ];
    context.list(&answer.body, &answer.data()?, &columns, "No accounts.")
}
