//! What `scheduler accounts connect` takes: a command of each network, made from its facts.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use scheduler_core::platform::{Argument, ArgumentKind, CommandFacts, Platform};
use secrecy::SecretString;
use url::Url;

use crate::config::{StorageOptions, variable};

/// An account to connect.
#[derive(Debug)]
pub(crate) struct ConnectArguments {
    pub(super) platform: Platform,
    pub(super) way: Way,
    pub(super) common: CommonArguments,
}

/// How an account is connected.
#[derive(Debug)]
pub(super) enum Way {
    /// With what the network has given the person.
    Given {
        /// Values that are no secrets, by the names that the network's adapter reads them by.
        values: BTreeMap<String, String>,
        secret: Secret,
    },
    /// In a browser.
    Link {
        /// What is known already.
        values: BTreeMap<String, String>,
        link: LinkArguments,
    },
    /// As one more account of a sandbox.
    Sandbox,
}

/// A secret that a network has given the person, and where it comes from.
#[derive(Debug)]
pub(super) struct Secret {
    /// The name that the network's adapter reads it by.
    pub(super) name: &'static str,
    pub(super) given: Option<SecretString>,
    /// The setting that may hold it.
    pub(super) key: String,
    pub(super) prompt: &'static str,
    pub(super) option: &'static str,
}

/// The arguments of a network that takes what it has given the person, besides its own.
#[derive(Args, Debug)]
struct BrowserArguments {
    /// Which account, by the network's id or its name, where what is given opens several
    #[arg(long, conflicts_with_all = ["sandbox", "in_browser"])]
    account: Option<String>,
    /// Print a link to a page of the server where it can be done, instead
    #[arg(long, conflicts_with = "sandbox")]
    in_browser: bool,
}

/// Where the link leads.
#[derive(Args, Debug)]
pub(super) struct LinkArguments {
    /// Print the link and end, instead of waiting until it was used
    #[arg(long, conflicts_with = "sandbox")]
    pub(super) no_wait: bool,
    /// How browsers reach the server [env: SCHEDULER_PUBLIC_URL] [default: http:// and --listen]
    #[arg(long, value_name = "URL")]
    pub(super) public_url: Option<Url>,
    /// The address that the server listens on [env: SCHEDULER_LISTEN] [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    pub(super) listen: Option<SocketAddr>,
}

#[derive(Args, Debug)]
pub(super) struct CommonArguments {
    /// One more account at the sandbox that SCHEDULER_SANDBOX_URL names
    #[arg(long)]
    pub(super) sandbox: bool,
    /// The workspace, by name or id; the only one when left out
    #[arg(long)]
    pub(super) workspace: Option<String>,
    #[command(flatten)]
    pub(super) storage: StorageOptions,
}

impl Args for ConnectArguments {
    fn augment_args(command: Command) -> Command {
        let commands = Platform::ALL.into_iter().map(command_of);
        command.subcommands(commands).subcommand_required(true).arg_required_else_help(true)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ConnectArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let missing = || Error::raw(ErrorKind::MissingSubcommand, "a network is missing");
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let platform: Platform = name.parse().map_err(|_| missing())?;
        let common = CommonArguments::from_arg_matches(matches)?;
        let link = LinkArguments::from_arg_matches(matches)?;
        let facts = platform.sheet().connecting.command;
        let mut values: BTreeMap<String, String> =
            facts.arguments.iter().filter_map(|argument| value(argument, matches)).collect();
        let way = if common.sandbox {
            Way::Sandbox
        } else {
            match secret(platform, &facts, matches) {
                None => Way::Link { values, link },
                Some(secret) => {
                    let browser = BrowserArguments::from_arg_matches(matches)?;
                    if browser.in_browser {
                        Way::Link { values, link }
                    } else {
                        let account = browser.account.map(|it| ("account".to_owned(), it));
                        values.extend(account);
                        Way::Given { values, secret }
                    }
                }
            }
        };
        Ok(Self { platform, way, common })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The command of a network.
fn command_of(platform: Platform) -> Command {
    let facts = platform.sheet().connecting.command;
    let examples = facts.examples.map(|example| {
        format!("\n  scheduler accounts connect {platform} {example}").trim_end().to_owned()
    });
    let mut command = Command::new(platform.as_str())
        .after_help(format!("Examples:{}", examples.concat()))
        .args(facts.arguments.iter().map(|argument| argument_of(platform, argument)));
    if !facts.arguments.is_empty() {
        command = BrowserArguments::augment_args(command);
    }
    // Last, since each of these brings the text of its struct.
    CommonArguments::augment_args(LinkArguments::augment_args(command)).about(facts.about)
}

fn argument_of(platform: Platform, argument: &Argument) -> Arg {
    let help = match argument.kind {
        ArgumentKind::Secret { .. } => {
            let variable = variable(&setting(platform, argument));
            format!("{}; asked for when left out [env: {variable}]", argument.help)
        }
        ArgumentKind::Text | ArgumentKind::Id | ArgumentKind::Flag => argument.help.to_owned(),
    };
    let arg = Arg::new(argument.option)
        .long(argument.option)
        .help(help)
        .conflicts_with_all(argument.excludes.iter().copied())
        .required_unless_present_any(argument.needed_without.iter().copied());
    let arg = match argument.requires {
        Some(other) => arg.requires(other),
        None => arg,
    };
    match argument.kind {
        ArgumentKind::Flag => arg.action(ArgAction::SetTrue),
        ArgumentKind::Text => arg.value_name(argument.value),
        ArgumentKind::Id => arg.value_name(argument.value).allow_hyphen_values(true),
        ArgumentKind::Secret { .. } => {
            arg.value_name(argument.value).value_parser(value_parser!(SecretString))
        }
    }
}

/// What is given of an argument that is no secret, by the name that the adapter reads it by.
fn value(argument: &Argument, matches: &ArgMatches) -> Option<(String, String)> {
    let value = match argument.kind {
        ArgumentKind::Text | ArgumentKind::Id => {
            matches.get_one::<String>(argument.option).cloned()
        }
        ArgumentKind::Flag => matches.get_flag(argument.option).then(|| true.to_string()),
        ArgumentKind::Secret { .. } => None,
    };
    Some((argument.field.to_owned(), value?))
}

/// The secret that goes with what is given; `None` for a network that has none to give.
fn secret(platform: Platform, facts: &CommandFacts, matches: &ArgMatches) -> Option<Secret> {
    let is_given = |option: &str| matches.contains_id(option);
    let secrets = facts.arguments.iter().filter_map(|argument| match argument.kind {
        ArgumentKind::Secret { prompt } => Some((argument, prompt)),
        ArgumentKind::Text | ArgumentKind::Id | ArgumentKind::Flag => None,
    });
    // One that requires another goes with it alone, and before those that require none.
    let fitting = secrets.filter(|(argument, _)| argument.requires.is_none_or(is_given));
    let (argument, prompt) = fitting.max_by_key(|(argument, _)| argument.requires.is_some())?;
    Some(Secret {
        name: argument.field,
        given: matches.get_one(argument.option).cloned(),
        key: setting(platform, argument),
        prompt,
        option: argument.option,
    })
}

/// The setting that may hold a secret.
fn setting(platform: Platform, argument: &Argument) -> String {
    format!("{platform}_{}", argument.option.replace('-', "_"))
}
