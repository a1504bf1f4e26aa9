//! Delivering events.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::engine::RunOutcome;
use scheduler_core::ports::{DeliveryRecord, NetworkError, NetworkErrorKind, Request, SendError};
use scheduler_core::signing::{VerifyError, sign, verify_standard, verify_v2};
use scheduler_core::webhook::{DeliveryStatus, WebhookView};
use serde_json::{Value, json};

use crate::fakes::answer;
use crate::support::{World, body, done, outcome, refused};
use crate::webhooks;

fn subscribe(world: &World, events: Value) -> WebhookView {
    let body = json!({"url": "https://example.com/hook", "events": events});
    webhooks::create(world, &world.caller, body).unwrap()
}

fn header<'a>(request: &'a Request, name: &str) -> &'a str {
    let found = request.headers.iter().find(|(header, _)| *header == name);
    &found.unwrap_or_else(|| panic!("{name} is sent")).1
}

fn received(world: &World) -> Vec<Request> {
    world.receiver.received.lock().unwrap().clone()
}

fn deliveries(world: &World) -> Vec<DeliveryRecord> {
    done(world.scheduler.deliveries(world.caller.workspace.id, None, 100)).unwrap()
}

/// What a receiver with the library of Standard Webhooks makes of a delivery.
fn standard(secret: &str, request: &Request, now: DateTime<Utc>) -> Result<(), VerifyError> {
    let [id, time, signature] =
        ["webhook-id", "webhook-timestamp", "webhook-signature"].map(|name| header(request, name));
    verify_standard(secret, id, time, signature, request.body.as_bytes(), now)
}

fn publish(world: &World) {
    world.create(body(&["bluesky"], json!({"publishNow": true})));
}

#[test]
fn a_delivery_is_signed_and_says_what_happened() {
    let world = World::new();
    let secret = subscribe(&world, json!(null)).secret.unwrap();
    let post = world.create(body(&["bluesky"], json!({"publishNow": true})));
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::Delivered]);
    let requests = received(&world);
    let [request] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!(request.url, "https://example.com/hook");
    let envelope: Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!(envelope["event"], "post.published");
    assert_eq!(header(request, "x-service-event"), "post.published");
    assert_eq!(envelope["id"], header(request, "x-service-id"));
    assert_eq!(header(request, "x-service-timestamp"), world.now().timestamp().to_string());
    let bytes = request.body.as_bytes();
    let v2 = header(request, "x-service-signature-v2");
    assert!(verify_v2(&secret, v2, bytes, world.now()).is_ok());
    assert_eq!(header(request, "x-service-signature"), sign(&secret, bytes));
    assert_eq!(header(request, "webhook-id"), header(request, "x-service-id"));
    assert_eq!(header(request, "webhook-timestamp"), header(request, "x-service-timestamp"));
    standard(&secret, request, world.now()).unwrap();
    assert_eq!(
        envelope["data"],
        json!({
            "postId": post.id,
            "targetId": post.targets[0].id,
            "platform": "bluesky",
            "remoteId": "live",
            "remoteUrl": "https://example.com/live",
        })
    );
}

#[test]
fn a_failure_is_told_with_its_end() {
    let world = World::new();
    subscribe(&world, json!(null));
    let error = NetworkError::new(NetworkErrorKind::Permanent, "The text is refused.");
    world.network.script([Err(error)]);
    publish(&world);
    world.work();
    let envelope: Value = serde_json::from_str(&received(&world)[0].body).unwrap();
    assert_eq!(envelope["event"], "post.failed");
    let data = &envelope["data"];
    assert_eq!(data["error"], "The text is refused.");
    assert_eq!((&data["permanent"], &data["attempts"]), (&json!(true), &json!(1)));
}

#[test]
fn only_what_is_subscribed_to_is_sent_and_once_a_target() {
    for (events, want) in [
        (json!(["post.published"]), vec!["post.published", "post.published"]),
        (json!(["post.failed"]), vec!["post.failed"]),
        (json!(null), vec!["post.published", "post.published", "post.failed"]),
    ] {
        let world = World::new();
        subscribe(&world, events);
        let stranger = world.stranger();
        let elsewhere = json!({"url": "https://elsewhere.example"});
        webhooks::create(&world, &stranger, elsewhere).unwrap();
        world.create(body(&["bluesky", "mastodon"], json!({"publishNow": true})));
        world.work();
        world.network.script([Err(NetworkError::new(NetworkErrorKind::Permanent, "no"))]);
        publish(&world);
        world.work();
        let requests = received(&world);
        let kinds: Vec<&str> =
            requests.iter().map(|request| header(request, "x-service-event")).collect();
        assert_eq!(kinds, want);
        assert!(requests.iter().all(|request| request.url == "https://example.com/hook"));
    }
}

