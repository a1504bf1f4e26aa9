//! Reading records: `getRecord`, `listRecords`.

use serde_json::{Value, json};

use super::Bluesky;
use super::accounts::Account;
use super::error::XrpcError;
use super::input::{number, parameter};
use super::records::Address;
use crate::answer::Answer;
use crate::request::Request;

impl Bluesky {
    /// Answers one record.
    ///
    /// # Errors
    /// `RecordNotFound`, `InvalidRequest`.
    pub(super) fn read_record(&self, request: &Request) -> Result<Answer, XrpcError> {
        let account = self.repository(request)?;
        let collection = parameter(request, "collection")?;
        let rkey = parameter(request, "rkey")?;
        let address = Address {
            did: account.did.clone(),
            collection: collection.to_owned(),
            rkey: rkey.to_owned(),
        };
        let wanted = request.query("cid");
        let record = self
            .records
            .find(&address)
            .filter(|record| wanted.is_none_or(|cid| cid == record.cid))
            .ok_or_else(|| {
                let message = format!("Could not locate record: {}", address.uri());
                XrpcError::bad("RecordNotFound", message)
            })?;
        let (uri, cid) = (address.uri(), &record.cid);
        Ok(Answer::ok(&json!({"uri": uri, "cid": cid, "value": record.value})))
    }

    /// Answers the records of a collection, newest key first unless asked otherwise.
    ///
    /// # Errors
    /// `InvalidRequest`.
    pub(super) fn list_records(&self, request: &Request) -> Result<Answer, XrpcError> {
        let account = self.repository(request)?;
        let collection = parameter(request, "collection")?;
        let limit = number(request, "limit", 1, 100, 50)?;
        let is_ascending = request.query("reverse") == Some("true");
        let mut records = self.records.of_collection(&account.did, collection);
        if !is_ascending {
            records.reverse();
        }
        if let Some(cursor) = request.query("cursor") {
            records.retain(|(rkey, _)| if is_ascending { *rkey > cursor } else { *rkey < cursor });
        }
        records.truncate(limit);
        let list: Vec<Value> = records
            .iter()
            .map(|(rkey, record)| {
                let uri = format!("at://{}/{collection}/{rkey}", account.did);
                json!({"uri": uri, "cid": record.cid, "value": record.value})
            })
            .collect();
        let mut answer = json!({"records": list});
        if let Some((rkey, _)) = records.last() {
            answer["cursor"] = Value::from(*rkey);
        }
        Ok(Answer::ok(&answer))
    }

    fn repository(&self, request: &Request) -> Result<&Account, XrpcError> {
        let repository = parameter(request, "repo")?;
        self.accounts
            .find(repository)
            .ok_or_else(|| XrpcError::invalid(format!("Could not find repo: {repository}")))
    }
}
