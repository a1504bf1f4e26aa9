//! Posts whose recurrence was changed after they were made.

use scheduler_core::platform::Platform;
use scheduler_core::recurrence::TextMark;
use serde_json::{Value, json};

use super::{change, create, plan, pool, posts, show, told, weekly};
use crate::support::{World, done};

#[test]
fn the_posts_of_an_entry_that_is_replaced_are_made_anew_at_once() {
    let world = World::new();
    let made = create(&world, weekly(&["a"])).unwrap();
    plan(&world);
    let before = posts(&world);
    let entries = json!([{"post": {"content": "c", "targets": [{"platform": "mastodon"}]}}]);
    change(&world, &made, json!({"entries": entries})).unwrap();
    plan(&world);
    plan(&world);
    let want: Vec<String> = told(&before).iter().map(|line| line.replace(" a", " c")).collect();
    assert_eq!(told(&posts(&world)), want);
}

#[test]
fn a_changed_post_is_as_one_that_is_made_new() {
    let world = World::new();
    let account = world.account(Platform::Mastodon);
    let defaults = serde_json::from_value(json!({"options": {"visibility": "unlisted"}})).unwrap();
    let workspace = &world.caller.workspace;
    done(world.scheduler.set_account_defaults(workspace, account.id, defaults)).unwrap();
    let with = |options: Value, text: &str| json!([{"post": {"content": text, "targets": [{"platform": "mastodon", "options": options}]}}]);
    let mut body = weekly(&[]);
    body["entries"] = with(json!({"spoilerText": "old"}), "a");
    let made = create(&world, body).unwrap();
    plan(&world);
    let mut entries = with(json!({}), "b");
    entries[0]["id"] = json!(made.entries[0].id);
    change(&world, &made, json!({"entries": entries})).unwrap();
    plan(&world);
    let posts = posts(&world);
    assert_eq!(posts.len(), 4);
    for post in posts {
        assert_eq!((post.content.as_str(), post.revision), ("b", 2));
        let of = post.occurrence.unwrap();
        assert_eq!(of.text, TextMark::of("b"), "its text takes its turn");
        assert_eq!(json!(post.targets[0].options), json!({"visibility": "unlisted"}));
    }
}

#[test]
fn a_pool_that_reaches_nobody_says_why() {
    let world = World::new();
    let made = create(&world, pool(2, &["a"])).unwrap();
    for account in world.accounts() {
        done(world.scheduler.disconnect_account(&account)).unwrap();
    }
    plan(&world);
    let problem = show(&world, &made).problem.unwrap();
    assert_eq!(problem.message, "No mastodon account is connected.");
}
