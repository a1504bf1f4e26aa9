//! Delivering one event to one webhook.

use chrono::{DateTime, Utc};

use super::{Impossible, RunError, RunEvent, RunObserver, RunOutcome};
use crate::app::Scheduler;
use crate::ports::{Claim, DeliveryContext, Recorded, Response, WorkAfter};
use crate::retry::Jitter;
use crate::webhook::{DeliveryAttempt, DeliveryStatus, signed};

/// The answer by which a receiver wants no more.
///
/// Source: Standard Webhooks, "Operational considerations": 410 Gone disables the endpoint.
const GONE: u16 = 410;

impl Scheduler {
    pub(super) async fn deliver(
        &self,
        claim: &Claim,
        observer: &dyn RunObserver,
    ) -> Result<RunOutcome, RunError> {
        let store = &self.ports().store;
        let Some(context) = store.delivery_context(claim).await? else {
            return Ok(RunOutcome::Lost);
        };
        if context.delivery.status != DeliveryStatus::Pending {
            return Err(Impossible::Delivery(context.delivery.status).into());
        }
        let Some(secret) = context.webhook.secret.expose() else {
            // The store has said so in the log; an operator may still find the key that sealed it.
            return Ok(match self.leave_unreadable(claim).await? {
                Recorded::Stored => RunOutcome::DeliveryDeferred,
                Recorded::Lost => RunOutcome::Lost,
            });
        };
        if context.webhook.disabled_at.is_some() {
            return self.give_up(claim, context).await;
        }
        observer.on_event(RunEvent::Delivery {
            event_id: context.event.id,
            webhook_id: context.webhook.id,
            attempt: context.delivery.attempts + 1,
        });
        let sent_at = self.ports().clock.now();
        let event = &context.event;
        let named = (event.id, event.kind.as_str());
        let request = signed(&context.webhook, secret, named, &event.body, sent_at);
        let answer = self.ports().sender.send(&request).await.map_err(|error| error.to_string());

        let mut delivery = context.delivery;
        delivery.attempts += 1;
        let is_acknowledged =
            answer.as_ref().is_ok_and(|response| (200..300).contains(&response.status));
        let now = self.ports().clock.now();
        let status = answer.as_ref().ok().map(|response| response.status);
        observer.on_event(RunEvent::Answered { status, took: now - sent_at });
        let is_gone = status == Some(GONE);
        let wait = self.settings().waits.after_delivery(delivery.attempts, self.jitter());
        let wait = wait.filter(|_| !is_gone);
        let (status, after, ran) = match (is_acknowledged, wait) {
            (true, _) => (DeliveryStatus::Delivered, WorkAfter::Done, RunOutcome::Delivered),
            (false, Some(wait)) => {
                observer.on_event(RunEvent::Again { at: now + wait });
                (
                    DeliveryStatus::Pending,
                    WorkAfter::DueAt(now + wait),
                    RunOutcome::DeliveryDeferred,
                )
            }
            (false, None) => (DeliveryStatus::Failed, WorkAfter::Done, RunOutcome::DeliveryFailed),
        };
        delivery.status = status;
        let attempt = logged(answer, sent_at);
        if store.record_delivery(claim, &delivery, &attempt, after).await? == Recorded::Lost {
            return Ok(RunOutcome::Lost);
        }
        if is_gone {
            // Should this be lost, the next delivery is answered the same.
            let webhook = &context.webhook;
            store.set_webhook_disabled(webhook.workspace_id, webhook.id, Some(now)).await?;
        }
        Ok(ran)
    }

    /// Ends a delivery to a webhook that is disabled.
    async fn give_up(
        &self,
        claim: &Claim,
        context: DeliveryContext,
    ) -> Result<RunOutcome, RunError> {
        let mut delivery = context.delivery;
        delivery.status = DeliveryStatus::Failed;
        let attempt = DeliveryAttempt {
            at: self.ports().clock.now(),
            status: None,
            answer: "Not sent: the webhook is disabled, since its receiver has answered 410. A test that is acknowledged turns it on again.".to_owned(),
        };
        let store = &self.ports().store;
        match store.record_delivery(claim, &delivery, &attempt, WorkAfter::Done).await? {
            Recorded::Stored => Ok(RunOutcome::DeliveryFailed),
            Recorded::Lost => Ok(RunOutcome::Lost),
        }
    }

    pub(super) fn jitter(&self) -> Jitter {
        let [first, second, third, fourth, ..] = self.ports().random.bytes();
        Jitter::from_random(u32::from_be_bytes([first, second, third, fourth]))
    }
}

fn logged(answer: Result<Response, String>, at: DateTime<Utc>) -> DeliveryAttempt {
    match answer {
        Ok(response) => {
            DeliveryAttempt { at, status: Some(response.status), answer: response.body_start }
        }
        Err(error) => DeliveryAttempt { at, status: None, answer: error },
    }
}
