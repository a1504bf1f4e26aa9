//! `scheduler demo`: one post with a picture to every sandbox network that takes one, from the
//! upload to the verified event.

mod picture;

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use scheduler_core::account::AccountView;
use scheduler_core::app::Settings;
use scheduler_core::ids::TargetId;
use scheduler_core::post::{PostView, TargetView};
use scheduler_core::target::TargetStatus;
use scheduler_core::webhook::WebhookView;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::Context;
use super::webhooks::create;
use crate::client::{Call, Client};
use crate::config::{
    ClientSettings, MediaSettings, NetworkSettings, Roles, ServerSettings, StorageSettings,
};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::node::Node;
use crate::posting::{Followed, account_name, accounts, follow, target_tone};
use crate::printer::{Tone, cell, toned};
use crate::receiver::{Received, Receiver};
use crate::runtime::ApplicationSettings;
use crate::signals::stop_requested;

/// How long the events of a post that is over may still take.
const EVENTS_WITHIN: Duration = Duration::from_secs(15);

const TEXT: &str =
    "One post, every network: sent by the demo of a social post scheduler. #scheduler";
const LINK: &str = "https://example.com/demo";

/// Runs the demo.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context) -> Result<Exit, Failure> {
    let stop = stop_requested().map_err(anyhow::Error::from)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (application, server) = settings(folder.path());
    let mut node = Node::open(application, &server).await?;
    let outcome = tokio::select! {
        outcome = Box::pin(send(&context, &mut node, &server, folder.path())) => outcome,
        () = stop => Err(anyhow::anyhow!("interrupted").into()),
    };
    node.stop().await;
    outcome
}

fn settings(data: &Path) -> (ApplicationSettings, ServerSettings) {
    let networks =
        NetworkSettings { webhooks_allow_private: true, sandbox: true, ..Default::default() };
    let storage = StorageSettings::within(data);
    let server = ServerSettings {
        listen: (Ipv4Addr::LOCALHOST, 0).into(),
        roles: Roles::ALL,
        public_url: None,
        rate_limit_per_minute: None,
        rate_limit_burst: None,
        uploads_per_minute: None,
        publishes_in_flight: None,
        publishes_in_flight_per_network: None,
        deliveries_in_flight: None,
        media_in_flight: None,
    };
    let media = MediaSettings::default();
    (ApplicationSettings { storage, networks, media, core: Settings::default() }, server)
}

async fn send(
    context: &Context,
    node: &mut Node,
    server: &ServerSettings,
    folder: &Path,
) -> Result<Exit, Failure> {
    let address = node.begin(server).await?.context("the server does not listen")?;
    let first = node.first_start.as_ref().context("the server has made no key")?;
    let api_key = Some(SecretString::from(first.key.value.expose().to_owned()));
    let client = Client::new(ClientSettings { base: format!("http://{address}"), api_key })?;
    context.printer.message(&format!("server  {}", client.base()));
    if let Some(url) = &node.sandbox_url {
        context.printer.message(&format!("sandbox {}", url.as_str().trim_end_matches('/')));
    }

    let mut receiver =
        Receiver::bind((Ipv4Addr::LOCALHOST, 0).into()).await.context("cannot receive events")?;
    let own_address = format!("http://{}/", receiver.address());
    let webhook: WebhookView = create(&client, &own_address, &[]).await?.read()?;
    receiver.trust(webhook.secret.unwrap_or_default().into());

    let file = picture::upload(context.printer, &client, folder).await?;
    let accounts = accounts(&client).await?;
    let targets: Vec<Value> = accounts
        .iter()
        .filter(|account| account.platform.sheet().supports_image)
        .map(|account| json!({"platform": account.platform, "accountId": account.id}))
        .collect();
    let body = json!({
        "content": TEXT,
        "linkUrl": LINK,
        "mediaIds": [file],
        "altTexts": [picture::ALT_TEXT],
        "publishNow": true,
        "targets": targets,
    });
    let post: PostView = client.send(Call::post("/posts", &body)).await?.read()?;
    let followed = follow(&client, context.printer, post.id, &accounts).await?;
    let verified = verified_events(&mut receiver, &followed).await;
    receiver.stop().await;
    let posts = match &node.sandbox_url {
        Some(sandbox) => picture::sandbox_posts(sandbox).await?,
        None => Vec::new(),
    };
    let ends: Vec<End<'_>> = followed
        .post
        .targets
        .iter()
        .map(|target| End {
            target,
            file: picture::file_of(&posts, target),
            is_verified: verified.contains(&target.id),
        })
        .collect();
    let is_complete = !ends.is_empty() && ends.iter().all(End::is_complete);
    show(context, &ends, &accounts, is_complete)?;
    Ok(if is_complete { Exit::Done } else { Exit::Failed })
}

/// What became of a target.
struct End<'a> {
    target: &'a TargetView,
    /// The file that its network has got.
    file: Option<&'a picture::Got>,
    /// True when its event has come and is signed as it should be.
    is_verified: bool,
}

impl End<'_> {
    fn is_complete(&self) -> bool {
        self.target.status == TargetStatus::Published && self.file.is_some() && self.is_verified
    }
}

/// The targets whose event has come and is signed as it should be.
async fn verified_events(receiver: &mut Receiver, followed: &Followed) -> BTreeSet<TargetId> {
    let deadline = Instant::now() + EVENTS_WITHIN;
    let wanted: BTreeSet<TargetId> = followed.post.targets.iter().map(|target| target.id).collect();
    let mut verified = BTreeSet::new();
    while verified != wanted {
        // No event, no time, or no receiver: what has come so far is what counts.
        let Ok(Some(received)) = timeout_at(deadline, receiver.next()).await else { break };
        if let Received::Event { envelope, .. } = received {
            let target = envelope.data.get("targetId").and_then(Value::as_str);
            let target = target.and_then(|id| id.parse().ok());
            verified.extend(target.filter(|id| wanted.contains(id)));
        }
    }
    verified
}

fn show(
    context: &Context,
    ends: &[End<'_>],
    accounts: &[AccountView],
    is_complete: bool,
) -> Result<(), Failure> {
    let documents = ends.iter().map(|end| {
        let target = end.target;
        json!({
            "platform": target.platform,
            "accountId": target.account_id,
            "status": target.status,
            "remoteUrl": target.remote_url,
            "error": target.error,
            "file": end.file,
            "eventVerified": end.is_verified,
        })
    });
    let document = json!({"ok": is_complete, "targets": documents.collect::<Value>()});
    let rows = ends.iter().map(|end| {
        let target = end.target;
        let link = target.remote_url.as_deref().or(target.error.as_deref());
        let file = match end.file {
            Some(file) => toned(file.line(), Tone::Good),
            None => toned("missing", Tone::Bad),
        };
        let event = if end.is_verified {
            toned("verified", Tone::Good)
        } else {
            toned("missing", Tone::Bad)
        };
        vec![
            cell(target.platform),
            cell(account_name(target.account_id, accounts)),
            toned(target.status.as_str(), target_tone(target.status)),
            cell(link.unwrap_or_default()),
            file,
            event,
        ]
    });
    let printed = context.printer.result(&document, |printer| {
        let headings = ["network", "account", "status", "link", "file", "event"];
        printer.table(&headings, rows, "Nothing went out.")
    });
    Ok(printed.map_err(anyhow::Error::from)?)
}
