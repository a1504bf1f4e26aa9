//! Listing posts.

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use scheduler_core::app::Caller;
use scheduler_core::key::Scope;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{AccountStore as _, PostStore as _};
use scheduler_core::post::{ListInput, Post};
use serde_json::{Value, json};

use crate::support::{World, at, body, done, outcome, refused};

fn input(fields: Value) -> ListInput {
    let text = |name: &str| fields.get(name).map(|value| value.as_str().unwrap().to_owned());
    let texts = |name: &str| text(name).map(|text| text.split(',').map(str::to_owned).collect());
    ListInput {
        status: text("status"),
        state: text("state"),
        platform: texts("platform").unwrap_or_default(),
        account_id: texts("accountId").unwrap_or_default(),
        label: texts("label").unwrap_or_default(),
        q: text("q"),
        order: text("order"),
        from: text("from"),
        to: text("to"),
        days: text("days"),
        limit: text("limit"),
        before: text("before"),
    }
}

/// The contents of a page, joined.
fn contents(world: &World, fields: Value) -> String {
    let page = world.list(&input(fields)).unwrap();
    page.data.iter().map(|post| post.content.as_str()).collect::<Vec<_>>().join(" ")
}

fn create(world: &World, content: &str, timing: Value) -> Post {
    let mut body = body(&["bluesky"], timing);
    body["content"] = content.into();
    world.create(body)
}

/// Posts of every kind: an old and a young one that went out, one to come, drafts, a cancelled one.
fn history() -> World {
    let world = World::new();
    let start = world.now();
    for (content, days) in [("ancient", 0), ("old", 600), ("young", 710)] {
        world.clock.set(start + TimeDelta::days(days));
        create(&world, content, json!({"publishNow": true}));
        world.work();
        create(&world, &format!("draft-{content}"), json!({"saveAsDraft": true}));
    }
    world.clock.set(start + TimeDelta::days(720));
    create(&world, "next", json!({"scheduledAt": world.now() + TimeDelta::days(1)}));
    let canceled =
        create(&world, "canceled", json!({"scheduledAt": world.now() + TimeDelta::days(2)}));
    world.delete(canceled.id).unwrap();
    world
}

#[test]
fn most_recent_first_with_drafts_and_posts_to_come_always() {
    let world = history();
    for (name, fields, want) in [
        (
            "120 days when nothing is said",
            json!({}),
            "canceled next draft-young young draft-old old draft-ancient",
        ),
        (
            "11 days",
            json!({"days": "11"}),
            "canceled next draft-young young draft-old draft-ancient",
        ),
        ("5 days", json!({"days": "5"}), "canceled next draft-young draft-old draft-ancient"),
        (
            "730 days",
            json!({"days": "730"}),
            "canceled next draft-young young draft-old old draft-ancient ancient",
        ),
        ("drafts", json!({"status": "draft"}), "draft-young draft-old draft-ancient"),
        ("done", json!({"status": "done", "days": "730"}), "young old ancient"),
        ("scheduled", json!({"status": "scheduled"}), "next"),
        ("canceled", json!({"status": "canceled"}), "canceled"),
        ("publishing", json!({"status": "publishing"}), ""),
    ] {
        assert_eq!(contents(&world, fields), want, "{name}");
    }
}

#[test]
fn a_range_holds_what_went_out_or_is_due_in_it() {
    let world = World::new();
    create(&world, "now", json!({"publishNow": true}));
    world.work();
    create(&world, "draft", json!({"saveAsDraft": true}));
    create(&world, "at-13", json!({"scheduledAt": "2026-11-21T13:00:00Z"}));
    let canceled = create(&world, "canceled", json!({"scheduledAt": "2026-11-21T13:00:00Z"}));
    world.delete(canceled.id).unwrap();
    let range = |from: &str, to: &str| json!({"from": format!("2026-11-21T{from}:00Z"), "to": format!("2026-11-21T{to}:00Z")});
    for (name, fields, want) in [
        ("both", range("12:00", "13:01"), "at-13 now"),
        ("the end is not part of it", range("12:00", "13:00"), "now"),
        ("the start is", range("13:00", "14:00"), "at-13"),
        ("nothing", range("14:00", "15:00"), ""),
        ("from alone", json!({"from": "2026-11-21T13:00:00Z"}), "at-13"),
        ("to alone", json!({"to": "2026-11-21T13:00:00Z"}), "now"),
    ] {
        assert_eq!(contents(&world, fields), want, "{name}");
    }
}

