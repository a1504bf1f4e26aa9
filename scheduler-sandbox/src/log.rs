//! The last requests, as received.

use std::collections::VecDeque;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::{HeaderMap, Method};
use serde_json::{Map, Value, json};

use crate::network::Operation;
use crate::outside::timestamp;
use crate::redact;

/// Requests that are kept.
const KEPT_REQUESTS: usize = 10_000;
/// Longest body that is kept as text.
pub(crate) const KEPT_BODY_BYTES: usize = 16 * 1024;

/// A request as received.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) at: DateTime<Utc>,
    pub(crate) platform: &'static str,
    pub(crate) operation: Operation,
    pub(crate) method: Method,
    /// Path from the root, percent-encoding kept.
    pub(crate) path: String,
    pub(crate) query: Option<String>,
    pub(crate) headers: HeaderMap,
    pub(crate) content_type: String,
    /// The body, when it is short; it may still not be text.
    pub(crate) body: Option<Bytes>,
    pub(crate) body_bytes: u64,
    pub(crate) body_sha256: [u8; 32],
    /// The fault that the request ran into.
    pub(crate) fault: Option<&'static str>,
}

impl Entry {
    fn to_json(&self) -> Value {
        let headers: Map<String, Value> = self
            .headers
            .iter()
            .map(|(name, value)| {
                let value =
                    redact::header(name.as_str(), &String::from_utf8_lossy(value.as_bytes()));
                (name.as_str().to_owned(), Value::from(value))
            })
            .collect();
        let mut entry = json!({
            "at": timestamp(self.at),
            "platform": self.platform,
            "operation": self.operation.name(),
            "method": self.method.as_str(),
            "path": redact::path(&self.path),
            "query": self.query.as_deref().map(redact::query),
            "headers": headers,
            "bodyBytes": self.body_bytes,
            "fault": self.fault,
        });
        let text = self.body.as_deref().and_then(|body| std::str::from_utf8(body).ok());
        match text.and_then(|text| redact::body(&self.content_type, text)) {
            Some(text) => entry["body"] = Value::from(text),
            None => entry["bodySha256"] = Value::from(hex::encode(self.body_sha256)),
        }
        entry
    }
}

/// A ring of the last requests.
#[derive(Debug, Default)]
pub(crate) struct RequestLog(VecDeque<Entry>);

impl RequestLog {
    /// Adds a request and lets the oldest go.
    pub(crate) fn push(&mut self, entry: Entry) {
        if self.0.len() == KEPT_REQUESTS {
            self.0.pop_front();
        }
        self.0.push_back(entry);
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the kept requests, oldest first.
    pub(crate) fn to_json(&self, platform: Option<&str>) -> Vec<Value> {
        self.0
            .iter()
            .filter(|entry| platform.is_none_or(|wanted| wanted == entry.platform))
            .map(Entry::to_json)
            .collect()
    }
}
