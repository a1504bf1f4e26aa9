//! Posts as a person reads them.

use std::collections::BTreeSet;
use std::io;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::ids::AccountId;
use scheduler_core::links::Sent;
use scheduler_core::platform::{Disclosed, THREAD};
use scheduler_core::post::{
    ApprovalState, AskedTiming, PostStatus, PostView, ReviewView, TargetView,
};
use scheduler_core::rules::{Severity, ValidationIssue};
use scheduler_core::target::{FailureCode, TargetStatus};
use scheduler_core::text::Composed;

use crate::printer::{Column, Printer, Tone, cell, one_line, toned};
use crate::times::Reader;

pub(crate) fn show_post(
    printer: Printer,
    post: &PostView,
    accounts: &[AccountView],
) -> io::Result<()> {
    printer.line(&format!("post     {}", post.id))?;
    printer.line(&format!("status   {}", post_status(post)))?;
    if let Some(line) = time_line(post) {
        printer.line(&line)?;
    }
    if let Some(state) = post.approval_state {
        printer.line(&format!("approval {}", approval(state, post.review.as_ref())))?;
    }
    if !post.labels.is_empty() {
        printer.line(&format!("labels   {}", post.labels.join(", ")))?;
    }
    for (key, value) in &post.metadata {
        printer.line(&format!("metadata {key}={value}"))?;
    }
    if let Some(note) = &post.note {
        lines(printer, "note     ", note)?;
    }
    lines(printer, "text     ", &post.content)?;
    if let Some(link) = &post.link_url {
        printer.line(&format!("link     {link}"))?;
    }
    for (index, id) in post.media_ids.iter().enumerate() {
        let alt_text = post.alt_texts.get(index).and_then(Option::as_deref);
        printer.line(&format!("file     {id}{}", described(alt_text)))?;
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
            cell(live_link(target).unwrap_or_default()),
            cell(target.error.as_deref().unwrap_or_default()),
        ]
    };
    printer.columns(&columns, post.targets.iter().map(row), "no targets")?;
    let reasons: BTreeSet<_> = post.targets.iter().filter_map(without_link).collect();
    for reason in reasons {
        printer.line(reason)?;
    }
    for target in post.targets.iter().filter(|target| differs(post, target)) {
        printer.line("")?;
        printer.line(&format!(
            "{} {} gets",
            target.platform,
            account_name(target.account_id, accounts)
        ))?;
        show_target(printer, post, target)?;
    }
    if let Some(next) = next_step(post) {
        printer.line("")?;
        printer.line(&format!("next     {next}"))?;
    }
    Ok(())
}

/// Whether a network gets anything but what the post says for all.
fn differs(post: &PostView, target: &TargetView) -> bool {
    let composed = composed(post, target);
    composed.text() != post.content
        || composed.parts.len() > 1
        || !target.options.is_empty()
        || target.media_ids.is_some()
        || !target.files.is_empty()
}

fn composed(post: &PostView, target: &TargetView) -> Composed {
    let media = target.media_ids.as_ref().unwrap_or(&post.media_ids);
    let link = post.link_url.as_deref();
    let sent = Sent::of(&post.content, link, &target.options, &target.links);
    sent.compose(!media.is_empty(), target.platform)
}

/// What a network gets that others do not: its text, the parts of its thread, options and files.
fn show_target(printer: Printer, post: &PostView, target: &TargetView) -> io::Result<()> {
    let composed = composed(post, target);
    if composed.text() != post.content || composed.parts.len() > 1 {
        lines(printer, "  text     ", composed.text())?;
    }
    for (index, part) in composed.thread().iter().enumerate() {
        lines(printer, &format!("  post {:<4}", index + 2), part)?;
    }
    let sheet = target.platform.sheet();
    for (key, value) in &target.options {
        let is_shown = sheet.text.own_text.contains(&key.as_str()) || key == THREAD.key;
        if !is_shown {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            lines(printer, &format!("  {key} "), &value)?;
        }
    }
    for id in target.media_ids.iter().flatten() {
        let alt_text = target.files.get(id).and_then(|details| details.alt_text.as_deref());
        printer.line(&format!("  file     {id}{}", described(alt_text)))?;
    }
    Ok(())
}

/// What a file shows, after its id.
fn described(alt_text: Option<&str>) -> String {
    alt_text.map(|text| format!(": {}", one_line(text))).unwrap_or_default()
}

/// Prints a text with its line breaks, each further line below the first.
fn lines(printer: Printer, heading: &str, text: &str) -> io::Result<()> {
    let indent = " ".repeat(heading.chars().count());
    let mut rest = text.lines();
    let first = rest.next().unwrap_or_default();
    printer.line(format!("{heading}{first}").trim_end())?;
    rest.try_for_each(|line| printer.line(format!("{indent}{line}").trim_end()))
}

