//! What the page of a post says of one network.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::error::Unsupported;
use scheduler_core::ids::AccountId;
use scheduler_core::post::{PostView, TargetView};
use scheduler_core::session::Role;
use scheduler_core::target::TargetStatus;
use scheduler_core::timing::Zone;
use serde_json::Value;

use super::failure::Failure;
use crate::card::State;
use crate::compose::tiktok;
use crate::figures;
use crate::mark::{self, Mark};
use crate::metrics;
use crate::visitor::Visitor;
use crate::when;

/// What the page says of one network.
pub(super) struct Target {
    pub(super) id: String,
    pub(super) mark: Mark,
    pub(super) account: String,
    pub(super) state: State,
    pub(super) word: String,
    pub(super) link: Option<String>,
    /// Why it failed, and what to do.
    pub(super) failure: Option<Failure>,
    /// What else is to be told, as that it waits for its client.
    pub(super) what: Option<String>,
    pub(super) later: Option<&'static str>,
    pub(super) figures: Vec<(String, String)>,
    pub(super) own_text: Option<String>,
    /// The pictures of its own files, where it has others than the post.
    pub(super) files: Vec<String>,
    pub(super) options: Vec<(String, String)>,
    pub(super) can_take_down: bool,
    /// Why it cannot be taken down although it is live.
    pub(super) why_stays: Option<String>,
    /// How long it has been live.
    pub(super) age: Option<String>,
    pub(super) network: &'static str,
    /// The network as forms name it.
    pub(super) wire: String,
    /// When its figures were read.
    pub(super) read: Option<String>,
    pub(super) can_read: bool,
    /// The page of how it is watched, where its network tells.
    pub(super) watched: Option<String>,
    /// The page of its comments.
    pub(super) comments: Option<String>,
    /// What is live, where it can be changed.
    pub(super) live: Option<Live>,
    /// The other accounts of its network, where it can go to one of them.
    pub(super) others: Vec<(String, String)>,
    /// The one that was chosen, and refused.
    pub(super) pointed_at: Option<String>,
}

/// The text of a live post.
pub(super) struct Live {
    pub(super) text: String,
    /// Its title, where the network has titles.
    pub(super) title: Option<String>,
    /// True when what was written was refused.
    pub(super) is_refused: bool,
}

impl Target {
    pub(super) fn of(
        visitor: &Visitor,
        target: &TargetView,
        post: &PostView,
        accounts: &HashMap<AccountId, AccountView>,
        zone: Zone,
    ) -> Self {
        let sheet = target.platform.sheet();
        let may = visitor.may(Role::Editor);
        let (state, word) = stands(target, zone, visitor.now());
        let account = accounts.get(&target.account_id);
        let is_live = target.status == TargetStatus::Published && target.remote_id.is_some();
        let is_open = matches!(target.status, TargetStatus::Pending | TargetStatus::Failed);
        let caption = target.options.get("caption").map(shown);
        let taken = target.metrics.as_ref().and_then(|metrics| metrics.get("fetchedAt")?.as_str());
        let taken: Option<DateTime<Utc>> = taken.and_then(|at| at.parse().ok());
        Self {
            id: target.id.to_string(),
            mark: target.platform.into(),
            account: account
                .map_or_else(|| "an account that is disconnected".to_owned(), mark::name),
            state,
            word,
            link: target.remote_url.clone(),
            what: target.error.clone().filter(|_| !is_open || target.error_code.is_none()),
            failure: Failure::of(target, account, zone).filter(|_| is_open),
            later: tiktok::shown_later(target),
            figures: metrics::shown(target.metrics.as_ref()),
            options: target
                .options
                .iter()
                .filter(|(key, value)| *key != "caption" && !value.is_null())
                .map(|(key, value)| (key.clone(), shown(value)))
                .collect(),
            can_take_down: may && target.can_delete_remote,
            why_stays: (is_live && may && !target.can_delete_remote).then(|| why_stays(target)),
            age: target.published_at.map(|at| when::distance(at, visitor.now())),
            network: sheet.name,
            wire: target.platform.to_string(),
            read: taken.map(|at| when::distance(at, visitor.now())),
            can_read: is_live && !sheet.metric_fields.is_empty(),
            watched: (is_live && sheet.reports_insights())
                .then(|| visitor.at(&figures::watched_path(post.id))),
            comments: (is_live && sheet.can_read_comments)
                .then(|| visitor.at(&format!("inbox/{}/{}", post.id, target.id))),
            live: (may && target.can_edit_remote).then(|| Live {
                text: caption.clone().unwrap_or_else(|| post.content.clone()),
                title: sheet
                    .option("title")
                    .map(|_| target.options.get("title").map(shown).unwrap_or_default()),
                is_refused: false,
            }),
            own_text: caption,
            files: target
                .media_ids
                .iter()
                .flatten()
                .map(|id| visitor.at(&format!("media/{id}/thumb")))
                .collect(),
            others: if may && is_open { others(target, accounts) } else { Vec::new() },
            pointed_at: None,
        }
    }
}

/// The other accounts of its network, by their names.
fn others(
    target: &TargetView,
    accounts: &HashMap<AccountId, AccountView>,
) -> Vec<(String, String)> {
    let others = accounts.values().filter(|other| other.platform == target.platform);
    let others = others.filter(|other| other.id != target.account_id);
    let mut others: Vec<(String, String)> =
        others.map(|other| (other.id.to_string(), mark::name(other))).collect();
    others.sort_by(|one, other| (&one.1, &one.0).cmp(&(&other.1, &other.0)));
    others
}

/// How it stands, and that in words.
fn stands(target: &TargetView, zone: Zone, now: DateTime<Utc>) -> (State, String) {
    let at = |at| when::instant(at, zone);
    match target.status {
        TargetStatus::Pending if target.attempts > 0 => {
            let next = target.next_attempt_at.map_or_else(String::new, |next| {
                format!(" at {} ({})", at(next), when::distance(next, now))
            });
            (State::Scheduled, format!("Tried again{next}"))
        }
        TargetStatus::Pending => {
            let next = target
                .next_attempt_at
                .map_or_else(|| "Waits".to_owned(), |next| format!("Goes out {}", at(next)));
            (State::Scheduled, next)
        }
        TargetStatus::Publishing => (State::Publishing, "Going out now".to_owned()),
        TargetStatus::Published => {
            let since =
                target.published_at.map_or_else(String::new, |live| format!(" since {}", at(live)));
            (State::Published, format!("Live{since}"))
        }
        TargetStatus::Failed => (State::Failed, "Failed".to_owned()),
        TargetStatus::Skipped => (State::Canceled, "Left out or taken down".to_owned()),
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Why a live target cannot be taken down from here.
fn why_stays(target: &TargetView) -> String {
    let sheet = target.platform.sheet();
    match sheet.take_down_within {
        _ if !sheet.can_delete_remote => {
            format!("{} lets no program take posts down; delete it there.", sheet.name)
        }
        Some(within) => {
            Unsupported::TakeDownAfter { platform: target.platform, within }.to_string()
        }
        None => Unsupported::TakeDown(target.platform).to_string(),
    }
}
