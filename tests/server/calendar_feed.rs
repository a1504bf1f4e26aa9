//! What calendars read, by a parser that others have written (Python's `icalendar`).

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Stdio};

use chrono::TimeDelta;
use reqwest::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RETRY_AFTER, WWW_AUTHENTICATE,
};
use reqwest::{Response, StatusCode};
use scheduler_core::ports::Clock as _;
use scheduler_worker::SystemClock;
use serde_json::{Value, json};

use crate::support::{Networks, Service, Setup, client};

/// Reads a calendar from standard input, and prints what is in it.
const READER: &str = r#"
import json, sys
from icalendar import Calendar
calendar = Calendar.from_ical(sys.stdin.buffer.read())
def plain(value):
    return value.dt.isoformat() if hasattr(value, "dt") else int(value) if isinstance(value, int) else str(value)
print(json.dumps({
    "calendar": {name: str(calendar[name].dt) if hasattr(calendar[name], "dt") else str(calendar[name]) for name in calendar},
    "events": [{name: plain(event[name]) for name in event} for event in calendar.walk("VEVENT")],
    "errors": [str(error) for part in calendar.walk() for error in part.errors],
}))
"#;

/// The Python that has the parser.
fn python() -> Option<&'static str> {
    let has_it = |python: &&str| {
        let mut look = Command::new(python);
        look.args(["-c", "import icalendar"]).stdout(Stdio::null()).stderr(Stdio::null());
        look.status().is_ok_and(|status| status.success())
    };
    let found = ["/usr/bin/python3", "python3"].into_iter().find(has_it);
    let must = std::env::var_os("SCHEDULER_REQUIRE_ICALENDAR").is_some();
    assert!(found.is_some() || !must, "Python's icalendar is not installed");
    if found.is_none() {
        eprintln!("NOT TESTED: Python's icalendar is not installed");
    }
    found
}

