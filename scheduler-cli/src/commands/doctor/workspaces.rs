//! Whether the times of the workspaces are set, and whether somebody can call the API for them.

use chrono::{DateTime, TimeDelta, Utc};

use super::finding::{Finding, Id, listed};
use super::stored::Held;
use super::subject::Subject;

/// How long before the last API key ends it is told of. Source: our decision.
const AHEAD: TimeDelta = TimeDelta::days(7);

/// Looks at each workspace.
pub(super) async fn check(subject: &Subject) -> Result<Vec<Finding>, Finding> {
    let stored = subject.stored("they", "there is none yet; the first start makes one")?;
    Ok(stored.workspaces.iter().flat_map(|held| of_workspace(held, subject.now())).collect())
}

fn of_workspace(held: &Held, now: DateTime<Utc>) -> Vec<Finding> {
    let name = &held.workspace.name;
    let findings: Vec<Finding> =
        [of_zone(held), of_slots(held), of_keys(held, now)].into_iter().flatten().collect();
    if !findings.is_empty() {
        return findings;
    }
    let (accounts, zone) = (held.accounts.len(), held.workspace.timezone);
    let zone = zone.map_or_else(|| "UTC".to_owned(), |zone| zone.to_string());
    vec![Finding::ok(format!("{name}: connected accounts {accounts}, time zone {zone}"))]
}

/// A zone matters to accounts that have none of their own.
fn of_zone(held: &Held) -> Option<Finding> {
    let name = &held.workspace.name;
    let is_read_in_utc = held.accounts.iter().any(|it| it.account.timezone.is_none());
    (held.workspace.timezone.is_none() && is_read_in_utc).then(|| {
        Finding::warning(
            Id::ZoneUnset,
            format!("{name} has no time zone: local times and weekly schedules are read in UTC"),
            format!("run `scheduler workspace set-timezone {name} ZONE`, such as Europe/Berlin"),
        )
    })
}

/// An account has slots from the start, until somebody takes them away.
fn of_slots(held: &Held) -> Option<Finding> {
    let missing = held.accounts.iter().filter(|it| it.account.schedule.is_empty());
    let labels: Vec<String> = missing.map(|it| it.account.label()).collect();
    let name = &held.workspace.name;
    (!labels.is_empty()).then(|| {
        Finding::warning(
            Id::SlotsMissing,
            format!(
                "{name}: nothing can be queued for accounts without a weekly schedule: {}",
                listed(&labels)
            ),
            "run `scheduler schedule set ACCOUNT \"mon-fri 09:00\"`",
        )
    })
}

fn of_keys(held: &Held, now: DateTime<Utc>) -> Option<Finding> {
    let name = &held.workspace.name;
    let last = held.keys.iter().map(|key| key.expires_at).max();
    let advice = format!(
        "run `scheduler keys create --workspace {name} --name NAME --preset full --expires 1y`"
    );
    match last {
        None => Some(Finding::warning(
            Id::ApiKeysEnded,
            format!("{name} has no API key: nobody can call the API for it"),
            advice,
        )),
        Some(end) if end <= now => Some(Finding::warning(
            Id::ApiKeysEnded,
            format!("{name}: every API key has expired, the last on {}", end.format("%Y-%m-%d")),
            advice,
        )),
        Some(end) if end <= now + AHEAD => Some(Finding::warning(
            Id::ApiKeysEnding,
            format!("{name}: its last API key expires on {}", end.format("%Y-%m-%d")),
            advice,
        )),
        Some(_) => None,
    }
}
