//! The provider, against a small one of our own that signs whatever it is told to.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair,
    EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair as _,
};
use scheduler_core::connecting::Pass;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

const CLIENT_ID: &str = "the scheduler";
const CLIENT_SECRET: &str = "hunter2:&";
const BACK: &str = "https://s.example/signin/openid/callback";

fn now() -> DateTime<Utc> {
    "2027-01-15T08:00:00Z".parse().unwrap()
}

fn attempt() -> Attempt {
    Attempt::begin(Pass::from_random([7; 32]), now())
}

/// A private key, and its public half as a provider publishes it.
struct Signer {
    pair: EcdsaKeyPair,
    public: Value,
}

impl Signer {
    fn new(name: &str) -> Self {
        Self::of(&ECDSA_P256_SHA256_FIXED_SIGNING, "P-256", name)
    }

    fn of(algorithm: &'static EcdsaSigningAlgorithm, curve: &str, name: &str) -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).unwrap();
        let point = &pair.public_key().as_ref()[1..];
        let (x, y) = point.split_at(point.len() / 2);
        let (x, y) = (URL_SAFE_NO_PAD.encode(x), URL_SAFE_NO_PAD.encode(y));
        let public = json!({"kty": "EC", "crv": curve, "x": x, "y": y, "kid": name, "use": "sig"});
        Self { pair, public }
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        signed(header, claims, |text| {
            self.pair.sign(&SystemRandom::new(), text).unwrap().as_ref().to_vec()
        })
    }
}

fn signed(header: &Value, claims: &Value, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let text = format!("{}.{}", part(header), part(claims));
    let signature = URL_SAFE_NO_PAD.encode(sign(text.as_bytes()));
    format!("{text}.{signature}")
}

/// What the small provider answers at each path: a status and a body.
type Answers = Arc<Mutex<Vec<(&'static str, u16, String)>>>;

/// A provider that listens until the test ends.
struct Small {
    url: String,
    answers: Answers,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Small {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let small = Self { url, answers: Answers::default(), requests: Arc::default() };
        let (answers, requests) = (Arc::clone(&small.answers), Arc::clone(&small.requests));
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut read = Vec::new();
                while !is_whole(&read) && stream.read_buf(&mut read).await.unwrap() > 0 {}
                let request = String::from_utf8(read).unwrap();
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                requests.lock().unwrap().push(request);
                let answer = {
                    let answers = answers.lock().unwrap();
                    let found = answers.iter().rev().find(|(known, ..)| *known == path);
                    found.map_or((404, String::new()), |(_, status, body)| (*status, body.clone()))
                };
                let (status, length) = (answer.0, answer.1.len());
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\
                     location: http://127.0.0.1:1/\r\n\r\n"
                );
                // The client may have gone before all of a long answer is written.
                let _ = stream.write_all((head + &answer.1).as_bytes()).await;
            }
        });
        let at = |path: &str| format!("{}{path}", small.url);
        small.answer(
            "/.well-known/openid-configuration",
            &json!({
                "issuer": small.url,
                "authorization_endpoint": at("/auth?tenant=a"),
                "token_endpoint": at("/token"),
                "userinfo_endpoint": at("/me"),
                "jwks_uri": at("/keys"),
            }),
        );
        small
    }

    fn answer(&self, path: &'static str, body: &Value) {
        self.answer_as(path, 200, body.to_string());
    }

    fn answer_as(&self, path: &'static str, status: u16, body: String) {
        self.answers.lock().unwrap().push((path, status, body));
    }

    fn publish(&self, signers: &[&Signer]) {
        let keys: Vec<&Value> = signers.iter().map(|signer| &signer.public).collect();
        self.answer("/keys", &json!({"keys": keys}));
    }

    fn give(&self, token: &str) {
        self.answer(
            "/token",
            &json!({"id_token": token, "access_token": "opens", "token_type": "Bearer"}),
        );
    }

    fn asked(&self, path: &str) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        let is_of = |it: &&String| it.split(' ').nth(1) == Some(path);
        requests.iter().filter(is_of).cloned().collect()
    }

    fn provider(&self) -> OpenIdProvider {
        OpenIdProvider::new(OpenIdSettings {
            issuer: Issuer::parse(&self.url).unwrap(),
            client_id: CLIENT_ID.to_owned(),
            client_secret: Some(CLIENT_SECRET.to_owned().into()),
        })
        .unwrap()
    }

    /// What a token holds that is as it should be.
    fn claims(&self) -> Value {
        json!({
            "iss": self.url, "aud": CLIENT_ID, "sub": "7", "nonce": attempt().nonce(),
            "exp": now().timestamp() + 600, "iat": now().timestamp(),
            "email": "ada@a.example", "email_verified": true, "name": "Ada",
        })
    }
}

