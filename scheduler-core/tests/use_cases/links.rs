//! What becomes of the links of posts, from the settings of a workspace to what is sent.

use chrono::TimeDelta;
use scheduler_core::app::{Caller, WorkspaceChange};
use scheduler_core::error::Refusal;
use scheduler_core::ids::PostId;
use scheduler_core::links::{LinkRules, ShortLinkPage, ShortLinks};
use scheduler_core::platform::Platform;
use scheduler_core::post::{ApprovalState, LiveRights, PageInput, PostInput, PostView, Verdict};
use serde_json::{Value, json};

use crate::approvals::{page, say, show};
use crate::reviews::{approve, ask, person};
use crate::support::{World, body, done, outcome, refused, target_of};

/// A world whose server has an address, and whose workspace wants this of its links.
fn wanting(rules: Value) -> World {
    let mut world = World::new();
    world.scheduler =
        world.scheduler.clone().with_short_links(ShortLinks::new("https://go.example", [7; 32]));
    want(&mut world, rules).unwrap();
    world
}

fn want(world: &mut World, rules: Value) -> Result<(), Refusal> {
    let rules: LinkRules = serde_json::from_value(rules).unwrap();
    let set = world.scheduler.set_link_rules(&world.caller.workspace, rules);
    world.caller.workspace = refused(done(set))?;
    Ok(())
}

fn tag() -> Value {
    json!({"tag": true, "utm": {"source": "{network}", "campaign": "{label}", "term": "{date}"}})
}

fn short() -> Value {
    json!({"tag": true, "shorten": true, "utm": {"source": "{network}"}})
}

/// The text that a network gets.
fn sent(world: &World, id: PostId, platform: Platform) -> String {
    let post = world.post(id);
    let sent = post.sent_to(target_of(&post, platform));
    sent.compose(false, platform).text().to_owned()
}

fn links(world: &World, caller: &Caller, post: Option<PostId>) -> ShortLinkPage {
    done(world.scheduler.list_short_links(caller, &PageInput::default(), post)).unwrap()
}

fn see() -> Value {
    body(&["bluesky", "mastodon"], json!({"content": "See https://e.com/a", "queue": true}))
}

#[test]
fn nothing_is_changed_unless_a_workspace_wants_it() {
    let world = World::new();
    let post = world.create(see());
    assert!(post.targets.iter().all(|target| target.links.is_empty()));
    let view = serde_json::to_value(PostView::new(&post, &LiveRights::at(world.now()))).unwrap();
    assert!(view.get("links").is_none() && view["targets"][0].get("links").is_none());
    let report = serde_json::to_value(world.check_as(&world.caller, see()).unwrap()).unwrap();
    assert!(report.get("links").is_none());
}

#[test]
fn what_is_checked_is_what_is_sent() {
    let world = wanting(tag());
    let mut post = see();
    post["labels"] = json!(["spring"]);
    let end = "?utm_source=bluesky&utm_campaign=spring&utm_term=2026-11-21";
    let want = format!("See https://e.com/a{end}");
    let report = world.check_as(&world.caller, post.clone()).unwrap();
    let counted = report.counts.iter().find(|count| count.target == 0).unwrap();
    assert_eq!((counted.text.as_str(), counted.used), (want.as_str(), want.chars().count()));
    assert_eq!(report.links[0].change.sent, format!("https://e.com/a{end}"));
    assert_eq!((report.links[0].target, report.links[1].target), (0, 1));

    let made = world.create(post);
    assert_eq!(made.content, "See https://e.com/a", "what was written");
    assert_eq!(sent(&world, made.id, Platform::Bluesky), want);
    assert!(sent(&world, made.id, Platform::Mastodon).contains("utm_source=mastodon"));

    // A text that fits by itself does not fit with its parameters: the rules count what is sent.
    let long = body(
        &["bluesky"],
        json!({
            "content": format!("{} https://e.com/a", "a".repeat(280)), "publishNow": true,
        }),
    );
    let refused = world.create_as(&world.caller, long.clone()).unwrap_err();
    assert_eq!(refused.issues()[0].rule, "bluesky.text.too_long");
    assert!(!world.check_as(&world.caller, long).unwrap().ok);
}

