//! The target of a post, or the account, that a person names in one word.

use std::fmt;
use std::str::FromStr;

use clap::Args;
use scheduler_core::account::AccountView;
use scheduler_core::ids::{AccountId, PostId, TargetId};
use scheduler_core::platform::Platform;
use scheduler_core::post::{PostView, TargetView};

use super::PostName;
use super::body::accounts;
use super::target::{self, TargetSpec, find, label, labels, not_connected};
use crate::client::{Answer, Call, Client};
use crate::config::ClientOptions;
use crate::context::Context;
use crate::failure::Failure;

/// What a person calls one thing among those of several networks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name<Id> {
    Id(Id),
    Network(Platform),
    /// That of an account, by handle or id.
    Account(Platform, String),
}

impl<Id: FromStr> FromStr for Name<Id> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(id) = text.parse::<Id>() {
            return Ok(Self::Id(id));
        }
        match text.parse::<TargetSpec>()? {
            TargetSpec::All | TargetSpec::Set(_) => {
                Err("name one: its id, its network, or NETWORK:@HANDLE".to_owned())
            }
            TargetSpec::Network(platform) => Ok(Self::Network(platform)),
            TargetSpec::Account(platform, name) => Ok(Self::Account(platform, name)),
        }
    }
}

impl<Id: fmt::Display> fmt::Display for Name<Id> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(formatter, "{id}"),
            Self::Network(platform) => write!(formatter, "{platform}"),
            Self::Account(platform, name) => write!(formatter, "{platform}:@{name}"),
        }
    }
}

/// A target of a post on a server.
#[derive(Args, Debug)]
pub(crate) struct TargetArguments {
    /// The post's id, or its first 8 characters or more
    post: PostName,
    /// The target: its id, its network, or NETWORK:@HANDLE
    target: Name<TargetId>,
}

impl TargetArguments {
    /// What the person called the target.
    pub(crate) const fn name(&self) -> &Name<TargetId> {
        &self.target
    }

    /// The target's path, before what is done with it.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the name fits no target, or several; those of the server.
    pub(crate) async fn path(&self, client: &Client) -> Result<String, Failure> {
        if let (Some(post), Name::Id(id)) = (self.post.whole(), &self.target) {
            return Ok(target_path(post, *id));
        }
        let post = self.post(client).await?;
        Ok(target_path(post.id, named_target(client, &post, &self.target).await?.id))
    }

    /// True when the server shows such a target.
    pub(crate) async fn exists(&self, client: &Client) -> bool {
        self.post(client).await.is_ok_and(|post| match &self.target {
            Name::Id(id) => post.targets.iter().any(|target| target.id == *id),
            _ => true,
        })
    }

    async fn post(&self, client: &Client) -> Result<PostView, Failure> {
        Ok(client.send(Call::get(&format!("/posts/{}", self.post))).await?.read()?)
    }
}

/// A target whose network is asked about it.
#[derive(Args, Debug)]
pub(crate) struct AskedArguments {
    #[command(flatten)]
    target: TargetArguments,
    #[command(flatten)]
    client: ClientOptions,
}

impl AskedArguments {
    /// What the network says of the target under `what`.
    ///
    /// # Errors
    /// As [`TargetArguments::path`]; what the network answers.
    pub(crate) async fn ask(self, context: &Context, what: &str) -> Result<Answer, Failure> {
        let client = context.client(self.client).await?;
        let path = format!("{}/{what}", self.target.path(&client).await?);
        Ok(context.with_spinner("asking the network", client.send(Call::get(&path))).await?)
    }
}

pub(crate) fn target_path(post: PostId, target: TargetId) -> String {
    format!("/posts/{post}/targets/{target}")
}

/// The target of a post that a person names.
///
/// # Errors
/// [`Failure::Usage`] when the name fits none, or several; those of the server when the accounts
/// have to be asked for.
pub(crate) async fn named_target<'a>(
    client: &Client,
    post: &'a PostView,
    name: &Name<TargetId>,
) -> Result<&'a TargetView, Failure> {
    let has_several = match name {
        Name::Id(_) => false,
        Name::Network(platform) => of_network(post, *platform).len() > 1,
        Name::Account(_, _) => true,
    };
    let accounts = if has_several { accounts(client).await? } else { Vec::new() };
    choose_target(post, name, &accounts)
}

