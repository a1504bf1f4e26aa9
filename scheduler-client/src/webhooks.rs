//! Who is told what becomes of posts.

use http::Method;
use scheduler_core::app::WebhookInput;
use scheduler_core::ids::WebhookId;
use scheduler_core::webhook::{WebhookTest, WebhookView};
use serde_json::json;

use crate::call::Call;
use crate::client::Client;
use crate::error::Error;

impl Client {
    /// The webhooks, without their secrets, oldest first.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn webhooks(&self) -> Result<Vec<WebhookView>, Error> {
        self.repeat(Call::get("/workspace/webhooks")).await?.data()
    }

    /// Subscribes to events; the answer has the secret, which is shown this once. So it has no
    /// idempotency key: a repeat would bring the webhook without its secret. Where the answer was
    /// lost, delete the webhook of the address and subscribe again.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn create_webhook(&self, webhook: &WebhookInput) -> Result<WebhookView, Error> {
        let body = json!(webhook);
        self.repeat(Call::post("/workspace/webhooks", &body)).await?.read()
    }

    /// Ends a subscription.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn delete_webhook(&self, id: WebhookId) -> Result<(), Error> {
        let path = format!("/workspace/webhooks/{id}");
        self.repeat(Call::new(Method::DELETE, &path)).await.map(drop)
    }

    /// Has `webhook.test` sent once, and tells what the receiver has answered.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn test_webhook(&self, id: WebhookId) -> Result<WebhookTest, Error> {
        let path = format!("/workspace/webhooks/{id}/test");
        self.repeat(Call::new(Method::POST, &path)).await?.read()
    }
}
