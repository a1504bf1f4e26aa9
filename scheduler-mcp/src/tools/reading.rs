//! What there is: accounts, networks, slots, posts.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use futures_util::FutureExt as _;
use http::Method;
use scheduler_core::account::AccountView;
use scheduler_core::app::QueueSlot;
use scheduler_core::key::Scope;
use scheduler_core::platform::{CapabilitySheet, Platform};
use scheduler_core::post::{PostPage, PostView};
use serde_json::{Value, json};

use super::{items, short, whole};
use crate::api::Call;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::schema::{Shape, number, said, text};
use crate::tool::{Definition, Hints, Outcome};
use crate::work::{Work, name_of};

/// Posts in a page, at most. Source: our decision; a model reads them all.
const PAGE: i64 = 50;

/// Free slots that are shown of an account.
const NEXT_SLOTS: usize = 3;

pub(crate) static LIST_ACCOUNTS: Definition = Definition {
    name: "list_accounts",
    title: "List accounts",
    description: "The connected accounts, with health, zone and next free slots. Their names are what targets and other tools take.",
    hints: Hints::READS,
    scopes: &[Scope::PostsRead],
    is_repeatable: false,
    input: || Shape::default().with("network", text()),
    output: || {
        let account = Shape::default().written::<AccountView>(&["id", "platform"]);
        Shape::default().needs("accounts", account.needs("name", text()).list())
    },
    run: |work, arguments| list_accounts(work, arguments).boxed(),
};

async fn list_accounts(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let network = arguments.text("network")?;
    arguments.finish()?;
    let detailed = work.get("/app/v1/accounts").await?;
    let queue = work.get("/app/v1/queue").await?;
    let mut slots: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for slot in items(&queue, "data").iter().filter(|slot| slot.get("targetId").is_none()) {
        let of_account = slots.entry(slot["accountId"].to_string()).or_default();
        if of_account.len() < NEXT_SLOTS {
            of_account.push(json!({"instant": slot["instant"], "local": slot["local"]}));
        }
    }
    let accounts = items(&detailed, "data").iter().filter_map(|detail| {
        let view: AccountView = serde_json::from_value(detail["account"].clone()).ok()?;
        if network.as_deref().is_some_and(|network| view.platform.as_str() != network) {
            return None;
        }
        let mut shown = detail["account"].clone();
        let fields = shown.as_object_mut()?;
        fields.remove("avatarUrl");
        fields.insert("name".to_owned(), json!(name_of(&view)));
        fields.insert("untrusted".to_owned(), json!(true));
        fields.insert("health".to_owned(), detail["health"].clone());
        fields.insert("zone".to_owned(), detail["schedule"]["zone"].clone());
        let slots = slots.get(&detail["account"]["id"].to_string()).cloned();
        fields.insert("nextSlots".to_owned(), json!(slots.unwrap_or_default()));
        Some(shown)
    });
    let accounts: Vec<Value> = accounts.collect();
    Ok(Outcome::Done(json!({ "accounts": accounts })))
}

pub(crate) static GET_NETWORK_RULES: Definition = Definition {
    name: "get_network_rules",
    title: "Get a network's rules",
    description: "What a network takes: limits of text and files, its options with their values, what can be done once a post is live.",
    hints: Hints::READS,
    scopes: &[],
    is_repeatable: false,
    input: || Shape::default().needs("network", text()),
    output: || {
        let options = json!({"type": "object", "description": "a JSON Schema"});
        Shape::default().written::<CapabilitySheet>(&["name", "charLimit"]).with("options", options)
    },
    run: |work, arguments| get_network_rules(work, arguments).boxed(),
};

async fn get_network_rules(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let network = arguments.needed("network")?;
    arguments.finish()?;
    Ok(Outcome::Done(rules_of(work, &network).await?))
}

/// The JSON Schema of each network's options, as the description of the API has it.
static OPTIONS: LazyLock<BTreeMap<&'static str, Value>> = LazyLock::new(|| {
    let mut document = scheduler_http::openapi::document();
    let schemas = &mut document["components"]["schemas"];
    let options = Platform::ALL.into_iter().filter_map(|platform| {
        let (first, rest) = platform.as_str().split_at_checked(1)?;
        let name = format!("{}{rest}Options", first.to_ascii_uppercase());
        Some((platform.as_str(), schemas.get_mut(&name)?.take()))
    });
    options.collect()
});

