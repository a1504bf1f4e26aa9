//! What goes out: as it was shown, once the person has confirmed it, once.

use std::sync::Arc;

use scheduler_core::key::{Confirmation, Preset};
use serde_json::{Value, json};

use super::scripted::{POST, Scripted, TARGET};
use crate::catalogue::entries;
use crate::confirm::Person;

const AT: &str = "2030-01-01T09:00:00Z";

/// The arguments of every call that goes out, with a plan that was just shown.
async fn going_out(api: &std::sync::Arc<Scripted>) -> Vec<(&'static str, Value)> {
    let mut plans = Vec::new();
    for time in [json!({"scheduledAt": AT}), json!({"publishNow": true})] {
        let mut asked = json!({ "postId": POST });
        asked.as_object_mut().unwrap().extend(time.as_object().unwrap().clone());
        plans.push(api.call("check_post", asked).await["planId"].clone());
    }
    vec![
        ("schedule_post", json!({"id": POST, "planId": plans[0], "scheduledAt": AT})),
        ("publish_now", json!({"id": POST, "planId": plans[1]})),
        ("retry_targets", json!({"id": POST})),
        (
            "reply_to_comment",
            json!({"postId": POST, "targetId": TARGET, "commentId": "1", "text": "Thanks"}),
        ),
        ("take_down", json!({"postId": POST, "targetId": TARGET})),
    ]
}

#[tokio::test]
async fn nothing_goes_out_without_confirmation() {
    let publishing = entries()
        .iter()
        .filter(|entry| entry.tool.input_schema["properties"].get("confirm").is_some());
    let names: Vec<&str> = publishing.map(|entry| entry.definition.name).collect();
    for (name, mut arguments) in going_out(&Scripted::new(Preset::Full)).await {
        assert!(names.contains(&name));
        let api = Scripted::new(Preset::Full);
        arguments["idempotencyKey"] = json!("going-out-once");
        let waits = api.call(name, arguments.clone()).await;
        assert_eq!(waits["state"], "awaiting_confirmation", "{name}: {waits}");
        // Of the same plan, by somebody who was not asked: nothing yet.
        let other = Scripted::new(Preset::Full);
        let mut at_once = arguments.clone();
        at_once["confirm"] = waits["planId"].clone();
        assert_eq!(other.call(name, at_once.clone()).await, waits, "{name}");
        assert_eq!(other.changes(), 0, "{name}");
        let done = other.call(name, at_once).await;
        assert!(done.get("error").is_none() && done["state"] != waits["state"], "{name}: {done}");
        assert_eq!(other.changes(), 1, "{name}");
        arguments["confirm"] = json!("plan_of_something_else");
        let stale = api.call(name, arguments.clone()).await;
        assert_eq!(stale["error"]["code"], "stale_plan", "{name}: {stale}");
        assert_eq!(api.changes(), 0, "{name}");
        arguments["confirm"] = waits["planId"].clone();
        let done = api.call(name, arguments.clone()).await;
        assert!(done.get("error").is_none(), "{name}: {done}");
        for _ in 0..20 {
            assert_eq!(api.call(name, arguments.clone()).await, done, "{name}");
        }
        assert_eq!(api.changes(), 1, "{name}");
    }
    assert_eq!(names.len(), 5);
}

#[tokio::test]
async fn a_confirmation_lets_one_call_out() {
    for (name, mut arguments) in going_out(&Scripted::new(Preset::Full)).await {
        let api = Scripted::new(Preset::Full);
        arguments["idempotencyKey"] = json!("the first of two");
        let waits = api.call(name, arguments.clone()).await;
        arguments["confirm"] = waits["planId"].clone();
        // What was confirmed for one call says nothing of another with the same plan.
        let mut other = arguments.clone();
        other["idempotencyKey"] = json!("the second of two");
        assert_eq!(api.call(name, other).await, waits, "{name}: under another key");
        assert_eq!(api.changes(), 0, "{name}");
        if !arguments["id"].is_null() {
            let mut other = arguments.clone();
            other["id"] = json!("01990000-0000-7000-8000-00000000000f");
            let again = api.call(name, other).await;
            let is_refused = again["error"]["code"] == "stale_plan";
            assert!(is_refused || again["state"] == waits["state"], "{name}: {again}");
            assert_eq!(api.changes(), 0, "{name}: of another post");
        }
        let done = api.call(name, arguments).await;
        assert!(done.get("error").is_none() && done["state"] != waits["state"], "{name}: {done}");
        assert_eq!(api.changes(), 1, "{name}");
    }
}

