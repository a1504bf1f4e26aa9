//! Clients whose documents were read a while ago.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};

use super::{Client, ClientId};

/// For how long a document is taken to be what it was.
///
/// Source: our decision; what a client takes back of its addresses counts from then on.
const KEPT: TimeDelta = TimeDelta::hours(1);

/// Documents that are remembered at most.
///
/// Source: our decision; a few megabytes.
const KEPT_MAX: usize = 256;

/// Clients whose documents were read, each for an hour.
#[derive(Debug, Default)]
pub struct KnownClients(Mutex<HashMap<ClientId, (Client, DateTime<Utc>)>>);

impl KnownClients {
    /// The client of this id, where its document was read within the hour.
    #[must_use]
    pub fn get(&self, id: &ClientId, now: DateTime<Utc>) -> Option<Client> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(id).filter(|(_, until)| now < *until).map(|(client, _)| client.clone())
    }

    /// Remembers a client. Where there are many, those go whose hour is over, and then the one whose
    /// hour is over first.
    pub fn keep(&self, client: &Client, now: DateTime<Utc>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KEPT_MAX && !known.contains_key(&client.id) {
            known.retain(|_, (_, until)| now < *until);
        }
        if known.len() >= KEPT_MAX && !known.contains_key(&client.id) {
            let first = known.iter().min_by_key(|(_, (_, until))| *until);
            if let Some(first) = first.map(|(id, _)| id.clone()) {
                known.remove(&first);
            }
        }
        known.insert(client.id.clone(), (client.clone(), now + KEPT));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn client(number: usize) -> Client {
        let id = ClientId::parse(&format!("https://a.example/{number}")).unwrap();
        let document = json!({"client_id": id.as_str(), "redirect_uris": ["https://a.example/b"]});
        Client::read(&id, document.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn are_known_for_an_hour_and_are_a_number_at_most() {
        let (known, start) = (KnownClients::default(), DateTime::UNIX_EPOCH);
        let at = |minutes| start + TimeDelta::minutes(minutes);
        known.keep(&client(0), at(0));
        assert_eq!(known.get(&client(0).id, at(59)), Some(client(0)));
        assert_eq!(known.get(&client(0).id, at(60)), None, "its hour is over");
        for number in 1..=KEPT_MAX {
            known.keep(&client(number), at(1));
        }
        assert_eq!(known.0.lock().unwrap().len(), KEPT_MAX);
        assert_eq!(known.get(&client(0).id, at(1)), None, "the oldest made room");
        assert!(known.get(&client(KEPT_MAX).id, at(1)).is_some());
        known.keep(&client(0), at(61));
        assert_eq!(known.0.lock().unwrap().len(), 1, "all others are over");
    }
}
