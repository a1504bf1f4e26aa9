//! `scheduler demo`: one post to every sandbox network, with a picture where one is taken and a
//! film where only a film is, and a poll where there are any, from the upload to the verified
//! event.

mod document;
mod files;
mod film;
#[cfg(test)]
mod film_tests;
mod posts;

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use scheduler_client::SeenPost;
use scheduler_core::account::AccountView;
use scheduler_core::app::Settings;
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::media::MediaKind;
use scheduler_core::post::{PostView, TargetView};
use scheduler_core::target::TargetStatus;
use scheduler_core::webhook::WebhookView;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use files::Got;
use posts::Kind;

use super::webhooks::create;
use crate::client::{Call, Client, connect};
use crate::config::{
    ClientSettings, MediaSettings, NetworkSettings, ServerSettings, StorageSettings,
};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::node::Node;
use crate::optional::picture;
use crate::posting::{account_name, accounts, follow, target_tone};
use crate::printer::{Tone, cell, toned};
use crate::receiver::{Received, Receiver};
use crate::runtime::ApplicationSettings;
use crate::signals::stop_requested;

/// How long the events of a post that is over may still take.
const EVENTS_WITHIN: Duration = Duration::from_secs(15);

const TEXT: &str =
    "One post, every network: sent by the demo of a social post scheduler. #scheduler";
/// What the picture shows.
const ALT_TEXT: &str = "A low sun over a calm sea, drawn in bands of colour.";
const LINK: &str = "https://example.com/demo";

/// Runs the demo.
pub(crate) async fn run(context: Context) -> Result<Exit, Failure> {
    let stop = stop_requested()?;
    let picture = picture::bytes()?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (application, server) = settings(folder.path());
    let mut node = Node::open(application, &server).await?;
    let outcome = tokio::select! {
        outcome = Box::pin(send(&context, &mut node, &server, folder.path(), &picture)) => outcome,
        () = stop => Err(anyhow::anyhow!("interrupted").into()),
    };
    node.stop().await;
    outcome
}

fn settings(data: &Path) -> (ApplicationSettings, ServerSettings) {
    let networks =
        NetworkSettings { webhooks_allow_private: true, sandbox: true, ..Default::default() };
    let storage = StorageSettings::within(data);
    let server = ServerSettings::at((Ipv4Addr::LOCALHOST, 0).into());
    let media = MediaSettings::default();
    (
        ApplicationSettings {
            storage,
            networks,
            media,
            assistant: None,
            mail: None,
            openid: None,
            core: Settings::default(),
            pages: None,
        },
        server,
    )
}

async fn send(
    context: &Context,
    node: &mut Node,
    server: &ServerSettings,
    folder: &Path,
    picture: &[u8],
) -> Result<Exit, Failure> {
    let address = node.begin(server).await?.context("the server does not listen")?;
    let first = node.first_start.as_ref().context("the server has made no key")?;
    let api_key = Some(SecretString::from(first.key.value.expose().to_owned()));
    let client = connect(ClientSettings { base: format!("http://{address}"), api_key })?;
    context.printer.message(&format!("server  {}", client.base()));
    if let Some(url) = &node.sandbox_url {
        context.printer.message(&format!("sandbox {}", url.as_str().trim_end_matches('/')));
    }

    let mut receiver =
        Receiver::bind((Ipv4Addr::LOCALHOST, 0).into()).await.context("cannot receive events")?;
    let own_address = format!("http://{}/", receiver.address());
    let webhook: WebhookView = create(&client, &own_address, &[]).await?.read()?;
    receiver.trust(webhook.secret.unwrap_or_default().into());

    let accounts = accounts(&client).await?;
    let (mut posted, mut targets_sent) = (Vec::new(), 0);
    for (kind, group) in posts::by_kind(&accounts) {
        let mut body = match kind {
            Kind::Poll => json!({"content": posts::QUESTION, "publishNow": true}),
            _ => json!({"content": TEXT, "linkUrl": LINK, "publishNow": true}),
        };
        let mut targets = Vec::new();
        for account in &group {
            targets.push(posts::target(node.application(), account, kind).await?);
        }
        body["targets"] = Value::Array(targets);
        if let Some(file) = kind.file() {
            let (name, bytes) = match file {
                MediaKind::Image => ("picture.png", picture.to_vec()),
                MediaKind::Video => ("film.mp4", film::bytes()),
                MediaKind::Document => ("slides.pdf", document::bytes()),
            };
            let id = files::upload(context.printer, &client, folder, name, &bytes).await?;
            body["mediaIds"] = json!([id]);
            if file == MediaKind::Image {
                body["altTexts"] = json!([ALT_TEXT]);
            }
        }
        let post: PostView = client.send(Call::post("/posts", &body)).await?.read()?;
        let (kind_name, names) = (kind.as_str(), posts::names(&group));
        context.printer.message(&format!("{kind_name} {} to {names}", post.id));
        targets_sent += group.len();
        posted.push((post.id, kind));
    }
    let ends = ends(context, node, &client, &mut receiver, &accounts, posted).await?;
    receiver.stop().await;
    // Every network that is built in has an account, and every account a post.
    let reached: BTreeSet<_> = ends.iter().map(|end| end.target.account_id).collect();
    let is_complete = ends.len() == targets_sent
        && reached.len() == accounts.len()
        && ends.iter().all(End::is_complete);
    show(context, &ends, &accounts, is_complete)?;
    Ok(if is_complete { Exit::Done } else { Exit::Failed })
}