fn of_network(post: &PostView, platform: Platform) -> Vec<&TargetView> {
    post.targets.iter().filter(|target| target.platform == platform).collect()
}

fn choose_target<'a>(
    post: &'a PostView,
    name: &Name<TargetId>,
    accounts: &[AccountView],
) -> Result<&'a TargetView, Failure> {
    let missing = || Failure::Usage(format!("the post has no target {name}"));
    let (platform, wanted) = match name {
        Name::Id(id) => {
            return post.targets.iter().find(|target| target.id == *id).ok_or_else(missing);
        }
        Name::Network(platform) => (*platform, None),
        Name::Account(platform, name) => (*platform, Some(name)),
    };
    let targets = of_network(post, platform);
    if targets.is_empty() {
        let networks: Vec<&str> =
            post.targets.iter().map(|target| target.platform.as_str()).collect();
        return Err(Failure::Usage(format!(
            "the post has no {platform} target; it goes to {}",
            networks.join(", ")
        )));
    }
    let Some(wanted) = wanted else {
        return match targets[..] {
            [target] => Ok(target),
            [..] => Err(Failure::Usage(format!(
                "the post has several {platform} targets: {}",
                targets_labels(&targets, accounts)
            ))),
        };
    };
    if let Some(target) = targets.iter().find(|target| target.account_id.to_string() == *wanted) {
        return Ok(target);
    }
    let of_targets: Vec<AccountView> = accounts
        .iter()
        .filter(|account| targets.iter().any(|target| target.account_id == account.id))
        .cloned()
        .collect();
    if of_targets.is_empty() {
        return Err(Failure::Usage(format!(
            "the post's {platform} account is not connected any more; name the target by its id: {}",
            targets_labels(&targets, &[])
        )));
    }
    let account = find(&of_targets, platform, wanted)?.id;
    targets.into_iter().find(|target| target.account_id == account).ok_or_else(missing)
}

fn targets_labels(targets: &[&TargetView], accounts: &[AccountView]) -> String {
    let labels: Vec<String> = targets.iter().map(|target| target_label(target, accounts)).collect();
    labels.join(", ")
}

/// What a target can be named with: its account where that is known, else its id.
pub(crate) fn target_label(target: &TargetView, accounts: &[AccountView]) -> String {
    let account = accounts.iter().find(|account| account.id == target.account_id);
    account.map_or_else(|| target.id.to_string(), label)
}

/// The id of the account that a person names.
///
/// # Errors
/// [`Failure::Usage`] when the name fits none, or several; those of the server.
pub(crate) async fn named_account(
    client: &Client,
    name: &Name<AccountId>,
) -> Result<AccountId, Failure> {
    match name {
        Name::Id(id) => Ok(*id),
        _ => choose_account(name, &accounts(client).await?),
    }
}

