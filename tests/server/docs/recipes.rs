//! The recipes of `docs/integrations.md` for Make and Zapier: what they have a program send is sent as
//! it stands there, with values in place of the fields that are mapped.

use std::path::Path;

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use super::tags::all;
use crate::support::{Networks, Service, Setup, client};

/// A recipe: what its section says that is sent.
struct Recipe {
    address: String,
    key: String,
    body: String,
}

/// The text of a section of the page.
fn section(page: &str, title: &str) -> String {
    let (_, from) = page.split_once(&format!("\n## {title}\n")).expect("the section");
    from.split("\n## ").next().expect("its text").to_owned()
}

/// What stands between two texts for the first time.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, from) = text.split_once(before).unwrap_or_else(|| panic!("{before} in {text}"));
    from.split_once(after).unwrap_or_else(|| panic!("{after} in {from}")).0
}

impl Recipe {
    fn of(title: &str) -> Self {
        let page = all().into_iter().find(|page| page.path == Path::new("docs/integrations.md"));
        let page = page.expect("the page");
        let section = section(&page.text, title);
        let bodies: Vec<String> = page
            .fences()
            .into_iter()
            .filter(|fence| fence.tag == "json" && section.contains(fence.text.trim_end()))
            .map(|fence| fence.text)
            .collect();
        let [body] = &bodies[..] else { panic!("{title}: one body, not {bodies:?}") };
        // The address and the headers that the steps name.
        assert!(section.contains("`Bearer sk_…`") && section.contains("**POST**"), "{title}");
        assert!(section.contains("application/json"), "{title}");
        assert!(section.contains("`Idempotency-Key`"), "{title}");
        let keys = section.split('`').find(|part| part.contains("article-{{"));
        Self {
            address: between(&section, "URL `", "`").to_owned(),
            key: keys.expect("an example of a key").to_owned(),
            body: body.clone(),
        }
    }

    /// Sends it for an item with this id and title, as the program does once it has mapped both.
    async fn send(&self, service: &Service, id: &str, title: &str) -> Response {
        let filled = |text: &str| {
            let named = text.replace("{{1.", "{{");
            let values = [("id", id), ("title", title), ("url", "https://blog.example/1")];
            let filled = values.iter().fold(named, |text, (field, value)| {
                text.replace(&format!("{{{{{field}}}}}"), value)
            });
            assert!(!filled.contains("{{"), "{filled} maps a field that no item has");
            filled
        };
        let key = service.first_key.as_deref().expect("the key of the first start");
        let address = self.address.replace("https://scheduler.example.com", &service.url);
        let request = client().post(address).header("Content-Type", "application/json");
        let request = request.header("Authorization", "Bearer sk_…".replace("sk_…", key));
        let request = request.header("Idempotency-Key", filled(&self.key)).body(filled(&self.body));
        request.send().await.expect("an answer")
    }
}

async fn answered(response: Response) -> Value {
    response.json().await.expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_recipes_send_makes_a_post_once_and_says_what_is_wrong() {
    for (title, status) in [("Make", "scheduled"), ("Zapier", "done")] {
        let recipe = Recipe::of(title);
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let service = Setup::new(folder.path(), networks.url()).serve();
        let api = service.api();
        let body: Value = serde_json::from_str(&recipe.body).unwrap();

        let first = recipe.send(&service, "17", "Fresh bread").await;
        assert_eq!(first.status(), StatusCode::CREATED, "{title}");
        let post = answered(first).await;
        assert_eq!(post["content"], "Fresh bread https://blog.example/1", "{title}");
        let network = |target: &Value| target["platform"].clone();
        let networks_of = |body: &Value| -> Vec<Value> {
            body["targets"].as_array().expect("targets").iter().map(network).collect()
        };
        assert_eq!(networks_of(&post), networks_of(&body), "{title}");
        let id = post["id"].as_str().unwrap();
        if body["queue"] == true {
            assert_eq!(post["timing"]["kind"], "queue", "{title}: {post}");
            assert!(post["scheduledAt"].is_string(), "{title}: a slot: {post}");
        } else {
            assert_eq!(body["publishNow"], true, "{title}");
            assert_eq!(api.ended(id).await["targets"][0]["status"], "published", "{title}");
        }
        let stored = api.get(&format!("/posts/{id}")).await;
        assert_eq!(stored["status"], status, "{title}: {stored}");

        // Tried again, replayed, or run once more a week later: the same item makes no second post.
        let again = recipe.send(&service, "17", "Fresh bread").await;
        assert!(again.status().is_success(), "{title}: {}", again.status());
        assert_eq!(answered(again).await["id"], json!(id), "{title}");
        let other = recipe.send(&service, "18", "Fresh rolls").await;
        assert_eq!(other.status(), StatusCode::CREATED, "{title}");
        let posts = api.get("/posts").await;
        assert_eq!(posts["data"].as_array().unwrap().len(), 2, "{title}: {posts}");

        // What a network objects to.
        let long = recipe.send(&service, "19", &"a".repeat(600)).await;
        assert_eq!(long.status(), StatusCode::UNPROCESSABLE_ENTITY, "{title}");
        let refusal = answered(long).await;
        let issues = refusal["error"]["issues"].as_array().expect("issues");
        let is_too_long = |issue: &Value| {
            issue["rule"].as_str().is_some_and(|rule| rule.ends_with("text.too_long"))
        };
        assert!(issues.iter().any(is_too_long), "{title}: {refusal}");
        // Text that would break the JSON is said to be no JSON, and posts nothing.
        let broken = recipe.send(&service, "20", "\"Fresh\" bread").await;
        assert_eq!(broken.status(), StatusCode::BAD_REQUEST, "{title}");
        let posts = api.get("/posts").await;
        assert_eq!(posts["data"].as_array().unwrap().len(), 2, "{title}: {posts}");
    }
}
