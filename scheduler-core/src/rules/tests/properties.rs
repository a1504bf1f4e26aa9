//! Texts, files and options of any kind.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::Post;
use crate::media::VideoCodec;
use crate::platform::Platform;
use crate::rules::{CatalogueEntry, MediaFacts, MediaKind, ValidationIssue, catalogue};

/// Whether the catalogue has a line for an issue, with its severity.
fn is_catalogued(catalogue: &[CatalogueEntry], issue: &ValidationIssue) -> bool {
    catalogue.iter().any(|entry| {
        entry.rule == issue.rule
            && entry.severity == issue.severity
            && entry.platform == issue.platform
    })
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,40}".prop_map(Value::from),
        Just(json!({"options": ["a", "b"]})),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("options|language|format|content|[a-z]{1,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn any_options() -> impl Strategy<Value = Map<String, Value>> {
    let keys: Vec<&str> = Platform::ALL
        .into_iter()
        .flat_map(|platform| platform.sheet().options.iter().map(|option| option.key))
        .collect();
    let key =
        prop_oneof![4 => prop::sample::select(keys).prop_map(str::to_owned), 1 => "\\PC{0,80}"];
    prop::collection::btree_map(key, any_json(), 0..5).prop_map(|map| map.into_iter().collect())
}

fn any_media() -> impl Strategy<Value = MediaFacts> {
    (
        any::<bool>(),
        any::<bool>(),
        prop::option::of("image/(gif|png)|video/mp4|\\PC{0,9}"),
        prop::option::of(any::<u64>()),
        prop::option::of(any::<f64>()),
        prop::option::of((any::<u32>(), any::<u32>())),
        prop::option::of(prop::sample::select(VideoCodec::ALL.to_vec())),
        prop::option::of(any::<u32>()),
    )
        .prop_map(|(is_image, ready, mime_type, size_bytes, number, size, codec, frames)| {
            MediaFacts {
                kind: if is_image { MediaKind::Image } else { MediaKind::Video },
                ready,
                failure: None,
                mime_type,
                size_bytes,
                duration_seconds: number,
                fps: number,
                width: size.map(|(width, _)| width),
                height: size.map(|(_, height)| height),
                video_codec: codec,
                frame_count: frames,
            }
        })
}

proptest! {
    #[test]
    fn check_never_panics_and_every_issue_is_catalogued(
        content in "(\\PC|\r\n|#|@|https://a\\.com/| ){0,120}",
        link_url in prop::option::of("\\PC{0,20}|https://[a-z]{1,5}\\.com"),
        media in prop::collection::vec(any_media(), 0..4),
        alt_texts in prop::collection::vec(prop::option::of("\\PC{0,9}"), 0..4),
        options in any_options(),
        text_limit in prop::option::of(any::<u32>()),
    ) {
        let mut post = Post::new(&content);
        for platform in Platform::ALL {
            post = post.to(platform, Value::Object(options.clone()));
        }
        post.link_url = link_url;
        post.media = media;
        post.alt_texts = alt_texts;
        post.limits.text_limit = text_limit;
        let catalogue = catalogue();
        for issue in post.check() {
            prop_assert!(is_catalogued(&catalogue, &issue), "{issue:?}");
            prop_assert_eq!(issue.target.is_some(), issue.platform.is_some());
        }
    }

    #[test]
    fn a_check_says_the_same_again_and_in_any_order_of_targets_and_options(
        content in "(\\PC|\r\n|#|@|https://a\\.com/| ){1,120}",
        media in prop::collection::vec(any_media(), 0..4),
        options in any_options(),
        order in Just(Platform::ALL.to_vec()).prop_shuffle(),
    ) {
        let to_all = |order: &[Platform], options: Map<String, Value>| {
            let start = Post::new(&content);
            let mut post = order
                .iter()
                .fold(start, |post, platform| post.to(*platform, Value::Object(options.clone())));
            post.media = media.clone();
            post
        };
        let post = to_all(&Platform::ALL, options.clone());
        let found = post.check();
        prop_assert_eq!(&found, &post.check());
        let reversed = options.into_iter().rev().collect();
        let shuffled = to_all(&order, reversed).check();
        let of = |found: &[ValidationIssue], platform| -> Vec<(String, String)> {
            let those = found.iter().filter(|issue| issue.platform == platform);
            those.map(|issue| (issue.rule.to_string(), issue.message.clone())).collect()
        };
        for platform in Platform::ALL.into_iter().map(Some).chain([None]) {
            prop_assert_eq!(of(&found, platform), of(&shuffled, platform));
        }
        let targets: Vec<Option<usize>> = found.iter().map(|issue| issue.target).collect();
        prop_assert!(targets.is_sorted(), "issues of targets stand in their order");
    }
}
