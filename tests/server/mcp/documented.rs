//! The settings of clients that `docs/agents.md` prints, used as printed: with the address and the key
//! of a server in place of those of the example, and the built command in place of the installed one.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use http::{HeaderName, HeaderValue};
use rmcp::ClientHandler;
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Map, Value};

use super::client::{Person, connect, connect_by, eras, key};
use super::stdio::started;
use crate::docs::pages::{Page, pages};
use crate::support::{Service, Setup};

/// What the page has for the address of a server, a key of it, and its folder.
const ADDRESS: &str = "https://posts.example.com";
const KEY: &str = "sk_…";
const FOLDER: &str = "/var/lib/scheduler";

/// What stands in their places.
struct Example<'a> {
    service: &'a Service,
    key: String,
    folder: &'a Path,
}

impl Example<'_> {
    fn filled(&self, text: &str) -> String {
        text.replace(ADDRESS, &self.service.url)
            .replace(KEY, &self.key)
            .replace(FOLDER, self.folder.to_str().unwrap())
    }

    /// A client that starts a command line of the page.
    async fn start(&self, line: &[String], variables: &[(&str, &str)]) -> BTreeSet<String> {
        let ["scheduler", "mcp", rest @ ..] =
            &line.iter().map(String::as_str).collect::<Vec<_>>()[..]
        else {
            panic!("{line:?} is not the command");
        };
        let mut shown = Vec::new();
        for era in eras() {
            let (child, client) =
                started(rest, variables, self.folder, era, Person::NOT_ASKED).await;
            shown.push(tools(client).await);
            drop(child);
        }
        all_the_same(shown)
    }

    /// A client that speaks to an address of the page with headers of the page.
    async fn speak(&self, url: &str, headers: &[(String, String)]) -> BTreeSet<String> {
        let headers: HashMap<HeaderName, HeaderValue> = headers
            .iter()
            .map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value")))
            .collect();
        let mut shown = Vec::new();
        for era in eras() {
            let config = StreamableHttpClientTransportConfig::with_uri(url);
            let config = config.custom_headers(headers.clone());
            shown.push(tools(connect_by(config, era, Person::NOT_ASKED).await).await);
        }
        all_the_same(shown)
    }

    /// A client that is set up as a block of JSON says of one server.
    async fn set_up(&self, server: &Value) -> BTreeSet<String> {
        let texts = |value: &Value| -> Vec<String> {
            value.as_array().expect("a list").iter().map(|one| self.text(one)).collect()
        };
        let named = |value: &Value| -> Vec<(String, String)> {
            let all = value.as_object().cloned().unwrap_or_else(Map::new);
            all.iter().map(|(name, value)| (name.clone(), self.text(value))).collect()
        };
        if let Some(url) = server["url"].as_str() {
            let headers = named(&server["headers"]);
            return self.speak(&self.filled(url), &headers).await;
        }
        let line = [vec![self.text(&server["command"])], texts(&server["args"])].concat();
        let variables = named(&server["env"]);
        let variables: Vec<(&str, &str)> =
            variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.start(&line, &variables).await
    }

    fn text(&self, value: &Value) -> String {
        self.filled(value.as_str().expect("a text"))
    }
}

async fn tools<H: ClientHandler>(client: RunningService<RoleClient, H>) -> BTreeSet<String> {
    assert!(client.peer_info().is_some(), "it was told whom it speaks with");
    let tools = client.list_all_tools().await.expect("a list");
    client.cancel().await.expect("it ends");
    tools.into_iter().map(|tool| tool.name.into_owned()).collect()
}

fn all_the_same(mut shown: Vec<BTreeSet<String>>) -> BTreeSet<String> {
    shown.dedup();
    let [tools] = &shown[..] else { panic!("it depends on how a client begins: {shown:?}") };
    tools.clone()
}

fn page() -> Page {
    let all = pages(Path::new(env!("CARGO_MANIFEST_DIR")));
    all.into_iter().find(|page| page.path == Path::new("docs/agents.md")).expect("the page")
}

/// The words of a command line, as a shell reads them.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// The values that a client asks its person for, as it has them stand in its settings.
fn asked(settings: &Value) -> Vec<String> {
    let inputs = settings["inputs"].as_array().cloned().unwrap_or_default();
    let ids = inputs.iter().map(|input| input["id"].as_str().expect("an id"));
    ids.map(|id| format!("${{input:{id}}}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_are_set_up_as_printed_are_shown_the_tools() {
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), "").serve();
    let key = key(&service, "agent");
    let [handshake, ..] = eras();
    let agent =
        tools(connect(&service.url, &key, handshake.clone(), Person::NOT_ASKED).await).await;
    let first = service.first_key.as_deref().unwrap();
    let owner = tools(connect(&service.url, first, handshake, Person::NOT_ASKED).await).await;
    let example = Example { service: &service, key, folder: folder.path() };

    let page = page();
    let (mut by_command, mut by_address) = (0, 0);
    for fence in page.fences().iter().filter(|fence| fence.tag == "json") {
        let place = format!("docs/agents.md:{}", fence.line);
        let settings: Value =
            serde_json::from_str(&fence.text).unwrap_or_else(|error| panic!("{place}: {error}"));
        let asked = asked(&settings);
        let filled = asked.iter().fold(fence.text.clone(), |text, asked| {
            assert!(text.contains(asked), "{place}: nobody needs {asked}");
            text.replace(asked, KEY)
        });
        assert!(!filled.contains("${"), "{place}: nobody asks for what stands there: {filled}");
        let settings: Value = serde_json::from_str(&filled).unwrap();
        let servers = settings.get("mcpServers").or(settings.get("servers"));
        let servers = servers.and_then(Value::as_object).expect("servers");
        for (name, server) in servers {
            assert_eq!(example.set_up(server).await, agent, "{place}: {name}");
            let kind = if server.get("url").is_some() { &mut by_address } else { &mut by_command };
            *kind += 1;
        }
    }
    assert_eq!((by_command, by_address), (1, 2), "the blocks of the page");

    // On the server's own machine, by its folder.
    let (_, beginning) = page.text.split_once("`\"args\": ").expect("the arguments there");
    let (arguments, _) = beginning.split_once('`').expect("their end");
    let arguments: Vec<String> = serde_json::from_str(arguments).expect("a list");
    let arguments: Vec<String> = arguments.iter().map(|one| example.filled(one)).collect();
    let line = [vec!["scheduler".to_owned()], arguments].concat();
    assert_eq!(example.start(&line, &[]).await, owner);

    // What is typed for Claude Code.
    let typed: Vec<String> = page
        .fences()
        .iter()
        .filter(|fence| fence.text.starts_with("claude mcp add "))
        .flat_map(|fence| fence.text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let [by_address, by_command] = &typed[..] else { panic!("two command lines: {typed:?}") };
    let by_address = words(&example.filled(by_address));
    let ["claude", "mcp", "add", "--transport", "http", "scheduler", url, "--header", header] =
        &by_address.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        panic!("{by_address:?}");
    };
    let (name, value) = header.split_once(": ").expect("a header");
    let headers = [(name.to_owned(), value.to_owned())];
    assert_eq!(example.speak(url, &headers).await, agent);
    let by_command = words(by_command);
    let at = by_command.iter().position(|word| word == "--").expect("what is started");
    assert_eq!(by_command[..at], ["claude", "mcp", "add", "scheduler"]);
    // Where every other command works: here in the folder of the server.
    let data = folder.path().to_str().unwrap();
    let started = example.start(&by_command[at + 1..], &[("SCHEDULER_DATA", data)]).await;
    assert_eq!(started, owner);
}
