//! Letting Pages in.

use reqwest::Method;
use serde_json::json;

use super::{Actor, code};
use crate::support::{Got, World, send};

const BACK: &str = "https://s.example/back";

async fn exchange(world: &World, pairs: &[(&str, &str)]) -> Got {
    let request = world.request(Method::GET, "/facebook/v26.0/oauth/access_token");
    send(request.query(pairs)).await
}

#[tokio::test]
async fn a_person_lets_an_app_in_and_a_code_is_good_once() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let query = [
        ("client_id", "770"),
        ("redirect_uri", BACK),
        ("response_type", "code"),
        ("scope", "pages_show_list,pages_manage_posts"),
        ("state", "s"),
    ];
    let page = world.request(Method::GET, "/facebook/v26.0/dialog/oauth").query(&query);
    let page = send(page).await;
    assert!(page.text.contains(&ana.id), "{page:?}");
    let mut form = query.to_vec();
    form.extend([("account", ana.id.as_str()), ("decision", "allow")]);
    let decide = world.request(Method::POST, "/facebook/v26.0/dialog/oauth").form(&form);
    let back = send(decide).await;
    let location = back.header("location").unwrap().to_owned();
    let code_given = location.split("code=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    let mut pairs = vec![
        ("client_id", "770"),
        ("client_secret", "secret"),
        ("redirect_uri", "https://other.example/"),
        ("code", code_given.as_str()),
    ];
    let wrong = exchange(&world, &pairs).await;
    assert_eq!(code(&wrong), (100, 36_009), "another address spends it");
    let decide = world.request(Method::POST, "/facebook/v26.0/dialog/oauth").form(&form);
    let location = send(decide).await.header("location").unwrap().to_owned();
    let code_given = location.split("code=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    pairs[2].1 = BACK;
    pairs[3].1 = &code_given;
    let short = exchange(&world, &pairs).await;
    assert_eq!(short.body["expires_in"], 3_600, "{short:?}");
    assert_eq!(code(&exchange(&world, &pairs).await), (100, 36_009));
    let token = short.text_of("access_token");
    let long = exchange(
        &world,
        &[
            ("grant_type", "fb_exchange_token"),
            ("client_id", "770"),
            ("client_secret", "secret"),
            ("fb_exchange_token", &token),
        ],
    )
    .await;
    let token = long.text_of("access_token");
    let get = async |path: &str| {
        let path = format!("/facebook/v26.0{path}");
        send(world.request(Method::GET, &path).bearer_auth(&token)).await
    };
    let permissions = get("/me/permissions").await.body;
    let granted = permissions["data"].as_array().unwrap().iter();
    assert_eq!(granted.filter(|permission| permission["status"] == "granted").count(), 2);
    let pages = get("/me/accounts?fields=id,name,tasks,access_token").await.body;
    assert_eq!(pages["data"][0]["id"], json!(ana.id));
    let page_token = pages["data"][0]["access_token"].as_str().unwrap();
    let checked = get(&format!("/debug_token?input_token={page_token}")).await.body;
    assert_eq!(
        (&checked["data"]["type"], &checked["data"]["expires_at"]),
        (&json!("PAGE"), &json!(0))
    );
    assert_eq!(code(&get("/me/businesses").await), (200, 0));
    let wrong = get("/me?appsecret_proof=00").await;
    assert_eq!(code(&wrong), (100, 0), "{wrong:?}");
    let limits = get("/me?fields=video_upload_limits").await.body;
    assert_eq!(limits["video_upload_limits"]["length"], 14_400);
}

#[tokio::test]
async fn what_is_asked_wrongly() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let bea = Actor::new(&world, "Bea").await;
    for (name, query) in [
        ("no app", vec![("redirect_uri", BACK)]),
        ("no way back", vec![("client_id", "770")]),
        ("a scope", vec![("client_id", "770"), ("redirect_uri", BACK), ("scope", "email")]),
    ] {
        let page = world.request(Method::GET, "/facebook/v26.0/dialog/oauth").query(&query);
        assert_eq!(send(page).await.status, 400, "{name}");
    }
    let feed = format!("/facebook/v26.0/{}/feed", ana.id);
    let post = async |token: &str| {
        let request = world.request(Method::POST, &feed).bearer_auth(token);
        send(request.form(&[("message", "x")])).await
    };
    assert_eq!(code(&post("wrong").await), (190, 467));
    assert_eq!(code(&post(&ana.person).await), (210, 0));
    assert_eq!(code(&post(&bea.token).await), (100, 33));
    assert_eq!(code(&send(world.request(Method::GET, "/facebook/feed")).await), (2500, 0));
    assert_eq!(post(&ana.token).await.status, 200);
}
