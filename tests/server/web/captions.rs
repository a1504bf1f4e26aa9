//! Captions of a text model in the composer: offered, and put in by a press alone.

use http::header::COOKIE;
use reqwest::StatusCode;
use serde_json::json;

use super::Site;
use super::doors::signed_in;
use crate::support::client_of_forms;

#[tokio::test(flavor = "multi_thread")]
async fn captions_are_offered_and_each_refusal_is_said_in_place() {
    let site = Site::start().await;
    let cookie = signed_in(&site, "drafter").await;
    let bluesky = site.account("bluesky").await;
    let own = format!("option.{bluesky}.caption");
    // The model of the sandbox makes it shorter.
    let content = "A cake for you. ".repeat(40);
    let send = async |button: &str, accounts: &[&str], more: &[(&str, &str)]| {
        let mut form = vec![("do", button), ("content", content.as_str()), ("when", "draft")];
        form.extend(accounts.iter().map(|id| ("account", *id)));
        form.extend(more);
        let request =
            client_of_forms().post(site.at("compose")).header(COOKIE, &cookie).form(&form);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        answer.text().await.unwrap()
    };
    // Whether it is open, and what is left of the month.
    let left = |page: &str| {
        let section = page.split("id=\"captions\"").nth(1).unwrap();
        let is_open = section.split('>').next().unwrap().contains("open");
        let left = section.split("class=\"hint\">").nth(1).unwrap();
        let left = left.split(" of ").next().unwrap();
        (is_open, left.parse::<u32>().unwrap())
    };
    let page = send("check", &[&bluesky], &[]).await;
    let (is_open, before) = left(&page);
    assert!(!is_open && !page.contains("proposal."), "nothing is asked for by itself");

    let page = send("suggest", &[&bluesky], &[]).await;
    assert_eq!(left(&page), (true, before - 1));
    let proposal = page.split("name=\"proposal.bluesky\" value=\"").nth(1).unwrap();
    let proposal = proposal.split('"').next().unwrap().to_owned();
    assert!(page.contains("<del>") && page.contains(" of 300 characters"));
    let field = |page: &str| {
        let field = page.split(&format!("name=\"{own}\"")).nth(1).unwrap();
        field.split_once('>').unwrap().1.split("</textarea>").next().unwrap().to_owned()
    };
    assert_eq!(field(&page), "", "it is not put in by itself");
    // It stays while something else is done, until it is used.
    let offered = [("proposal.bluesky", proposal.as_str())];
    assert!(send("check", &[&bluesky], &offered).await.contains("value=\"use.bluesky\""));
    let page = send("use.bluesky", &[&bluesky], &offered).await;
    assert_eq!(field(&page), proposal);
    assert!(!page.contains("proposal.bluesky"));

    // Refusals stand beside the button, and cost nothing.
    let page = send("suggest", &[], &[]).await;
    assert!(page.contains("platforms is empty; name at least one."));
    let url = format!("{}/assistant/says", site.networks.url());
    let says = json!({"kind": "refusal", "times": 1});
    assert_eq!(client_of_forms().post(url).json(&says).send().await.unwrap().status(), 201);
    let page = send("suggest", &[&bluesky], &[]).await;
    assert!(page.contains("role=\"alert\""));
    assert_eq!(left(&page), (true, before - 1));
    site.setup.run(&["workspace", "set-plan", "default", "free"]);
    let page = send("suggest", &[&bluesky], &[]).await;
    assert!(page.contains("role=\"alert\"") && left(&page) == (true, 0), "not in the plan");
}
