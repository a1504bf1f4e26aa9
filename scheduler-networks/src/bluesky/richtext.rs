//! Links, tags and mentions of a text, and whose the mentioned handles are.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::text::bluesky::is_handle;
use scheduler_core::text::facets::{FacetFeature, detect};
use serde::{Deserialize, Serialize};

use super::errors::{failure, is_error};
use super::wire::{ByteSlice, Facet, Feature, ResolvedHandle};
use crate::conversation::{Answer, Request};
use crate::endpoint::Endpoint;

/// Handles that one step or conversation resolves. Our decision; each takes a call.
pub(super) const HANDLES_MAX: usize = 16;

/// A mention in a text that becomes a facet when its handle is somebody's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Mention {
    index: ByteSlice,
    handle: String,
}

/// What stands in a text: what is a facet at once, and the mentions that have to be resolved.
pub(super) fn facets(text: &str) -> (Vec<Facet>, Vec<Mention>) {
    let mut facets = Vec::new();
    let mut mentions = Vec::new();
    for found in detect(text) {
        let index = ByteSlice { byte_start: found.bytes.start, byte_end: found.bytes.end };
        let feature = match found.feature {
            FacetFeature::Link { uri } => Feature::Link { uri },
            FacetFeature::Tag { tag } => Feature::Tag { tag },
            FacetFeature::Mention { handle } => {
                let handle = handle.to_ascii_lowercase();
                // Older servers fail over what cannot be one.
                if is_handle(&handle) {
                    mentions.push(Mention { index, handle });
                }
                continue;
            }
        };
        facets.push(Facet { index, features: vec![feature] });
    }
    (facets, mentions)
}

/// The first handles of mentions, each once.
pub(super) fn handles<'a>(mentions: impl Iterator<Item = &'a Mention>) -> Vec<&'a str> {
    let mut handles = Vec::new();
    for mention in mentions {
        if handles.len() < HANDLES_MAX && !handles.contains(&mention.handle.as_str()) {
            handles.push(mention.handle.as_str());
        }
    }
    handles
}

/// Asks whose a handle is.
pub(super) fn resolve(server: &Endpoint, handle: &str) -> Request {
    let call = ["xrpc", "com.atproto.identity.resolveHandle"];
    Request::read(server.query(call, &[("handle", handle)]))
}

/// Whose handles are. Nobody's, as `None`, stay plain text.
pub(super) type Identities = BTreeMap<String, Option<String>>;

/// Whose these handles are, without those whose look-up has failed for reasons of its own: of a
/// server that is away, of names that do not resolve.
///
/// # Errors
/// [`NetworkError`] by kind for what is the account's own: its token, its limits.
pub(super) fn identities(
    handles: &[&str],
    answers: &[Answer],
    now: DateTime<Utc>,
) -> Result<Identities, NetworkError> {
    let mut identities = Identities::new();
    for (handle, answer) in handles.iter().zip(answers) {
        // Also a handle that breaks the rules of handles is nobody's.
        let is_nobody = is_error(answer, "HandleNotFound") || is_error(answer, "InvalidRequest");
        let found: Option<ResolvedHandle> = answer.is_success().then(|| answer.json()).flatten();
        match found {
            Some(found) => identities.insert((*handle).to_owned(), Some(found.did)),
            None if is_nobody => identities.insert((*handle).to_owned(), None),
            None if answer.is_success() => continue,
            None => {
                let error = failure(answer, false, Some(now));
                let is_limited = matches!(error.kind, NetworkErrorKind::RateLimited { .. });
                if is_limited || error.refuses_credentials() {
                    return Err(error);
                }
                continue;
            }
        };
    }
    Ok(identities)
}

/// The same with the others as nobody's: a mention that cannot be looked up keeps nothing from
/// going out.
///
/// Source: <https://github.com/bluesky-social/atproto>, `packages/api/src/rich-text/rich-text.ts`,
/// `detectFacets`.
pub(super) fn or_nobody(mut identities: Identities, handles: &[&str]) -> Identities {
    for handle in handles {
        identities.entry((*handle).to_owned()).or_default();
    }
    identities
}

/// Makes facets of the mentions whose handles are known to be somebody's, drops those that are
/// nobody's, and leaves the others.
pub(super) fn settle(
    facets: &mut Vec<Facet>,
    mentions: &mut Vec<Mention>,
    identities: &Identities,
) {
    for mention in std::mem::take(mentions) {
        match identities.get(&mention.handle) {
            None => mentions.push(mention),
            Some(None) => {}
            Some(Some(did)) => {
                let features = vec![Feature::Mention { did: did.clone() }];
                facets.push(Facet { index: mention.index, features });
            }
        }
    }
    facets.sort_by_key(|facet| facet.index.byte_start);
}
