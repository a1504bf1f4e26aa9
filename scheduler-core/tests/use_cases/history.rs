//! Removing what has ended for long enough.

use chrono::TimeDelta;
use futures_util::FutureExt as _;
use scheduler_core::app::Settings;
use scheduler_core::engine::{HistoryRemoved, RunOutcome};
use scheduler_core::platform::Platform;
use scheduler_core::webhook::DeliveryStatus;
use serde_json::json;

use crate::fakes::answer;
use crate::support::{World, body, done};
use crate::webhooks;

fn publish(world: &World) {
    world.create(body(&["bluesky"], json!({"publishNow": true})));
}

fn subscribe(world: &World) {
    let body = json!({"url": "https://example.com/hook"});
    webhooks::create(world, &world.caller, body).unwrap();
}

fn removed(world: &World) -> (u64, u64) {
    let HistoryRemoved { deliveries, events, .. } = done(world.scheduler.remove_history()).unwrap();
    (deliveries, events)
}

#[test]
fn it_is_kept_for_as_long_as_the_operator_says() {
    let day = TimeDelta::days(1);
    for (name, kept, passed, want) in [
        ("90 days unless said otherwise", None, day * 90, (0, 0)),
        ("a second more", None, day * 90 + TimeDelta::seconds(1), (1, 1)),
        ("a day", Some(day), day, (0, 0)),
        ("a day and more", Some(day), day * 2, (1, 1)),
    ] {
        let default = Settings::default();
        let history_kept = kept.unwrap_or(default.history_kept);
        let world = World::with(Settings { history_kept, ..default });
        world.connect(Platform::Bluesky, "me");
        subscribe(&world);
        publish(&world);
        assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::Delivered]);
        world.clock.advance(passed);
        assert_eq!(removed(&world), want, "{name}");
        assert_eq!(removed(&world), (0, 0), "{name}, again");
    }
}

#[test]
fn age_counts_from_the_end_and_what_is_still_tried_stays() {
    let world = World::new();
    subscribe(&world);
    world.receiver.answers.lock().unwrap().extend((0..6).map(|_| answer(500)));
    publish(&world);
    world.work();
    world.clock.advance(TimeDelta::days(100));
    // Nobody ran an engine meanwhile.
    assert_eq!(removed(&world), (0, 0));
    world.work_to_the_end();
    let workspace = world.caller.workspace.id;
    let record = &done(world.scheduler.deliveries(workspace, None, 9)).unwrap()[0];
    assert_eq!((record.delivery.status, record.attempts.len()), (DeliveryStatus::Failed, 6));
    assert_eq!(removed(&world), (0, 0), "it has ended just now");
    world.clock.advance(TimeDelta::days(91));
    assert_eq!(removed(&world), (1, 1));
    assert!(done(world.scheduler.deliveries(workspace, None, 9)).unwrap().is_empty());
}

#[test]
fn it_goes_in_small_pieces_with_pauses_between() {
    let world = World::new();
    for _ in 0..1_100 {
        publish(&world);
    }
    world.work_to_the_end();
    let before = world.store.events().len();
    assert_eq!(before, 1_100);
    world.clock.advance(TimeDelta::days(91));
    let mut removing = Box::pin(world.scheduler.remove_history());
    for left in [600, 100] {
        assert!(removing.as_mut().now_or_never().is_none());
        assert_eq!(world.store.events().len(), left);
        assert!(removing.as_mut().now_or_never().is_none(), "it pauses");
        assert_eq!(world.store.events().len(), left);
        world.clock.advance(TimeDelta::milliseconds(20));
    }
    let removed = removing.now_or_never().expect("nothing is left").unwrap();
    assert_eq!(removed, HistoryRemoved { events: 1_100, ..HistoryRemoved::default() });
    assert!(world.store.events().is_empty());
}
