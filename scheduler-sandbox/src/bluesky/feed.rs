//! Posts as readers see them: `getPosts`, `getPostThread`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Bluesky;
use super::error::XrpcError;
use super::input::{number, parameter};
use super::lexicon::{POST, THREADGATE};
use super::records::{Address, Record, Relation};
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::timestamp;
use crate::request::Request;

/// The type of an embed of pictures.
const IMAGES: &str = "app.bsky.embed.images";
/// Source: lexicons/app/bsky/feed/getPosts.json, `uris.maxLength`.
const MAX_URIS: usize = 25;
/// Source: lexicons/app/bsky/feed/getAuthorFeed.json, `limit.maximum` and `limit.default`.
const MAX_FEED: usize = 100;
const DEFAULT_FEED: usize = 50;
/// Source: lexicons/app/bsky/feed/getPostThread.json, `depth.maximum` and `parentHeight.maximum`.
const MAX_DEPTH: usize = 1000;
/// Source: lexicons/app/bsky/feed/getPostThread.json, `depth.default`.
const DEFAULT_DEPTH: usize = 6;
/// Source: lexicons/app/bsky/feed/getPostThread.json, `parentHeight.default`.
const DEFAULT_PARENT_HEIGHT: usize = 80;

impl Bluesky {
    /// Answers posts by address; those that are gone are left out.
    ///
    /// # Errors
    /// `InvalidRequest`, those of tokens.
    pub(super) fn posts_by_uri(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let viewer = self.viewer(request, context)?;
        let uris: Vec<&str> = request.query_all("uris").collect();
        if uris.is_empty() {
            parameter(request, "uris")?;
        }
        if uris.len() > MAX_URIS {
            let message = format!("Error: uris must not have more than {MAX_URIS} elements");
            return Err(XrpcError::invalid(message));
        }
        let posts: Vec<Value> = uris
            .iter()
            .filter_map(|uri| self.canonical(uri))
            .filter_map(|address| {
                let record = self.records.find(&address)?;
                Some(self.post_view(&address, record, viewer.as_deref()))
            })
            .collect();
        Ok(Answer::ok(&json!({"posts": posts})))
    }

    /// Answers the posts of an account, newest first.
    ///
    /// # Errors
    /// `InvalidRequest`, those of tokens.
    pub(super) fn author_feed(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let viewer = self.viewer(request, context)?;
        let actor = parameter(request, "actor")?;
        let limit = number(request, "limit", 1, MAX_FEED, DEFAULT_FEED)?;
        let account = self.accounts.find(actor);
        let account = account.ok_or_else(|| XrpcError::invalid("Profile not found"))?;
        let has_replies = match request.query("filter") {
            None | Some("posts_with_replies") => true,
            Some("posts_no_replies" | "posts_and_author_threads") => false,
            Some(other) => {
                let message = format!("Error: filter is not imitated: {other}");
                return Err(XrpcError::invalid(message));
            }
        };
        // The place of the last post of a page names the next.
        let before = request.query("cursor").and_then(|cursor| cursor.parse::<u64>().ok());
        let mut posts: Vec<(&str, &Record)> = self
            .records
            .posts()
            .filter(|(did, _, record)| {
                *did == account.did
                    && before.is_none_or(|before| record.sequence < before)
                    && (has_replies || record.value["reply"].is_null())
            })
            .map(|(_, rkey, record)| (rkey, record))
            .collect();
        posts.sort_by_key(|(_, record)| std::cmp::Reverse(record.sequence));
        let has_more = posts.len() > limit;
        posts.truncate(limit);
        let feed: Vec<Value> = posts
            .iter()
            .map(|(rkey, record)| {
                let address = Address {
                    did: account.did.clone(),
                    collection: POST.to_owned(),
                    rkey: (*rkey).to_owned(),
                };
                json!({"post": self.post_view(&address, record, viewer.as_deref())})
            })
            .collect();
        let mut answer = json!({"feed": feed});
        if let Some((_, last)) = posts.last().filter(|_| has_more) {
            answer["cursor"] = Value::from(last.sequence.to_string());
        }
        Ok(Answer::ok(&answer))
    }

    /// Answers a post with what it replies to and what replies to it.
    ///
    /// # Errors
    /// `NotFound`, `InvalidRequest`, those of tokens.
    pub(super) fn post_thread(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let viewer = self.viewer(request, context)?;
        let uri = parameter(request, "uri")?;
        let depth = number(request, "depth", 0, MAX_DEPTH, DEFAULT_DEPTH)?;
        let height = number(request, "parentHeight", 0, MAX_DEPTH, DEFAULT_PARENT_HEIGHT)?;
        let found = self.canonical(uri).and_then(|address| {
            let record = self.records.find(&address)?;
            Some((address, record))
        });
        let Some((address, record)) = found else {
            return Err(XrpcError::bad("NotFound", format!("Post not found: {uri}")));
        };
        let mut thread = self.thread_view(&address, record, depth, viewer.as_deref());
        if let Some(parent) = self.parent_view(record, height, viewer.as_deref()) {
            thread["parent"] = parent;
        }
        let mut answer = json!({"thread": thread});
        if let Some(gate) = self.gate_view(&address, record) {
            answer["threadgate"] = gate;
        }
        Ok(Answer::ok(&answer))
    }

