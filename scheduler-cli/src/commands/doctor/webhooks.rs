//! Whether events reach the receivers that have subscribed to them.

use scheduler_core::ports::DeliveryRecord;
use scheduler_core::webhook::{DeliveryStatus, Webhook};
use scheduler_networks::outbound::Guard;
use url::Url;

use super::finding::{Finding, Id};
use super::subject::Subject;

/// Attempts in a row without a delivery from which on a receiver is told of. Source: our
/// decision; a restart of a receiver costs one or two.
const FAILURES: usize = 3;

/// Looks at the address and at the latest deliveries of each webhook.
pub(super) async fn check(subject: &Subject) -> Result<Vec<Finding>, Finding> {
    let stored = subject.stored("they", "there is none yet")?;
    let networks = subject.settings.networks.as_ref();
    let guard = Guard::new(networks.is_some_and(|networks| networks.webhooks_allow_private));
    let (mut count, mut findings) = (0, Vec::new());
    for held in &stored.workspaces {
        count += held.webhooks.len();
        for webhook in &held.webhooks {
            let own: Vec<&DeliveryRecord> = held
                .deliveries
                .iter()
                .filter(|record| record.delivery.webhook_id == webhook.id)
                .collect();
            findings.extend(of_address(webhook, &guard).or_else(|| of_deliveries(webhook, &own)));
        }
    }
    if findings.is_empty() {
        findings.push(Finding::ok(match count {
            0 => "there is none".to_owned(),
            1 => "events reach its receiver".to_owned(),
            _ => format!("events reach the receivers of all {count}"),
        }));
    }
    Ok(findings)
}

/// Scheme and host alone: the path of a receiver may be its secret.
fn shown(webhook: &Webhook) -> String {
    let origin = Url::parse(&webhook.url).map(|url| url.origin().ascii_serialization());
    format!("{} at {}", webhook.id, origin.unwrap_or_default())
}

fn of_address(webhook: &Webhook, guard: &Guard) -> Option<Finding> {
    let refusal = guard.parse(&webhook.url).err()?;
    Some(Finding::problem(
        Id::WebhookRefused,
        format!("{}: nothing is sent there, since {refusal}", shown(webhook)),
        "give the receiver a public https address and add it anew by `scheduler webhooks add`; for \
         development alone, set SCHEDULER_WEBHOOKS_ALLOW_PRIVATE=true",
    ))
}

/// `deliveries` are its latest, newest first.
fn of_deliveries(webhook: &Webhook, deliveries: &[&DeliveryRecord]) -> Option<Finding> {
    let tried = deliveries.iter().filter(|record| !record.attempts.is_empty());
    let failing: Vec<&&DeliveryRecord> =
        tried.take_while(|record| record.delivery.status != DeliveryStatus::Delivered).collect();
    let attempts: usize = failing.iter().map(|record| record.attempts.len()).sum();
    let given_up =
        failing.iter().filter(|record| record.delivery.status == DeliveryStatus::Failed).count();
    let last = failing.iter().flat_map(|record| &record.attempts).max_by_key(|attempt| attempt.at);
    let answer = match last.map(|attempt| attempt.status) {
        Some(Some(status)) => format!("the last was answered with {status}"),
        Some(None) | None => "the last got no answer".to_owned(),
    };
    let receiver = "see that the receiver runs and answers with 2xx within seconds; `scheduler \
                    deliveries list` shows its answers";
    if given_up > 0 {
        return Some(Finding::problem(
            Id::WebhookGivenUp,
            format!("{}: events given up: {given_up}; {answer}", shown(webhook)),
            format!("{receiver}, `scheduler deliveries redeliver` sends them again"),
        ));
    }
    (attempts >= FAILURES).then(|| {
        Finding::warning(
            Id::WebhookFailing,
            format!("{}: {attempts} attempts in a row have failed; {answer}", shown(webhook)),
            receiver,
        )
    })
}
