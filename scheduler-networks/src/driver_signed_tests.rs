//! What the driver signs as it sends.

use scheduler_core::memory::{CountedIds, ManualClock};
use serde_json::json;

use super::tests::{answer, server};
use super::*;
use crate::proof::{ClientAssertion, Proof, ProofKey};
use crate::testing::{begun_at, no_files};

fn signing() -> Driver {
    let clock = Arc::new(ManualClock::at(begun_at()));
    let ids = Arc::new(CountedIds::default());
    let driver = Driver::new(Guard::new(true), no_files()).unwrap();
    driver.signing_with(Signing { clock, ids, secrets: Vec::new() })
}

fn key() -> ProofKey {
    ProofKey::derived(b"secret", "test").unwrap()
}

fn bound(url: &Url) -> Request {
    Request::act(url.clone(), Body::Json(json!({ "a": 1 }))).visible().bound(&key(), &"t".into())
}

/// The claims of the proof of each request.
fn claims(requests: &[String]) -> Vec<serde_json::Value> {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let claims = |request: &String| {
        let proof = request.lines().find_map(|line| line.strip_prefix("dpop: ")).unwrap();
        let claims = URL_SAFE_NO_PAD.decode(proof.split('.').nth(1).unwrap()).unwrap();
        serde_json::from_slice(&claims).unwrap()
    };
    requests.iter().map(claims).collect()
}

#[tokio::test]
async fn what_is_refused_for_the_lack_of_a_nonce_is_sent_again_with_it() {
    let wanted = answer(
        "401 Unauthorized",
        "dpop-nonce: n1\r\nwww-authenticate: DPoP error=\"use_dpop_nonce\"\r\ncontent-length: 2\r\n",
        b"{}",
    );
    let taken = answer("200 OK", "dpop-nonce: n2\r\ncontent-length: 2\r\n", b"{}");
    let (url, task) = server(vec![Some(wanted), Some(taken.clone()), Some(taken)]).await;
    let driver = signing();
    for _ in 0..2 {
        assert_eq!(driver.send(&bound(&url)).await.unwrap().status, 200);
    }
    let requests = task.await.unwrap();
    for request in &requests {
        assert!(request.contains("authorization: DPoP t\r\n"), "{request}");
        assert!(request.ends_with("{\"a\":1}"), "{request}");
    }
    let claims = claims(&requests);
    let nonces: Vec<_> = claims.iter().map(|claims| claims["nonce"].as_str()).collect();
    assert_eq!(nonces, [None, Some("n1"), Some("n1")], "kept for the next request");
    assert_ne!(claims[0]["jti"], claims[1]["jti"]);
}

#[tokio::test]
async fn a_nonce_that_is_wanted_again_and_again_is_no_loop() {
    let wanted = answer(
        "400 Bad Request",
        "dpop-nonce: n\r\ncontent-length: 26\r\n",
        br#"{"error":"use_dpop_nonce"}"#,
    );
    let (url, task) = server(vec![Some(wanted.clone()), Some(wanted)]).await;
    let driver = signing();
    assert_eq!(driver.send(&bound(&url)).await.unwrap().status, 400);
    assert_eq!(task.await.unwrap().len(), 2);
}

#[tokio::test]
async fn an_application_says_who_it_is_in_the_form() {
    let ok = answer("200 OK", "content-length: 2\r\n", b"{}");
    let (url, task) = server(vec![Some(ok)]).await;
    let (client_id, audience) = ("https://s.example".to_owned(), "https://i.example".to_owned());
    let client = Some(ClientAssertion { key: key(), client_id, audience });
    let form = Request::act(url, Body::Form(vec![("a", "b".to_owned())]));
    signing().send(&form.proven(Proof { key: key(), token: None, client })).await.unwrap();
    let requests = task.await.unwrap();
    let (_, body) = requests[0].split_once("\r\n\r\n").unwrap();
    assert!(body.starts_with("a=b&client_assertion_type=urn%3Aietf"), "{body}");
    assert!(body.contains("&client_assertion=ey"), "{body}");
    assert!(claims(&requests)[0].get("ath").is_none());
}

#[tokio::test]
async fn nothing_is_sent_that_cannot_be_signed() {
    let (url, _task) = server(vec![]).await;
    let driver = Driver::new(Guard::new(true), no_files()).unwrap();
    let error = driver.send(&bound(&url)).await.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
    assert!(error.message.contains("nothing to sign it with"), "{error}");
}
