//! The options that posts of an account have where nothing else is said.

use scheduler_core::app::{AccountDetail, DefaultsInput};
use scheduler_core::error::Refusal;
use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::support::{World, body, done, outcome, refused, target_of};

fn set(world: &World, platform: Platform, options: Value) -> Result<AccountDetail, Refusal> {
    let input: DefaultsInput = serde_json::from_value(json!({ "options": options })).unwrap();
    let id = world.account(platform).id;
    refused(done(world.scheduler.set_account_defaults(&world.caller.workspace, id, input)))
}

fn options(world: &World, fields: Value) -> Value {
    let post = world.create(body(&["mastodon", "bluesky"], fields));
    json!(target_of(&post, Platform::Mastodon).options)
}

#[test]
fn new_targets_have_them_where_nothing_else_is_said() {
    let world = World::new();
    let defaults = json!({"visibility": "unlisted", "signature": "Ana"});
    let detail = set(&world, Platform::Mastodon, defaults.clone()).unwrap();
    assert_eq!(json!(detail.default_options), defaults);
    for (name, said, want) in [
        ("nothing", json!({}), json!({"visibility": "unlisted", "signature": "Ana"})),
        (
            "another value",
            json!({"visibility": "public"}),
            json!({"visibility": "public", "signature": "Ana"}),
        ),
        (
            "another option, and no signature",
            json!({"language": "en", "signature": ""}),
            json!({"language": "en", "visibility": "unlisted", "signature": ""}),
        ),
        ("null", json!({"visibility": null}), json!({"visibility": null, "signature": "Ana"})),
    ] {
        let targets = json!([{"platform": "mastodon", "options": said}]);
        let draft = json!({"saveAsDraft": true, "targets": targets});
        assert_eq!(options(&world, draft), want, "{name}");
    }
    let post = world.create(body(&["bluesky"], json!({"saveAsDraft": true})));
    assert!(target_of(&post, Platform::Bluesky).options.is_empty(), "they are of one account");

    // A target that is added has them, one that is there stays as it is.
    let both = json!({"targets": [{"platform": "bluesky"}, {"platform": "mastodon"}]});
    let added = world.patch(post.id, both).unwrap();
    assert_eq!(json!(target_of(&added, Platform::Mastodon).options), defaults);
    set(&world, Platform::Mastodon, json!({})).unwrap();
    assert_eq!(json!(target_of(&world.post(post.id), Platform::Mastodon).options), defaults);
    assert_eq!(options(&world, json!({"saveAsDraft": true})), json!({}));
}

#[test]
fn a_check_counts_what_a_create_would_send() {
    let world = World::new();
    set(&world, Platform::Mastodon, json!({"signature": "a".repeat(100)})).unwrap();
    let text = "b".repeat(450);
    let post = json!({"content": text, "targets": [{"platform": "mastodon"}]});
    let report = world.check_as(&world.caller, post.clone()).unwrap();
    assert_eq!(report.issues[0].rule, "mastodon.text.too_long");
    assert_eq!(report.counts[0].used, 552);
    let mut now = post;
    now["publishNow"] = json!(true);
    assert_eq!(outcome(&world.create_as(&world.caller, now)), "validation_failed");
}

#[test]
fn what_each_post_says_for_itself_is_no_default() {
    let world = World::new();
    for (platform, options, want) in [
        (Platform::Mastodon, json!({"caption": "x"}), "invalid_request options.caption"),
        (Platform::Bluesky, json!({"thread": ["x"]}), "invalid_request options.thread"),
        (Platform::Mastodon, json!({"poll": {}}), "invalid_request options.poll"),
        (
            Platform::Mastodon,
            json!({"thumbnailMediaId": "x"}),
            "invalid_request options.thumbnailMediaId",
        ),
        (Platform::Mastodon, json!({"visibillity": "x"}), "invalid_request options.visibillity"),
        (Platform::Mastodon, json!({"visibility": "nobody"}), "validation_failed"),
        (Platform::Mastodon, json!({"signature": 7}), "validation_failed"),
        (
            Platform::Mastodon,
            json!({"signature": "a".repeat(70_000)}),
            "invalid_request options.signature",
        ),
        (Platform::Mastodon, json!({"sensitive": true, "spoilerText": "x"}), "ok"),
        (Platform::Bluesky, json!({"languages": ["en"]}), "ok"),
    ] {
        let told = outcome(&set(&world, platform, options.clone()));
        assert_eq!(told, want, "{platform} {options}");
    }
}
