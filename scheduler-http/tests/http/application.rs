//! The application: sessions of people, their roles, and what they set up.

use chrono::TimeDelta;
use http::Method;
use scheduler_core::connecting::Pass;
use scheduler_core::platform::Platform;
use scheduler_core::session::Role;
use scheduler_http::endpoints::{self, Access, Endpoint};
use serde_json::{Value, json};

use crate::support::{Client, World};

const NOBODY: &str = "01936b00-0000-7000-8000-000000000000";

/// A client with a session of this role.
pub(crate) async fn member(world: &World, client: &Client, role: Role, api: bool) -> Client {
    let login = world.scheduler.request_login("a test", api).await.unwrap();
    world.scheduler.confirm_login(world.workspace.id, &login.code, role).await.unwrap();
    let claimed = world.scheduler.claim_session(&login.secret).await.unwrap().unwrap();
    client.keyed(claimed.value.expose())
}

async fn served() -> (World, Client) {
    let world = World::new().await;
    let client = world.serve().await;
    (world, client)
}

fn least(endpoint: &Endpoint) -> Option<Role> {
    match endpoint.access() {
        Access::Role(least) => Some(least),
        _ => None,
    }
}

#[tokio::test]
async fn roles_and_endpoints_as_a_matrix() {
    let (world, client) = served().await;
    let mut endpoints = 0;
    for endpoint in endpoints::application() {
        let Some(least) = least(endpoint) else { continue };
        endpoints += 1;
        let path = endpoint.pattern.replace("{id}", NOBODY);
        for role in Role::ALL {
            let member = member(&world, &client, role, false).await;
            // Neither the body nor what it is about is looked at before the role.
            let typed = member.with("content-type", "application/json");
            let answer = typed.send(endpoint.method.clone(), &path, "{broken").await;
            let name = format!("{} as {role}", endpoint.name);
            if role < least {
                assert_eq!(answer.refusal(), (403, "forbidden".into(), None), "{name}");
                let words = answer.json()["error"]["message"].as_str().unwrap().to_owned();
                assert_eq!(words, format!("This needs a session of the role {least}."), "{name}");
            } else if endpoint.name == "end_session" && role < Role::Owner {
                assert_eq!(answer.status, 403, "{name}: another's");
            } else {
                assert!(![401, 403].contains(&answer.status.as_u16()), "{name} {}", answer.text());
            }
        }
    }
    assert!(endpoints >= 20, "{endpoints}");
}

#[tokio::test]
async fn keys_open_nothing_of_the_application_and_sessions_only_what_they_ask_for() {
    let (world, client) = served().await;
    let with = member(&world, &client, Role::Editor, true).await;
    let without = member(&world, &client, Role::Editor, false).await;
    for endpoint in endpoints::application().filter(|endpoint| least(endpoint).is_some()) {
        let path = endpoint.pattern.replace("{id}", NOBODY);
        for (name, client) in [
            ("a key", client.clone()),
            ("nothing", client.without("authorization")),
            ("an unknown session", client.keyed(&format!("ses_{}", "0".repeat(43)))),
        ] {
            let answer = client.send(endpoint.method.clone(), &path, "{").await;
            let name = format!("{} with {name}", endpoint.name);
            assert_eq!(answer.refusal(), (401, "unauthorized".into(), None), "{name}");
        }
    }
    assert_eq!(with.get("/v1/posts").await.status, 200);
    assert_eq!(without.get("/v1/posts").await.refusal().0, 401);
    let no_targets = json!({"saveAsDraft": true, "content": "x", "targets": []});
    let posted = with.post("/v1/posts", &no_targets).await;
    assert_eq!(posted.refusal().0, 400, "it reaches the post");
    let hooks = with.post("/v1/workspace/webhooks", &json!({"url": "https://example.com"})).await;
    assert_eq!(hooks.refusal().0, 403, "an editor makes no webhooks");
}

