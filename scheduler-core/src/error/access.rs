//! Who may do what, and what there is not.

use std::fmt;

use chrono::{DateTime, Utc};

use super::ErrorCode;
use crate::key::Scope;
use crate::session::Role;

/// Why a key does not do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AccessRefusal {
    /// No key was sent.
    #[error("Send an API key.")]
    NoKey,
    /// The key is not known, or has expired.
    #[error("The API key is not recognised or has expired.")]
    UnknownKey,
    /// A session was sent where a key is needed, and it does not do in its place: it was not opened
    /// for the API, or is not known, has ended or has expired.
    #[error(
        "This is a person's session; here an API key is needed, or a session that was opened for the API and still lasts."
    )]
    SessionForKey,
    /// The access token of a program is not known, has ended, or has expired.
    #[error("The access token is not recognised, has ended or has expired.")]
    UnknownToken,
    /// The key has none of these scopes, of which one is needed.
    #[error("This needs a key with the scope {}.", one_of(.0))]
    MissingScope(Vec<Scope>),
    /// No session was sent.
    #[error("Log in first.")]
    NoSession,
    /// The session is not known, has ended, or has expired.
    #[error("The session is not recognised, has ended or has expired.")]
    UnknownSession,
    /// A key was sent, known or not, where a session is needed.
    #[error("This is an API key; here a person's session is needed.")]
    KeyForSession,
    /// The person may less than this role.
    #[error("This needs a session of the role {0}.")]
    MissingRole(Role),
    /// Nobody knows which person calls.
    #[error(
        "Only a person approves a post for the team: sign in with a passkey or with the sign-in of your organisation, which say who you are."
    )]
    NobodyNamed,
    /// The post is that of the person of this name.
    #[error("{0} has written or last changed this post; somebody else has to approve it.")]
    OwnPost(String),
    /// The key lets programs that act for people send nothing out.
    #[error(
        "Through tools, this key sends nothing out: its limit is 0 calls an hour. Nothing was done. Have a person do it, or make a key with another limit by `scheduler keys create --live-per-hour`."
    )]
    NoLiveCalls,
    /// Programs that act for people have sent out as often in this hour as they may.
    #[error(
        "Through tools, {limit} calls an hour may send something out, and they are used up. Nothing was done. Try again from {} UTC on, or have a person do it{}.",
        .until.format("%H:%M"),
        if *.is_of_key { "; a key with another limit is made with `scheduler keys create --live-per-hour`" } else { "" }
    )]
    LiveCallsUsedUp {
        /// So many an hour.
        limit: u32,
        /// When the next hour begins.
        until: DateTime<Utc>,
        /// True where the limit is that of a key.
        is_of_key: bool,
    },
}

impl AccessRefusal {
    pub(super) const fn code(&self) -> ErrorCode {
        match self {
            Self::NoKey
            | Self::UnknownKey
            | Self::SessionForKey
            | Self::UnknownToken
            | Self::NoSession
            | Self::UnknownSession
            | Self::KeyForSession => ErrorCode::Unauthorized,
            Self::MissingScope(_) | Self::MissingRole(_) | Self::NobodyNamed | Self::OwnPost(_) => {
                ErrorCode::Forbidden
            }
            Self::NoLiveCalls | Self::LiveCallsUsedUp { .. } => ErrorCode::RateLimited,
        }
    }
}

fn one_of(scopes: &[Scope]) -> String {
    let names: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
    names.join(" or ")
}

/// A kind of thing that a workspace has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Resource {
    /// A workspace.
    Workspace,
    /// A key.
    Key,
    /// A session of a person.
    Session,
    /// A passkey of a person.
    Passkey,
    /// What a person has granted a program.
    Grant,
    /// A connected account.
    Account,
    /// A set of accounts.
    AccountSet,
    /// A post.
    Post,
    /// A target of a post.
    Target,
    /// A comment on a live post.
    Comment,
    /// A file.
    File,
    /// The preview of a file.
    Preview,
    /// The picture of an account.
    Picture,
    /// Something kept to write with.
    Snippet,
    /// Posts that come again.
    Recurrence,
    /// A webhook.
    Webhook,
    /// Somebody who is told what happens.
    Notifier,
    /// A feed whose items become posts.
    Feed,
    /// The address at which calendars read its posts.
    CalendarFeed,
    /// The link by which a client approves a post.
    ApprovalLink,
    /// A link by which an account is connected.
    ConnectLink,
}

impl fmt::Display for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Workspace => "workspace",
            Self::Key => "key",
            Self::Session => "session",
            Self::Passkey => "passkey",
            Self::Grant => "connected program",
            Self::Account => "account",
            Self::AccountSet => "set of accounts",
            Self::Post => "post",
            Self::Target => "target",
            Self::Comment => "comment",
            Self::File => "file",
            Self::Preview => "preview",
            Self::Picture => "picture",
            Self::Snippet => "snippet",
            Self::Recurrence => "recurrence",
            Self::Webhook => "webhook",
            Self::Notifier => "notifier",
            Self::Feed => "feed",
            Self::CalendarFeed => "calendar feed",
            Self::ApprovalLink => "approval link of a post",
            Self::ConnectLink => "link",
        })
    }
}

/// What there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotFound {
    /// A thing of the workspace.
    #[error("There is no such {0} in this workspace.")]
    Resource(Resource),
    /// Any workspace.
    #[error("There is no workspace yet.")]
    AnyWorkspace,
    /// A workspace of this name.
    #[error("There is no workspace named {0:?}.")]
    WorkspaceNamed(String),
    /// A connected account that is called so.
    #[error("There is no connected account {0:?}.")]
    AccountNamed(String),
    /// A delivery of a webhook.
    #[error(
        "There is no such delivery in this workspace; those of a removed webhook are gone with it."
    )]
    Delivery,
    /// A login that waits to be confirmed, or to be claimed.
    #[error(
        "There is no such login, it was confirmed already, or its ten minutes are over. Log in again."
    )]
    Login,
    /// An approval by the team.
    #[error("Nobody of the team is asked to approve this post.")]
    Review,
    /// An approval link of this post.
    #[error("This post has no approval link; `scheduler approvals create` makes one.")]
    LinkOfPost,
    /// A change of this post that can be taken back.
    #[error(
        "There is nothing to undo: the last change of a post can be taken back for ten minutes."
    )]
    Change,
    /// An earlier version of this post.
    #[error("There is no such version of this post; of the oldest ones some go when it is saved.")]
    Version,
    /// A visit by a link for connecting an account: it has been used or is too old.
    #[error(
        "This link is not valid any more: it was used already, it is older than 15 minutes, or \
         another browser has used it. Ask for a new one."
    )]
    Visit,
}
