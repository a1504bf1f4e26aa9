//! Publishing with options, as an exchange of values.

use super::*;

/// The record of the first post of a job.
fn first_record(options: Value) -> Value {
    let job = with_options(bluesky_job(), options);
    let request = asks(bluesky().advance(&job, &bluesky().begin(&job), &[]));
    let Body::Json(body) = request.body else { panic!("no JSON") };
    body["record"].clone()
}

#[test]
fn options_are_members_of_the_record() {
    let plain = first_record(json!({}));
    for (name, options, member, want) in [
        ("languages", json!({ "languages": ["en", "pt-BR"] }), "langs", json!(["en", "pt-BR"])),
        (
            "labels",
            json!({ "labels": ["nudity", "graphic-media"] }),
            "labels",
            json!({
                "$type": "com.atproto.label.defs#selfLabels",
                "values": [{ "val": "nudity" }, { "val": "graphic-media" }],
            }),
        ),
        ("tags", json!({ "tags": ["#rust", "web dev"] }), "tags", json!(["rust", "web dev"])),
    ] {
        let mut record = first_record(options);
        assert_eq!(record[member], want, "{name}");
        record.as_object_mut().unwrap().remove(member);
        assert_eq!(record, plain, "{name}, and nothing else");
    }
    let job = with_options(
        bluesky_job(),
        json!({ "thread": ["two"], "languages": ["de"], "labels": ["porn"] }),
    );
    let put = put_answer("1", "c1");
    let progress = next(done(bluesky().advance(&job, &bluesky().begin(&job), &[put])));
    let request = asks(bluesky().advance(&job, &progress, &[]));
    let Body::Json(body) = request.body else { panic!("no JSON") };
    assert_eq!(body["record"]["langs"], json!(["de"]), "every part has its language");
    assert_eq!(body["record"]["labels"], Value::Null, "the files are those of the first part");
}

/// Publishes, and gives each record that is not a post, with the number of posts before it.
fn gates_of(options: Value) -> Vec<(usize, Value)> {
    let job = with_options(bluesky_job(), options);
    let mut progress = bluesky().begin(&job);
    let (mut posts, mut gates) = (0, Vec::new());
    loop {
        let is_visible = bluesky().is_visible(&progress);
        let request = asks(bluesky().advance(&job, &progress, &[]));
        let Body::Json(body) = request.body else { panic!("no JSON") };
        let answer = put_answer(body["rkey"].as_str().unwrap(), "c");
        let is_post = body["collection"] == POSTS;
        assert_eq!(is_visible, is_post, "only a post is visible: {body}");
        if is_post {
            posts += 1;
        } else {
            assert!(body.get("swapRecord").is_none());
            gates.push((posts, body));
        }
        progress = match done(bluesky().advance(&job, &progress, &[answer])) {
            Step::Next(next) => next,
            Step::Live(live) => match live.then {
                Some(then) => then,
                None => return gates,
            },
            other => panic!("{other:?}"),
        };
    }
}

#[test]
fn the_rules_of_a_post_follow_it_at_once() {
    assert_eq!(gates_of(json!({})), []);
    assert_eq!(gates_of(json!({ "replyControl": "everyone", "quoting": "everyone" })), []);
    let gates = gates_of(json!({ "replyControl": "nobody" }));
    assert_eq!(gates.len(), 1);
    let key = gates[0].1["rkey"].as_str().unwrap();
    let did = &bluesky_job().account.network_id;
    assert_eq!(
        gates[0].1["record"],
        json!({
            "$type": "app.bsky.feed.threadgate",
            "post": format!("at://{did}/{POSTS}/{key}"),
            "allow": [],
            "createdAt": "2026-11-20T10:00:00.000Z",
        })
    );
    let rules = |words: Value| {
        let gates = gates_of(json!({ "replyControl": words }));
        let allow = gates[0].1["record"]["allow"].as_array().unwrap();
        allow.iter().map(|rule| rule["$type"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let name = |rule: &str| format!("app.bsky.feed.threadgate#{rule}");
    assert_eq!(rules(json!("followers")), [name("followerRule")]);
    assert_eq!(
        rules(json!(["mentioned", "following"])),
        [name("mentionRule"), name("followingRule")]
    );

    let gates = gates_of(json!({
        "thread": ["two"], "replyControl": ["mentioned"], "quoting": "nobody",
    }));
    let kinds: Vec<(usize, &str)> =
        gates.iter().map(|(posts, body)| (*posts, body["collection"].as_str().unwrap())).collect();
    let quotes = "app.bsky.feed.postgate";
    assert_eq!(kinds, [(1, "app.bsky.feed.threadgate"), (1, quotes), (2, quotes)]);
    assert_eq!(
        gates[2].1["record"]["embeddingRules"],
        json!([{ "$type": "app.bsky.feed.postgate#disableRule" }])
    );
}

/// A crash between a post and its rules leaves both to be done.
#[test]
fn a_post_that_is_found_again_gets_its_rules() {
    let job = with_options(bluesky_job(), json!({ "replyControl": "nobody" }));
    let progress = bluesky().begin(&job);
    let (uri, record) = {
        let request = asks(bluesky().advance(&job, &progress, &[]));
        let Body::Json(body) = request.body else { panic!("no JSON") };
        let did = &job.account.network_id;
        let key = body["rkey"].as_str().unwrap().to_owned();
        (format!("at://{did}/{POSTS}/{key}"), body["record"].clone())
    };
    let stored = answered(200, &json!({ "uri": uri, "cid": "c", "value": record }));
    let Located::Live(live) = done(bluesky().locate(&job, &progress, &[stored])) else {
        panic!("not found")
    };
    let then = live.then.unwrap();
    let refused = answered(400, &json!({ "error": "InvalidRequest", "message": "no" }));
    assert!(bluesky().advance(&job, &then, &[refused]).is_err());
    assert_eq!(bluesky().skip(&then), None, "nothing else is left");
}

#[test]
fn whatever_breaks_where_posts_and_their_rules_are_there_once() {
    let options = json!({
        "thread": ["two"], "replyControl": ["mentioned"], "quoting": "nobody",
    });
    let mut job = with_options(bluesky_job(), options);
    job.content = "one".to_owned();
    exhaust(&bluesky(), &Repository::default(), &job, TimeDelta::minutes(1), &["one", "two"]);
}
