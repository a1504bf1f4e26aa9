//! The accounts of the imitated server.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::outside::random_bytes;

const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
/// Characters of the last part of a `did:plc`.
///
/// Source: <https://web.plc.directory/spec/v0.1/did-plc>.
const DID_LENGTH: usize = 24;

/// An account.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) did: String,
    pub(super) handle: String,
    pub(super) display_name: String,
    pub(super) app_password: String,
    pub(super) created_at: DateTime<Utc>,
}

impl Account {
    /// Returns the account's identity document, which names the server that holds it.
    pub(super) fn document(&self, base: &str) -> Value {
        json!({
            "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"],
            "id": self.did,
            "alsoKnownAs": [format!("at://{}", self.handle)],
            "verificationMethod": [],
            "service": [{
                "id": "#atproto_pds",
                "type": "AtprotoPersonalDataServer",
                "serviceEndpoint": base,
            }],
        })
    }
}

/// All accounts, found by identifier or handle.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    by_did: BTreeMap<String, Account>,
    dids: HashMap<String, String>,
}

impl Accounts {
    /// Makes an account whose handle is the name below `.test`.
    ///
    /// # Errors
    /// The name cannot be a handle or is taken.
    pub(super) fn create(
        &mut self,
        name: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<&Account, String> {
        let display_name = name.map_or_else(|| self.next_name(), str::to_owned);
        let label = display_name.to_lowercase().replace([' ', '_'], "-");
        let is_label = (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-');
        if !is_label {
            return Err("name must be 1 to 63 letters, digits, spaces or hyphens.".to_owned());
        }
        let handle = format!("{label}.test");
        if self.dids.contains_key(&handle) {
            return Err(format!("There is an account {handle} already."));
        }
        let did = format!("did:plc:{}", random_letters(DID_LENGTH));
        let app_password: Vec<String> = (0..4).map(|_| random_letters(4)).collect();
        self.dids.insert(handle.clone(), did.clone());
        let app_password = app_password.join("-");
        let account =
            Account { did: did.clone(), handle, display_name, app_password, created_at: now };
        Ok(self.by_did.entry(did).or_insert(account))
    }

    fn next_name(&self) -> String {
        (self.by_did.len() + 1..)
            .map(|number| format!("sandbox-{number}"))
            .find(|name| !self.dids.contains_key(&format!("{name}.test")))
            .unwrap_or_default()
    }

    /// Finds an account by its identifier or handle.
    pub(super) fn find(&self, actor: &str) -> Option<&Account> {
        let did =
            if actor.starts_with("did:") { actor } else { self.dids.get(&actor.to_lowercase())? };
        self.by_did.get(did)
    }

    /// Returns all accounts by identifier.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Account> {
        self.by_did.values()
    }
}

/// Returns random characters of the base 32 alphabet.
fn random_letters(count: usize) -> String {
    let mut letters = String::with_capacity(count);
    while letters.len() < count {
        let bytes = random_bytes();
        // Bytes 6 and 8 hold the version and variant of the id, so they are left out.
        let random = bytes.iter().enumerate().filter(|(at, _)| !matches!(at, 6 | 8));
        letters.extend(random.map(|(_, byte)| char::from(BASE32[usize::from(byte & 0x1f)])));
    }
    letters.truncate(count);
    letters
}
