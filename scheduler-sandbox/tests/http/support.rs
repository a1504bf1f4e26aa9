//! A running sandbox and short ways to call it.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, Response};
use scheduler_sandbox::{Options, Sandbox};
use serde_json::{Value, json};

/// A sandbox of one test and a client for it.
pub(crate) struct World {
    pub(crate) sandbox: Sandbox,
    pub(crate) client: Client,
}

/// An answer read to its end.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Value,
    pub(crate) text: String,
}

impl Got {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns a member as text, empty when there is none.
    pub(crate) fn text_of(&self, name: &str) -> String {
        self.body[name].as_str().unwrap_or_default().to_owned()
    }
}

impl World {
    pub(crate) async fn start(options: Options) -> Self {
        // A second installation in the same process is refused, which is no harm.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let sandbox = Sandbox::start(listen, options).await.unwrap();
        let client = Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(20))
            .build()
            .unwrap();
        Self { sandbox, client }
    }

    pub(crate) async fn default() -> Self {
        Self::start(Options::default()).await
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.sandbox.url()))
    }

    pub(crate) async fn get(&self, path: &str) -> Got {
        send(self.request(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Got {
        send(self.request(Method::POST, path).json(body)).await
    }

    pub(crate) async fn account(&self, platform: &str, name: &str) -> Value {
        let body = json!({"platform": platform, "name": name});
        let got = self.post("/_sandbox/accounts", &body).await;
        assert_eq!(got.status, 201, "{got:?}");
        got.body
    }

    pub(crate) async fn arm(&self, fault: Value) {
        let got = self.post("/_sandbox/faults", &fault).await;
        assert_eq!(got.status, 201, "{got:?}");
    }

    pub(crate) async fn posts(&self, platform: &str) -> Vec<Value> {
        let got = self.get(&format!("/_sandbox/posts?platform={platform}")).await;
        got.body["data"].as_array().unwrap().clone()
    }

    pub(crate) async fn requests(&self) -> Vec<Value> {
        self.get("/_sandbox/requests").await.body["data"].as_array().unwrap().clone()
    }
}

pub(crate) async fn send(request: RequestBuilder) -> Got {
    read(request.send().await.unwrap()).await
}

async fn read(response: Response) -> Got {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let text = response.text().await.unwrap();
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    Got { status, headers, body, text }
}

/// Returns a small picture whose bytes differ by `seed`.
pub(crate) fn png(seed: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x30\x08\x02\0\0\0".to_vec();
    bytes.push(seed);
    bytes
}
