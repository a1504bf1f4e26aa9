//! What people do every day: they look what has failed and try it again, take back what they did,
//! and read how it stands.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use crate::running::{Ran, Serving, run};

fn well(ran: Ran) -> Ran {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

fn posted(server: &Serving, arguments: &[&str]) -> String {
    let ran = well(server.run(&[&["post"], arguments, &["--json"]].concat()));
    ran.json()["id"].as_str().unwrap().to_owned()
}

#[test]
fn what_has_failed_is_listed_and_tried_again() {
    let server = Serving::start();
    let sandbox = server.told("Sandbox on ").unwrap().to_owned();
    let fault =
        ["sandbox", "fault", "permanent", "--network", "mastodon", "--operation", "publish"];
    let more = ["--containing", "refused", "--times", "1", "--sandbox-url", &sandbox];
    well(server.run(&[&fault[..], &more].concat()));
    let failed = server.run(&["post", "refused once", "--to", "mastodon", "--now", "--wait"]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    let listed = well(server.run(&["posts", "--failed", "--json"])).json();
    let id = listed["data"][0]["id"].as_str().unwrap();
    assert_eq!(listed["data"].as_array().unwrap().len(), 1, "{listed}");
    assert!(well(server.run(&["posts", "show", id])).stdout.contains("status   failed\n"));
    well(server.run(&["retry", "--all"]));
    well(server.run(&["posts", "show", id, "--wait"]));
    assert_eq!(well(server.run(&["posts", "--failed", "--json"])).json()["data"], json!([]));
}

#[test]
fn what_was_cancelled_or_changed_is_taken_back() {
    let server = Serving::start();
    let id = posted(&server, &["As it was", "--to", "bluesky", "--at", "2099-01-01 09:00"]);
    let shown =
        |field: &str| well(server.run(&["posts", "show", &id, "--json"])).json()[field].clone();
    well(server.run(&["posts", "cancel", &id]));
    assert_eq!(shown("status"), "canceled");
    assert!(well(server.run(&["undo"])).stdout.contains("goes out"), "the only change");
    assert_eq!(shown("status"), "scheduled");
    well(server.run(&["posts", "edit", &id, "--text", "Another"]));
    assert_eq!(shown("content"), "Another");
    well(server.run(&["undo", &id]));
    assert_eq!(shown("content"), "As it was");
}

#[test]
fn times_and_threads_as_flags() {
    let server = Serving::start();
    let id = posted(&server, &["soon", "--to", "bluesky", "--in", "2h"]);
    let post = well(server.run(&["posts", "show", &id, "--json"])).json();
    let instant = |field: &str| post[field].as_str().unwrap().parse::<DateTime<Utc>>().unwrap();
    let off = instant("scheduledAt") - instant("createdAt") - TimeDelta::hours(2);
    assert!(off.num_minutes().abs() <= 2, "{post}");

    let long = "A sentence of some words. ".repeat(20);
    let refused = server.run(&["check", &long, "--to", "bluesky"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    well(server.run(&["check", &long, "--to", "bluesky", "--split"]));

    let past = server.run(&["post", "late", "--to", "bluesky", "--at", "2020-01-01 09:00"]);
    assert_eq!(past.code, Some(1), "{past:?}");
    assert!(past.stderr.contains("is in the past"), "{past:?}");
    assert!(!past.stderr.contains("publishNow"), "a field of a request: {past:?}");
}

#[test]
fn people_read_names_and_what_became_of_each_target() {
    let server = Serving::start();
    let arguments = ["post", "Hello", "--to", "linkedin,bluesky", "--now", "--wait"];
    let followed = well(server.run(&arguments));
    assert!(followed.stderr.contains("linkedin:Sandbox Member 1: published"), "{followed:?}");
    let listed = well(server.run(&["posts", "--json"])).json();
    let id = listed["data"][0]["id"].as_str().unwrap();
    let targets = listed["data"][0]["targets"].as_array().unwrap();
    let bluesky = targets.iter().find(|target| target["platform"] == "bluesky").unwrap();
    let link = bluesky["remoteUrl"].as_str().unwrap();
    assert!(well(server.run(&["posts", "show", id])).stdout.contains(link));

    well(server.run(&["posts", "take-down", id, "bluesky", "--yes"]));
    let shown = well(server.run(&["posts", "show", id])).stdout;
    assert!(shown.contains("status   partly taken down\n"), "{shown}");
    let row = shown.lines().find(|line| line.starts_with("bluesky")).unwrap();
    assert!(row.contains("taken down") && !row.contains(link), "{shown}");
    well(server.run(&["posts", "take-down", id, "linkedin", "--yes"]));
    let shown = well(server.run(&["posts", "show", id])).stdout;
    assert!(shown.contains("status   taken down\n"), "{shown}");
}

#[test]
fn default_options_change_one_at_a_time() {
    let server = Serving::start();
    let set = |more: &[&str]| {
        let given = [&["accounts", "defaults", "mastodon"], more, &["--json"]].concat();
        well(server.run(&given)).json()["options"].clone()
    };
    let visible = ["--option", "mastodon.visibility=unlisted"];
    let (unlisted, signed) = (json!({"visibility": "unlisted"}), json!({"signature": "Ben"}));
    let both = json!({"visibility": "unlisted", "signature": "Ben"});
    for (name, more, want) in [
        ("an option", &visible[..], &unlisted),
        ("a signature keeps it", &["--signature", "Ben"], &both),
        ("an option keeps the signature", &visible, &both),
        ("one without a value goes", &["--option", "mastodon.visibility="], &signed),
        ("shown", &[], &signed),
        ("so does an empty signature", &["--signature", ""], &json!({})),
        ("both at once", &["--signature", "Ben", visible[0], visible[1]], &both),
        ("none", &["--none"], &json!({})),
    ] {
        assert_eq!(set(more), *want, "{name}");
    }
}

#[test]
fn a_label_that_no_post_has_takes_nothing_down_and_says_so() {
    let server = Serving::start();
    posted(&server, &["Out", "--to", "bluesky", "--label", "spring", "--at", "2099-01-01 09:00"]);
    posted(&server, &["Not out", "--to", "bluesky", "--label", "sprng", "--draft"]);
    let slip = server.run(&["panic", "--label", "sprng", "--yes"]);
    assert_eq!((slip.code, &*slip.stdout), (Some(1), ""), "{slip:?}");
    assert!(slip.stderr.contains("no post with the label \"sprng\" has gone out"), "{slip:?}");
    let meant = well(server.run(&["panic", "--label", "spring", "--yes"]));
    assert!(meant.stdout.starts_with("1 target cancelled, 0 targets taken down"), "{meant:?}");
}

#[test]
fn a_set_of_accounts_is_a_target() {
    let server = Serving::start();
    let here = |arguments: &[&str]| run(server.folder.path(), arguments);
    let kept = well(here(&["accounts", "sets", "save", "Clients", "bluesky,mastodon"]));
    assert!(kept.stdout.contains("--to \"set:Clients\""), "{kept:?}");
    let networks = |ran: &Ran| -> Vec<String> {
        let post = ran.json();
        let targets = post["targets"].as_array().unwrap().iter();
        let names = targets.map(|target| target["platform"].as_str().unwrap().to_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let draft = ["post", "To them all", "--to", "tumblr, set:Clients", "--draft", "--json"];
    let all = well(here(&draft));
    assert_eq!(networks(&all), ["bluesky", "mastodon", "tumblr"]);
    assert!(!all.stderr.contains("left out"), "{all:?}");

    well(here(&["accounts", "disconnect", "mastodon", "--yes"]));
    let some = well(here(&draft));
    assert_eq!(networks(&some), ["bluesky", "tumblr"]);
    assert!(some.stderr.contains("set:Clients: left out: mastodon"), "{some:?}");

    for (name, ran, code, said) in [
        ("an unknown set", here(&["check", "x", "--to", "set:Clints"]), 2, "there is: \"Clients\""),
        (
            "a key",
            server.run(&["post", "x", "--to", "set:Clients", "--draft"]),
            1,
            "an API key does not open the sets",
        ),
        (
            "without a server",
            here(&["check", "x", "--to", "set:Clients", "--offline"]),
            2,
            "write the networks",
        ),
    ] {
        assert_eq!(ran.code, Some(code), "{name}: {ran:?}");
        assert!(ran.stderr.contains(said), "{name}: {ran:?}");
    }
}
