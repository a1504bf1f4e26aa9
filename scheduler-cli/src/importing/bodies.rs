//! Where a line goes: its networks, its accounts, and what these say of its time.

use chrono::{DateTime, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::ids::MediaId;
use scheduler_core::platform::Platform;
use scheduler_core::post::TargetInput;
use scheduler_core::timing::{PAST_TOLERANCE, parse_local};
use serde_json::{Value, json};

use super::entry::{Entry, ImportTarget, NAMES};
use super::fault::Fault;
use super::source::Source;
use crate::posting::{Options, TargetSpec, choose, find, label, labels, not_connected, of_network};

/// The networks that a line goes to, with its settings for them; `None` where only a server knows.
pub(super) fn networks(entry: &Entry) -> Option<Value> {
    match &entry.target {
        ImportTarget::Body => {
            let mut targets = entry.body.get("targets").cloned().unwrap_or_default();
            for target in targets.as_array_mut().into_iter().flatten() {
                target.as_object_mut().map(|fields| fields.remove(NAMES));
            }
            Some(targets)
        }
        ImportTarget::Specs(specs, options) => {
            let networks = specs.iter().map(|spec| match spec {
                TargetSpec::All | TargetSpec::Set(_) => None,
                TargetSpec::Network(platform) | TargetSpec::Account(platform, _) => {
                    Some(TargetInput::from(*platform))
                }
            });
            let mut targets: Vec<TargetInput> = networks.collect::<Option<_>>()?;
            options.add_to(&mut targets);
            Some(json!(targets))
        }
    }
}

/// The body that creates the post of a line, with these files.
pub(super) fn whole_body(entry: Entry, targets: Value, files: Vec<MediaId>) -> Value {
    let mut body = entry.body;
    body.insert("targets".to_owned(), targets);
    if !files.is_empty() {
        body.insert("mediaIds".to_owned(), json!(files));
    }
    Value::Object(body)
}

/// The targets of a line among the accounts of the workspace.
///
/// # Errors
/// What no account fits.
pub(super) fn targets(
    source: &Source,
    entry: &Entry,
    accounts: &[AccountView],
) -> Result<Value, Vec<Fault>> {
    let found: Vec<(String, Result<Vec<Value>, String>)> = match &entry.target {
        ImportTarget::Specs(specs, options) => specs
            .iter()
            .map(|spec| (source.field_name("targets"), of_spec(spec, options, accounts)))
            .collect(),
        ImportTarget::Body => {
            let named = entry.body.get("targets").and_then(Value::as_array).into_iter().flatten();
            let named = named.enumerate().map(|(index, target)| {
                let found = of_body(source, target, accounts).map(|target| vec![target]);
                (format!("targets[{index}]"), found)
            });
            named.collect()
        }
    };
    let (mut targets, mut faults) = (Vec::new(), Vec::new());
    for (field, found) in found {
        match found {
            Ok(found) => targets.extend(found),
            Err(message) => faults.push(Fault::error(entry.line, &field, message)),
        }
    }
    if faults.is_empty() { Ok(Value::Array(targets)) } else { Err(faults) }
}

fn of_spec(
    spec: &TargetSpec,
    options: &Options,
    accounts: &[AccountView],
) -> Result<Vec<Value>, String> {
    if let TargetSpec::Network(platform) = spec {
        only(*platform, accounts)?;
    }
    let chosen = choose(std::slice::from_ref(spec), accounts, "all");
    let mut chosen = chosen.map_err(|failure| failure.to_string())?;
    options.add_to(&mut chosen);
    Ok(chosen.into_iter().map(|target| json!(target)).collect())
}

fn of_body(source: &Source, target: &Value, accounts: &[AccountView]) -> Result<Value, String> {
    let mut target = target.clone();
    let Some(fields) = target.as_object_mut() else { return Ok(target) };
    let names = fields.remove(NAMES);
    let Some(platform) = fields.get("platform").and_then(Value::as_str) else { return Ok(target) };
    let Ok(platform) = platform.parse::<Platform>() else { return Ok(target) };
    let id = fields.get("accountId").and_then(Value::as_str);
    if id.is_some_and(|id| accounts.iter().any(|account| account.id.to_string() == id)) {
        return Ok(target);
    }
    let names = names.as_ref().and_then(Value::as_array).into_iter().flatten();
    let names: Vec<&str> = names.filter_map(Value::as_str).collect();
    if names.is_empty() {
        return match id {
            None => only(platform, accounts).map(|()| target),
            Some(id) => {
                Err(format!("no account has the id {id} (`scheduler channels list` shows them)"))
            }
        };
    }
    let account = called(source, platform, &names, accounts)?;
    fields.insert("accountId".to_owned(), json!(account.id));
    Ok(target)
}

/// The account that another workspace or system calls by one of these names: that of the handle,
/// else the one that shows the name. Nothing is guessed: a part of a handle is none.
fn called<'a>(
    source: &Source,
    platform: Platform,
    names: &[&str],
    accounts: &'a [AccountView],
) -> Result<&'a AccountView, String> {
    if let Some(ours) = source.account_here(platform, names) {
        return find(accounts, platform, ours).map_err(|failure| failure.to_string());
    }
    let names: Vec<&str> = names.iter().map(|name| name.trim_start_matches('@')).collect();
    let is_one = |name: &Option<String>| name.as_deref().is_some_and(|name| names.contains(&name));
    let known = of_network(accounts, platform);
    let mut found = known.clone();
    found.retain(|account| is_one(&account.username));
    if found.is_empty() {
        found = known;
        found.retain(|account| is_one(&account.display_name));
    }
    let name = names[0];
    let alias = format!("--account \"{platform}:{name}=@HANDLE\" says which one it is");
    match found[..] {
        [account] => Ok(account),
        [] => Err(format!(
            "no {platform} account is called @{name} here (`scheduler accounts connect {platform}` \
             connects one; {alias})"
        )),
        [..] => Err(format!(
            "several {platform} accounts are called {name}: {} ({alias})",
            labels(&found)
        )),
    }
}