#[test]
fn what_was_worked_out_stays_until_the_post_is_changed() {
    let mut world = wanting(tag());
    let id = world.create(see()).id;
    let before = sent(&world, id, Platform::Bluesky);
    want(&mut world, json!({"tag": true, "utm": {"source": "later"}})).unwrap();
    assert_eq!(sent(&world, id, Platform::Bluesky), before);
    world.patch(id, json!({"scheduledAt": "2026-11-22T09:00:00Z"})).unwrap();
    assert_eq!(sent(&world, id, Platform::Bluesky), before, "another time is no other text");
    world.patch(id, json!({"content": "Look: https://e.com/a"})).unwrap();
    let after = "Look: https://e.com/a?utm_source=later";
    assert_eq!(sent(&world, id, Platform::Bluesky), after);

    // Undoing brings back what was sent before.
    done(world.scheduler.undo_post(&world.caller, id, None)).unwrap();
    assert_eq!(sent(&world, id, Platform::Bluesky), before);

    // A draft is open until it gets its time.
    let mut draft = see();
    draft.as_object_mut().unwrap().remove("queue");
    draft["saveAsDraft"] = json!(true);
    let id = world.create(draft).id;
    want(&mut world, json!({})).unwrap();
    world.patch(id, json!({"queue": true})).unwrap();
    assert_eq!(sent(&world, id, Platform::Bluesky), "See https://e.com/a");
}

#[test]
fn a_post_may_want_something_else() {
    let world = wanting(tag());
    let mut post = see();
    post["links"] = json!({});
    let id = world.create(post.clone()).id;
    assert_eq!(sent(&world, id, Platform::Bluesky), "See https://e.com/a");
    assert!(world.check_as(&world.caller, post).unwrap().links.is_empty());
    let copy = PostInput::copy_of(&world.post(id));
    assert_eq!(copy.links.value(), Some(&LinkRules::default()), "a copy wants it too");
    world.patch(id, json!({"links": {"tag": true, "utm": {"medium": "own"}}})).unwrap();
    assert_eq!(sent(&world, id, Platform::Bluesky), "See https://e.com/a?utm_medium=own");
    world.patch(id, json!({"content": "https://e.com/b"})).unwrap();
    assert_eq!(sent(&world, id, Platform::Bluesky), "https://e.com/b?utm_medium=own");
    world.patch(id, json!({"links": null})).unwrap();
    assert!(sent(&world, id, Platform::Bluesky).contains("utm_source=bluesky"), "as its workspace");

    let plain = World::new();
    let mut post = see();
    post["links"] = short();
    assert_eq!(
        outcome(&plain.create_as(&plain.caller, post.clone())),
        "invalid_request links.shorten"
    );
    assert_eq!(
        outcome(&plain.check_as(&plain.caller, post.clone())),
        "invalid_request links.shorten"
    );
    let id = plain.create(see()).id;
    assert_eq!(
        outcome(&plain.patch(id, json!({"links": short()}))),
        "invalid_request links.shorten"
    );
}

