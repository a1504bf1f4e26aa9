//! Links of posts with parameters and short ones, from the settings to whoever follows them.

use std::fs::{self, File};
use std::net::IpAddr;
use std::path::Path;
use std::process::Stdio;

use reqwest::header::{
    CACHE_CONTROL, COOKIE, LOCATION, REFERER, REFERRER_POLICY, SET_COOKIE, USER_AGENT,
};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Networks, Setup, backends, client, client_of_forms, free_port};

/// The body of the first request that made a post at Mastodon.
async fn sent(networks: &Networks) -> String {
    let url = format!("{}/_sandbox/requests?platform=mastodon", networks.url());
    let seen: Value = client().get(url).send().await.unwrap().json().await.unwrap();
    let made = seen["data"].as_array().unwrap().iter().find(|request| {
        request["method"] == "POST" && request["path"].as_str().unwrap().ends_with("/statuses")
    });
    let body: Value =
        serde_json::from_str(made.expect("a post")["body"].as_str().unwrap()).unwrap();
    body["status"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_left_leads_where_it_says_and_is_counted() {
    for backend in backends().await {
        let name = backend.name();
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let mut setup = Setup::new(folder.path(), networks.url());
        setup.database = backend.url();
        let port = free_port();
        let (listen, base) = (format!("127.0.0.1:{port}"), format!("http://127.0.0.1:{port}"));
        let variables = [("SCHEDULER_LISTEN", listen.as_str()), ("SCHEDULER_PUBLIC_URL", &base)];
        let service = setup.serve_with(&variables);
        let api = service.api();

        let refused = setup.refusal(&[], &["links", "rules", "set", "--shorten"]);
        assert_eq!(refused["field"], "shorten", "{name}: {refused}");
        let set = ["links", "rules", "set", "--tag", "--shorten", "--utm", "source={network}"];
        let rules =
            setup.json(&variables, &[&set[..], &["--utm-label", "spring:campaign=s26"]].concat());
        assert_eq!((&rules["tag"], &rules["shorten"]), (&json!(true), &json!(true)), "{name}");
        assert_eq!(setup.json(&variables, &["links", "rules", "show"]), rules, "{name}");

        let body = json!({
            "content": "See https://example.com/a?b=c#d (and www.example.com).",
            "labels": ["spring"],
            "targets": [{"platform": "mastodon"}],
        });
        let checked = api.send(Method::POST, "/platforms/validate", None, Some(&body)).await;
        let checked: Value = checked.json().await.unwrap();
        let mut body = body;
        body["publishNow"] = json!(true);
        let post = api.create(&body).await;
        let change = &post["targets"][0]["links"][0];
        assert_eq!(change["written"], "https://example.com/a?b=c#d", "{name}");
        assert_eq!(change["sent"], checked["links"][0]["sent"], "{name}: as it was checked");
        let id = post["id"].as_str().unwrap();
        let ended = api.ended(id).await;
        assert_eq!(ended["targets"][0]["status"], "published", "{name}: {ended}");
        assert_eq!(ended["content"], body["content"], "{name}: what was written");
        let left = sent(&networks).await;
        let link = change["sent"].as_str().unwrap();
        assert_eq!(left, format!("See {link} (and www.example.com)."), "{name}");
        let beginning = format!("{base}/l/");
        assert!(link.starts_with(&beginning), "{name}: {link}");

        let visitor = client_of_forms();
        let destination = "https://example.com/a?b=c&utm_source=mastodon&utm_campaign=s26#d";
        let looks =
            [(Method::HEAD, "Firefox"), (Method::GET, "Twitterbot/1.0"), (Method::GET, "Firefox")];
        for (method, agent) in looks {
            let request = visitor.request(method, link).header(USER_AGENT, agent);
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::FOUND, "{name}: {agent}");
            let header = |name| answer.headers().get(name).map(|value| value.to_str().unwrap());
            assert_eq!(header(LOCATION), Some(destination), "{name}: {agent}");
            assert_eq!(header(CACHE_CONTROL), Some("no-store"), "{name}: {agent}");
            assert_eq!(header(REFERRER_POLICY), Some("no-referrer"), "{name}: {agent}");
            assert_eq!(header(SET_COOKIE), None, "{name}: {agent}");
        }
        let others = [
            (Method::GET, format!("{link}x"), StatusCode::NOT_FOUND),
            (Method::GET, format!("{base}/l/https:%2F%2Fevil.example"), StatusCode::NOT_FOUND),
            (Method::POST, link.to_owned(), StatusCode::METHOD_NOT_ALLOWED),
        ];
        for (method, link, status) in others {
            let answer = visitor.request(method, &link).send().await.unwrap();
            assert_eq!((answer.status(), answer.headers().get(LOCATION)), (status, None), "{link}");
            if status == StatusCode::NOT_FOUND {
                let page = answer.text().await.unwrap();
                assert!(page.contains("There is no short link of this address."), "{page}");
            }
        }

        // A click outlives a kill, and the link the settings.
        let service = service.kill().serve_with(&variables);
        let off = ["links", "rules", "set", "--no-tag", "--no-shorten"];
        let rest = ["--no-utm", "source", "--no-utm-label", "SPRING"];
        let rules = setup.json(&variables, &[&off[..], &rest[..]].concat());
        assert_eq!(rules, json!({"tag": false, "shorten": false}), "{name}");
        let answer = visitor.get(link).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::FOUND, "{name}");
        let listed = setup.json(&variables, &["links", "list", "--post", id]);
        let one = &listed["data"][0];
        assert_eq!(
            (&one["url"], &one["destination"]),
            (&json!(link), &json!(destination)),
            "{name}"
        );
        assert_eq!(
            (&one["clicks"], one["days"].as_array().unwrap().len()),
            (&json!(2), 1),
            "{name}"
        );
        drop(service);
    }
}

