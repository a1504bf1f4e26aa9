//! Accounts and what would fail without them, and approvals that are waited for.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use http::{Method, StatusCode};
use serde_json::json;

use super::Site;
use super::acting::Visitor;
use crate::support::wait_for;

/// What stands in a cell of a row.
fn cell<'a>(row: &'a str, label: &str) -> &'a str {
    let (_, rest) = row.split_once(&format!("data-l=\"{label}\"")).unwrap();
    let (_, rest) = rest.split_once('>').unwrap();
    rest.split_once("</td>").unwrap().0
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_tell_how_they_stand() {
    let site = Site::start().await;
    site.post("Live", json!({"publishNow": true})).await;
    let visitor = Visitor::of(&site, "owner").await;
    let page = wait_for("the last publish", async || {
        let page = visitor.page("accounts").await;
        let row = page
            .split("<tr>")
            .find(|row| row.contains("> Mastodon<") || row.contains(">Mastodon<"))?;
        (cell(row, "Last publish") != "none yet").then(|| page.clone())
    })
    .await;
    let rows: Vec<&str> = page.split("<tr>").filter(|row| row.contains("data-l=")).collect();
    assert!(rows.len() >= 13, "{}", rows.len());
    for row in rows {
        for label in ["State", "Access", "API", "Used", "Last publish"] {
            assert!(!cell(row, label).trim().is_empty(), "{label}: {row}");
        }
        assert!(row.contains("not told") || row.contains("<meter"), "{row}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disconnect_lists_what_would_fail() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "owner").await;
    let account = site.account("mastodon").await;
    let path = format!("accounts/{account}/disconnect");
    assert!(visitor.page(&path).await.contains("No post to come goes out through it."));
    let id = site.post("To the fair", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    let page = visitor.page(&path).await;
    for want in ["1 post to come would fail", "To the fair", &format!("posts/{id}#t-")] {
        assert!(page.contains(want), "{want}: {page}");
    }
    let (status, page) = visitor.send(&path, &[]).await;
    assert_eq!(status, StatusCode::CONFLICT, "not without a choice");
    assert!(page.contains("To the fair"), "{page}");
    visitor.done(&path, &[("due", "cancel")]).await;
    assert_eq!(site.service.api().get(&format!("/posts/{id}")).await["status"], "canceled");
    let accounts = site.service.api().get("/oauth/accounts").await;
    let mut left = accounts["data"].as_array().unwrap().iter();
    assert!(left.all(|left| left["id"] != *account), "{accounts}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_due_and_waits_for_a_client_stands_on_top() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "editor").await;
    let id = site.post("To the fair", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    let later = site.post("Later", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    site.client_link(&[&id, &later], "Our week");
    #[expect(clippy::disallowed_methods, reason = "the server goes by the clock of the machine")]
    let now = DateTime::<Utc>::from(std::time::SystemTime::now());
    let due = (now + TimeDelta::seconds(2)).to_rfc3339_opts(SecondsFormat::Secs, true);
    // A time is no text: the client is still the one who is asked.
    let body = json!({"scheduledAt": due});
    let path = format!("/posts/{id}");
    let moved = site.service.api().send(Method::PATCH, &path, None, Some(&body)).await;
    assert_eq!(moved.status(), StatusCode::OK);
    let page = wait_for("the post to be late", async || {
        let page = visitor.page("approvals").await;
        page.contains(", waits for Jonas.").then_some(page)
    })
    .await;
    let (top, table) = page.split_once("<table").unwrap();
    assert!(top.contains("“To the fair” was due "), "{top}");
    assert!(!top.contains("“Later”"), "{top}");
    for want in ["Jonas</h2>", "Hello Jonas,", "“Later” waits for your approval.", "Withdraw"] {
        assert!(page.contains(want), "{want}: {table}");
    }
    let asked = format!("posts/{later}/approval");
    let (status, page) = visitor.send(&asked, &[("client", "Jonas")]).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("/approve/") && page.contains("Copy</button>"), "{page}");
}