#[test]
fn every_subscriber_gets_the_same_event() {
    let world = World::new();
    let secrets = [
        subscribe(&world, json!(null)).secret.unwrap(),
        subscribe(&world, json!(null)).secret.unwrap(),
    ];
    publish(&world);
    world.work();
    let requests = received(&world);
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].body, requests[1].body);
    for secret in secrets {
        let is_for = |request: &&Request| {
            header(request, "x-service-signature") == sign(&secret, request.body.as_bytes())
        };
        assert_eq!(requests.iter().filter(is_for).count(), 1, "each signed with its own secret");
    }
}

#[test]
fn any_2xx_acknowledges_and_nothing_else_does() {
    for (name, given, want) in [
        ("200", answer(200), RunOutcome::Delivered),
        ("204", answer(204), RunOutcome::Delivered),
        ("299", answer(299), RunOutcome::Delivered),
        ("199", answer(199), RunOutcome::DeliveryDeferred),
        ("a redirect", answer(302), RunOutcome::DeliveryDeferred),
        ("404", answer(404), RunOutcome::DeliveryDeferred),
        ("410", answer(410), RunOutcome::DeliveryFailed),
        ("500", answer(500), RunOutcome::DeliveryDeferred),
        ("no answer", Err(SendError::Timeout), RunOutcome::DeliveryDeferred),
        (
            "no connection",
            Err(SendError::Connection("refused".into())),
            RunOutcome::DeliveryDeferred,
        ),
        (
            "a private address",
            Err(SendError::Refused("private".into())),
            RunOutcome::DeliveryDeferred,
        ),
    ] {
        let world = World::new();
        subscribe(&world, json!(null));
        world.receiver.answers.lock().unwrap().push_back(given);
        publish(&world);
        assert_eq!(world.work(), [RunOutcome::Published, want], "{name}");
    }
}

#[test]
fn five_retries_with_growing_gaps_of_one_and_the_same_event() {
    let world = World::new();
    let secret = subscribe(&world, json!(null)).secret.unwrap();
    world.receiver.answers.lock().unwrap().extend((0..6).map(|_| answer(500)));
    publish(&world);
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::DeliveryDeferred]);
    let mut signed_at = vec![world.now()];
    for (seconds, want) in [
        (30, RunOutcome::DeliveryDeferred),
        (120, RunOutcome::DeliveryDeferred),
        (600, RunOutcome::DeliveryDeferred),
        (3_600, RunOutcome::DeliveryDeferred),
        (21_600, RunOutcome::DeliveryFailed),
    ] {
        assert!(world.work_after(TimeDelta::seconds(seconds - 1)).is_empty(), "{seconds} s");
        assert_eq!(world.work_after(TimeDelta::seconds(1)), [want], "{seconds} s");
        signed_at.push(world.now());
    }
    assert!(world.work_after(TimeDelta::days(7)).is_empty(), "trying has stopped");
    let requests = received(&world);
    assert_eq!(requests.len(), 6);
    for (request, at) in requests.iter().zip(&signed_at) {
        assert_eq!(request.body, requests[0].body, "byte for byte the same");
        assert_eq!(header(request, "x-service-id"), header(&requests[0], "x-service-id"));
        let v2 = header(request, "x-service-signature-v2");
        assert!(verify_v2(&secret, v2, request.body.as_bytes(), *at).is_ok(), "signed anew");
    }
    let records = deliveries(&world);
    assert_eq!(records[0].delivery.status, DeliveryStatus::Failed);
    assert_eq!(records[0].delivery.attempts, 6);
}