fn is_whole(read: &[u8]) -> bool {
    let text = String::from_utf8_lossy(read);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.map_or(0, |length| length.parse().unwrap())
}

async fn identified(provider: &OpenIdProvider) -> Result<Identity, IdentityError> {
    let attempt = attempt();
    let returning = Returning { code: "c0de", attempt: &attempt, redirect_uri: BACK };
    provider.identify(returning, now()).await
}

#[tokio::test]
async fn a_sign_in_as_the_provider_sees_it() {
    let (small, signer) = (Small::start().await, Signer::new("a"));
    small.publish(&[&signer]);
    small.give(&signer.sign(&json!({"alg": "ES256", "kid": "a"}), &small.claims()));
    let provider = small.provider();
    let attempt = attempt();
    let address = provider.sign_in_at(&attempt, BACK, now()).await.unwrap();
    let address = Url::parse(&address).unwrap();
    let asked: Vec<(String, String)> = address.query_pairs().into_owned().collect();
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(attempt.verifier()));
    let want = [
        ("tenant", "a"),
        ("response_type", "code"),
        ("client_id", CLIENT_ID),
        ("redirect_uri", BACK),
        ("scope", "openid email profile"),
        ("state", &attempt.state()),
        ("nonce", &attempt.nonce()),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    let want = want.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(asked, want);
    assert_eq!(address.path(), "/auth");

    let identity = identified(&provider).await.unwrap();
    assert_eq!(
        identity,
        Identity {
            subject: "7".to_owned(),
            email: Some("ada@a.example".to_owned()),
            is_email_verified: true,
            name: Some("Ada".to_owned()),
            username: None,
        }
    );
    let [exchange] = &small.asked("/token")[..] else { panic!("one exchange") };
    let (head, body) = exchange.split_once("\r\n\r\n").unwrap();
    // The id and the secret, each as a form writes it, in base64.
    assert!(
        head.contains("authorization: Basic dGhlK3NjaGVkdWxlcjpodW50ZXIyJTNBJTI2\r\n"),
        "{head}"
    );
    for want in ["grant_type=authorization_code", "code=c0de", &attempt.verifier()] {
        assert!(body.contains(want), "{want}: {body}");
    }
    assert!(!body.contains("hunter2") && small.asked("/me").is_empty());
    // Nothing is asked for twice that is known.
    identified(&provider).await.unwrap();
    assert_eq!(small.asked("/keys").len(), 1);
    assert_eq!(small.asked("/.well-known/openid-configuration").len(), 1);
    assert!(!format!("{provider:?}").contains("hunter2"));
}

