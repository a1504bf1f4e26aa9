//! Schedules of several accounts, and what people see of an account.

use scheduler_core::app::{AccountState, SchedulesInput, Settings};
use scheduler_core::error::Refusal;
use scheduler_core::ids::AccountId;
use scheduler_core::platform::{Amount, Platform};
use scheduler_core::ports::AccountStore as _;
use scheduler_core::post::Field;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::fakes::live;
use crate::support::{World, at, body, done, outcome, refused};

fn set(world: &World, input: Value) -> Result<(), Refusal> {
    let input: SchedulesInput = serde_json::from_value(input).unwrap();
    refused(done(world.scheduler.set_schedules(&world.caller.workspace, &input))).map(drop)
}

#[test]
fn several_accounts_get_one_schedule() {
    let world = World::new();
    let ids: Vec<AccountId> = world.accounts().iter().map(|account| account.id).take(2).collect();
    let slots = json!([{"weekday": "fri", "time": "18:30"}, {"weekday": "mon", "time": "09:00"}]);
    set(&world, json!({"accountIds": ids, "zone": "Europe/Berlin", "slots": slots})).unwrap();
    let details = done(world.scheduler.account_details(&world.caller.workspace)).unwrap();
    let told: Vec<_> =
        details.iter().map(|one| (one.schedule.zone.name(), one.schedule.slots.len())).collect();
    assert_eq!(told, [("Europe/Berlin", 2), ("Europe/Berlin", 2), ("UTC", 21)]);
    assert_eq!(json!(details[0].schedule.slots[1]), slots[0]);

    set(&world, json!({"accountIds": ids, "slots": []})).unwrap();
    let account = world.account(Platform::Bluesky);
    assert!(account.schedule.is_empty());
    assert_eq!(account.timezone.unwrap().name(), "Europe/Berlin", "it was not sent");
    set(&world, json!({"accountIds": ids, "zone": null, "slots": []})).unwrap();
    assert_eq!(world.account(Platform::Bluesky).timezone, None);
}

#[test]
fn nothing_is_set_where_something_is_wrong() {
    let world = World::new();
    let before = world.accounts();
    let id = before[0].id;
    let nobody = AccountId(Uuid::nil());
    for (name, input, want) in [
        ("no account", json!({"accountIds": [], "slots": []}), "invalid_request accountIds"),
        ("another's", json!({"accountIds": [id, nobody], "slots": []}), "not_found accountIds[1]"),
        (
            "no time",
            json!({"accountIds": [id], "slots": [{"weekday": "mon", "time": "9:00"}]}),
            "invalid_request slots[0].time",
        ),
    ] {
        assert_eq!(outcome(&set(&world, input)), want, "{name}");
    }
    assert_eq!(world.accounts(), before);
    let zone = serde_json::from_value::<SchedulesInput>(json!({"accountIds": [], "slots": []}));
    assert_eq!(zone.unwrap().zone, Field::Absent);
}

#[test]
fn quotas_are_what_is_used_of_what_a_network_allows() {
    let world = World::with(Settings {
        connect_twitter: true,
        account_monthly_cap: Some(Amount::thousandths(10_000)),
        ..Settings::default()
    });
    let quota = |platform: Platform| -> Vec<(String, u64, u64, String)> {
        let id = world.account(platform).id;
        let detail = done(world.scheduler.account_detail(&world.caller.workspace, id)).unwrap();
        let quotas = detail.health.quota.into_iter();
        quotas
            .map(|quota| (quota.name, quota.used, quota.limit, quota.resets_at.to_rfc3339()))
            .collect()
    };
    for platform in [Platform::Twitter, Platform::Bluesky] {
        world.connect(platform, "me");
        let sheet = platform.sheet();
        let limits = sheet.readings.budgets.iter().map(|budget| u64::from(budget.requests));
        let told: Vec<u64> = quota(platform).iter().map(|quota| quota.2).collect();
        let cost = sheet.prices.is_some().then_some(10_000);
        assert_eq!(told, limits.chain(cost).collect::<Vec<_>>(), "{platform}");
    }
    let used = |platform| -> u64 { quota(platform).iter().map(|quota| quota.1).sum() };
    assert_eq!(used(Platform::Twitter), 0);
    world.create(body(&["twitter"], json!({"publishNow": true})));
    world.work_to_the_end();
    let cost = quota(Platform::Twitter).pop().unwrap();
    assert_eq!((cost.0.as_str(), cost.3.as_str()), ("cost", "2026-12-01T00:00:00+00:00"));
    assert!(cost.1 > 0, "the post has its price");
    let before = used(Platform::Bluesky);
    world.take_readings();
    assert!(used(Platform::Bluesky) > before, "a look at the account is counted");
}

#[test]
fn health_is_what_an_account_can_do() {
    let world = World::new();
    let account = world.account(Platform::Bluesky);
    world.network.script([live()]);
    world.create(body(&["bluesky"], json!({"publishNow": true})));
    world.work_to_the_end();
    world.create(body(&["bluesky"], json!({"scheduledAt": "2026-12-01T09:00:00Z"})));
    let health = |world: &World| {
        done(world.scheduler.account_detail(&world.caller.workspace, account.id)).unwrap().health
    };
    let told = health(&world);
    assert_eq!((told.state, told.due_targets), (AccountState::Connected, 1));
    assert_eq!(told.last_published_at, Some(at("2026-11-21T12:00:00Z")));
    let stored = done(world.store.credentials(account.id)).unwrap().unwrap();
    done(world.store.mark_needs_reconnect(account.id, stored.version, None)).unwrap();
    assert_eq!(health(&world).state, AccountState::NeedsReconnect);
    let stranger = world.stranger().workspace;
    let foreign = refused(done(world.scheduler.account_detail(&stranger, account.id)));
    assert_eq!(outcome(&foreign), "not_found");
}
