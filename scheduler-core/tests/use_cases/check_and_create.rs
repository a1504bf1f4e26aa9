//! The dry run and creating a post say the same, over all networks.

use std::collections::BTreeMap;

use proptest::prelude::*;
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaFacts, MediaKind, MediaStatus};
use scheduler_core::platform::{AccountLimits, Measure, Platform, RequiredMedia};
use scheduler_core::rules::{Severity, ValidationIssue};
use scheduler_core::target::FailureCode;
use serde_json::{Map, Value, json};

use crate::support::World;

/// A workspace with an account of every network.
fn connected() -> World {
    let world = World::empty();
    for platform in Platform::ALL {
        world.connect(platform, "me");
    }
    world
}

/// The options without which a network takes no post.
fn needed(platform: Platform) -> Map<String, Value> {
    let options = match platform {
        Platform::Pinterest => json!({"boardId": "1"}),
        Platform::Tiktok => json!({"privacy": "SELF_ONLY"}),
        Platform::Youtube => json!({"title": "A title"}),
        _ => json!({}),
    };
    options.as_object().cloned().unwrap()
}

#[test]
fn every_network_takes_a_plain_post() {
    for platform in Platform::ALL {
        let world = connected();
        let file = match platform.sheet().requires_media {
            RequiredMedia::None => None,
            RequiredMedia::Image | RequiredMedia::ImageOrVideo => Some(MediaKind::Image),
            RequiredMedia::Video => Some(MediaKind::Video),
        };
        let files = file.map(|kind| vec![world.file_of(&world.caller, kind, MediaStatus::Ready)]);
        let targets = json!([{"platform": platform, "options": needed(platform)}]);
        let post = json!({"content": "Hello", "mediaIds": files, "targets": targets});
        let report = world.check_as(&world.caller, post.clone()).unwrap();
        assert!(report.ok, "{platform}: {report:?}");
        assert!(with_time(&world, post, "publishNow").is_ok(), "{platform}");
    }
}

fn with_time(
    world: &World,
    mut post: Value,
    timing: &str,
) -> Result<scheduler_core::post::Post, scheduler_core::error::Refusal> {
    post[timing] = true.into();
    world.create_as(&world.caller, post)
}

fn any_content() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z ]{1,40}",
        2 => "(\\PC|#|@|https://a\\.com/| |\r\n){0,60}",
        1 => (250_usize..600).prop_map(|length| "é".repeat(length)),
        1 => (2_000_usize..6_000).prop_map(|length| "x".repeat(length)),
        1 => Just(String::new()),
    ]
}

fn any_option() -> impl Strategy<Value = (String, Value)> {
    let keys: Vec<&str> = Platform::ALL
        .into_iter()
        .flat_map(|platform| platform.sheet().options.iter().map(|option| option.key))
        .chain(["caption", "thread", "unheardOf"])
        .collect();
    let value = prop_oneof![
        any::<bool>().prop_map(Value::from),
        "[a-z]{0,12}".prop_map(Value::from),
        Just(json!(["one", "two"])),
        Just(json!({"options": ["one", "two"]})),
        Just(Value::Null),
    ];
    (prop::sample::select(keys).prop_map(str::to_owned), value)
}

/// A target as a caller sends it; most have what their network needs.
fn any_target() -> impl Strategy<Value = (Platform, Value)> {
    let extra = prop::collection::vec(any_option(), 0..2);
    let platform = prop::sample::select(&Platform::ALL[..]);
    (platform, prop::bool::weighted(0.9), extra).prop_map(|(platform, has_needed, extra)| {
        let mut options = if has_needed { needed(platform) } else { Map::new() };
        options.extend(extra);
        (platform, json!({"platform": platform, "options": options}))
    })
}

/// Targets of different networks.
fn any_targets() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(any_target(), 1..4).prop_map(|targets| {
        let by_platform: BTreeMap<Platform, Value> = targets.into_iter().collect();
        by_platform.into_values().collect()
    })
}

fn any_files() -> impl Strategy<Value = Vec<(MediaKind, MediaStatus)>> {
    let kind = prop_oneof![3 => Just(MediaKind::Image), 1 => Just(MediaKind::Video)];
    let status = prop_oneof![12 => Just(MediaStatus::Ready), 1 => prop::sample::select(&MediaStatus::ALL[..])];
    prop::collection::vec((kind, status), 0..4)
}

