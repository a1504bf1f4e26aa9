//! Sets of accounts that a person names.

use scheduler_core::account::{AccountSetView, AccountView};
use scheduler_core::error::ErrorCode;

use super::target::TargetSpec;
use crate::client::{Call, Client};
use crate::failure::Failure;
use crate::printer::Printer;

/// The sets of accounts of the workspace.
///
/// # Errors
/// Those of [`Client::ask`].
pub(crate) async fn account_sets(client: &Client) -> Result<Vec<AccountSetView>, Failure> {
    Ok(client.ask(Call::get("/account-sets")).await?.data()?)
}

/// The set that a person names.
///
/// # Errors
/// [`Failure::Usage`] when there is none of this name, with those that there are.
pub(crate) fn set_named<'a>(
    sets: &'a [AccountSetView],
    name: &str,
) -> Result<&'a AccountSetView, Failure> {
    sets.iter().find(|set| set.name == name.trim()).ok_or_else(|| {
        let names: Vec<String> = sets.iter().map(|set| format!("{:?}", set.name)).collect();
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        Failure::Usage(format!("{name:?}: there is no such set of accounts; there is: {known}"))
    })
}

/// What `--to` stands for once the accounts of every set are in its place. Says which are left out.
///
/// # Errors
/// [`Failure::Usage`] for a set that there is not, or of which every account is left out; those of
/// the server, which opens sets to people and not to keys.
pub(crate) async fn without_sets(
    client: &Client,
    printer: Printer,
    specs: &[TargetSpec],
    accounts: &[AccountView],
) -> Result<Vec<TargetSpec>, Failure> {
    let named = specs.iter().find_map(|spec| match spec {
        TargetSpec::Set(name) => Some(name),
        _ => None,
    });
    let Some(name) = named else { return Ok(specs.to_vec()) };
    let sets = account_sets(client).await.map_err(|failure| {
        if failure.code() == Some(ErrorCode::Unauthorized) {
            Failure::advised(
                format!("--to set:{name}: an API key does not open the sets of accounts"),
                "log in with `scheduler login`, or name the accounts themselves",
            )
        } else {
            failure
        }
    })?;
    let (specs, left_out) = expanded(specs, &sets, accounts)?;
    for message in left_out {
        printer.message(&message);
    }
    Ok(specs)
}

/// The specs with accounts in place of sets, none of these twice, and what is said of those left out.
fn expanded(
    specs: &[TargetSpec],
    sets: &[AccountSetView],
    accounts: &[AccountView],
) -> Result<(Vec<TargetSpec>, Vec<String>), Failure> {
    let (mut chosen, mut left_out) = (Vec::new(), Vec::new());
    for spec in specs {
        let TargetSpec::Set(name) = spec else {
            chosen.push(spec.clone());
            continue;
        };
        let set = set_named(sets, name)?;
        let picked: Vec<TargetSpec> = set
            .picked()
            .filter_map(|id| accounts.iter().find(|account| account.id == id))
            .map(|account| TargetSpec::Account(account.platform, account.id.to_string()))
            .collect();
        let said = set.said_left_out();
        if picked.is_empty() {
            return Err(Failure::Usage(format!(
                "set:{name}: no account of it can be posted to: {said}"
            )));
        }
        if !said.is_empty() {
            left_out.push(format!("set:{name}: left out: {said}"));
        }
        for account in picked {
            if !chosen.contains(&account) {
                chosen.push(account);
            }
        }
    }
    Ok((chosen, left_out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn id(number: u8) -> String {
        format!("00000000-0000-0000-0000-0000000000{number:02}")
    }

    fn account(number: u8, platform: &str) -> AccountView {
        serde_json::from_value(json!({
            "id": id(number), "platform": platform, "username": null, "displayName": null,
            "avatarUrl": null, "connection": null, "canDeleteRemote": true,
            "needsReconnect": false, "paused": false, "timezone": null,
        }))
        .unwrap()
    }

    fn set(name: &str, accounts: &[u8], left_out: &[u8]) -> AccountSetView {
        let left = |number: &u8| json!({"id": id(*number), "label": "tumblr @gone", "reason": "disconnected"});
        serde_json::from_value(json!({
            "id": id(90), "name": name, "createdAt": "2026-12-01T09:00:00Z",
            "accountIds": accounts.iter().map(|number| id(*number)).collect::<Vec<_>>(),
            "leftOut": left_out.iter().map(left).collect::<Vec<_>>(),
        }))
        .unwrap()
    }

    #[test]
    fn sets_become_their_accounts() {
        let accounts = [account(1, "bluesky"), account(2, "mastodon"), account(3, "mastodon")];
        let sets = [
            set("Clients", &[1, 2], &[]),
            set("Old: ones", &[2, 4], &[4]),
            set("Gone", &[4], &[4]),
        ];
        for (name, to, want) in [
            ("a set", &["set:Clients"][..], Ok((&["bluesky:1", "mastodon:2"][..], 0))),
            (
                "another target too",
                &["tumblr", "set:Clients"],
                Ok((&["tumblr", "bluesky:1", "mastodon:2"][..], 0)),
            ),
            (
                "one account in two sets",
                &["set:Clients", "set:Old: ones"],
                Ok((&["bluesky:1", "mastodon:2"][..], 1)),
            ),
            ("some are left out", &["set: Old: ones"], Ok((&["mastodon:2"][..], 1))),
            ("all are left out", &["set:Gone"], Err("tumblr @gone (disconnected)")),
            ("an unknown one", &["set:Clint"], Err("\"Clients\", \"Old: ones\", \"Gone\"")),
        ] {
            let specs: Vec<TargetSpec> = to.iter().map(|text| text.parse().unwrap()).collect();
            let found = expanded(&specs, &sets, &accounts);
            match (found, want) {
                (Ok((found, said)), Ok((want, left_out))) => {
                    let spec = |text: &&str| match text.split_once(':') {
                        Some((network, number)) => TargetSpec::Account(
                            network.parse().unwrap(),
                            id(number.parse().unwrap()),
                        ),
                        None => text.parse().unwrap(),
                    };
                    assert_eq!(found, want.iter().map(spec).collect::<Vec<_>>(), "{name}");
                    assert_eq!(said.len(), left_out, "{name}: {said:?}");
                }
                (Err(failure), Err(said)) => {
                    assert!(failure.to_string().contains(said), "{name}: {failure}");
                }
                (found, _) => panic!("{name}: {found:?}"),
            }
        }
    }
}
