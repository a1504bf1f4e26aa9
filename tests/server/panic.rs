//! `scheduler panic` over every network that is built in.

use std::collections::BTreeSet;

use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::everywhere::to_everybody;
use crate::files::setup;
use crate::support::{Networks, Offers};

/// The networks of the results with this outcome, of all posts.
fn networks_of(report: &Value, outcome: &str) -> BTreeSet<Platform> {
    let posts = report["posts"].as_array().unwrap().iter();
    let results = posts.flat_map(|post| post["results"].as_array().unwrap());
    let meant = results.filter(|result| result["outcome"] == outcome);
    meant.map(|result| result["platform"].as_str().unwrap().parse().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_live_goes_down_everywhere_and_what_is_due_is_cancelled() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = setup(folder.path(), &networks);
    let service = setup.serve();
    let api = service.api();
    let offers = Offers::open(folder.path(), networks.url()).await;
    let accounts = api.get("/oauth/accounts").await["data"].as_array().unwrap().clone();
    for mut body in to_everybody(&api, &offers, &accounts).await {
        (body["content"], body["publishNow"]) = ("Oh no".into(), true.into());
        body["labels"] = json!(["oops"]);
        let created = api.create(&body).await;
        api.ended(created["id"].as_str().unwrap()).await;
    }
    let due = json!({
        "content": "Oh no, again", "labels": ["oops"], "scheduledAt": "2031-05-14T09:30:00Z",
        "targets": [{"platform": "mastodon"}],
    });
    let due = api.create(&due).await;

    let panic = || {
        let mut command = setup.begin(&["panic", "--label", "oops", "--yes", "--json"]);
        let report: Value = serde_json::from_str(&command.line()).unwrap();
        (command.ended(), report)
    };
    let (code, report) = panic();
    let (takes_down, leaves): (BTreeSet<_>, BTreeSet<_>) =
        offers.platforms().into_iter().partition(|platform| platform.sheet().can_delete_remote);
    assert_eq!(networks_of(&report, "taken_down"), takes_down, "{report}");
    assert_eq!(networks_of(&report, "left"), leaves, "{report}");
    assert_eq!((code, report["left"] == leaves.len()), (Some(1), true), "{report}");
    assert_eq!(networks_of(&report, "canceled"), BTreeSet::from([Platform::Mastodon]));
    let due = api.get(&format!("/posts/{}", due["id"].as_str().unwrap())).await;
    assert_eq!(due["status"], "canceled");
    for platform in &takes_down {
        let live = networks.live(platform.as_str()).await;
        assert!(live.is_empty(), "{platform}: {live:?}");
    }
    for platform in &leaves {
        let live = networks.live(platform.as_str()).await;
        assert_eq!(live.values().sum::<usize>(), 1, "{platform}: {live:?}");
    }

    // Again, on a server that was killed: nothing is left to do but what nobody can.
    drop(service);
    let _service = setup.serve();
    let (_, again) = panic();
    assert_eq!((&again["canceled"], &again["takenDown"]), (&json!(0), &json!(0)), "{again}");
    assert_eq!(again["left"], leaves.len(), "{again}");
}
