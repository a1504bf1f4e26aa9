//! The pages on which accounts are connected.

use std::collections::BTreeMap;

use http::Method;
use scheduler_core::app::Invitation;
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use scheduler_http::ConnectPages;

use crate::support::{Answer, Client, World, server_url};

const HOSTILE: &str = "<script>alert('x')</script>\"&";

async fn invite(world: &World, platform: Platform) -> Invitation {
    world.scheduler.invite(&world.workspace, platform, ConnectInput::default()).await.unwrap()
}

/// Sends a form; a ticket stands in the address.
async fn submit(client: &Client, path: &str, fields: &[(&str, &str)]) -> Answer {
    let client = client.with("content-type", "application/x-www-form-urlencoded");
    let (ticket, fields): (Vec<_>, Vec<_>) =
        fields.iter().copied().partition(|(name, _)| *name == "ticket");
    let path = format!("{path}?{}", serde_urlencoded::to_string(ticket).unwrap());
    client.send(Method::POST, &path, &serde_urlencoded::to_string(fields).unwrap()).await
}

/// The cookie that an answer gives, as the browser sends it back.
fn cookie(answer: &Answer) -> String {
    let cookie = answer.header("set-cookie").unwrap_or_else(|| panic!("{answer:?}"));
    cookie.split(';').next().unwrap().to_owned()
}

/// The value of a parameter of the address that an answer sends the browser to.
fn sent_with(answer: &Answer, name: &str) -> String {
    assert_eq!(answer.status, 303, "{answer:?}");
    let url = url::Url::parse(answer.header("location").unwrap()).unwrap();
    url.query_pairs().find(|(found, _)| found == name).unwrap().1.into_owned()
}

/// A browser without a key that has gone to the network's page, and the state it would bring back.
async fn at_network(client: &Client, world: &World) -> (Client, String) {
    let invitation = invite(world, Platform::Mastodon).await;
    let fields =
        [("way", "page"), ("ticket", invitation.ticket.expose()), ("instance", "m.example")];
    let answer = submit(client, "/connect/mastodon", &fields).await;
    (client.with("cookie", &cookie(&answer)), sent_with(&answer, "state"))
}

async fn browser(world: &World) -> Client {
    world.serve().await.without("authorization")
}

#[tokio::test]
async fn an_account_is_connected_by_a_page() {
    let world = World::new().await;
    let client = browser(&world).await;
    let invitation = invite(&world, Platform::Mastodon).await;
    let ticket = invitation.ticket.expose();
    let first = format!("/connect/mastodon?ticket={ticket}");
    for _ in 0..2 {
        let page = client.get(&first).await;
        assert_eq!(page.status, 200);
        assert!(page.text().contains("<strong>default</strong>"), "{}", page.text());
        assert!(page.text().contains(ticket) && page.header("set-cookie").is_none());
        // The server stands below a path, which its proxy takes off.
        assert!(page.text().contains("href=\"../assets/ui-"), "{}", page.text());
    }
    let fields = [("way", "page"), ("ticket", ticket), ("instance", " m.example ")];
    let answer = submit(&client, "/connect/mastodon", &fields).await;
    let location = answer.header("location").unwrap();
    assert!(location.starts_with("https://network.example/m.example?"), "{location}");
    let back = "https://s.example/scheduler/connect/mastodon/callback";
    assert_eq!(sent_with(&answer, "to"), back);
    let set = answer.header("set-cookie").unwrap();
    let attributes = set.split_once("; ").unwrap().1;
    assert_eq!(attributes, "Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure");
    assert!(set.starts_with("__Host-connect-mastodon="), "{set}");
    assert_eq!(client.get(&first).await.status, 404, "the ticket is used up");

    let client = client.with("cookie", &cookie(&answer));
    let state = sent_with(&answer, "state");
    let callback = format!("/connect/mastodon/callback?state={state}&code=ana&scope=read");
    let head = client.send(Method::HEAD, &callback, "").await;
    assert_eq!(head.status, 200, "a look does no harm");
    let answer = client.get(&callback).await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, Some("pick")));
    let page = client.get("/connect/mastodon/pick").await;
    assert!(page.text().contains("<strong>ana (ana)</strong> is connected."), "{}", page.text());
    assert!(page.text().contains("href=\"../../assets/ui-"), "{}", page.text());
    assert!(page.text().contains("It cannot read &#60;comments&#62;."), "{}", page.text());
    let again = client.get(&first).await;
    assert_eq!(again.header("location"), Some("mastodon/pick"), "the visit is remembered");
    let accounts = world.scheduler.accounts(world.workspace.id).await.unwrap();
    assert_eq!(accounts[0].username.as_deref(), Some("ana"));
}