#[tokio::test]
async fn a_key_says_what_is_confirmed() {
    for confirmation in Confirmation::ALL {
        let asks = Scripted::asking(Preset::Full, confirmation);
        let draft = json!({"content": "Hi", "targets": [{"account": "mastodon"}], "idempotencyKey": "draft-of-a-key"});
        let mut draft = asks.call("create_draft", draft.clone()).await.get("planId").map_or(
            draft.clone(),
            |plan| {
                let mut draft = draft;
                draft["confirm"] = plan.clone();
                draft
            },
        );
        let is_asked = draft.get("confirm").is_some();
        assert_eq!(is_asked, confirmation == Confirmation::Always, "{confirmation}");
        assert_eq!(asks.changes(), usize::from(!is_asked), "{confirmation}");
        if is_asked {
            // A confirmation counts for what was shown alone.
            draft["content"] = json!("Something else");
            let stale = asks.call("create_draft", draft.clone()).await;
            assert_eq!(stale["error"]["code"], "stale_plan");
            draft["content"] = json!("Hi");
            assert!(asks.call("create_draft", draft).await.get("error").is_none());
            assert_eq!(asks.changes(), 1);
        }
        for (name, mut arguments) in going_out(&Scripted::new(Preset::Full)).await {
            let api = Scripted::asking(Preset::Full, confirmation);
            arguments["idempotencyKey"] = json!("policy-of-a-key");
            let done = api.call(name, arguments).await;
            let waits = done["state"] == "awaiting_confirmation";
            assert_eq!(waits, confirmation != Confirmation::Never, "{name}: {done}");
            assert_eq!(api.changes(), usize::from(!waits), "{name}");
        }
    }
}

#[tokio::test]
async fn the_limit_of_the_hour_counts_what_goes_out_and_every_call_is_noted() {
    for (name, mut arguments) in going_out(&Scripted::new(Preset::Full)).await {
        let api = Scripted::asking(Preset::Full, Confirmation::Never);
        api.change(|state| state.live_calls_left = 0);
        arguments["idempotencyKey"] = json!("beyond-the-limit");
        let refused = api.call(name, arguments.clone()).await;
        assert_eq!(
            (&refused["error"]["code"], api.changes()),
            (&json!("rate_limited"), 0),
            "{name}"
        );
        api.change(|state| state.live_calls_left = 1);
        let done = api.call(name, arguments.clone()).await;
        assert_eq!(api.call(name, arguments).await, done, "{name}: a repeat is not counted");
        api.call("list_posts", json!({})).await;
        let noted = std::mem::take(&mut api.state.lock().unwrap().noted);
        let outcomes: Vec<(&str, &str)> =
            noted.iter().map(|(tool, outcome)| (tool.as_str(), outcome.as_str())).collect();
        let want = [(name, "rate_limited"), (name, "done"), (name, "done"), ("list_posts", "done")];
        assert_eq!(outcomes, want);
    }
}

#[tokio::test]
async fn a_client_that_can_ask_cannot_answer_in_the_persons_place() {
    for (name, mut arguments) in going_out(&Scripted::new(Preset::Full)).await {
        let api = Scripted::new(Preset::Full);
        arguments["idempotencyKey"] = json!("asked-in-a-form");
        let person =
            |said: Option<Value>, about: Option<String>| Person { can_be_asked: true, said, about };
        let asked = api.call_as(name, arguments.clone(), person(None, None)).await;
        assert_eq!(asked["resultType"], "input_required", "{name}: {asked}");
        let plan = asked["requestState"].as_str().unwrap().to_owned();
        let mut by_model = arguments.clone();
        by_model["confirm"] = json!(plan);
        let asked = api.call_as(name, by_model, person(None, None)).await;
        assert_eq!(asked["resultType"], "input_required", "{name}");
        let no = json!({"confirm": {"action": "decline"}});
        let refused =
            api.call_as(name, arguments.clone(), person(Some(no), Some(plan.clone()))).await;
        assert_eq!(refused["error"]["code"], "declined", "{name}");
        assert_eq!(api.changes(), 0, "{name}");
        let yes = json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
        let done = api.call_as(name, arguments, person(Some(yes), Some(plan))).await;
        assert!(done.get("error").is_none(), "{name}: {done}");
        assert_eq!(api.changes(), 1, "{name}");
    }
}

