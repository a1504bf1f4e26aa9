//! The pages of `docs/networks` against the adapters: what they ask a person to allow, where they
//! send browsers back to, and the words of their errors.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{AuthorizeInput, ConnectInput, Network, NoMedia};
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Client, NetworkSettings, Settings, adapters_within};
use scheduler_sandbox::{Options, Sandbox};
use url::Url;

use crate::support::signing;

/// What every page has, in this order; between the first two stands how to get what is needed.
const OUTLINE: [&str; 10] = [
    "What you need",
    "Settings",
    "Connect",
    "Permissions",
    "When it does not work",
    "How long it lasts",
    "Try it first",
    "What can be posted",
    "Quotas and costs",
    "Sources",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn page(platform: Platform) -> String {
    let path = root().join(format!("docs/networks/{platform}.md"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines below a heading of the second level.
fn section<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let is_start = |line: &&str| line.strip_prefix("## ") != Some(heading);
    let lines = page.lines().skip_while(is_start).skip(1);
    lines.take_while(|line| !line.starts_with("## ")).collect()
}

/// What stands in backticks in the first cells of the tables that begin with this heading.
fn first_cells<'a>(lines: &[&'a str], heading: &str) -> Vec<&'a str> {
    let mut is_meant = false;
    let mut cells = Vec::new();
    for line in lines {
        let Some(row) = line.strip_prefix('|') else {
            is_meant = false;
            continue;
        };
        let first = row.split(" | ").next().unwrap().trim();
        if first == heading {
            is_meant = true;
        } else if is_meant && let Some(cell) = first.strip_prefix('`') {
            cells.push(cell.strip_suffix('`').unwrap());
        }
    }
    cells
}

#[test]
fn every_page_has_the_same_outline() {
    for platform in Platform::ALL {
        let page = page(platform);
        let mut headings: Vec<&str> =
            page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert!(headings.len() > 1, "{platform}");
        headings.remove(1);
        assert_eq!(headings, OUTLINE, "{platform}");
        let index = fs::read_to_string(root().join("docs/networks/README.md")).unwrap();
        assert!(index.contains(&format!("]({platform}.md)")), "{platform} is not in the index");
    }
}

#[test]
fn the_redirect_address_is_named_where_a_browser_is_sent_back() {
    for platform in Platform::ALL {
        let opens_page = platform.sheet().connecting.ways.iter().any(|way| way.opens_page);
        let address = format!("`https://scheduler.example/connect/{platform}/callback`");
        let page = page(platform);
        assert_eq!(page.contains(&address), opens_page, "{platform}: {address}");
        let callbacks = page.matches("/callback").count();
        let own = page.matches(&format!("/connect/{platform}/callback")).count();
        assert_eq!(callbacks, own, "{platform} names the callback of another");
    }
}

#[test]
fn every_option_is_named() {
    for platform in Platform::ALL {
        let page = page(platform);
        let posted = section(&page, "What can be posted").join("\n");
        let (_, named) = posted.split_once("Options: ").unwrap();
        for option in platform.sheet().options {
            assert!(named.contains(&format!("`{}`", option.key)), "{platform}.{}", option.key);
        }
    }
}

/// What the adapters put into the address of the network's page.
#[tokio::test]
async fn the_permissions_are_those_that_are_asked_for() {
    let sandbox = Sandbox::start("127.0.0.1:0".parse().unwrap(), Options::default()).await.unwrap();
    let of = |platform: Platform| {
        let settings = NetworkSettings {
            api_base: Some(Url::parse(&format!("{}/{platform}", sandbox.url())).unwrap()),
            client: Some(Client { id: "app".into(), secret: "secret".to_owned().into() }),
            ..NetworkSettings::default()
        };
        (platform, settings)
    };
    let networks = Platform::ALL.into_iter().map(of).collect();
    let stored = StoredFiles { files: Arc::new(MemoryFiles::new()), examiner: Arc::new(NoMedia) };
    let settings = Settings { allow_private: true, networks };
    let adapters = adapters_within(&settings, stored, signing()).unwrap();
    for platform in Platform::ALL {
        let page = page(platform);
        let named = first_cells(&section(&page, "Permissions"), "scope");
        let named: BTreeSet<String> = named.into_iter().map(str::to_owned).collect();
        let network = adapters.networks.network(platform).unwrap();
        assert_eq!(named, asked(platform, &**network).await, "{platform}");
    }
}

