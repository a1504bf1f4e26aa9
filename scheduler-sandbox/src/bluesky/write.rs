//! Writing records: `putRecord`, `createRecord`, `deleteRecord`.

use serde_json::{Map, Value, json};

use super::error::XrpcError;
use super::input::{object, text};
use super::lexicon::{self, LIKE, POST, POSTGATE, REPOST, THREADGATE, Validation};
use super::records::{Address, Relation};
use super::{Bluesky, cid, limits, tid};
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_bytes;
use crate::request::Request;

/// A record that passed the checks.
struct Checked {
    value: Value,
    cid: String,
    validation: Validation,
    blobs: Vec<lexicon::BlobRef>,
}

impl Bluesky {
    /// Creates a record under a given key or replaces what is there, if the caller allows it.
    ///
    /// # Errors
    /// Those of tokens and records; `InvalidSwap`.
    pub(super) fn put_record(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let did = self.sessions.authenticate(request, context.now)?;
        let body = object(request)?;
        self.own_repository(&did, body)?;
        let collection = text(body, "collection")?.to_owned();
        let rkey = text(body, "rkey")?.to_owned();
        let checked = check(&collection, &rkey, body)?;
        let address = Address { did, collection, rkey };
        let current = self.records.find(&address).map(|record| record.cid.clone());
        // A repeat is answered before the swap is looked at: nothing would change.
        if current.as_ref() == Some(&checked.cid) {
            return Ok(written(&address, &checked, None));
        }
        check_swap(body.get("swapRecord"), current.as_deref())?;
        let points = if current.is_some() { limits::UPDATE } else { limits::CREATE };
        self.take_write_points(&address.did, points, context)?;
        self.store(&address, checked, context)
    }

    /// Creates a record under a given or a new key.
    ///
    /// # Errors
    /// Those of tokens and records; `InternalServerError` when the key is taken.
    pub(super) fn create_record(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let did = self.sessions.authenticate(request, context.now)?;
        let body = object(request)?;
        self.own_repository(&did, body)?;
        let collection = text(body, "collection")?.to_owned();
        let rkey = match body.get("rkey") {
            Some(_) => text(body, "rkey")?.to_owned(),
            None => self.next_key(context),
        };
        let checked = check(&collection, &rkey, body)?;
        let address = Address { did, collection, rkey };
        if self.records.find(&address).is_some() {
            return Err(XrpcError::internal());
        }
        self.take_write_points(&address.did, limits::CREATE, context)?;
        self.drop_same_subject(&address, &checked.value);
        self.store(&address, checked, context)
    }

    /// Removes a record; one that is not there is no error.
    ///
    /// # Errors
    /// Those of tokens; `InvalidSwap`.
    pub(super) fn delete_record(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let did = self.sessions.authenticate(request, context.now)?;
        let body = object(request)?;
        self.own_repository(&did, body)?;
        let collection = text(body, "collection")?.to_owned();
        let rkey = text(body, "rkey")?.to_owned();
        let address = Address { did, collection, rkey };
        let Some(current) = self.records.find(&address).map(|record| record.cid.clone()) else {
            return Ok(Answer::ok(&json!({})));
        };
        if body.contains_key("swapRecord") {
            check_swap(body.get("swapRecord"), Some(&current))?;
        }
        self.take_write_points(&address.did, limits::DELETE, context)?;
        if let Some(post) = self.live_post(&address, true) {
            self.taken_down.push(post);
        }
        self.records.remove(&address);
        Ok(Answer::ok(&json!({"commit": self.commit(&address, &current, context)})))
    }

    fn store(
        &mut self,
        address: &Address,
        checked: Checked,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let media = self.blobs.claim(&address.did, &checked.blobs, context.now)?;
        let commit = self.commit(address, &checked.cid, context);
        let answer = written(address, &checked, Some(commit));
        self.records.put(address, checked.value, checked.cid, media, context.now);
        Ok(answer)
    }