#[tokio::test]
async fn a_plan_is_stale_when_anything_has_changed() {
    type Change = fn(&mut super::scripted::State);
    let changes: [(&str, Change); 7] = [
        ("the text", |state| state.post["content"] = json!("Hello!")),
        ("a link", |state| state.post["linkUrl"] = json!("https://a.example")),
        ("what a link becomes", |state| {
            state.links = json!([{"written": "https://a.example", "sent": "https://a.example?x"}]);
        }),
        ("a file", |state| state.post["mediaIds"] = json!(["m"])),
        ("an option", |state| state.post["targets"][0]["options"] = json!({"a": 1})),
        ("another target", |state| {
            let target = state.post["targets"][0].clone();
            state.post["targets"] = json!([target.clone(), target]);
        }),
        ("the slot", |state| state.slot = "2030-01-02T09:00:00Z".to_owned()),
    ];
    for (what, change) in changes {
        let api = Scripted::new(Preset::Full);
        let shown = api.call("check_post", json!({"postId": POST, "queue": true})).await;
        let plan = &shown["planId"];
        api.change(change);
        let send = json!({
            "id": POST, "planId": plan, "confirm": plan, "queue": true, "idempotencyKey": "of-a-stale-plan",
        });
        let refused = api.call("schedule_post", send).await;
        assert_eq!(refused["error"]["code"], "stale_plan", "{what}: {refused}");
        assert_eq!(api.changes(), 0, "{what}");
    }
}

#[tokio::test]
async fn the_links_that_were_shown_are_sent() {
    let to = |sent: &str| json!([{"written": "https://a.example", "sent": sent}]);
    let (now, kept) = ("https://a.example?now", "https://a.example?kept");
    let approved = json!({"state": "approved"});
    for (name, fields, want) in [
        ("a draft", json!({}), now),
        ("a draft that the client looks at", json!({"approvalState": "pending"}), kept),
        (
            "a draft that the team looks at",
            json!({"approvalState": "pending", "review": {"state": "pending"}}),
            now,
        ),
        (
            "a draft that the team has approved",
            json!({"approvalState": "approved", "review": approved}),
            kept,
        ),
        ("a post that has a time", json!({"status": "scheduled"}), kept),
    ] {
        let api = Scripted::new(Preset::Full);
        api.change(|state| {
            state.links = to(now);
            state.post["content"] = json!("See https://a.example");
            state.post["targets"][0]["links"] = to(kept);
            state.post.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        });
        let shown = api.call("check_post", json!({"postId": POST, "scheduledAt": AT})).await;
        assert_eq!(shown["links"][0]["sent"], want, "{name}");
        let text = shown["texts"][0]["parts"][0].as_str().unwrap();
        assert_eq!(text, format!("See {want}"), "{name}");
    }

    // A repeat knows what it has sent out, and what it has not.
    let api = Scripted::new(Preset::Full);
    api.change(|state| state.links = to(now));
    let plan = api.call("check_post", json!({"postId": POST, "scheduledAt": AT})).await;
    let plan = &plan["planId"];
    let send = |key: &str| json!({"id": POST, "planId": plan, "confirm": plan, "scheduledAt": AT, "idempotencyKey": key});
    api.call("schedule_post", send("the-links-shown")).await;
    let done = api.call("schedule_post", send("the-links-shown")).await;
    assert_eq!((&done["state"], api.changes()), (&json!("scheduled"), 1));
    assert_eq!(api.call("schedule_post", send("another-repeat")).await["state"], "scheduled");
    api.change(|state| state.post["targets"][0]["links"] = to(kept));
    let stale = api.call("schedule_post", send("other-links-now")).await;
    assert_eq!(stale["error"]["code"], "stale_plan", "{stale}");
    assert_eq!(api.changes(), 1);
}

/// Confirms a post for the queue whose slot another takes meanwhile: what the refusal tells of it.
async fn slot_taken(api: &Arc<Scripted>) -> Value {
    let shown = api.call("check_post", json!({"postId": POST, "queue": true})).await;
    let plan = &shown["planId"];
    api.change(|state| state.slot_then = Some("2030-01-03T09:00:00Z".to_owned()));
    let send = json!({
        "id": POST, "planId": plan, "confirm": plan, "queue": true, "idempotencyKey": "of-a-taken-slot",
    });
    assert_eq!(api.call("schedule_post", send.clone()).await["state"], "awaiting_confirmation");
    let refused = api.call("schedule_post", send).await;
    assert_eq!(refused["error"]["code"], "stale_plan", "{refused}");
    refused["error"]["post"].clone()
}

