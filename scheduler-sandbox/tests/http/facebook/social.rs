//! Comments and figures.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code};
use crate::support::World;

#[tokio::test]
async fn comments_are_written_read_hidden_liked_and_deleted() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let bea = Actor::new(&world, "Bea").await;
    let post = ana.publish(&world, "Hello").await;
    let write = async |actor: &Actor, above: &str, text: &str| {
        let path = format!("/{above}/comments");
        actor.call(&world, Method::POST, &path, &[("message", text)]).await
    };
    let first = write(&bea, &post, "first").await.text_of("id");
    let reply = write(&ana, &first, "reply").await.text_of("id");
    assert_eq!(code(&write(&ana, &reply, "deeper").await), (100, 0));
    assert_eq!(code(&write(&ana, &post, " ").await), (100, 0));
    assert_eq!(code(&write(&ana, &post, &"a".repeat(8_001)).await), (100, 0));
    let fields = "id,from{id,name},message,is_hidden,like_count,user_likes,can_hide,parent{id}";
    let path =
        format!("/{post}/comments?filter=stream&order=reverse_chronological&fields={fields}");
    let listed = ana.get(&world, &path).await.body;
    let texts: Vec<&Value> =
        listed["data"].as_array().unwrap().iter().map(|comment| &comment["message"]).collect();
    assert_eq!(texts, ["reply", "first"]);
    assert_eq!(listed["data"][0]["parent"]["id"], json!(first));
    assert_eq!(listed["data"][1]["from"]["name"], "Bea");
    assert_eq!(listed["data"][1]["can_hide"], true);
    let top = ana.get(&world, &format!("/{post}/comments?fields=id")).await.body;
    assert_eq!(top["data"].as_array().unwrap().len(), 1);

    let change = async |actor: &Actor, id: &str, name: &str, value: &str| {
        actor.call(&world, Method::POST, &format!("/{id}"), &[(name, value)]).await
    };
    assert_eq!(change(&ana, &first, "is_hidden", "true").await.body["success"], true);
    assert_eq!(code(&change(&ana, &reply, "is_hidden", "true").await), (100, 0), "an own one");
    assert_eq!(code(&change(&ana, &first, "message", "x").await), (200, 0), "another's");
    assert_eq!(change(&ana, &reply, "message", "better").await.body["success"], true);
    let likes = format!("/{first}/likes");
    assert_eq!(ana.call(&world, Method::POST, &likes, &[]).await.body["success"], true);
    let listed = ana.get(&world, &path).await.body;
    assert_eq!(listed["data"][0]["message"], "better");
    assert_eq!(
        (&listed["data"][1]["is_hidden"], &listed["data"][1]["like_count"]),
        (&json!(true), &json!(1))
    );
    assert_eq!(ana.call(&world, Method::DELETE, &likes, &[]).await.status, 200);
    assert_eq!(ana.call(&world, Method::DELETE, &format!("/{first}"), &[]).await.status, 200);
    assert_eq!(code(&ana.call(&world, Method::DELETE, &format!("/{first}"), &[]).await), (100, 33));
}

#[tokio::test]
async fn one_dead_figure_fails_the_call() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let post = ana.publish(&world, "Hello").await;
    let ask =
        async |metric: &str| ana.get(&world, &format!("/{post}/insights?metric={metric}")).await;
    let got = ask("post_media_view,post_reactions_by_type_total").await;
    assert_eq!(got.body["data"][1]["values"][0]["value"]["like"], 3);
    assert_eq!(code(&ask("post_media_view,post_impressions").await), (100, 0));
    let counts = "shares,comments.limit(0).summary(true),reactions.limit(0).summary(true)";
    let got = ana.get(&world, &format!("/{post}?fields={counts}")).await;
    assert_eq!(got.body["comments"]["summary"]["total_count"], 0);
    let page = ana.get(&world, &format!("/{}?fields=followers_count,fan_count", ana.id)).await;
    assert_eq!(page.body["followers_count"], 96);
}