    /// Removes an earlier like or repost of the same record by the same account.
    fn drop_same_subject(&mut self, address: &Address, value: &Value) {
        let relation = match address.collection.as_str() {
            LIKE => Relation::Like,
            REPOST => Relation::Repost,
            _ => return,
        };
        let subject = value.pointer("/subject/uri").and_then(Value::as_str).unwrap_or_default();
        let earlier: Vec<Address> = self
            .records
            .referring(subject, relation)
            .filter(|earlier| earlier.did == address.did)
            .cloned()
            .collect();
        for earlier in earlier {
            self.records.remove(&earlier);
        }
    }

    /// Checks that the repository of a write is the caller's own.
    fn own_repository(&self, did: &str, body: &Map<String, Value>) -> Result<(), XrpcError> {
        let repository = text(body, "repo")?;
        let account = self
            .accounts
            .find(repository)
            .ok_or_else(|| XrpcError::invalid(format!("Could not find repo: {repository}")))?;
        if account.did == did {
            Ok(())
        } else {
            Err(XrpcError::unauthorized("AuthenticationRequired", "Authentication Required"))
        }
    }

    /// Returns a key that is later than every key given out before.
    fn next_key(&mut self, context: &Context<'_>) -> String {
        let floor = self.last_key_at.map(|last| last + chrono::TimeDelta::microseconds(1));
        let at = floor.map_or(context.now, |floor| floor.max(context.now));
        self.last_key_at = Some(at);
        let bytes = random_bytes();
        tid::make(at, u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn commit(&mut self, address: &Address, cid: &str, context: &Context<'_>) -> Value {
        let rev = self.next_key(context);
        let commit = cid::of_record(&json!({"did": address.did, "rev": rev, "record": cid}));
        json!({"cid": commit, "rev": rev})
    }
}

fn written(address: &Address, checked: &Checked, commit: Option<Value>) -> Answer {
    let mut answer = json!({
        "uri": address.uri(),
        "cid": checked.cid,
        "validationStatus": checked.validation.name(),
    });
    if let Some(commit) = commit {
        answer["commit"] = commit;
    }
    Answer::ok(&answer)
}

/// Checks key and record of a write.
fn check(collection: &str, rkey: &str, body: &Map<String, Value>) -> Result<Checked, XrpcError> {
    let is_dated = [POST, LIKE, REPOST, THREADGATE, POSTGATE].contains(&collection);
    if is_dated && !tid::is_valid(rkey) {
        return Err(XrpcError::invalid(format!("Invalid TID string (got \"{rkey}\")")));
    }
    let is_key = (1..=512).contains(&rkey.len())
        && rkey != "."
        && rkey != ".."
        && rkey.chars().all(|letter| letter.is_ascii_alphanumeric() || "_~.:-".contains(letter));
    if !is_key {
        return Err(XrpcError::invalid("Input/rkey must be a valid Record Key"));
    }
    let mut value = match body.get("record") {
        Some(value) if value.is_object() => value.clone(),
        Some(_) => return Err(XrpcError::invalid("Input/record must be an object")),
        None => return Err(XrpcError::invalid("Input must have the property \"record\"")),
    };
    if value.get("$type").is_none() {
        value["$type"] = Value::from(collection);
    }
    let mut blobs = Vec::new();
    let validation = lexicon::check(collection, &value, &mut blobs).map_err(|fault| {
        XrpcError::invalid(format!("Invalid {collection} record: {}", fault.message))
    })?;
    let cid = cid::of_record(&value);
    Ok(Checked { value, cid, validation, blobs })
}

/// Compares what the caller expects under the key with what is there; `null` expects nothing.
fn check_swap(expected: Option<&Value>, current: Option<&str>) -> Result<(), XrpcError> {
    let expected = match expected {
        None => return Ok(()),
        Some(Value::Null) => None,
        Some(Value::String(cid)) => Some(cid.as_str()),
        Some(_) => return Err(XrpcError::invalid("Input/swapRecord must be a cid string")),
    };
    if expected == current {
        return Ok(());
    }
    let message = format!("Record was at {}", current.unwrap_or("null"));
    Err(XrpcError::bad("InvalidSwap", message))
}
