//! The bodies that are sent for a line.

use chrono::{DateTime, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::platform::Platform;
use scheduler_core::timing::{PAST_TOLERANCE, parse_local};
use serde_json::{Map, Value, json};

use super::entry::{Aim, Entry};
use super::exported::HANDLE;
use super::fault::Fault;
use crate::posting::{Options, Wish, choose, label, target_body};

/// The networks that a line goes to, with its settings for them; `None` where only a server knows.
pub(super) fn networks(entry: &Entry) -> Option<Value> {
    match &entry.aim {
        Aim::Body => {
            let mut targets = entry.body.get("targets").cloned().unwrap_or(Value::Null);
            for target in targets.as_array_mut().into_iter().flatten() {
                target.as_object_mut().map(|fields| fields.remove(HANDLE));
            }
            Some(targets)
        }
        Aim::Wishes(wishes, options) => wishes
            .iter()
            .map(|wish| match wish {
                Wish::All => None,
                Wish::Network(platform) | Wish::Account(platform, _) => {
                    let options = options.of(*platform).cloned().unwrap_or_default();
                    Some(json!({"platform": platform, "options": options}))
                }
            })
            .collect(),
    }
}

/// The targets of a line among the accounts of the workspace.
///
/// # Errors
/// What no account fits.
pub(super) fn targets(
    entry: &Entry,
    field: &str,
    accounts: &[AccountView],
) -> Result<Value, Vec<Fault>> {
    let mut faults = Vec::new();
    let wrong = |message: String| Fault::error(entry.line, field, message);
    let targets = match &entry.aim {
        Aim::Wishes(wishes, options) => of_wishes(wishes, options, accounts, wrong, &mut faults),
        Aim::Body => {
            let mut targets = Vec::new();
            let named = entry.body.get("targets").and_then(Value::as_array).into_iter().flatten();
            for (index, target) in named.enumerate() {
                let wrong =
                    |message| Fault::error(entry.line, &format!("targets[{index}]"), message);
                match of_body(target, accounts) {
                    Ok(target) => targets.push(target),
                    Err(message) => faults.push(wrong(message)),
                }
            }
            targets
        }
    };
    if faults.is_empty() { Ok(Value::Array(targets)) } else { Err(faults) }
}

fn of_wishes(
    wishes: &[Wish],
    options: &Options,
    accounts: &[AccountView],
    wrong: impl Fn(String) -> Fault,
    faults: &mut Vec<Fault>,
) -> Vec<Value> {
    let mut targets = Vec::new();
    for wish in wishes {
        if let Wish::Network(platform) = wish
            && let Err(message) = only(*platform, accounts)
        {
            faults.push(wrong(message));
            continue;
        }
        match choose(std::slice::from_ref(wish), accounts) {
            Ok(chosen) => {
                targets.extend(chosen.iter().map(|target| target_body(target, options)));
            }
            Err(failure) => {
                let said = failure.to_string();
                faults.push(wrong(said.trim_start_matches("--to ").to_owned()));
            }
        }
    }
    targets
}

fn of_body(target: &Value, accounts: &[AccountView]) -> Result<Value, String> {
    let mut target = target.clone();
    let Some(fields) = target.as_object_mut() else { return Ok(target) };
    let handle = fields.remove(HANDLE);
    let Some(platform) = fields.get("platform").and_then(Value::as_str) else { return Ok(target) };
    let Ok(platform) = platform.parse::<Platform>() else { return Ok(target) };
    let id = fields.get("accountId").and_then(Value::as_str).map(str::to_owned);
    let Some(id) = id else { return only(platform, accounts).map(|()| target) };
    if accounts.iter().any(|account| account.id.to_string() == id) {
        return Ok(target);
    }
    // An export of another workspace names accounts by their handles too.
    let Some(handle) = handle.as_ref().and_then(Value::as_str) else {
        return Err(format!("no account has the id {id} (`scheduler channels list` shows them)"));
    };
    let same = |account: &&AccountView| {
        account.platform == platform && account.username.as_deref() == Some(handle)
    };
    let account = accounts.iter().find(same).ok_or_else(|| {
        format!("no {platform} account is called @{handle} here (`scheduler accounts connect {platform}` connects one)")
    })?;
    fields.insert("accountId".to_owned(), json!(account.id));
    Ok(target)
}

/// Refuses a network that does not have one account.
fn only(platform: Platform, accounts: &[AccountView]) -> Result<(), String> {
    let of_network: Vec<&AccountView> =
        accounts.iter().filter(|account| account.platform == platform && !account.paused).collect();
    match of_network[..] {
        [_] => Ok(()),
        // The server says what a paused account is short of.
        [] if accounts.iter().any(|account| account.platform == platform) => Ok(()),
        [] => Err(format!(
            "no {platform} account is connected (`scheduler accounts connect {platform}` does it)"
        )),
        [..] => {
            let labels: Vec<String> = of_network.into_iter().map(label).collect();
            Err(format!(
                "several {platform} accounts are connected; name one: {}",
                labels.join(", ")
            ))
        }
    }
}

/// What the accounts of a line say of its time.
pub(super) fn time_faults(
    entry: &Entry,
    targets: &Value,
    names: [&str; 2],
    accounts: &[AccountView],
    now: DateTime<Utc>,
) -> Vec<Fault> {
    let [to, local_name] = names;
    let local = entry.body.get("scheduledLocal").and_then(Value::as_str);
    let local = local.and_then(|text| parse_local(text).ok());
    let is_now = entry.body.get("publishNow") == Some(&json!(true));
    let is_draft = entry.body.get("saveAsDraft") == Some(&json!(true));
    let mut faults = Vec::new();
    for target in targets.as_array().into_iter().flatten() {
        let id = target.get("accountId").and_then(Value::as_str);
        let platform = target.get("platform").and_then(Value::as_str);
        let account = accounts.iter().find(|account| match id {
            Some(id) => account.id.to_string() == id,
            None => Some(account.platform.as_str()) == platform && !account.paused,
        });
        let Some(account) = account else { continue };
        if let (Some(local), Some(zone)) = (local, account.timezone)
            && zone.instant(local) < now - PAST_TOLERANCE
        {
            let message = format!("the time has passed in {zone}, the zone of {}", label(account));
            faults.push(
                Fault::error(entry.line, local_name, message).advised("write a time to come"),
            );
        }
        if account.needs_reconnect && !is_draft {
            let message = format!("{} has to be connected again", label(account));
            let fault = if is_now {
                Fault::error(entry.line, to, message)
            } else {
                Fault::warning(entry.line, to, message)
            };
            let platform = account.platform;
            faults.push(fault.advised(format!(
                "connect it with `scheduler accounts connect {platform}` before its time"
            )));
        }
    }
    faults
}

/// The body that creates the post of a line.
pub(super) fn create_body(entry: &Entry, targets: Value) -> Map<String, Value> {
    let mut body = entry.body.clone();
    body.insert("targets".to_owned(), targets);
    body
}
