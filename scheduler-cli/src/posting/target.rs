//! The accounts that a person names with `--to`.

use std::str::FromStr;

use scheduler_core::account::AccountView;
use scheduler_core::platform::{Platform, UnknownPlatform};
use scheduler_core::post::TargetInput;

use crate::failure::Failure;
use crate::names::{Named as _, nearest_handle, nearest_of};

/// One entry of `--to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TargetSpec {
    All,
    /// The account of a network; the server knows which when there is one.
    Network(Platform),
    /// An account of a network, by handle or id.
    Account(Platform, String),
    /// A set of accounts, by its name.
    Set(String),
}

impl FromStr for TargetSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text == "all" {
            return Ok(Self::All);
        }
        if let Some(name) = text.strip_prefix("set:") {
            return match name.trim() {
                "" => Err("name the set, such as set:Clients".to_owned()),
                name => Ok(Self::Set(name.to_owned())),
            };
        }
        let (platform, account) = match text.split_once(':') {
            Some((platform, account)) => (platform, Some(account)),
            None => (text, None),
        };
        let platform = read_network(platform)?;
        match account {
            None => Ok(Self::Network(platform)),
            Some(account) => {
                let account = account.strip_prefix('@').unwrap_or(account);
                if account.is_empty() {
                    return Err(format!("name the account, such as {platform}:@me"));
                }
                Ok(Self::Account(platform, account.to_owned()))
            }
        }
    }
}

/// Reads the name of a network.
///
/// # Errors
/// The sentence for the user, with the network that may be meant.
pub(crate) fn read_network(name: &str) -> Result<Platform, String> {
    if let Some(account) = name.strip_prefix('@') {
        return Err(format!("name the network before the account, such as bluesky:@{account}"));
    }
    let called = Platform::also_called(name).unwrap_or(name);
    called.parse().map_err(|error: UnknownPlatform| {
        let nearest = nearest_of::<Platform>(name);
        let meant = nearest.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
        format!("{error}{meant}")
    })
}

impl TargetSpec {
    /// True when the accounts of the workspace have to be known.
    pub(crate) const fn needs_accounts(&self) -> bool {
        !matches!(self, Self::Network(_))
    }
}

/// The targets that the specs stand for; `all` is what a person has written for every account.
///
/// # Errors
/// [`Failure::Usage`] when a spec fits no account, or several, and for a set of accounts, in whose
/// place [`without_sets`](super::without_sets) puts its accounts.
pub(crate) fn choose(
    specs: &[TargetSpec],
    accounts: &[AccountView],
    all: &str,
) -> Result<Vec<TargetInput>, Failure> {
    let mut chosen = Vec::new();
    for spec in specs {
        match spec {
            TargetSpec::All if accounts.is_empty() => {
                return Err(Failure::Usage(format!(
                    "{all}: no account is connected (`scheduler accounts connect` does it)"
                )));
            }
            TargetSpec::All => chosen.extend(accounts.iter().map(of_account)),
            TargetSpec::Network(platform) => chosen.push((*platform).into()),
            TargetSpec::Account(platform, name) => {
                chosen.push(of_account(find(accounts, *platform, name)?));
            }
            TargetSpec::Set(name) => {
                return Err(Failure::Usage(format!(
                    "set:{name}: sets of accounts are known to --to alone; name the accounts"
                )));
            }
        }
    }
    Ok(chosen)
}

/// The networks that the specs stand for where no account is known, each once; all are meant by
/// `all`.
///
/// # Errors
/// [`Failure::Usage`] for an account, or a set of them.
pub(crate) fn choose_networks(specs: &[TargetSpec]) -> Result<Vec<TargetInput>, Failure> {
    let mut chosen: Vec<TargetInput> = Vec::new();
    for spec in specs {
        let networks = match spec {
            TargetSpec::All => Platform::ALL.as_slice(),
            TargetSpec::Network(platform) => std::slice::from_ref(platform),
            TargetSpec::Account(platform, name) => {
                return Err(Failure::Usage(format!(
                    "{platform}:@{name}: no account is known without a server; write {platform}"
                )));
            }
            TargetSpec::Set(name) => {
                return Err(Failure::Usage(format!(
                    "set:{name}: no set of accounts is known without a server; write the networks"
                )));
            }
        };
        for platform in networks {
            if !chosen.iter().any(|target| target.platform == *platform) {
                chosen.push((*platform).into());
            }
        }
    }
    Ok(chosen)
}

