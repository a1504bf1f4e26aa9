//! `scheduler accounts connect`: each network's own way.

mod arguments;
mod link;

use std::io::IsTerminal as _;

use scheduler_core::app::{ConnectLinkView, ConnectedAccount};
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use scheduler_core::workspace::Workspace;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;

use super::view;
use crate::client::{Call, Client};
use crate::context::Context;
use crate::failure::Failure;
use crate::posting::instant;
use crate::runtime::{Application, ApplicationSettings};
use crate::sandboxed::connect_new;
use arguments::{CommonArguments, Secret, Way};

pub(crate) use arguments::ConnectArguments;

/// Connects the account.
pub(super) async fn run(context: &Context, arguments: ConnectArguments) -> Result<(), Failure> {
    let ConnectArguments { platform, way, common } = arguments;
    if let Some(client) = context.remote(&common.storage, common.workspace.as_deref())? {
        return by_link(context, &client, platform, &way).await;
    }
    let settings = ApplicationSettings::load(common.storage.clone(), &context.sources)?;
    match way {
        Way::Sandbox => Box::pin(at_sandbox(context, settings, platform, &common)).await,
        Way::Link { values, link } => {
            Box::pin(link::run(context, settings, platform, ConnectInput(values), &link, &common))
                .await
        }
        Way::Given { mut values, secret } => {
            let name = secret.name.to_owned();
            values.insert(name, ask(context, secret)?.expose_secret().to_owned());
            connect(context, settings, platform, &ConnectInput(values), &common).await
        }
    }
}

/// Prints the link by which an account is connected to the server that the person has logged in to:
/// what its network has given goes into the server's own page, and nowhere else.
async fn by_link(
    context: &Context,
    client: &Client,
    platform: Platform,
    way: &Way,
) -> Result<(), Failure> {
    if !matches!(way, Way::Link { .. }) {
        context.printer.warning("what is given here is not sent; give it on the page of the link");
    }
    let body = json!({"platform": platform});
    let link: ConnectLinkView = client.ask(Call::post("/accounts/connect", &body)).await?.read()?;
    context.print(&link, &link.url)?;
    let until = instant(link.expires_at);
    context
        .printer
        .message(&format!("open it to connect the account; it is good once, until {until}"));
    Ok(())
}

/// Connects one more account of the sandbox that is set.
async fn at_sandbox(
    context: &Context,
    mut settings: ApplicationSettings,
    platform: Platform,
    common: &CommonArguments,
) -> Result<(), Failure> {
    let Some(sandbox) = settings.networks.sandbox_url.clone() else {
        return Err(Failure::Usage(
            "--sandbox: set SCHEDULER_SANDBOX_URL to the address that `scheduler serve --sandbox` or `scheduler sandbox` prints"
                .into(),
        ));
    };
    settings.move_to_sandbox(&sandbox)?;
    let application = Application::existing(settings).await?;
    let workspace = application.workspace(common.workspace.as_deref()).await?;
    let connected = connect_new(&application, &workspace, &sandbox, platform).await?;
    show(context, &application, &workspace, &connected).await
}

async fn connect(
    context: &Context,
    settings: ApplicationSettings,
    platform: Platform,
    input: &ConnectInput,
    common: &CommonArguments,
) -> Result<(), Failure> {
    let application = Application::existing(settings).await?;
    let workspace = application.workspace(common.workspace.as_deref()).await?;
    let connecting = application.scheduler.connect_account(&workspace, platform, input);
    let connected = context.with_spinner("asking the network", connecting).await?;
    show(context, &application, &workspace, &connected).await
}

async fn show(
    context: &Context,
    application: &Application,
    workspace: &Workspace,
    connected: &ConnectedAccount,
) -> Result<(), Failure> {
    let accounts = application.scheduler.accounts(workspace.id).await?;
    let label = connected.account.label();
    let line = if connected.was_known {
        format!("{label} is connected again")
    } else {
        format!("{label} is connected ({})", connected.account.id)
    };
    context.print(&view(application, workspace, &accounts, &connected.account), &line)
}

/// The secret from the option, else from the settings, else from the person at the terminal.
fn ask(context: &Context, secret: Secret) -> Result<SecretString, Failure> {
    if let Some(given) = secret.given {
        return Ok(given);
    }
    if let Some(text) = context.sources.text(&secret.key) {
        return Ok(text.into());
    }
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Err(Failure::Usage(format!(
            "give --{}, or set {}",
            secret.option,
            crate::config::variable(&secret.key)
        )));
    }
    let typed = dialoguer::Password::new().with_prompt(secret.prompt).interact();
    Ok(typed.map_err(anyhow::Error::from)?.into())
}
