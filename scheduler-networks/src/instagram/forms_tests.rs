//! What the containers of every form are made of.

use insta::assert_json_snapshot;
use scheduler_core::ports::{PublishJob, Step};
use serde_json::{Value, json};

use crate::conversation::{Conversation, Method, shown};
use crate::instagram::testing::{Server, asks, done, instagram, job_with};
use crate::instagram::wire::Way;
use crate::testing::crash::Imitation;
use crate::testing::files::{described, with_file};
use crate::testing::with_options;

fn next(step: Step) -> Value {
    match step {
        Step::Next(progress) | Step::Wait { progress, .. } => progress,
        other => panic!("not a next step: {other:?}"),
    }
}

/// The bodies of the containers that a post is made of.
fn bodies(job: &PublishJob) -> Vec<Vec<String>> {
    let mut server = Server::default();
    let mut progress = instagram().begin(job);
    let mut bodies = Vec::new();
    while !instagram().is_visible(&progress) {
        let request = asks(instagram().advance(job, &progress, &[]));
        if request.method == Method::Post {
            let shown = shown(&request);
            let fields = shown["body"].as_array().into_iter().flatten();
            bodies.push(fields.map(|field| field.as_str().unwrap().to_owned()).collect());
        }
        let answer = server.answer(&request, job.now);
        progress = next(done(instagram().advance(job, &progress, &[answer])));
    }
    bodies
}

