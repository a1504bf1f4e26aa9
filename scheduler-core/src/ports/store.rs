//! What is kept, as a whole; workspaces, keys and posts.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{
    AccountSetStore, AccountStore, ApprovalStore, AssistantStore, AuditStore, CalendarStore,
    ConnectingStore, FeedStore, GrantStore, IdempotencyStore, InboxStore, LinkStore, MediaStore,
    NotifierStore, PasskeyStore, ReadingStore, RecurrenceStore, SessionStore, SnippetStore,
    UploadLinkStore, WebhookStore, WorkQueue,
};
use crate::changes::Changes;
use crate::ids::{AccountId, KeyId, PostId, PostVersionId, TargetId, WorkspaceId};
use crate::key::{Key, KeyHash};
use crate::post::{LastChange, ListQuery, Post, PostVersion};
use crate::workspace::Workspace;

/// A fault of the store; never something that a caller did wrong.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database could not be reached, or gave up.
    #[error("the database is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// There is no room left where the database is kept. What was asked for was not stored; it can
    /// be asked for again once there is room.
    #[error("there is no room left where the database is kept")]
    Full(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database holds something that this version cannot read.
    #[error("the database holds an unreadable {what}")]
    Corrupt {
        /// Which thing, such as `posts.status`.
        what: &'static str,
        /// What the database or the system answered.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The store keeps nothing of the kind, or cannot do this with it.
    #[error("the store does not keep this")]
    Unsupported,
    /// The database refused a statement.
    #[error("the database refused a statement")]
    Refused(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Everything that is kept.
///
/// A method with a body is one that a store may leave out: what needs it is then refused as
/// unsupported, or there is never anything of its kind. [`Stores`](super::Stores) makes one store
/// of several.
pub trait Store:
    WorkspaceStore
    + KeyStore
    + SessionStore
    + AccountStore
    + AccountSetStore
    + ConnectingStore
    + FeedStore
    + PostStore
    + ApprovalStore
    + WebhookStore
    + MediaStore
    + ReadingStore
    + AssistantStore
    + AuditStore
    + GrantStore
    + CalendarStore
    + IdempotencyStore
    + InboxStore
    + LinkStore
    + NotifierStore
    + PasskeyStore
    + RecurrenceStore
    + SnippetStore
    + UploadLinkStore
    + WorkQueue
{
}

impl<T> Store for T where
    T: WorkspaceStore
        + KeyStore
        + SessionStore
        + AccountStore
        + AccountSetStore
        + ConnectingStore
        + FeedStore
        + PostStore
        + ApprovalStore
        + WebhookStore
        + MediaStore
        + ReadingStore
        + AssistantStore
        + AuditStore
        + GrantStore
        + CalendarStore
        + IdempotencyStore
        + InboxStore
        + LinkStore
        + NotifierStore
        + PasskeyStore
        + RecurrenceStore
        + SnippetStore
        + UploadLinkStore
        + WorkQueue
{
}

/// What became of a changed workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenameOutcome {
    /// It is stored.
    Saved,
    /// Another workspace has its name; nothing was stored.
    NameTaken,
    /// There is none of that id.
    Missing,
}

/// Workspaces.
#[async_trait]
pub trait WorkspaceStore: Send + Sync {
    /// Stores a workspace together with its first key, unless any workspace exists already.
    /// Returns whether it did; of two callers at once, one does.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_first_workspace(
        &self,
        _workspace: &Workspace,
        _key: &Key,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores a new workspace; `false` when one of that name exists.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_workspace(&self, workspace: &Workspace) -> Result<bool, StoreError>;

    /// The workspace with this id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn workspace(&self, id: WorkspaceId) -> Result<Option<Workspace>, StoreError>;

    /// Every workspace, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores a workspace's name, plan and zone.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn update_workspace(&self, _workspace: &Workspace) -> Result<RenameOutcome, StoreError> {
        Err(StoreError::Unsupported)
    }
}

/// API keys.
#[async_trait]
pub trait KeyStore: Send + Sync {
    /// Stores a new key.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_key(&self, _key: &Key) -> Result<(), StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Every key of a workspace, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn keys(&self, _workspace: WorkspaceId) -> Result<Vec<Key>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The key with this hash, expired or not, and its workspace.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn key_by_hash(&self, _hash: KeyHash) -> Result<Option<(Key, Workspace)>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes a key; `false` when there is none of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn revoke_key(&self, _id: KeyId) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }
}

/// An instant that a target of an account holds, as its slot or as the time at which it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Held {
    /// The account.
    pub account_id: AccountId,
    /// The instant.
    pub at: DateTime<Utc>,
    /// The target.
    pub target_id: TargetId,
    /// Its post.
    pub post_id: PostId,
}

/// What became of a new post.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and never kept")]
pub enum CreateOutcome {
    /// It is stored.
    Created,
    /// The workspace has a post of the same Idempotency-Key: this one.
    Existing(Post),
    /// Another post took a slot meanwhile; nothing was stored.
    SlotTaken,
    /// The plan's posts of the month are used up; nothing was stored.
    LimitReached,
    /// One of the files that it needs was deleted meanwhile; nothing was stored.
    FileDeleted,
}