/// When it goes out, went out, or would have.
fn time_line(post: &PostView) -> Option<String> {
    let reader = Reader::here();
    let went_out = post.targets.iter().filter_map(|target| target.published_at).min();
    let asked = match &post.timing {
        Some(AskedTiming::Local { local }) => {
            format!("; asked for {} in each account's zone", local.format("%Y-%m-%d %H:%M"))
        }
        Some(AskedTiming::Queue) => "; in the queue".to_owned(),
        _ => String::new(),
    };
    match (went_out, post.scheduled_at, post.status) {
        (Some(at), ..) => Some(format!("went out {}", reader.show_from_now(at))),
        (None, Some(at), PostStatus::Scheduled | PostStatus::Publishing) => {
            Some(format!("goes out {}{asked}", reader.show_from_now(at)))
        }
        (None, Some(at), _) => Some(format!("was due  {}", reader.show_from_now(at))),
        (None, None, _) => None,
    }
}

fn approval(state: ApprovalState, review: Option<&ReviewView>) -> String {
    let by = review.and_then(|review| review.approved_by.as_ref());
    let waits_for_team = review.is_some_and(|review| review.state == ApprovalState::Pending);
    match (state, by) {
        (ApprovalState::Changes, _) => "the client has asked for changes".to_owned(),
        (ApprovalState::Pending, _) if waits_for_team => {
            "waits for somebody else than its author; nothing goes out before".to_owned()
        }
        (ApprovalState::Pending, _) => "waits for the client; nothing goes out before".to_owned(),
        (ApprovalState::Approved, Some(by)) => {
            format!("approved by {}", one_line(by.name.as_str()))
        }
        (ApprovalState::Approved, None) => "approved by the client".to_owned(),
    }
}

/// What a person may want to do next with a post.
fn next_step(post: &PostView) -> Option<String> {
    let failed = || post.targets.iter().filter(|target| target.status == TargetStatus::Failed);
    let (id, status) = (post.id, post.status);
    let waits_for_team =
        post.review.as_ref().is_some_and(|review| review.state == ApprovalState::Pending);
    match (status, post.approval_state) {
        (PostStatus::Draft, _) if post_status(post) != "draft" => Some(format!(
            "mend what is wrong with `scheduler posts edit {id}`, then give it a time"
        )),
        (PostStatus::Draft, _) => {
            Some(format!("give it a time: `scheduler posts edit {id} --queue`"))
        }
        (PostStatus::Scheduled, Some(ApprovalState::Pending)) if waits_for_team => {
            Some("have somebody else approve it in the pages: `scheduler web open`".to_owned())
        }
        (PostStatus::Scheduled, Some(ApprovalState::Pending | ApprovalState::Changes)) => {
            Some(format!("see what the client has said with `scheduler approvals show {id}`"))
        }
        (PostStatus::Done | PostStatus::Publishing, _) if failed().next().is_some() => {
            let is_in_doubt =
                failed().any(|target| target.error_code == Some(FailureCode::InDoubt));
            Some(if is_in_doubt {
                format!(
                    "look on the network whether it is there; if not, `scheduler posts retry {id}`"
                )
            } else {
                format!("`scheduler posts retry {id}` once what is wrong is mended")
            })
        }
        _ => None,
    }
}

/// Why a live target has no link, where its network is known not to give one to every post.
pub(super) fn without_link(target: &TargetView) -> Option<&'static str> {
    let is_without = target.status == TargetStatus::Published && target.remote_url.is_none();
    let reason = target.platform.sheet().without_link;
    Some(reason).filter(|reason| is_without && !reason.is_empty())
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
        None => target_word(target, None).to_owned(),
    }
}

/// When a target that was not tried yet goes out, where that is not when its post does: each account
/// of a queued post has a slot of its own.
pub(crate) fn own_slot(post: &PostView, target: &TargetView) -> Option<DateTime<Utc>> {
    let is_untried = target.status == TargetStatus::Pending && target.attempts == 0;
    let due = target.next_attempt_at.filter(|_| is_untried)?;
    let is_apart = |of_post: DateTime<Utc>| (due - of_post).abs() >= TimeDelta::minutes(1);
    post.scheduled_at.is_none_or(is_apart).then_some(due)
}

/// What a person reads of how far a target has come, in a word or two.
pub(crate) fn target_word(target: &TargetView, approval: Option<ApprovalState>) -> &'static str {
    match target.status {
        TargetStatus::Pending if waits(approval) => WAITS,
        TargetStatus::Skipped if is_taken_down(target) => "taken down",
        status => status.as_str(),
    }
}

/// Whether a client has not approved it yet.
fn waits(approval: Option<ApprovalState>) -> bool {
    matches!(approval, Some(ApprovalState::Pending | ApprovalState::Changes))
}

