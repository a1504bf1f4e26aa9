//! The dry run.

use scheduler_core::app::{CheckInput, Scheduler, Settings};
use scheduler_core::media::{MediaKind, MediaStatus};
use scheduler_core::plan::Plan;
use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::rules::Severity;
use serde_json::{Value, json};

use crate::support::{World, body, done, outcome};

/// The rules of a report, those of errors marked with `!`.
fn rules(world: &World, check: Value) -> Vec<String> {
    let report = world.check_as(&world.caller, check).unwrap();
    let errors = report.issues.iter().any(|issue| issue.severity == Severity::Error);
    assert_eq!(report.ok, !errors);
    let mark = |severity| if severity == Severity::Error { "!" } else { "" };
    report.issues.iter().map(|issue| format!("{}{}", mark(issue.severity), issue.rule)).collect()
}

#[test]
fn what_is_refused() {
    let world = World::new();
    let second = world.connect(Platform::Telegram, "second");
    let items = |count| vec![json!({"kind": "image"}); count];
    for (name, check, want) in [
        ("no targets", json!({"content": "a"}), "invalid_request targets"),
        ("an empty list", json!({"targets": []}), "invalid_request targets"),
        (
            "content",
            body(&["bluesky"], json!({"content": "é".repeat(64_001)})),
            "invalid_request content",
        ),
        (
            "an alt text",
            body(&["bluesky"], json!({"altTexts": ["é".repeat(1_001)]})),
            "invalid_request altTexts[0]",
        ),
        ("35 files", body(&["bluesky"], json!({"mediaItems": items(35)})), "ok"),
        (
            "36 files",
            body(&["bluesky"], json!({"mediaItems": items(36)})),
            "invalid_request mediaItems",
        ),
        (
            "36 files with those that are uploaded",
            body(
                &["bluesky"],
                json!({
                    "mediaIds": ["00000000-0000-0000-0000-000000000000"], "mediaItems": items(35),
                }),
            ),
            "invalid_request mediaItems",
        ),
        (
            "a length below nothing",
            body(
                &["bluesky"],
                json!({"mediaItems": [{"kind": "image"}, {"kind": "video", "durationSeconds": -1}]}),
            ),
            "invalid_request mediaItems[1].durationSeconds",
        ),
        (
            "a rate below nothing",
            body(&["bluesky"], json!({"mediaItems": [{"kind": "video", "fps": -0.5}]})),
            "invalid_request mediaItems[0].fps",
        ),
        ("100 targets without an account", body(&["tumblr"; 100], json!({})), "ok"),
        (
            "101 targets without an account",
            body(&["tumblr"; 101], json!({})),
            "invalid_request targets",
        ),
        (
            "a file that is not there",
            body(&["bluesky"], json!({"mediaIds": ["00000000-0000-0000-0000-000000000000"]})),
            "invalid_request mediaIds[0]",
        ),
        (
            "an account that is not there",
            json!({"targets": [
                {"platform": "bluesky", "accountId": "00000000-0000-0000-0000-000000000000"},
            ]}),
            "invalid_request targets[0].accountId",
        ),
        (
            "an account of another network",
            json!({"targets": [{"platform": "bluesky", "accountId": second.id}]}),
            "invalid_request targets[0].accountId",
        ),
        ("one of several", body(&["telegram"], json!({})), "invalid_request targets[0].accountId"),
        (
            "an account twice",
            json!({"content": "a", "targets": [{"platform": "bluesky"}, {"platform": "bluesky"}]}),
            "invalid_request targets[1].accountId",
        ),
    ] {
        let report = world.check_as(&world.caller, check);
        assert_eq!(outcome(&report), want, "{name}");
    }
}

#[test]
fn any_key_may_ask() {
    let world = World::new();
    let report = world.check_as(&world.caller_with(&[]), body(&["bluesky"], json!({})));
    assert_eq!(outcome(&report), "ok");
}

#[test]
fn a_network_without_an_account_is_a_warning_and_checked_by_its_sheet() {
    let world = World::empty();
    assert_eq!(rules(&world, body(&["bluesky"], json!({}))), ["bluesky.account.not_connected"]);
    let long = body(&["bluesky"], json!({"content": "x".repeat(301)}));
    assert_eq!(rules(&world, long), ["!bluesky.text.too_long", "bluesky.account.not_connected"]);
    let twice =
        json!({"content": "a", "targets": [{"platform": "bluesky"}, {"platform": "bluesky"}]});
    assert_eq!(rules(&world, twice).len(), 2, "two accounts may yet be connected");
}

