//! What the page of a post says of a target that failed: what happened, what to do, and the button
//! for it.

use chrono::{DateTime, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::post::TargetView;
use scheduler_core::target::{FailureCode, TargetStatus};
use scheduler_core::timing::Zone;

use crate::mark;
use crate::when;

/// A failure, as people are told it.
pub(super) struct Failure {
    /// What happened, in a sentence.
    pub(super) what: String,
    /// What to do about it, in a sentence.
    pub(super) advice: &'static str,
    pub(super) remedy: Remedy,
    /// What the network said, where the sentences are ours.
    pub(super) raw: Option<String>,
}

/// The first button beside a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Connects the account again.
    Connect,
    /// A draft for the account alone, in which it is changed; the button says this.
    Change(&'static str),
    /// Tries it again.
    Retry,
    /// Nothing needs to be done: it is tried again by itself.
    Wait,
    /// What the plan allows.
    Settings,
    /// Looking whether it is live; the address of the account where it is known.
    Look(Option<String>),
}

impl Failure {
    /// The failure of a target; `None` where it has none, as one that waits for its client.
    pub(super) fn of(
        target: &TargetView,
        account: Option<&AccountView>,
        zone: Zone,
    ) -> Option<Self> {
        let code = target.error_code?;
        let network = target.platform.sheet().name;
        let name = account.map_or_else(|| "the account".to_owned(), mark::name);
        let said = target.error.clone().unwrap_or_default();
        let again = target.next_attempt_at.filter(|_| target.status == TargetStatus::Pending);
        let (what, advice, remedy) = match code {
            FailureCode::AccountNotConnected => (
                format!("{network} no longer accepts our access to {name}."),
                "Connect the account again, then retry.",
                Remedy::Connect,
            ),
            FailureCode::ChannelLimit => (
                format!("The plan covers fewer accounts, and {name} is beyond them."),
                "Change the plan, or disconnect another account; then retry.",
                Remedy::Settings,
            ),
            FailureCode::MediaUnusable => (
                "A file of this post was deleted, or is incomplete.".to_owned(),
                "Choose another file; the button makes a draft for this account alone.",
                Remedy::Change("Choose another file"),
            ),
            FailureCode::ValidationFailed => (
                said.clone(),
                "Change it; the button makes a draft for this account alone.",
                Remedy::Change("Fix it"),
            ),
            FailureCode::NotFound => (
                format!("{network} does not know what this post names."),
                "Name something else; the button makes a draft for this account alone.",
                Remedy::Change("Edit and retry"),
            ),
            FailureCode::RateLimited => (
                limited(network, again, target.attempts, zone),
                match again {
                    Some(_) => "Nothing needs to be done.",
                    None => "Retry when it takes posts again.",
                },
                if again.is_some() { Remedy::Wait } else { Remedy::Retry },
            ),
            FailureCode::NetworkError => (
                unreachable(network, target),
                match again {
                    Some(_) => "It is tried again by itself.",
                    None => "Retry when it answers again.",
                },
                Remedy::Retry,
            ),
            FailureCode::NetworkRefused => (
                format!("{network} refused it: {said}"),
                "Change what it refuses; the button makes a draft for this account alone.",
                Remedy::Change("Edit and retry"),
            ),
            FailureCode::Unsupported => (
                format!("{network} does not offer this."),
                "Send it without that; the button makes a draft for this account alone.",
                Remedy::Change("Send without it"),
            ),
            FailureCode::InDoubt => (
                format!("We do not know whether {network} took it: the answer was lost."),
                "Look at the account first; retrying could post it twice.",
                Remedy::Look(account.and_then(AccountView::profile)),
            ),
        };
        let remedy = if again.is_some() && remedy == Remedy::Retry { Remedy::Wait } else { remedy };
        let is_told = what.contains(&said);
        Some(Self { what, advice, remedy, raw: (!is_told).then_some(said) })
    }

    /// True when trying it as it is can help.
    pub(super) fn can_retry(&self) -> bool {
        !matches!(self.remedy, Remedy::Look(_) | Remedy::Wait)
    }
}

fn limited(network: &str, again: Option<DateTime<Utc>>, attempts: u32, zone: Zone) -> String {
    match again {
        Some(at) => {
            let at = when::instant(at, zone);
            format!("{network} takes no more from this account until {at}. It is tried again then.")
        }
        None => format!("{network} took no more from this account, {}.", times(attempts)),
    }
}

/// How long a network was not reached.
fn unreachable(network: &str, target: &TargetView) -> String {
    let failed = &target.failed_attempts;
    let span = failed.first().zip(failed.last()).map(|(first, last)| last.at - first.at);
    let within = span.filter(|span| span.num_minutes() > 0);
    let within = within.map_or_else(String::new, |span| format!(" in {}", when::length(span)));
    format!("{network} could not be reached, {}{within}.", times(target.attempts))
}

fn times(attempts: u32) -> String {
    match attempts {
        0 | 1 => "tried once".to_owned(),
        many => format!("tried {many} times"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn failed(code: FailureCode, more: &serde_json::Value) -> TargetView {
        let id = "00000000-0000-0000-0000-000000000001";
        let failed = |at: &str| json!({"at": at, "errorCode": code.as_str(), "error": "HTTP 503", "nextAttemptAt": null});
        let mut target = json!({
            "id": id, "platform": "bluesky", "accountId": id, "status": "failed",
            "remoteId": null, "remoteUrl": null, "publishedAt": null, "error": "HTTP 503 (req-1)",
            "errorCode": code.as_str(), "errorPermanent": false, "attempts": 6,
            "nextAttemptAt": null, "canEditRemote": false, "canDeleteRemote": false, "options": {},
            "metrics": null,
            "failedAttempts": [failed("2026-10-16T07:00:00Z"), failed("2026-10-16T11:21:00Z")],
        });
        target.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(target).unwrap()
    }

    fn told(code: FailureCode, more: &serde_json::Value) -> Failure {
        let account = json!({
            "id": "00000000-0000-0000-0000-000000000001", "platform": "bluesky",
            "username": "kiln.example", "displayName": null, "avatarUrl": null, "connection": null,
            "canDeleteRemote": true, "needsReconnect": false, "paused": false, "timezone": null,
        });
        let account: AccountView = serde_json::from_value(account).unwrap();
        Failure::of(&failed(code, more), Some(&account), Zone::UTC).unwrap()
    }

    /// Over every code that there is: a new one has no sentence until it is written here too.
    #[test]
    fn every_failure_says_what_happened_and_what_to_do() {
        for code in FailureCode::ALL {
            let Failure { what, advice, remedy, raw } = told(code, &json!({}));
            let (begins, button) = match code {
                FailureCode::AccountNotConnected => {
                    ("Bluesky no longer accepts our access to kiln.example.", Remedy::Connect)
                }
                FailureCode::ChannelLimit => ("The plan covers fewer accounts", Remedy::Settings),
                FailureCode::MediaUnusable => {
                    ("A file of this post was deleted", Remedy::Change("Choose another file"))
                }
                FailureCode::ValidationFailed => ("HTTP 503 (req-1)", Remedy::Change("Fix it")),
                FailureCode::NotFound => {
                    ("Bluesky does not know what", Remedy::Change("Edit and retry"))
                }
                FailureCode::RateLimited => ("Bluesky took no more", Remedy::Retry),
                FailureCode::NetworkError => {
                    ("Bluesky could not be reached, tried 6 times in 4 h.", Remedy::Retry)
                }
                FailureCode::NetworkRefused => {
                    ("Bluesky refused it: HTTP 503 (req-1)", Remedy::Change("Edit and retry"))
                }
                FailureCode::Unsupported => {
                    ("Bluesky does not offer this.", Remedy::Change("Send without it"))
                }
                FailureCode::InDoubt => {
                    let profile = "https://bsky.app/profile/kiln.example".to_owned();
                    ("We do not know whether Bluesky took it", Remedy::Look(Some(profile)))
                }
            };
            assert!(what.starts_with(begins), "{code:?}: {what}");
            assert_eq!(remedy, button, "{code:?}");
            assert!(advice.ends_with('.'), "{code:?}: {advice}");
            let all = format!("{what} {}", raw.unwrap_or_default());
            assert!(all.contains("HTTP 503 (req-1)"), "{code:?}: what was said is told");
            assert!(!all.to_lowercase().contains("unknown error"), "{code:?}");
        }
    }

    #[test]
    fn what_is_tried_again_needs_nothing() {
        let waits = json!({"status": "pending", "nextAttemptAt": "2026-10-16T18:00:00Z"});
        for (code, want) in [
            (FailureCode::RateLimited, "until Fri 16 Oct 2026, 18:00. It is tried again then."),
            (FailureCode::NetworkError, "could not be reached"),
        ] {
            let failure = told(code, &waits);
            assert!(failure.what.contains(want), "{}", failure.what);
            assert_eq!(failure.remedy, Remedy::Wait, "{code:?}");
            assert!(!failure.can_retry());
        }
    }
}
