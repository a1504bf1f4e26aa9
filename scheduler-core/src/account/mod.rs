//! Connected accounts.

mod set;

use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::{AccountId, WorkspaceId};
use crate::platform::{AccountLimits, Platform};
use crate::timing::{WeeklySchedule, Zone};

pub use set::{
    ACCOUNT_SETS_MAX, AccountSet, AccountSetChange, AccountSetInput, AccountSetView, LeftOut,
    LeftOutReason, SET_ACCOUNTS_MAX, SET_NAME_MAX_CHARACTERS,
};

/// An account of a network that a workspace posts as.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// The workspace that connected it.
    pub workspace_id: WorkspaceId,
    /// The network.
    pub platform: Platform,
    /// What the network calls it for good (a DID, an instance and an id); unique in a workspace
    /// and network, so that connecting it again finds it.
    pub network_id: String,
    /// The address of its server, where the network has many.
    pub server_url: Option<String>,
    /// Its handle.
    pub username: Option<String>,
    /// Its display name.
    pub display_name: Option<String>,
    /// A picture.
    pub avatar_url: Option<String>,
    /// For Instagram: how it is connected.
    pub connection: Option<Connection>,
    /// True when the network has refused its token for good.
    pub needs_reconnect: bool,
    /// The zone in which its schedule is read; the workspace's, else UTC, when `None`.
    pub timezone: Option<Zone>,
    /// When it posts what is queued.
    pub schedule: WeeklySchedule,
    /// Options that new targets of it have where nothing else is said; none where it is empty.
    pub default_options: Map<String, Value>,
    /// What its server allows, where that differs from the network's sheet.
    pub limits: AccountLimits,
    /// When it was first connected.
    pub connected_at: DateTime<Utc>,
    /// When it was disconnected; its credentials are gone from then on.
    pub disconnected_at: Option<DateTime<Utc>>,
}

impl Account {
    /// One that is connected at an instant, with nothing known of it but what the network calls it.
    #[must_use]
    pub fn new(
        id: AccountId,
        workspace_id: WorkspaceId,
        platform: Platform,
        network_id: impl Into<String>,
        connected_at: DateTime<Utc>,
    ) -> Self {
        Self {
            id,
            workspace_id,
            platform,
            network_id: network_id.into(),
            server_url: None,
            username: None,
            display_name: None,
            avatar_url: None,
            connection: None,
            needs_reconnect: false,
            timezone: None,
            schedule: WeeklySchedule::default(),
            default_options: Map::new(),
            limits: AccountLimits::default(),
            connected_at,
            disconnected_at: None,
        }
    }

    /// The zone in which its times are read.
    #[must_use]
    pub fn zone(&self, workspace: Option<Zone>) -> Zone {
        self.timezone.or(workspace).unwrap_or(Zone::UTC)
    }

    /// True while it is connected at all, be its token good or not.
    #[must_use]
    pub const fn is_connected(&self) -> bool {
        self.disconnected_at.is_none()
    }

    /// True when its live posts can be taken down: where the network offers it and, as far as that
    /// is known, has let us.
    #[must_use]
    pub fn can_delete_remote(&self) -> bool {
        self.platform.sheet().can_delete_remote && self.limits.takes_down != Some(false)
    }

    /// Gives options those of its own that they do not name. An option that is named stays as it is,
    /// also where it is `null`.
    pub fn add_defaults(&self, options: &mut Map<String, Value>) {
        for (key, value) in &self.default_options {
            options.entry(key.as_str()).or_insert_with(|| value.clone());
        }
    }

    /// What a person recognises it by.
    #[must_use]
    pub fn label(&self) -> String {
        label_of(self.platform, self.username.as_deref(), self.display_name.as_deref(), self.id)
    }

    /// Whether a person names it so: by its id, its network, or as `NETWORK:@HANDLE`.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        is_named(self.platform, self.username.as_deref(), self.id, name)
    }
}

/// What a person recognises an account by: its network, and the name that it has there.
#[must_use]
pub fn label_of(
    platform: Platform,
    username: Option<&str>,
    display_name: Option<&str>,
    id: AccountId,
) -> String {
    match (username, display_name) {
        (Some(name), _) => format!("{platform} @{name}"),
        (None, Some(name)) => format!("{platform} {name}"),
        (None, None) => format!("{platform} {id}"),
    }
}

fn is_named(platform: Platform, username: Option<&str>, id: AccountId, name: &str) -> bool {
    if id.to_string() == name || platform.as_str() == name {
        return true;
    }
    let Some((network, handle)) = name.split_once(':') else { return false };
    let handle = handle.strip_prefix('@').unwrap_or(handle);
    network == platform.as_str() && username == Some(handle)
}

/// How much is used of what an account may use within a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Quota {
    /// What is counted: `requests`, those of the account besides publishing; `shared_requests`,
    /// those of all accounts of this server at its network; `cost`, what its posts may cost in a
    /// month (UTC), in thousandths of the currency that the network charges in.
    pub name: String,
    /// How much is used.
    pub used: u64,
    /// How much may be used.
    pub limit: u64,
    /// When it begins anew.
    pub resets_at: DateTime<Utc>,
}