#[test]
fn a_paused_account_is_beyond_the_plan() {
    let world = World::new();
    let fourth = world.connect(Platform::Discord, "fourth");
    world.connect(Platform::Discord, "fifth");
    let named = json!({
        "content": "Hello",
        "targets": [{"platform": "bluesky"}, {"platform": "discord", "accountId": fourth.id}],
    });
    let free = world.caller_on(Plan::Free);
    let report = world.check_as(&free, named).unwrap();
    assert!(!report.ok);
    let [issue] = report.issues.as_slice() else { panic!("{report:?}") };
    assert_eq!(issue.code.as_deref(), Some("channel_limit"));
    assert_eq!((issue.platform, issue.target), (Some(Platform::Discord), Some(1)));
    let unnamed = world.check_as(&free, body(&["discord"], json!({}))).unwrap();
    assert_eq!(unnamed.issues[0].code.as_deref(), Some("channel_limit"), "all of them are paused");
}

#[test]
fn the_limits_of_the_account_hold() {
    let world = World::empty();
    *world.network.limits.lock().unwrap() =
        AccountLimits { text_limit: Some(5_000), ..AccountLimits::default() };
    world.connect(Platform::Mastodon, "large");
    let check = |length| body(&["mastodon"], json!({"content": "x".repeat(length)}));
    assert!(rules(&world, check(5_000)).is_empty());
    assert_eq!(rules(&world, check(5_001)), ["!mastodon.text.too_long"]);
}

#[test]
fn x_takes_files_where_the_operator_and_the_account_allow_it() {
    let post = || body(&["twitter"], json!({"mediaItems": [{"kind": "image"}]}));
    for (name, takes_files, is_on, want) in [
        ("both", Some(true), true, &[][..]),
        ("not the operator", Some(true), false, &["!twitter.media.kind_not_supported"][..]),
        ("not the account", None, true, &["!twitter.media.kind_not_supported"][..]),
    ] {
        let mut world = World::empty();
        *world.network.limits.lock().unwrap() =
            AccountLimits { takes_files, ..AccountLimits::default() };
        world.connect(Platform::Twitter, "me");
        let settings = Settings { connect_twitter: is_on, ..Settings::default() };
        world.scheduler = Scheduler::new(world.scheduler.ports().clone(), settings);
        assert_eq!(rules(&world, post()), want, "{name}");
        let sheet = world.scheduler.platforms()["twitter"];
        assert_eq!(sheet.supports_image, is_on, "{name}");

        // Where no account is connected, what the sheet shows counts.
        let mut without = World::empty();
        without.scheduler = Scheduler::new(without.scheduler.ports().clone(), settings);
        let found = rules(&without, post());
        let is_refused = found.iter().any(|rule| rule == "!twitter.media.kind_not_supported");
        assert_eq!(is_refused, !is_on, "{name}, without an account: {found:?}");
    }
}

#[test]
fn what_a_network_charges_is_told() {
    let world = World::new();
    let costs = |targets: &[&str]| {
        let check = body(targets, json!({"content": "See https://example.com"}));
        json!(world.check_as(&world.caller, check).unwrap()).get("costs").cloned()
    };
    assert_eq!(costs(&["bluesky"]), None);
    let want = json!([{
        "target": 1, "platform": "twitter", "amount": "0.200", "currency": "USD",
        "asOf": "2026-08-22",
    }]);
    assert_eq!(costs(&["bluesky", "twitter"]), Some(want));
}

#[test]
fn the_plan_is_part_of_it_and_nothing_is_created() {
    let mut settings = scheduler_core::app::Settings::default();
    settings.plans.studio.posts_a_month = 1;
    let world = World::with(settings);
    world.connect(Platform::Bluesky, "me");
    let post = body(&["bluesky"], json!({}));
    assert!(rules(&world, post.clone()).is_empty());
    assert!(rules(&world, post.clone()).is_empty(), "asking uses up nothing");
    world.create(body(&["bluesky"], json!({"publishNow": true})));
    let report = world.check_as(&world.caller, post).unwrap();
    assert_eq!(report.issues[0].code.as_deref(), Some("post_limit"));
    assert!(!report.ok);
    assert_eq!(world.store.posts().len(), 1);
}