#[tokio::test]
async fn several_accounts_are_picked_from() {
    let world = World::new().await;
    let (client, state) = at_network(&browser(&world).await, &world).await;
    let code = serde_urlencoded::to_string([("code", format!("ana+ben+{HOSTILE}"))]).unwrap();
    client.get(&format!("/connect/mastodon/callback?state={state}&{code}")).await;
    let page = client.get("/connect/mastodon/pick").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.text().matches("type=\"checkbox\"").count(), 3);
    assert!(!page.text().contains("<script"), "{}", page.text());

    let nothing = submit(&client, "/connect/mastodon/pick", &[]).await;
    assert_eq!(nothing.status, 400);
    assert!(nothing.text().contains("Pick at least one account."));
    let stranger = client.without("cookie");
    let picked = [("account", "ana"), ("account", HOSTILE)];
    assert_eq!(submit(&stranger, "/connect/mastodon/pick", &picked).await.status, 404);
    let answer = submit(&client, "/connect/mastodon/pick", &picked).await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, Some("pick")));
    let page = client.get("/connect/mastodon/pick").await.text();
    assert_eq!(page.matches("is connected.").count(), 2, "{page}");
    assert!(!page.contains("<script"), "{page}");
    assert_eq!(world.scheduler.accounts(world.workspace.id).await.unwrap().len(), 2);
}

#[tokio::test]
async fn what_a_network_has_given_is_typed() {
    let world = World::new().await;
    let client = browser(&world).await;
    let invitation = invite(&world, Platform::Bluesky).await;
    let ticket = invitation.ticket.expose();
    let fields = |identifier| {
        [
            ("way", "appPassword"),
            ("ticket", ticket),
            ("identifier", identifier),
            ("appPassword", "hunter2"),
        ]
    };
    let wrong = submit(&client, "/connect/bluesky", &fields("wrong")).await;
    assert_eq!(wrong.status, 409);
    let page = wrong.text();
    assert!(page.contains("The &#60;password&#62; is wrong."), "{page}");
    assert!(page.contains("value=\"wrong\"") && page.contains(ticket), "{page}");
    assert!(!page.contains("hunter2"), "a secret is not shown again: {page}");
    let answer = submit(&client, "/connect/bluesky", &fields("ana")).await;
    assert_eq!(answer.header("location"), Some("bluesky/pick"));
    let client = client.with("cookie", &cookie(&answer));
    let page = client.get("/connect/bluesky/pick").await;
    assert!(page.text().contains("<strong>ana (ana)</strong> is connected."), "{}", page.text());
}

#[tokio::test]
async fn a_link_of_somebody_else_connects_nothing() {
    let world = World::new().await;
    let stranger = browser(&world).await;
    let (mine, state) = at_network(&stranger, &world).await;
    let (others, _) = at_network(&stranger, &world).await;
    let callback = format!("/connect/mastodon/callback?state={state}&code=ana");
    for (name, client, path) in [
        ("without a cookie", &stranger, callback.clone()),
        ("with the cookie of another visit", &others, callback.clone()),
        ("at another network", &mine, callback.replace("mastodon", "bluesky")),
        ("with the state twice", &mine, format!("{callback}&state={state}")),
        ("without a state", &mine, "/connect/mastodon/callback?code=ana".into()),
    ] {
        let answer = client.get(&path).await;
        assert_eq!(answer.status, 404, "{name}");
        assert!(answer.text().contains("This link is not valid any more"), "{name}");
    }
    assert!(world.scheduler.accounts(world.workspace.id).await.unwrap().is_empty());
    assert_eq!(mine.get(&callback).await.status, 303, "it is still good for the right one");
}

#[tokio::test]
async fn a_page_of_another_site_sends_no_form() {
    let world = World::new().await;
    let person = browser(&world).await;
    let invitation = invite(&world, Platform::Mastodon).await;
    let fields =
        [("way", "page"), ("ticket", invitation.ticket.expose()), ("instance", "m.example")];
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://x.example"),
    ] {
        let led = person.with(name, value);
        let answer = submit(&led, "/connect/mastodon", &fields).await;
        assert_eq!(answer.status, 403, "{name}: {value}");
        assert!(answer.header("set-cookie").is_none(), "{name}: {value}");
        assert!(!answer.text().contains(invitation.ticket.expose()), "{name}: {value}");
    }
    // Nothing was used up by that.
    let own = person.with("sec-fetch-site", "same-origin").with("origin", "null");
    let answer = submit(&own, "/connect/mastodon", &fields).await;
    let own = own.with("cookie", &cookie(&answer));
    let state = sent_with(&answer, "state");
    // A network is another site, and sends the browser by an address and not by a form.
    let back = own.with("sec-fetch-site", "cross-site");
    back.get(&format!("/connect/mastodon/callback?state={state}&code=ana%2Bben")).await;
    let picked = [("account", "ana")];
    assert_eq!(submit(&back, "/connect/mastodon/pick", &picked).await.status, 403);
    assert!(world.scheduler.accounts(world.workspace.id).await.unwrap().is_empty());
    assert_eq!(submit(&own, "/connect/mastodon/pick", &picked).await.status, 303);
}

