//! Posts of Postiz.
//!
//! Source: what `GET /public/v1/posts` selects, `posts.repository.ts` of gitroomhq/postiz-app, and
//! the settings of its providers, `dtos/posts/providers-settings`, read 2026-11-29. Files and the
//! comments of a thread are not among it.

use scheduler_networks::html::{Author, plain};
use serde::Deserialize;
use serde_json::Value;

use super::post::{Due, Part, Post, Tag, Target};
use super::settings::{Setting, options};

/// A post of one account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    id: String,
    content: Option<String>,
    publish_date: Option<String>,
    state: String,
    interval_in_days: Option<i64>,
    integration: Integration,
    #[serde(default)]
    tags: Vec<Tagged>,
    /// JSON, as text; newer releases answer it.
    settings: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Integration {
    provider_identifier: String,
    name: Option<String>,
    profile: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Tagged {
    tag: Tag,
}

const SETTINGS: &[Setting] = &[
    Setting { network: "youtube", at: "/title", option: "title", values: &[] },
    Setting { network: "youtube", at: "/type", option: "privacy", values: &[] },
    Setting { network: "pinterest", at: "/title", option: "title", values: &[] },
    Setting { network: "pinterest", at: "/link", option: "link", values: &[] },
    Setting { network: "pinterest", at: "/board", option: "boardId", values: &[] },
    Setting { network: "pinterest", at: "/dominant_color", option: "dominantColor", values: &[] },
    Setting { network: "tiktok", at: "/privacy_level", option: "privacy", values: &[] },
    Setting {
        network: "instagram",
        at: "/post_type",
        option: "placement",
        values: &[("story", "story")],
    },
];

impl Answer {
    pub(super) fn post(self) -> Post {
        // A post that is repeated is answered once for each time, under one id.
        let id = match (self.interval_in_days, &self.publish_date) {
            (Some(_), Some(date)) => format!("postiz-{}-{date}", self.id),
            _ => format!("postiz-{}", self.id),
        };
        let settings = match self.settings {
            Some(Value::String(text)) => serde_json::from_str(&text).unwrap_or_default(),
            other => other.unwrap_or_default(),
        };
        let Integration { provider_identifier: network, name, profile } = self.integration;
        Post {
            id,
            status: self.state,
            due: self.publish_date.map(Due::At),
            parts: vec![Part {
                text: plain(&self.content.unwrap_or_default(), Author::Editor),
                files: Vec::new(),
            }],
            labels: self.tags.into_iter().map(|tagged| tagged.tag.name).collect(),
            targets: vec![Target {
                options: options(SETTINGS, &network, "", &settings),
                names: profile.into_iter().chain(name).collect(),
                network,
                parts: None,
            }],
            ..Post::default()
        }
    }
}