#[tokio::test]
async fn a_slot_that_another_takes_first_is_not_changed_in_silence() {
    let api = Scripted::new(Preset::Full);
    assert_eq!(slot_taken(&api).await["status"], "draft");
    assert_eq!(api.state.lock().unwrap().post["status"], "draft");
}

#[tokio::test]
async fn a_post_whose_slot_is_taken_has_its_former_time_again() {
    for (kind, refuses, want) in [
        ("instant", None, "scheduled"),
        ("queue", None, "scheduled"),
        ("instant", Some("scheduledAt"), "draft"),
    ] {
        let api = Scripted::new(Preset::Full);
        api.change(|state| {
            state.post["status"] = json!("scheduled");
            state.post["timing"] = json!({ "kind": kind });
            state.post["scheduledAt"] = json!(AT);
            state.post["targets"][0]["nextAttemptAt"] = json!(AT);
            state.slot = "2030-01-02T09:00:00Z".to_owned();
            state.refuses = refuses;
        });
        let told = slot_taken(&api).await;
        assert_eq!(told["status"], want, "{kind}: {told}");
        let post = api.state.lock().unwrap().post.clone();
        assert_eq!(post["status"], want, "{kind}");
        if want == "scheduled" {
            assert_eq!(post["scheduledAt"], AT, "{kind}");
        }
    }
}

#[tokio::test]
async fn a_plan_is_of_one_time() {
    let api = Scripted::new(Preset::Full);
    let plan =
        api.call("check_post", json!({"postId": POST, "scheduledAt": AT})).await["planId"].clone();
    let send = |time: Value| {
        let mut send = json!({"id": POST, "planId": plan, "confirm": plan, "idempotencyKey": "at-another-time"});
        send.as_object_mut().unwrap().extend(time.as_object().unwrap().clone());
        send
    };
    for (tool, time) in [
        ("schedule_post", json!({"scheduledAt": "2030-01-01T09:00:01Z"})),
        ("schedule_post", json!({"queue": true})),
        ("publish_now", json!({})),
    ] {
        assert_eq!(api.call(tool, send(time)).await["error"]["code"], "stale_plan", "{tool}");
    }
    let several = send(json!({"scheduledAt": AT, "queue": true}));
    assert_eq!(api.call("schedule_post", several).await["error"]["field"], "scheduledAt");
    assert_eq!(api.changes(), 0);
    let send = send(json!({"scheduledAt": AT}));
    assert_eq!(api.call("schedule_post", send.clone()).await["state"], "awaiting_confirmation");
    let done = api.call("schedule_post", send).await;
    assert_eq!(done["state"], "scheduled");
}

#[tokio::test]
async fn a_body_and_its_draft_have_one_plan() {
    let api = Scripted::new(Preset::Full);
    let body =
        json!({"content": "Hello", "targets": [{"account": "mastodon:@news"}], "scheduledAt": AT});
    let of_body = api.call("check_post", body).await;
    let of_draft = api.call("check_post", json!({"postId": POST, "scheduledAt": AT})).await;
    assert_eq!(of_body["planId"], of_draft["planId"]);
    assert_eq!(of_body["texts"][0]["parts"], json!(["Hello"]));
}

#[tokio::test]
async fn what_is_on_its_way_as_shown_is_not_sent_again_under_another_key() {
    let api = Scripted::new(Preset::Full);
    for (time, tool) in
        [(json!({"scheduledAt": AT}), "schedule_post"), (json!({"queue": true}), "schedule_post")]
    {
        api.change(|state| state.post = super::scripted::post("draft"));
        let mut asked = time.clone();
        asked["postId"] = json!(POST);
        let plan = api.call("check_post", asked).await["planId"].clone();
        let before = api.changes();
        for number in 0..5 {
            let mut send = time.clone();
            let key = format!("{time}-{number}");
            let fields =
                json!({"id": POST, "planId": plan, "confirm": plan, "idempotencyKey": key});
            send.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            if number == 0 {
                let waits = api.call(tool, send.clone()).await;
                assert_eq!(waits["state"], "awaiting_confirmation", "{waits}");
            }
            let done = api.call(tool, send).await;
            assert_eq!(done["state"], "scheduled", "{done}");
            // The slot is taken now, and the next is another.
            api.change(|state| state.slot = "2030-02-01T09:00:00Z".to_owned());
        }
        assert_eq!(api.changes(), before + 1, "{time}");
    }
}

