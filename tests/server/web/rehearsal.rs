//! A rehearsal of the built server: the command, the endpoint behind it, and the page.

use chrono::TimeDelta;
use http::header::COOKIE;
use serde_json::{Value, json};

use super::Site;
use super::doors::signed_in;
use super::figures::now;
use crate::support::client_of_forms;

async fn got(site: &Site, cookie: &str, path: &str) -> (u16, String) {
    let request = client_of_forms().get(site.at(path)).header(COOKIE, cookie);
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_has_not_approved_and_what_a_network_delays_is_told() {
    let site = Site::start().await;
    let tomorrow = now() + TimeDelta::days(1);
    let at = |seconds| json!({"scheduledAt": tomorrow + TimeDelta::seconds(seconds)});
    let asked = site.post("Ask Jonas", at(0)).await;
    site.client_link(&[&asked], "Please look");
    for number in 0..22 {
        let mut body = at(number);
        body["targets"] = json!([{"platform": "telegram"}]);
        site.post(&format!("Message {number}"), body).await;
    }
    let before = site.service.api().get("/posts?limit=500").await;

    let rehearsed = |arguments: &[&str]| {
        let output = site.setup.run(&[&["rehearse"], arguments].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    let found: Value = serde_json::from_str(&rehearsed(&["--days", "3", "--json"])).unwrap();
    assert_eq!(
        (&found["onTime"], &found["delayed"], &found["stopped"]),
        (&json!(20), &json!(2), &json!(1))
    );
    let kinds: Vec<&Value> =
        found["findings"].as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, [&json!("approval"), &json!("rate")]);
    let told = rehearsed(&["--days", "3"]);
    for words in
        ["23 posts until", "20 on time, 2 later, 1 not at all", "not approved", "20 posts a minute"]
    {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_eq!(site.service.api().get("/posts?limit=500").await, before, "nothing has changed");

    let cookie = signed_in(&site, "reader").await;
    let (status, page) = got(&site, &cookie, "rehearsal").await;
    assert_eq!(status, 200);
    for words in ["Ask Jonas", "does not go out", "not approved", "What mends it", "Message 21"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let (_, calendar) = got(&site, &cookie, "calendar/list").await;
    assert!(calendar.contains("/w/default/rehearsal\""), "the calendar leads there");
    let day = format!("calendar/{}?rehearsal=1", tomorrow.format("%Y-%m-%d"));
    let (status, marked) = got(&site, &cookie, &day).await;
    assert_eq!(status, 200);
    for words in ["does not go out: not approved", ": rate", "Stop rehearsing"] {
        assert!(marked.contains(words), "{words}: {marked}");
    }
    // What an open page asks for by itself is not rehearsed, and says so; nor is what is over, or what
    // has no marks.
    let again = client_of_forms().get(site.at(&day)).header(COOKIE, &cookie);
    let again = again.header("x-unattended", "1").send().await.unwrap().text().await.unwrap();
    assert!(again.contains("has changed since it was rehearsed"), "{again}");
    assert!(!again.contains("does not go out"), "{again}");
    let (_, later) = got(&site, &cookie, "calendar/2091-01?rehearsal=1").await;
    assert!(later.contains("A rehearsal reaches 90 days ahead"), "{later}");
    let (_, listed) = got(&site, &cookie, "calendar/list?rehearsal=1").await;
    assert!(!listed.contains("Stop rehearsing"), "{listed}");
    let (_, unmarked) = got(&site, &cookie, day.trim_end_matches("?rehearsal=1")).await;
    assert!(!unmarked.contains("does not go out"), "{unmarked}");
    for wrong in ["rehearsal?days=0", "rehearsal?days=91", "rehearsal?days=x"] {
        assert_eq!(got(&site, &cookie, wrong).await.0, 400, "{wrong}");
    }
}
