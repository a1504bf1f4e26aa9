//! The cards of links, made of what real pages say.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use warp::Filter;

use crate::files::{picture, post, setup};
use crate::support::{Networks, Service, client};

/// A page on loopback, and where it is.
async fn page() -> String {
    let html = "<head><title>Blog</title><meta property='og:title' content='Bread &amp; butter'>\
                <meta name='description' content='Why it rises'>\
                <meta property='og:image' content='/bread.png'></head>";
    let image = warp::path("bread.png")
        .map(|| warp::reply::with_header(picture(64, 48), "content-type", "image/png"));
    let route = warp::path("bread").map(move || warp::reply::html(html)).or(image);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(warp::serve(route).incoming(listener).run());
    format!("http://{address}/bread")
}

/// The body of the first request that made a post.
async fn sent(networks: &Networks, platform: &str, path: &str) -> Value {
    let url = format!("{}/_sandbox/requests?platform={platform}", networks.url());
    let seen: Value = client().get(url).send().await.unwrap().json().await.unwrap();
    let seen = seen["data"].as_array().unwrap().clone();
    let made = seen.iter().find(|request| {
        request["method"] == "POST" && request["path"].as_str().unwrap().ends_with(path)
    });
    serde_json::from_str(made.expect("a post")["body"].as_str().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_card_that_was_shown_is_the_one_that_is_sent() {
    let (networks, link) = (Networks::start().await, page().await);
    let folder = tempfile::tempdir().unwrap();
    let reads = [("SCHEDULER_READ_LINK_PAGES", "true"), ("SCHEDULER_MEDIA_ALLOW_PRIVATE", "true")];
    let service: Service = setup(folder.path(), &networks).serve_with(&reads);
    let api = service.api();
    let targets = [json!({"platform": "bluesky"}), json!({"platform": "linkedin"})];
    let body = json!({
        "content": "Read this", "linkUrl": link, "saveAsDraft": true, "targets": targets,
    });
    let draft = api.create(&body).await;
    let image = draft["targets"][0]["options"]["linkCard"]["imageMediaId"].clone();
    let card = json!({
        "title": "Bread & butter", "description": "Why it rises", "readFrom": link,
        "imageMediaId": image, "imageReadFrom": format!("{link}.png"),
    });
    for target in draft["targets"].as_array().unwrap() {
        assert_eq!(target["options"]["linkCard"], card);
    }
    let kept = api.get(&format!("/media/{}", image.as_str().unwrap())).await;
    assert_eq!((&kept["status"], &kept["width"]), (&json!("ready"), &json!(64)));

    let id = draft["id"].as_str().unwrap();
    let now = json!({"publishNow": true});
    let answer = api.send(Method::PATCH, &format!("/posts/{id}"), None, Some(&now)).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let ended = api.ended(id).await;
    for target in ended["targets"].as_array().unwrap() {
        assert_eq!(target["status"], "published", "{target}");
    }
    let record = sent(&networks, "bluesky", "com.atproto.repo.putRecord").await;
    let external = &record["record"]["embed"]["external"];
    assert_eq!([&external["title"], &external["description"]], ["Bread & butter", "Why it rises"]);
    assert!(external["thumb"]["size"].as_u64() > Some(0), "{external}");
    let article = sent(&networks, "linkedin", "/rest/posts").await;
    let article = &article["content"]["article"];
    assert_eq!([&article["title"], &article["description"]], ["Bread & butter", "Why it rises"]);

    assert!(article["thumbnail"].as_str().is_some_and(|urn| urn.starts_with("urn:li:image:")));

    // A sandbox reads no page unless it is told to.
    let quiet = tempfile::tempdir().unwrap();
    let quiet =
        setup(quiet.path(), &networks).serve_with(&[("SCHEDULER_MEDIA_ALLOW_PRIVATE", "true")]);
    let (_, plain) = post(&quiet.api(), "/posts", &body).await;
    assert_eq!(plain["targets"][0]["options"], json!({}), "{plain}");
}
