//! Likes and reblogs.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code, id};
use crate::support::{Got, World, send};

async fn reblog(world: &World, actor: &Actor, of: &Value, text: &str) -> Got {
    let content = match text {
        "" => json!([]),
        text => json!([{ "type": "text", "text": text }]),
    };
    let body = json!({
        "content": content,
        "parent_tumblelog_uuid": of["uuid"],
        "parent_post_id": of["id"],
        "reblog_key": of["key"],
    });
    actor.post(world, &body).await
}

/// A post of Ana's, as somebody else names it.
async fn posted(world: &World, ana: &Actor) -> Value {
    let id = ana.say(world, "hi").await;
    let got = ana.read(world, &format!("posts?id={id}")).await;
    let key = &got.body["response"]["posts"][0]["reblog_key"];
    json!({ "uuid": ana.uuid, "id": id, "key": key })
}

#[tokio::test]
async fn reblogs_with_words_are_the_conversation_and_the_rest_is_rolled_up() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let post = posted(&world, &ana).await;
    let like = async |call: &str, key: &Value| {
        let fields = [("id", post["id"].as_str().unwrap()), ("reblog_key", key.as_str().unwrap())];
        let path = format!("/user/{call}");
        send(ben.request(&world, Method::POST, &path).form(&fields)).await.status
    };
    assert_eq!(like("like", &json!("wrong")).await, 404);
    assert_eq!(like("like", &post["key"]).await, 200);
    assert_eq!(like("like", &post["key"]).await, 200);
    assert_eq!(reblog(&world, &ben, &post, "Well said").await.status, 201);
    assert_eq!(reblog(&world, &ben, &post, "").await.status, 201);
    let wrong = json!({ "uuid": ben.uuid, "id": post["id"], "key": post["key"] });
    assert_eq!(code(&reblog(&world, &ben, &wrong, "x").await), 8002);

    let path = format!("notes?id={}&mode=conversation", post["id"].as_str().unwrap());
    let got = ana.read(&world, &path).await;
    let read = &got.body["response"];
    assert_eq!(
        [&read["total_notes"], &read["total_likes"], &read["total_reblogs"]],
        [&json!(3), &json!(1), &json!(2)]
    );
    let notes = read["notes"].as_array().unwrap();
    assert_eq!(notes.len(), 1);
    assert_eq!(
        (&notes[0]["type"], &notes[0]["added_text"]),
        (&json!("reblog"), &json!("Well said"))
    );
    assert_eq!(notes[0]["blog_uuid"], ben.uuid.as_str());
    assert_eq!(read["rollup_notes"].as_array().unwrap().len(), 2);
    assert_eq!(read["_links"], Value::Null);
    assert_eq!(like("unlike", &post["key"]).await, 200);
    let all = ana.read(&world, &path.replace("conversation", "all")).await;
    assert_eq!(all.body["response"]["notes"].as_array().unwrap().len(), 2);
    assert_eq!(ana.read(&world, "notes?id=1&mode=conversation").await.status, 404);
    let live = world.posts("tumblr").await;
    assert_eq!(live[1]["replyTo"], post["id"]);
}

#[tokio::test]
async fn notes_come_in_pages() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let post = posted(&world, &ana).await;
    for number in 0..22 {
        let got = reblog(&world, &ben, &post, &number.to_string()).await;
        assert!(!id(&got).is_empty());
    }
    let first = format!("notes?id={}&mode=conversation", post["id"].as_str().unwrap());
    let got = ana.read(&world, &first).await;
    assert_eq!(got.body["response"]["notes"].as_array().unwrap().len(), 20);
    let next = &got.body["response"]["_links"]["next"]["query_params"]["before_timestamp"];
    let got =
        ana.read(&world, &format!("{first}&before_timestamp={}", next.as_str().unwrap())).await;
    let rest = got.body["response"]["notes"].as_array().unwrap();
    assert_eq!((rest.len(), &rest[1]["added_text"]), (2, &json!("0")));
    assert_eq!(got.body["response"]["_links"], Value::Null);
}
