//! The nonces that servers want in proofs.
//!
//! Source: RFC 9449, sections 8 and 9.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use url::Url;

use crate::conversation::Answer;

/// Servers whose nonces are kept. Our decision: a nonce that was forgotten costs one more request.
const SERVERS_MAX: usize = 10_000;

/// The last nonce of each server; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nonces(Arc<Mutex<HashMap<String, String>>>);

impl Nonces {
    /// The nonce that a server wants.
    pub(crate) fn of(&self, url: &Url) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&server(url)).cloned()
    }

    /// Keeps the nonce of an answer. True where the request was refused for the lack of it, so that
    /// it did nothing and can be sent again with it.
    pub(crate) fn take(&self, url: &Url, answer: &Answer) -> bool {
        let Some(nonce) = answer.header("dpop-nonce") else { return false };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= SERVERS_MAX {
            known.clear();
        }
        known.insert(server(url), nonce.to_owned());
        is_wanted(answer)
    }
}

/// True for an answer by which a server wants a nonce: of one that gives tokens in its body, of one
/// that takes them in a header.
fn is_wanted(answer: &Answer) -> bool {
    const WANTED: &str = r#"error="use_dpop_nonce""#;
    let challenge = answer.header("www-authenticate").unwrap_or_default();
    let mut told = challenge.split([' ', ',']);
    matches!(answer.status, 400 | 401)
        && (answer.words("error") == "use_dpop_nonce" || told.any(|parameter| parameter == WANTED))
}

fn server(url: &Url) -> String {
    url.origin().ascii_serialization()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::{answered, with_header};

    #[test]
    fn each_server_has_its_last_nonce() {
        let nonces = Nonces::default();
        let url = |text| Url::parse(text).unwrap();
        let (one, other) = (url("https://a.example/x?y"), url("https://b.example/"));
        assert_eq!(nonces.of(&one), None);
        for nonce in ["first", "second"] {
            nonces.take(&one, &with_header(answered(200, &json!({})), "dpop-nonce", nonce));
        }
        nonces.take(&one, &answered(200, &json!({})));
        assert_eq!(nonces.clone().of(&url("https://a.example/z")).as_deref(), Some("second"));
        assert_eq!(nonces.of(&other), None);
    }

    #[test]
    fn a_request_is_sent_again_only_where_a_nonce_was_wanted() {
        let challenge = r#"DPoP error="use_dpop_nonce""#;
        let wanted = json!({ "error": "use_dpop_nonce" });
        let refused = json!({ "error": "invalid_token" });
        for (name, status, body, header, want) in [
            ("by the body", 400, &wanted, None, true),
            ("by the header", 401, &refused, Some(challenge), true),
            ("another error", 400, &refused, None, false),
            ("a success", 200, &wanted, None, false),
            ("trouble", 500, &wanted, None, false),
        ] {
            let mut answer = answered(status, body);
            if let Some(header) = header {
                answer = with_header(answer, "www-authenticate", header);
            }
            let url = Url::parse("https://a.example").unwrap();
            assert!(!Nonces::default().take(&url, &answer), "{name}: no nonce");
            let answer = with_header(answer, "dpop-nonce", "n");
            assert_eq!(Nonces::default().take(&url, &answer), want, "{name}");
        }
    }
}