#[tokio::test]
async fn tokens_that_were_tampered_with_let_nobody_in() {
    let (small, ours, other) = (Small::start().await, Signer::new("a"), Signer::new("a"));
    small.publish(&[&ours]);
    let provider = small.provider();
    let header = json!({"alg": "ES256", "kid": "a"});
    let with = |field: &str, value: Value| {
        let mut claims = small.claims();
        claims[field] = value;
        ours.sign(&header, &claims)
    };
    let good = ours.sign(&header, &small.claims());
    let parts: Vec<&str> = good.split('.').collect();
    let [head, claims, signature] = parts[..] else { panic!("{good}") };
    let encoded = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let mut of_eve = small.claims();
    of_eve["sub"] = json!("eve");
    let none = encoded(&json!({"alg": "none"}));
    let by_secret = signed(&json!({"alg": "HS256", "kid": "a"}), &small.claims(), |text| {
        // The public half taken for a secret, which everybody knows.
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, ours.pair.public_key().as_ref());
        ring::hmac::sign(&key, text).as_ref().to_vec()
    });
    let (past, then) = (now().timestamp() - 600, now().timestamp() + 600);
    for (name, token, want) in [
        ("as it should be", good.clone(), None),
        ("another audience", with("aud", json!("them")), Some("another application")),
        ("an audience among others", with("aud", json!([CLIENT_ID, "them"])), Some("handed to")),
        ("another issuer", with("iss", json!("https://b.example")), Some("another issuer")),
        ("another nonce", with("nonce", json!("twice")), Some("another sign-in")),
        ("no nonce", with("nonce", Value::Null), Some("another sign-in")),
        ("expired", with("exp", json!(past)), Some("expired")),
        ("no end", with("exp", Value::Null), Some("cannot be read")),
        ("of tomorrow", with("iat", json!(then)), Some("future")),
        ("nobody", with("sub", json!("")), Some("names nobody")),
        ("alg none", format!("{none}.{claims}."), Some("cannot be read")),
        (
            "alg none, with the signature",
            format!("{none}.{claims}.{signature}"),
            Some("cannot be read"),
        ),
        ("by a secret", by_secret, Some("signed by HS256")),
        (
            "by another key of the same name",
            other.sign(&header, &small.claims()),
            Some("has not signed"),
        ),
        (
            "by a key of another name",
            other.sign(&json!({"alg": "ES256", "kid": "b"}), &small.claims()),
            Some("no key of it"),
        ),
        (
            "by another key without a name",
            other.sign(&json!({"alg": "ES256"}), &small.claims()),
            Some("has not signed"),
        ),
        (
            "another way of signing",
            ours.sign(&json!({"alg": "RS256", "kid": "a"}), &small.claims()),
            Some("no key of it"),
        ),
        (
            "another person",
            format!("{head}.{}.{signature}", encoded(&of_eve)),
            Some("has not signed"),
        ),
        ("no signature", format!("{head}.{claims}."), Some("has not signed")),
        ("no token", "token".to_owned(), Some("cannot be read")),
        ("empty", String::new(), Some("cannot be read")),
    ] {
        small.give(&token);
        let found = identified(&provider).await;
        match want {
            None => assert!(found.is_ok(), "{name}: {found:?}"),
            Some(want) => match found {
                Err(IdentityError::Untrusted(why)) => {
                    assert!(why.contains(want), "{name}: {why}");
                    assert!(!why.contains(signature), "{name} is quoted");
                }
                other => panic!("{name}: {other:?}"),
            },
        }
    }
}

#[tokio::test]
async fn keys_change_and_old_ones_end() {
    let (small, first, second) = (Small::start().await, Signer::new("a"), Signer::new("b"));
    let provider = small.provider();
    let by = |signer: &Signer, name: &str| {
        signer.sign(&json!({"alg": "ES256", "kid": name}), &small.claims())
    };
    small.publish(&[&first]);
    small.give(&by(&first, "a"));
    assert!(identified(&provider).await.is_ok());
    small.publish(&[&second]);
    small.give(&by(&second, "b"));
    assert!(identified(&provider).await.is_ok(), "the new one is looked for");
    assert_eq!(small.asked("/keys").len(), 2);
    small.give(&by(&first, "a"));
    assert!(identified(&provider).await.is_err(), "the old one is gone");
    // And one that is withdrawn is not believed for longer than it is kept.
    small.give(&by(&second, "b"));
    assert!(identified(&provider).await.is_ok());
    small.publish(&[&first]);
    let (attempt, later) = (attempt(), now() + TimeDelta::hours(1));
    let returning = Returning { code: "c0de", attempt: &attempt, redirect_uri: BACK };
    let mut claims = small.claims();
    claims["exp"] = json!(later.timestamp() + 600);
    small.give(&second.sign(&json!({"alg": "ES256", "kid": "b"}), &claims));
    let found = provider.identify(returning, later).await;
    assert!(found.is_err(), "{found:?}");
}