#[test]
fn short_links_are_the_same_in_a_preview_and_lead_where_they_say() {
    let mut world = wanting(short());
    let report = world.check_as(&world.caller, see()).unwrap();
    assert!(links(&world, &world.caller, None).data.is_empty(), "a preview stores nothing");
    let post = world.create(see());
    for (place, target) in post.targets.iter().enumerate() {
        assert_eq!(target.links[0], report.links[place].change);
    }
    let change = &post.targets[0].links[0];
    let (code, destination) = change.short().unwrap();
    assert_eq!(destination, "https://e.com/a?utm_source=bluesky");
    assert_eq!(sent(&world, post.id, Platform::Bluesky), format!("See {}", change.sent));

    let follow =
        |code: &str, counted| done(world.scheduler.follow_short_link(code, counted)).unwrap();
    assert_eq!(follow(code, true).as_deref(), Some(destination));
    assert_eq!(follow(code, false).as_deref(), Some(destination));
    assert_eq!(follow(code, true).as_deref(), Some(destination));
    for unknown in
        ["", "a", "https://e.com", "AAAAAAAAAAAA", &format!("{code}0"), &code.to_lowercase()]
    {
        assert_eq!(follow(unknown, true), None, "{unknown}");
    }
    world.clock.advance(TimeDelta::days(1));
    assert!(follow(code, true).is_some());
    let of_post = links(&world, &world.caller, Some(post.id)).data;
    let one = of_post.iter().find(|link| link.code == code).unwrap();
    assert_eq!((one.clicks, one.url.as_str()), (3, change.sent.as_str()));
    let days: Vec<_> = one.days.iter().map(|day| (day.day.to_string(), day.clicks)).collect();
    assert_eq!(days, [("2026-11-22".to_owned(), 1), ("2026-11-21".to_owned(), 2)]);

    // The same link is the same code; another workspace has others, and sees none of these.
    world.create(see());
    assert_eq!(links(&world, &world.caller, None).data.len(), 2);
    let stranger = world.stranger();
    assert!(links(&world, &stranger, None).data.is_empty());
    let rest = PageInput { limit: Some("1".into()), before: Some(code.to_owned()) };
    let theirs = refused(done(world.scheduler.list_short_links(&stranger, &rest, None)));
    assert_eq!(outcome(&theirs), "invalid_request before");
    let first = PageInput { limit: Some("1".into()), before: None };
    let first = done(world.scheduler.list_short_links(&world.caller, &first, None)).unwrap();
    let rest = PageInput { limit: Some("1".into()), before: first.next_cursor };
    let rest = done(world.scheduler.list_short_links(&world.caller, &rest, None)).unwrap();
    assert_ne!(first.data[0].code, rest.data[0].code);
    assert_eq!(rest.next_cursor, None);

    // What was sent leads on, whatever becomes of the post and of the settings.
    want(&mut world, json!({})).unwrap();
    world.delete(post.id).unwrap();
    let follow = done(world.scheduler.follow_short_link(code, false)).unwrap();
    assert_eq!(follow.as_deref(), Some(destination));
}

#[test]
fn a_server_without_an_address_shortens_nothing() {
    let mut world = World::new();
    assert_eq!(outcome(&want(&mut world, short())), "invalid_request shorten");
    assert_eq!(outcome(&want(&mut world, tag())), "ok");
    assert_eq!(outcome(&want(&mut world, json!({"tag": true}))), "invalid_request utm");
}

#[test]
fn a_client_is_shown_what_is_sent_and_asked_again_when_it_changes() {
    let mut world = wanting(tag());
    let mut post = see();
    post["scheduledAt"] = json!("2026-11-30T09:00:00Z");
    post.as_object_mut().unwrap().remove("queue");
    let id = world.create(post).id;
    let approval = show(&world, id).unwrap();
    let shown = page(&world, &approval.pass);
    assert!(shown.targets[0].text.text().contains("utm_source=bluesky"));
    say(&world, &approval.pass, Verdict::Approve, "").unwrap();
    want(&mut world, json!({})).unwrap();
    world.patch(id, json!({"scheduledAt": "2026-11-30T10:00:00Z"})).unwrap();
    let state = |world: &World| world.post(id).approval_state;
    assert_eq!(state(&world), Some(ApprovalState::Approved), "its links stay");
    world.patch(id, json!({"labels": ["x"]})).unwrap();
    assert_eq!(state(&world), Some(ApprovalState::Pending), "its links are others");
}

