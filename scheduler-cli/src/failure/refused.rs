//! A refusal, and what is known of it beyond its words.

use std::time::Duration;

use scheduler_core::error::{ErrorBody, ErrorCode, ErrorDetail, Refusal};
use scheduler_core::key::Scope;

/// A list that shows what there is, where something was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    /// The workspaces of the database.
    Workspaces,
    /// The connected accounts of a workspace.
    Accounts,
    /// The comments of a live post.
    Comments,
}

impl List {
    /// The command that shows it, behind the program's name.
    pub(super) const fn command(self) -> &'static str {
        match self {
            Self::Workspaces => "workspace list",
            Self::Accounts => "accounts list",
            Self::Comments => "comments POST TARGET",
        }
    }
}

/// What the server, or the application itself, has refused.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    /// The error of the contract.
    pub(crate) error: ErrorDetail,
    /// How long the server wants to be left alone.
    pub(crate) retry_after: Option<Duration>,
    /// The scopes that the endpoint declares; none where that is not known.
    pub(super) scopes: Vec<Scope>,
    /// Where what was not found would be; `None` where the command tells.
    pub(super) list: Option<List>,
}

impl Refused {
    /// The refusal of a request that needs these scopes.
    pub(crate) const fn new(
        error: ErrorDetail,
        scopes: Vec<Scope>,
        retry_after: Option<Duration>,
    ) -> Self {
        Self { error, retry_after, scopes, list: None }
    }

    /// The same; what was not found would be in this list.
    pub(crate) fn looked_up_in(self, list: List) -> Self {
        let list = (self.error.code == ErrorCode::NotFound).then_some(list);
        Self { list, ..self }
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self::new(ErrorBody::from(refusal).error, Vec::new(), None)
    }
}