#[tokio::test]
async fn a_login_from_its_code_to_its_end() {
    let (world, client) = served().await;
    let anyone = client.without("authorization");
    let asked = anyone.post("/app/v1/login", &json!({"client": "lap-7", "api": true})).await;
    assert_eq!(asked.status, 201, "{}", asked.text());
    let login = asked.json();
    let claim =
        async || anyone.post("/app/v1/login/claim", &json!({"secret": login["secret"]})).await;
    assert_eq!(claim().await.status, 202);
    let owner = member(&world, &client, Role::Owner, false).await;
    let waiting = format!("/app/v1/login?code={}", login["code"].as_str().unwrap());
    let shown = owner.get(&waiting).await;
    assert_eq!(shown.status, 200, "{}", shown.text());
    assert_eq!((&shown.json()["client"], &shown.json()["api"]), (&json!("lap-7"), &json!(true)));
    assert!(!shown.text().contains(login["secret"].as_str().unwrap()));
    assert_eq!(owner.get("/app/v1/login").await.refusal().2.as_deref(), Some("code"));
    let confirm =
        json!({"code": login["code"].as_str().unwrap().to_lowercase(), "role": "drafter"});
    let confirmed = owner.post("/app/v1/login/confirm", &confirm).await;
    assert_eq!(confirmed.status, 201, "{}", confirmed.text());
    assert_eq!(owner.post("/app/v1/login/confirm", &confirm).await.status, 404, "once");
    assert_eq!(owner.get(&waiting).await.status, 404, "nobody waits any more");
    let claimed = claim().await.json();
    assert_eq!(claimed, claim().await.json(), "an answer may get lost");
    assert_eq!(claimed["role"], "drafter");

    let drafter = client.keyed(claimed["session"].as_str().unwrap());
    let me = drafter.get("/app/v1/me").await.json();
    assert_eq!((&me["role"], &me["session"]["client"]), (&json!("drafter"), &json!("lap-7")));
    let all = owner.get("/app/v1/sessions").await.json()["data"].as_array().unwrap().len();
    let own = drafter.get("/app/v1/sessions").await.json()["data"].clone();
    assert_eq!((all, own.as_array().unwrap().len()), (2, 1));
    let path = format!("/app/v1/sessions/{}", own[0]["id"].as_str().unwrap());
    assert_eq!(drafter.delete(&path).await.status, 204, "everybody ends their own");
    assert_eq!(drafter.get("/app/v1/me").await.status, 401);
    assert_eq!(drafter.get("/v1/posts").await.status, 401);
    assert_eq!(owner.delete(&path).await.status, 404);
}

#[tokio::test]
async fn what_is_no_login() {
    let (_world, client) = served().await;
    let anyone = client.without("authorization");
    let guessed = Pass::from_random([7; 32]);
    for (name, path, body, want) in [
        ("no client", "/app/v1/login", json!({}), (400, "invalid_request")),
        ("an empty one", "/app/v1/login", json!({"client": ""}), (400, "invalid_request")),
        ("no secret", "/app/v1/login/claim", json!({}), (400, "invalid_request")),
        ("nonsense", "/app/v1/login/claim", json!({"secret": "x"}), (404, "not_found")),
        ("guessed", "/app/v1/login/claim", json!({"secret": guessed.expose()}), (404, "not_found")),
    ] {
        let (status, code, _) = anyone.post(path, &body).await.refusal();
        assert_eq!((status, code.as_str()), want, "{name}");
    }
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(anyone.post("/app/v1/login", &json!({"client": "x"})).await.status.as_u16());
    }
    assert_eq!(statuses.last(), Some(&429), "an address asks for ten: {statuses:?}");
    let page = anyone.get_elsewhere("/login?code=wdjb-mjht").await;
    assert!(page.text().contains("scheduler sessions confirm WDJB-MJHT"), "{}", page.text());
    let page = anyone.get_elsewhere("/login?code=%3Cb%3E").await;
    assert!(page.status == 404 && !page.text().contains("<b>"), "{}", page.text());
}

