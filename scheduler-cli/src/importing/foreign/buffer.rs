//! Posts of Buffer.
//!
//! Source: <https://developers.buffer.com/types/Post.md> and
//! <https://developers.buffer.com/examples/get-posts-with-assets.html>, read 2026-11-29.

use serde::Deserialize;

use super::post::{Due, File, Part, Post, Tag, Target};

/// A post, with the fields that docs/importing.md asks for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    id: String,
    text: Option<String>,
    status: String,
    due_at: Option<String>,
    channel_service: String,
    channel: Option<Channel>,
    #[serde(default)]
    tags: Vec<Tag>,
    #[serde(default)]
    assets: Vec<Asset>,
}

#[derive(Debug, Deserialize)]
struct Channel {
    name: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Asset {
    source: String,
    image: Option<Image>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Image {
    alt_text: Option<String>,
}

impl Answer {
    pub(super) fn post(self) -> Post {
        let file = |asset: Asset| File {
            address: asset.source,
            alt_text: asset.image.and_then(|image| image.alt_text).filter(|text| !text.is_empty()),
        };
        let files = self.assets.into_iter().map(file).collect();
        let name = self.channel.and_then(|channel| channel.name);
        Post {
            id: format!("buffer-{}", self.id),
            status: self.status,
            due: self.due_at.map(Due::At),
            parts: vec![Part { text: self.text.unwrap_or_default(), files }],
            labels: self.tags.into_iter().map(|tag| tag.name).collect(),
            targets: vec![Target {
                network: self.channel_service,
                names: name.into_iter().collect(),
                ..Target::default()
            }],
            ..Post::default()
        }
    }
}
