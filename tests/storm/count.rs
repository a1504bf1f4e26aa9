//! The count at the end: what was asked for, what the API says, what stands at the networks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use serde_json::Value;

use crate::api::Api;
use crate::networks::{Seen, mark};
use crate::posts::Target;

/// All that is compared.
pub(crate) struct Evidence<'a> {
    /// The targets of every post that was accepted.
    pub(crate) accepted: &'a BTreeMap<String, Vec<Target>>,
    /// Every post as the API gives it at the end, by its id.
    pub(crate) posts: &'a BTreeMap<String, Value>,
    /// What stands at the networks.
    pub(crate) seen: &'a BTreeMap<(String, String), Seen>,
    /// The events of each target.
    pub(crate) events: &'a BTreeMap<String, BTreeSet<(String, String)>>,
    /// Whether networks refused anything for good.
    pub(crate) refuses: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Count {
    pub(crate) targets: usize,
    pub(crate) published: usize,
    pub(crate) refused: usize,
    /// Threads of which a part was refused for good when others were live already.
    pub(crate) refused_midway: usize,
    pub(crate) in_doubt: usize,
    pub(crate) in_doubt_but_live: usize,
    pub(crate) in_doubt_not_live: usize,
    pub(crate) failed_but_live: usize,
    pub(crate) doubled: usize,
    pub(crate) lost: usize,
    pub(crate) early: usize,
    pub(crate) events: usize,
    pub(crate) latest: Duration,
    pub(crate) wrong: Vec<String>,
}

/// True where a network can neither be asked what stands there nor knows a repeated request: a
/// post of it may be in doubt although it is live. Accounts of Discord are webhooks here.
const fn cannot_be_asked(platform: Platform) -> bool {
    matches!(platform, Platform::Telegram | Platform::Discord)
}

/// True where a post that is not live may be in doubt: nobody can ask for it, or what is not shown
/// may come later, as pictures on TikTok.
fn may_stay_in_doubt(target: &Target) -> bool {
    let is_picture = target.file == Some(MediaKind::Image);
    cannot_be_asked(target.platform) || (target.platform == Platform::Tiktok && is_picture)
}

/// Whether a network refused a part of a thread for good, and the target says so: the parts before
/// it are live, and named.
fn is_refused_midway(found: &Value, live: &[usize]) -> bool {
    let begun = live.iter().take_while(|count| **count == 1).count();
    let is_rest_missing = live[begun..].iter().all(|count| *count == 0);
    let is_told = found["errorPermanent"] == true && found["remoteId"].is_string();
    (1..live.len()).contains(&begun) && is_rest_missing && is_told
}

/// All posts, as the API lists them.
pub(crate) async fn posts(api: &Api) -> BTreeMap<String, Value> {
    let mut posts = BTreeMap::new();
    let mut path = "/posts?limit=500".to_owned();
    loop {
        let page = api.get(&path).await;
        for post in page["data"].as_array().expect("a list") {
            posts.insert(post["id"].as_str().expect("an id").to_owned(), post.clone());
        }
        match page["nextCursor"].as_str() {
            Some(cursor) => path = format!("/posts?limit=500&before={cursor}"),
            None => return posts,
        }
    }
}

/// True when nothing more happens to a post by itself.
pub(crate) fn has_ended(post: &Value) -> bool {
    matches!(post["status"].as_str(), Some("done" | "canceled"))
}

/// The mark of a target, from the text that it was given.
fn is_of(target: &Value, number: usize) -> bool {
    let text = target["options"]["caption"].as_str().unwrap_or_default();
    text.contains(&mark(number, 0))
}