#[tokio::test]
async fn an_owner_sets_up_a_workspace() {
    let (world, client) = served().await;
    let owner = member(&world, &client, Role::Owner, false).await;
    let change = json!({"name": "The bakery", "timezone": "Europe/Berlin"});
    let changed = owner.patch("/app/v1/workspace", &change).await.json();
    assert_eq!(changed, owner.get("/app/v1/workspace").await.json());
    assert_eq!((&changed["name"], &changed["plan"]), (&json!("The bakery"), &json!("studio")));
    let wrong = owner.patch("/app/v1/workspace", &json!({"timezone": "Berlin"})).await;
    assert_eq!(wrong.refusal(), (400, "invalid_request".into(), Some("timezone".into())));

    let made = owner.post("/app/v1/keys", &json!({"name": "script", "preset": "read"})).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let key = made.json();
    assert_eq!(client.keyed(key["key"].as_str().unwrap()).get("/v1/posts").await.status, 200);
    let listed = owner.get("/app/v1/keys").await.json();
    assert!(!listed.to_string().contains(key["key"].as_str().unwrap()));
    let path = format!("/app/v1/keys/{}", key["id"].as_str().unwrap());
    let (elsewhere, _) = world.other_workspace("elsewhere", scheduler_core::plan::Plan::Pro).await;
    let foreign = world.scheduler.keys(elsewhere.id).await.unwrap()[0].id;
    assert_eq!(owner.delete(&format!("/app/v1/keys/{foreign}")).await.status, 404);
    assert_eq!(owner.delete(&path).await.status, 204);
    assert_eq!(owner.delete(&path).await.status, 404);
}

#[tokio::test]
async fn an_owner_sets_up_accounts() {
    let (world, client) = served().await;
    let owner = member(&world, &client, Role::Owner, false).await;
    let link = owner.post("/app/v1/accounts/connect", &json!({"platform": "bluesky"})).await;
    assert_eq!(link.status, 201, "{}", link.text());
    let url = link.json()["url"].as_str().unwrap().to_owned();
    assert!(url.contains("/connect/bluesky?ticket="), "{url}");

    let account = world.connect(Platform::Bluesky, "a").await;
    let other = world.connect(Platform::Bluesky, "b").await;
    let path = format!("/app/v1/accounts/{}", account.id);
    let slots = json!([{"weekday": "mon", "time": "09:00"}]);
    let set = json!({"accountIds": [account.id, other.id], "zone": "Asia/Tokyo", "slots": slots});
    let set = owner.json(Method::PUT, "/app/v1/schedules", &set).await.json();
    assert_eq!(set["data"][1]["schedule"], json!({"zone": "Asia/Tokyo", "slots": slots}));
    let own = json!({"slots": []});
    let own = owner.json(Method::PUT, &format!("{path}/schedule"), &own).await.json();
    assert_eq!(own["schedule"], json!({"zone": "Asia/Tokyo", "slots": []}));
    let zone = owner.json(Method::PUT, &format!("{path}/zone"), &json!({"zone": null})).await;
    assert_eq!(zone.json()["schedule"]["zone"], "UTC");
    let listed = owner.get("/app/v1/accounts").await.json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 2);
    assert_eq!(owner.get(&path).await.json(), listed["data"][0]);

    world.post(&account, "x", json!({"scheduledAt": "2999-01-01T00:00:00Z"})).await;
    let asked = owner.delete(&path).await;
    assert_eq!((asked.status.as_u16(), &asked.json()["error"]["due"]), (409, &json!(1)));
    for (query, field) in [
        ("due=throw", "due"),
        ("due=move", "to"),
        ("due=keep&to=01936b00-0000-7000-8000-000000000000", "to"),
        ("due=move&to=x", "to"),
    ] {
        let refusal = owner.delete(&format!("{path}?{query}")).await.refusal();
        assert_eq!(refusal, (400, "invalid_request".into(), Some(field.into())), "{query}");
    }
    let moved = owner.delete(&format!("{path}?due=move&to={}", other.id)).await;
    assert_eq!(moved.status, 204, "{}", moved.text());
    let posts = world.posts(world.workspace.id);
    assert_eq!(posts[0].targets[0].account_id, other.id);
    assert_eq!(owner.delete(&path).await.status, 404);
}

