//! Tests of the sheets as a whole: their shape on the wire and what must agree inside one.

use std::collections::BTreeSet;

use serde_json::Value;

use super::*;

fn written(platform: Platform) -> serde_json::Map<String, Value> {
    match serde_json::to_value(platform.sheet()).unwrap() {
        Value::Object(fields) => fields,
        other => panic!("{platform}: {other}"),
    }
}

/// Source: interface description, PlatformCapabilities.
const ALWAYS: [&str; 20] = [
    "platform",
    "name",
    "charLimit",
    "requiresMedia",
    "supportsImage",
    "supportsVideo",
    "allowsEmptyText",
    "maxMediaPerPost",
    "maxImageBytes",
    "maxVideoBytes",
    "supportsThread",
    "supportsAltText",
    "supportsThumbnail",
    "supportsFirstComment",
    "canEditRemote",
    "canDeleteRemote",
    "canReadComments",
    "reportsFollowers",
    "metricFields",
    "notes",
];

const BOUNDS: [&str; 4] =
    ["minVideoDurationSeconds", "maxVideoDurationSeconds", "minVideoFps", "maxVideoFps"];

#[test]
fn every_sheet_has_the_fields_of_the_interface_description_and_no_others() {
    for platform in Platform::ALL {
        let fields = written(platform);
        for name in ALWAYS {
            assert!(fields.contains_key(name), "{platform} lacks {name}");
        }
        for name in fields.keys() {
            assert!(
                ALWAYS.contains(&name.as_str()) || BOUNDS.contains(&name.as_str()),
                "{platform} has {name}"
            );
        }
    }
}

#[test]
fn a_bound_that_is_not_set_is_left_out() {
    for (platform, present) in [
        (Platform::Bluesky, vec!["minVideoDurationSeconds", "maxVideoDurationSeconds"]),
        (Platform::Mastodon, vec!["minVideoDurationSeconds", "maxVideoFps"]),
        (Platform::Discord, vec![]),
        (Platform::Youtube, vec!["maxVideoDurationSeconds"]),
        (Platform::Instagram, BOUNDS.to_vec()),
        (Platform::Twitter, BOUNDS.to_vec()),
    ] {
        let fields = written(platform);
        for name in BOUNDS {
            assert_eq!(fields.contains_key(name), present.contains(&name), "{platform} {name}");
        }
    }
}

#[test]
fn a_sheet_describes_the_network_it_is_found_under() {
    for platform in Platform::ALL {
        assert_eq!(platform.sheet().platform, platform);
    }
}

#[test]
fn flags_and_option_keys_agree() {
    for platform in Platform::ALL {
        let sheet = platform.sheet();
        assert!(sheet.option("caption").is_some(), "{platform} caption");
        assert_eq!(sheet.supports_thread, sheet.option("thread").is_some(), "{platform} thread");
        assert_eq!(
            sheet.supports_first_comment,
            sheet.option("firstComment").is_some(),
            "{platform} firstComment"
        );
        assert_eq!(
            sheet.supports_thumbnail,
            sheet.option("thumbnailMediaId").is_some(),
            "{platform} thumbnailMediaId"
        );
        let keys: BTreeSet<_> = sheet.options.iter().map(|option| option.key).collect();
        assert_eq!(keys.len(), sheet.options.len(), "{platform} names a key twice");
    }
}

/// Source: interface description, "Per-network option keys".
#[test]
fn every_option_key_of_the_interface_description_is_known() {
    for (platform, keys) in [
        (
            Platform::Youtube,
            "caption categoryId description firstComment playlistId privacy subtitles tags thumbnailMediaId title",
        ),
        (Platform::Tiktok, "allowComments asDraft caption privacy"),
        (Platform::Instagram, "caption collaborators placement shareToFeed"),
        (Platform::Facebook, "asReel caption firstComment"),
        (Platform::Threads, "caption poll thread"),
        (Platform::Twitter, "caption thread"),
        (Platform::Linkedin, "caption firstComment"),
        (Platform::Pinterest, "boardId caption title"),
        (Platform::Bluesky, "caption thread"),
        (Platform::Mastodon, "caption spoilerText thread visibility"),
        (Platform::Telegram, "caption"),
        (Platform::Discord, "caption threadName"),
        (Platform::Tumblr, "caption tags"),
    ] {
        let known = |key: &&str| platform.sheet().option(key).is_some();
        let missing: Vec<&str> = keys.split(' ').filter(|key| !known(key)).collect();
        assert!(missing.is_empty(), "{platform} does not know {missing:?}");
    }
}

