//! Delivering one event to one webhook.

use chrono::{DateTime, Utc};

use super::{Impossible, RunError, RunEvent, RunObserver, RunOutcome};
use crate::app::Scheduler;
use crate::ports::{Claim, DeliveryContext, Recorded, Request, Response, WorkAfter};
use crate::retry::Jitter;
use crate::signing::{
    EVENT_HEADER, ID_HEADER, SIGNATURE_HEADER, SIGNATURE_V2_HEADER, TIMESTAMP_HEADER, sign, sign_v2,
};
use crate::webhook::{DeliveryAttempt, DeliveryStatus};

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
        observer.on_event(RunEvent::Delivery {
            event_id: context.event.id,
            webhook_id: context.webhook.id,
            attempt: context.delivery.attempts + 1,
        });
        let sent_at = self.ports().clock.now();
        let request = signed(&context, secret, sent_at);
        let answer = self.ports().sender.send(&request).await.map_err(|error| error.to_string());

        let mut delivery = context.delivery;
        delivery.attempts += 1;
        let is_acknowledged =
            answer.as_ref().is_ok_and(|response| (200..300).contains(&response.status));
        let now = self.ports().clock.now();
        let status = answer.as_ref().ok().map(|response| response.status);
        observer.on_event(RunEvent::Answered { status, took: now - sent_at });
        let wait = self.settings().waits.after_delivery(delivery.attempts, self.jitter());
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
        match store.record_delivery(claim, &delivery, &attempt, after).await? {
            Recorded::Stored => Ok(ran),
            Recorded::Lost => Ok(RunOutcome::Lost),
        }
    }

    pub(super) fn jitter(&self) -> Jitter {
        let [first, second, third, fourth, ..] = self.ports().random.bytes();
        Jitter::from_random(u32::from_be_bytes([first, second, third, fourth]))
    }
}

fn signed(context: &DeliveryContext, secret: &str, at: DateTime<Utc>) -> Request {
    let event = &context.event;
    let body = event.body.as_bytes();
    Request {
        url: context.webhook.url.clone(),
        headers: vec![
            (EVENT_HEADER, event.kind.as_str().to_owned()),
            (ID_HEADER, event.id.to_string()),
            (TIMESTAMP_HEADER, at.timestamp().to_string()),
            (SIGNATURE_V2_HEADER, sign_v2(secret, at, body)),
            (SIGNATURE_HEADER, sign(secret, body)),
        ],
        body: event.body.clone(),
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
