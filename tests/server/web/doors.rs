//! Who is let in, and what no other site may do.

use http::header::{CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Site;
use crate::support::{client_of_forms, wait_for};

/// Every page of a workspace, with the least role that it opens to, as the design's table has it.
fn least_role(name: &str) -> &'static str {
    match name {
        "web_connect"
        | "web_connect_account"
        | "web_set_slots"
        | "web_disconnect_form"
        | "web_disconnect"
        | "web_change_workspace"
        | "web_invite"
        | "web_server"
        | "web_create_key"
        | "web_revoke_key"
        | "web_create_webhook"
        | "web_make_calendar_feed"
        | "web_remove_calendar_feed"
        | "web_set_link_rules"
        | "web_remove_webhook"
        | "web_test_webhook"
        | "web_redeliver" => "owner",
        "web_approve_post"
        | "web_retry_post"
        | "web_cancel_post"
        | "web_move_post_form"
        | "web_move_post"
        | "web_stop_post"
        | "web_undo_post"
        | "web_take_down"
        | "web_change_live_post"
        | "web_point_target"
        | "web_found_live"
        | "web_act_on_comment"
        | "web_withdraw_approval"
        | "web_poll_feed"
        | "web_pause_feed"
        | "web_resume_feed"
        | "web_remove_feed"
        | "web_pause_recurrence"
        | "web_resume_recurrence"
        | "web_end_recurrence"
        | "web_remove_recurrence"
        | "web_delete_media" => "editor",
        "web_write_post"
        | "web_rewrite_post"
        | "web_restore_post_version"
        | "web_duplicate_post"
        | "web_change_posts"
        | "web_ask_client"
        | "web_mark_comments"
        | "web_add_media"
        | "web_complete_media"
        | "web_upload_links"
        | "web_crop"
        | "web_crop_media"
        | "web_describe_media" => "drafter",
        _ => "reader",
    }
}

/// The cookie of somebody of a role.
pub(super) async fn signed_in(site: &Site, role: &str) -> String {
    let link = site.link(role);
    let (_, code) = link.split_once('#').unwrap();
    let answer = sign_in(site, code).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let cookie = answer.headers()[SET_COOKIE].to_str().unwrap();
    for want in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(want), "{cookie}");
    }
    cookie.split(';').next().unwrap().to_owned()
}

async fn sign_in(site: &Site, code: &str) -> Response {
    let address = format!("{}/signin/once", site.service.url);
    client_of_forms().post(address).form(&[("link", code)]).send().await.unwrap()
}