/// Source: interface description, "Remote edit is available where canEditRemote is true".
#[test]
fn remote_edit_is_offered_where_the_interface_description_says() {
    let editable: Vec<_> =
        Platform::ALL.into_iter().filter(|platform| platform.sheet().can_edit_remote).collect();
    assert_eq!(
        editable,
        [
            Platform::Youtube,
            Platform::Facebook,
            Platform::Mastodon,
            Platform::Telegram,
            Platform::Discord
        ]
    );
}

#[test]
fn figures_of_files_agree_with_the_flags() {
    for platform in Platform::ALL {
        let sheet = platform.sheet();
        assert_eq!(sheet.supports_image, sheet.media.max_images > 0, "{platform} images");
        assert_eq!(sheet.supports_video, sheet.media.max_videos > 0, "{platform} videos");
        assert_eq!(
            sheet.max_media_per_post,
            sheet.media.max_images.max(sheet.media.max_videos),
            "{platform} most files"
        );
    }
}

#[test]
fn bluesky_on_the_wire() {
    assert_eq!(
        serde_json::to_value(Platform::Bluesky.sheet()).unwrap(),
        serde_json::json!({
            "platform": "bluesky",
            "name": "Bluesky",
            "charLimit": 300,
            "requiresMedia": "none",
            "supportsImage": true,
            "supportsVideo": true,
            "allowsEmptyText": true,
            "maxMediaPerPost": 10,
            "maxImageBytes": 2_000_000,
            "maxVideoBytes": 300_000_000,
            "minVideoDurationSeconds": 0,
            "maxVideoDurationSeconds": 600,
            "supportsThread": true,
            "supportsAltText": true,
            "supportsThumbnail": false,
            "supportsFirstComment": false,
            "canEditRemote": false,
            "canDeleteRemote": true,
            "canReadComments": true,
            "reportsFollowers": true,
            "metricFields": ["likes", "comments", "shares", "quotes", "saves"],
            "notes": Platform::Bluesky.sheet().notes,
        })
    );
}

#[test]
fn required_media_on_the_wire() {
    for (platform, want) in [
        (Platform::Youtube, "video"),
        (Platform::Tiktok, "image_or_video"),
        (Platform::Instagram, "image_or_video"),
        (Platform::Facebook, "none"),
        (Platform::Threads, "none"),
        (Platform::Twitter, "none"),
        (Platform::Linkedin, "none"),
        (Platform::Pinterest, "image_or_video"),
        (Platform::Bluesky, "none"),
        (Platform::Mastodon, "none"),
        (Platform::Telegram, "none"),
        (Platform::Discord, "none"),
        (Platform::Tumblr, "none"),
    ] {
        assert_eq!(written(platform)["requiresMedia"], want, "{platform}");
    }
}

#[test]
fn budgets_of_readings_take_half_of_what_the_network_allows_at_most() {
    for platform in Platform::ALL {
        let sheet = platform.sheet();
        let budgets = sheet.readings.budgets;
        assert!(!budgets.is_empty(), "{platform} has no budget");
        let scopes: BTreeSet<_> = budgets.iter().map(|budget| budget.scope).collect();
        assert_eq!(scopes.len(), budgets.len(), "{platform} has two budgets of a scope");
        assert!(budgets.is_sorted_by_key(|budget| budget.scope), "{platform} app first");
        let calls_of_a_look = u32::from(sheet.reports_followers) + u32::from(sheet.limits_differ);
        let look = calls_of_a_look * sheet.readings.look;
        let least = look.max(sheet.readings.figures.of(1));
        for budget in budgets {
            let what = format!("{platform} {:?}", budget.scope);
            assert!(budget.requests >= least, "{what}: an account cannot be read");
            assert!(!budget.within.is_empty(), "{what}: no limit is named");
            for limit in budget.within {
                // A span of the limit's length touches so many of ours.
                let per = budget.per.num_seconds();
                let spans = (limit.per.num_seconds() + per - 1) / per + 1;
                let most = spans * i64::from(budget.requests);
                let half = i64::from(limit.requests) / 2;
                assert!(most <= half, "{what}: {most} requests of {half} in {}", limit.per);
            }
        }
    }
}
