//! Which network gets which file, and the settings that it cannot do without. The networks are
//! those with a connected account, and what they need is what their sheets say.

use anyhow::Context as _;
use scheduler_core::account::AccountView;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::{CapabilitySheet, OptionFact, OptionValue, Required};
use scheduler_core::ports::{Access, AfterPublishing, Metered};
use scheduler_core::target::FailureCode;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::runtime::Application;

/// What a post of the demo is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text with a film.
    Film,
    /// A text with a picture.
    Picture,
    /// A text with a document.
    Document,
    /// A text alone.
    Text,
    /// A poll.
    Poll,
}

impl Kind {
    /// Those that a network gets: a picture where one is taken, else a film, else a text alone;
    /// and a document and a poll, where there are any.
    fn of(sheet: &CapabilitySheet) -> impl Iterator<Item = Self> {
        let first = match file_for(sheet) {
            Some(MediaKind::Video) => Self::Film,
            Some(MediaKind::Image) => Self::Picture,
            Some(MediaKind::Document) => Self::Document,
            None => Self::Text,
        };
        let document =
            (first != Self::Document && sheet.takes(MediaKind::Document)).then_some(Self::Document);
        [first].into_iter().chain(document).chain(poll(sheet).map(|_| Self::Poll))
    }

    /// The name in the output.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Film => "film",
            Self::Picture => "picture",
            Self::Document => "document",
            Self::Text => "text",
            Self::Poll => "poll",
        }
    }

    /// The kind of file that goes with it.
    pub(super) const fn file(self) -> Option<MediaKind> {
        match self {
            Self::Film => Some(MediaKind::Video),
            Self::Picture => Some(MediaKind::Image),
            Self::Document => Some(MediaKind::Document),
            Self::Text | Self::Poll => None,
        }
    }
}

/// What the poll asks, and what can be chosen.
pub(super) const QUESTION: &str = "When do you post?";
const CHOICES: [&str; 2] = ["In the morning", "In the evening"];

/// The accounts by what they get.
pub(super) fn by_kind(accounts: &[AccountView]) -> Vec<(Kind, Vec<&AccountView>)> {
    let group = |kind| {
        let gets_it =
            |account: &&AccountView| Kind::of(account.platform.sheet()).any(|of| of == kind);
        (kind, accounts.iter().filter(gets_it).collect())
    };
    // What is processed longest goes out first.
    let groups = [Kind::Film, Kind::Picture, Kind::Document, Kind::Text, Kind::Poll].map(group);
    groups.into_iter().filter(|(_, accounts): &(_, Vec<_>)| !accounts.is_empty()).collect()
}

/// The poll of the demo, as a network takes it: with a question of its own where it has one, else
/// under the text that asks.
fn poll(sheet: &CapabilitySheet) -> Option<Value> {
    let OptionValue::Poll(figures) = sheet.option("poll")?.value else { return None };
    let mut poll = json!({"options": CHOICES});
    if figures.max_question.is_some() {
        poll["question"] = QUESTION.into();
    }
    Some(poll)
}

fn file_for(sheet: &CapabilitySheet) -> Option<MediaKind> {
    MediaKind::ALL.into_iter().find(|kind| sheet.takes(*kind))
}

/// The target of an account, with the options that its network requires.
///
/// # Errors
/// When the network is asked what can be chosen, and does not say.
pub(super) async fn target(
    application: &Application,
    account: &AccountView,
    kind: Kind,
) -> Result<Value, Failure> {
    let mut options = Map::new();
    if kind == Kind::Poll {
        let poll = poll(account.platform.sheet());
        options.extend(poll.map(|poll| ("poll".to_owned(), poll)));
    }
    for fact in account.platform.sheet().options {
        match fact.required {
            Required::No => {}
            Required::Always(_) | Required::Unless { .. } => {
                let value = choose(application, account, fact).await?;
                options.insert(fact.key.to_owned(), value);
            }
        }
    }
    Ok(json!({"platform": account.platform, "accountId": account.id, "options": options}))
}