/// What became of a changed post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// It is stored.
    Saved,
    /// It has changed since it was read; nothing was stored.
    Stale,
    /// It is gone.
    Missing,
    /// Another post took a slot meanwhile; nothing was stored.
    SlotTaken,
    /// The plan's posts of the month are used up; nothing was stored.
    LimitReached,
    /// One of the files that it still needs was deleted; nothing was stored.
    FileDeleted,
}

/// What became of a post that was to be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemoveOutcome {
    /// It is gone.
    Removed,
    /// It has changed since it was read; it is still there.
    Stale,
    /// It was gone already.
    Missing,
}

/// Posts.
///
/// Two things follow from a stored post, in the same transaction, and are the store's to keep up:
/// every target that is pending and has a `due_at` has exactly one piece of publish work, due
/// then and held by nobody, a target that is going out, or is live and followed (published, with
/// [`progress`](crate::target::Target::progress)), has the one that it went out by, and no other
/// target has any (work that a save replaces is new work: an earlier claim on it is
/// lost); and the count of posts of the workspace in
/// [`Post::allowance_month`](crate::post::Post::allowance_month) is moved along when that changes.
/// A removed post keeps its place in that count unless it was never counted.
#[async_trait]
pub trait PostStore: Send + Sync {
    /// Stores a new post. At most `posts_a_month` posts count in one month.
    ///
    /// Of two callers with one Idempotency-Key, one creates, and the other waits for it and gets
    /// [`CreateOutcome::Existing`].
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_post(
        &self,
        post: &Post,
        posts_a_month: u64,
    ) -> Result<CreateOutcome, StoreError>;

    /// The post with this id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn post(&self, workspace: WorkspaceId, id: PostId) -> Result<Option<Post>, StoreError>;

    /// The ids of a workspace's posts from one id to another, both included, lowest first, at most
    /// `limit`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn post_ids(
        &self,
        _workspace: WorkspaceId,
        _from: PostId,
        _to: PostId,
        _limit: u32,
    ) -> Result<Vec<PostId>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The post that was created under this Idempotency-Key.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn post_by_key(
        &self,
        _workspace: WorkspaceId,
        _key: &str,
    ) -> Result<Option<Post>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// A page of posts, by moment, then by id, both descending.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn list_posts(&self, _query: &ListQuery) -> Result<Vec<Post>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores a post as it now is (every field but `version`, and its whole list of targets),
    /// if its version is still `post.version`; raises the version by one.
    ///
    /// A target that is publishing, as stored and as given, or is published as both and followed as
    /// either, belongs to the holder of its work: it stays as it is stored, but for the options of
    /// one that is published, and so does its work. Readings stay with their targets, whatever is
    /// given.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn save_post(&self, post: &Post, posts_a_month: u64) -> Result<SaveOutcome, StoreError>;

    /// The last change of a post. Stores keep of each post what [`LastChange::of`] makes of a save,
    /// and nothing where that makes none; they may forget it after [`UNDO_WITHIN`].
    ///
    /// [`UNDO_WITHIN`]: crate::post::UNDO_WITHIN
    ///
    /// # Errors
    /// [`StoreError`]
    async fn last_change(
        &self,
        _workspace: WorkspaceId,
        _post: PostId,
    ) -> Result<Option<LastChange>, StoreError> {
        Ok(None)
    }

    /// The last changes of a workspace's posts that were made at `since` or later, newest first, at
    /// most `limit`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn last_changes(
        &self,
        _workspace: WorkspaceId,
        _since: DateTime<Utc>,
        _limit: u32,
    ) -> Result<Vec<LastChange>, StoreError> {
        Ok(Vec::new())
    }

    /// Keeps a version of a post, in place of one of its id, and forgets what goes for it, in one
    /// transaction. Nothing is kept of a post that is gone.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn keep_version(
        &self,
        _version: &PostVersion,
        _replaced: &[PostVersionId],
    ) -> Result<(), StoreError> {
        Ok(())
    }

    /// The versions of a post that are kept, by their ids, descending.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn versions(
        &self,
        _workspace: WorkspaceId,
        _post: PostId,
    ) -> Result<Vec<PostVersion>, StoreError> {
        Ok(Vec::new())
    }

    /// What has changed in a workspace at `since` or later, by what its posts, its events and its
    /// log note, as far as they are kept here: oldest first, as [`Changes::of`] makes it.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn changes(
        &self,
        _workspace: WorkspaceId,
        _since: DateTime<Utc>,
    ) -> Result<Changes, StoreError> {
        Ok(Changes::default())
    }

    /// Removes the record of a post, if its version is still `version`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_post(
        &self,
        _workspace: WorkspaceId,
        _id: PostId,
        _version: i64,
    ) -> Result<RemoveOutcome, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The instants from `from` on that unfinished targets of an account hold, as slots or as due
    /// times.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn taken_instants(
        &self,
        _account: AccountId,
        _from: DateTime<Utc>,
    ) -> Result<BTreeSet<DateTime<Utc>>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// What unfinished targets of accounts hold in `[from, to)`: each slot and each due time, in no
    /// order. A target that waits at another time than its slot holds both.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn held_instants(
        &self,
        _accounts: &[AccountId],
        _from: DateTime<Utc>,
        _to: DateTime<Utc>,
    ) -> Result<Vec<Held>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// How many posts of a workspace count in a month.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn posts_in_month(
        &self,
        _workspace: WorkspaceId,
        _month: crate::post::Month,
    ) -> Result<u64, StoreError> {
        Err(StoreError::Unsupported)
    }
}
