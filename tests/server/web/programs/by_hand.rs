//! A program and its person, request by request, so that each can be another than it should be.

use http::header::{ACCEPT, COOKIE, LOCATION};
use reqwest::{RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use url::Url;

use super::super::Site;
use super::super::doors::signed_in;
use super::describing::{BACK, Describing};
use crate::support::{client, client_of_forms};

/// The example of RFC 7636, appendix B; `describing` has its challenge.
pub(super) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// What an agent may do, as a person ticks it.
pub(super) const AGENT: [&str; 4] = ["posts:read", "posts:write", "media:read", "media:write"];

/// A server, a program, and somebody who is signed in.
pub(super) struct Person {
    pub(super) site: Site,
    pub(super) program: Describing,
    pub(super) cookie: String,
}

impl Person {
    /// An editor of a server that lets programs of its own network describe themselves.
    pub(super) async fn start() -> Self {
        Self::start_with(&[("SCHEDULER_OAUTH_ALLOW_PRIVATE", "true")]).await
    }

    pub(super) async fn start_with(variables: &[(&str, &str)]) -> Self {
        let program = Describing::start().await;
        let authority = program.authority();
        let site = Site::start_with(&[variables, &[("SSL_CERT_FILE", &authority)]].concat()).await;
        let cookie = signed_in(&site, "editor").await;
        Self { site, program, cookie }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.site.service.url)
    }

    /// The address of the tools, which is what tokens are for.
    pub(super) fn resource(&self) -> String {
        self.url("/mcp")
    }

    /// What the program has the browser bring, as a query.
    pub(super) fn wish(&self) -> String {
        self.program.wish(&self.site)
    }

    /// Opens an address with the browser that is signed in.
    pub(super) async fn open(&self, address: &str) -> Response {
        client_of_forms().get(address).header(COOKIE, &self.cookie).send().await.unwrap()
    }

    /// The form of the page that asks, as the browser sends it.
    pub(super) fn answering(&self, wish: &str, scopes: &[&str]) -> RequestBuilder {
        let address = self.site.at(&format!("programs/{}", self.program.host()));
        let mut form = vec![("request", wish)];
        form.extend(scopes.iter().map(|scope| ("scope", *scope)));
        client_of_forms().post(address).header(COOKIE, &self.cookie).form(&form)
    }

    /// The code that comes of it when the person says yes.
    pub(super) async fn code(&self, scopes: &[&str]) -> String {
        let answer = self.answering(&self.wish(), scopes).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        let back = Url::parse(answer.headers()[LOCATION].to_str().unwrap()).unwrap();
        assert!(back.as_str().starts_with(BACK), "{back}");
        let said = |name: &str| {
            back.query_pairs().find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
        };
        assert_eq!(said("state").as_deref(), Some("its state"));
        assert_eq!(said("iss"), Some(self.resource()));
        said("code").unwrap()
    }

    /// Shows a form to the token endpoint: the status, and what is said.
    pub(super) async fn exchange(&self, form: &[(&str, &str)]) -> (u16, Value) {
        let answer = client().post(self.url("/mcp/token")).form(form).send().await.unwrap();
        assert_eq!(answer.headers()["cache-control"], "no-store");
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap())
    }

    /// What the form for a code holds, with one field as somebody else would have it.
    pub(super) async fn with_code(&self, code: &str, other: Option<(&str, &str)>) -> (u16, Value) {
        let (id, resource) = (self.program.id(), self.resource());
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", BACK),
            ("client_id", &id),
            ("code_verifier", VERIFIER),
            ("resource", &resource),
        ];
        if let Some((name, value)) = other {
            form.retain(|(found, _)| *found != name);
            form.push((name, value));
        }
        self.exchange(&form).await
    }

    pub(super) async fn with_refresh(&self, token: &str) -> (u16, Value) {
        let id = self.program.id();
        let form = [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", &id)];
        self.exchange(&form).await
    }

    /// The tokens of what the person grants.
    pub(super) async fn connected(&self, scopes: &[&str]) -> Value {
        let code = self.code(scopes).await;
        let (status, tokens) = self.with_code(&code, None).await;
        assert_eq!(status, 200, "{tokens}");
        tokens
    }

    /// Calls a tool with a token.
    pub(super) async fn call(&self, token: &Value, tool: &str) -> Response {
        let body = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": {}},
        });
        let request = client().post(self.resource()).bearer_auth(token.as_str().unwrap());
        let request = request.header(ACCEPT, "application/json, text/event-stream");
        request.json(&body).send().await.unwrap()
    }
}