/// What the files in a folder and below it hold, in small letters.
fn held_below(folder: &Path) -> String {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| if path.is_dir() { held_below(&path) } else { held(&path) }).collect()
}

/// What a file holds.
fn held(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap()).to_ascii_lowercase()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_whoever_follows_a_link_nothing_is_kept_or_logged() {
    let networks = Networks::start().await;
    let (folder, logs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let setup = Setup::new(folder.path(), networks.url());
    let port = free_port();
    let (listen, base) = (format!("127.0.0.1:{port}"), format!("http://127.0.0.1:{port}"));
    let variables = [
        ("SCHEDULER_LISTEN", listen.as_str()),
        ("SCHEDULER_PUBLIC_URL", &base),
        // Everything that any part of it says.
        ("SCHEDULER_LOG", "trace"),
    ];
    let log = logs.path().join("log");
    let service = setup.serve_logging(&variables, Stdio::from(File::create(&log).unwrap()));
    setup.json(&variables, &["links", "rules", "set", "--shorten"]);
    let body = json!({
        "content": "See https://example.com/destination-to-find",
        "targets": [{"platform": "mastodon"}],
        "publishNow": true,
    });
    let post = service.api().create(&body).await;
    let id = post["id"].as_str().unwrap();
    service.api().ended(id).await;
    let link = post["targets"][0]["links"][0]["sent"].as_str().unwrap();
    let clicks =
        || setup.json(&variables, &["links", "list", "--post", id])["data"][0]["clicks"].clone();
    assert_eq!(clicks(), 0);

    // An address of loopback that nobody else here has, and what proxies and browsers tell.
    let address = [127, 83, 59, 101];
    let visitor = Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .local_address(Some(IpAddr::from(address)));
    let click = visitor
        .build()
        .unwrap()
        .get(link)
        .header("x-forwarded-for", "203.0.113.83, 198.51.100.59")
        .header("x-real-ip", "203.0.113.83")
        .header("forwarded", "for=\"[2001:db8:83::59]\";by=203.0.113.101")
        .header(USER_AGENT, "Mozilla/5.0 (Visitor-Browser-7f3a)")
        .header(REFERER, "https://referrer-7f3a.example/whence")
        .header(COOKIE, "session=cookie-7f3a")
        .header("accept-language", "gsw-CH-7f3a");
    let answer = click.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::FOUND);
    assert_eq!(clicks(), 1);
    // SQLite's log beside the file, while it is there; and what is written last.
    let meanwhile = held_below(folder.path());
    assert!(folder.path().join("scheduler.db-wal").is_file());
    assert_eq!(service.stop(), Some(0));
    let stored = meanwhile + &held_below(folder.path());
    let logged = held(&log);

    // The log is that of the click, at this level, and the database that of the link.
    let code = link.rsplit('/').next().unwrap().to_ascii_lowercase();
    assert!(logged.contains("trace") && logged.contains("/l/{name}"));
    assert!(stored.contains("destination-to-find") && stored.contains(&code));
    for (what, text) in [
        ("its address", "127.83.59.101"),
        ("its address, as a proxy tells", "203.0.113.83"),
        ("the address of a proxy", "198.51.100.59"),
        ("its address, by the header of RFC 7239", "2001:db8:83::59"),
        ("the address of that proxy", "203.0.113.101"),
        ("its browser", "Visitor-Browser"),
        ("where it came from", "referrer-7f3a"),
        ("its cookie", "cookie-7f3a"),
        ("its language", "gsw-CH"),
    ] {
        let text = text.to_ascii_lowercase();
        assert!(!logged.contains(&text), "the log has {what}");
        assert!(!stored.contains(&text), "a file has {what}");
    }
}
