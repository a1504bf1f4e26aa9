//! The connected accounts of a workspace, by the names that people give them.

use scheduler_core::account::AccountView;
use scheduler_core::app::AccountDetail;
use scheduler_core::error::{Invalid, NotFound, Refusal};
use scheduler_core::platform::Platform;

use crate::client::{Call, Client};
use crate::failure::{Failure, List, Refused};
use crate::names::{Named as _, nearest_handle};

/// The connected accounts, with their schedules and their health.
///
/// # Errors
/// Those of [`Client::ask`].
pub(crate) async fn accounts(client: &Client) -> Result<Vec<AccountDetail>, Failure> {
    Ok(client.ask(Call::get("/accounts")).await?.data()?)
}

/// The account that a person names: by its id, its network, or as NETWORK:@HANDLE.
///
/// # Errors
/// [`Failure::Refused`] when there is none of that name, or several.
pub(crate) fn named<'a>(
    accounts: &'a [AccountDetail],
    name: &str,
) -> Result<&'a AccountDetail, Failure> {
    let is_named = |detail: &&AccountDetail| detail.account.is_named(&in_full(name));
    let found: Vec<&AccountDetail> = accounts.iter().filter(is_named).collect();
    match found.as_slice() {
        [account] => Ok(account),
        [] => Err(missing(accounts, name)),
        several => {
            let label =
                |one: &&AccountDetail| format!("{} ({})", one.account.label(), one.account.id);
            let labels = several.iter().map(label).collect();
            let refusal = Refusal::invalid("account", Invalid::WhichAccount(labels));
            Err(Refused::from(refusal).looked_up_in(List::Accounts).into())
        }
    }
}

/// Several of them, with commas between; `all` for all.
///
/// # Errors
/// As [`named`].
pub(crate) fn several<'a>(
    accounts: &'a [AccountDetail],
    names: &str,
) -> Result<Vec<&'a AccountDetail>, Failure> {
    if names == "all" {
        return Ok(accounts.iter().collect());
    }
    names.split(',').map(|name| named(accounts, name.trim())).collect()
}

/// The name with the network as it is called here: `x:@ann` is `twitter:@ann`.
fn in_full(name: &str) -> String {
    let (network, rest) = name.split_at(name.find(':').unwrap_or(name.len()));
    format!("{}{rest}", Platform::also_called(network).unwrap_or(network))
}

fn missing(accounts: &[AccountDetail], name: &str) -> Failure {
    let handle = |account: &AccountView| {
        let handle = account.username.as_deref()?;
        Some(format!("{}:@{handle}", account.platform))
    };
    let views = || accounts.iter().map(|detail| &detail.account);
    let networks = views().map(|account| account.platform.to_string());
    let known: Vec<String> = views().filter_map(handle).chain(networks).collect();
    let mut refused = Refused::from(Refusal::from(NotFound::AccountNamed(name.to_owned())));
    if let Some(nearest) = nearest_handle(name, &known) {
        refused.error.message.push_str(&format!(" Did you mean {nearest}?"));
    }
    refused.looked_up_in(List::Accounts).into()
}