/// What the parser finds in a calendar.
fn parsed(python: &str, calendar: &str) -> Value {
    let mut command = Command::new(python);
    command.args(["-c", READER]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(calendar.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{calendar}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The path of a feed that is made now.
fn made(setup: &Setup, variables: &[(&str, &str)]) -> String {
    let made = setup.json(variables, &["calendar", "feed", "make"]);
    let url = made["url"].as_str().unwrap();
    let path = url.strip_prefix("https://posts.example").unwrap();
    assert!(path.starts_with("/feeds/") && path.ends_with(".ics"), "{path}");
    path.to_owned()
}

async fn asked(service: &Service, path: &str, known: Option<&str>) -> Response {
    let mut request = client().get(format!("{}{path}", service.url));
    if let Some(known) = known {
        request = request.header(IF_NONE_MATCH, known);
    }
    request.send().await.unwrap()
}

const PUBLIC: [(&str, &str); 1] = [("SCHEDULER_PUBLIC_URL", "https://posts.example")];

/// What would break a calendar that is put together carelessly.
const HOSTILE: &str = "Cake, tea; a back\\slash: \"quoted\"\nEND:VEVENT\nBEGIN:VEVENT\nÖl – 日本語 👩‍👩‍👧 and words enough for lines that have to be folded";

#[tokio::test(flavor = "multi_thread")]
async fn every_post_with_a_time_is_an_entry() {
    let Some(python) = python() else { return };
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let service = setup.serve_with(&PUBLIC);
    let api = service.api();
    let post = async |content: &str, rest: Value| -> Value {
        let mut body = json!({"content": content, "targets": [{"platform": "mastodon"}]});
        body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        api.create(&body).await
    };
    let soon = SystemClock::new().now() + TimeDelta::days(3);
    let soon = soon.format("%Y-%m-%dT09:00:00Z").to_string();
    let planned = json!({
        "scheduledAt": soon,
        "linkUrl": "https://example.com/?a=1,2;3",
        "targets": [{"platform": "mastodon"}, {"platform": "bluesky", "options": {"caption": "Sky"}}],
    });
    let planned = post(HOSTILE, planned).await;
    let live = post("Live", json!({"publishNow": true})).await;
    api.ended(live["id"].as_str().unwrap()).await;
    post("No time", json!({"saveAsDraft": true})).await;
    let canceled = post("Not after all", json!({"scheduledAt": soon})).await;
    setup.run(&["posts", "cancel", canceled["id"].as_str().unwrap()]);

    let path = made(&setup, &PUBLIC);
    let answer = asked(&service, &path, None).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[CONTENT_TYPE], "text/calendar; charset=utf-8");
    assert_eq!(answer.headers()[CACHE_CONTROL], "private, no-cache");
    let etag = answer.headers()[ETAG].to_str().unwrap().to_owned();
    let text = answer.text().await.unwrap();
    assert!(text.split("\r\n").all(|line| line.len() <= 75), "no line is longer than 75 bytes");
    let same = asked(&service, &path, Some(&etag)).await;
    assert_eq!(same.status(), StatusCode::NOT_MODIFIED);

    let found = parsed(python, &text);
    assert_eq!(found["errors"], json!([]));
    let calendar = &found["calendar"];
    assert_eq!(calendar["X-WR-CALNAME"], "default");
    assert_eq!(calendar["REFRESH-INTERVAL"], "PT15M");
    let events = found["events"].as_array().unwrap();
    let of = |target: &Value| -> &Value {
        events.iter().find(|event| event["UID"] == target["id"]).expect("an entry")
    };
    assert_eq!(events.len(), 4, "none of the draft: {events:#?}");
    let first = of(&planned["targets"][0]);
    let begin = soon.replace('Z', "+00:00");
    assert_eq!(first["DTSTART"], begin);
    assert_eq!(first["DTEND"], begin.replace("09:00:00", "09:15:00"));
    let description = format!("{HOSTILE}\n\nhttps://example.com/?a=1,2;3\n\nplanned");
    assert_eq!(first["DESCRIPTION"], description);
    let summary = first["SUMMARY"].as_str().unwrap();
    assert!(summary.starts_with("mastodon @") && summary.contains(": Cake, tea; a back\\slash"));
    assert_eq!((&first["STATUS"], &first["SEQUENCE"]), (&json!("CONFIRMED"), &json!(1)));
    let page = format!("https://posts.example/w/default/posts/{}", planned["id"].as_str().unwrap());
    assert_eq!(first["URL"], page);
    let second = of(&planned["targets"][1]);
    assert!(second["DESCRIPTION"].as_str().unwrap().starts_with("Sky\n\n"), "{second}");
    assert!(of(&live["targets"][0])["DESCRIPTION"].as_str().unwrap().ends_with("\n\npublished"));
    let canceled = of(&canceled["targets"][0]);
    assert_eq!(canceled["STATUS"], "CANCELLED");
    assert_eq!(canceled["DTSTART"], begin, "when it was meant to go out");

    setup.run(&["posts", "edit", planned["id"].as_str().unwrap(), "--text", "Changed"]);
    let changed = asked(&service, &path, Some(&etag)).await;
    assert_eq!(changed.status(), StatusCode::OK, "there is something new");
    let found = parsed(python, &changed.text().await.unwrap());
    let events = found["events"].as_array().unwrap();
    let event = events.iter().find(|event| event["UID"] == planned["targets"][0]["id"]).unwrap();
    assert_eq!((&event["SEQUENCE"], event["URL"].as_str()), (&json!(2), Some(page.as_str())));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_changed_and_switched_off_and_is_told_to_nobody() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let log = folder.path().join("log");
    let variables = [PUBLIC[0], ("SCHEDULER_LOG", "debug")];
    let service = setup.serve_logging(&variables, File::create(&log).unwrap().into());
    let told = |path: &str| {
        let secret = path.trim_start_matches("/feeds/").trim_end_matches(".ics");
        std::fs::read_to_string(&log).unwrap().contains(secret)
            || setup.json(&[], &["log"]).to_string().contains(secret)
    };
    assert_eq!(setup.json(&[], &["calendar", "feed", "show"]), json!({"createdAt": null}));

    let first = made(&setup, &PUBLIC);
    assert_eq!(asked(&service, &first, None).await.status(), StatusCode::OK);
    let second = made(&setup, &PUBLIC);
    assert_eq!(asked(&service, &first, None).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(asked(&service, &second, None).await.status(), StatusCode::OK);
    assert!(setup.json(&[], &["calendar", "feed", "show"])["createdAt"].is_string());
    setup.json(&[], &["calendar", "feed", "remove"]);
    let refused = asked(&service, &second, None).await;
    assert_eq!(refused.status(), StatusCode::NOT_FOUND);
    assert_eq!(refused.headers().get(WWW_AUTHENTICATE), None);
    let nothing = asked(&service, "/nothing/here.ics", None).await;
    let (refused, nothing) = (refused.text().await.unwrap(), nothing.text().await.unwrap());
    assert_eq!(refused, nothing, "whether there was one it does not say");
    assert!(!told(&first) && !told(&second), "no log has the address");

    // Whoever guesses is slowed down.
    let mut slowed = None;
    for _ in 0..80 {
        let answer = asked(&service, &second, None).await;
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            slowed = answer.headers().get(RETRY_AFTER).cloned();
            break;
        }
    }
    let seconds: u64 = slowed.expect("a limit").to_str().unwrap().parse().unwrap();
    assert!(seconds > 0);
}
