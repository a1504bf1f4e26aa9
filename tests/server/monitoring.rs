//! What an operator sees of the built server: its metrics, which the dashboard and the alerts of
//! `deploy` are made for, and its log.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use reqwest::StatusCode;
use serde_json::{Map, Value, json};
use yaml_rust2::{Yaml, YamlLoader};

use crate::files::{declare, id_of, picture, post, put, ready};
use crate::support::{Api, Networks, Receiver, Service, Setup, client, wait_for};

#[path = "../../scheduler-http/tests/http/support/exposition.rs"]
mod exposition;

use exposition::Scrape;

const SECRET_TEXT: &str = "Nobody but the networks reads this";

fn repository(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A server, the networks and a receiver of events around it.
struct Case {
    networks: Networks,
    receiver: Receiver,
    service: Service,
    log: PathBuf,
    _folder: tempfile::TempDir,
}

async fn case(variables: &[(&str, &str)]) -> Case {
    let networks = Networks::start().await;
    let receiver = Receiver::start().await;
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let setup = Setup::new(data, networks.url());
    let file = std::fs::File::create(&log).unwrap();
    let service = setup.serve_logging(variables, Stdio::from(file));
    Case { networks, receiver, service, log, _folder: folder }
}

async fn publish(api: &Api, text: &str, platform: &str) -> Value {
    let body = json!({"content": text, "publishNow": true, "targets": [{"platform": platform}]});
    let post = api.create(&body).await;
    api.ended(post["id"].as_str().unwrap()).await
}

impl Case {
    /// What a server does on a usual day: posts that go out at once, after a failure and never, a
    /// file, and events.
    async fn live_a_day(&self) {
        let api = self.service.api();
        api.add_webhook(&self.receiver.url()).await;
        publish(&api, SECRET_TEXT, "mastodon").await;
        self.networks.fault_publish("bluesky", "error500", 1).await;
        publish(&api, SECRET_TEXT, "bluesky").await;
        self.networks.fault_publish("mastodon", "permanent", 1).await;
        publish(&api, SECRET_TEXT, "mastodon").await;
        let file = picture(64, 64);
        let declared = declare(&api, &file).await;
        put(&declared["upload"]["uploadUrl"], &file).await;
        let id = id_of(&declared);
        post(&api, &format!("/media/{id}/uploaded"), &json!({})).await;
        ready(&api, &id).await;
        self.receiver.wait_for(3).await;
    }

    async fn scrape(&self) -> Scrape {
        let url = format!("{}/metrics", self.service.url);
        let answer = client().get(url).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        Scrape::parse(&answer.text().await.unwrap())
    }
}

/// Every word of an expression that names a metric of ours.
fn names(expression: &str) -> BTreeSet<String> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let words = expression.split(|character| !is_part(character));
    words.filter(|word| word.starts_with("scheduler_")).map(str::to_owned).collect()
}