fn of_account(account: &AccountView) -> TargetInput {
    TargetInput::from(account.platform).by(account.id)
}

pub(crate) fn of_network(accounts: &[AccountView], platform: Platform) -> Vec<&AccountView> {
    accounts.iter().filter(|account| account.platform == platform).collect()
}

/// What is said of a network without an account.
pub(crate) fn not_connected(platform: Platform) -> String {
    format!("no {platform} account is connected (`scheduler accounts connect {platform}` does it)")
}

/// The account of a network that a person names.
///
/// # Errors
/// [`Failure::Usage`] when the name fits none, or several.
pub(crate) fn find<'a>(
    accounts: &'a [AccountView],
    platform: Platform,
    name: &str,
) -> Result<&'a AccountView, Failure> {
    let known = of_network(accounts, platform);
    // The whole handle comes first; its beginning, before the server, is enough when one fits, and
    // so is what the account shows.
    let mut fitting = known.clone();
    fitting.retain(|account| {
        account.id.to_string() == name || account.username.as_deref() == Some(name)
    });
    if fitting.is_empty() {
        fitting.clone_from(&known);
        fitting.retain(|account| {
            let handle = account.username.as_deref().unwrap_or_default();
            handle.split(['@', '.']).next() == Some(name)
        });
    }
    if fitting.is_empty() {
        fitting.clone_from(&known);
        fitting.retain(|account| account.display_name.as_deref() == Some(name));
    }
    Err(Failure::Usage(match fitting[..] {
        [account] => return Ok(account),
        [] if known.is_empty() => not_connected(platform),
        [] => {
            let handles: Vec<String> =
                known.iter().filter_map(|account| account.username.clone()).collect();
            let hint = match nearest_handle(name, &handles) {
                Some(handle) => format!("did you mean {platform}:@{handle}?"),
                None => format!("there are {}", labels(&known)),
            };
            format!("no {platform} account is called @{name}; {hint}")
        }
        [..] => format!("several {platform} accounts are called @{name}: {}", labels(&fitting)),
    }))
}

/// What a person recognises an account by, and can name it with.
pub(crate) fn label(account: &AccountView) -> String {
    match &account.username {
        Some(name) => format!("{}:@{name}", account.platform),
        None => format!("{}:{}", account.platform, account.id),
    }
}

