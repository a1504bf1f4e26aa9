//! A client that sends exactly what it is told.

use std::net::SocketAddr;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// Sends requests, each on a connection of its own.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    headers: HeaderMap,
}

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.to_vec()).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Status, code and field of a refusal.
    pub(crate) fn refusal(&self) -> (u16, String, Option<String>) {
        let error = self.json()["error"].clone();
        let field = error["field"].as_str().map(str::to_owned);
        (self.status.as_u16(), error["code"].as_str().unwrap_or_default().to_owned(), field)
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr, key: &str) -> Self {
        Self { address, headers: HeaderMap::new() }.with("authorization", &format!("Bearer {key}"))
    }

    /// The same client with a header more, or another value of it.
    pub(crate) fn with(&self, name: &str, value: &str) -> Self {
        let mut client = self.clone();
        let name: HeaderName = name.parse().unwrap();
        client.headers.insert(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        client
    }

    pub(crate) fn without(&self, name: &str) -> Self {
        let mut client = self.clone();
        client.headers.remove(name);
        client
    }

    pub(crate) fn keyed(&self, key: &str) -> Self {
        self.with("authorization", &format!("Bearer {key}"))
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.json(Method::POST, path, body).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.json(Method::PATCH, path, body).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, "").await
    }

    pub(crate) async fn json(&self, method: Method, path: &str, body: &Value) -> Answer {
        self.with("content-type", "application/json").send(method, path, &body.to_string()).await
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: &str) -> Answer {
        let full = Full::new(Bytes::copy_from_slice(body.as_bytes()));
        let answer = self.exchange(method.clone(), path, full).await;
        self.check(&method, path, Some(body.as_bytes()), &answer);
        answer
    }

    pub(crate) async fn send_body<B>(&self, method: Method, path: &str, body: B) -> Answer
    where
        B: hyper::body::Body<Data = Bytes, Error = std::convert::Infallible> + Send + 'static,
    {
        let answer = self.exchange(method.clone(), path, body).await;
        self.check(&method, path, None, &answer);
        answer
    }

    /// Asks a server that is not the API, and that the OpenAPI document says nothing of.
    pub(crate) async fn get_elsewhere(&self, path: &str) -> Answer {
        self.exchange(Method::GET, path, Full::new(Bytes::new())).await
    }

    /// The same by another method.
    pub(crate) async fn send_elsewhere(&self, method: Method, path: &str) -> Answer {
        self.exchange(method, path, Full::new(Bytes::new())).await
    }

    /// Fails when the answer is not as the OpenAPI document says.
    fn check(&self, method: &Method, path: &str, sent: Option<&[u8]>, answer: &Answer) {
        let sent_header = |name: &str| {
            self.headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into())
        };
        crate::exchange::check(&crate::exchange::Exchange {
            method: method.as_str(),
            path,
            sent,
            sent_header: &sent_header,
            status: answer.status.as_u16(),
            header: &|name| answer.header(name).map(str::to_owned),
            body: &answer.body,
        });
    }

    async fn exchange<B>(&self, method: Method, path: &str, body: B) -> Answer
    where
        B: hyper::body::Body<Data = Bytes, Error = std::convert::Infallible> + Send + 'static,
    {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        let connection = tokio::spawn(connection);
        let mut request = Request::builder().method(method).uri(path).header("host", "test");
        request.headers_mut().unwrap().extend(self.headers.clone());
        let response = sender.send_request(request.body(body).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        drop(sender);
        connection.abort();
        Answer { status: parts.status, headers: parts.headers, body }
    }
}
