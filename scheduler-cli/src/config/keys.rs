//! The names of all settings.

use scheduler_core::plan::{Plan, Plans};
use scheduler_core::platform::{AppSettings, Platform};

use super::setting::{FILE_SUFFIX, Fallback, Group, Named, PREFIX, Setting};
use super::table::{GROUPS, NETWORK_GROUPS, OF_NETWORKS, PLAN_GROUPS};

/// The table of `scheduler.toml` that replaces what the plans allow.
pub(super) const PLANS: &str = "plans";

/// The table of `scheduler.toml` that says who is let in by an OpenID provider.
pub(super) const OPENID: &str = "openid";

/// The variable that names the settings file.
pub(super) const CONFIG_VARIABLE: &str = "SCHEDULER_CONFIG";

/// The settings of groups.
pub(crate) fn settings(groups: &'static [Group]) -> impl Iterator<Item = &'static Setting> {
    groups.iter().flat_map(|group| group.settings.iter().copied())
}

/// Every setting, in the order of the example file.
pub(crate) fn every() -> impl Iterator<Item = Named> {
    let of_groups = settings(GROUPS).map(|setting| Named {
        key: setting.key.to_owned(),
        setting,
        is_nested: false,
    });
    of_groups.chain(Platform::ALL.into_iter().flat_map(of_one_network)).chain(of_plans())
}

/// The settings of one network.
pub(super) fn of_one_network(platform: Platform) -> impl Iterator<Item = Named> {
    settings(NETWORK_GROUPS).map(move |setting| Named {
        key: of_network(platform, setting.key),
        setting,
        is_nested: false,
    })
}

/// The settings of all plans.
pub(super) fn of_plans() -> impl Iterator<Item = Named> {
    Plan::ALL.into_iter().flat_map(|plan| {
        settings(PLAN_GROUPS).map(move |setting| Named {
            key: format!("{PLANS}.{plan}.{}", setting.key),
            setting,
            is_nested: true,
        })
    })
}

/// The key of something that can be set of a network.
pub(super) fn of_network(platform: Platform, name: impl AsRef<str>) -> String {
    format!("{platform}_{}", name.as_ref())
}

/// True for a setting that a network's adapter reads. The others are taken and do nothing.
pub(super) fn is_read(platform: Platform, name: &str) -> bool {
    let of_own_server =
        [OF_NETWORKS.file_bytes_max.as_ref(), OF_NETWORKS.reads_local_files.as_ref()];
    match platform.sheet().connecting.settings {
        AppSettings::AddressOnly => name == OF_NETWORKS.api_base.as_ref(),
        AppSettings::AddressAndFileBytes => {
            name == OF_NETWORKS.api_base.as_ref() || of_own_server.contains(&name)
        }
        AppSettings::WithoutVersion => {
            name != OF_NETWORKS.api_version.as_ref() && !of_own_server.contains(&name)
        }
        AppSettings::All => !of_own_server.contains(&name),
    }
}

impl Named {
    /// What holds when it is not set, where the code knows it.
    pub(crate) fn default_text(&self) -> Option<String> {
        match self.key.strip_prefix("plans.").and_then(|rest| rest.split_once('.')) {
            Some((plan, field)) => {
                let plans = serde_json::to_value(Plans::default()).ok()?;
                Some(plans.get(plan)?.get(in_json(field))?.to_string())
            }
            None => self.setting.default_text(),
        }
    }

    /// What holds when it is not set, in words; `None` for nothing.
    pub(crate) fn default_words(&self) -> Option<String> {
        match self.setting.default {
            Fallback::Depends(words) => Some(words.to_owned()),
            Fallback::Unset | Fallback::Value(_) => self.default_text(),
        }
    }
}

/// What a field of a plan is called in JSON: `postsAMonth` for `posts_a_month`.
pub(super) fn in_json(field: &str) -> String {
    let mut is_first = false;
    let letter = |letter: char| match letter {
        '_' => {
            is_first = true;
            None
        }
        _ if std::mem::take(&mut is_first) => Some(letter.to_ascii_uppercase()),
        _ => Some(letter),
    };
    field.chars().filter_map(letter).collect()
}

/// The setting of a key, of its variable or of its option: `listen`, `SCHEDULER_LISTEN`,
/// `--listen`.
pub(crate) fn named(name: &str) -> Option<Named> {
    every().find(|known| {
        known.key == name
            || known.variable().is_some_and(|variable| variable == name)
            || known.setting.option == Some(name)
    })
}

/// The setting that a key of the file's top level is.
pub(super) fn known(key: &str) -> Option<Named> {
    every().find(|known| !known.is_nested && known.key == key)
}

/// True for a key that is read.
pub(super) fn is_known(key: &str) -> bool {
    known(key).is_some()
}

/// Every key of the file's top level.
pub(super) fn all() -> impl Iterator<Item = String> {
    every()
        .filter(|known| !known.is_nested)
        .map(|known| known.key)
        .chain([OPENID, PLANS].map(str::to_owned))
}

/// The key of a variable; `None` for one that no setting has.
fn key_of(variable: &str) -> Option<Named> {
    let key = variable.strip_prefix(PREFIX)?;
    // Keys are written in small letters, variables in capitals.
    if key.chars().any(|sign| sign.is_ascii_lowercase()) {
        None
    } else {
        known(&key.to_lowercase())
    }
}

/// The key of a variable that names a file which holds a secret, such as
/// `SCHEDULER_DATABASE_FILE`.
pub(super) fn key_of_file(variable: &str) -> Option<String> {
    // `secret_key_file` is a setting of its own.
    if key_of(variable).is_some() {
        return None;
    }
    let named = key_of(variable.strip_suffix(FILE_SUFFIX)?)?;
    named.setting.may_be_in_file().then_some(named.key)
}

/// True for a variable that is read.
pub(super) fn is_known_variable(name: &str) -> bool {
    name == CONFIG_VARIABLE || key_of(name).is_some() || key_of_file(name).is_some()
}

/// The known variable that is most like an unknown one; `None` when none is like it.
pub(super) fn near_variable(unknown: &str) -> Option<String> {
    let known = every().filter_map(|known| known.variable());
    let nearest = known.min_by_key(|name| strsim::damerau_levenshtein(unknown, name))?;
    // A third of what follows the prefix may be wrong; more is another word.
    let length = unknown.len().saturating_sub(PREFIX.len());
    (strsim::damerau_levenshtein(unknown, &nearest) <= (length / 3).max(1)).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory as _;

    use super::*;
    use crate::commands::Arguments;
    use crate::config::setting::{Form, Secrecy};
    use crate::names::nearest;

    #[test]
    fn the_nearest_name() {
        for (unknown, want) in [
            ("databse", "database"),
            ("public-url", "public_url"),
            ("PUBLIC_URL", "public_url"),
            ("rate_limit", "rate_limit_burst"),
            ("lissten", "listen"),
            ("publish_retries_seconds", "publish_retry_seconds"),
            ("youtube_clientid", "youtube_client_id"),
            ("bluesky_base", "bluesky_api_base"),
        ] {
            assert_eq!(nearest(unknown, all()).as_deref(), Some(want), "{unknown}");
        }
        assert_eq!(nearest("colour_of_the_sky", all()), None);
    }

    #[test]
    fn what_is_known() {
        for (key, want) in [
            ("listen", true),
            ("mastodon_api_base", true),
            ("twitter_client_secret", true),
            ("friendster_client_id", false),
            ("client_id", false),
            ("plans.free.channels", false),
        ] {
            assert_eq!(is_known(key), want, "{key}");
        }
    }

    #[test]
    fn a_setting_is_found_by_each_of_its_names() {
        for (name, want) in [
            ("listen", Some("listen")),
            ("SCHEDULER_LISTEN", Some("listen")),
            ("--public-url", Some("public_url")),
            ("plans.pro.channels", Some("plans.pro.channels")),
            ("SCHEDULER_TUMBLR_CLIENT_ID", Some("tumblr_client_id")),
            ("--client-id", None),
            ("scheduler_listen", None),
            ("", None),
        ] {
            assert_eq!(named(name).map(|named| named.key).as_deref(), want, "{name}");
        }
    }

    #[test]
    fn variables_that_are_read_and_those_that_are_not() {
        for (name, is_known, near) in [
            ("SCHEDULER_LISTEN", true, Some("SCHEDULER_LISTEN")),
            ("SCHEDULER_CONFIG", true, None),
            ("SCHEDULER_TEST_POSTGRES", false, None),
            ("SCHEDULER_DATABASE_FILE", true, None),
            ("SCHEDULER_AI_KEY_FILE", true, None),
            ("SCHEDULER_SECRET_KEY_FILE", true, Some("SCHEDULER_SECRET_KEY_FILE")),
            ("SCHEDULER_LISTEN_FILE", false, None),
            ("SCHEDULER_LISTENS", false, Some("SCHEDULER_LISTEN")),
            ("SCHEDULER_DATABSE", false, Some("SCHEDULER_DATABASE")),
            ("SCHEDULER_PUBLICURL", false, Some("SCHEDULER_PUBLIC_URL")),
            ("SCHEDULER_listen", false, None),
            ("SCHEDULER_PLANS_FREE_API", false, None),
            ("SCHEDULER_SERVICE_HOST", false, None),
            ("SCHEDULER_", false, None),
        ] {
            assert_eq!(is_known_variable(name), is_known, "{name}");
            if !is_known || near.is_some() {
                assert_eq!(near_variable(name).as_deref(), near, "{name}");
            }
        }
    }

    #[test]
    fn every_setting_is_explained_once_and_wholly() {
        let mut keys = BTreeSet::new();
        for named in every() {
            let Named { key, setting, .. } = &named;
            assert!(keys.insert(key.clone()), "{key} stands twice");
            let first = setting.meaning.chars().next().unwrap();
            assert!(first.is_uppercase() && setting.meaning.ends_with('.'), "{key}");
            assert!(!setting.readers.is_empty(), "{key}: who reads it?");
            let has_value = named.default_text().is_some() || !setting.example.is_empty();
            assert!(has_value, "{key}: a default or an example");
            let looks_secret = ["secret", "token", "password", "api_key", "ai_key"]
                .iter()
                .any(|word| key.contains(word) && setting.form != Form::File);
            assert!(!looks_secret || setting.secrecy == Secrecy::Secret, "{key}");
        }
        assert!(keys.len() > 100, "{}", keys.len());
    }

    /// The option and the variable stand in the help of the commands that take them, and help
    /// names no variable that nobody reads.
    #[test]
    fn options_and_variables_agree_with_the_help() {
        let mut seen = BTreeSet::new();
        let mut commands = vec![Arguments::command()];
        while let Some(command) = commands.pop() {
            commands.extend(command.get_subcommands().cloned());
            for argument in command.get_arguments() {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                let Some((_, rest)) = help.split_once("[env: ") else { continue };
                let name = rest.split(']').next().unwrap();
                assert!(is_known_variable(name), "{}: {name}", command.get_name());
                let option = argument.get_long().map(|long| format!("--{long}"));
                seen.insert((name.to_owned(), option.unwrap()));
            }
        }
        let told: BTreeSet<(String, String)> = every()
            .filter_map(|named| Some((named.variable()?, named.setting.option?.to_owned())))
            .chain([("SCHEDULER_CONFIG".to_owned(), "--config".to_owned())])
            .collect();
        assert_eq!(told, seen);
    }
}