/// The capability sheet of a network, and what its options may be.
///
/// # Errors
/// When there is no such network.
async fn rules_of(work: &Work<'_>, network: &str) -> Result<Value, Failure> {
    let mut sheets = work.get("/v1/platforms").await?;
    match sheets["data"].get_mut(network) {
        Some(sheet) => {
            let mut rules = sheet.take();
            if let (Some(fields), Some(options)) = (rules.as_object_mut(), OPTIONS.get(network)) {
                fields.insert("options".to_owned(), options.clone());
            }
            Ok(rules)
        }
        None => {
            let names = sheets["data"].as_object().map(|all| all.keys().cloned().collect());
            let names: Vec<String> = names.unwrap_or_default();
            let message =
                format!("There is no network {network:?}; there are {}.", names.join(", "));
            Err(Failure::argument("network", message))
        }
    }
}

pub(crate) static FIND_SLOT: Definition = Definition {
    name: "find_slot",
    title: "Find free slots",
    description: "The next free slots of the accounts' weekly schedules, soonest first.",
    hints: Hints::READS,
    scopes: &[Scope::PostsRead],
    is_repeatable: false,
    input: || Shape::default().with("account", text()).with("from", said("an instant")),
    output: || {
        let slot = Shape::default().written::<QueueSlot>(&["accountId", "instant", "local"]);
        Shape::default().needs("slots", slot.list())
    },
    run: |work, arguments| find_slot(work, arguments).boxed(),
};

async fn find_slot(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let account = arguments.text("account")?;
    let from = arguments.text("from")?;
    arguments.finish()?;
    let from: Option<chrono::DateTime<chrono::Utc>> = match from {
        Some(from) => Some(from.parse().map_err(|_| {
            Failure::argument("from", "from is an instant, such as 2030-01-01T09:00:00Z.")
        })?),
        None => None,
    };
    let account = match account {
        Some(name) => Some(work.account(&name).await?.id.to_string()),
        None => None,
    };
    let call = Call::new(Method::GET, "/app/v1/queue").query("accountId", account);
    let queue = work.ask(call).await?;
    let is_after = |slot: &Value| {
        let instant = slot["instant"].as_str().and_then(|at| at.parse().ok());
        from.is_none_or(|from| instant.is_some_and(|at: chrono::DateTime<chrono::Utc>| at >= from))
    };
    let free = items(&queue, "data").iter();
    let free = free.filter(|slot| slot.get("targetId").is_none() && is_after(slot));
    let slots: Vec<&Value> = free.collect();
    Ok(Outcome::Done(json!({ "slots": slots })))
}

pub(crate) static LIST_POSTS: Definition = Definition {
    name: "list_posts",
    title: "List posts",
    description: "Posts in short form. state: failed, in_doubt, needs_attention, awaiting_approval, unfinished. order: recent or due.",
    hints: Hints::READS,
    scopes: &[Scope::PostsRead],
    is_repeatable: false,
    input: || {
        Shape::default()
            .with("status", text())
            .with("state", text())
            .with("account", text())
            .with("q", text())
            .with("from", text())
            .with("to", text())
            .with("order", text())
            .with("limit", number())
            .with("cursor", text())
    },
    output: || {
        let post = Shape::default().written::<PostView>(&["id", "status", "content"]);
        Shape::default().needs("posts", post.list()).written::<PostPage>(&["nextCursor"])
    },
    run: |work, arguments| list_posts(work, arguments).boxed(),
};

async fn list_posts(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let limit = arguments.number("limit")?.unwrap_or(20).clamp(1, PAGE);
    let mut call = Call::new(Method::GET, "/v1/posts").query("limit", Some(limit.to_string()));
    for name in ["status", "state", "q", "from", "to", "order"] {
        call = call.query(name, arguments.text(name)?);
    }
    call = call.query("before", arguments.text("cursor")?);
    let account = arguments.text("account")?;
    arguments.finish()?;
    if let Some(name) = account {
        call = call.query("accountId", Some(work.account(&name).await?.id.to_string()));
    }
    let page = work.ask(call).await?;
    let posts: Vec<Value> = items(&page, "data").iter().map(short).collect();
    Ok(Outcome::Done(json!({"posts": posts, "nextCursor": page["nextCursor"]})))
}

pub(crate) static GET_POST: Definition = Definition {
    name: "get_post",
    title: "Get a post",
    description: "A post with all its targets and what became of each attempt.",
    hints: Hints::READS,
    scopes: &[Scope::PostsRead],
    is_repeatable: false,
    input: || Shape::default().needs("id", text()),
    output: || {
        Shape::default().written::<PostView>(&["id", "status", "revision", "content", "targets"])
    },
    run: |work, arguments| get_post(work, arguments).boxed(),
};

async fn get_post(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let id = arguments.needed("id")?;
    arguments.finish()?;
    Ok(Outcome::Done(whole(work.post(&id).await?)))
}
