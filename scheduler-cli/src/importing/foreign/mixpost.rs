//! Posts of Mixpost.
//!
//! Source: <https://docs.mixpost.app/api/posts/create> and the list of posts of its interface
//! (<https://docs.inovector.com/books/api-reference/page/posts>), and what pages of the free edition
//! hold, `Http/Resources` of inovector/mixpost, read 2026-11-29.

use chrono::DateTime;
use scheduler_networks::html::{Author, plain};
use serde::Deserialize;
use serde_json::Value;

use super::post::{Due, File, Part, Post, Tag, Target};
use super::settings::{Setting, options};

/// A post for several accounts.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    id: Value,
    uuid: Option<String>,
    status: String,
    #[serde(default)]
    accounts: Vec<Account>,
    versions: Vec<Version>,
    #[serde(default)]
    tags: Vec<Tag>,
    scheduled_at: Option<Scheduled>,
}

#[derive(Debug, Deserialize)]
struct Account {
    id: i64,
    name: Option<String>,
    username: Option<String>,
    provider: String,
}

/// What an account gets; 0 stands for all that have no version of their own.
#[derive(Debug, Deserialize)]
struct Version {
    account_id: i64,
    content: Vec<Content>,
    #[serde(default)]
    options: Value,
}

#[derive(Debug, Deserialize)]
struct Content {
    body: Option<String>,
    #[serde(default)]
    media: Vec<Media>,
    url: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Media {
    url: String,
    alt_text: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Scheduled {
    /// An instant, in UTC where it has no offset.
    At(String),
    /// A time of the zone that Mixpost is set to.
    Local { date: Option<String>, time: Option<String> },
}

const PLACEMENTS: &[(&str, &str)] = &[("post", "feed"), ("reel", "reel"), ("story", "story")];

const SETTINGS: &[Setting] = &[
    Setting { network: "youtube", at: "/youtube/title", option: "title", values: &[] },
    Setting { network: "youtube", at: "/youtube/status", option: "privacy", values: &[] },
    Setting { network: "pinterest", at: "/pinterest/title", option: "title", values: &[] },
    Setting { network: "pinterest", at: "/pinterest/link", option: "link", values: &[] },
    Setting {
        network: "pinterest",
        at: "/pinterest/boards/account-{id}",
        option: "boardId",
        values: &[],
    },
    Setting {
        network: "linkedin",
        at: "/linkedin/visibility",
        option: "visibility",
        values: &[("PUBLIC", "public"), ("CONNECTIONS", "connections")],
    },
    Setting { network: "mastodon", at: "/mastodon/sensitive", option: "sensitive", values: &[] },
    Setting {
        network: "instagram",
        at: "/instagram/type",
        option: "placement",
        values: PLACEMENTS,
    },
    Setting {
        network: "facebook_page",
        at: "/facebook_page/type",
        option: "placement",
        values: PLACEMENTS,
    },
    Setting {
        network: "tiktok",
        at: "/tiktok/privacy_level/account-{id}",
        option: "privacy",
        values: &[],
    },
    Setting {
        network: "tiktok",
        at: "/tiktok/allow_comments/account-{id}",
        option: "allowComments",
        values: &[],
    },
    Setting {
        network: "tiktok",
        at: "/tiktok/allow_duet/account-{id}",
        option: "allowDuet",
        values: &[],
    },
    Setting {
        network: "tiktok",
        at: "/tiktok/allow_stitch/account-{id}",
        option: "allowStitch",
        values: &[],
    },
];

impl Answer {
    /// A post for each of the lists of files that its accounts get, which is mostly one.
    pub(super) fn posts(self) -> Vec<Post> {
        let id = self.uuid.clone().unwrap_or_else(|| match &self.id {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        let mut posts: Vec<Post> = Vec::new();
        for account in &self.accounts {
            let own = |version: &&Version| version.account_id == account.id;
            let version = self.versions.iter().find(own).or_else(|| self.original());
            let parts = version.map(Version::parts).unwrap_or_default();
            let target = target(account, version, parts.clone());
            let files = |parts: &[Part]| parts.first().map(|part| part.files.clone());
            match posts.iter_mut().find(|post| files(&post.parts) == files(&parts)) {
                Some(post) => post.targets.push(target),
                None => {
                    let id = match posts.len() {
                        0 => format!("mixpost-{id}"),
                        _ => format!("mixpost-{id}-{}", account.id),
                    };
                    posts.push(self.post(id, version, parts, vec![target]));
                }
            }
        }
        if posts.is_empty() {
            let parts = self.original().map(Version::parts).unwrap_or_default();
            posts.push(self.post(format!("mixpost-{id}"), None, parts, Vec::new()));
        }
        posts
    }

    fn original(&self) -> Option<&Version> {
        self.versions.iter().find(|version| version.account_id == 0)
    }

    fn post(
        &self,
        id: String,
        version: Option<&Version>,
        parts: Vec<Part>,
        targets: Vec<Target>,
    ) -> Post {
        let first = version.and_then(|version| version.content.first());
        Post {
            id,
            status: self.status.clone(),
            due: self.scheduled_at.as_ref().and_then(due),
            parts,
            link: first.and_then(|content| content.url.clone()),
            labels: self.tags.iter().map(|tag| tag.name.clone()).collect(),
            targets,
        }
    }
}

impl Version {
    fn parts(&self) -> Vec<Part> {
        let file = |media: &Media| File {
            address: media.url.clone(),
            alt_text: media.alt_text.clone().filter(|text| !text.is_empty()),
        };
        let part = |content: &Content| Part {
            text: plain(content.body.as_deref().unwrap_or_default(), Author::Editor),
            files: content.media.iter().map(file).collect(),
        };
        self.content.iter().map(part).collect()
    }
}

fn target(account: &Account, version: Option<&Version>, parts: Vec<Part>) -> Target {
    let settings = version.map(|version| &version.options).unwrap_or(&Value::Null);
    Target {
        network: account.provider.clone(),
        names: account.username.iter().chain(&account.name).cloned().collect(),
        options: options(SETTINGS, &account.provider, &account.id.to_string(), settings),
        parts: Some(parts),
    }
}

fn due(scheduled: &Scheduled) -> Option<Due> {
    match scheduled {
        // `2026-12-01 09:00:00`, or with an offset.
        Scheduled::At(text) => {
            let at = text.replacen(' ', "T", 1);
            let has_offset = DateTime::parse_from_rfc3339(&at).is_ok();
            Some(Due::At(if has_offset { at } else { format!("{at}Z") }))
        }
        Scheduled::Local { date, time } => {
            Some(Due::Local(format!("{}T{}", date.as_deref()?, time.as_deref()?)))
        }
    }
}