impl Evidence<'_> {
    /// Compares all.
    pub(crate) fn count(&self) -> Count {
        let mut count = Count::default();
        for id in self.posts.keys().filter(|id| !self.accepted.contains_key(*id)) {
            count.wrong.push(format!("post {id} was made though nobody was told of it"));
        }
        for (id, targets) in self.accepted {
            let Some(post) = self.posts.get(id) else {
                count.lost += targets.len();
                count.wrong.push(format!("LOST: post {id} was accepted and is gone"));
                continue;
            };
            for target in targets {
                let found = post["targets"].as_array().expect("a list");
                let found = found.iter().find(|found| is_of(found, target.number));
                let found = found.unwrap_or_else(|| panic!("{} is not in {post}", target.number));
                self.one(target, id, found, &mut count);
            }
        }
        let expected: BTreeSet<(String, String)> = self
            .accepted
            .values()
            .flatten()
            .flat_map(|target| {
                let platform = target.platform.to_string();
                (0..target.parts).map(move |part| (platform.clone(), mark(target.number, part)))
            })
            .collect();
        for (place, seen) in self.seen.iter().filter(|(_, seen)| seen.count > 0) {
            if !expected.contains(place) {
                count.wrong.push(format!("{place:?} stands there {} times, unasked", seen.count));
            }
        }
        count
    }

    fn one(&self, target: &Target, post: &str, found: &Value, count: &mut Count) {
        count.targets += 1;
        let platform = target.platform.to_string();
        let live: Vec<usize> = (0..target.parts)
            .map(|part| self.seen.get(&(platform.clone(), mark(target.number, part))))
            .map(|seen| seen.map_or(0, |seen| seen.count))
            .collect();
        let status = found["status"].as_str().unwrap_or_default();
        let code = found["errorCode"].as_str().unwrap_or_default();
        let name = format!(
            "{platform} target {} of post {post}: live {live:?}, {status} {code} {}",
            target.number, found["error"]
        );
        let mut wrong = |what: &str| count.wrong.push(format!("{what}: {name}"));
        if live.iter().any(|count| *count > 1) {
            count.doubled += 1;
            wrong("DOUBLED");
        }
        let is_live = live.iter().any(|count| *count > 0);
        match (status, code) {
            ("published", _) => {
                count.published += 1;
                if live.contains(&0) {
                    count.lost += 1;
                    wrong("LOST, said to be published");
                }
            }
            ("failed", "in_doubt") => {
                count.in_doubt += 1;
                if is_live && !cannot_be_asked(target.platform) {
                    count.in_doubt_but_live += 1;
                    wrong("LIVE, said to be in doubt");
                } else if !is_live && !may_stay_in_doubt(target) {
                    count.in_doubt_not_live += 1;
                    wrong("NOT LIVE, said to be in doubt");
                }
            }
            ("failed", _) if self.refuses && is_refused_midway(found, &live) => {
                count.refused_midway += 1;
            }
            ("failed", _) if is_live => {
                count.failed_but_live += 1;
                wrong("LIVE, said to have failed");
            }
            ("failed", _) if self.refuses && found["errorPermanent"] == true => count.refused += 1,
            _ => {
                count.lost += 1;
                wrong("LOST");
            }
        }
        let first = self.seen.get(&(platform, mark(target.number, 0)));
        if let Some(seen) = first {
            match (seen.first - target.due).to_std() {
                Ok(late) => count.latest = count.latest.max(late),
                Err(_) => {
                    count.early += 1;
                    wrong("EARLY");
                }
            }
        }
        let id = found["id"].as_str().unwrap_or_default();
        let events = self.events.get(id).cloned().unwrap_or_default();
        count.events += events.len();
        let wanted = if status == "published" { "post.published" } else { "post.failed" };
        let is_right = events.len() == 1 && events.iter().all(|(_, kind)| kind == wanted);
        if !is_right && matches!(status, "published" | "failed") {
            wrong(&format!("EVENTS {events:?}"));
        }
    }
}

/// Lays out lines of a name and a value.
pub(crate) fn table(lines: &[(String, String)]) -> String {
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, value) in lines {
        writeln!(text, "  {name:<width$}  {value}").expect("a text takes lines");
    }
    text
}
