//! A link to the page on which accounts are connected, and what comes of it.

use std::time::Duration;

use anyhow::anyhow;
use chrono::{DateTime, Utc};
use scheduler_core::account::{Account, AccountView};
use scheduler_core::app::Invitation;
use scheduler_core::connecting::{ConnectingStage, PickOutcome};
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use scheduler_core::workspace::Workspace;
use serde_json::json;

use super::arguments::{CommonArguments, LinkArguments};
use super::view;
use crate::connecting;
use crate::context::Context;
use crate::failure::Failure;
use crate::node::public_url;
use crate::runtime::{Application, ApplicationSettings};

/// How often to look whether the link was used.
const LOOK: Duration = Duration::from_millis(500);

/// Prints the link, and waits until it was used or its time is over.
///
/// # Errors
/// [`Failure::Usage`] when the network sends no browser to the server's address;
/// [`Failure::Other`] when nobody has used the link in time.
pub(super) async fn run(
    context: &Context,
    mut settings: ApplicationSettings,
    platform: Platform,
    given: ConnectInput,
    link: &LinkArguments,
    common: &CommonArguments,
) -> Result<(), Failure> {
    // The server is the one that talks to the networks; only what it would refuse counts here.
    settings.core.connect_twitter |= settings.networks.sandbox;
    let pages = connecting::pages(
        &settings.networks,
        public_url(context, &settings.storage, link.listen, link.public_url.clone())?,
    );
    let address = connecting::link_address(&pages, platform)?;
    let application = Application::existing(settings).await?;
    let workspace = application.workspace(common.workspace.as_deref()).await?;
    let invitation = application.scheduler.invite(&workspace, platform, given).await?;
    if let Some(reason) = pages.unregistered.get(&platform) {
        context.printer.warning(reason);
    }
    let url = format!("{address}/connect/{platform}?ticket={}", invitation.ticket.expose());
    context.printer.message(&format!(
        "Open this link in a browser within 15 minutes; the server has to run at {address}."
    ));
    let document = json!({"url": url, "expiresAt": invitation.expires_at});
    context.print(&document, &url)?;
    if link.no_wait {
        return Ok(());
    }
    let visit = ended(&application, &invitation);
    let outcomes = context.with_spinner("waiting until the link was used", visit).await?;
    tell(context, &application, &workspace, &outcomes).await
}

/// Waits for the end of the visit.
async fn ended(
    application: &Application,
    invitation: &Invitation,
) -> Result<Vec<PickOutcome>, Failure> {
    loop {
        let pending = application.scheduler.pending_connection(invitation.id).await?;
        let now: DateTime<Utc> = application.scheduler.ports().clock.now();
        match pending.map(|pending| pending.stage) {
            Some(ConnectingStage::Ended { outcomes }) => return Ok(outcomes),
            Some(_) if now < invitation.expires_at => tokio::time::sleep(LOOK).await,
            Some(_) | None => {
                return Err(anyhow!(
                    "the link was not used within 15 minutes; run the command again for a new one"
                )
                .into());
            }
        }
    }
}

async fn tell(
    context: &Context,
    application: &Application,
    workspace: &Workspace,
    outcomes: &[PickOutcome],
) -> Result<(), Failure> {
    let accounts = application.scheduler.accounts(workspace.id).await?;
    let account = |outcome: &PickOutcome| {
        accounts.iter().find(|account| Some(account.id) == outcome.account_id)
    };
    let connected: Vec<&Account> = outcomes.iter().filter_map(account).collect();
    let views: Vec<AccountView> =
        connected.iter().map(|account| view(application, workspace, &accounts, account)).collect();
    let lines = connected.iter().map(|account| format!("{} is connected", account.label()));
    context.print(&json!({"data": views}), &lines.collect::<Vec<_>>().join("\n"))?;
    for outcome in outcomes {
        if let Some(problem) = &outcome.problem {
            context.printer.error(&format!("{}: {problem}", outcome.label));
        }
        for lack in &outcome.lacks {
            context.printer.warning(&format!("{}: {lack}", outcome.label));
        }
    }
    Ok(())
}