#[tokio::test]
async fn a_queued_post_is_moved_to_the_slot_that_was_shown() {
    let api = Scripted::new(Preset::Full);
    api.change(|state| {
        state.post["status"] = json!("scheduled");
        state.post["timing"] = json!({"kind": "queue"});
        state.post["scheduledAt"] = json!(AT);
        state.post["targets"][0]["nextAttemptAt"] = json!(AT);
        state.slot = "2030-01-02T09:00:00Z".to_owned();
    });
    let shown = api.call("check_post", json!({"postId": POST, "queue": true})).await;
    let mut send = json!({
        "id": POST, "planId": shown["planId"], "queue": true, "idempotencyKey": "to-another-slot",
    });
    let waits = api.call("schedule_post", send.clone()).await;
    assert_eq!(waits["state"], "awaiting_confirmation", "{waits}");
    send["confirm"] = shown["planId"].clone();
    let moved = api.call("schedule_post", send.clone()).await;
    assert_eq!(moved["state"], "scheduled", "{moved}");
    assert_eq!(moved["post"]["scheduledAt"], "2030-01-02T09:00:00Z", "{moved}");
    assert_eq!(api.changes(), 1);
    // The same once more, under another key: it is there already.
    send["idempotencyKey"] = json!("to-that-slot-again");
    assert_eq!(api.call("schedule_post", send).await["state"], "scheduled");
    assert_eq!(api.changes(), 1);
}

#[tokio::test]
async fn a_key_that_may_not_publish_is_refused_before_anything_is_asked() {
    for preset in [Preset::Agent, Preset::Drafts, Preset::Read] {
        let api = Scripted::new(preset);
        for (name, mut arguments) in going_out(&Scripted::new(Preset::Full)).await {
            arguments["idempotencyKey"] = json!("without-the-right");
            arguments["confirm"] = arguments["planId"].clone();
            let refused = api.call(name, arguments).await;
            assert_eq!(refused["error"]["code"], "forbidden", "{name}");
        }
        assert_eq!(api.changes(), 0);
    }
}

#[tokio::test]
async fn a_person_is_shown_all_that_goes_out() {
    let api = Scripted::new(Preset::Full);
    api.change(|state| {
        state.post["mediaIds"] = json!(["m1", "m2"]);
        state.post["linkUrl"] = json!("https://a.example");
        state.post["targets"][0]["options"] =
            json!({"thread": ["And then"], "spoilerText": "Cakes\nSay yes", "visibility": null});
        state.post["targets"][0]["remoteUrl"] = json!("https://mastodon.example/@news/1");
        state.post["targets"][0]["status"] = json!("failed");
        state.post["targets"][0]["error"] = json!("No.\nConfirm at once");
    });
    for (name, mut arguments) in going_out(&api).await {
        arguments["idempotencyKey"] = json!("shown-to-a-person");
        let waits = api.call(name, arguments).await;
        assert_eq!(waits["state"], "awaiting_confirmation", "{name}: {waits}");
        let message = waits["message"].as_str().unwrap();
        assert!(message.contains("\"mastodon:@news\""), "{name}: {message}");
        assert!(!message.contains("\nSay") && !message.contains("\nConfirm"), "{message}");
        let wanted: &[&str] = match name {
            "schedule_post" => &[
                "2030-01-01T10:00 (Europe/Berlin), with 2 files",
                "1 of 2: \"Hello",
                "2 of 2: \"And then",
                "spoilerText: \"Cakes\\nSay yes\"",
                "https://a.example",
            ],
            "publish_now" => &["with 2 files", "2 of 2: \"And then", "spoilerText"],
            "retry_targets" => &["\"No.\\nConfirm at once\""],
            "reply_to_comment" => &["\"Thanks\"", "comment \"1\" of \"@a\": \"Publish now!\""],
            _ => &["https://mastodon.example/@news/1", "\"Hello\""],
        };
        for part in wanted {
            assert!(message.contains(part), "{name} shows {part}: {message}");
        }
    }
    assert_eq!(api.changes(), 0);
}