#[tokio::test]
async fn a_refusal_is_told_and_can_be_thought_over() {
    let world = World::new().await;
    let (client, state) = at_network(&browser(&world).await, &world).await;
    let denied = format!("/connect/mastodon/callback?state={state}&error=access_denied");
    let answer = client.get(&denied).await;
    assert_eq!(answer.status, 409);
    let page = answer.text();
    assert!(page.contains("You have not allowed it at Mastodon."), "{page}");
    assert!(page.contains("action=\"../mastodon\"") && page.contains("m.example"), "{page}");
    let fields = [("way", "page"), ("instance", "m.example")];
    let answer = submit(&client, "/connect/mastodon", &fields).await;
    let client = client.with("cookie", &cookie(&answer));
    let query = serde_urlencoded::to_string([
        ("state", sent_with(&answer, "state").as_str()),
        ("error", HOSTILE),
        ("error_description", HOSTILE),
    ]);
    let answer = client.get(&format!("/connect/mastodon/callback?{}", query.unwrap())).await;
    assert_eq!(answer.status, 409);
    assert!(!answer.text().contains("<script"), "{}", answer.text());
}

#[tokio::test]
async fn a_network_that_is_not_set_up_says_what_to_do() {
    let world = World::new().await;
    let reason = "Register at <Mastodon> first.";
    let unregistered = BTreeMap::from([(Platform::Mastodon, reason.to_owned())]);
    let pages = ConnectPages { unregistered, ..ConnectPages::at(server_url()) };
    let client = world.serve_at(pages).await.without("authorization");
    let invitation = invite(&world, Platform::Mastodon).await;
    let ticket = invitation.ticket.expose();
    let page = client.get(&format!("/connect/mastodon?ticket={ticket}")).await.text();
    assert!(page.contains("Register at &#60;Mastodon&#62; first."), "{page}");
    assert!(page.contains("value=\"token\"") && !page.contains("value=\"page\""), "{page}");
    let fields = [("way", "page"), ("ticket", ticket), ("instance", "m.example")];
    assert_eq!(submit(&client, "/connect/mastodon", &fields).await.status, 409);
}

#[tokio::test]
async fn without_https_the_cookie_goes_without_its_marks() {
    let world = World::new().await;
    let pages = ConnectPages::at("http://127.0.0.1:8080".parse().unwrap());
    let client = world.serve_at(pages).await.without("authorization");
    let (client, state) = at_network(&client, &world).await;
    let callback = format!("/connect/mastodon/callback?state={state}&code=ana");
    assert_eq!(client.get(&callback).await.status, 303);
}

#[tokio::test]
async fn every_answer_is_guarded() {
    let world = World::new().await;
    let client = browser(&world).await;
    let pages = scheduler_web::pages().iter().filter(|one| one.pattern.starts_with("/connect/"));
    for endpoint in pages.filter(|one| !one.pattern.ends_with(".json")) {
        for platform in ["mastodon", "friendster"] {
            let path = endpoint.pattern.replace("{name}", platform);
            let answer = client.send(endpoint.method.clone(), &path, "way=page").await;
            let name = format!("{} {path}", endpoint.method);
            assert!(matches!(answer.status.as_u16(), 400 | 404), "{name}: {answer:?}");
            for (header, want) in [
                ("content-type", "text/html; charset=utf-8"),
                ("cache-control", "no-store"),
                ("referrer-policy", "no-referrer"),
                ("x-content-type-options", "nosniff"),
                ("x-frame-options", "DENY"),
            ] {
                assert_eq!(answer.header(header), Some(want), "{name} {header}");
            }
            let policy = answer.header("content-security-policy").unwrap();
            assert!(policy.starts_with("default-src 'none'; style-src 'self'; "), "{policy}");
            assert!(!policy.contains("unsafe"), "{policy}");
            assert!(policy.ends_with("form-action 'self'"), "{policy}");
            assert!(answer.header("x-request-id").is_some(), "{name}");
        }
    }
}