/// Refuses a network that does not have one account.
fn only(platform: Platform, accounts: &[AccountView]) -> Result<(), String> {
    let known = of_network(accounts, platform);
    let usable: Vec<&AccountView> =
        known.iter().copied().filter(|account| !account.paused).collect();
    match usable[..] {
        [_] => Ok(()),
        // The server says what a paused account is short of.
        [] if !known.is_empty() => Ok(()),
        [] => Err(not_connected(platform)),
        [..] => {
            Err(format!("several {platform} accounts are connected; name one: {}", labels(&usable)))
        }
    }
}

/// What the accounts of a line say of its time.
pub(super) fn time_faults(
    source: &Source,
    entry: &Entry,
    targets: &Value,
    accounts: &[AccountView],
    now: DateTime<Utc>,
) -> Vec<Fault> {
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
            let fault = Fault::error(entry.line, &source.field_name("scheduledLocal"), message);
            faults.push(fault.advised("write a time to come"));
        }
        if account.needs_reconnect && !is_draft {
            let message = format!("{} has to be connected again", label(account));
            let severity = if is_now { Fault::error } else { Fault::warning };
            let fault = severity(entry.line, &source.field_name("targets"), message);
            let platform = account.platform;
            faults.push(fault.advised(format!(
                "connect it with `scheduler accounts connect {platform}` before its time"
            )));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(number: u8, platform: &str, username: Option<&str>, name: &str) -> AccountView {
        serde_json::from_value(json!({
            "id": format!("00000000-0000-0000-0000-0000000000{number:02}"), "platform": platform,
            "username": username, "displayName": name, "avatarUrl": null, "connection": null,
            "canDeleteRemote": true, "needsReconnect": false, "paused": false, "timezone": null,
        }))
        .unwrap()
    }

    #[test]
    fn accounts_of_another_system() {
        let accounts = [
            account(1, "instagram", Some("bakery.berlin"), "The Bakery"),
            account(2, "mastodon", Some("ann@a.example"), "Ann"),
            account(3, "linkedin", None, "Ann Lee"),
            account(4, "linkedin", None, "Twins"),
            account(5, "linkedin", None, "Twins"),
            account(6, "telegram", Some("ann"), "Bob"),
            account(7, "telegram", Some("bob"), "Ann"),
        ];
        for (name, platform, names, want) in [
            ("a handle", "instagram", &["bakery.berlin"][..], Some(1)),
            ("with its sign", "instagram", &["@bakery.berlin"], Some(1)),
            ("the beginning of one", "instagram", &["bakery"], None),
            ("a handle without its server", "mastodon", &["ann"], None),
            ("the second name", "instagram", &["bakery", "The Bakery"], Some(1)),
            ("what it shows", "linkedin", &["Ann Lee"], Some(3)),
            ("what several show", "linkedin", &["Twins"], None),
            ("a handle before what another shows", "telegram", &["Ann", "ann"], Some(6)),
            ("that of another network", "mastodon", &["bakery.berlin"], None),
            ("one that is given", "mastodon", &["somebody"], Some(2)),
            ("one that is given, by another name", "mastodon", &["x", "somebody"], Some(2)),
        ] {
            let source = Source::aliased("mastodon:somebody=@ann@a.example");
            let platform = platform.parse().unwrap();
            let found = called(&source, platform, names, &accounts);
            let found = found.as_ref().map(|account| account.id);
            let wanted = want.map(|number: usize| accounts[number - 1].id);
            assert_eq!(found.as_ref().ok(), wanted.as_ref(), "{name}: {found:?}");
        }
    }
}
