//! A refusal, and what is known of it beyond its words.

use scheduler_core::error::{ErrorBody, ErrorCode, ErrorDetail, Refusal};
use scheduler_core::key::Scope;
use scheduler_core::session::Role;

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

/// What an endpoint asks of its caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Scopes, all that it may ask for; none where they are not known.
    Scopes(Vec<Scope>),
    /// A session of a person with this role.
    Role(Role),
}

/// What the server, or the application itself, has refused.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    /// The error of the contract.
    pub(crate) error: ErrorDetail,
    /// What the endpoint declares.
    pub(super) needs: Needs,
    /// Where what was not found would be; `None` where the command tells.
    pub(super) list: Option<List>,
}

impl Refused {
    /// The refusal of a request to an endpoint that needs this.
    pub(crate) const fn new(error: ErrorDetail, needs: Needs) -> Self {
        Self { error, needs, list: None }
    }

    /// The same; what was not found would be in this list.
    pub(crate) fn looked_up_in(self, list: List) -> Self {
        let list = (self.error.code == ErrorCode::NotFound).then_some(list);
        Self { list, ..self }
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self::new(ErrorBody::from(refusal).error, Needs::Scopes(Vec::new()))
    }
}