proptest! {
    #[test]
    fn what_the_dry_run_calls_ok_is_created_and_an_error_is_refused_with_the_same_issues(
        content in any_content(),
        link in prop::option::weighted(0.2, "https://[a-z]{1,8}\\.com/[a-z]{0,8}"),
        files in any_files(),
        alt_texts in prop::collection::vec(prop::option::of("[a-z]{0,9}"), 0..3),
        targets in any_targets(),
        timing in prop::sample::select(&["publishNow", "queue", "saveAsDraft"][..]),
    ) {
        let world = connected();
        let files: Vec<MediaId> = files
            .iter()
            .map(|(kind, status)| world.file_of(&world.caller, *kind, *status))
            .collect();
        let files = (!files.is_empty()).then_some(files);
        let post = json!({
            "content": content,
            "linkUrl": link,
            "mediaIds": files,
            "altTexts": alt_texts,
            "targets": targets,
        });
        let report = world.check_as(&world.caller, post.clone()).unwrap();
        let has_errors = report.issues.iter().any(|issue| issue.severity == Severity::Error);
        prop_assert_eq!(report.ok, !has_errors);
        match with_time(&world, post.clone(), timing) {
            Ok(created) => {
                prop_assert!(report.ok, "{:?}", report.issues);
                prop_assert!(world.is_stored(created.id));
                // What could be created can be changed into itself.
                let unchanged = world.patch(created.id, post);
                prop_assert!(unchanged.is_ok(), "{unchanged:?}");
            }
            Err(refusal) => {
                prop_assert!(!report.ok);
                prop_assert_eq!(refusal.code, ErrorCode::ValidationFailed);
                prop_assert_eq!(refusal.issues(), report.issues);
                prop_assert!(world.store.posts().is_empty());
            }
        }
    }
}

