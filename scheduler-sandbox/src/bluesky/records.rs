//! The repositories of all accounts, and what refers to what.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::lexicon::{LIKE, POST, REPOST};
use crate::network::LiveMedia;

/// A stored record.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) value: Value,
    pub(super) cid: String,
    pub(super) indexed_at: DateTime<Utc>,
    /// Place in the order in which records were made.
    pub(super) sequence: u64,
    pub(super) media: Vec<LiveMedia>,
}

/// Where a record is: account, collection, key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Address {
    pub(super) did: String,
    pub(super) collection: String,
    pub(super) rkey: String,
}

impl Address {
    /// Reads an at-uri of a record; its authority is taken as it is.
    pub(super) fn parse(uri: &str) -> Option<Self> {
        let mut parts = uri.strip_prefix("at://")?.splitn(3, '/');
        let (did, collection, rkey) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self { did: did.to_owned(), collection: collection.to_owned(), rkey: rkey.to_owned() })
    }

    /// Returns the at-uri.
    pub(super) fn uri(&self) -> String {
        format!("at://{}/{}/{}", self.did, self.collection, self.rkey)
    }
}

/// How a record refers to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Relation {
    Like,
    Quote,
    Reply,
    Repost,
}

/// All records.
#[derive(Debug, Default)]
pub(super) struct Records {
    repositories: BTreeMap<String, BTreeMap<(String, String), Record>>,
    references: HashMap<String, BTreeSet<(Relation, Address)>>,
    sequence: u64,
}

impl Records {
    /// Finds a record.
    pub(super) fn find(&self, address: &Address) -> Option<&Record> {
        let key = (address.collection.clone(), address.rkey.clone());
        self.repositories.get(&address.did)?.get(&key)
    }

    /// Stores a record in the place of what may be there; a replaced record keeps its order.
    pub(super) fn put(
        &mut self,
        address: &Address,
        value: Value,
        cid: String,
        media: Vec<LiveMedia>,
        now: DateTime<Utc>,
    ) {
        let earlier = self.remove(address).map(|record| record.sequence);
        let sequence = earlier.unwrap_or(self.sequence);
        self.sequence += 1;
        for (relation, subject) in subjects(&address.collection, &value) {
            self.references.entry(subject).or_default().insert((relation, address.clone()));
        }
        let record = Record { value, cid, indexed_at: now, sequence, media };
        self.repositories
            .entry(address.did.clone())
            .or_default()
            .insert((address.collection.clone(), address.rkey.clone()), record);
    }

    /// Removes a record.
    pub(super) fn remove(&mut self, address: &Address) -> Option<Record> {
        let key = (address.collection.clone(), address.rkey.clone());
        let record = self.repositories.get_mut(&address.did)?.remove(&key)?;
        for (relation, subject) in subjects(&address.collection, &record.value) {
            if let Some(references) = self.references.get_mut(&subject) {
                references.remove(&(relation, address.clone()));
                if references.is_empty() {
                    self.references.remove(&subject);
                }
            }
        }
        Some(record)
    }

    /// Returns the records of a collection of an account, by key.
    pub(super) fn of_collection<'a>(
        &'a self,
        did: &str,
        collection: &str,
    ) -> Vec<(&'a str, &'a Record)> {
        let Some(records) = self.repositories.get(did) else { return Vec::new() };
        records
            .range((collection.to_owned(), String::new())..)
            .take_while(|((found, _), _)| found == collection)
            .map(|((_, rkey), record)| (rkey.as_str(), record))
            .collect()
    }

    /// Returns every post of every account.
    pub(super) fn posts(&self) -> impl Iterator<Item = (&str, &str, &Record)> {
        self.repositories.iter().flat_map(|(did, records)| {
            records
                .iter()
                .filter(|((collection, _), _)| collection == POST)
                .map(move |((_, rkey), record)| (did.as_str(), rkey.as_str(), record))
        })
    }

    /// Returns where records of one relation to a record are.
    pub(super) fn referring<'a>(
        &'a self,
        uri: &str,
        relation: Relation,
    ) -> impl Iterator<Item = &'a Address> + use<'a> {
        self.references
            .get(uri)
            .into_iter()
            .flatten()
            .filter(move |(found, _)| *found == relation)
            .map(|(_, address)| address)
    }
}

/// Returns what a record refers to.
fn subjects(collection: &str, value: &Value) -> Vec<(Relation, String)> {
    let pointers: &[(Relation, &str)] = match collection {
        POST => &[
            (Relation::Reply, "/reply/parent/uri"),
            (Relation::Quote, "/embed/record/uri"),
            (Relation::Quote, "/embed/record/record/uri"),
        ],
        LIKE => &[(Relation::Like, "/subject/uri")],
        REPOST => &[(Relation::Repost, "/subject/uri")],
        _ => &[],
    };
    pointers
        .iter()
        .filter_map(|(relation, pointer)| {
            Some((*relation, value.pointer(pointer)?.as_str()?.to_owned()))
        })
        .collect()
}
