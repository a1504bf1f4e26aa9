//! Capability sheets, and the dry run.

use std::sync::Arc;

use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::shapes::{CAPABILITIES, PLATFORMS, REPORT};
use crate::table::{Row, row};
use crate::world::{Tenant, World};

/// Its endpoints, typed from the interface description and not from the code.
pub(crate) const ROWS: &[Row] = &[
    row("GET", "/platforms", "-", &[200], &[], false),
    row("POST", "/platforms/validate", "any", &[200, 400, 401], &[], true),
];

async fn sheets_of_every_network(world: Arc<World>) {
    let tenant = world.tenant().await;
    let sheets = world.stranger(&tenant).get("/platforms").await.ok(200, &CAPABILITIES);
    let sheets = sheets["data"].as_object().unwrap().clone();
    assert_eq!(sheets.len(), PLATFORMS.len());
    for (platform, sheet) in sheets {
        assert_eq!(sheet["platform"], platform);
    }
}

async fn check(tenant: &Tenant, body: Value) -> Value {
    tenant.post("/platforms/validate", &body).await.ok(200, &REPORT)
}

async fn a_dry_run(world: Arc<World>) {
    let tenant = world.tenant_on(Plan::Free).await;
    for (platform, name) in
        [(Platform::Bluesky, "a"), (Platform::Mastodon, "b"), (Platform::Telegram, "beyond")]
    {
        if name == "beyond" {
            world.scheduler.set_plan(&tenant.workspace, Plan::Studio).await.unwrap();
            let studio = scheduler_core::workspace::Workspace {
                plan: Plan::Studio,
                ..tenant.workspace.clone()
            };
            let tenant = Tenant { workspace: studio, ..tenant.clone() };
            tenant.connect(platform, name).await;
            world.scheduler.set_plan(&tenant.workspace, Plan::Free).await.unwrap();
            continue;
        }
        tenant.connect(platform, name).await;
    }
    let good = check(&tenant, json!({"content": "Hi", "targets": [{"platform": "bluesky"}]})).await;
    assert_eq!((&good["ok"], &good["issues"]), (&json!(true), &json!([])));
    let timed = json!({
        "content": "Hi", "targets": [{"platform": "bluesky"}], "scheduledLocal": "2099-01-10T08:00",
    });
    assert_eq!(check(&tenant, timed).await["times"][0]["local"], "2099-01-10T08:00");
    let no_files = json!({"content": "Hi", "mediaIds": [], "targets": [{"platform": "bluesky"}]});
    assert_eq!(check(&tenant, no_files).await, good, "none in the list");
    let codes = |report: &Value| -> Vec<String> {
        let issues = report["issues"].as_array().unwrap().iter();
        issues.filter_map(|issue| issue["code"].as_str().map(str::to_owned)).collect()
    };
    let paused =
        check(&tenant, json!({"content": "Hi", "targets": [{"platform": "telegram"}]})).await;
    assert_eq!((&paused["ok"], codes(&paused)), (&json!(false), vec!["channel_limit".to_owned()]));
    let large = check(&tenant, json!({
        "content": "Hi",
        "mediaItems": [{"kind": "image", "sizeBytes": 601}, {"kind": "image", "sizeBytes": 601}],
        "targets": [{"platform": "bluesky"}],
    }))
    .await;
    assert!(codes(&large).iter().all(|code| code == "upload_limit") && !codes(&large).is_empty());
    for _ in 0..2 {
        tenant.post_to(Platform::Bluesky, "x", json!({"publishNow": true})).await;
    }
    let full = check(&tenant, json!({"content": "Hi", "targets": [{"platform": "bluesky"}]})).await;
    assert_eq!((&full["ok"], codes(&full)), (&json!(false), vec!["post_limit".to_owned()]));

    for (body, field) in [
        (json!({"content": "x", "targets": []}), "targets"),
        (json!({"content": "x"}), "targets"),
        (json!({"targets": [{"platform": "x"}]}), "targets[0].platform"),
    ] {
        tenant.post("/platforms/validate", &body).await.invalid(field);
    }
}

scenarios!(sheets_of_every_network, a_dry_run);
