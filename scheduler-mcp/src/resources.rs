//! What a client can attach to a conversation: posts, months, and the rules of networks.

use rmcp::model::{Resource, ResourceTemplate};
use scheduler_core::key::{Scope, Scopes};
use scheduler_core::platform::Platform;

use crate::tool::Definition;
use crate::tools::calendar;
use crate::tools::reading::{GET_NETWORK_RULES, GET_POST};

const POSTS: &str = "scheduler://posts/";
const CALENDAR: &str = "scheduler://calendar/";
const RULES: &str = "scheduler://rules/";
pub(crate) const JSON: &str = "application/json";

/// The rules of every network.
pub(crate) fn listed() -> Vec<Resource> {
    let rules = Platform::ALL.into_iter().map(|platform| {
        let name = platform.sheet().name;
        let resource = Resource::new(format!("{RULES}{platform}"), format!("Rules of {name}"));
        resource.with_mime_type(JSON)
    });
    rules.collect()
}

/// What can be named, by whoever has these scopes.
pub(crate) fn templates(scopes: Scopes) -> Vec<ResourceTemplate> {
    let rules = ResourceTemplate::new(format!("{RULES}{{network}}"), "Rules of a network");
    let mut templates = vec![rules.with_mime_type(JSON)];
    if scopes.allows(Scope::PostsRead) {
        let post = ResourceTemplate::new(format!("{POSTS}{{id}}"), "A post");
        templates.push(post.with_mime_type(JSON));
        let month = ResourceTemplate::new(format!("{CALENDAR}{{month}}"), "The posts of a month");
        templates.push(month.with_mime_type(JSON));
    }
    templates
}

/// What reads an address, and its argument.
pub(crate) fn reader(uri: &str) -> Option<(&'static Definition, &'static str, &str)> {
    let readers: [(&str, &'static Definition, &'static str); 3] = [
        (POSTS, &GET_POST, "id"),
        (CALENDAR, &calendar::CALENDAR, "month"),
        (RULES, &GET_NETWORK_RULES, "network"),
    ];
    readers
        .into_iter()
        .find_map(|(base, reader, name)| Some((reader, name, uri.strip_prefix(base)?)))
}