/// The first value of those that the network offers the account.
async fn choose(
    application: &Application,
    account: &AccountView,
    fact: &OptionFact,
) -> Result<Value, Failure> {
    let platform = account.platform;
    let network = application
        .scheduler
        .ports()
        .after
        .network(platform)
        .context("the network is not built in")?;
    let offered = match (fact.key, fact.value) {
        ("boardId", _) => first_board(&**network, &access(application, account).await?).await?,
        (_, OptionValue::OneOf(values)) => {
            let access = access(application, account).await?;
            first_level(&**network, &access).await?.or(values.first().map(|text| (*text).into()))
        }
        _ => None,
    };
    let name = format!("{platform}.{}", fact.key);
    Ok(offered.map(Value::String).with_context(|| format!("nothing is known for {name}"))?)
}

async fn first_board(
    network: &dyn AfterPublishing,
    access: &Access,
) -> Result<Option<String>, Failure> {
    let boards = network.boards(access).await.map_err(anyhow::Error::from)?;
    Ok(boards.into_iter().next().map(|board| board.id))
}

/// The first privacy level of an account, where the network has levels for each.
async fn first_level(
    network: &dyn AfterPublishing,
    access: &Access,
) -> Result<Option<String>, Failure> {
    match network.creator(access).await {
        Ok(creator) => Ok(creator.privacy_levels.into_iter().next()),
        Err(error) if error.code == FailureCode::Unsupported => Ok(None),
        Err(error) => Err(anyhow::Error::from(error).into()),
    }
}

async fn access(application: &Application, view: &AccountView) -> Result<Access, Failure> {
    let scheduler = &application.scheduler;
    let store = &scheduler.ports().store;
    for workspace in scheduler.workspaces().await? {
        let account = store.account(workspace.id, view.id).await.map_err(anyhow::Error::from)?;
        let stored = store.credentials(view.id).await.map_err(anyhow::Error::from)?;
        if let (Some(account), Some(stored)) = (account, stored) {
            let now = scheduler.ports().clock.now();
            return Ok(Access {
                account,
                credentials: stored.credentials,
                now,
                meter: Metered::free(),
            });
        }
    }
    Err(anyhow::anyhow!("the account is not connected").into())
}

/// The networks of a group, for a person.
pub(super) fn names(accounts: &[&AccountView]) -> String {
    let names: Vec<&str> = accounts.iter().map(|account| account.platform.sheet().name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use scheduler_core::platform::Platform;

    use super::*;

    #[test]
    fn the_file_that_a_network_gets() {
        for platform in Platform::ALL {
            let sheet = platform.sheet();
            let file = file_for(sheet);
            assert_eq!(file == Some(MediaKind::Image), sheet.supports_image, "{platform}");
            let takes_none = !sheet.supports_image && !sheet.supports_video;
            assert_eq!(file.is_none(), takes_none, "{platform}");
        }
        assert_eq!(file_for(Platform::Youtube.sheet()), Some(MediaKind::Video));
        assert_eq!(file_for(Platform::Twitter.sheet()), None);
        let kinds = |platform: Platform| Kind::of(platform.sheet()).collect::<Vec<_>>();
        assert_eq!(kinds(Platform::Twitter), [Kind::Text, Kind::Poll]);
        assert_eq!(kinds(Platform::Youtube), [Kind::Film]);
        assert_eq!(kinds(Platform::Linkedin), [Kind::Picture, Kind::Document, Kind::Poll]);
        assert_eq!(kinds(Platform::Mastodon), [Kind::Picture, Kind::Poll]);
    }

    #[test]
    fn what_networks_require_can_be_chosen() {
        for platform in Platform::ALL {
            for fact in platform.sheet().options {
                let is_known = fact.key == "boardId" || matches!(fact.value, OptionValue::OneOf(_));
                assert!(is_known || fact.required == Required::No, "{platform}.{}", fact.key);
            }
        }
    }
}