#[tokio::test]
async fn a_reader_rehearses_the_calendar() {
    let (world, client) = served().await;
    let reader = member(&world, &client, Role::Reader, true).await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let tomorrow = world.now() + chrono::TimeDelta::days(1);
    let post = world.post(&account, "x", json!({"scheduledAt": tomorrow})).await;
    let found = reader.get("/app/v1/rehearsal?days=2").await;
    assert_eq!(found.status, 200, "{}", found.text());
    let found = found.json();
    assert_eq!((&found["posts"], &found["onTime"]), (&json!(1), &json!(1)));
    assert_eq!(found["findings"], json!([]));
    assert_eq!(found["targets"][0]["postId"], json!(post.id));
    for wrong in ["days=0", "days=91", "days=x"] {
        let refusal = reader.get(&format!("/app/v1/rehearsal?{wrong}")).await.refusal();
        assert_eq!(refusal, (400, "invalid_request".into(), Some("days".into())), "{wrong}");
    }
}

#[tokio::test]
async fn an_editor_changes_the_queue() {
    let (world, client) = served().await;
    let editor = member(&world, &client, Role::Editor, true).await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let first = world.post(&account, "first", json!({"queue": true})).await;
    let second = world.post(&account, "second", json!({"queue": true})).await;
    let queue = async || editor.get("/app/v1/queue").await.json()["data"].clone();
    let holders = |queue: &Value| [queue[0]["postId"].clone(), queue[1]["postId"].clone()];
    let before = queue().await;
    assert_eq!(holders(&before), [json!(first.id), json!(second.id)]);
    let swap = json!({"targetId": first.targets[0].id, "with": second.targets[0].id});
    let swapped = editor.post("/app/v1/queue/swap", &swap).await;
    assert_eq!(swapped.status, 200, "{}", swapped.text());
    assert_eq!(holders(&queue().await), [json!(second.id), json!(first.id)]);
    let taken = json!({"targetId": first.targets[0].id, "instant": before[0]["instant"]});
    let refused = editor.post("/app/v1/queue/move", &taken).await.refusal();
    assert_eq!((refused.0, refused.1.as_str()), (409, "slot_taken"));
    let free = json!({"targetId": first.targets[0].id, "instant": before[2]["instant"]});
    let moved = editor.post("/app/v1/queue/move", &free).await.json();
    assert_eq!(moved["scheduledAt"], before[2]["instant"]);
    let path = format!("/app/v1/queue?accountId={}", account.id);
    assert_eq!(editor.get(&path).await.json()["data"].as_array().unwrap().len(), 100);
    assert_eq!(editor.get("/app/v1/queue?accountId=x").await.refusal().0, 400);
    let deliveries = editor.get("/app/v1/deliveries?status=failed&limit=5").await;
    assert_eq!(deliveries.json(), json!({"data": []}));
    let none =
        editor.send(Method::POST, &format!("/app/v1/deliveries/{NOBODY}/redeliver"), "").await;
    assert_eq!(none.status, 404);
}

