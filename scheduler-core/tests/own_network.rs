//! A network that a program registers beside those of the service.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use scheduler_core::app::CheckInput;
use scheduler_core::platform::{
    CAPTION, CapabilitySheet, FileTypes, OptionFact, OptionValue, Platform, RegisterError, Required,
};
use serde_json::json;

const CHANNEL: OptionFact =
    OptionFact::new("channel", "channel", "Channel", OptionValue::OneOf(&["news", "canteen"]))
        .required(Required::Always("set intranet.channel"));

fn intranet() -> Platform {
    let mut sheet = CapabilitySheet::plain("Intranet", 2_000);
    sheet.options = &[CAPTION, CHANNEL];
    sheet.supports_image = true;
    (sheet.max_media_per_post, sheet.max_image_bytes) = (1, 1_000);
    sheet.media.max_images = 1;
    sheet.media.image_types = FileTypes::only(&["image/png"]);
    Platform::register("intranet", sheet).expect("the same each time")
}

#[test]
fn names_that_cannot_be_registered() {
    intranet();
    let name = |name: &str| RegisterError::Name(name.to_owned());
    let taken = |name: &str| RegisterError::Taken(name.to_owned());
    let long = "a".repeat(33);
    for (case, name, want) in [
        ("none", "", name("")),
        ("a capital", "Intranet", name("Intranet")),
        ("a digit first", "1net", name("1net")),
        ("a sign", "in_net", name("in_net")),
        ("another script", "ünet", name("ünet")),
        ("too long", long.as_str(), name(&long)),
        ("one of the service", "bluesky", taken("bluesky")),
        ("another sheet", "intranet", taken("intranet")),
    ] {
        let registered = Platform::register(name, CapabilitySheet::plain("Other", 5));
        assert_eq!(registered, Err(want), "{case}");
    }
}

#[test]
fn it_is_known_by_its_name_beside_those_of_the_service() {
    let intranet = intranet();
    assert_eq!(intranet, self::intranet(), "registered twice");
    assert_eq!("intranet".parse(), Ok(intranet));
    assert_eq!(serde_json::to_value(intranet).unwrap(), json!("intranet"));
    assert_eq!(serde_json::from_value::<Platform>(json!("intranet")).unwrap(), intranet);
    assert_eq!(Platform::known().count(), Platform::ALL.len() + 1);
    assert!(!Platform::ALL.contains(&intranet));
    assert_eq!(intranet.sheet().platform, intranet);
    let unknown = serde_json::from_value::<Platform>(json!("extranet")).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "unknown variant `extranet`, expected one of `youtube`, `tiktok`, `instagram`, `facebook`, `threads`, `twitter`, `linkedin`, `pinterest`, `bluesky`, `mastodon`, `telegram`, `discord`, `tumblr`"
    );
}

#[test]
fn the_rules_check_by_its_own_sheet() {
    intranet();
    for (case, text, options, want) in [
        ("fits", "a".repeat(2_000), json!({"channel": "news"}), vec![]),
        ("too long", "a".repeat(2_001), json!({"channel": "news"}), vec!["intranet.text.too_long"]),
        ("empty", String::new(), json!({"channel": "news"}), vec!["post.text.missing"]),
        ("no channel", "a".to_owned(), json!({}), vec!["intranet.channel.missing"]),
        (
            "another channel",
            "a".to_owned(),
            json!({"channel": "x"}),
            vec!["intranet.channel.not_allowed"],
        ),
        (
            "a caption of its own",
            "a".to_owned(),
            json!({"channel": "news", "caption": "b".repeat(2_001)}),
            vec!["intranet.text.too_long"],
        ),
    ] {
        let input: CheckInput = serde_json::from_value(json!({
            "content": text,
            "targets": [{"platform": "intranet", "options": options}],
        }))
        .unwrap();
        let report = input.check_by_sheets().unwrap();
        let found: Vec<&str> = report.issues.iter().map(|issue| issue.rule.as_ref()).collect();
        assert_eq!(found, want, "{case}");
    }
}