#[tokio::test]
async fn what_is_told_only_to_whoever_asks() {
    let (small, signer) = (Small::start().await, Signer::new("a"));
    small.publish(&[&signer]);
    let mut claims = small.claims();
    for field in ["email", "email_verified"] {
        claims.as_object_mut().unwrap().remove(field);
    }
    small.give(&signer.sign(&json!({"alg": "ES256", "kid": "a"}), &claims));
    let provider = small.provider();
    for (name, told, want) in [
        ("confirmed", json!({"sub": "7", "email": "a@b.c", "email_verified": true}), Some(true)),
        ("as a text", json!({"sub": "7", "email": "a@b.c", "email_verified": "true"}), Some(true)),
        (
            "not confirmed",
            json!({"sub": "7", "email": "a@b.c", "email_verified": false}),
            Some(false),
        ),
        ("not said", json!({"sub": "7", "email": "a@b.c"}), Some(false)),
        ("another number", json!({"sub": "7", "email": "a@b.c", "email_verified": 1}), Some(false)),
        ("of another person", json!({"sub": "8", "email": "a@b.c", "email_verified": true}), None),
        ("nothing", json!([]), None),
    ] {
        small.answer("/me", &told);
        let found = identified(&provider).await;
        let verified = found.as_ref().ok().map(|identity| identity.is_email_verified);
        assert_eq!(verified, want, "{name}: {found:?}");
        assert_eq!(
            found.map(|identity| identity.name).ok(),
            want.map(|_| Some("Ada".to_owned())),
            "{name}"
        );
    }
    assert!(small.asked("/me")[0].contains("authorization: Bearer opens\r\n"));
}

