//! Every tool, in the order in which they are listed.

use std::sync::LazyLock;

use rmcp::model::Tool;
use scheduler_core::key::{Confirmation, Scopes};

use crate::tool::Definition;
use crate::tools::{
    approval, captions, checking, drafts, files, publishing, reading, remote, results,
};

/// Every tool: what reads, what checks, what writes, and what goes out.
static DEFINITIONS: [&Definition; 21] = [
    &reading::LIST_ACCOUNTS,
    &reading::GET_NETWORK_RULES,
    &checking::CHECK_POST,
    &reading::FIND_SLOT,
    &reading::LIST_POSTS,
    &reading::GET_POST,
    &files::LIST_MEDIA,
    &results::GET_RESULTS,
    &results::LIST_COMMENTS,
    &drafts::CREATE_DRAFT,
    &drafts::UPDATE_POST,
    &files::ADD_MEDIA_FROM_URL,
    &files::MAKE_UPLOAD_LINK,
    &captions::WRITE_CAPTIONS,
    &approval::REQUEST_APPROVAL,
    &drafts::CANCEL_POST,
    &publishing::SCHEDULE_POST,
    &publishing::PUBLISH_NOW,
    &remote::RETRY_TARGETS,
    &remote::REPLY_TO_COMMENT,
    &remote::TAKE_DOWN,
];

/// A tool with what the protocol lists of it.
pub(crate) struct Entry {
    pub(crate) definition: &'static Definition,
    pub(crate) tool: Tool,
    /// The same for a key that wants each change confirmed.
    confirmed: Tool,
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entries = DEFINITIONS.into_iter();
    let entries = entries.map(|definition| Entry {
        definition,
        tool: definition.listed(Confirmation::default()),
        confirmed: definition.listed(Confirmation::Always),
    });
    entries.collect()
});

/// Every tool.
pub(crate) fn entries() -> &'static [Entry] {
    &ENTRIES
}

/// The tools that a caller with these scopes is shown, whose person has to confirm such calls.
pub(crate) fn tools_for(scopes: Scopes, confirmation: Confirmation) -> Vec<Tool> {
    let shown = entries().iter().filter(|entry| entry.definition.is_for(scopes));
    let tool = |entry: &Entry| match confirmation {
        Confirmation::Always => entry.confirmed.clone(),
        Confirmation::Live | Confirmation::Never => entry.tool.clone(),
    };
    shown.map(tool).collect()
}

/// A tool as documentation lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// Its name.
    pub name: &'static str,
    /// What a person reads.
    pub title: &'static str,
    /// The scopes that a key has to have, with spaces between.
    pub scopes: String,
    /// True when it changes nothing.
    pub reads: bool,
}

/// Every tool, as data: what the documentation is held against.
#[must_use]
pub fn listed() -> Vec<Listed> {
    let all = DEFINITIONS.into_iter();
    let listed = all.map(|definition| Listed {
        name: definition.name,
        title: definition.title,
        scopes: Scopes::of(definition.scopes).to_string(),
        reads: definition.hints.reads,
    });
    listed.collect()
}