#[tokio::test]
async fn a_drafter_asks_a_client_and_an_editor_takes_it_back() {
    let (world, client) = served().await;
    let drafter = member(&world, &client, Role::Drafter, true).await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let at = (world.now() + TimeDelta::hours(3)).to_rfc3339();
    let post = world.post(&account, "To the fair", json!({"scheduledAt": at})).await.id;
    let body = json!({"postIds": [post], "client": "Ana", "note": "Our week"});
    let made = drafter.post("/app/v1/approvals", &body).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    let url = made["url"].as_str().unwrap();
    let page = client.without("authorization").get(&url[url.find("/approve/").unwrap()..]).await;
    assert!(
        page.text().contains("Hello Ana,") && page.text().contains("Our week"),
        "{}",
        page.text()
    );

    let path = format!("/app/v1/approvals/{post}");
    let remark = json!({"text": "It is warmer now."});
    let remarked = drafter.post(&format!("{path}/remarks"), &remark).await.json();
    assert_eq!(remarked["remarks"][0]["text"], "It is warmer now.");
    assert_eq!(drafter.get(&path).await.json(), remarked);
    assert_eq!(drafter.get("/app/v1/approvals?limit=1").await.json(), json!({"data": [remarked]}));
    assert_eq!(drafter.delete(&path).await.refusal().0, 403);
    let editor = member(&world, &client, Role::Editor, true).await;
    let withdrawn = editor.delete(&path).await;
    assert_eq!(
        (withdrawn.status.as_u16(), &withdrawn.json()["approvalState"]),
        (200, &Value::Null)
    );
    for (body, field) in [
        (json!({}), Some("postIds")),
        (json!({"postIds": [post], "to": at}), Some("postIds")),
        (json!({"postIds": "x"}), Some("postIds")),
        (json!({"postIds": [post], "who": "Ana"}), Some("who")),
    ] {
        let refusal = drafter.post("/app/v1/approvals", &body).await.refusal();
        assert_eq!((refusal.0, refusal.2.as_deref()), (400, field), "{body}");
    }
    assert_eq!(editor.delete(&path).await.status, 404);
}

#[tokio::test]
async fn an_owner_says_who_is_told() {
    let (world, client) = served().await;
    let owner = member(&world, &client, Role::Owner, false).await;
    let slack = "https://hooks.example/services/T0/B0/secret";
    let quiet = json!({"from": "22:00", "to": "07:00", "timezone": "Europe/Berlin"});
    let body = json!({"channel": "slack", "address": slack, "quiet": quiet});
    let made = owner.post("/app/v1/notifiers", &body).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    assert_eq!((&made["address"], &made["quiet"]), (&json!("hooks.example/…cret"), &quiet));
    assert_eq!(owner.get("/app/v1/notifiers").await.json(), json!({"data": [made]}));
    let path = format!("/app/v1/notifiers/{}", made["id"].as_str().unwrap());
    let tested = owner.send(Method::POST, &format!("{path}/test"), "").await;
    assert_eq!(tested.json(), json!({"sent": true, "error": null}));
    assert_eq!(world.sender.sent.load(std::sync::atomic::Ordering::SeqCst), 1);
    for (body, field) in [
        (json!({"channel": "email", "address": "ana@b.example"}), "address"),
        (json!({"channel": "pigeon", "address": "x"}), "channel"),
        (
            json!({"channel": "slack", "address": slack, "quiet": {"from": "22", "to": "07:00", "timezone": "UTC"}}),
            "quiet.from",
        ),
        (json!({"channel": "slack", "address": slack, "events": ["post.gone"]}), "events[0]"),
    ] {
        let refusal = owner.post("/app/v1/notifiers", &body).await.refusal();
        assert_eq!((refusal.0, refusal.2.as_deref()), (400, Some(field)), "{body}");
    }
    assert_eq!(owner.delete(&path).await.status, 204);
    assert_eq!(owner.delete(&path).await.status, 404);
}

