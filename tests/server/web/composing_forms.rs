//! The composer by its forms alone: what it says will happen, and what it stores.

use http::header::COOKIE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::Site;
use super::acting::{Visitor, between};
use super::doors::signed_in;
use crate::support::{client_of_forms, wait_for};

/// What the page says will happen, of a form.
async fn will(site: &Site, cookie: &str, form: &[(&str, &str)]) -> String {
    let request = client_of_forms().post(site.at("check")).header(COOKIE, cookie).form(form);
    let answer = request.header("x-fragment", "check").send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let page = answer.text().await.unwrap();
    between(&page, "role=\"status\">", "</p>").trim().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_will_happen_is_said_in_words() {
    let site = Site::start().await;
    for arguments in [
        &["workspace", "set-timezone", "default", "Europe/Stockholm"][..],
        &["accounts", "set-timezone", "mastodon", "Europe/Lisbon"],
    ] {
        assert!(site.setup.run(arguments).status.success(), "{arguments:?}");
    }
    let cookie = signed_in(&site, "editor").await;
    let (bluesky, mastodon, twitter) = (
        site.account("bluesky").await,
        site.account("mastodon").await,
        site.account("twitter").await,
    );
    let both = [("account", bluesky.as_str()), ("account", mastodon.as_str())];
    let at = |when, day, time| vec![("when", when), ("day", day), ("time", time)];
    let words = [("content", "Some words")];
    for (name, accounts, when, want) in [
        (
            "each account's clock",
            &both[..],
            at("local", "2031-10-16", "09:00"),
            &[
                "Goes to 2 accounts.",
                "Bluesky: Thursday 16 October 2031, 09:00 in Stockholm (UTC+2) (07:00 UTC).",
                "Mastodon: Thursday 16 October 2031, 09:00 in Lisbon (UTC+1) (08:00 UTC).",
                "Costs nothing.",
            ][..],
        ),
        (
            "one instant",
            &both,
            at("instant", "2031-10-16", "09:00"),
            &["09:00 in Stockholm (UTC+2) (07:00 UTC).", "08:00 in Lisbon (UTC+1) (07:00 UTC)."],
        ),
        (
            "a gap of one clock",
            &both,
            at("local", "2031-03-30", "02:30"),
            &["Clocks in Stockholm go over 02:30 that day: it goes at 03:30."],
        ),
        (
            "a gap of one instant",
            &both,
            at("instant", "2031-03-30", "02:30"),
            &["Clocks in Stockholm go over 02:30 that day: it goes at 03:30."],
        ),
        (
            "an hour that comes twice",
            &both[..1],
            at("local", "2031-10-26", "02:30"),
            &["Clocks show 02:30 twice that day: it goes the first time, Stockholm (UTC+2)."],
        ),
        (
            "now",
            &both,
            at("now", "", ""),
            &["Leaves 10 seconds after you press, to 2 accounts: Bluesky and Mastodon."],
        ),
        (
            "no time",
            &both,
            at("draft", "", ""),
            &["Stays a draft for 2 accounts; nothing goes out."],
        ),
        ("no account", &[], at("now", "", ""), &["Choose at least one account."]),
        (
            "what costs something",
            &[("account", twitter.as_str())],
            at("now", "", ""),
            &["X charges about "],
        ),
    ] {
        let form = [accounts, &when, &words].concat();
        let said = will(&site, &cookie, &form).await;
        for want in want {
            assert!(said.contains(want), "{name}: {want:?} in {said:?}");
        }
    }
    // Without a slot, and with one.
    let queue = [&both[..1], &at("queue", "", ""), &words].concat();
    assert!(site.setup.run(&["schedule", "set", "bluesky", "--none"]).status.success());
    let said = will(&site, &cookie, &queue).await;
    assert!(said.contains("Not before one thing is fixed."), "{said}");
    let set = site.setup.run(&["schedule", "set", "bluesky", "thu 18:00"]);
    assert!(set.status.success(), "{}", String::from_utf8_lossy(&set.stderr));
    let said = will(&site, &cookie, &queue).await;
    assert!(
        said.starts_with("Goes to 1 account, in its next free slot. Bluesky: Thursday "),
        "{said}"
    );

    // Whom it waits for.
    let id = site.post("To be approved", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    site.client_link(&[&id], "Look");
    let visitor = Visitor::of(&site, "editor").await;
    let page = visitor.page(&format!("compose/{id}")).await;
    assert!(
        between(&page, "id=\"will\"", "</p>").contains("Waits for Jonas’s approval."),
        "{page}"
    );
    let form = [&both[..], &at("now", "", ""), &words, &[("asked", id.as_str())]].concat();
    assert!(will(&site, &cookie, &form).await.contains("Waits for Jonas’s approval."));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_whose_answer_is_lost_is_one_post() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "editor").await;
    let account = site.account("bluesky").await;
    let words = [("content", "Once"), ("account", account.as_str()), ("key", "of this form")];
    // A new post.
    let press = [&words[..], &[("when", "now"), ("do", "schedule")]].concat();
    let first = visitor.done("compose", &press).await;
    assert_eq!(visitor.done("compose", &press).await, first);
    // A draft that is kept already.
    let words = [("content", "Again"), ("account", account.as_str()), ("key", "of another")];
    let kept = visitor.done("compose", &[&words[..], &[("do", "save")]].concat()).await;
    let path = kept.split('?').next().unwrap().trim_start_matches("/w/default/").to_owned();
    let press = [&words[..], &[("when", "now"), ("do", "schedule"), ("revision", "1")]].concat();
    let second = visitor.done(&path, &press).await;
    assert_eq!(visitor.done(&path, &press).await, second, "the answer was lost");
    assert_ne!(first, second);
    let posts = site.service.api().get("/posts").await;
    assert_eq!(posts["data"].as_array().unwrap().len(), 2, "{posts}");

    // Stopped, nothing leaves.
    let id = second.split(['/', '?']).nth(4).unwrap().to_owned();
    let page = visitor.page(&format!("posts/{id}")).await;
    let revision = between(&page, "/stop\"", "</form>");
    let revision = between(revision, "name=\"revision\" value=\"", "\"");
    let led = visitor.done(&format!("posts/{id}/stop"), &[("revision", revision)]).await;
    assert_eq!(led, format!("/w/default/compose/{id}?said=stopped"));
    let first = first.split(['/', '?']).nth(4).unwrap();
    let post = site.service.api().ended(first).await;
    assert_eq!(post["targets"][0]["status"], "published", "{post}");
    let live = site.networks.live("bluesky").await;
    assert_eq!(live.values().sum::<usize>(), 1, "{live:?}");
    assert_eq!(site.service.api().get(&format!("/posts/{id}")).await["status"], "draft");
}

/// A window that holds a draft keeps what is typed by itself, also once somebody has scheduled it in
/// another one.
#[tokio::test(flavor = "multi_thread")]
async fn only_a_press_changes_when_a_post_goes_out() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "editor").await;
    let account = site.account("bluesky").await;
    let at = "2031-05-14T09:30:00Z";
    let id = site.post("As stored", json!({"scheduledAt": at})).await;
    let path = format!("compose/{id}");
    let stands = async || {
        let post = site.service.api().get(&format!("/posts/{id}")).await;
        assert_eq!(post["scheduledAt"], at, "{post}");
        assert_eq!(post["status"], "scheduled");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&post["content"]), post["revision"].as_i64().unwrap())
    };
    for (when, content, revision) in [
        ("now", "As stored", "1"),
        ("draft", "As stored", "1"),
        ("queue", "As stored", "7"),
        ("instant", "Typed here", "1"),
    ] {
        let words = [("content", content), ("account", account.as_str()), ("when", when)];
        let form = [&words[..], &[("do", "save"), ("revision", revision)]].concat();
        let (status, page) = visitor.send(&path, &form).await;
        assert_eq!(status, StatusCode::PRECONDITION_FAILED, "{when}: {page}");
        assert!(page.contains("Keep mine"), "{when}: {page}");
        assert_eq!(stands().await, ("As stored".to_owned(), 1), "{when}");
    }
    // Whoever keeps their text keeps the time of the other.
    let words = [("content", "Typed here"), ("account", account.as_str()), ("when", "now")];
    visitor.done(&path, &[&words[..], &[("do", "mine.1")]].concat()).await;
    assert_eq!(stands().await, ("Typed here".to_owned(), 2));
    // Nor does a typo that is mended move it, which is what the form is drawn with.
    let page = visitor.page(&path).await;
    assert!(page.contains("name=\"when\" value=\"kept\" checked"), "{page}");
    let words = [("content", "Mended"), ("account", account.as_str()), ("when", "kept")];
    visitor.done(&path, &[&words[..], &[("do", "schedule"), ("revision", "2")]].concat()).await;
    assert_eq!(stands().await, ("Mended".to_owned(), 3));
    // Without a script too, whoever changes the time means it.
    let words = [("content", "Mended"), ("account", account.as_str()), ("when", "kept")];
    let drawn = [("planned", at), ("drawn", "2031-05-14 09:30"), ("clock", "instant")];
    let time = [("day", "2031-05-14"), ("time", "09:45"), ("do", "schedule"), ("revision", "3")];
    visitor.done(&path, &[&words[..], &drawn, &time].concat()).await;
    let post = site.service.api().get(&format!("/posts/{id}")).await;
    assert_eq!(post["scheduledAt"], "2031-05-14T09:45:00Z", "{post}");
    let time = [("day", "2031-05-14"), ("time", "09:30"), ("do", "schedule"), ("revision", "4")];
    let back = [&words[..2], &[("when", "instant")], &time].concat();
    visitor.done(&path, &back).await;
    // A press on a page that is older than the time of another asks, and says nothing of stored.
    let words = [("content", "Mended"), ("account", account.as_str()), ("when", "instant")];
    let time = [("day", "2031-06-01"), ("time", "10:00"), ("revision", "2"), ("do", "schedule")];
    let (status, page) = visitor.send(&path, &[&words[..], &time].concat()).await;
    assert_eq!(status, StatusCode::PRECONDITION_FAILED, "{page}");
    assert_eq!(stands().await, ("Mended".to_owned(), 5));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_is_sent_again_takes_nothing_of_another() {
    let site = Site::start().await;
    let (one, other) = (Visitor::of(&site, "editor").await, Visitor::of(&site, "editor").await);
    let form = |content| [("key", "of this form"), ("content", content), ("do", "save")];
    let path = one.done("compose", &form("Mine")).await;
    let path = path.split('?').next().unwrap().trim_start_matches("/w/default/").to_owned();
    other.done(&path, &[("content", "Theirs"), ("do", "save"), ("revision", "1")]).await;
    let (status, page) = one.send("compose", &form("Mine, and more")).await;
    assert_eq!(status, StatusCode::PRECONDITION_FAILED, "{page}");
    let id = path.trim_start_matches("compose/");
    let post = site.service.api().get(&format!("/posts/{id}")).await;
    assert_eq!(post["content"], "Theirs");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_form_has_no_field_for_survives_a_save_and_a_copy() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "editor").await;
    let options = json!({"visibility": "unlisted", "ourOwnKey": {"deep": [1, "é"]}});
    let id = site
        .post(
            "By a program",
            json!({
                "scheduledAt": "2031-05-14T09:30:00Z",
                "targets": [{"platform": "mastodon", "options": options}],
                "metadata": {"campaign": "spring"},
                "disclosure": {"aiGenerated": true},
                "labels": ["a"],
            }),
        )
        .await;
    let page = visitor.page(&format!("compose/{id}")).await;
    assert!(page.contains("Kept, not understood"));
    // As a browser sends it: every field that the page has.
    let account = site.account("mastodon").await;
    let (kept, visibility) = (format!("kept.{account}"), format!("option.{account}.visibility"));
    let value = between(&page, &format!("name=\"{kept}\" value=\""), "\"");
    let value = value.replace("&#34;", "\"");
    let revision = between(&page, "name=\"revision\" value=\"", "\"");
    let form = [
        ("content", "By a person"),
        ("account", account.as_str()),
        (kept.as_str(), value.as_str()),
        (visibility.as_str(), "unlisted"),
        ("labels", "a"),
        ("when", "instant"),
        ("day", "2031-05-14"),
        ("time", "09:30"),
        ("revision", revision),
        ("do", "schedule"),
    ];
    visitor.done(&format!("compose/{id}"), &form).await;
    let api = site.service.api();
    let same = |post: &Value| {
        assert_eq!(post["targets"][0]["options"], options, "{post}");
        assert_eq!(post["metadata"], json!({"campaign": "spring"}));
        assert_eq!(post["disclosure"]["aiGenerated"], true);
        assert_eq!(post["content"], "By a person");
    };
    same(&api.get(&format!("/posts/{id}")).await);
    let copy = visitor.done(&format!("posts/{id}/duplicate"), &[]).await;
    let copy = api.get(&format!("/posts/{}", copy.rsplit('/').next().unwrap())).await;
    assert_eq!(copy["status"], "draft");
    same(&copy);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_says_is_in_its_own_words() {
    let site = Site::start().await;
    let cookie = signed_in(&site, "editor").await;
    let tiktok = site.account("tiktok").await;
    let pinterest = site.account("pinterest").await;
    let form = [
        ("content", "Words"),
        ("account", tiktok.as_str()),
        ("account", pinterest.as_str()),
        ("when", "now"),
        ("do", "schedule"),
    ];
    let request = client_of_forms().post(site.at("compose")).header(COOKIE, &cookie).form(&form);
    let page = request.send().await.unwrap().text().await.unwrap();
    for (slot, words) in [
        (format!("at-who-{tiktok}"), "Choose “Who can see it”: TikTok needs it."),
        (format!("at-o-{pinterest}-boardId"), "“The board”: Pinterest needs it."),
    ] {
        let slot = between(&page, &format!("id=\"{slot}\""), "</div>");
        assert!(slot.contains(words), "{slot}");
        assert!(!slot.contains("SELF_ONLY") && !slot.contains("boardId is"), "{slot}");
    }
    // The boards of the account stand in the field.
    let board = between(&page, &format!("id=\"o-{pinterest}-boardId\""), "</select>");
    assert!(board.matches("<option ").count() > 1, "{board}");
    // A drafter asks in place of scheduling, and a reader only looks.
    for (role, want) in [
        ("drafter", "value=\"ask\" id=\"go\">Ask for approval"),
        ("reader", "You can look, not change."),
    ] {
        let page = Visitor::of(&site, role).await.page("compose").await;
        assert!(page.contains(want), "{role}");
        assert!(!page.contains("value=\"schedule\""), "{role}");
    }
    let drafter = Visitor::of(&site, "drafter").await;
    let bluesky = site.account("bluesky").await;
    let ask = [("content", "To be approved"), ("account", bluesky.as_str()), ("do", "ask")];
    let led = drafter.done("compose", &ask).await;
    assert!(led.starts_with("/w/default/posts/") && led.ends_with("#client"), "{led}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_is_refused_keeps_what_was_written() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "editor").await;
    let id = site.post("To be moved", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    let path = format!("posts/{id}/move");
    for (day, time) in [("2001-01-01", "10:15"), ("2031-06-01", "")] {
        let (status, page) = visitor.send(&path, &[("day", day), ("time", time)]).await;
        assert!(status.is_client_error(), "{day} {time}: {status}");
        let is_kept = page.contains(&format!("value=\"{day}\""))
            && page.contains(&format!("value=\"{time}\""));
        assert!(is_kept && page.contains("id=\"problem\""), "{day} {time}: {page}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_steps_back_are_kept_and_no_more() {
    let site = Site::start().await;
    let visitor = Visitor::of(&site, "editor").await;
    let id = site.post("0", json!({"saveAsDraft": true})).await;
    // Each by another key, so that each is a version of its own.
    let change = async |content: String, by: &str| {
        let (path, change) = (format!("/posts/{id}"), json!({ "content": content }));
        let api = site.service.api();
        let answer = api.send(Method::PATCH, &path, None, Some(&change)).await;
        assert_eq!(answer.status(), StatusCode::OK, "{by}");
        // A press on the page closes what was written.
        let page = visitor.page(&format!("compose/{id}")).await;
        let revision = between(&page, "name=\"revision\" value=\"", "\"").to_owned();
        let account = site.account("mastodon").await;
        let form = [
            ("content", &*format!("{content} kept")),
            ("account", &account),
            ("revision", &revision),
            ("do", "save"),
        ];
        visitor.done(&format!("compose/{id}"), &form).await;
    };
    for step in 1..=28 {
        change(step.to_string(), "a key").await;
    }
    let page = wait_for("the versions", async || {
        Some(visitor.page(&format!("compose/{id}/versions")).await)
    })
    .await;
    assert_eq!(page.matches("Look at it").count(), 51, "what it says now and 50 steps back");
    assert!(page.contains("28 kept") && !page.contains(">0<"));
    assert!(page.contains("the key “"), "who has written it");
}