async fn asked(site: &Site, method: &Method, path: &str, headers: &[(&str, &str)]) -> Response {
    let address = format!("{}{path}", site.service.url);
    let mut request = client_of_forms().request(method.clone(), address);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    if *method == Method::POST {
        request = request.form(&[("do", "none")]);
    }
    request.send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_works_once_and_a_session_ends_at_once() {
    let site = Site::start().await;
    let link = site.link("reader");
    let (_, code) = link.split_once('#').unwrap();
    let opened = asked(&site, &Method::GET, "/signin/once", &[]).await;
    assert_eq!(opened.status(), StatusCode::OK, "a look uses nothing up");
    assert_eq!(sign_in(&site, code).await.status(), StatusCode::SEE_OTHER);
    assert_eq!(sign_in(&site, code).await.status(), StatusCode::UNAUTHORIZED, "once");

    let cookie = signed_in(&site, "owner").await;
    let headers = [(COOKIE.as_str(), cookie.as_str())];
    let home = asked(&site, &Method::GET, "/", &headers).await;
    assert_eq!(home.headers()[LOCATION], "/w/default/calendar");
    let out = asked(&site, &Method::POST, "/signout", &headers).await;
    assert_eq!(out.headers()[LOCATION], "/signin");
    let home = asked(&site, &Method::GET, "/w/default/calendar", &headers).await;
    assert_eq!(home.headers()[LOCATION], "/signin?next=%2Fw%2Fdefault%2Fcalendar");
    // A cookie opens no API, and a key no page.
    let cookie = signed_in(&site, "owner").await;
    let headers = [(COOKIE.as_str(), cookie.as_str())];
    for path in ["/v1/posts", "/app/v1/me"] {
        assert_eq!(asked(&site, &Method::GET, path, &headers).await.status(), 401, "{path}");
    }
    let bearer = format!("Bearer {}", site.service.first_key.as_deref().unwrap());
    let by_key = asked(&site, &Method::GET, "/", &[("authorization", &bearer)]).await;
    assert_eq!(by_key.headers()[LOCATION], "/signin?next=%2F");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changes_something_is_in_the_log_and_an_address_says_nothing_of_its_own() {
    let site = Site::start().await;
    let cookie = signed_in(&site, "editor").await;
    let send = async |path: &str, form: &[(&str, &str)]| {
        let request = client_of_forms().post(site.at(path)).header(COOKIE, &cookie).form(form);
        request.send().await.unwrap().status()
    };
    assert_eq!(send("check", &[("content", "Only looked at")]).await, StatusCode::OK);
    let look = [("content", "Only looked at"), ("do", "check")];
    assert_eq!(send("compose", &look).await, StatusCode::OK);
    let keep = [("content", "Kept"), ("do", "save")];
    assert_eq!(send("compose", &keep).await, StatusCode::SEE_OTHER);
    let written = wait_for("the entry", async || {
        let log = site.setup.json(&[], &["log"]);
        let operations = log["data"].as_array()?.iter().map(|entry| entry["operation"].clone());
        let operations: Vec<Value> = operations.collect();
        operations.contains(&json!("web_write_post")).then_some(operations)
    })
    .await;
    let of_pages = written.iter().filter(|name| name.as_str().unwrap().starts_with("web_"));
    assert_eq!(of_pages.count(), 1, "{written:?}");

    for (said, is_shown) in [("stored", true), ("Call+0800+now", false)] {
        let path = format!("/w/default/settings?said={said}");
        let page = asked(&site, &Method::GET, &path, &[(COOKIE.as_str(), &cookie)]).await;
        let text = page.text().await.unwrap();
        assert_eq!(text.contains("Stored."), is_shown, "{said}");
        assert!(!text.contains("0800"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_is_sent_again_makes_one_post_of_what_was_written_last() {
    let site = Site::start().await;
    let cookie = signed_in(&site, "drafter").await;
    for content in ["First", "First", "Written on, since no answer came"] {
        let form = [("key", "of this form"), ("content", content), ("do", "save")];
        let request =
            client_of_forms().post(site.at("compose")).header(COOKIE, &cookie).form(&form);
        assert_eq!(request.send().await.unwrap().status(), StatusCode::SEE_OTHER, "{content}");
    }
    let posts = site.service.api().get("/posts").await;
    let contents: Vec<&Value> =
        posts["data"].as_array().unwrap().iter().map(|post| &post["content"]).collect();
    assert_eq!(contents, [&json!("Written on, since no answer came")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_asks_who_it_is_and_where_it_comes_from() {
    let site = Site::start().await;
    let post = site.post("A post", json!({"scheduledAt": "2031-05-14T09:30:00Z"})).await;
    let mut cookies = Vec::new();
    for role in ["reader", "drafter", "editor", "owner"] {
        cookies.push((role, signed_in(&site, role).await));
    }
    let unknown = Uuid::nil().to_string();
    for page in scheduler_web::pages().iter().filter(|page| page.pattern.starts_with("/w/")) {
        let id = if page.pattern.contains("/posts/") { &post } else { &unknown };
        let view = if page.name == "web_activity" { "now" } else { "2031-05" };
        let path = page.pattern.replace("{workspaceId}", "default").replace("{id}", id);
        let path = path.replace("{name}", view).replace("{targetId}", &unknown);
        let path = path.replace("{version}", &unknown);
        let nobody = asked(&site, &page.method, &path, &[]).await;
        if page.method == Method::GET {
            assert_eq!(nobody.status(), StatusCode::SEE_OTHER, "{}", page.name);
        } else {
            assert_eq!(nobody.status(), StatusCode::UNAUTHORIZED, "{}", page.name);
            for foreign in [
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-site", "same-site"),
                ("origin", "https://evil.example"),
            ] {
                let owner = (COOKIE.as_str(), cookies[3].1.as_str());
                let refused = asked(&site, &page.method, &path, &[owner, foreign]).await;
                assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{} {foreign:?}", page.name);
            }
        }
        let least = least_role(page.name);
        let least = cookies.iter().position(|(role, _)| *role == least).unwrap();
        // Whoever may less is refused by the server.
        for (role, cookie) in &cookies[..least] {
            let refused = asked(&site, &page.method, &path, &[(COOKIE.as_str(), cookie)]).await;
            assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{} as {role}", page.name);
        }
        if page.method == Method::GET {
            let (role, cookie) = &cookies[least];
            let shown = asked(&site, &page.method, &path, &[(COOKIE.as_str(), cookie)]).await;
            assert_ne!(shown.status(), StatusCode::FORBIDDEN, "{} as {role}", page.name);
            assert!(!shown.status().is_server_error(), "{} as {role}", page.name);
            if shown
                .headers()
                .get(CONTENT_TYPE)
                .is_some_and(|kind| kind == "text/html; charset=utf-8")
            {
                let policy = shown.headers()["content-security-policy"].to_str().unwrap();
                assert!(policy.contains("script-src 'self'; style-src 'self'"), "{}", page.name);
            }
            let text = shown.text().await.unwrap();
            assert!(!text.contains(" style=") && !text.contains("<script>"), "{}", page.name);
        }
    }
    let stored = site.service.api().get(&format!("/posts/{post}")).await;
    assert_eq!(stored["revision"], 1, "nothing was changed");
}