    /// Returns who reads: nobody without a token.
    pub(super) fn viewer(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Option<String>, XrpcError> {
        match request.bearer() {
            Some(_) => self.sessions.authenticate(request, context.now).map(Some),
            None => Ok(None),
        }
    }

    /// Reads the address of a post and puts the identifier in the place of a handle.
    fn canonical(&self, uri: &str) -> Option<Address> {
        let address = Address::parse(uri).filter(|address| address.collection == POST)?;
        let did = self.accounts.find(&address.did)?.did.clone();
        Some(Address { did, ..address })
    }

    fn thread_view(
        &self,
        address: &Address,
        record: &Record,
        depth: usize,
        viewer: Option<&str>,
    ) -> Value {
        let mut view = json!({
            "$type": "app.bsky.feed.defs#threadViewPost",
            "post": self.post_view(address, record, viewer),
        });
        if depth > 0 {
            let mut replies: Vec<(&Address, &Record)> = self
                .records
                .referring(&address.uri(), Relation::Reply)
                .filter_map(|reply| Some((reply, self.records.find(reply)?)))
                .collect();
            replies.sort_by_key(|(_, reply)| reply.sequence);
            let replies: Vec<Value> = replies
                .into_iter()
                .map(|(reply, record)| self.thread_view(reply, record, depth - 1, viewer))
                .collect();
            view["replies"] = Value::from(replies);
        }
        view
    }

    fn parent_view(&self, record: &Record, height: usize, viewer: Option<&str>) -> Option<Value> {
        if height == 0 {
            return None;
        }
        let uri = record.value.pointer("/reply/parent/uri")?.as_str()?;
        let parent = self.canonical(uri).and_then(|address| {
            let parent = self.records.find(&address)?;
            Some((address, parent))
        });
        let Some((address, parent)) = parent else {
            let kind = "app.bsky.feed.defs#notFoundPost";
            return Some(json!({"$type": kind, "uri": uri, "notFound": true}));
        };
        let mut view = self.thread_view(&address, parent, 0, viewer);
        if let Some(above) = self.parent_view(parent, height - 1, viewer) {
            view["parent"] = above;
        }
        Some(view)
    }

    fn post_view(&self, address: &Address, record: &Record, viewer: Option<&str>) -> Value {
        let uri = address.uri();
        let accounts = |relation| -> usize {
            let dids: BTreeSet<&str> =
                self.records.referring(&uri, relation).map(|from| from.did.as_str()).collect();
            dids.len()
        };
        let mine = |relation| {
            let viewer = viewer?;
            self.records.referring(&uri, relation).find(|from| from.did == viewer)
        };
        let mut seen = json!({"threadMuted": false, "embeddingDisabled": false});
        for (name, relation) in [("like", Relation::Like), ("repost", Relation::Repost)] {
            if let Some(from) = mine(relation) {
                seen[name] = Value::from(from.uri());
            }
        }
        let author = self.accounts.find(&address.did);
        let mut view = json!({
            "uri": uri,
            "cid": record.cid,
            "author": author.map(super::actor::basic_view),
            "record": record.value,
            "bookmarkCount": 0,
            "replyCount": self.records.referring(&uri, Relation::Reply).count(),
            "repostCount": accounts(Relation::Repost),
            "likeCount": accounts(Relation::Like),
            "quoteCount": self.records.referring(&uri, Relation::Quote).count(),
            "indexedAt": timestamp(record.indexed_at),
            "viewer": seen,
            "labels": [],
        });
        if let Some(pictures) = pictures_view(&address.did, &record.value["embed"]) {
            view["embed"] = pictures;
        }
        if let Some(gate) = self.gate_view(address, record) {
            view["threadgate"] = gate;
        }
        view
    }

    /// Returns the rules of the thread that a post starts or belongs to.
    fn gate_view(&self, address: &Address, record: &Record) -> Option<Value> {
        let root = record.value["reply"]["root"]["uri"].as_str();
        let root = root.map_or_else(|| Some(address.clone()), |uri| self.canonical(uri))?;
        let gate = Address { collection: THREADGATE.to_owned(), ..root };
        let found = self.records.find(&gate)?;
        let (uri, cid) = (gate.uri(), &found.cid);
        Some(json!({"uri": uri, "cid": cid, "record": found.value, "lists": []}))
    }
}

/// Returns the pictures of a post as readers see them; other embeds have no view here.
///
/// Source: lexicons/app/bsky/embed/images.json, `viewImage`.
fn pictures_view(did: &str, embed: &Value) -> Option<Value> {
    let images = embed["images"].as_array().filter(|_| embed["$type"] == IMAGES)?;
    let images = images.iter().map(|image| {
        let cid = image["image"]["ref"]["$link"].as_str().unwrap_or_default();
        let address = |size| format!("https://cdn.bsky.app/img/{size}/plain/{did}/{cid}");
        let mut shown = json!({
            "thumb": address("feed_thumbnail"),
            "fullsize": address("feed_fullsize"),
            "alt": image["alt"],
        });
        if let Some(ratio) = image.get("aspectRatio") {
            shown["aspectRatio"] = ratio.clone();
        }
        shown
    });
    let images: Vec<Value> = images.collect();
    Some(json!({ "$type": format!("{IMAGES}#view"), "images": images }))
}
