//! Comments, likes and figures.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code, encoded, post};
use crate::support::{Got, World, send};

async fn comment(world: &World, actor: &Actor, urn: &str, body: &Value) -> Got {
    actor.post(world, &format!("/rest/socialActions/{}/comments", encoded(urn)), body).await
}

fn saying(actor: &str, object: &str, text: &str) -> Value {
    json!({ "actor": actor, "object": object, "message": { "text": text } })
}

#[tokio::test]
async fn comments_answers_edits_and_deletions() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let urn = ana.say(&world, "x").await;
    let first = comment(&world, &ben, &urn, &saying(&ben.member, &urn, "First (plain)")).await;
    assert_eq!((first.status, first.header("x-restli-id")), (201, first.body["id"].as_str()));
    let first_urn = first.text_of("commentUrn");
    let object = first.text_of("object");
    assert!(first_urn.starts_with("urn:li:comment:(urn:li:activity:"), "{first_urn}");
    let mut answer = saying(&ana.member, &object, "Answer");
    answer["parentComment"] = json!(first_urn);
    let second = comment(&world, &ana, &first_urn, &answer).await;
    assert_eq!(second.status, 201, "{second:?}");

    let list = async |urn: &str| {
        let path = format!("/rest/socialActions/{}/comments?start=0&count=100", encoded(urn));
        ana.get(&world, &path).await
    };
    let listed = list(&urn).await;
    assert_eq!(listed.body["paging"]["total"], 1, "answers hang below");
    assert_eq!(listed.body["elements"][0]["commentsSummary"]["aggregatedTotalComments"], 1);
    assert_eq!(list(&first_urn).await.body["elements"][0]["message"]["text"], "Answer");
    let hidden = ben.get(&world, &format!("/rest/socialActions/{}/comments", encoded(&urn))).await;
    assert_eq!(hidden.status, 403, "only of one's own posts");

    let of = |actor: &Actor, id: &str| {
        let (post, actor) = (encoded(&urn), encoded(&actor.member));
        format!("/rest/socialActions/{post}/comments/{id}?actor={actor}")
    };
    let patch = json!({ "patch": { "message": { "$set": { "text": "Changed" } } } });
    let edit = async |actor: &Actor, id: &str| {
        let request = actor.request(&world, Method::POST, &of(actor, id)).json(&patch);
        send(request.header("x-restli-method", "PARTIAL_UPDATE")).await.status
    };
    let (first_id, second_id) = (first.text_of("id"), second.text_of("id"));
    assert_eq!((edit(&ana, &first_id).await, edit(&ben, &first_id).await), (403, 200));
    assert_eq!(list(&urn).await.body["elements"][0]["message"]["text"], "Changed");
    assert_eq!(ana.delete(&world, &of(&ana, &first_id)).await.status, 403);
    assert_eq!(ana.delete(&world, &of(&ana, &second_id)).await.status, 204);
    assert_eq!(ben.delete(&world, &of(&ben, &first_id)).await.status, 204);
    assert_eq!(ben.delete(&world, &of(&ben, &first_id)).await.status, 404);
    assert_eq!(list(&urn).await.body["elements"], json!([]));
    let shown = world.posts("linkedin").await;
    assert_eq!((&shown[1]["replyTo"], &shown[1]["deleted"]), (&json!(urn), &json!(true)));
}

#[tokio::test]
async fn comments_that_are_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let urn = ana.say(&world, "x").await;
    let other = ana.say(&world, "y").await;
    let none = "urn:li:share:1";
    let text = |length: usize| "x".repeat(length);
    for (name, on, body, status, want) in [
        ("at its length", urn.as_str(), saying(&ana.member, &urn, &text(1250)), 201, ""),
        ("too long", &urn, saying(&ana.member, &urn, &text(1251)), 400, "FIELD_LENGTH_TOO_LONG"),
        ("empty", &urn, saying(&ana.member, &urn, " "), 400, "MISSING_FIELD"),
        ("another actor", &urn, saying(&ben.member, &urn, "x"), 403, "ACCESS_DENIED"),
        ("no such post", none, saying(&ana.member, none, "x"), 404, "RESOURCE_NOT_FOUND"),
        ("another object", &urn, saying(&ana.member, &other, "x"), 400, "INVALID_VALUE_FOR_FIELD"),
    ] {
        let got = comment(&world, &ana, on, &body).await;
        assert_eq!((got.status, code(&got)), (status, want), "{name}");
    }
    let older = format!("/v2/socialActions/{}/comments", encoded(&urn));
    let got = ana.post(&world, &older, &saying(&ana.member, &urn, "older")).await;
    assert_eq!(got.status, 201);
}

