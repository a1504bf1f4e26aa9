//! The receivers of `examples/`, in three languages, under events of the built server, and under
//! deliveries that are forged, old, or repeated.

use std::process::{Command, Stdio};

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::signing::{SIGNATURE_V2_HEADER, sign_v2};
use serde_json::{Value, json};

use crate::support::{Networks, Setup, Watched, client, example, free_port, wait_for};

#[tokio::test(flavor = "multi_thread")]
async fn the_receiver_in_rust_verifies() {
    verifies(Command::new(example("verify_webhook"))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_receiver_in_python_verifies() {
    if let Some(python) = interpreter("python3", "receiver.py") {
        verifies(python).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_receiver_in_javascript_verifies() {
    if let Some(node) = interpreter("node", "receiver.mjs") {
        verifies(node).await;
    }
}

/// The command of a script, where its language is installed.
fn interpreter(program: &str, script: &str) -> Option<Command> {
    let mut version = Command::new(program);
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    if version.status().is_ok_and(|status| status.success()) {
        let mut command = Command::new(program);
        command.arg(format!("{}/examples/receivers/{script}", env!("CARGO_MANIFEST_DIR")));
        return Some(command);
    }
    let required = std::env::var_os("SCHEDULER_REQUIRE_RECEIVERS").is_some_and(|set| set == "1");
    assert!(!required, "{program} is not installed, and SCHEDULER_REQUIRE_RECEIVERS is 1");
    eprintln!("{script} WAS NOT TESTED: {program} is not installed");
    None
}

async fn verifies(mut command: Command) {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let service = setup.serve();
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}/events");
    let secret = service.api().add_webhook(&url).await;
    command.arg(port.to_string()).env("SCHEDULER_WEBHOOK_SECRET", &secret);
    let mut receiver = Watched::start(&mut command);
    receiver.line("the receiver", |line| line.starts_with("Receiving on ")).await;

    // What the server sends is verified, and what it sends again is a repeat.
    let post = service
        .api()
        .create(&json!({
            "content": "Tell every receiver",
            "publishNow": true,
            "targets": [{"platform": "bluesky"}, {"platform": "mastodon"}],
        }))
        .await;
    let post = service.api().ended(post["id"].as_str().unwrap()).await;
    for target in post["targets"].as_array().unwrap() {
        let (platform, link) =
            (target["platform"].as_str().unwrap(), target["remoteUrl"].as_str().unwrap());
        let end = format!(" {platform} {link}");
        let verified =
            |line: &str| line.starts_with("verified post.published ") && line.ends_with(&end);
        receiver.line("an event of the server", verified).await;
    }
    let (delivery, event) = delivered(&setup).await;
    setup.run(&["deliveries", "redeliver", &delivery]);
    receiver.line("the repeat", |line| line == format!("repeat {event}")).await;
    let verified = receiver.lines().iter().filter(|line| line.starts_with("verified")).count();
    assert_eq!(verified, 2, "{:#?}", receiver.lines());

    for forgery in forgeries(&secret) {
        let before = receiver.lines().len();
        let mut request = client().post(&url).body(forgery.body);
        if let Some(signature) = forgery.signature {
            request = request.header(SIGNATURE_V2_HEADER, signature);
        }
        let answer = request.send().await.expect("the receiver answers");
        assert_eq!(answer.status(), forgery.status, "{}", forgery.name);
        let lines = wait_for("its line", async || {
            Some(receiver.lines()).filter(|lines| lines.len() > before)
        })
        .await;
        assert!(lines[before].starts_with(forgery.line), "{}: {lines:#?}", forgery.name);
        assert_eq!(lines.len(), before + 1, "{}: {lines:#?}", forgery.name);
    }
}

/// The first delivery that was acknowledged, and its event.
async fn delivered(setup: &Setup) -> (String, String) {
    wait_for("an acknowledged delivery", async || {
        let listed = setup.run(&["deliveries", "list", "--json"]).stdout;
        let listed: Value = serde_json::from_slice(&listed).unwrap();
        let first = listed["data"].as_array()?.iter().find(|one| one["status"] == "delivered")?;
        let text = |name: &str| Some(first[name].as_str()?.to_owned());
        Some((text("id")?, text("eventId")?))
    })
    .await
}

/// A delivery that the server has not sent, and what becomes of it.
struct Forgery {
    name: &'static str,
    body: String,
    signature: Option<String>,
    status: u16,
    line: &'static str,
}

fn forgeries(secret: &str) -> Vec<Forgery> {
    #[expect(clippy::disallowed_methods, reason = "a sender reads its own clock")]
    let now = DateTime::<Utc>::from(std::time::SystemTime::now());
    let event = |number: u8| {
        json!({
            "id": format!("019d3608-3200-7000-8000-0000000000{number:02}"),
            "event": "post.failed",
            "createdAt": "2026-11-21T12:00:00Z",
            "data": {
                "postId": "019d3608-3200-7000-8000-000000000001",
                "targetId": "019d3608-3200-7000-8000-000000000002",
                "platform": "bluesky",
                "error": "the network refused it",
                "permanent": true,
                "attempts": 1,
            },
        })
        .to_string()
    };
    let signed = |name, secret: &str, minutes, body: String, status, line| {
        let signature = Some(sign_v2(secret, now + TimeDelta::minutes(minutes), body.as_bytes()));
        Forgery { name, body, signature, status, line }
    };
    let with = |name, signature: Option<&str>| Forgery {
        name,
        body: event(5),
        signature: signature.map(str::to_owned),
        status: 400,
        line: "refused",
    };
    let right = sign_v2(secret, now, event(5).as_bytes());
    let tag = right.rsplit_once('=').unwrap().1;
    let mut all = vec![
        signed("a good one", secret, 0, event(1), 204, "verified post.failed "),
        signed("the same again", secret, 0, event(1), 204, "repeat "),
        signed("again, signed later", secret, 1, event(1), 204, "repeat "),
        signed("another secret", "whsec_another", 0, event(2), 400, "refused"),
        signed("six minutes old", secret, -6, event(3), 400, "refused"),
        signed("six minutes early", secret, 6, event(3), 400, "refused"),
        signed("four minutes old", secret, -4, event(4), 204, "verified post.failed "),
        with("without a signature", None),
        with("an empty signature", Some("")),
        with("half a signature", Some(&right[..right.len() - 2])),
        with("a time that is none", Some(&format!("t=now,v2={tag}"))),
        with("another time", Some(&format!("t=1,v2={tag}"))),
        with("the older form", Some(&format!("sha256={tag}"))),
        signed("no JSON", secret, 0, "hello".to_owned(), 400, "refused"),
        signed("no event", secret, 0, "[]".to_owned(), 400, "refused"),
        signed("nothing", secret, 0, String::new(), 400, "refused"),
    ];
    // One byte of the body differs from what was signed.
    let mut changed = signed("a changed body", secret, 0, event(6), 400, "refused");
    changed.body = changed.body.replace("bluesky", "bluesKy");
    // The same JSON, written in another way.
    let mut spaced = signed("other bytes", secret, 0, event(6), 400, "refused");
    spaced.body = spaced.body.replace(':', ": ");
    all.extend([changed, spaced]);
    all.push(signed("a good one at last", secret, 0, event(7), 204, "verified post.failed "));
    all
}