/// What several accounts can be named with.
pub(crate) fn labels(accounts: &[&AccountView]) -> String {
    let labels: Vec<String> = accounts.iter().map(|account| label(account)).collect();
    labels.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn account(number: u8, platform: &str, username: Option<&str>) -> AccountView {
        serde_json::from_value(json!({
            "id": id(number), "platform": platform, "username": username, "displayName": null,
            "avatarUrl": null, "connection": null, "canDeleteRemote": true,
            "needsReconnect": false, "paused": false, "timezone": null,
        }))
        .unwrap()
    }

    fn shown(number: u8, platform: &str, name: &str) -> AccountView {
        let mut account = account(number, platform, None);
        account.display_name = Some(name.to_owned());
        account
    }

    fn id(number: u8) -> String {
        format!("00000000-0000-0000-0000-0000000000{number:02}")
    }

    #[test]
    fn entries() {
        let account = |name: &str| Ok(TargetSpec::Account(Platform::Mastodon, name.to_owned()));
        for (text, want) in [
            ("all", Ok(TargetSpec::All)),
            (" mastodon:@me ", account("me")),
            ("set:Clients", Ok(TargetSpec::Set("Clients".to_owned()))),
            ("set: My: ones", Ok(TargetSpec::Set("My: ones".to_owned()))),
            ("set:", Err(())),
            ("bluesky", Ok(TargetSpec::Network(Platform::Bluesky))),
            ("x", Ok(TargetSpec::Network(Platform::Twitter))),
            ("mastodon:@me", account("me")),
            ("mastodon:me", account("me")),
            ("mastodon:@me@e.com", account("me@e.com")),
            ("mastodon:@", Err(())),
            ("mastodont", Err(())),
            ("", Err(())),
        ] {
            assert_eq!(text.parse::<TargetSpec>().map_err(|_| ()), want, "{text:?}");
        }
        for (text, said) in [
            ("mastodont", "tumblr; did you mean mastodon?"),
            ("twiter", "tumblr; did you mean twitter?"),
            ("@me", "name the network before the account, such as bluesky:@me"),
            ("friendster", "discord and tumblr"),
        ] {
            let error = text.parse::<TargetSpec>().unwrap_err();
            assert!(error.ends_with(said), "{text}: {error}");
        }
    }

    #[test]
    fn specs_become_targets() {
        let accounts = [
            account(1, "bluesky", Some("ann.test")),
            account(2, "mastodon", Some("ann@a.example")),
            account(3, "mastodon", Some("ann@b.example")),
            account(4, "mastodon", Some("bob@b.example")),
            account(5, "discord", None),
            shown(6, "linkedin", "Ann Lee"),
            shown(7, "linkedin", "Bakery"),
            shown(8, "linkedin", "Bakery"),
        ];
        for (name, to, want) in [
            ("a network", &["bluesky"][..], Ok(vec![("bluesky", None)])),
            ("a network without an account", &["tumblr"], Ok(vec![("tumblr", None)])),
            ("a handle", &["bluesky:@ann.test"], Ok(vec![("bluesky", Some(1))])),
            ("the start of a handle", &["mastodon:@bob"], Ok(vec![("mastodon", Some(4))])),
            ("the whole handle", &["mastodon:@ann@b.example"], Ok(vec![("mastodon", Some(3))])),
            (
                "an id",
                &["discord:00000000-0000-0000-0000-000000000005"],
                Ok(vec![("discord", Some(5))]),
            ),
            ("what it shows", &["linkedin:@Ann Lee"], Ok(vec![("linkedin", Some(6))])),
            (
                "what several show",
                &["linkedin:@Bakery"],
                Err(
                    "several linkedin accounts are called @Bakery: linkedin:00000000-0000-0000-0000-000000000007, linkedin:00000000-0000-0000-0000-000000000008",
                ),
            ),
            (
                "all",
                &["all"],
                Ok(vec![
                    ("bluesky", Some(1)),
                    ("mastodon", Some(2)),
                    ("mastodon", Some(3)),
                    ("mastodon", Some(4)),
                    ("discord", Some(5)),
                    ("linkedin", Some(6)),
                    ("linkedin", Some(7)),
                    ("linkedin", Some(8)),
                ]),
            ),
            (
                "several fit",
                &["mastodon:@ann"],
                Err(
                    "several mastodon accounts are called @ann: mastodon:@ann@a.example, mastodon:@ann@b.example",
                ),
            ),
            (
                "none fits",
                &["bluesky:@bob"],
                Err("no bluesky account is called @bob; there are bluesky:@ann.test"),
            ),
            (
                "one is like it",
                &["bluesky:@anne"],
                Err("no bluesky account is called @anne; did you mean bluesky:@ann.test?"),
            ),
            (
                "none is there",
                &["tumblr:@bob"],
                Err("no tumblr account is connected (`scheduler accounts connect tumblr` does it)"),
            ),
        ] {
            let specs: Vec<TargetSpec> = to.iter().map(|text| text.parse().unwrap()).collect();
            let chosen = choose(&specs, &accounts, "all").map(|chosen| {
                chosen
                    .into_iter()
                    .map(|target| {
                        (target.platform.as_str(), target.account_id.map(|id| id.to_string()))
                    })
                    .collect::<Vec<_>>()
            });
            let want = want.map(|targets: Vec<(&str, Option<u8>)>| {
                targets.into_iter().map(|(platform, number)| (platform, number.map(id))).collect()
            });
            assert_eq!(
                chosen.map_err(|error| error.to_string()),
                want.map_err(str::to_owned),
                "{name}"
            );
        }
        assert!(choose(&[TargetSpec::All], &[], "all").is_err());
    }

    #[test]
    fn specs_without_a_server() {
        let networks = |to: &[&str]| {
            let specs: Vec<TargetSpec> = to.iter().map(|text| text.parse().unwrap()).collect();
            let chosen = choose_networks(&specs).map_err(|error| error.to_string())?;
            Ok(chosen.iter().map(|target| target.platform).collect::<Vec<_>>())
        };
        assert_eq!(networks(&["all"]), Ok(Platform::ALL.to_vec()));
        let (bluesky, discord) = (Platform::Bluesky, Platform::Discord);
        assert_eq!(networks(&["discord", "bluesky", "discord"]), Ok(vec![discord, bluesky]));
        assert_eq!(networks(&["bluesky", "all"]).map(|all| all.len()), Ok(13), "each once");
        let refused: Result<Vec<Platform>, String> = networks(&["bluesky", "mastodon:@me"]);
        assert!(refused.unwrap_err().ends_with("write mastodon"));
        assert!(networks(&["set:Clients"]).unwrap_err().ends_with("write the networks"));
    }
}