async fn asked(platform: Platform, network: &dyn Network) -> BTreeSet<String> {
    let mut asked = BTreeSet::new();
    for way in platform.sheet().connecting.ways.iter().filter(|way| way.opens_page) {
        let typed = way.fields.iter().map(|field| (field.name, "m.example"));
        let values = typed.chain(way.fixed.iter().copied());
        let values: BTreeMap<_, _> =
            values.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let input = AuthorizeInput {
            values: ConnectInput(values),
            redirect_uri: format!("https://scheduler.example/connect/{platform}/callback"),
            state: "state".to_owned(),
            code_verifier: "verifier".to_owned().into(),
        };
        let page = network.authorize(&input).await.unwrap();
        let page = Url::parse(&page.url).unwrap();
        let scopes = match page.query_pairs().find(|(name, _)| name == "scope") {
            Some((_, scopes)) => scopes.into_owned(),
            None => shown_permissions(page.clone()).await,
        };
        let scopes = scopes.split([' ', ',']).map(|scope| {
            scope.strip_prefix("https://www.googleapis.com/auth/").unwrap_or(scope).to_owned()
        });
        asked.extend(scopes);
    }
    asked
}

/// The table says of as many rows of an error table that no page of the network names them, as are
/// marked so.
#[test]
fn unverified_rows_of_error_tables_are_counted() {
    let index = fs::read_to_string(root().join("docs/networks/README.md")).unwrap();
    for platform in Platform::ALL {
        let place = root().join(format!("scheduler-networks/src/{platform}/errors.rs"));
        let errors = source(&place);
        let marked = errors.matches(".unverified()").count();
        let (before, _) = index.split_once(&format!("]({platform}.md)")).unwrap();
        let name = before.rsplit('[').next().unwrap();
        let is_counted = |line: &&str| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            cells.next() == Some(name)
                && cells.next().is_some_and(|cell| cell.parse::<u32>().is_ok())
        };
        let row = index.lines().find(is_counted);
        let told = row.unwrap().split('|').nth(5).unwrap().trim();
        assert_eq!(told, marked.to_string(), "{platform}");
    }
}

/// What a page lists that knows of the request already.
async fn shown_permissions(page: Url) -> String {
    let client = reqwest::Client::builder().build().unwrap();
    let shown = client.get(page).send().await.unwrap().text().await.unwrap();
    let (_, permissions) = shown.split_once("Permissions: ").unwrap();
    permissions.split_once("</p>").unwrap().0.replace("&amp;", "&")
}

/// A message of a page, but for what stands as `…`, is a message of the code.
#[test]
fn the_messages_are_those_of_the_code() {
    let root = root();
    let common = [
        "scheduler-core/src/app/accounts",
        "scheduler-core/src/app/connecting",
        "scheduler-core/src/connecting",
        "scheduler-core/src/error",
        "scheduler-core/src/platform/redirect.rs",
        "scheduler-cli/src/commands/accounts",
        "scheduler-cli/src/connecting.rs",
    ];
    let common: String = common.iter().map(|place| source(&root.join(place))).collect();
    let index = fs::read_to_string(root.join("docs/networks/README.md")).unwrap();
    let mut found = strangers("README", &index, &common);
    for platform in Platform::ALL {
        let own = source(&root.join(format!("scheduler-networks/src/{platform}")));
        found.extend(strangers(platform.as_str(), &page(platform), &format!("{own}{common}")));
    }
    assert_eq!(found, Vec::<String>::new());
}

fn strangers(name: &str, page: &str, code: &str) -> Vec<String> {
    let messages = first_cells(&section(page, "When it does not work"), "message");
    assert!(!messages.is_empty(), "{name}");
    let parts = messages.into_iter().flat_map(|message| message.split('…'));
    let parts = parts.map(|part| part.trim_matches(['.', ' ']));
    let known = |part: &&str| part.len() > 3 && !code.contains(*part);
    parts.filter(known).map(|part| format!("{name}: {part}")).collect()
}

/// The Rust sources of a place, with texts that go over several lines joined.
fn source(place: &Path) -> String {
    if place.is_file() {
        let text = fs::read_to_string(place).unwrap();
        let lines = text.split("\\\n").map(str::trim_start);
        return lines.collect();
    }
    let entries = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path());
    let is_source = |path: &PathBuf| {
        path.is_dir()
            || path.extension().is_some_and(|extension| extension == "rs")
                && !path.to_string_lossy().contains("tests")
    };
    entries.filter(is_source).map(|path| source(&path)).collect()
}