#[test]
fn what_is_asked_for_besides() {
    let world = World::new();
    let later = |content: &str, hour: u32, networks: &[&str], fields: Value| {
        let timing = json!({"scheduledAt": format!("2026-11-21T{hour}:00:00Z")});
        let mut body = body(networks, timing);
        body["content"] = content.into();
        for (field, value) in fields.as_object().unwrap() {
            body[field] = value.clone();
        }
        world.create(body)
    };
    later("cakes", 14, &["bluesky"], json!({"labels": ["Spring", "Food"], "note": "From Zoë"}));
    later("tea", 13, &["mastodon"], json!({"labels": ["food"]}));
    let both = later("both", 15, &["bluesky", "mastodon"], json!({}));
    create(&world, "draft", json!({"saveAsDraft": true}));
    world.network.script([Err(scheduler_core::ports::NetworkError::permanent("no"))]);
    create(&world, "failed", json!({"publishNow": true}));
    world.work();
    let account = both.targets[1].account_id.to_string();
    for (name, fields, want) in [
        ("a network", json!({"platform": "mastodon"}), "both tea"),
        ("any of two", json!({"platform": "mastodon,bluesky"}), "both cakes tea failed draft"),
        ("an account", json!({"accountId": account}), "both tea"),
        ("a label", json!({"label": "FOOD"}), "cakes tea"),
        ("any of two labels", json!({"label": "spring,none"}), "cakes"),
        ("words of the text and the note", json!({"q": "CAK zoe"}), "cakes"),
        ("a word of a label", json!({"q": "spr"}), "cakes"),
        ("words that no post has together", json!({"q": "tea cakes"}), ""),
        ("all of several", json!({"label": "food", "platform": "mastodon"}), "tea"),
        ("what has failed", json!({"state": "failed"}), "failed"),
        ("what needs attention", json!({"state": "needs_attention"}), "failed"),
        ("what is in doubt", json!({"state": "in_doubt"}), ""),
        ("what is to come", json!({"order": "due"}), "tea cakes both"),
        ("of it, a network's", json!({"order": "due", "platform": "bluesky"}), "cakes both"),
    ] {
        assert_eq!(contents(&world, fields), want, "{name}");
    }
    let mastodon = world.account(Platform::Mastodon).id;
    done(world.store.mark_needs_reconnect(mastodon, 1, None)).unwrap();
    assert_eq!(contents(&world, json!({"state": "needs_attention"})), "both tea failed");
}

#[test]
fn pages_of_what_is_to_come() {
    let world = World::new();
    for hour in ["15", "13", "14"] {
        create(&world, hour, json!({"scheduledAt": format!("2026-11-21T{hour}:00:00Z")}));
    }
    let (mut seen, mut fields) = (Vec::new(), json!({"order": "due", "limit": "1"}));
    loop {
        let page = world.list(&input(fields.clone())).unwrap();
        seen.extend(page.data.into_iter().map(|post| post.content));
        let Some(cursor) = page.next_cursor else { break };
        fields["before"] = cursor.into();
    }
    assert_eq!(seen, ["13", "14", "15"]);
}

#[test]
fn the_moment_is_when_the_first_target_went_out_not_when_it_was_due() {
    let world = World::new();
    create(&world, "due-first", json!({"scheduledAt": "2026-11-21T13:00:00Z"}));
    create(&world, "due-second", json!({"scheduledAt": "2026-11-21T14:00:00Z"}));
    assert_eq!(contents(&world, json!({})), "due-second due-first");
    let late = scheduler_core::ports::NetworkError::new(
        scheduler_core::ports::NetworkErrorKind::RateLimited { wait: Some(TimeDelta::hours(3)) },
        "no",
    );
    world.network.script([Err(late)]);
    world.work_to_the_end();
    assert_eq!(contents(&world, json!({})), "due-first due-second");
}

#[test]
fn what_is_refused() {
    let world = World::new();
    for (fields, want) in [
        (
            json!({"from": "2026-01-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"}),
            "invalid_request to",
        ),
        (json!({"state": "late"}), "invalid_request state"),
        (json!({"platform": "myspace"}), "invalid_request platform"),
        (json!({"before": "x"}), "invalid_request before"),
        (json!({"limit": "501"}), "invalid_request limit"),
        (json!({"days": "0"}), "invalid_request days"),
        (json!({"status": "sent"}), "invalid_request status"),
    ] {
        assert_eq!(outcome(&world.list(&input(fields.clone()))), want, "{fields}");
    }
    let write = world.caller_with(&[Scope::PostsWrite, Scope::PostsPublish]);
    let listed = refused(done(world.scheduler.list_posts(&write, &ListInput::default())));
    assert_eq!(outcome(&listed), "forbidden");
}

#[test]
fn another_workspace_sees_nothing() {
    let world = history();
    let page = refused(done(world.scheduler.list_posts(&world.stranger(), &ListInput::default())));
    assert!(page.unwrap().data.is_empty());
}

