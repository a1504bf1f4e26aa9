//! Names that a person has mistyped.
//!
//! What is not known is answered with the known name that is most like it, where one is like it at
//! all. Closed sets of names (networks, plans, presets) are read by [`OneOf`], which shells
//! complete as well; ids by [`id`].

use std::ffi::OsStr;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use scheduler_core::feeds::FeedMode;
use scheduler_core::ids::{
    AccountId, CommentId, DeliveryId, FeedId, GrantId, KeyId, MediaId, NotifierId, RecurrenceId,
    SessionId, TargetId, WebhookId,
};
use scheduler_core::key::{Confirmation, Preset};
use scheduler_core::media::MediaKind;
use scheduler_core::notification::Channel;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_core::webhook::EventKind;

/// Characters that a name begins with before its beginning alone tells which is meant.
const BEGINNING: usize = 3;

/// The known name that is most like an unknown one; `None` when none is near enough: more than a
/// third of the letters would have to change, and the unknown one does not begin it.
pub(crate) fn nearest<N: AsRef<str>>(
    unknown: &str,
    known: impl IntoIterator<Item = N>,
) -> Option<String> {
    let unknown = plain(unknown);
    let near = known.into_iter().filter_map(|name| {
        let changes = changes_if_near(&unknown, &plain(name.as_ref()))?;
        Some((changes, name))
    });
    let (_, name) = near.min_by_key(|(changes, _)| *changes)?;
    Some(name.as_ref().to_owned())
}

/// The known handle that is most like an unknown one, whole or up to its server. Handles may have
/// their network before them.
pub(crate) fn nearest_handle(unknown: &str, known: &[String]) -> Option<String> {
    let by_start = || {
        let start = nearest(unknown, known.iter().map(|handle| start_of(handle)))?;
        known.iter().find(|handle| start_of(handle) == start).cloned()
    };
    nearest(unknown, known).or_else(by_start)
}

/// A handle without its server: `ann` of `ann@a.example`, `bluesky:@ann` of `bluesky:@ann.test`.
fn start_of(handle: &str) -> &str {
    let name = handle.find(":@").map_or(0, |place| place + 2);
    let end = handle[name..].find(['@', '.']).map_or(handle.len(), |end| name + end);
    &handle[..end]
}

/// How many letters of an unknown name change to make a known one that it is near to.
fn changes_if_near(unknown: &str, known: &str) -> Option<usize> {
    let changes = strsim::damerau_levenshtein(unknown, known);
    let letters = unknown.chars().count();
    let begins = letters >= BEGINNING && known.starts_with(unknown);
    (begins || changes * 3 <= letters.max(known.chars().count())).then_some(changes)
}

/// A name without what people leave out or write otherwise.
fn plain(name: &str) -> String {
    name.trim_start_matches('@').to_lowercase().replace(['-', ' '], "_")
}

/// A name that stands for a value.
pub(crate) trait Named: Clone + Send + Sync + 'static {
    /// Every name with its value.
    fn all() -> Vec<(&'static str, Self)>;

    /// The name of the value that people also call so.
    fn also_called(_name: &str) -> Option<&'static str> {
        None
    }
}

impl Named for Platform {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.into_iter().map(|platform| (platform.as_str(), platform)).collect()
    }

    fn also_called(name: &str) -> Option<&'static str> {
        let name = name.to_lowercase();
        let is_called = |platform: &Self| platform.sheet().also_called.contains(&name.as_str());
        Self::ALL.iter().find(|platform| is_called(platform)).map(|platform| platform.as_str())
    }
}

impl Named for Plan {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.into_iter().map(|plan| (plan.as_str(), plan)).collect()
    }
}

impl Named for Preset {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.into_iter().map(|preset| (preset.as_str(), preset)).collect()
    }
}

impl Named for Confirmation {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.into_iter().map(|preset| (preset.as_str(), preset)).collect()
    }
}

impl Named for Role {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.into_iter().map(|role| (role.as_str(), role)).collect()
    }
}

impl Named for Channel {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.into_iter().map(|channel| (channel.as_str(), channel)).collect()
    }
}

impl Named for FeedMode {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.into_iter().map(|mode| (mode.as_str(), mode)).collect()
    }
}

impl Named for EventKind {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.into_iter().map(|kind| (kind.as_str(), kind)).collect()
    }
}

impl Named for MediaKind {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.into_iter().map(|kind| (kind.name(), kind)).collect()
    }
}

/// The name that an unknown one is likely to mean.
pub(crate) fn nearest_of<T: Named>(unknown: &str) -> Option<String> {
    nearest(unknown, T::all().into_iter().map(|(name, _)| name))
}

/// Reads one of the names of `T`.
pub(crate) struct OneOf<T>(PhantomData<fn() -> T>);

impl<T> OneOf<T> {
    /// Reads one of the names of `T`.
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Clone for OneOf<T> {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl<T: Named> TypedValueParser for OneOf<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let text = value.to_string_lossy();
        let all = T::all();
        let called = T::also_called(&text).unwrap_or(&text);
        if let Some((_, found)) = all.iter().find(|(name, _)| *name == called) {
            return Ok(found.clone());
        }
        let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
        if let Some(argument) = argument {
            let name = ContextValue::String(argument.to_string());
            error.insert(ContextKind::InvalidArg, name);
        }
        let names = all.iter().map(|(name, _)| (*name).to_owned()).collect();
        error.insert(ContextKind::InvalidValue, ContextValue::String(text.clone().into_owned()));
        error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
        if let Some(nearest) = nearest_of::<T>(&text) {
            error.insert(ContextKind::SuggestedValue, ContextValue::String(nearest));
        }
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(T::all().into_iter().map(|(name, _)| PossibleValue::new(name))))
    }
}