#[test]
fn what_is_sent_again_unchanged_changes_no_links() {
    let mut world = wanting(tag());
    let mut post = see();
    post["scheduledAt"] = json!("2026-11-30T09:00:00Z");
    post.as_object_mut().unwrap().remove("queue");
    post["labels"] = json!(["spring"]);
    post["links"] = json!({"tag": true, "utm": {"source": "{network}", "term": "{date}"}});
    let id = world.create(post.clone()).id;
    let before = world.post(id);
    let approval = show(&world, id).unwrap();
    say(&world, &approval.pass, Verdict::Approve, "").unwrap();
    want(&mut world, json!({})).unwrap();
    world.clock.advance(TimeDelta::days(1));

    // A form sends every field each time, the targets in any order.
    post["note"] = json!("for us");
    post["targets"].as_array_mut().unwrap().reverse();
    world.patch(id, post.clone()).unwrap();
    let after = world.post(id);
    for target in &before.targets {
        assert_eq!(target_of(&after, target.platform).links, target.links);
    }
    assert_eq!(after.approval_state, Some(ApprovalState::Approved));

    for (name, field, value) in [
        ("text", "content", json!("Now https://e.com/a")),
        ("link", "linkUrl", json!("https://e.com/b")),
        ("labels", "labels", json!(["x"])),
        ("options", "targets", body(&["bluesky"], json!({}))["targets"].clone()),
    ] {
        let id = world.create(post.clone()).id;
        let old = target_of(&world.post(id), Platform::Bluesky).links.clone();
        world.clock.advance(TimeDelta::days(1));
        world.patch(id, json!({ field: value })).unwrap();
        assert_ne!(target_of(&world.post(id), Platform::Bluesky).links, old, "{name}");
    }
    world.patch(id, json!({"links": null})).unwrap();
    assert_eq!(sent(&world, id, Platform::Bluesky), "See https://e.com/a");
}

#[test]
fn a_draft_that_the_team_has_approved_keeps_its_links() {
    let mut world = wanting(tag());
    world.caller.workspace = ask(&world, true);
    let mut draft = see();
    draft.as_object_mut().unwrap().remove("queue");
    draft["saveAsDraft"] = json!(true);
    let id = world.create(draft).id;
    let before = sent(&world, id, Platform::Bluesky);
    approve(&world, &person(&world, 1, "Ana"), id).unwrap();
    want(&mut world, json!({})).unwrap();
    world.patch(id, json!({"note": "for us"})).unwrap();
    assert_eq!(sent(&world, id, Platform::Bluesky), before);
    assert_eq!(world.post(id).approval(), Some(ApprovalState::Approved));
}

#[test]
fn what_was_taken_once_stays_when_the_server_has_no_address_any_more() {
    let mut world = World::new();
    let plain = world.scheduler.clone();
    world.scheduler =
        plain.clone().with_short_links(ShortLinks::new("https://go.example", [7; 32]));
    let mut post = see();
    post["links"] = short();
    let id = world.create(post.clone()).id;
    let before = sent(&world, id, Platform::Bluesky);
    world.scheduler = plain;
    post["note"] = json!("for us");
    post.as_object_mut().unwrap().remove("queue");
    world.patch(id, post.clone()).unwrap();
    assert_eq!(sent(&world, id, Platform::Bluesky), before);
    post["content"] = json!("Now https://e.com/a");
    world.patch(id, post.clone()).unwrap();
    let long = "Now https://e.com/a?utm_source=bluesky";
    assert_eq!(sent(&world, id, Platform::Bluesky), long);
    post["links"]["utm"] = json!({"source": "other"});
    assert_eq!(outcome(&world.patch(id, post)), "invalid_request links.shorten");
}

#[test]
fn settings_that_are_saved_at_once_keep_each_other() {
    let world = wanting(tag());
    let read = world.caller.workspace.clone();
    let named = WorkspaceChange { name: Some("Bakery".into()), ..WorkspaceChange::default() };
    done(world.scheduler.change_workspace(&read, named)).unwrap();
    let set = done(world.scheduler.set_link_rules(&read, LinkRules::default())).unwrap();
    assert_eq!((set.name.as_str(), set.links.is_on()), ("Bakery", false), "the name stays");
    let paired = WorkspaceChange { second_pair: Some(true), ..WorkspaceChange::default() };
    let set = done(world.scheduler.change_workspace(&read, paired)).unwrap();
    assert_eq!((set.name.as_str(), set.links.is_on()), ("Bakery", false), "and so do the rules");
}
