//! Webhook subscriptions and their deliveries.

use serde::{Deserialize, Serialize};

use crate::error::{AppError, Invalid, NotFound, Refusal, RefusalKind, Resource};
use crate::idempotency::{IdempotencyKey, KeyScope, KeyUse, Made};
use crate::ids::{DeliveryId, EventId, WebhookId, WorkspaceId};
use crate::key::{Scope, WebhookSecret};
use crate::ports::{AddOutcome, DeliveryRecord, RedeliverOutcome};
use crate::post::check_characters;
use crate::webhook::{
    DeliveryStatus, EventKind, TEST_EVENT, URL_MAX_BYTES, WEBHOOKS_MAX, Webhook, WebhookTest,
    WebhookView, signed, test_body,
};

use super::posts::too_busy;
use super::{Caller, Scheduler};

/// The body of a new webhook.
///
/// Source: interface description, POST /workspace/webhooks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WebhookInput {
    /// Where events go: https, and a public address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(required, !default, !skip_serializing_if, url, length(max = URL_MAX_BYTES)))]
    pub url: Option<String>,
    /// Which kinds; `post.published` and `post.failed` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub events: Option<Vec<EventKind>>,
}

/// Checks the characters and the length of an address.
pub(super) fn check_url(field: &str, url: &str) -> Result<(), Refusal> {
    check_characters(field, url)?;
    let length = url.len();
    if length > URL_MAX_BYTES {
        let problem = Invalid::TooLong {
            what: field.to_owned(),
            found: length,
            unit: "bytes",
            most: URL_MAX_BYTES,
            advice: "; send a shorter address",
        };
        return Err(Refusal::invalid(field, problem));
    }
    Ok(())
}

impl Scheduler {
    /// The webhooks of the caller's workspace, without secrets, oldest first.
    ///
    /// # Errors
    /// `forbidden` without `webhooks:read`.
    pub async fn webhooks(&self, caller: &Caller) -> Result<Vec<WebhookView>, AppError> {
        caller.require(Scope::WebhooksRead)?;
        let webhooks = self.store().webhooks(caller.workspace.id).await?;
        Ok(webhooks.iter().map(WebhookView::from).collect())
    }

