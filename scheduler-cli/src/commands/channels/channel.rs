//! The account that a question is about.

use clap::Args;
use scheduler_core::ids::AccountId;

use crate::client::{Answer, Call, Client};
use crate::config::ClientOptions;
use crate::context::Context;
use crate::failure::Failure;
use crate::posting::{Name, named_account};

/// An account of a server.
#[derive(Args, Debug)]
pub(crate) struct ChannelArguments {
    /// The account: its id, its network, or NETWORK:@HANDLE
    account: Name<AccountId>,
    #[command(flatten)]
    client: ClientOptions,
}

impl ChannelArguments {
    /// The server, and the path of what it tells of the account under `rest`.
    pub(super) async fn open(
        self,
        context: &Context,
        rest: &str,
    ) -> Result<(Client, String), Failure> {
        let client = context.client(self.client).await?;
        let account = named_account(&client, &self.account).await?;
        Ok((client, format!("/oauth/accounts/{account}/{rest}")))
    }

    /// What the network of the account says under `rest`.
    ///
    /// # Errors
    /// When the name fits no account, or several; what the network answers.
    pub(super) async fn ask(self, context: &Context, rest: &str) -> Result<Answer, Failure> {
        let (client, path) = self.open(context, rest).await?;
        Ok(context.with_spinner("asking the network", client.send(Call::get(&path))).await?)
    }
}