#[tokio::test]
async fn a_drafter_keeps_sets_of_accounts() {
    let (world, client) = served().await;
    for (platform, name) in [(Platform::Bluesky, "a"), (Platform::Mastodon, "b")] {
        world.connect(platform, name).await;
    }
    let drafter = member(&world, &client, Role::Drafter, false).await;
    let reader = member(&world, &client, Role::Reader, false).await;
    let known = drafter.get("/app/v1/accounts").await.json();
    let ids: Vec<Value> =
        known["data"].as_array().unwrap().iter().map(|one| one["account"]["id"].clone()).collect();
    let body = json!({"name": "Both", "accountIds": ids});
    assert_eq!(reader.post("/app/v1/account-sets", &body).await.status, 403);
    let made = drafter.post("/app/v1/account-sets", &body).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    assert_eq!((&made["accountIds"], &made["leftOut"]), (&json!(ids), &json!([])));
    let path = format!("/app/v1/account-sets/{}", made["id"].as_str().unwrap());
    for (body, field) in [
        (body, "name"),
        (json!({"name": "No", "accountIds": []}), "accountIds"),
        (json!({"name": "No", "accountIds": [NOBODY]}), "accountIds[0]"),
        (json!({"name": "No", "accountIds": ids, "color": 1}), "color"),
    ] {
        let refusal = drafter.post("/app/v1/account-sets", &body).await.refusal();
        assert_eq!((refusal.0, refusal.2.as_deref()), (400, Some(field)), "{body}");
    }
    let renamed = drafter.patch(&path, &json!({"name": "Two"})).await.json();
    assert_eq!((&renamed["name"], &renamed["accountIds"]), (&json!("Two"), &json!(ids)));

    let owner = member(&world, &client, Role::Owner, false).await;
    let gone = format!("/app/v1/accounts/{}", ids[0].as_str().unwrap());
    assert_eq!(owner.delete(&gone).await.status, 204);
    let listed = reader.get("/app/v1/account-sets").await.json();
    let left = &listed["data"][0]["leftOut"];
    assert_eq!((&left[0]["id"], &left[0]["reason"]), (&ids[0], &json!("disconnected")));
    assert_eq!(listed["data"][0]["accountIds"], json!(ids));

    assert_eq!(reader.delete(&path).await.status, 403);
    assert_eq!(drafter.delete(&path).await.status, 204);
    assert_eq!(drafter.delete(&path).await.status, 404);
    assert_eq!(drafter.patch(&path, &json!({"name": "Two"})).await.status, 404);
}

#[tokio::test]
async fn an_editor_has_posts_come_again() {
    let (world, client) = served().await;
    world.connect(Platform::Bluesky, "a").await;
    let editor = member(&world, &client, Role::Editor, false).await;
    let reader = member(&world, &client, Role::Reader, false).await;
    let body = json!({
        "name": "Bread of the week",
        "rule": {"rrule": "FREQ=DAILY", "start": "2026-01-01T09:00"},
        "entries": [{"post": {"targets": [{"platform": "bluesky"}]}, "texts": ["a", "b"]}],
    });
    assert_eq!(reader.post("/app/v1/recurring/preview", &body).await.status, 403);
    let preview = editor.post("/app/v1/recurring/preview", &body).await;
    assert_eq!(preview.status, 200, "{}", preview.text());
    assert_eq!(preview.json()["upcoming"].as_array().unwrap().len(), 50);
    assert_eq!(reader.post("/app/v1/recurring", &body).await.status, 403);
    let made = editor.post("/app/v1/recurring", &body).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    let path = format!("/app/v1/recurring/{}", made["id"].as_str().unwrap());
    assert_eq!(reader.get(&path).await.json(), made);
    assert_eq!(world.scheduler.plan_recurrences().await.unwrap(), 14);
    let listed = reader.get("/app/v1/recurring").await.json();
    assert_eq!(listed["data"][0]["upcoming"].as_array().unwrap().len(), 14);
    let paused = editor.patch(&path, &json!({"state": "paused"})).await.json();
    assert_eq!((&paused["state"], &paused["revision"]), (&json!("paused"), &json!(2)));
    for (body, field) in [
        (json!({"state": "gone"}), "state"),
        (json!({"rule": {"rrule": "FREQ=HOURLY", "start": "2026-01-01T09:00"}}), "rule.rrule"),
        (json!({"entries": []}), "entries"),
        (json!({"colour": "red"}), "colour"),
    ] {
        let refusal = editor.patch(&path, &body).await.refusal();
        assert_eq!((refusal.0, refusal.2.as_deref()), (400, Some(field)), "{body}");
    }
    assert_eq!(editor.delete(&path).await.status, 204);
    assert_eq!(reader.get(&path).await.json()["state"], "ended");
    assert_eq!(editor.delete(&path).await.status, 409, "its posts are not taken back yet");
    world.scheduler.plan_recurrences().await.unwrap();
    assert_eq!(editor.delete(&path).await.status, 204);
    assert_eq!(editor.get(&path).await.status, 404);
}
