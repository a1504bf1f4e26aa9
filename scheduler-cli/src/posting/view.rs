//! Posts as a person reads them.

use std::io;

use chrono::{DateTime, SecondsFormat, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::ids::AccountId;
use scheduler_core::platform::Disclosed;
use scheduler_core::post::{PostStatus, PostView, TargetView};
use scheduler_core::target::TargetStatus;

use crate::printer::{Column, Printer, Tone, cell, excerpt, toned};

/// Characters of a post's text that are shown.
const TEXT_SHOWN: usize = 200;

pub(crate) fn show_post(
    printer: Printer,
    post: &PostView,
    accounts: &[AccountView],
) -> io::Result<()> {
    printer.line(&format!("post     {}", post.id))?;
    printer.line(&format!("status   {}", post.status.as_str()))?;
    if let Some(at) = post.scheduled_at {
        printer.line(&format!("goes out {}", instant(at)))?;
    }
    printer.line(&format!("text     {}", excerpt(&post.content, TEXT_SHOWN)))?;
    if let Some(link) = &post.link_url {
        printer.line(&format!("link     {link}"))?;
    }
    if !post.disclosure.is_none() {
        let told: Vec<&str> = post.disclosure.told().map(Disclosed::as_str).collect();
        printer.line(&format!("tells    {}", told.join(", ")))?;
    }
    printer.line("")?;
    let columns = [
        Column::words("network"),
        Column::words("account"),
        Column::words("status"),
        Column::numbers("attempts"),
        Column::words("link"),
        Column::sentences("error"),
    ];
    let row = |target: &TargetView| {
        vec![
            cell(target.platform),
            cell(account_name(target.account_id, accounts)),
            toned(target_status(target), target_tone(target.status)),
            cell(target.attempts),
            cell(target.remote_url.as_deref().unwrap_or_default()),
            cell(target.error.as_deref().unwrap_or_default()),
        ]
    };
    printer.columns(&columns, post.targets.iter().map(row), "no targets")
}

/// The handle of an account, else its name, else its id.
pub(crate) fn account_name(id: AccountId, accounts: &[AccountView]) -> String {
    let account = accounts.iter().find(|account| account.id == id);
    let named = account.and_then(|account| match &account.username {
        Some(handle) => Some(format!("@{handle}")),
        None => account.display_name.clone(),
    });
    named.unwrap_or_else(|| id.to_string())
}

fn target_status(target: &TargetView) -> String {
    match target.next_attempt_at {
        Some(at) => format!("{}, due {}", target.status.as_str(), instant(at)),
        None => target.status.as_str().to_owned(),
    }
}

pub(crate) const fn target_tone(status: TargetStatus) -> Tone {
    match status {
        TargetStatus::Pending | TargetStatus::Publishing => Tone::Plain,
        TargetStatus::Published => Tone::Good,
        TargetStatus::Failed => Tone::Bad,
        TargetStatus::Skipped => Tone::Doubtful,
    }
}

pub(crate) fn post_tone(post: &PostView) -> Tone {
    match post.status {
        PostStatus::Draft | PostStatus::Scheduled | PostStatus::Publishing => Tone::Plain,
        PostStatus::Done
            if post.targets.iter().any(|target| target.status == TargetStatus::Failed) =>
        {
            Tone::Bad
        }
        PostStatus::Done => Tone::Good,
        PostStatus::Canceled => Tone::Doubtful,
    }
}

pub(crate) fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