/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api>,
/// "Permissions".
#[tokio::test]
async fn a_permission_to_post_is_none_to_comment() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let self_serve = ana.allowing(&world, "openid profile w_member_social").await;
    let with_feed = ana.allowing(&world, "openid profile w_member_social_feed").await;
    let urn = self_serve.say(&world, "x").await;
    let body = saying(&ana.member, &urn, "First");
    let path = format!("socialActions/{}/comments", encoded(&urn));
    let like = json!({ "root": urn, "reactionType": "LIKE" });
    let likes = format!("/rest/reactions?actor={}", encoded(&ana.member));
    for (actor, status) in [(&self_serve, 403), (&with_feed, 201)] {
        for interface in ["rest", "v2"] {
            let got = actor.post(&world, &format!("/{interface}/{path}"), &body).await;
            assert_eq!(got.status, status, "{interface} {got:?}");
        }
        assert_eq!(actor.post(&world, &likes, &like).await.status, status);
    }
}

#[tokio::test]
async fn likes_come_and_go_once() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let urn = ana.say(&world, "x").await;
    let made = comment(&world, &ana, &urn, &saying(&ana.page, &urn, "x")).await;
    for entity in [urn.clone(), made.text_of("commentUrn")] {
        let body = json!({ "root": entity, "reactionType": "LIKE" });
        let path = format!("/rest/reactions?actor={}", encoded(&ana.member));
        assert_eq!(ana.post(&world, &path, &body).await.status, 201);
        assert_eq!(ana.post(&world, &path, &body).await.status, 409);
        let (actor, entity) = (encoded(&ana.member), encoded(&entity));
        let path = format!("/rest/reactions/(actor:{actor},entity:{entity})");
        assert_eq!(ana.delete(&world, &path).await.status, 204);
        assert_eq!(ana.delete(&world, &path).await.status, 404);
    }
}

#[tokio::test]
async fn figures_of_members_and_pages() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let urn = ana.say(&world, "x").await;
    assert_eq!(comment(&world, &ana, &urn, &saying(&ana.member, &urn, "x")).await.status, 201);
    let figure = async |kind: &str, name: &str| {
        let path = format!(
            "/rest/memberCreatorPostAnalytics?q=entity&entity=({kind}:{})&queryType={name}&aggregation=TOTAL",
            encoded(&urn)
        );
        let got = ana.get(&world, &path).await;
        (got.status, got.body["elements"][0]["count"].as_u64())
    };
    assert_eq!(figure("share", "IMPRESSION").await, (200, Some(240)));
    assert_eq!(figure("share", "COMMENT").await, (200, Some(1)));
    assert_eq!(figure("share", "NOTHING").await.0, 400);
    assert_eq!(figure("ugc", "COMMENT").await.0, 400, "another kind");
    let metadata = ana.get(&world, &format!("/rest/socialMetadata/{}", encoded(&urn))).await;
    assert_eq!(metadata.body["commentSummary"]["count"], 1);

    let got = ana.publish(&world, &post(&ana.page, "x")).await;
    let of_page = encoded(got.header("x-restli-id").unwrap());
    let path = format!(
        "/rest/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity={}&shares=List({of_page},{})",
        encoded(&ana.page),
        encoded("urn:li:share:1"),
    );
    let got = ana.get(&world, &path).await;
    let elements = got.body["elements"].as_array().unwrap();
    assert_eq!(elements.len(), 1, "what is not known is left out");
    assert_eq!(elements[0]["totalShareStatistics"]["clickCount"], 12);
    let edge = "edgeType=COMPANY_FOLLOWED_BY_MEMBER";
    let size = format!("/rest/networkSizes/{}?{edge}", encoded(&ana.page));
    assert_eq!(ana.get(&world, &size).await.body["firstDegreeSize"], 512);
    let count = ana.get(&world, "/rest/memberFollowersCount?q=me").await;
    assert_eq!(count.body["elements"][0]["memberFollowersCount"], 96);
}
