//! Feeds whose items become posts, against a feed on loopback.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use warp::Filter;
use warp::http::{HeaderMap, Response, StatusCode};

use crate::support::{Networks, Setup, wait_for};

const READS: [(&str, &str); 1] = [("SCHEDULER_MEDIA_ALLOW_PRIVATE", "true")];

/// A blog on loopback, whose feed has an `ETag`.
#[derive(Clone, Default)]
struct Blog {
    posts: Arc<Mutex<Vec<String>>>,
    /// Whether the requests so far were answered with nothing new.
    unchanged: Arc<Mutex<Vec<bool>>>,
}

impl Blog {
    async fn start(&self) -> String {
        let blog = self.clone();
        let feed = warp::path("feed.xml").and(warp::header::headers_cloned()).map(
            move |headers: HeaderMap| {
                let posts = blog.posts.lock().unwrap();
                let etag = format!("\"{}\"", posts.len());
                let is_known = headers.get("if-none-match").is_some_and(|known| *known == *etag);
                blog.unchanged.lock().unwrap().push(is_known);
                let status = if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
                let body = if is_known { String::new() } else { rss(&posts) };
                Response::builder().status(status).header("etag", etag).body(body).unwrap()
            },
        );
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(warp::serve(feed).incoming(listener).run());
        format!("http://{address}/feed.xml")
    }

    fn publish(&self, title: &str) {
        self.posts.lock().unwrap().insert(0, title.to_owned());
    }
}

fn rss(posts: &[String]) -> String {
    let items: String = posts
        .iter()
        .map(|title| {
            format!(
                "<item><guid isPermaLink=\"false\">tag:{title}</guid><title>{title}</title>\
                 <link>https://blog.example/{title}</link>\
                 <description>&lt;p&gt;About {title}&lt;/p&gt;</description></item>"
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Blog</title>\
         <link>https://blog.example/</link><description>b</description>{items}</channel></rss>"
    )
}

fn run(setup: &Setup, arguments: &[&str]) -> Value {
    setup.json(&READS, arguments)
}

/// Has a feed polled at once, as when it has rested: a minute after its last poll, and once the time
/// is over that whoever was killed had for it.
async fn poll(setup: &Setup, id: &str) {
    setup.end_rest_of_feeds().await;
    // Refused where a poll has begun meanwhile, which is as good.
    setup.command().envs(READS).args(["feeds", "poll", id]).output().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn items_become_posts_once_also_where_the_server_is_killed() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let blog = Blog::default();
    blog.publish("Old");
    let url = blog.start().await;
    let service = setup.serve_with(&READS);
    let api = service.api();
    let wishes = ["--to", "mastodon,bluesky", "--template", "{title}: {summary}"];

    let trial = run(&setup, &[&["feeds", "check", &url][..], &wishes].concat());
    assert_eq!((&trial["title"], &trial["count"]), (&json!("Blog"), &json!(1)));
    let tried = &trial["items"][0];
    assert_eq!(tried["post"]["content"], "Old: About Old");
    assert_eq!(
        (&tried["report"]["ok"], &tried["link"]),
        (&json!(true), &json!("https://blog.example/Old"))
    );

    let added = run(&setup, &[&["feeds", "add", &url][..], &wishes].concat());
    let id = added["id"].as_str().unwrap();
    let read = async |key: &str| {
        wait_for("a poll", async || {
            let feed = run(&setup, &["feeds", "list"])["data"][0].clone();
            (!feed[key].is_null()).then_some(feed)
        })
        .await
    };
    assert_eq!(read("readAt").await["postedAt"], Value::Null, "nothing of what was there");
    blog.publish("New");
    assert_eq!(setup.refusal(&READS, &["feeds", "poll", id])["code"], "rate_limited");
    poll(&setup, id).await;
    read("postedAt").await;
    let posts = api.get("/posts").await;
    let [post] = &posts["data"].as_array().unwrap()[..] else { panic!("{posts}") };
    assert_eq!((&post["status"], &post["content"]), (&json!("draft"), &json!("New: About New")));
    assert_eq!(post["linkUrl"], "https://blog.example/New");
    assert_eq!(post["targets"].as_array().unwrap().len(), 2);

    // Killed while it polls, and begun anew, again and again.
    run(&setup, &["feeds", "edit", id, "--mode", "queue", "--template", "{title}"]);
    let mut service = service;
    for round in 0..5 {
        for number in 0..4 {
            blog.publish(&format!("Item {round}-{number}"));
        }
        let asked = blog.unchanged.lock().unwrap().len();
        poll(&setup, id).await;
        wait_for("the poll", async || (blog.unchanged.lock().unwrap().len() > asked).then_some(()))
            .await;
        service = service.kill().serve_with(&READS);
    }
    let api = api.at(&service.url);
    let contents = wait_for("all items", async || {
        let posts = api.get("/posts").await;
        let contents: Vec<String> = posts["data"]
            .as_array()?
            .iter()
            .map(|post| post["content"].as_str().unwrap().to_owned())
            .collect();
        if contents.len() < 21 {
            poll(&setup, id).await;
            return None;
        }
        Some(contents)
    })
    .await;
    let distinct: std::collections::BTreeSet<&String> = contents.iter().collect();
    assert_eq!((contents.len(), distinct.len()), (21, 21), "each once: {contents:?}");
    wait_for("an answer with nothing new", async || {
        poll(&setup, id).await;
        blog.unchanged.lock().unwrap().last().copied().filter(|is_known| *is_known)
    })
    .await;

    run(&setup, &["feeds", "pause", id]);
    assert_eq!(run(&setup, &["feeds", "list"])["data"][0]["nextAt"], Value::Null);
    run(&setup, &["feeds", "remove", id]);
    assert_eq!(run(&setup, &["feeds", "list"])["data"], json!([]));
}