fn page(world: &World, limit: usize, before: Option<String>) -> (Vec<String>, Option<String>) {
    let input = ListInput { limit: Some(limit.to_string()), before, ..ListInput::default() };
    let page = world.list(&input).unwrap();
    (page.data.into_iter().map(|post| post.content).collect(), page.next_cursor)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Pages of any size hold every post once, in one order, whatever is created meanwhile.
    #[test]
    fn pages_hold_every_post_once(
        minutes in prop::collection::vec(0_i64..5, 0..12),
        limit in 1_usize..6,
        meanwhile in prop::collection::vec(0_i64..5, 0..4),
    ) {
        let world = World::empty();
        world.connect(Platform::Bluesky, "me");
        let due = |minute: i64| -> DateTime<Utc> {
            at("2026-12-01T09:00:00Z") + TimeDelta::minutes(minute)
        };
        for (number, minute) in minutes.iter().enumerate() {
            create(&world, &format!("{number}"), json!({"scheduledAt": due(*minute)}));
        }
        let (whole, end) = page(&world, 500, None);
        prop_assert_eq!(whole.len(), minutes.len());
        prop_assert_eq!(end, None);
        let mut seen = Vec::new();
        let mut before = None;
        let mut newcomers = meanwhile.iter();
        loop {
            let (contents, next) = page(&world, limit, before);
            prop_assert!(contents.len() <= limit);
            seen.extend(contents);
            if let Some(minute) = newcomers.next() {
                create(&world, "newcomer", json!({"scheduledAt": due(*minute)}));
            }
            let Some(next) = next else { break };
            before = Some(next);
        }
        seen.retain(|content| content != "newcomer");
        prop_assert_eq!(seen, whole);
    }
}

/// Ends of pages by what they hold: text, or values that take more memory than their text.
#[test]
fn a_page_ends_by_its_size_and_the_next_goes_on() {
    let texts = json!({"x": "y".repeat(60_000)});
    let values = json!({"x": vec![0; 999]});
    for (name, options, count, least, most) in [
        ("text", &texts, 300, 100, 140),
        ("values", &values, 500, 200, 260),
        ("small ones", &json!({}), 500, 500, 500),
    ] {
        let world = World::new();
        for _ in 0..count {
            let mut body = body(&["bluesky"], json!({"saveAsDraft": true}));
            body["targets"][0]["options"] = options.clone();
            world.create(body);
        }
        let (mut seen, mut sizes, mut before) = (Vec::new(), Vec::new(), None);
        loop {
            let limit = Some("500".to_owned());
            let page = world.list(&ListInput { limit, before, ..ListInput::default() }).unwrap();
            let bytes = serde_json::to_vec(&page).unwrap().len();
            assert!(bytes <= 8 << 20, "{name}: {bytes}");
            sizes.push(page.data.len());
            seen.extend(page.data.into_iter().map(|post| post.id));
            before = page.next_cursor;
            if before.is_none() {
                break;
            }
        }
        assert!((least..=most).contains(&sizes[0]), "{name}: {sizes:?}");
        let mut once = seen.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!((once.len(), seen.len()), (count, count), "{name}: each post once");
    }
}

#[test]
fn a_page_holds_a_post_however_large() {
    let world = World::new();
    create(&world, "next", json!({"saveAsDraft": true}));
    world.clock.set(world.now() + TimeDelta::hours(1));
    let post = create(&world, "large", json!({"saveAsDraft": true}));
    // As one from before there was a limit.
    let options = json!({"x": "y".repeat(9 << 20)});
    let mut grown = post.clone();
    grown.targets[0].options = options.as_object().unwrap().clone();
    done(world.store.save_post(&grown, u64::MAX)).unwrap();
    let limit = || Some("500".to_owned());
    let page = world.list(&ListInput { limit: limit(), ..ListInput::default() }).unwrap();
    assert_eq!(page.data.len(), 1);
    let rest = ListInput { limit: limit(), before: page.next_cursor, ..ListInput::default() };
    let rest = world.list(&rest).unwrap();
    assert_eq!((rest.data.len(), rest.next_cursor), (1, None));
}

#[test]
fn the_beginning_of_an_id_finds_the_only_post_that_begins_so() {
    let world = World::new();
    let posts: Vec<String> = (0..2)
        .map(|_| world.create(body(&["bluesky"], json!({"saveAsDraft": true}))).id.to_string())
        .collect();
    let find = |caller: &Caller, text: &str| {
        refused(done(world.scheduler.post_beginning(caller, text))).map(|post| post.id.to_string())
    };
    let mine = &world.caller;
    assert_eq!(find(mine, &posts[0]).unwrap(), posts[0]);
    let shared = posts[0].chars().zip(posts[1].chars()).take_while(|(one, other)| one == other);
    let shared = shared.count();
    assert_eq!(find(mine, &posts[1][..=shared]).unwrap(), posts[1]);
    assert_eq!(outcome(&find(mine, &posts[0][..shared])), "invalid_request id");
    for text in ["", &posts[0][..7], "ffffffff", "not an id", "019d3608-32'"] {
        assert_eq!(outcome(&find(mine, text)), "not_found", "{text}");
    }
    assert_eq!(outcome(&find(&world.stranger(), &posts[0])), "not_found");
    assert_eq!(outcome(&find(&world.caller_with(&[Scope::MediaRead]), &posts[0])), "forbidden");
}