#[tokio::test]
async fn a_provider_that_does_not_do_what_it_should() {
    enum Want {
        Unavailable,
        Untrusted,
        Refused,
    }
    let signer = Signer::new("a");
    let document = "/.well-known/openid-configuration";
    let long = " ".repeat(ANSWER_MAX_BYTES + 1);
    let refusal = json!({"error": "invalid_grant", "error_description": "hunter2"}).to_string();
    for (name, path, status, body, want) in [
        ("no document", document, 404, String::new(), Want::Untrusted),
        ("a fault for a document", document, 503, String::new(), Want::Unavailable),
        ("a document elsewhere", document, 302, String::new(), Want::Untrusted),
        ("no JSON", document, 200, "<html>".to_owned(), Want::Untrusted),
        ("a long document", document, 200, long, Want::Untrusted),
        ("no keys", "/keys", 404, String::new(), Want::Untrusted),
        ("keys that are none", "/keys", 200, "[]".to_owned(), Want::Untrusted),
        ("a fault for keys", "/keys", 500, String::new(), Want::Unavailable),
        ("a fault for a code", "/token", 502, String::new(), Want::Unavailable),
        ("a code that is used", "/token", 400, refusal, Want::Refused),
        ("no words for it", "/token", 400, "no".to_owned(), Want::Untrusted),
        ("tokens elsewhere", "/token", 307, String::new(), Want::Untrusted),
        ("tokens that are none", "/token", 200, "{".to_owned(), Want::Untrusted),
        ("no ID token", "/token", 200, r#"{"access_token": "a"}"#.to_owned(), Want::Untrusted),
    ] {
        let small = Small::start().await;
        small.publish(&[&signer]);
        small.give(&signer.sign(&json!({"alg": "ES256", "kid": "a"}), &small.claims()));
        small.answer_as(path, status, body);
        let found = identified(&small.provider()).await;
        let is_so = match (&found, want) {
            (Err(IdentityError::Unavailable(_)), Want::Unavailable)
            | (Err(IdentityError::Untrusted(_)), Want::Untrusted) => true,
            (Err(IdentityError::Refused(said)), Want::Refused) => said == "invalid_grant",
            _ => false,
        };
        assert!(is_so, "{name}: {found:?}");
        assert!(!format!("{found:?}").contains("hunter2"), "{name}");
    }
    // Nobody listens there.
    let small = Small::start().await;
    let gone = OpenIdSettings {
        issuer: Issuer::parse("http://127.0.0.1:1").unwrap(),
        ..small.provider().settings
    };
    let gone = OpenIdProvider::new(gone).unwrap();
    let found = gone.sign_in_at(&attempt(), BACK, now()).await;
    assert!(matches!(found, Err(IdentityError::Unavailable(_))), "{found:?}");
}

#[tokio::test]
async fn a_document_leads_nowhere_else_inside_the_network() {
    let (small, signer) = (Small::start().await, Signer::new("a"));
    small.publish(&[&signer]);
    for (name, address) in [
        ("another port", "http://127.0.0.1:1/token"),
        ("a private address", "https://10.0.0.1/token"),
        ("metadata of a cloud", "https://169.254.169.254/token"),
        ("a name of this machine", "https://localhost/token"),
    ] {
        small.answer(
            "/.well-known/openid-configuration",
            &json!({
                "issuer": small.url, "authorization_endpoint": format!("{}/auth", small.url),
                "token_endpoint": address, "jwks_uri": format!("{}/keys", small.url),
            }),
        );
        match identified(&small.provider()).await {
            Err(IdentityError::Untrusted(why)) => {
                assert!(why.contains("names a server"), "{name}: {why}")
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn every_way_of_signing_that_is_believed() {
    signed::prepare();
    let rsa: Value = serde_json::from_str(include_str!("fixtures/rsa.json")).unwrap();
    let point = Signer::of(&ECDSA_P384_SHA384_FIXED_SIGNING, "P-384", "a");
    let random = SystemRandom::new();
    let document = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
    let edwards = Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap();
    let x = URL_SAFE_NO_PAD.encode(edwards.public_key().as_ref());
    let edwards_public = json!({"kty": "OKP", "crv": "Ed25519", "x": x});
    let claims = json!({"iss": "https://a.example", "sub": "7", "aud": "us", "exp": 2, "iat": 1});
    let by_edwards =
        signed(&json!({"alg": "EdDSA"}), &claims, |text| edwards.sign(text).as_ref().to_vec());
    let mut tokens = vec![
        ("ES384", point.sign(&json!({"alg": "ES384", "kid": "a"}), &claims)),
        ("EdDSA", by_edwards),
    ];
    for (way, token) in rsa["tokens"].as_object().unwrap() {
        tokens.push((way.as_str(), token.as_str().unwrap().to_owned()));
    }
    assert_eq!(tokens.len(), 8);
    // Among others, of which nobody knows what they are.
    let keys = json!({"keys": [
        {"kty": "new"}, 7, {"kty": "RSA", "n": "", "use": "enc"}, point.public, edwards_public, rsa["keys"][0],
    ]});
    let keys = Keys::read(keys.to_string().as_bytes()).unwrap();
    assert_eq!(keys.len(), 3);
    for (way, token) in tokens {
        let read = signed::read(&token, &keys);
        assert_eq!(read.map(|token| token.identity.subject).as_deref(), Ok("7"), "{way}");
        let (text, signature) = token.rsplit_once('.').unwrap();
        let changed = if signature.starts_with('A') { "B" } else { "A" };
        let forged = format!("{text}.{changed}{}", &signature[1..]);
        assert!(signed::read(&forged, &keys).is_err(), "{way}, forged");
    }
}

#[tokio::test]
async fn what_the_doctor_is_told() {
    let (small, signer) = (Small::start().await, Signer::new("a"));
    small.publish(&[&signer]);
    let reached = small.provider().reach(now()).await.unwrap();
    assert_eq!((reached.signs_in_at.as_str(), reached.keys), ("127.0.0.1", 1));
}
