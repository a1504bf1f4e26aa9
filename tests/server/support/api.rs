//! The API as a caller uses it.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Value, json};

use super::exchange::{self, Exchange};
use super::wait_for;

/// A caller with a key.
#[derive(Clone)]
pub(crate) struct Api {
    base: String,
    key: String,
}

pub(crate) fn client() -> &'static Client {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    CLIENT.get_or_init(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
        // Every test has a runtime of its own, which a kept connection would not outlive.
        let client = Client::builder().no_proxy().pool_max_idle_per_host(0);
        // A body may wait for its turn for longer than the 30 seconds after which a client that
        // sends nothing gives up by itself.
        client.tcp_user_timeout(None::<Duration>).build().expect("a client")
    })
}

/// A client that tells where it is led, and does not go there.
pub(crate) fn client_of_forms() -> &'static Client {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    CLIENT.get_or_init(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().pool_max_idle_per_host(0);
        client.redirect(Policy::none()).build().expect("a client")
    })
}

impl Api {
    pub(crate) fn new(url: &str, key: &str) -> Self {
        Self { base: format!("{url}/v1"), key: key.to_owned() }
    }

    /// The same key at another address.
    pub(crate) fn at(&self, url: &str) -> Self {
        Self::new(url, &self.key)
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Response {
        let address = format!("{}{path}", self.base);
        let mut request = client().request(method.clone(), address).bearer_auth(&self.key);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.expect("the server answers");
        let (status, headers) = (response.status(), response.headers().clone());
        let answer = response.bytes().await.expect("a body");
        let sent = body.map(|body| body.to_string().into_bytes());
        exchange::check(&Exchange {
            method: method.as_str(),
            path: &format!("/v1{path}"),
            sent: sent.as_deref(),
            sent_header: &|name| key.filter(|_| name == "Idempotency-Key").map(str::to_owned),
            status: status.as_u16(),
            header: &|name| headers.get(name)?.to_str().ok().map(str::to_owned),
            body: &answer,
        });
        let mut whole = warp::http::Response::new(answer);
        *whole.status_mut() = status;
        *whole.headers_mut() = headers;
        whole.into()
    }

    /// Sends a request that is too large to be held against the description, or whose answer is.
    pub(crate) async fn send_large(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Response {
        let mut request =
            client().request(method, format!("{}{path}", self.base)).bearer_auth(&self.key);
        if let Some(body) = body {
            request = request.json(body);
        }
        request.send().await.expect("the server answers")
    }

    async fn expect(&self, status: StatusCode, response: Response) -> Value {
        let found = response.status();
        let text = response.text().await.expect("a body");
        assert_eq!(found, status, "{text}");
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    pub(crate) async fn create(&self, body: &Value) -> Value {
        let response = self.send(Method::POST, "/posts", None, Some(body)).await;
        self.expect(StatusCode::CREATED, response).await
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let response = self.send(Method::GET, path, None, None).await;
        self.expect(StatusCode::OK, response).await
    }

    pub(crate) async fn add_webhook(&self, url: &str) -> String {
        let body = json!({ "url": url });
        let response = self.send(Method::POST, "/workspace/webhooks", None, Some(&body)).await;
        let webhook = self.expect(StatusCode::CREATED, response).await;
        webhook["secret"].as_str().expect("the secret is shown once").to_owned()
    }

    /// Waits until every target of a post has ended.
    pub(crate) async fn ended(&self, id: &str) -> Value {
        wait_for("every target to end", async || {
            let post = self.get(&format!("/posts/{id}")).await;
            post_ended(&post).then_some(post)
        })
        .await
    }
}

/// True when nothing more happens to a post by itself.
pub(crate) fn post_ended(post: &Value) -> bool {
    matches!(post["status"].as_str(), Some("done" | "canceled"))
}