    /// The webhook that was created under an Idempotency-Key before, without its secret.
    ///
    /// # Errors
    /// `forbidden` without `webhooks:write`.
    pub async fn earlier_webhook(
        &self,
        caller: &Caller,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<Made<WebhookView>>, AppError> {
        caller.require(Scope::WebhooksWrite)?;
        let Some(key) = key else { return Ok(None) };
        let Some(first) = self.earlier_use(caller, &KeyScope::webhooks(), key).await? else {
            return Ok(None);
        };
        let webhooks = self.store().webhooks(caller.workspace.id).await?;
        let found = webhooks.iter().find(|webhook| webhook.id.0 == first.id);
        Ok(found.map(|webhook| Made::before(webhook.into(), &first.key, key)))
    }

    /// Creates a webhook; the answer holds its secret, this once.
    ///
    /// ```
    /// # use futures_util::FutureExt as _;
    /// # use std::sync::Arc;
    /// # use scheduler_core::app::{Scheduler, Settings};
    /// # use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
    /// # use scheduler_core::platform::Platform;
    /// # use scheduler_core::ports::{ConnectInput, Networks};
    /// # use serde_json::json;
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// # let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    /// # let mut ports = test_ports(clock.clone());
    /// # ports.networks = Networks::default().with(Platform::Bluesky, Arc::new(MemoryNetwork::new()));
    /// # let scheduler = Scheduler::new(ports, Settings::default());
    /// # let first = scheduler.first_start().await?.ok_or("the store is not new")?;
    /// # let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    /// # scheduler.connect_account(&caller.workspace, Platform::Bluesky, &ConnectInput::default()).await?;
    /// use scheduler_core::app::WebhookInput;
    ///
    /// // A sender that refuses every address says so when a webhook is made.
    /// let wanted = WebhookInput { url: Some("https://a.example/events".to_owned()), events: None };
    /// let refused = scheduler.create_webhook(&caller, wanted, None).await.unwrap_err();
    /// assert_eq!(refused.to_string(), "No events are sent here.");
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// `forbidden` without `webhooks:write`; `api_not_on_plan`; `invalid_request` naming `url`
    /// when it is missing, longer than [`URL_MAX_BYTES`], not https or not public, or when the
    /// workspace has [`WEBHOOKS_MAX`] webhooks, or `events` when it is empty.
    pub async fn create_webhook(
        &self,
        caller: &Caller,
        input: WebhookInput,
        key: Option<&IdempotencyKey>,
    ) -> Result<Made<WebhookView>, AppError> {
        if let Some(earlier) = self.earlier_webhook(caller, key).await? {
            return Ok(earlier);
        }
        let plans = &self.settings.plans;
        if !plans.of(caller.plan()).api {
            return Err(plans.api_not_on_plan(caller.plan()).into());
        }
        let url = input.url.ok_or_else(|| Refusal::invalid("url", Invalid::Required("url")))?;
        check_url("url", &url)?;
        self.ports
            .sender
            .check_address(&url)
            .map_err(|message| Refusal::invalid("url", message))?;
        let events =
            EventKind::distinct(input.events.unwrap_or_else(|| EventKind::UNNAMED.to_vec()));
        if events.is_empty() {
            return Err(Refusal::invalid(
                "events",
                format!(
                    "events is empty; send some of {}, or leave it out for the first two.",
                    EventKind::ALL.map(EventKind::as_str).join(", ")
                ),
            )
            .into());
        }
        let now = self.ports.clock.now();
        let webhook = Webhook {
            id: WebhookId(self.ports.ids.next(now)),
            workspace_id: caller.workspace.id,
            url,
            events,
            secret: WebhookSecret::from_random(self.ports.random.bytes()),
            created_at: now,
            disabled_at: None,
        };
        let key_use = key.map(|key| {
            KeyUse::kept(caller.workspace.id, KeyScope::webhooks(), key.clone(), webhook.id.0)
        });
        match self.store().create_webhook(&webhook, WEBHOOKS_MAX, key_use.as_ref()).await? {
            AddOutcome::Stored => {}
            AddOutcome::Existing(_) => {
                let earlier = self.earlier_webhook(caller, key).await?;
                return Ok(earlier.ok_or_else(too_busy)?);
            }
            AddOutcome::LimitReached => {
                return Err(Refusal::invalid(
                    "url",
                    format!(
                        "This workspace has {WEBHOOKS_MAX} webhooks, which is the limit; remove \
                         one before you add another."
                    ),
                )
                .into());
            }
        }
        Ok(Made::new(WebhookView {
            secret: webhook.secret.expose().map(str::to_owned),
            ..WebhookView::from(&webhook)
        }))
    }

    /// Sends the event [`TEST_EVENT`] once, and says what the receiver made of it. A webhook that
    /// was disabled is turned on again when it is acknowledged.
    ///
    /// # Errors
    /// `forbidden` without `webhooks:write`; `not_found`.
    pub async fn test_webhook(
        &self,
        caller: &Caller,
        id: WebhookId,
    ) -> Result<WebhookTest, AppError> {
        caller.require(Scope::WebhooksWrite)?;
        let webhooks = self.store().webhooks(caller.workspace.id).await?;
        let webhook = webhooks.into_iter().find(|webhook| webhook.id == id);
        let webhook = webhook.ok_or_else(|| Refusal::not_found(Resource::Webhook))?;
        let Some(secret) = webhook.secret.expose() else {
            let answer =
                "Not sent: the secret of the webhook is lost. Remove it, and create another.";
            return Ok(WebhookTest { status: None, ms: 0, answer: answer.to_owned() });
        };
        let sent_at = self.ports.clock.now();
        let event = EventId(self.ports.ids.next(sent_at));
        let body = test_body(event, id, sent_at);
        let request = signed(&webhook, secret, (event, TEST_EVENT), &body, sent_at);
        let answer = self.ports.sender.send(&request).await;
        let took = self.ports.clock.now() - sent_at;
        let ms = u64::try_from(took.num_milliseconds()).unwrap_or_default();
        let test = match answer {
            Ok(response) => {
                WebhookTest { status: Some(response.status), ms, answer: response.body_start }
            }
            Err(error) => WebhookTest { status: None, ms, answer: error.to_string() },
        };
        if test.is_acknowledged() && webhook.disabled_at.is_some() {
            self.store().set_webhook_disabled(webhook.workspace_id, id, None).await?;
        }
        Ok(test)
    }

    /// Removes a webhook; what was not delivered to it yet is given up.
    ///
    /// # Errors
    /// `forbidden` without `webhooks:write`; `not_found`.
    pub async fn remove_webhook(&self, caller: &Caller, id: WebhookId) -> Result<(), AppError> {
        caller.require(Scope::WebhooksWrite)?;
        if self.store().remove_webhook(caller.workspace.id, id).await? {
            Ok(())
        } else {
            Err(Refusal::not_found(Resource::Webhook).into())
        }
    }

    /// The latest deliveries of a workspace, or those of one status, newest first.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn deliveries(
        &self,
        workspace: WorkspaceId,
        status: Option<DeliveryStatus>,
        limit: u32,
    ) -> Result<Vec<DeliveryRecord>, AppError> {
        Ok(self.store().deliveries(workspace, status, limit).await?)
    }

    /// Sends an event once more: the same id and body, due now, with five retries ahead.
    ///
    /// # Errors
    /// `not_found` for a delivery of another workspace, and when its webhook was removed;
    /// `in_flight` while it is being sent.
    pub async fn redeliver(
        &self,
        workspace: WorkspaceId,
        id: DeliveryId,
    ) -> Result<DeliveryRecord, AppError> {
        match self.store().redeliver(workspace, id, self.ports.clock.now()).await? {
            RedeliverOutcome::Due(record) => {
                self.ports.wake.wake();
                Ok(record)
            }
            RedeliverOutcome::InFlight => Err(RefusalKind::DeliveryInFlight.into()),
            RedeliverOutcome::Missing => Err(NotFound::Delivery.into()),
        }
    }
}