/// How an Instagram account is connected.
///
/// Source: interface description, Account.connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum Connection {
    /// By Instagram's own login.
    Direct,
    /// Through a Facebook page.
    ViaPage,
}

/// What an adapter needs to act as an account. Its inside prints as `[redacted]`.
///
/// ```
/// use scheduler_core::account::Credentials;
/// let credentials = Credentials::new("a token", None);
/// assert_eq!(credentials.expose(), "a token");
/// assert!(!format!("{credentials:?}").contains("token"));
/// ```
#[derive(Clone, Debug)]
pub struct Credentials {
    secret: SecretString,
    /// When the access token expires, where the network says so.
    pub expires_at: Option<DateTime<Utc>>,
}

impl Credentials {
    /// Wraps an adapter's own text, commonly JSON.
    #[must_use]
    pub fn new(secret: impl Into<SecretString>, expires_at: Option<DateTime<Utc>>) -> Self {
        Self { secret: secret.into(), expires_at }
    }

    /// The adapter's own text.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.secret.expose_secret()
    }
}

/// Which of a workspace's accounts a plan covers: the ones connected first.
///
/// `accounts` are the workspace's connected accounts in the order of connection. Source:
/// interface description, Account.paused.
#[must_use]
pub fn is_paused(accounts: &[Account], id: AccountId, channels: u64) -> bool {
    let position = accounts
        .iter()
        .filter(|account| account.is_connected())
        .position(|account| account.id == id);
    position.is_some_and(|index| u64::try_from(index).is_ok_and(|index| index >= channels))
}

/// A connected account as callers see it.
///
/// Source: interface description, Account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Account"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AccountView {
    /// Its id.
    pub id: AccountId,
    /// The network.
    pub platform: Platform,
    /// Its handle.
    pub username: Option<String>,
    /// Its display name.
    pub display_name: Option<String>,
    /// A picture.
    pub avatar_url: Option<String>,
    /// For Instagram: how it is connected.
    pub connection: Option<Connection>,
    /// True when its live posts can be taken down.
    pub can_delete_remote: bool,
    /// True when the network has refused its token for good, and it has to be connected again.
    pub needs_reconnect: bool,
    /// True when it is beyond the channels that the plan covers.
    pub paused: bool,
    /// The IANA zone in which its times are read; `None` for that of the workspace, else UTC.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub timezone: Option<Zone>,
}

impl AccountView {
    /// What a person recognises it by.
    #[must_use]
    pub fn label(&self) -> String {
        label_of(self.platform, self.username.as_deref(), self.display_name.as_deref(), self.id)
    }

    /// The page of the account on its network, where its address can be told from its handle.
    #[must_use]
    pub fn profile(&self) -> Option<String> {
        let handle = self.username.as_deref()?.trim_start_matches('@');
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '_' | '-');
        let is_handle = !handle.is_empty() && handle.chars().all(is_plain);
        Some(format!("{}{handle}", self.platform.sheet().profile.filter(|_| is_handle)?))
    }

    /// Whether a person names it so: by its id, its network, or as `NETWORK:@HANDLE`.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        is_named(self.platform, self.username.as_deref(), self.id, name)
    }

    /// Why it cannot be posted to as things are; `None` where it can.
    #[must_use]
    pub const fn left_out(&self) -> Option<LeftOutReason> {
        match (self.needs_reconnect, self.paused) {
            (true, _) => Some(LeftOutReason::NeedsReconnect),
            (false, true) => Some(LeftOutReason::Paused),
            (false, false) => None,
        }
    }

    /// The account as callers see it.
    #[must_use]
    pub fn new(account: &Account, paused: bool) -> Self {
        Self {
            id: account.id,
            platform: account.platform,
            username: account.username.clone(),
            display_name: account.display_name.clone(),
            avatar_url: account.avatar_url.clone(),
            connection: account.connection,
            can_delete_remote: account.can_delete_remote(),
            needs_reconnect: account.needs_reconnect,
            paused,
            timezone: account.timezone,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pages_of_accounts_are_told_by_their_handles() {
        for (platform, handle, want) in [
            ("bluesky", Some("ana.example"), Some("https://bsky.app/profile/ana.example")),
            ("threads", Some("@ana"), Some("https://www.threads.com/@ana")),
            ("bluesky", Some("a/../b"), None),
            ("bluesky", Some("@"), None),
            ("bluesky", None, None),
            ("mastodon", Some("ana"), None),
        ] {
            let view = json!({
                "id": "00000000-0000-0000-0000-000000000001", "platform": platform,
                "username": handle, "displayName": null, "avatarUrl": null, "connection": null,
                "canDeleteRemote": true, "needsReconnect": false, "paused": false, "timezone": null,
            });
            let view: AccountView = serde_json::from_value(view).unwrap();
            assert_eq!(view.profile().as_deref(), want, "{platform} {handle:?}");
        }
    }
}
