//! Following a post until every target has ended.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use scheduler_core::account::AccountView;
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::post::{PostView, TargetView};
use scheduler_core::target::TargetStatus;
use serde_json::Value;

use super::target::label;
use super::view::instant;
use crate::client::{Call, Client};
use crate::failure::Failure;
use crate::printer::{Printer, harmless};

const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// Failed looks in a row after which following ends. With the pauses between them this spans the
/// restart of a server.
const LOOKS: u32 = 20;

/// A post whose targets have all ended.
#[derive(Debug)]
pub(crate) struct Followed {
    /// The post as the server tells it.
    pub(crate) document: Value,
    /// The same, read.
    pub(crate) post: PostView,
}

impl Followed {
    /// True when a target has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.post.targets.iter().any(|target| target.status == TargetStatus::Failed)
    }
}

/// Looks at a post until every target has ended, and shows how far each has come.
///
/// # Errors
/// Those of the server; that it cannot be reached only when it stays so.
pub(crate) async fn follow(
    client: &Client,
    printer: Printer,
    id: PostId,
    accounts: &[AccountView],
) -> Result<Followed, Failure> {
    let path = format!("/posts/{id}");
    let mut display = Display::new(printer, accounts);
    let mut pause = SHORTEST_PAUSE;
    let mut failed_looks = 0;
    loop {
        match client.send(Call::get(&path)).await {
            Ok(answer) => {
                failed_looks = 0;
                let post: PostView = answer.read()?;
                if display.update(&post.targets) {
                    pause = SHORTEST_PAUSE;
                }
                if post.targets.iter().all(|target| target.status.has_ended()) {
                    display.finish();
                    return Ok(Followed { document: answer.body, post });
                }
            }
            Err(error) if failed_looks < LOOKS && is_passing(&error) => failed_looks += 1,
            Err(error) => return Err(error),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 3 / 2).min(LONGEST_PAUSE);
    }
}

fn is_passing(error: &Failure) -> bool {
    match error {
        Failure::Unreachable { .. } => true,
        Failure::Refused(body) => body.error.code == ErrorCode::RateLimited,
        Failure::Usage(_)
        | Failure::Config(_)
        | Failure::StoreUnreachable { .. }
        | Failure::Interrupted
        | Failure::Other(_) => false,
    }
}

/// Shows how far each target has come: a moving line each on a terminal, else a line a change.
struct Display {
    printer: Printer,
    bars: Option<MultiProgress>,
    names: BTreeMap<String, String>,
    shown: BTreeMap<TargetId, (String, Option<ProgressBar>)>,
}

impl Display {
    fn new(printer: Printer, accounts: &[AccountView]) -> Self {
        let names =
            accounts.iter().map(|account| (account.id.to_string(), label(account))).collect();
        let bars = std::io::stderr()
            .is_terminal()
            .then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr()));
        Self { printer, bars, names, shown: BTreeMap::new() }
    }

    /// Shows the targets; true when one has changed.
    fn update(&mut self, targets: &[TargetView]) -> bool {
        let mut has_changed = false;
        for target in targets {
            let state = state(target);
            let name = self.names.get(&target.account_id.to_string());
            let name = name.cloned().unwrap_or_else(|| target.platform.to_string());
            let bars = &self.bars;
            let (shown, bar) = self.shown.entry(target.id).or_insert_with(|| {
                (String::new(), bars.as_ref().map(|bars| bars.add(spinner(&name))))
            });
            if *shown == state {
                continue;
            }
            has_changed = true;
            shown.clone_from(&state);
            match bar {
                Some(bar) if target.status.has_ended() => {
                    bar.finish_with_message(harmless(&state).into_owned())
                }
                Some(bar) => bar.set_message(harmless(&state).into_owned()),
                None => self.printer.message(&format!("{name}: {state}")),
            }
        }
        has_changed
    }

    fn finish(&self) {
        for bar in self.shown.values().filter_map(|(_, bar)| bar.as_ref()) {
            if !bar.is_finished() {
                bar.abandon();
            }
        }
    }
}

fn spinner(name: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_prefix(harmless(name).into_owned());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn state(target: &TargetView) -> String {
    let status = target.status.as_str();
    match (target.next_attempt_at, &target.error, &target.remote_url) {
        (Some(at), Some(error), _) => format!("{status} again at {}: {error}", instant(at)),
        (Some(at), None, _) => format!("{status}, due {}", instant(at)),
        (None, Some(error), _) => format!("{status}: {error}"),
        (None, None, Some(url)) => format!("{status} {url}"),
        (None, None, None) => status.to_owned(),
    }
}