fn choose_account(name: &Name<AccountId>, accounts: &[AccountView]) -> Result<AccountId, Failure> {
    let platform = match name {
        Name::Id(id) => return Ok(*id),
        Name::Account(platform, name) => return Ok(find(accounts, *platform, name)?.id),
        Name::Network(platform) => *platform,
    };
    let known = target::of_network(accounts, platform);
    Err(Failure::Usage(match known[..] {
        [account] => return Ok(account.id),
        [] => not_connected(platform),
        [..] => format!("several {platform} accounts are connected: {}", labels(&known)),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn id(number: u8) -> String {
        format!("00000000-0000-0000-0000-0000000000{number:02}")
    }

    fn account(number: u8, platform: &str, username: &str) -> AccountView {
        serde_json::from_value(json!({
            "id": id(number), "platform": platform, "username": username, "displayName": null,
            "avatarUrl": null, "connection": null, "canDeleteRemote": true,
            "needsReconnect": false, "paused": false, "timezone": null,
        }))
        .unwrap()
    }

    fn target(number: u8, platform: &str, account: u8) -> Value {
        json!({
            "id": id(number), "platform": platform, "accountId": id(account),
            "status": "published", "remoteId": "1", "remoteUrl": null, "publishedAt": null,
            "error": null, "errorCode": null, "errorPermanent": false, "attempts": 1,
            "nextAttemptAt": null, "canEditRemote": true, "canDeleteRemote": true, "options": {},
            "metrics": null,
        })
    }

    fn post(targets: &[Value]) -> PostView {
        serde_json::from_value(json!({
            "id": id(99), "status": "done", "content": "", "linkUrl": null, "mediaIds": [],
            "altTexts": [], "scheduledAt": null, "approvalState": null,
            "createdAt": "2026-11-22T00:00:00Z", "updatedAt": "2026-11-22T00:00:00Z",
            "targets": targets,
        }))
        .unwrap()
    }

    #[test]
    fn targets_are_named_as_with_to() {
        let post =
            post(&[target(11, "bluesky", 1), target(12, "mastodon", 2), target(13, "mastodon", 3)]);
        let accounts = [
            account(1, "bluesky", "ann.test"),
            account(2, "mastodon", "ann@a.example"),
            account(3, "mastodon", "bob@b.example"),
            account(4, "mastodon", "ann@c.example"),
        ];
        for (name, text, known, want) in [
            ("an id", id(12), &accounts[..], Ok(12)),
            ("another post's", id(44), &accounts, Err(format!("no target {}", id(44)))),
            ("a network", "bluesky".into(), &[], Ok(11)),
            (
                "several",
                "mastodon".into(),
                &accounts,
                Err("several mastodon targets: mastodon:@ann@a.example, mastodon:@bob@b.example"
                    .into()),
            ),
            ("none", "tumblr".into(), &[], Err("no tumblr target; it goes to bluesky".into())),
            ("a handle", "mastodon:@bob".into(), &accounts, Ok(13)),
            ("an account that has one", "mastodon:@ann".into(), &accounts, Ok(12)),
            ("an account's id", format!("mastodon:{}", id(3)), &[], Ok(13)),
            ("no handle", "mastodon:@eve".into(), &accounts, Err("is called @eve".into())),
            (
                "gone",
                "bluesky:@ann".into(),
                &accounts[1..],
                Err(format!("not connected any more; name the target by its id: {}", id(11))),
            ),
        ] {
            let parsed: Name<TargetId> = text.parse().unwrap();
            match (choose_target(&post, &parsed, known), want) {
                (Ok(target), Ok(number)) => assert_eq!(target.id.to_string(), id(number), "{name}"),
                (Err(error), Err(said)) => {
                    assert!(error.to_string().contains(&said), "{name}: {error}");
                }
                (found, want) => panic!("{name}: {found:?}, not {want:?}"),
            }
        }
        assert!("all".parse::<Name<TargetId>>().unwrap_err().contains("name one"));
        assert!("blusky".parse::<Name<TargetId>>().is_err());
    }

    #[test]
    fn accounts_are_named_likewise() {
        let accounts = [
            account(1, "pinterest", "ann"),
            account(2, "youtube", "ann"),
            account(3, "youtube", "bob"),
        ];
        for (text, want) in [
            (id(7), Ok(7)),
            ("pinterest".into(), Ok(1)),
            ("youtube:@bob".into(), Ok(3)),
            ("youtube".into(), Err("connected: youtube:@ann, youtube:@bob")),
            ("tiktok".into(), Err("no tiktok account is connected")),
        ] {
            match (choose_account(&text.parse().unwrap(), &accounts), want) {
                (Ok(found), Ok(number)) => assert_eq!(found.to_string(), id(number), "{text}"),
                (Err(error), Err(said)) => {
                    assert!(error.to_string().contains(said), "{text}: {error}");
                }
                (found, want) => panic!("{text}: {found:?}, not {want:?}"),
            }
        }
    }
}