/// Follows the posts to their ends, and looks for them at the sandbox.
async fn ends(
    context: &Context,
    node: &Node,
    client: &Client,
    receiver: &mut Receiver,
    accounts: &[AccountView],
    posted: Vec<(PostId, Kind)>,
) -> Result<Vec<End>, Failure> {
    let mut targets = Vec::new();
    for (id, kind) in posted {
        let SeenPost { post, .. } = follow(client, context.printer, id, accounts).await?;
        targets.extend(post.targets.into_iter().map(|target| (target, kind)));
    }
    let verified = verified_events(receiver, targets.iter().map(|(target, _)| target.id)).await;
    let posts = match &node.sandbox_url {
        Some(sandbox) => files::sandbox_posts(sandbox).await?,
        None => Vec::new(),
    };
    let end = |(target, kind): (TargetView, Kind)| End {
        got: files::got_of(&posts, &target).map(<[Got]>::to_vec),
        kind,
        is_verified: verified.contains(&target.id),
        target,
    };
    Ok(targets.into_iter().map(end).collect())
}

/// What became of a target.
struct End {
    target: TargetView,
    /// What was posted.
    kind: Kind,
    /// The files that its network has got with it; `None` when it has no such post.
    got: Option<Vec<Got>>,
    /// True when its event has come and is signed as it should be.
    is_verified: bool,
}

impl End {
    fn is_complete(&self) -> bool {
        let is_whole = self
            .got
            .as_ref()
            .is_some_and(|got| got.len() == usize::from(self.kind.file().is_some()));
        self.target.status == TargetStatus::Published && is_whole && self.is_verified
    }

    /// The file at the network.
    fn file(&self) -> Option<&Got> {
        self.got.as_ref()?.first()
    }
}

/// The targets whose event has come and is signed as it should be.
async fn verified_events(
    receiver: &mut Receiver,
    wanted: impl Iterator<Item = TargetId>,
) -> BTreeSet<TargetId> {
    let deadline = Instant::now() + EVENTS_WITHIN;
    let wanted: BTreeSet<TargetId> = wanted.collect();
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
    ends: &[End],
    accounts: &[AccountView],
    is_complete: bool,
) -> Result<(), Failure> {
    let documents = ends.iter().map(|end| {
        let target = &end.target;
        json!({
            "platform": target.platform,
            "accountId": target.account_id,
            "post": end.kind.as_str(),
            "status": target.status,
            "remoteUrl": target.remote_url,
            "error": target.error,
            "file": end.file(),
            "eventVerified": end.is_verified,
        })
    });
    let document = json!({"ok": is_complete, "targets": documents.collect::<Value>()});
    let rows = ends.iter().map(|end| {
        let target = &end.target;
        let link = target.remote_url.as_deref().or(target.error.as_deref());
        let file = match (end.file(), end.kind.file(), &end.got) {
            (Some(file), _, _) => toned(file.line(), Tone::Good),
            (None, None, Some(_)) => toned("none", Tone::Plain),
            (None, _, _) => toned("missing", Tone::Bad),
        };
        let event = if end.is_verified {
            toned("verified", Tone::Good)
        } else {
            toned("missing", Tone::Bad)
        };
        vec![
            cell(target.platform.sheet().name),
            cell(account_name(target.account_id, accounts)),
            cell(end.kind.as_str()),
            toned(target.status.as_str(), target_tone(target.status)),
            cell(link.unwrap_or_default()),
            file,
            event,
        ]
    });
    Ok(context.printer.result(&document, |printer| {
        let headings = ["network", "account", "post", "status", "link", "file", "event"];
        printer.table(&headings, rows, "Nothing went out.")
    })?)
}
