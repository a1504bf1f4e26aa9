//! `scheduler accounts connect`: each network's own way.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;

use clap::{Args, Subcommand};
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use secrecy::{ExposeSecret as _, SecretString};

use super::view;
use crate::commands::Context;
use crate::config::StorageOptions;
use crate::failure::Failure;
use crate::runtime::{Application, ApplicationSettings};
use crate::sandboxed::new_account;

/// An account to connect.
#[derive(Args, Debug)]
pub(crate) struct ConnectArguments {
    #[command(subcommand)]
    network: NetworkArguments,
}

#[derive(Debug, Subcommand)]
enum NetworkArguments {
    /// Bluesky, by app password
    Bluesky(BlueskyArguments),
    /// Mastodon, and servers that speak its API, by access token
    Mastodon(MastodonArguments),
}

#[derive(Args, Debug)]
struct BlueskyArguments {
    /// The handle, such as me.bsky.social
    #[arg(long, required_unless_present = "sandbox", conflicts_with = "sandbox")]
    identifier: Option<String>,
    /// The app password; asked for when left out [env: SCHEDULER_BLUESKY_APP_PASSWORD]
    #[arg(long, value_name = "PASSWORD", conflicts_with = "sandbox")]
    app_password: Option<SecretString>,
    /// The account's server, when it cannot be found by the handle
    #[arg(long, value_name = "URL", conflicts_with = "sandbox")]
    pds: Option<String>,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Args, Debug)]
struct MastodonArguments {
    /// The server, such as mastodon.social
    #[arg(
        long,
        value_name = "URL",
        required_unless_present = "sandbox",
        conflicts_with = "sandbox"
    )]
    instance: Option<String>,
    /// The access token; asked for when left out [env: SCHEDULER_MASTODON_TOKEN]
    #[arg(long, conflicts_with = "sandbox")]
    token: Option<SecretString>,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Args, Debug)]
struct CommonArguments {
    /// One more account at the sandbox that SCHEDULER_SANDBOX_URL names
    #[arg(long)]
    sandbox: bool,
    /// The workspace, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    #[command(flatten)]
    storage: StorageOptions,
}

/// A secret that a network asks for, and where it comes from.
struct Secret {
    given: Option<SecretString>,
    /// The setting that may hold it.
    key: &'static str,
    prompt: &'static str,
    option: &'static str,
}

/// Connects the account.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn run(context: &Context, arguments: ConnectArguments) -> Result<(), Failure> {
    let (platform, values, secret, common) = match arguments.network {
        NetworkArguments::Bluesky(bluesky) => (
            Platform::Bluesky,
            [("identifier", bluesky.identifier), ("pds", bluesky.pds)],
            (
                "appPassword",
                Secret {
                    given: bluesky.app_password,
                    key: "bluesky_app_password",
                    prompt: "App password",
                    option: "--app-password",
                },
            ),
            bluesky.common,
        ),
        NetworkArguments::Mastodon(mastodon) => (
            Platform::Mastodon,
            [("instance", mastodon.instance), ("", None)],
            (
                "accessToken",
                Secret {
                    given: mastodon.token,
                    key: "mastodon_token",
                    prompt: "Access token",
                    option: "--token",
                },
            ),
            mastodon.common,
        ),
    };
    let mut settings = ApplicationSettings::load(common.storage, &context.sources)?;
    let input = if common.sandbox {
        let Some(sandbox) = settings.networks.sandbox_url.clone() else {
            return Err(Failure::Usage(
                "--sandbox: set SCHEDULER_SANDBOX_URL to the address that `scheduler serve --sandbox` or `scheduler sandbox` prints"
                    .into(),
            ));
        };
        settings.networks = settings.networks.at_sandbox(&sandbox)?;
        new_account(&sandbox, platform).await?
    } else {
        let given = values.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let mut values: BTreeMap<String, String> = given.collect();
        let (name, secret) = secret;
        values.insert(name.to_owned(), ask(context, secret)?.expose_secret().to_owned());
        ConnectInput(values)
    };
    let application = Application::start(settings).await?;
    let workspace = application.workspace(common.workspace.as_deref()).await?;
    let connected = application.scheduler.connect_account(&workspace, platform, &input).await?;
    let accounts = application.scheduler.accounts(workspace.id).await?;
    let label = connected.account.label();
    let line = if connected.was_known {
        format!("{label} is connected again")
    } else {
        format!("{label} is connected ({})", connected.account.id)
    };
    context.print(&view(&application, &workspace, &accounts, &connected.account), &line)
}

/// The secret from the option, else from the settings, else from the person at the terminal.
fn ask(context: &Context, secret: Secret) -> Result<SecretString, Failure> {
    if let Some(given) = secret.given {
        return Ok(given);
    }
    if let Some(text) = context.sources.text(secret.key) {
        return Ok(text.into());
    }
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Err(Failure::Usage(format!(
            "give {}, or set {}",
            secret.option,
            crate::config::variable(secret.key)
        )));
    }
    let typed = dialoguer::Password::new().with_prompt(secret.prompt).interact();
    Ok(typed.map_err(anyhow::Error::from)?.into())
}
