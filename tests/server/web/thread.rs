//! A long text as a thread, without scripts: cut by the server, put in another order by buttons.

use http::header::COOKIE;
use reqwest::StatusCode;
use serde_json::json;

use super::Site;
use super::doors::signed_in;
use crate::support::client_of_forms;

/// The texts of the parts, and how long each is said to be.
fn parts(page: &str) -> Vec<(String, String)> {
    let texts = ["name=\"content\"", "name=\"part\""];
    let areas = page.split("<textarea ").skip(1);
    let areas = areas.filter(|area| texts.iter().any(|name| area.contains(name)));
    areas
        .map(|area| {
            let (_, rest) = area.split_once('>').unwrap();
            let text = rest.split("</textarea>").next().unwrap();
            let counts = rest.split("data-drawn>").nth(1).unwrap_or_default();
            let counts = counts.split("</p>").next().unwrap_or_default();
            (text.to_owned(), counts.to_owned())
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_text_is_cut_and_its_parts_are_arranged() {
    let site = Site::start().await;
    let cookie = signed_in(&site, "editor").await;
    let accounts = ["bluesky", "mastodon", "linkedin"];
    let mut ids = Vec::new();
    for platform in accounts {
        ids.push(site.account(platform).await);
    }
    let send = async |button: &str, texts: &[&str]| {
        let mut form: Vec<(&str, &str)> = vec![("do", button), ("when", "draft")];
        form.extend(ids.iter().map(|id| ("account", id.as_str())));
        let names = std::iter::once("content").chain(std::iter::repeat("part"));
        form.extend(names.zip(texts.iter().copied()));
        let request =
            client_of_forms().post(site.at("compose")).header(COOKIE, &cookie).form(&form);
        let answer = request.send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    };
    let look = async |button: &str, texts: &[&str]| {
        let (status, page) = send(button, texts).await;
        assert_eq!(status, StatusCode::OK, "{button}: {page}");
        page
    };

    // Cut at the ends of sentences, so that each network takes each part.
    let sentence = "A cake for everybody who comes by. ";
    let (first, second) = (sentence.repeat(8), sentence.repeat(2));
    let whole = sentence.repeat(10);
    let page = look("split", &[&whole]).await;
    let want = |text: &str| {
        let (text, length) = (text.trim().to_owned(), text.trim().len());
        let counts = [("Bluesky", 300), ("Mastodon", 500)];
        let counts = counts.map(|(name, limit)| format!("{name} {length} of {limit} characters"));
        (text, counts)
    };
    for ((text, counts), wanted) in parts(&page).into_iter().zip([want(&first), want(&second)]) {
        assert_eq!(text, wanted.0);
        assert!(wanted.1.iter().all(|count| counts.contains(count)), "{counts}");
    }
    assert_eq!(parts(&page).len(), 2);
    let own = format!(
        "option.{}.caption\" rows=\"3\" dir=\"auto\" placeholder=\"Same as for all\">",
        ids[2]
    );
    let own = page.split(&own).nth(1).unwrap();
    assert!(own.starts_with(whole.trim()), "a network without threads keeps it whole");
    let page = look("split", &["Short."]).await;
    assert!(page.contains("Every network takes it as it is."));
    let page = look("split", &[&"x".repeat(400)]).await;
    assert!(page.contains("It cannot be cut so that every network takes each part."));

    let texts = |page: &str| parts(page).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    for (button, want) in [
        ("up.2", &["a", "c", "b"][..]),
        ("down.1", &["a", "c", "b"]),
        ("up.1", &["b", "a", "c"]),
        ("join.2", &["a", "b\n\nc"]),
        ("remove.1", &["a", "c"]),
        ("part", &["a", "b", "c", ""]),
    ] {
        assert_eq!(texts(&look(button, &["a", "b", "c"]).await), want, "{button}");
    }
    let page = look("up.2", &["a", "b", "c"]).await;
    let moved = page.split("id=\"part-1\"").nth(1).unwrap().split('>').next().unwrap();
    assert!(moved.contains(" autofocus"), "{moved}");

    // Stored as it is arranged.
    assert_eq!(send("schedule", &["a", "b", "", "c"]).await.0, StatusCode::SEE_OTHER);
    let posts = site.service.api().get("/posts").await;
    let targets = posts["data"][0]["targets"].as_array().unwrap();
    for (platform, want) in
        [("bluesky", json!(["b", "c"])), ("mastodon", json!(["b", "c"])), ("linkedin", json!(null))]
    {
        let target = targets.iter().find(|target| target["platform"] == platform).unwrap();
        assert_eq!(target["options"]["thread"], want, "{platform}");
    }
}
