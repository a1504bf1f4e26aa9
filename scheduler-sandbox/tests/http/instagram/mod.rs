//! The imitation of Instagram.

mod faults;
mod publishing;

use std::sync::{Arc, Mutex};

use reqwest::Method;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::support::{Got, World, send};

/// An account with its tokens.
pub(crate) struct Actor {
    pub(crate) id: String,
    /// Of Instagram's own login.
    pub(crate) direct: String,
    /// Of its Page.
    pub(crate) page: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("instagram", name).await;
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        let path = "/instagram/v26.0/me/accounts?fields=access_token";
        let pages = world.request(Method::GET, path).bearer_auth(text("accessToken"));
        let pages = send(pages).await.body;
        let page = pages["data"][0]["access_token"].as_str().unwrap().to_owned();
        Self { id: text("account"), direct: text("instagramToken"), page }
    }

    pub(crate) async fn call(
        &self,
        world: &World,
        method: Method,
        path: &str,
        form: &[(&str, &str)],
    ) -> Got {
        let path = format!("/instagram/v26.0{path}");
        let request = world.request(method, &path).bearer_auth(&self.direct);
        send(if form.is_empty() { request } else { request.form(form) }).await
    }

    pub(crate) async fn container(&self, world: &World, form: &[(&str, &str)]) -> Got {
        self.call(world, Method::POST, &format!("/{}/media", self.id), form).await
    }

    /// Asks for a container until the network is done with it.
    pub(crate) async fn settled(&self, world: &World, id: &str) -> Got {
        loop {
            let path = format!("/{id}?fields=status_code,status");
            let got = self.call(world, Method::GET, &path, &[]).await;
            if got.body["status_code"] != "IN_PROGRESS" {
                return got;
            }
            tokio::task::yield_now().await;
        }
    }

    pub(crate) async fn publish(&self, world: &World, id: &str) -> Got {
        let path = format!("/{}/media_publish", self.id);
        self.call(world, Method::POST, &path, &[("creation_id", id)]).await
    }
}

/// Serves one file under every path, and remembers what was asked for.
pub(crate) async fn serve(media_type: &str, bytes: Vec<u8>) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (heard, media_type) = (Arc::clone(&asked), media_type.to_owned());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = vec![0; 4096];
            let count = stream.read(&mut head).await.unwrap();
            let head = String::from_utf8_lossy(&head[..count]).into_owned();
            heard.lock().unwrap().push(head.lines().next().unwrap_or_default().to_owned());
            let answer = format!(
                "HTTP/1.0 200 OK\r\ncontent-type: {media_type}\r\ncontent-length: {}\r\n\r\n",
                bytes.len()
            );
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.write_all(&bytes).await.unwrap();
        }
    });
    (url, asked)
}

/// Returns a picture of a size.
pub(crate) fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08".to_vec();
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes
}

/// Returns the beginning of an MP4.
pub(crate) fn mp4() -> Vec<u8> {
    b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41".to_vec()
}

/// Returns code and subcode of an error.
pub(crate) fn code(body: &Value) -> (i64, i64) {
    let number = |name: &str| body["error"][name].as_i64().unwrap_or_default();
    (number("code"), number("error_subcode"))
}