#[test]
fn options_are_fields_of_the_container_that_is_published() {
    let options = json!({
        "locationId": "7", "trial": "auto", "aiGenerated": true, "coverTimestampMs": 1_500,
    });
    let frame = "thumb_offset=1500";
    let place = "location_id=7";
    let trial = r#"trial_params={"graduation_strategy":"SS_PERFORMANCE"}"#;
    let label = "is_ai_generated=true";
    for (name, files, more, want) in [
        ("a picture", vec!["image/jpeg"], json!({}), vec![vec![place, label]]),
        ("a reel", vec!["video/mp4"], json!({}), vec![vec![frame, place, trial, label]]),
        ("a story", vec!["image/jpeg"], json!({ "placement": "story" }), vec![vec![label]]),
        (
            "a carousel",
            vec!["image/jpeg", "image/jpeg"],
            json!({}),
            vec![vec![], vec![], vec![place, label]],
        ),
    ] {
        let mut given = options.as_object().unwrap().clone();
        given.extend(more.as_object().unwrap().clone());
        let job = with_options(job_with(Way::Direct, &files), Value::Object(given));
        let plain = with_options(job_with(Way::Direct, &files), more);
        let added: Vec<Vec<String>> = bodies(&job)
            .into_iter()
            .zip(bodies(&plain))
            .map(|(with, without)| {
                with.into_iter().filter(|field| !without.contains(field)).collect()
            })
            .collect();
        assert_eq!(added, want, "{name}");
    }
    let manual = with_options(job_with(Way::Direct, &["video/mp4"]), json!({ "trial": "manual" }));
    let manual = bodies(&manual).concat();
    assert!(manual.contains(&r#"trial_params={"graduation_strategy":"MANUAL"}"#.to_owned()));
}

#[test]
fn partnerships_and_music_are_of_accounts_behind_a_page() {
    let options = json!({
        "paidPartnership": true,
        "sponsors": ["17", "18"],
        "audio": { "id": "9", "volume": 80, "videoVolume": 0 },
        "placement": "reel",
    });
    let reel = with_options(job_with(Way::ViaPage, &["video/mp4"]), options.clone());
    let fields = bodies(&reel).concat();
    for want in [
        "is_paid_partnership=true",
        r#"branded_content_sponsor_ids=["17","18"]"#,
        r#"audio_configuration={"audio_id":"9","audio_volume":80,"video_volume":0}"#,
    ] {
        assert!(fields.contains(&want.to_owned()), "{want}: {fields:?}");
    }
    let mut image = options.clone();
    image["placement"] = "feed".into();
    let image = with_options(job_with(Way::ViaPage, &["image/jpeg"]), image);
    let fields = bodies(&image).concat();
    assert!(!fields.iter().any(|field| field.starts_with("audio_")), "{fields:?}");
}

#[test]
fn a_reel_has_a_cover_that_the_network_fetches() {
    for (way, files, covers) in [
        (Way::Direct, vec!["video/mp4"], 1),
        (Way::ViaPage, vec!["video/mp4"], 1),
        (Way::Direct, vec!["image/jpeg"], 0),
        (Way::Direct, vec!["video/mp4", "image/jpeg"], 0),
    ] {
        let mut job = job_with(way, &files);
        job.thumbnail = with_file(job.clone(), "image/jpeg", "").files.pop();
        // The picture counts.
        job.options.insert("coverTimestampMs".to_owned(), json!(0));
        let fields = bodies(&job).concat();
        let cover = fields.iter().filter(|field| field.starts_with("cover_url=link: "));
        let cover: Vec<&String> = cover.collect();
        assert_eq!(cover.len(), covers, "{files:?}: {fields:?}");
        assert!(!fields.iter().any(|field| field.starts_with("thumb_offset")), "{fields:?}");
        assert!(cover.iter().all(|field| field.ends_with("instagram-image")), "{cover:?}");
    }
}

#[test]
fn what_each_form_asks_for() {
    let forms = [
        ("reel", Way::Direct, vec!["video/mp4"], json!({ "shareToFeed": false })),
        ("reel of a page", Way::ViaPage, vec!["video/mp4"], json!({ "placement": "feed" })),
        ("story", Way::Direct, vec!["image/jpeg"], json!({ "placement": "story" })),
        ("film story", Way::Direct, vec!["video/mp4"], json!({ "placement": "story" })),
        ("carousel", Way::Direct, vec!["image/jpeg", "video/mp4"], json!({})),
        ("carousel of a page", Way::ViaPage, vec!["video/mp4", "image/jpeg"], json!({})),
    ];
    let mut requests = serde_json::Map::new();
    for (name, way, files, options) in forms {
        let job = with_options(job_with(way, &files), options);
        let mut server = Server::default();
        let mut progress = instagram().begin(&job);
        let mut bodies = Vec::new();
        while !instagram().is_visible(&progress) {
            let request = asks(instagram().advance(&job, &progress, &[]));
            if request.method == Method::Post {
                let shown = shown(&request);
                bodies.push(json!([shown["request"], shown["body"]]));
            }
            let answer = server.answer(&request, job.now);
            progress = next(done(instagram().advance(&job, &progress, &[answer])));
        }
        requests.insert(name.to_owned(), Value::Array(bodies));
    }
    assert_json_snapshot!(requests, @r#"
    {
      "carousel": [
        [
          "POST https://graph.instagram.com/v26.0/17841400000000001/media",
          [
            "is_carousel_item=true",
            "alt_text=file 0",
            "image_url=link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/jpeg, instagram-image"
          ]
        ],
        [
          "POST https://graph.instagram.com/v26.0/17841400000000001/media",
          [
            "media_type=VIDEO",
            "is_carousel_item=true",
            "video_url=link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000011, video/mp4, as it came"
          ]
        ],
        [
          "POST https://graph.instagram.com/v26.0/17841400000000001/media",
          [
            "media_type=CAROUSEL",
            "children=17000,17001",
            "caption=Hello #rust"
          ]
        ]
      ],
      "carousel of a page": [
        [
          "POST https://graph.facebook.com/v26.0/17841400000000001/media",
          [
            "media_type=VIDEO",
            "is_carousel_item=true",
            "upload_type=resumable"
          ]
        ],
        [
          "POST https://rupload.facebook.com/ig-api-upload/v26.0/17000",
          "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came"
        ],
        [
          "POST https://graph.facebook.com/v26.0/17841400000000001/media",
          [
            "is_carousel_item=true",
            "alt_text=file 1",
            "image_url=link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000011, image/jpeg, instagram-image"
          ]
        ],
        [
          "POST https://graph.facebook.com/v26.0/17841400000000001/media",
          [
            "media_type=CAROUSEL",
            "children=17000,17001",
            "caption=Hello #rust"
          ]
        ]
      ],
      "film story": [
        [
          "POST https://graph.instagram.com/v26.0/17841400000000001/media",
          [
            "media_type=STORIES",
            "video_url=link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came"
          ]
        ]
      ],
      "reel": [
        [
          "POST https://graph.instagram.com/v26.0/17841400000000001/media",
          [
            "media_type=REELS",
            "share_to_feed=false",
            "caption=Hello #rust",
            "video_url=link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came"
          ]
        ]
      ],
      "reel of a page": [
        [
          "POST https://graph.facebook.com/v26.0/17841400000000001/media",
          [
            "media_type=REELS",
            "share_to_feed=true",
            "upload_type=resumable",
            "caption=Hello #rust"
          ]
        ],
        [
          "POST https://rupload.facebook.com/ig-api-upload/v26.0/17000",
          "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came"
        ]
      ],
      "story": [
        [
          "POST https://graph.instagram.com/v26.0/17841400000000001/media",
          [
            "media_type=STORIES",
            "image_url=link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/jpeg, instagram-image"
          ]
        ]
      ]
    }
    "#);
}

#[test]
fn those_who_are_seen_in_a_file_stand_in_its_container() {
    let tags = json!({ "userTags": [{ "username": "@crab", "x": 0.25, "y": 0.5 }] });
    let placed = r#"user_tags=[{"username":"crab","x":0.25,"y":0.5}]"#;
    let unplaced = r#"user_tags=[{"username":"crab"}]"#;
    for (name, files, options, want) in [
        ("a picture", vec!["image/jpeg"], json!({}), placed),
        ("a story", vec!["image/jpeg"], json!({ "placement": "story" }), placed),
        ("a reel", vec!["video/mp4"], json!({}), unplaced),
        ("the last of a carousel", vec!["image/jpeg", "image/jpeg"], json!({}), placed),
    ] {
        let job = described(with_options(job_with(Way::Direct, &files), options), tags.clone());
        let tags = |fields: &Vec<String>| {
            let is_tags = |field: &&String| field.starts_with("user_tags=");
            fields.iter().filter(is_tags).cloned().collect::<Vec<_>>()
        };
        let tagged: Vec<Vec<String>> = bodies(&job).iter().map(tags).collect();
        // In a carousel the parent comes last.
        let at = files.len() - 1;
        for (index, tags) in tagged.iter().enumerate() {
            let want = if index == at { vec![want.to_owned()] } else { vec![] };
            assert_eq!(*tags, want, "{name}: container {index}");
        }
    }
}