/// What is said of what its client has not approved yet.
const WAITS: &str = "waits for approval";

/// True for what was live and is no more.
fn is_taken_down(target: &TargetView) -> bool {
    target.status == TargetStatus::Skipped && target.published_at.is_some()
}

/// The link to what is live, or may be.
fn live_link(target: &TargetView) -> Option<&str> {
    target.remote_url.as_deref().filter(|_| !is_taken_down(target))
}

pub(crate) const fn target_tone(status: TargetStatus) -> Tone {
    match status {
        TargetStatus::Pending | TargetStatus::Publishing => Tone::Plain,
        TargetStatus::Published => Tone::Good,
        TargetStatus::Failed => Tone::Bad,
        TargetStatus::Skipped => Tone::Doubtful,
    }
}

/// What a person reads of how far a post has come: its status, but for what has ended, where it
/// says how.
pub(crate) fn post_status(post: &PostView) -> &'static str {
    let count = |status| post.targets.iter().filter(|target| target.status == status).count();
    let all = post.targets.len();
    let (failed, skipped) = (count(TargetStatus::Failed), count(TargetStatus::Skipped));
    match post.status {
        PostStatus::Done if failed == all => "failed",
        PostStatus::Done if failed > 0 => "partly failed",
        PostStatus::Done if skipped == all => "taken down",
        PostStatus::Done if post.targets.iter().any(is_taken_down) => "partly taken down",
        PostStatus::Done => "published",
        PostStatus::Scheduled if waits(post.approval_state) => WAITS,
        PostStatus::Draft if post.issues.as_ref().is_some_and(|issues| has_errors(issues)) => {
            "unfinished draft"
        }
        status => status.as_str(),
    }
}

fn has_errors(issues: &[ValidationIssue]) -> bool {
    issues.iter().any(|issue| issue.severity == Severity::Error)
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

/// An instant for people, in the zone of whoever sits at the terminal.
pub(crate) fn instant(at: DateTime<Utc>) -> String {
    Reader::here().show(at)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A post with targets of these states, each with whether it was live.
    fn post(status: &str, targets: &[(&str, bool)]) -> PostView {
        let targets = targets.iter().enumerate().map(|(number, (status, was_live))| {
            json!({
                "id": format!("01890a5d-ac96-774b-bcce-b302099a80{number:02}"),
                "platform": "bluesky", "accountId": "01890a5d-ac96-774b-bcce-b302099a8057",
                "status": status, "attempts": 1, "nextAttemptAt": null, "remoteId": null,
                "remoteUrl": "https://bsky.example/1", "error": null, "errorCode": null,
                "errorPermanent": false, "canEditRemote": false, "canDeleteRemote": false,
                "metrics": null, "publishedAt": was_live.then_some("2026-12-01T09:00:00Z"), "options": {},
            })
        });
        let post = json!({
            "id": "01890a5d-ac96-774b-bcce-b302099a8057", "status": status, "content": "Hi",
            "linkUrl": null, "mediaIds": [], "altTexts": [], "scheduledAt": null,
            "createdAt": "2026-12-01T08:00:00Z", "updatedAt": "2026-12-01T08:00:00Z",
            "targets": targets.collect::<Vec<_>>(), "approvalState": null,
        });
        serde_json::from_value(post).unwrap()
    }

    #[test]
    fn how_a_post_stands_in_words() {
        let (live, failed, down) = (("published", true), ("failed", false), ("skipped", true));
        let skipped = ("skipped", false);
        for (name, status, targets, want) in [
            ("a draft", "draft", &[("pending", false)][..], "draft"),
            ("live", "done", &[live, live], "published"),
            ("nothing went out", "done", &[failed, failed], "failed"),
            ("one failed", "done", &[live, failed], "partly failed"),
            ("all taken down", "done", &[down, down], "taken down"),
            ("one taken down", "done", &[live, down], "partly taken down"),
            ("one left out", "done", &[live, skipped], "published"),
            ("cancelled", "canceled", &[skipped], "canceled"),
            ("due", "scheduled", &[("pending", false)], "scheduled"),
        ] {
            assert_eq!(post_status(&post(status, targets)), want, "{name}");
        }
        let mut waiting = post("scheduled", &[("pending", false)]);
        waiting.approval_state = Some(ApprovalState::Pending);
        assert_eq!(post_status(&waiting), "waits for approval");
        let word = target_word(&waiting.targets[0], waiting.approval_state);
        assert_eq!(word, "waits for approval");
        for (target, words, link) in
            [(live, "published", true), (down, "taken down", false), (skipped, "skipped", true)]
        {
            let post = post("done", &[target]);
            let [target] = &post.targets[..] else { panic!("one") };
            assert_eq!(
                (target_status(target).as_str(), live_link(target).is_some()),
                (words, link)
            );
        }
    }
}