#[test]
fn the_plan_bounds_what_is_yet_to_be_uploaded() {
    let mut settings = scheduler_core::app::Settings::default();
    settings.plans.studio.upload_bytes_a_month = 250_000;
    settings.plans.studio.file_bytes = 160_000;
    let world = World::with(settings);
    world.connect(Platform::Discord, "me");
    // Each file of a test is 100 000 bytes; what others upload and what was declared before this
    // month does not count.
    world.file_of(&world.stranger(), MediaKind::Image, MediaStatus::Ready);
    world.clock.advance(chrono::TimeDelta::days(-21));
    world.file(MediaStatus::Ready);
    world.clock.advance(chrono::TimeDelta::days(21));
    let here = world.file(MediaStatus::Deleted);
    let image = |bytes: u64| json!({"kind": "image", "sizeBytes": bytes});
    for (name, fields, want) in [
        ("what is left", json!({"mediaItems": [image(150_000)]}), vec![]),
        ("a byte more", json!({"mediaItems": [image(150_001)]}), vec!["!post.plan.upload_bytes"]),
        (
            "two together",
            json!({"mediaItems": [image(80_000), image(80_000)]}),
            vec!["!post.plan.upload_bytes"],
        ),
        (
            "one file too large",
            json!({"mediaItems": [image(160_001)]}),
            vec!["!post.plan.file_bytes", "!post.plan.upload_bytes"],
        ),
        ("no size", json!({"mediaItems": [{"kind": "image"}]}), vec![]),
        ("what is here already", json!({"mediaIds": [here]}), vec!["!post.media.not_ready"]),
    ] {
        let check = body(&["discord"], fields);
        assert_eq!(rules(&world, check.clone()), want, "{name}");
        let report = world.check_as(&world.caller, check).unwrap();
        for issue in report.issues.iter().filter(|issue| issue.rule.starts_with("post.plan.")) {
            assert_eq!(issue.code.as_deref(), Some("upload_limit"), "{name}");
        }
    }
}

#[test]
fn files_that_are_here_and_files_that_are_described_count_together() {
    let world = World::new();
    let ready = world.file(MediaStatus::Ready);
    let item = json!({"kind": "image", "mimeType": "image/jpeg", "sizeBytes": 1_000});
    let fields = |items| json!({"mediaIds": [ready], "mediaItems": vec![item.clone(); items]});
    assert!(rules(&world, body(&["mastodon"], fields(3))).is_empty());
    assert_eq!(rules(&world, body(&["mastodon"], fields(4))), ["!mastodon.media.too_many"]);
    let processing = world.file_of(&world.caller, MediaKind::Image, MediaStatus::Processing);
    let unready = body(&["mastodon"], json!({"mediaIds": [processing]}));
    assert_eq!(rules(&world, unready), ["!post.media.not_ready"]);
}

#[test]
fn a_codec_and_a_number_of_pictures_may_be_told() {
    let world = World::new();
    let told = |codec: &str| {
        let item = json!({
            "kind": "video", "mimeType": "video/mp4", "videoCodec": codec, "frameCount": 900,
        });
        body(&["mastodon"], json!({"mediaItems": [item]}))
    };
    assert!(rules(&world, told("h264")).is_empty());
    for codec in ["hevc", "vp8", "vp9", "av1", "prores", "mpeg4", "other"] {
        assert_eq!(rules(&world, told(codec)), ["mastodon.media.unusual_codec"], "{codec}");
    }
    assert!(serde_json::from_value::<CheckInput>(told("h265")).is_err(), "h265 is called hevc");
}

#[test]
fn sheets_alone_say_what_a_server_without_limits_of_its_own_says() {
    let world = World::new();
    let item = json!({"kind": "image", "mimeType": "image/png", "sizeBytes": 3_000_000});
    for (name, check) in [
        ("fine", body(&["bluesky", "mastodon"], json!({}))),
        ("too long", body(&["bluesky", "mastodon"], json!({"content": "x".repeat(501)}))),
        ("empty", json!({"targets": [{"platform": "mastodon"}]})),
        ("a file too many", body(&["mastodon"], json!({"mediaItems": vec![item.clone(); 5]}))),
        ("alt texts", body(&["bluesky"], json!({"mediaItems": [item], "altTexts": ["a", "b"]}))),
        ("no targets", json!({"content": "a"})),
    ] {
        let input: CheckInput = serde_json::from_value(check.clone()).unwrap();
        let by_sheets = input.check_by_sheets();
        let by_server = world.check_as(&world.caller, check);
        assert_eq!(outcome(&by_sheets), outcome(&by_server), "{name}");
        assert_eq!(by_sheets.ok(), by_server.ok(), "{name}");
    }
}

#[test]
fn sheets_alone_know_no_accounts_and_no_uploaded_files() {
    let check = |body: Value| serde_json::from_value::<CheckInput>(body).unwrap().check_by_sheets();
    let id = "00000000-0000-0000-0000-000000000000";
    let twice = json!({"content": "a", "targets": [
        {"platform": "bluesky", "accountId": id}, {"platform": "bluesky"},
    ]});
    assert_eq!(check(twice).unwrap().issues, []);
    let named = check(body(&["bluesky"], json!({"mediaIds": [id]})));
    assert_eq!(outcome(&named), "invalid_request mediaIds");
}