#[test]
fn every_attempt_is_kept() {
    let world = World::new();
    subscribe(&world, json!(null));
    world.receiver.answers.lock().unwrap().extend([answer(503), Err(SendError::Timeout)]);
    publish(&world);
    let begun = world.now();
    world.work_to_the_end();
    let records = deliveries(&world);
    let [record] = records.as_slice() else { panic!("{records:?}") };
    assert_eq!(record.delivery.status, DeliveryStatus::Delivered);
    let kept: Vec<(i64, Option<u16>, &str)> = record
        .attempts
        .iter()
        .map(|attempt| ((attempt.at - begun).num_seconds(), attempt.status, &*attempt.answer))
        .collect();
    assert_eq!(
        kept,
        [
            (0, Some(503), "answer 503"),
            (30, None, "no answer within 10 seconds"),
            (150, Some(204), "answer 204"),
        ]
    );
}

#[test]
fn a_receiver_that_is_gone_gets_no_more_until_it_acknowledges_a_test() {
    let world = World::new();
    let webhook = subscribe(&world, json!(null));
    let answers = |given: &[u16]| {
        world.receiver.answers.lock().unwrap().extend(given.iter().map(|status| answer(*status)));
    };
    let disabled_at = || done(world.scheduler.webhooks(&world.caller)).unwrap()[0].disabled_at;
    // A delivery waits for its next try when another one is answered 410.
    answers(&[500]);
    publish(&world);
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::DeliveryDeferred]);
    answers(&[410]);
    publish(&world);
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::DeliveryFailed]);
    assert_eq!(disabled_at(), Some(world.now()));
    assert_eq!(world.work_after(TimeDelta::seconds(30)), [RunOutcome::DeliveryFailed]);
    publish(&world);
    assert_eq!(world.work(), [RunOutcome::Published], "nobody is told");
    assert_eq!(received(&world).len(), 2);
    let waited = deliveries(&world).into_iter().find(|one| one.attempts.len() == 2).unwrap();
    assert!(waited.attempts[1].answer.contains("disabled"), "{waited:?}");

    let test = || done(world.scheduler.test_webhook(&world.caller, webhook.id)).unwrap();
    answers(&[410, 204]);
    assert_eq!(test().status, Some(410));
    assert!(disabled_at().is_some());
    assert_eq!((test().status, disabled_at()), (Some(204), None));
    publish(&world);
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::Delivered]);
}

#[test]
fn a_test_is_signed_sent_once_and_kept_nowhere() {
    let world = World::new();
    let webhook = subscribe(&world, json!(["post.failed"]));
    let given = [answer(503), Err(SendError::Timeout), answer(200)];
    world.receiver.answers.lock().unwrap().extend(given);
    let test = || done(world.scheduler.test_webhook(&world.caller, webhook.id)).unwrap();
    let told = [test(), test(), test()].map(|test| (test.status, test.answer));
    let want = [
        (Some(503), "answer 503"),
        (None, "no answer within 10 seconds"),
        (Some(200), "answer 200"),
    ];
    assert_eq!(told, want.map(|(status, answer)| (status, answer.to_owned())));
    let requests = received(&world);
    assert_eq!(requests.len(), 3);
    assert_eq!(header(&requests[0], "x-service-event"), "webhook.test");
    let body: Value = serde_json::from_str(&requests[0].body).unwrap();
    assert_eq!(
        (&body["event"], &body["data"]["webhookId"]),
        (&json!("webhook.test"), &json!(webhook.id))
    );
    standard(&webhook.secret.unwrap(), &requests[0], world.now()).unwrap();
    assert!(world.work_after(TimeDelta::days(1)).is_empty());
    assert!(deliveries(&world).is_empty());
}

#[test]
fn a_removed_webhook_receives_nothing_more() {
    let world = World::new();
    let webhook = subscribe(&world, json!(null));
    world.receiver.answers.lock().unwrap().push_back(answer(500));
    publish(&world);
    world.work();
    done(world.scheduler.remove_webhook(&world.caller, webhook.id)).unwrap();
    assert!(world.work_after(TimeDelta::days(1)).is_empty());
    assert_eq!(received(&world).len(), 1);
    assert!(deliveries(&world).is_empty());
}

#[test]
fn an_event_of_a_post_that_was_removed_is_still_delivered() {
    let world = World::new();
    subscribe(&world, json!(null));
    world.receiver.answers.lock().unwrap().push_back(answer(500));
    let post = world.create(body(&["bluesky"], json!({"publishNow": true})));
    world.work();
    world.delete(post.id).unwrap();
    assert_eq!(world.work_after(TimeDelta::seconds(30)), [RunOutcome::Delivered]);
}

