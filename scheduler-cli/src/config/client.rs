//! Which server the posting commands talk to, and with which key.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use secrecy::SecretString;

use super::error::ConfigError;
use super::profiles::Profile;
use super::sources::Sources;
use super::storage::OfWorkspace;
use super::table::KEYS;
use super::value::ServerUrl;

/// The options of every command that works on a server: on one that runs elsewhere, or on the
/// database of this machine.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ClientOptions {
    #[command(flatten)]
    pub(crate) remote: RemoteOptions,
    #[command(flatten)]
    pub(crate) here: Here,
}

/// A workspace of a database of this machine, under a heading of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Here(pub(crate) OfWorkspace);

impl Here {
    /// Adds the options, and leaves what follows them under the heading that it has anyway.
    fn headed(command: Command, add: impl FnOnce(Command) -> Command) -> Command {
        let heading = "On the server's own machine, where no key is needed";
        add(command.next_help_heading(heading)).next_help_heading(None::<&str>)
    }
}

impl Args for Here {
    fn augment_args(command: Command) -> Command {
        Self::headed(command, OfWorkspace::augment_args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::headed(command, OfWorkspace::augment_args_for_update)
    }
}

impl FromArgMatches for Here {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        OfWorkspace::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// A server that is asked over a connection.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RemoteOptions {
    /// The server, with or without /v1 [env: SCHEDULER_URL] [default: http://127.0.0.1:8080]
    #[arg(id = "server", long = "url", value_name = "URL", conflicts_with_all = HERE)]
    url: Option<String>,
    /// The API key [env: SCHEDULER_API_KEY]
    #[arg(long, value_name = "KEY", conflicts_with_all = HERE)]
    api_key: Option<SecretString>,
}

/// The options that name a database of this machine.
const HERE: [&str; 4] = ["workspace", "data", "database", "file_store"];

impl RemoteOptions {
    /// The options of a command that needs no key.
    pub(crate) const fn at(url: Option<String>) -> Self {
        Self { url, api_key: None }
    }
}

/// Which server to talk to, and with which key.
#[derive(Clone, Debug)]
pub(crate) struct ClientSettings {
    /// The address before `/v1`, without a slash at its end.
    pub(crate) base: String,
    /// The key.
    pub(crate) api_key: Option<SecretString>,
}

impl ClientSettings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ConfigError::Value`] when the address is none.
    pub(crate) fn load(options: RemoteOptions, sources: &Sources) -> Result<Self, ConfigError> {
        let ServerUrl(base) = match sources.given(options.url.as_deref(), &KEYS.url)? {
            Some(url) => url,
            None => sources.get(&KEYS.url)?,
        };
        let given = || sources.text(&KEYS.api_key).map(SecretString::from);
        Ok(Self { base, api_key: options.api_key.or_else(given) })
    }

    /// Whether an option or a setting names a server or a key, so that no profile counts unless it
    /// is named itself.
    pub(crate) fn are_given(options: &RemoteOptions, sources: &Sources) -> bool {
        let is_set = |key: &str| sources.text(key).is_some();
        let of_options = options.url.is_some() || options.api_key.is_some();
        of_options || is_set(KEYS.url.as_ref()) || is_set(KEYS.api_key.as_ref())
    }

    /// Those of a profile.
    pub(crate) fn of_profile(profile: &Profile) -> Self {
        Self { base: profile.url.clone(), api_key: Some(profile.session()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn the_key_is_not_printed() {
        let options =
            RemoteOptions { url: None, api_key: Some(SecretString::from("sk_secret".to_owned())) };
        let printed = format!("{options:?}");
        let settings = ClientSettings::load(options, &sources(&[], &[])).unwrap();
        assert!(!format!("{printed}{settings:?}").contains("sk_secret"));
        assert_eq!(settings.base, "http://127.0.0.1:8080");
    }
}