#[test]
fn an_account_to_be_connected_again_is_fine() {
    let world = World::new();
    let account = world.account(Platform::Bluesky);
    done(scheduler_core::ports::AccountStore::mark_needs_reconnect(
        &*world.store,
        account.id,
        1,
        None,
    ))
    .unwrap();
    assert!(rules(&world, body(&["bluesky"], json!({}))).is_empty());
}

#[test]
fn each_text_is_counted_as_its_network_counts_it() {
    let world = World::new();
    let text = format!("{}🎄é", "a".repeat(299));
    let check = json!({"content": text, "targets": [
        {"platform": "bluesky", "options": {"thread": ["🎄b"]}},
        {"platform": "mastodon"},
        {"platform": "tumblr"},
    ]});
    let report = world.check_as(&world.caller, check.clone()).unwrap();
    let counts: Vec<_> = report.counts.iter().map(|count| json!(count)).collect();
    let count = |target: usize, part: &str, unit: &str, used: usize, limit: usize| json!({"target": target, "part": part, "unit": unit, "used": used, "limit": limit});
    let mut over = count(0, "text", "graphemes", 301, 300);
    // 299 letters, and an emoji of two units, fit.
    over["overAt"] = json!(301);
    let want = [
        over,
        count(0, "text", "bytes", 305, 3_000),
        count(0, "0", "graphemes", 2, 300),
        count(0, "0", "bytes", 5, 3_000),
        count(1, "text", "mastodon_characters", 301, 500),
    ];
    assert_eq!(counts[..5], want);
    assert!(counts[5..].iter().all(|count| count["target"] == 2), "{counts:?}");
    let input: CheckInput = serde_json::from_value(check).unwrap();
    assert_eq!(input.check_by_sheets().unwrap().counts, report.counts);
}

#[test]
fn when_each_target_would_go_out_is_told() {
    let world = World::new();
    let berlin = "Europe/Berlin".parse().unwrap();
    let bluesky = world.account(Platform::Bluesky);
    done(world.scheduler.set_account_timezone(&bluesky, Some(berlin))).unwrap();
    let times = |time: Value| {
        let mut check = body(&["tumblr", "bluesky", "mastodon"], json!({}));
        check.as_object_mut().unwrap().extend(time.as_object().unwrap().clone());
        world.check_as(&world.caller, check).map(|report| {
            let times = report.times.iter().filter(|time| time.target > 0);
            times.map(|time| json!(time)).collect::<Vec<_>>()
        })
    };
    let time = |target: usize, instant: &str, local: &str, zone: &str| json!({"target": target, "instant": instant, "local": local, "zone": zone});
    for (name, asked, want) in [
        ("no time", json!({}), vec![]),
        (
            "an instant",
            json!({"scheduledAt": "2027-01-10T08:00:00Z"}),
            vec![
                time(1, "2027-01-10T08:00:00Z", "2027-01-10T09:00", "Europe/Berlin"),
                time(2, "2027-01-10T08:00:00Z", "2027-01-10T08:00", "UTC"),
            ],
        ),
        (
            "a wall-clock time",
            json!({"scheduledLocal": "2027-01-10T08:00"}),
            vec![
                time(1, "2027-01-10T07:00:00Z", "2027-01-10T08:00", "Europe/Berlin"),
                time(2, "2027-01-10T08:00:00Z", "2027-01-10T08:00", "UTC"),
            ],
        ),
    ] {
        assert_eq!(times(asked).unwrap(), want, "{name}");
    }
    let skipped = times(json!({"scheduledLocal": "2027-03-28T02:30"})).unwrap();
    let mut shifted = time(1, "2027-03-28T01:30:00Z", "2027-03-28T03:30", "Europe/Berlin");
    shifted["asked"] = json!("2027-03-28T02:30");
    shifted["shifted"] = json!(true);
    assert_eq!(skipped[0], shifted);
    let now = times(json!({"publishNow": true})).unwrap();
    assert_eq!(now[1]["instant"], json!(world.now()));
    // What the dry run says of a queued post is what becomes true.
    let queued = times(json!({"queue": true})).unwrap();
    let post = world.create(body(&["bluesky"], json!({"queue": true})));
    assert_eq!(queued[0]["instant"], json!(post.scheduled_at));
    for (asked, want) in [
        (json!({"scheduledAt": "soon"}), "invalid_request scheduledAt"),
        (json!({"scheduledLocal": "2020-01-01T08:00"}), "invalid_request scheduledLocal"),
        (json!({"queue": true, "publishNow": true}), "invalid_request publishNow"),
    ] {
        assert_eq!(outcome(&times(asked.clone())), want, "{asked}");
    }
}