#[test]
fn a_delivery_is_sent_again_under_the_same_id_with_five_retries_ahead() {
    let world = World::new();
    let secret = subscribe(&world, json!(null)).secret.unwrap();
    world.receiver.answers.lock().unwrap().extend((0..12).map(|_| answer(500)));
    publish(&world);
    world.work_to_the_end();
    let failed = deliveries(&world).remove(0);
    assert_eq!(failed.delivery.status, DeliveryStatus::Failed);
    assert_eq!(failed.url, "https://example.com/hook");

    let workspace = world.caller.workspace.id;
    let woken = world.wake.count();
    let again = done(world.scheduler.redeliver(workspace, failed.delivery.id)).unwrap();
    assert_eq!(world.wake.count(), woken + 1);
    assert_eq!((again.delivery.status, again.delivery.attempts), (DeliveryStatus::Pending, 0));
    assert_eq!(again.attempts.len(), 6, "the log goes on");
    let ran = world.work_to_the_end();
    assert_eq!(ran.len(), 6, "one try and five retries: {ran:?}");
    assert_eq!(ran.last(), Some(&RunOutcome::DeliveryFailed));
    assert_eq!(deliveries(&world)[0].attempts.len(), 12);

    done(world.scheduler.redeliver(workspace, failed.delivery.id)).unwrap();
    assert_eq!(world.work(), [RunOutcome::Delivered]);
    done(world.scheduler.redeliver(workspace, failed.delivery.id)).unwrap();
    assert_eq!(world.work(), [RunOutcome::Delivered], "also what was acknowledged");
    let requests = received(&world);
    assert_eq!(requests.len(), 14);
    for request in &requests {
        assert_eq!(request.body, requests[0].body);
        assert_eq!(header(request, "x-service-id"), header(&requests[0], "x-service-id"));
    }
    let last = requests.last().unwrap();
    let v2 = header(last, "x-service-signature-v2");
    assert!(verify_v2(&secret, v2, last.body.as_bytes(), world.now()).is_ok());
}

#[test]
fn what_waits_for_a_retry_is_sent_now_and_what_is_being_sent_is_left_alone() {
    let world = World::new();
    subscribe(&world, json!(null));
    world.receiver.answers.lock().unwrap().push_back(answer(500));
    publish(&world);
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::DeliveryDeferred]);
    let id = deliveries(&world)[0].delivery.id;
    let workspace = world.caller.workspace.id;
    done(world.scheduler.redeliver(workspace, id)).unwrap();
    let claims = world.claim_all();
    assert_eq!(claims.len(), 1, "due now");
    let again = refused(done(world.scheduler.redeliver(workspace, id)));
    assert_eq!(outcome(&again), "in_flight");
    assert_eq!(done(world.scheduler.run(&claims[0])).unwrap(), RunOutcome::Delivered);
    assert!(world.work().is_empty(), "once");

    let stranger = world.stranger().workspace.id;
    let theirs = refused(done(world.scheduler.redeliver(stranger, id)));
    assert_eq!(outcome(&theirs), "not_found");
    let webhook = deliveries(&world)[0].delivery.webhook_id;
    done(world.scheduler.remove_webhook(&world.caller, webhook)).unwrap();
    assert_eq!(outcome(&refused(done(world.scheduler.redeliver(workspace, id)))), "not_found");
}

#[test]
fn deliveries_are_listed_by_status() {
    let world = World::new();
    subscribe(&world, json!(null));
    world.receiver.answers.lock().unwrap().extend((0..6).map(|_| answer(500)));
    publish(&world);
    world.work_to_the_end();
    publish(&world);
    world.work();
    let workspace = world.caller.workspace.id;
    for (status, want) in [
        (None, 2),
        (Some(DeliveryStatus::Failed), 1),
        (Some(DeliveryStatus::Delivered), 1),
        (Some(DeliveryStatus::Pending), 0),
    ] {
        let found = done(world.scheduler.deliveries(workspace, status, 9)).unwrap();
        assert_eq!(found.len(), want, "{status:?}");
        assert!(found.iter().all(|record| status.is_none_or(|of| record.delivery.status == of)));
    }
}
