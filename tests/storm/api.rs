//! Callers of the API, who repeat what failed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::{Client, Method};
use serde_json::Value;

use crate::dice::Dice;
use crate::nodes::Node;
use crate::plan::now;

/// How long a caller waits for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a caller waits before it repeats a request, whatever it was told.
const REPEAT_AFTER: Duration = Duration::from_secs(1);

/// What the API answered to all callers.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// How often each status came; 0 stands for no answer.
    pub(crate) statuses: BTreeMap<u16, u64>,
    /// How many requests a node refused while its clock was shifted.
    pub(crate) refused_by_clock: u64,
    /// What should never be answered, and how often it was.
    pub(crate) wrong: BTreeMap<String, u64>,
}

/// A caller with a key, who knows all nodes.
#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) client: Client,
    pub(crate) nodes: Arc<Vec<Node>>,
    pub(crate) key: String,
    pub(crate) answers: Arc<Mutex<Answers>>,
}

impl Api {
    /// Sends one request to a node. `None` when nothing was answered.
    pub(crate) async fn once(
        &self,
        node: &Node,
        method: Method,
        path: &str,
        idempotency_key: Option<&str>,
        body: Option<&Value>,
    ) -> Option<(u16, Value)> {
        let address = format!("{}/v1{path}", node.url());
        let mut request = self.client.request(method.clone(), address).bearer_auth(&self.key);
        if let Some(key) = idempotency_key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let clock_before = node.clock();
        let answered = async {
            let response = request.timeout(ANSWER_TIMEOUT).send().await.ok()?;
            let status = response.status().as_u16();
            let has_wait = response.headers().contains_key("retry-after");
            Some((status, has_wait, response.bytes().await.ok()?))
        };
        let answered = answered.await;
        let mut answers = self.answers.lock().unwrap();
        let Some((status, has_wait, text)) = answered else {
            *answers.statuses.entry(0).or_default() += 1;
            return None;
        };
        *answers.statuses.entry(status).or_default() += 1;
        let is_right = match status {
            200..=299 => true,
            503 | 507 | 429 => has_wait || status == 507,
            400 => body.is_some_and(is_too_late),
            _ => false,
        };
        if !is_right {
            let was_clock_right = clock_before.0 == 0 && node.clock() == clock_before;
            if !was_clock_right && (400..500).contains(&status) {
                answers.refused_by_clock += 1;
                return None;
            } else {
                let text = String::from_utf8_lossy(&text);
                let wait = if has_wait { "" } else { " without Retry-After" };
                let line = format!("{} {method} {path}: {status}{wait} {text}", node.name);
                let times = answers.wrong.entry(line.clone()).or_default();
                *times += 1;
                if *times == 1 {
                    eprintln!("WRONG: {line}");
                }
            }
        }
        let value = serde_json::from_slice(&text).unwrap_or(Value::Null);
        Some((status, value))
    }

    /// Sends a request to any node, again and again under its key, until it is done. `None` when
    /// that never happens.
    pub(crate) async fn until_done(
        &self,
        dice: &mut Dice,
        method: Method,
        path: &str,
        idempotency_key: Option<&str>,
        body: Option<&Value>,
    ) -> Option<Value> {
        for _ in 0..300 {
            let node = dice.one(&self.nodes);
            let answer = self.once(node, method.clone(), path, idempotency_key, body).await;
            match answer {
                Some((200..=299, value)) => return Some(value),
                // Nothing changes by itself.
                Some((400..=499, _)) => return None,
                _ => {}
            }
            tokio::time::sleep(REPEAT_AFTER).await;
        }
        None
    }

    /// Reads something, from whichever node has it.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let mut dice = Dice::new(0, path.len() as u64);
        let found = self.until_done(&mut dice, Method::GET, path, None, None).await;
        found.unwrap_or_else(|| panic!("{path} is never answered"))
    }

    /// Posts something that is expected to be done.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> Value {
        let mut dice = Dice::new(0, path.len() as u64);
        let done = self.until_done(&mut dice, Method::POST, path, None, Some(body)).await;
        done.unwrap_or_else(|| panic!("{path} is never done"))
    }
}

/// Whether the time for which a post asks has passed, so that a node that has not taken it yet is
/// right to refuse it.
pub(crate) fn is_too_late(post: &Value) -> bool {
    let at = post["scheduledAt"].as_str().and_then(|at| at.parse::<DateTime<Utc>>().ok());
    at.is_some_and(|at| at <= now())
}

/// Reads all the time, so that there are requests whenever something happens.
pub(crate) async fn read_all_the_time(api: &Api, mut dice: Dice) {
    const PATHS: [&str; 3] = ["/posts?limit=20", "/oauth/accounts", "/posts?status=scheduled"];
    loop {
        let path = dice.one(&PATHS);
        api.once(dice.one(&api.nodes), Method::GET, path, None, None).await;
        let pause = dice.between(Duration::from_millis(100), Duration::from_millis(500));
        tokio::time::sleep(pause).await;
    }
}