/// Reads an IANA time zone.
///
/// # Errors
/// The sentence for the user, with the zone that may be meant.
pub(crate) fn zone(text: &str) -> Result<Zone, String> {
    text.parse().map_err(|error: scheduler_core::timing::UnknownZone| {
        let nearest = error.nearest();
        let meant = nearest.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
        format!("{error}{meant}")
    })
}

/// Reads an id; says where ids are shown to whoever gives something else.
fn id<T: FromStr>(text: &str, shown_by: &str) -> Result<T, String> {
    text.parse().map_err(|_| {
        format!("an id looks like 01993b5c-2b7e-7000-8000-000000000001; `scheduler {shown_by}` shows them")
    })
}

pub(crate) fn target_id(text: &str) -> Result<TargetId, String> {
    id(text, "posts show POST --json")
}

pub(crate) fn media_id(text: &str) -> Result<MediaId, String> {
    id(text, "media list")
}

pub(crate) fn key_id(text: &str) -> Result<KeyId, String> {
    id(text, "keys list")
}

pub(crate) fn session_id(text: &str) -> Result<SessionId, String> {
    id(text, "sessions list")
}

pub(crate) fn grant_id(text: &str) -> Result<GrantId, String> {
    id(text, "grants list")
}

pub(crate) fn webhook_id(text: &str) -> Result<WebhookId, String> {
    id(text, "webhooks list")
}

pub(crate) fn notifier_id(text: &str) -> Result<NotifierId, String> {
    id(text, "notifications list")
}

pub(crate) fn feed_id(text: &str) -> Result<FeedId, String> {
    id(text, "feeds list")
}

pub(crate) fn recurrence_id(text: &str) -> Result<RecurrenceId, String> {
    id(text, "recurring list")
}

pub(crate) fn account_id(text: &str) -> Result<AccountId, String> {
    id(text, "accounts list")
}

pub(crate) fn comment_id(text: &str) -> Result<CommentId, String> {
    id(text, "inbox")
}

pub(crate) fn delivery_id(text: &str) -> Result<DeliveryId, String> {
    id(text, "deliveries list")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_offered_only_when_it_is_near_enough() {
        let networks = Platform::ALL.map(Platform::as_str);
        for (unknown, want) in [
            ("blusky", Some("bluesky")),
            ("Bluesky", Some("bluesky")),
            ("mastadon", Some("mastodon")),
            ("mastodont", Some("mastodon")),
            ("mast", Some("mastodon")),
            ("instgram", Some("instagram")),
            ("insta", Some("instagram")),
            ("linked-in", Some("linkedin")),
            ("tumbler", Some("tumblr")),
            ("thread", Some("threads")),
            ("discrod", Some("discord")),
            ("friendster", None),
            ("orkut", None),
            ("ma", None),
            ("", None),
        ] {
            assert_eq!(nearest(unknown, networks).as_deref(), want, "{unknown:?}");
        }
        for (unknown, known, is_near) in [
            ("me", "mee", true),
            ("ro", "pro", true),
            ("fre", "free", true),
            ("all", "full", false),
            ("boardid", "boardId", true),
            ("board_id", "boardId", true),
            ("bord", "boardId", false),
            ("rate_limit", "rate_limit_burst", true),
            ("x", "y", false),
            ("日本", "日本語", true),
        ] {
            assert_eq!(nearest(unknown, [known]).is_some(), is_near, "{unknown} {known}");
        }
        assert_eq!(nearest("studo", ["pro", "studio", "free"]).as_deref(), Some("studio"));
        assert_eq!(nearest::<&str>("anything", []), None);
    }

    #[test]
    fn handles_are_found_without_their_server() {
        let known = ["ann.test", "bob@a.example", "mastodon:@carol@a.example", "mastodon"];
        let known = known.map(str::to_owned);
        for (unknown, want) in [
            ("anna", Some("ann.test")),
            ("bobb", Some("bob@a.example")),
            ("bob@a.exmple", Some("bob@a.example")),
            ("mastodon:@carrol", Some("mastodon:@carol@a.example")),
            ("mastodn", Some("mastodon")),
            ("eve", None),
        ] {
            assert_eq!(nearest_handle(unknown, &known).as_deref(), want, "{unknown}");
        }
    }

    #[test]
    fn networks_have_other_names_too() {
        for (called, want) in [("x", "twitter"), ("YT", "youtube")] {
            assert_eq!(Platform::also_called(called), Some(want), "{called}");
        }
        assert_eq!(nearest_of::<Platform>("blusky").as_deref(), Some("bluesky"));
        assert_eq!(nearest_of::<Platform>("q"), None);
    }

    #[test]
    fn zones_are_found_by_their_city() {
        for (text, want) in [
            ("Europe/Berln", "did you mean Europe/Berlin?"),
            ("europe/berlin", "did you mean Europe/Berlin?"),
            ("Berlin", "did you mean Europe/Berlin?"),
            ("new york", "did you mean America/New_York?"),
            ("Tokyo", "did you mean Asia/Tokyo?"),
        ] {
            let error = zone(text).unwrap_err();
            assert!(error.ends_with(want), "{text}: {error}");
        }
        assert!(!zone("somewhere else entirely").unwrap_err().contains("did you mean"));
        assert_eq!(zone("Europe/Paris").unwrap().name(), "Europe/Paris");
    }

    #[test]
    fn what_is_no_id_says_where_ids_are_shown() {
        let error = media_id("Out now").unwrap_err();
        assert!(error.contains("looks like 0199") && error.contains("`scheduler media list`"));
        assert!(media_id("01993b5c-2b7e-7000-8000-000000000001").is_ok());
    }
}