/// The strings under one key, wherever it stands.
fn under<'a>(key: &str, value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_str() {
                    Some(text) if name == key => found.push(text),
                    Some(_) | None => under(key, value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| under(key, value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The expressions of the dashboard and of the alerts, each with where it stands.
fn expressions() -> Vec<(String, String)> {
    let dashboard: Value =
        serde_json::from_str(&repository("deploy/grafana/scheduler.json")).unwrap();
    let mut found = Vec::new();
    under("expr", &dashboard, &mut found);
    under("definition", &dashboard, &mut found);
    let mut all: Vec<(String, String)> =
        found.into_iter().map(|text| ("the dashboard".to_owned(), text.to_owned())).collect();
    assert!(all.len() > 30, "a dashboard with something on it");
    for rule in alerts() {
        let name = rule["alert"].as_str().expect("a name").to_owned();
        all.push((name, rule["expr"].as_str().expect("an expression").to_owned()));
    }
    all
}

fn alerts() -> Vec<Yaml> {
    let alerts = YamlLoader::load_from_str(&repository("deploy/prometheus/alerts.yml")).unwrap();
    let groups = alerts[0]["groups"].as_vec().expect("groups").clone();
    groups.iter().flat_map(|group| group["rules"].as_vec().expect("rules").clone()).collect()
}

#[test]
fn the_alerts_say_what_is_wrong_and_how_bad_it_is() {
    let mut seen = BTreeSet::new();
    for rule in alerts() {
        let name = rule["alert"].as_str().expect("a name");
        assert!(seen.insert(name.to_owned()), "{name} twice");
        let severity = rule["labels"]["severity"].as_str();
        assert!(matches!(severity, Some("critical" | "warning")), "{name}: {severity:?}");
        for field in ["summary", "description"] {
            assert!(rule["annotations"][field].as_str().is_some(), "{name} has no {field}");
        }
    }
    let prometheus =
        YamlLoader::load_from_str(&repository("deploy/prometheus/prometheus.yml")).unwrap();
    assert_eq!(prometheus[0]["rule_files"][0].as_str(), Some("alerts.yml"));
    assert_eq!(prometheus[0]["scrape_configs"][0]["metrics_path"].as_str(), Some("/metrics"));
    assert_eq!(prometheus[0]["scrape_configs"][0]["job_name"].as_str(), Some("scheduler"));
    let documentation = repository("docs/monitoring.md");
    for name in seen {
        assert!(documentation.contains(&format!("`{name}`")), "{name} is not documented");
    }
}

#[test]
fn the_panels_of_the_dashboard_do_not_lie_on_each_other() {
    let dashboard: Value =
        serde_json::from_str(&repository("deploy/grafana/scheduler.json")).unwrap();
    let mut taken = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        let title = &panel["title"];
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{title}: its id twice");
        let at = |name: &str| panel["gridPos"][name].as_u64().unwrap();
        assert!(at("x") + at("w") <= 24, "{title} is too wide");
        for x in at("x")..at("x") + at("w") {
            for y in at("y")..at("y") + at("h") {
                assert!(taken.insert((x, y)), "{title} lies on another");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scrape_has_whatever_the_dashboard_and_the_alerts_ask_for() {
    let case = case(&[]).await;
    case.live_a_day().await;
    let scrape = case.scrape().await;
    for (place, expression) in expressions() {
        for name in names(&expression) {
            let family = ["_bucket", "_sum", "_count"]
                .iter()
                .find_map(|suffix| name.strip_suffix(suffix))
                .filter(|family| scrape.0.get(*family).is_some_and(|of| of.kind == "histogram"));
            let family = family.unwrap_or(&name);
            assert!(scrape.0.contains_key(family), "{place} asks for {name}: {expression}");
        }
    }
    let documentation = repository("docs/monitoring.md");
    for (name, family) in &scrape.0 {
        assert!(documentation.contains(&format!("| `{name}` |")), "{name} is not documented");
        assert!(!family.help.is_empty(), "{name}");
    }
    let outcomes = scrape.by("scheduler_publish_outcomes_total", "outcome");
    let want = [("deferred", 1.0), ("failed", 1.0), ("published", 2.0)];
    assert_eq!(outcomes, want.map(|(name, count)| (name.to_owned(), count)).into());
    assert_eq!(scrape.value("scheduler_media_work_total", &[("outcome", "examined")]), Some(1.0));
    assert_eq!(scrape.value("scheduler_store_up", &[]), Some(1.0));
    let operations = scrape.by("scheduler_store_operations_total", "operation");
    for operation in ["claim", "record_publish", "create_post", "next_instant"] {
        assert!(
            operations.get(operation).is_some_and(|count| *count > 0.0),
            "{operation} is missing: {operations:?}"
        );
    }
    let odd: Vec<_> = operations.keys().filter(|operation| !is_plain(operation)).collect();
    assert!(odd.is_empty(), "operations have plain names: {odd:?}");
    let operations = scrape.by("scheduler_network_calls_total", "operation");
    assert!(operations.contains_key("advance"), "{operations:?}");
}

fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase())
}

/// The value of a field, when it is a text.
fn text<'a>(line: &'a Map<String, Value>, name: &str) -> &'a str {
    line.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_line_of_the_log_is_json_and_says_what_it_is_about() {
    let variables = [("SCHEDULER_LOG", "debug"), ("SCHEDULER_LOG_FORMAT", "json")];
    let case = case(&variables).await;
    case.live_a_day().await;
    let key = case.service.first_key.clone().unwrap();
    let sent = json!({
        "content": SECRET_TEXT,
        "publishNow": true,
        "targets": [{"platform": "mastodon"}],
    });
    let answer = client()
        .post(format!("{}/v1/posts", case.service.url))
        .bearer_auth(&key)
        .header("x-request-id", "of-this-test-1")
        .json(&sent)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::CREATED);
    let post: Value = answer.json().await.unwrap();
    let (post_id, target) = (post["id"].as_str().unwrap(), &post["targets"][0]);
    case.service.api().ended(post_id).await;
    case.receiver.wait_for(4).await;
    let Case { service, log, .. } = case;
    assert_eq!(service.stop(), Some(0));

    let log = std::fs::read_to_string(log).unwrap();
    assert!(!log.contains(SECRET_TEXT) && !log.contains(&key), "a text or a key is in the log");
    let lines: Vec<Map<String, Value>> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect();
    for line in &lines {
        assert!(text(line, "timestamp").ends_with('Z'), "{line:?}");
        assert!(!text(line, "level").is_empty() && !text(line, "target").is_empty(), "{line:?}");
        let nested = line.values().find(|value| value.is_object() || value.is_array());
        assert_eq!(nested, None, "flat: {line:?}");
    }
    let about = |name: &str, value: &str| -> Vec<&Map<String, Value>> {
        lines.iter().filter(|line| text(line, name) == value).collect()
    };
    let of_request = about("request_id", "of-this-test-1");
    let ended: Vec<_> = of_request.iter().filter(|line| line.get("status").is_some()).collect();
    assert_eq!(ended.len(), 1, "one line for each request: {of_request:?}");
    assert_eq!((ended[0]["status"].as_u64(), text(ended[0], "level")), (Some(201), "INFO"));
    assert_eq!(text(ended[0], "path"), "/v1/posts");
    assert!(!text(ended[0], "workspace_id").is_empty() && !text(ended[0], "key_id").is_empty());

    let of_post = about("post_id", post_id);
    let outcomes: Vec<_> =
        of_post.iter().filter(|line| text(line, "outcome") == "published").collect();
    assert_eq!(outcomes.len(), 1, "one line for each outcome: {of_post:?}");
    assert!(of_post.len() > 1, "its calls to the network say so as well: {of_post:?}");
    for line in &of_post {
        assert_eq!(text(line, "target_id"), target["id"].as_str().unwrap());
        assert_eq!(text(line, "account_id"), target["accountId"].as_str().unwrap());
        assert_eq!(text(line, "platform"), "mastodon");
        assert_eq!(line["attempt"].as_u64(), Some(1));
    }
    assert_eq!(text(outcomes[0], "level"), "INFO");
    assert!(outcomes[0]["late_ms"].is_i64() && outcomes[0]["duration_ms"].is_i64());

    let deferred = about("outcome", "publish_deferred");
    let [deferred] = deferred.as_slice() else { panic!("{deferred:?}") };
    for (name, want) in
        [("level", "WARN"), ("error_class", "temporary"), ("error_code", "network_error")]
    {
        assert_eq!(text(deferred, name), want, "{deferred:?}");
    }
    assert!(text(deferred, "next_at").ends_with('Z'), "{deferred:?}");
    let failed = about("outcome", "publish_failed");
    let [failed] = failed.as_slice() else { panic!("{failed:?}") };
    assert_eq!(text(failed, "error_class"), "permanent", "{failed:?}");
    let delivered = about("outcome", "delivered");
    assert_eq!(delivered.len(), 4);
    for line in delivered {
        for name in ["delivery_id", "event_id", "webhook_id"] {
            assert!(!text(line, name).is_empty(), "{name}: {line:?}");
        }
        assert_eq!(line["status"].as_u64(), Some(204), "{line:?}");
    }
    let examined = about("outcome", "file_examined");
    assert!(examined.first().is_some_and(|line| !text(line, "media_id").is_empty()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_without_an_api_has_metrics_at_an_address_of_its_own() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let settings = format!(
        "role = \"worker\"\nmetrics_listen = \"{free}\"\nmetrics_token = \"of-the-operator\"\n"
    );
    std::fs::write(folder.path().join("scheduler.toml"), settings).unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let _running = setup.begin(&["serve", "--sandbox"]);
    let url = format!("http://{free}/metrics");
    let ask = async |token: &str| {
        let answer = client().get(&url).bearer_auth(token).send().await.ok()?;
        Some((answer.status(), answer.text().await.ok()?))
    };
    let (status, body) = wait_for("the metrics", async || ask("wrong").await).await;
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        (status, &body["error"]["code"]),
        (StatusCode::UNAUTHORIZED, &json!("unauthorized"))
    );
    wait_for("the loop to turn", async || {
        let (status, page) = ask("of-the-operator").await?;
        assert_eq!(status, StatusCode::OK);
        let turned =
            Scrape::parse(&page).value("scheduler_worker_last_turn_timestamp_seconds", &[]);
        turned.filter(|at| *at > 1.7e9)
    })
    .await;
    let ready = client().get(format!("http://{free}/readyz")).send().await.unwrap();
    assert_eq!(ready.status(), StatusCode::OK);
    let api = client().get(format!("http://{free}/v1/platforms")).send().await.unwrap();
    assert_eq!(api.status(), StatusCode::NOT_FOUND);
}