/// A figure at, below or above a bound of some network, and not below 0.
fn near(measures: &'static [Measure], kind: MediaKind) -> impl Strategy<Value = f64> {
    let bounds: Vec<f64> = Platform::ALL
        .into_iter()
        .flat_map(|platform| platform.sheet().media.limits)
        .filter(|limit| limit.kind == kind && measures.contains(&limit.measure))
        .flat_map(|limit| [limit.least, limit.most])
        .flatten()
        .chain(Platform::ALL.into_iter().flat_map(|platform| {
            let sheet = platform.sheet();
            let bytes = if kind.is_image() { sheet.max_image_bytes } else { sheet.max_video_bytes };
            let figures = match measures {
                [Measure::Bytes] => [u32::try_from(bytes).ok(), None],
                [Measure::Seconds] => {
                    [sheet.min_video_duration_seconds, sheet.max_video_duration_seconds]
                }
                [Measure::Fps] => [sheet.min_video_fps, sheet.max_video_fps],
                _ => [None, None],
            };
            figures.into_iter().flatten().map(f64::from)
        }))
        .chain([1000.0])
        .collect();
    (prop::sample::select(bounds), prop::sample::select(&[-1.0, -0.1, 0.0, 0.1, 1.0][..]))
        .prop_map(|(bound, step)| (bound + step).max(0.0))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
fn measured(kind: MediaKind) -> impl Strategy<Value = MediaFacts> {
    const SIDES: &[Measure] = &[Measure::Width, Measure::LongSide, Measure::ShortSide];
    let types: Vec<String> = Platform::ALL
        .into_iter()
        .flat_map(|platform| platform.sheet().types_of(kind).taken)
        .map(|taken| (*taken).to_owned())
        .collect();
    let sides = || prop_oneof![near(SIDES, kind), (1_u32..6_000).prop_map(f64::from)];
    (
        prop::option::of(prop::sample::select(types)),
        prop::option::of(near(&[Measure::Bytes], kind)),
        prop::option::of((sides(), sides())),
        prop::option::of(near(&[Measure::Seconds], kind)),
        prop::option::of(near(&[Measure::Fps], kind)),
    )
        .prop_map(move |(mime_type, bytes, size, seconds, fps)| MediaFacts {
            mime_type,
            size_bytes: bytes.map(|bytes| bytes.max(1.0) as u64),
            width: size.map(|(width, _)| width.max(1.0) as u32),
            height: size.map(|(_, height)| height.max(1.0) as u32),
            duration_seconds: seconds.filter(|_| !kind.is_image()),
            fps: fps.filter(|_| !kind.is_image()),
            ..MediaFacts::of_kind(kind)
        })
}

/// Files as they were measured; most posts have one.
fn any_measured() -> impl Strategy<Value = Vec<MediaFacts>> {
    let file = prop_oneof![2 => measured(MediaKind::Image), 3 => measured(MediaKind::Video)];
    prop_oneof![3 => prop::collection::vec(file.boxed(), 1..=1), 1 => prop::collection::vec(measured(MediaKind::Image), 1..4)]
}

/// The same files, as somebody describes them who has not uploaded them.
fn described(files: &[MediaFacts]) -> Vec<Value> {
    files
        .iter()
        .map(|file| {
            json!({
                "kind": file.kind,
                "mimeType": file.mime_type,
                "sizeBytes": file.size_bytes,
                "width": file.width,
                "height": file.height,
                "durationSeconds": file.duration_seconds,
                "fps": file.fps,
            })
        })
        .collect()
}

fn errors(issues: &[ValidationIssue]) -> Vec<&ValidationIssue> {
    issues.iter().filter(|issue| issue.severity == Severity::Error).collect()
}

proptest! {
    #[test]
    fn described_and_measured_files_are_judged_alike_from_the_dry_run_to_the_last_look(
        files in any_measured(),
        platform in prop::sample::select(&Platform::ALL[..]),
    ) {
        let world = connected();
        let ids: Vec<MediaId> = files.iter().map(|facts| world.measured(facts)).collect();
        let targets = json!([{"platform": platform, "options": needed(platform)}]);
        let post = json!({"content": "Hello", "mediaIds": ids, "targets": targets});
        let items = json!({
            "content": "Hello",
            "mediaItems": described(&files),
            "targets": targets,
        });
        let of_items = world.check_as(&world.caller, items).unwrap();
        let of_ids = world.check_as(&world.caller, post.clone()).unwrap();
        prop_assert_eq!(&of_items.issues, &of_ids.issues);
        match with_time(&world, post, "publishNow") {
            Ok(_) => prop_assert!(of_ids.ok, "{:?}", of_ids.issues),
            Err(refusal) => {
                prop_assert!(!of_ids.ok, "{refusal:?}");
                prop_assert_eq!(refusal.issues(), of_ids.issues);
            }
        }
    }

    /// A server that lowers its limits after a post was scheduled is heard before anything is sent.
    #[test]
    fn the_last_look_says_what_a_dry_run_would_say_by_then(
        files in any_measured(),
        video_bytes in near(&[Measure::Bytes], MediaKind::Video),
        seconds in near(&[Measure::Seconds], MediaKind::Video),
    ) {
        let world = connected();
        let ids: Vec<MediaId> = files.iter().map(|facts| world.measured(facts)).collect();
        let post = json!({
            "content": "Hello",
            "mediaIds": ids,
            "targets": [{"platform": "bluesky"}],
        });
        let Ok(created) = with_time(&world, post.clone(), "publishNow") else {
            return Ok(());
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive")]
        let limits = AccountLimits {
            max_video_bytes: Some(video_bytes.max(1.0) as u64),
            max_video_duration_seconds: Some(seconds),
            ..AccountLimits::default()
        };
        *world.network.limits.lock().unwrap() = limits;
        world.connect(Platform::Bluesky, "me");
        let report = world.check_as(&world.caller, post).unwrap();
        let _ = world.work();
        let target = &world.post(created.id).targets[0];
        match errors(&report.issues).first() {
            Some(issue) => {
                let failure = target.failure().unwrap();
                prop_assert_eq!(failure.code, FailureCode::ValidationFailed);
                prop_assert_eq!(&failure.message, &issue.message);
            }
            None => prop_assert!(target.failure().is_none(), "{:?}", target.failure()),
        }
    }
}
