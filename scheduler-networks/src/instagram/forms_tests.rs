//! What the containers of every form are made of.

use insta::assert_json_snapshot;
use scheduler_core::ports::Step;
use serde_json::{Value, json};

use crate::conversation::{Conversation, Method, shown};
use crate::instagram::testing::{Server, asks, done, instagram, job_with};
use crate::instagram::wire::Way;
use crate::testing::crash::Imitation;
use crate::testing::with_options;

fn next(step: Step) -> Value {
    match step {
        Step::Next(progress) | Step::Wait { progress, .. } => progress,
        Step::Live(live) => panic!("live: {live:?}"),
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
