//! Reading posts and their figures.

use serde_json::{Value, json};

use super::{Actor, kind};
use crate::support::World;

#[tokio::test]
async fn many_posts_by_their_ids_with_figures() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let first = ana.say(&world, "one").await;
    let second = ana.answer(&world, &first, "two").await;
    let path = format!("/2/tweets?ids={second},{first},1&post.fields=public_metrics");
    let got = ana.get(&world, &path).await;
    assert_eq!(got.status, 200, "{got:?}");
    assert_eq!(got.body["data"][0]["id"], second.as_str());
    assert_eq!(
        got.body["data"][1]["public_metrics"],
        json!({
            "repost_count": 3,
            "reply_count": 1,
            "like_count": 12,
            "quote_count": 1,
            "bookmark_count": 2,
            "impression_count": 240,
        })
    );
    assert_eq!(got.body["errors"][0]["resource_id"], "1");
    let older = ana.get(&world, &path.replace("post.fields", "tweet.fields")).await;
    assert_eq!(older.body["data"][0]["public_metrics"]["retweet_count"], 3);
    let none = ana.get(&world, "/2/tweets?ids=1").await;
    assert_eq!((none.status, none.body.get("data")), (200, None));
    let one = ana.get(&world, &format!("/2/tweets/{first}")).await;
    assert_eq!(one.body["data"]["text"], "one");
    let gone = ana.get(&world, "/2/tweets/1").await;
    assert_eq!((gone.status, kind(&gone)), (404, "resource-not-found"));
    let many = vec!["1"; 101].join(",");
    for (name, query) in [
        ("no ids", "post.fields=public_metrics"),
        ("too many", &format!("ids={many}")),
        ("no id", "ids=x"),
        ("an unknown field", "ids=1&post.fields=colour"),
        ("a field of the older names", "ids=1&post.fields=referenced_tweets"),
        ("an unknown parameter", "ids=1&colour=red"),
    ] {
        let got = ana.get(&world, &format!("/2/tweets?{query}")).await;
        assert_eq!((got.status, kind(&got)), (400, "invalid-request"), "{name}");
    }
}

#[tokio::test]
async fn the_posts_of_an_account_newest_first() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let mut ids = vec![ana.say(&world, "See a.example.com & more").await];
    for number in 1..6 {
        // Each at an instant of its own.
        world.post("/_sandbox/clock", &json!({ "advanceMilliseconds": 1_000 })).await;
        ids.push(ana.answer(&world, &ids[0], &number.to_string()).await);
    }
    ids.reverse();
    let path = format!("/2/users/{}/tweets", ana.id);
    let fields = "tweet.fields=created_at,entities,referenced_tweets";
    let got = ana.get(&world, &format!("{path}?max_results=100&exclude=retweets&{fields}")).await;
    assert_eq!(got.status, 200, "{got:?}");
    let data = got.body["data"].as_array().unwrap();
    let found: Vec<&str> = data.iter().map(|post| post["id"].as_str().unwrap()).collect();
    assert_eq!(found, ids);
    assert_eq!(data[0]["referenced_tweets"], json!([{ "type": "replied_to", "id": ids[5] }]));
    let newer = "post.fields=created_at&expansions=referenced_posts";
    let newer = ana.get(&world, &format!("{path}?max_results=100&{newer}")).await;
    assert_eq!(newer.body["data"][0]["referenced_posts"], data[0]["referenced_tweets"]);
    let link = &data[5]["entities"]["urls"][0];
    let short = link["url"].as_str().unwrap();
    assert_eq!(link["expanded_url"], "http://a.example.com");
    assert_eq!(data[5]["text"], format!("See {short} &amp; more"));
    assert!(got.body["meta"].get("next_token").is_none());

    let page = ana.get(&world, &format!("{path}?max_results=5")).await;
    assert_eq!(page.body["meta"]["result_count"], 5);
    let next = page.body["meta"]["next_token"].as_str().unwrap();
    let page = ana.get(&world, &format!("{path}?max_results=5&pagination_token={next}")).await;
    assert_eq!(page.body["data"][0]["id"], ids[5].as_str());
    let own = ana.get(&world, &format!("{path}?exclude=replies")).await;
    assert_eq!(own.body["meta"]["result_count"], 1);

    let at = data[2]["created_at"].as_str().unwrap();
    let since = ana.get(&world, &format!("{path}?start_time={at}")).await;
    assert_eq!(since.body["data"].as_array().unwrap().len(), 3);
    let none = ana.get(&world, &format!("{path}?start_time=2100-01-01T00:00:00Z")).await;
    assert_eq!((none.body.get("data"), &none.body["meta"]["result_count"]), (None, &json!(0)));
    for query in
        ["max_results=4", "max_results=101", "start_time=x", "exclude=x", "pagination_token=-"]
    {
        let got = ana.get(&world, &format!("{path}?{query}")).await;
        assert_eq!((got.status, kind(&got)), (400, "invalid-request"), "{query}");
    }
    assert_eq!(ana.get(&world, "/2/nothing").await.status, 404);
    assert_ne!(got.body, Value::Null);
}
