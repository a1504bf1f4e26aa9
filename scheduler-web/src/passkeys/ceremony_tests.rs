//! Answers of an authenticator that these tests are, in order and out of order.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use sha2::{Digest as _, Sha256};

use super::*;

const ORIGIN: &str = "https://posts.example.com";
const CREDENTIAL: [u8; 16] = [7; 16];

/// Who was there, as an authenticator tells it.
const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
/// A key goes with it.
const MADE: u8 = 0x40;

fn party() -> Party {
    Party::of(&ORIGIN.parse().unwrap()).unwrap()
}

fn handle(number: u8) -> [u8; HANDLE] {
    [number; HANDLE]
}

fn key() -> SigningKey {
    SigningKey::from_slice(&[9; 32]).unwrap()
}

/// An answer, and what of it is not in order.
#[derive(Clone)]
struct Answering {
    origin: &'static str,
    kind: &'static str,
    party: &'static str,
    flags: u8,
    count: u32,
    handle: u8,
    credential: [u8; 16],
    challenge: Option<&'static str>,
    is_forged: bool,
}

impl Answering {
    fn new(kind: &'static str) -> Self {
        Self {
            origin: ORIGIN,
            kind,
            party: "posts.example.com",
            flags: PRESENT | VERIFIED,
            count: 1,
            handle: 1,
            credential: CREDENTIAL,
            challenge: None,
            is_forged: false,
        }
    }

    fn client_data(&self, options: &Value) -> String {
        let challenge = self.challenge.or_else(|| options["challenge"].as_str()).unwrap();
        let (kind, origin) = (self.kind, self.origin);
        json!({"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": false})
            .to_string()
    }

    fn told(&self, flags: u8) -> Vec<u8> {
        let mut told = Sha256::digest(self.party.as_bytes()).to_vec();
        told.push(flags);
        told.extend(self.count.to_be_bytes());
        told
    }

    fn made(&self, options: &Value) -> String {
        let mut told = self.told(self.flags | MADE);
        told.extend([0; 16]);
        told.extend([0, 16]);
        told.extend(self.credential);
        let point = key().verifying_key().to_encoded_point(false);
        // A key of ES256 in CBOR.
        told.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        told.extend(point.x().unwrap());
        told.extend([0x22, 0x58, 0x20]);
        told.extend(point.y().unwrap());
        let mut object = vec![0xa3, 0x63];
        object.extend(b"fmt");
        object.push(0x64);
        object.extend(b"none");
        object.push(0x67);
        object.extend(b"attStmt");
        object.extend([0xa0, 0x68]);
        object.extend(b"authData");
        object.extend([0x58, u8::try_from(told.len()).unwrap()]);
        object.extend(told);
        let response = json!({
            "clientDataJSON": BASE64.encode(self.client_data(options)),
            "attestationObject": BASE64.encode(object),
            "transports": ["internal"],
        });
        self.written(&response)
    }

    fn signed(&self, options: &Value) -> String {
        let client_data = self.client_data(options);
        let told = self.told(self.flags);
        let mut message = told.clone();
        message.extend(Sha256::digest(client_data.as_bytes()));
        if self.is_forged {
            message.push(0);
        }
        let signature: Signature = key().sign(&message);
        let response = json!({
            "clientDataJSON": BASE64.encode(client_data),
            "authenticatorData": BASE64.encode(told),
            "signature": BASE64.encode(signature.to_der()),
            "userHandle": BASE64.encode(handle(self.handle)),
        });
        self.written(&response)
    }

    fn written(&self, response: &Value) -> String {
        let id = BASE64.encode(self.credential);
        json!({
            "id": id, "rawId": id, "type": "public-key", "response": response,
            "clientExtensionResults": {},
        })
        .to_string()
    }
}

fn made() -> Made {
    let asked = party().ask_to_make(handle(1), ("Ana", "Ana, bakery"), &[]).unwrap();
    assert_eq!(asked.options["rp"]["id"], "posts.example.com");
    assert_eq!(asked.options["user"]["displayName"], "Ana, bakery");
    assert_eq!(asked.options["authenticatorSelection"]["userVerification"], "required");
    assert_eq!(asked.options["authenticatorSelection"]["residentKey"], "required");
    let answer = Answering::new("webauthn.create").made(&asked.options);
    let made = party().made(&asked.state, &answer);
    made.unwrap_or_else(|_| panic!("it is in order"))
}

