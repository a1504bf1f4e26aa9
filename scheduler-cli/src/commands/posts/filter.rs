//! Which posts a person means.

use clap::Args;
use scheduler_core::ids::AccountId;
use scheduler_core::platform::Platform;

use crate::client::{Call, Client};
use crate::failure::Failure;
use crate::names::OneOf;
use crate::posting::{Name, named_account};

/// Which posts are meant; what is said has to hold for all of them.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct FilterArguments {
    /// Only posts that go to one of these networks, with commas between
    #[arg(long, value_name = "NETWORKS", value_delimiter = ',', value_parser = OneOf::<Platform>::new())]
    pub(crate) network: Vec<Platform>,
    /// Only posts of this account: its id, its network, or NETWORK:@HANDLE; several for any of them
    #[arg(long, value_name = "ACCOUNT")]
    pub(crate) account: Vec<Name<AccountId>>,
    /// Only posts with this label; several for any of them
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Vec<String>,
    /// Only posts with these words, or words that begin so, in their texts, labels and notes
    #[arg(long, value_name = "WORDS")]
    pub(crate) search: Option<String>,
}

impl FilterArguments {
    /// The ids of the accounts that are meant.
    ///
    /// # Errors
    /// [`Failure::Usage`] when a name fits no account, or several; those of the server.
    pub(crate) async fn accounts(&self, client: &Client) -> Result<Vec<AccountId>, Failure> {
        let mut accounts = Vec::with_capacity(self.account.len());
        for name in &self.account {
            accounts.push(named_account(client, name).await?);
        }
        Ok(accounts)
    }

    /// Asks for these posts.
    pub(crate) fn add_to<'a>(&self, call: Call<'a>, accounts: &[AccountId]) -> Call<'a> {
        let call =
            self.network.iter().fold(call, |call, network| call.query("platform", Some(network)));
        let call =
            accounts.iter().fold(call, |call, account| call.query("accountId", Some(account)));
        let call = self.label.iter().fold(call, |call, label| call.query("label", Some(label)));
        call.query("q", self.search.as_ref())
    }
}
