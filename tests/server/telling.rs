//! Who is told of what: people by mail, through a mail server that others have written, and people
//! and programs of what clients decide.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use http::StatusCode;
use http::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::support::{Networks, Receiver, Setup, client_of_forms, wait_for};

/// The Python that has the mail server `aiosmtpd`.
fn python() -> Option<&'static str> {
    let has_it = |python: &&str| {
        let mut look = Command::new(python);
        look.args(["-c", "import aiosmtpd"]).stdout(Stdio::null()).stderr(Stdio::null());
        look.status().is_ok_and(|status| status.success())
    };
    let found = ["/usr/bin/python3", "python3"].into_iter().find(has_it);
    let must = std::env::var_os("SCHEDULER_REQUIRE_SMTP").is_some();
    assert!(found.is_some() || !must, "aiosmtpd is not installed");
    if found.is_none() {
        eprintln!("NOT TESTED: aiosmtpd is not installed");
    }
    found
}

/// A mail server that keeps what it takes in a folder.
struct MailServer {
    child: Child,
    address: String,
}

impl MailServer {
    fn start(python: &str, folder: &Path) -> Self {
        // The port is free a moment later as well, but for bad luck.
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap().to_string();
        drop(free);
        let mut command = Command::new(python);
        command.args(["-m", "aiosmtpd", "-n", "-l", &address, "-c", "aiosmtpd.handlers.Mailbox"]);
        let child = command.arg(folder).stderr(Stdio::null()).spawn().unwrap();
        Self { child, address }
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn mails(folder: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(folder.join("new")) else { return Vec::new() };
    files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_is_told_of_failures_by_mail() {
    let Some(python) = python() else { return };
    let networks = Networks::start().await;
    let (folder, mailbox) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mailbox = mailbox.path().join("ana");
    let server = MailServer::start(python, &mailbox);
    let url = format!("smtp://{}", server.address);
    let variables =
        [("SCHEDULER_SMTP_URL", url.as_str()), ("SCHEDULER_MAIL_FROM", "Scheduler <s@b.example>")];
    let setup = Setup::new(folder.path(), networks.url());
    let service = setup.serve_with(&variables);
    let run = |arguments: &[&str]| setup.json(&variables, arguments);
    let added = run(&["notifications", "add", "email", "Ana <ana@bakery.example>"]);
    let id = added["id"].as_str().unwrap();
    wait_for("the mail server to take a test", async || {
        (run(&["notifications", "test", id])["sent"] == true).then_some(())
    })
    .await;
    let [test] = &mails(&mailbox)[..] else { panic!("{:?}", mails(&mailbox)) };
    for want in [
        "From: Scheduler <s@b.example>",
        "To: Ana <ana@bakery.example>",
        "Subject: default: a test",
        "Auto-Submitted: auto-generated",
    ] {
        assert!(test.contains(want), "{want}: {test}");
    }

    networks.fault_publish("mastodon", "permanent", 2).await;
    for number in 0..2 {
        let content = format!("post {number}");
        let targets = [json!({"platform": "mastodon"})];
        service
            .api()
            .create(&json!({"content": content, "publishNow": true, "targets": targets}))
            .await;
    }
    let told = wait_for("the failures to be told", async || {
        mails(&mailbox).into_iter().find(|mail| !mail.contains("a test"))
    })
    .await;
    assert!(told.contains("Subject: default: 2 posts have failed"), "{told}");
    assert_eq!(mails(&mailbox).len(), 2, "in one message");
    assert_eq!(run(&["notifications", "list"])["data"][0]["error"], Value::Null);
}

/// Decides on a post as a client does, on the page that a link opens.
async fn decide(page: &str, post: &str, decision: &str, note: &str) {
    let shown = client_of_forms().get(page).send().await.unwrap().text().await.unwrap();
    let (_, seen) = shown.split_once("name=\"seen\" value=\"").unwrap();
    let seen = seen.split('"').next().unwrap();
    let form = format!("post={post}&seen={seen}&decision={decision}&note={note}");
    let sent = client_of_forms().post(page).body(form);
    let sent = sent.header(CONTENT_TYPE, "application/x-www-form-urlencoded").send().await;
    assert_eq!(sent.unwrap().status(), StatusCode::SEE_OTHER, "{decision}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_decides_reaches_who_has_asked_for_it() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let service = setup.serve();
    let run = |arguments: &[&str]| setup.json(&[], arguments);
    let [program, other_program, person, other_person] = [
        Receiver::start().await,
        Receiver::start().await,
        Receiver::start().await,
        Receiver::start().await,
    ];
    for (events, program, person) in [
        ("post.approval_decided", &program, &person),
        ("post.failed,post.published", &other_program, &other_person),
    ] {
        run(&["webhooks", "add", &program.url(), "--events", events]);
        run(&["notifications", "add", "slack", &person.url(), "--events", events]);
    }
    let targets = [json!({"platform": "mastodon"})];
    let post = json!({
        "content": "To the fair", "scheduledAt": "2099-06-01T09:00:00Z", "targets": targets,
    });
    let post = service.api().create(&post).await["id"].as_str().unwrap().to_owned();
    let made = run(&["approvals", "create", &post, "--client", "Ana"]);
    let (_, secret) = made["url"].as_str().unwrap().split_once("/approve/").unwrap();
    let page = format!("{}/approve/{secret}", service.url);

    decide(&page, &post, "changes", "Warmer").await;
    let first = program.wait_for(1).await;
    let want = json!({
        "postId": post, "scheduledAt": "2099-06-01T09:00:00Z",
        "decision": "changes", "note": "Warmer",
    });
    assert_eq!((&first[0]["event"], &first[0]["data"]), (&json!("post.approval_decided"), &want));
    let told = person.wait_for(1).await;
    let text = told[0]["text"].as_str().unwrap();
    assert!(text.contains("changes asked for: Warmer") && text.contains(&post), "{text}");

    // Given twice, an answer is told once; another one is told as well.
    decide(&page, &post, "changes", "Warmer").await;
    decide(&page, &post, "approve", "").await;
    let events = program.wait_for(2).await;
    let decisions: Vec<&Value> = events.iter().map(|event| &event["data"]["decision"]).collect();
    assert_eq!(decisions, ["changes", "approved"]);
    for (name, receiver) in [("a program", other_program), ("a person", other_person)] {
        assert_eq!(receiver.events(), [Value::Null; 0], "{name} who has asked for other events");
    }
}