#[test]
fn servers_that_passkeys_are_made_for() {
    for (server, want) in [
        ("https://posts.example.com/", true),
        ("https://posts.example.com:8443/", true),
        ("http://localhost:8080/", true),
        ("http://app.localhost:8080/", true),
        ("http://posts.example.com/", false),
        ("http://127.0.0.1:8080/", false),
        ("https://192.0.2.7/", false),
        ("https://[2001:db8::1]/", false),
    ] {
        assert_eq!(Party::of(&server.parse().unwrap()).is_some(), want, "{server}");
    }
}

#[test]
fn what_is_made_out_of_order_is_none() {
    assert_eq!(made().credential, CREDENTIAL);
    let good = Answering::new("webauthn.create");
    for (name, answering) in [
        ("another origin", Answering { origin: "https://evil.example", ..good.clone() }),
        ("another port", Answering { origin: "https://posts.example.com:8443", ..good.clone() }),
        ("without encryption", Answering { origin: "http://posts.example.com", ..good.clone() }),
        ("another server", Answering { party: "evil.example", ..good.clone() }),
        ("nobody verified", Answering { flags: PRESENT, ..good.clone() }),
        ("an answer to sign in", Answering { kind: "webauthn.get", ..good.clone() }),
        ("another challenge", Answering { challenge: Some("AAAAAAAAAAAAAAAAAAAAAA"), ..good }),
    ] {
        let asked = party().ask_to_make(handle(1), ("Ana", "Ana"), &[]).unwrap();
        let answer = answering.made(&asked.options);
        assert!(party().made(&asked.state, &answer).is_err(), "{name}");
    }
    let asked = party().ask_to_make(handle(1), ("Ana", "Ana"), &[vec![3; 16]]).unwrap();
    assert_eq!(asked.options["excludeCredentials"][0]["id"], BASE64.encode([3; 16]));
    assert!(party().made(&asked.state, "{}").is_err());
    assert!(party().made(b"", "{}").is_err());
}

#[test]
fn an_answer_out_of_order_signs_nobody_in() {
    let made = made();
    let good = Answering::new("webauthn.get");
    let counted = |count| Answering { count, ..good.clone() };
    for (name, answering, want) in [
        ("in order", counted(2), true),
        ("a count that has not grown", counted(1), false),
        ("a count that has fallen", counted(0), false),
        ("another origin", Answering { origin: "https://evil.example", ..counted(2) }, false),
        ("another server", Answering { party: "evil.example", ..counted(2) }, false),
        ("nobody verified", Answering { flags: PRESENT, ..counted(2) }, false),
        ("nobody there", Answering { flags: VERIFIED, ..counted(2) }, false),
        ("an answer to making", Answering { kind: "webauthn.create", ..counted(2) }, false),
        ("of somebody else", Answering { handle: 2, ..counted(2) }, false),
        ("of another passkey", Answering { credential: [8; 16], ..counted(2) }, false),
        ("signed by another", Answering { is_forged: true, ..counted(2) }, false),
        (
            "another challenge",
            Answering { challenge: Some("AAAAAAAAAAAAAAAAAAAAAA"), ..counted(2) },
            false,
        ),
    ] {
        let asked = party().ask_to_sign().unwrap();
        assert_eq!(asked.options["userVerification"], "required");
        let answer = answering.signed(&asked.options);
        let answer = Answer::read(&answer).unwrap_or_else(|_| panic!("{name}: it can be read"));
        let known = Known {
            handle: handle(1),
            credential: &made.credential,
            public: &made.public,
            state: &made.state,
        };
        let signed = party().signed(&asked.state, &answer, &known);
        assert_eq!(signed.is_ok(), want, "{name}");
        if let Ok(state) = signed {
            assert_ne!(state, made.state, "its count is kept");
        }
    }
    assert!(Answer::read("{}").is_err());
}

/// An authenticator that counts nothing says 0 for ever.
#[test]
fn a_passkey_that_does_not_count_signs_in_again_and_again() {
    let asked = party().ask_to_make(handle(1), ("Ana", "Ana"), &[]).unwrap();
    let answer = Answering { count: 0, ..Answering::new("webauthn.create") }.made(&asked.options);
    let made = party().made(&asked.state, &answer).unwrap_or_else(|_| panic!("it is in order"));
    for _ in 0..2 {
        let asked = party().ask_to_sign().unwrap();
        let answer = Answering { count: 0, ..Answering::new("webauthn.get") };
        let answer = Answer::read(&answer.signed(&asked.options)).unwrap();
        let known = Known {
            handle: handle(1),
            credential: &made.credential,
            public: &made.public,
            state: &made.state,
        };
        assert!(party().signed(&asked.state, &answer, &known).is_ok());
    }
}
