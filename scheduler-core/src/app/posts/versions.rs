//! What a post has said before, and going back there.

use super::as_draft;
use crate::app::{Caller, Scheduler};
use crate::audit::Actor;
use crate::error::{AppError, NotFound, Refusal};
use crate::ids::{PostId, PostVersionId};
use crate::key::Scope;
use crate::ports::StoreError;
use crate::post::{
    Author, Before, NewVersion, Post, PostInput, PostPart, PostStatus, PostVersion, VersionKind,
};

/// A version of a post, for people.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct VersionView {
    /// The version.
    pub version: PostVersion,
    /// What it has changed of the one before; nothing of the oldest.
    pub changed: Vec<PostPart>,
    /// Whether the post says this now.
    pub is_current: bool,
    /// The post as it said it, with the times that it has now.
    pub post: Post,
}

impl Scheduler {
    /// What a post has said, newest first: what it says now, and up to 50 steps back. Empty where
    /// the store keeps none.
    ///
    /// # Errors
    /// `forbidden`, `not_found`.
    pub async fn versions(
        &self,
        caller: &Caller,
        id: PostId,
    ) -> Result<Vec<VersionView>, AppError> {
        let current = self.post(caller, id).await?;
        let versions = self.store().versions(caller.workspace.id, id).await?;
        let is_said = |version: &&PostVersion| version.kind != VersionKind::Beside;
        let says_now = versions.iter().find(is_said).map(|version| version.id);
        let views = versions.iter().enumerate().map(|(place, version)| {
            let before = versions[place + 1..].iter().find(is_said);
            VersionView {
                changed: before
                    .map_or_else(Vec::new, |before| before.content.parts_changed(&version.content)),
                is_current: Some(version.id) == says_now,
                post: version.content.of_post(&current),
                version: version.clone(),
            }
        });
        Ok(views.collect())
    }

    /// Has a post that has not gone out say again what it has said; what it says now stays a
    /// version. A draft stays one, and a scheduled post keeps its time.
    ///
    /// # Errors
    /// `not_found` when there is no such version; those of [`Self::update_post`].
    pub async fn restore_version(
        &self,
        caller: &Caller,
        id: PostId,
        version: PostVersionId,
        expected: Option<&[i64]>,
    ) -> Result<Post, AppError> {
        let versions = self.versions(caller, id).await?;
        let found = versions.into_iter().find(|view| view.version.id == version);
        let found = found.ok_or_else(|| Refusal::from(NotFound::Version))?;
        let mut input = PostInput::copy_of(&found.post);
        if found.post.status == PostStatus::Draft {
            input = as_draft(input);
        }
        self.close_version(caller, id).await?;
        let post = self.update_post(caller, id, input, expected).await?;
        self.close_version(caller, id).await?;
        Ok(post)
    }

    /// Ends the version that a post has now: what is written next is another one.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn close_version(&self, caller: &Caller, id: PostId) -> Result<(), StoreError> {
        let versions = self.store().versions(caller.workspace.id, id).await?;
        let Some(last) = versions.first().filter(|last| last.kind == VersionKind::Open) else {
            return Ok(());
        };
        let closed = PostVersion { kind: VersionKind::Closed, ..last.clone() };
        self.store().keep_version(&closed, &[]).await
    }

    /// Keeps what somebody has written of a post while another text was stored, as a version.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `invalid_request`, `account_not_connected`.
    pub async fn keep_beside(
        &self,
        caller: &Caller,
        id: PostId,
        input: &PostInput,
    ) -> Result<(), AppError> {
        caller.require_any(&[Scope::PostsWrite, Scope::PostsPublish])?;
        let (_, post) = self.changed_by(caller, id, input).await?;
        let version = self.version_of(caller, &post, VersionKind::Beside).await?;
        let versions = self.store().versions(caller.workspace.id, id).await?;
        if let Some(NewVersion { version, replaced }) = version.follow(&versions) {
            self.store().keep_version(&version, &replaced).await?;
        }
        Ok(())
    }

    /// Whether a post says already what a body would make of it, whatever it says of when.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `invalid_request`, `account_not_connected`.
    pub async fn says_already(
        &self,
        caller: &Caller,
        id: PostId,
        input: &PostInput,
    ) -> Result<bool, AppError> {
        caller.require(Scope::PostsRead)?;
        let (current, changed) = self.changed_by(caller, id, input).await?;
        Ok(Before::of(&current).parts_changed(&Before::of(&changed)).is_empty())
    }

    /// A post, and what a body would make of it; not of its times.
    async fn changed_by(
        &self,
        caller: &Caller,
        id: PostId,
        input: &PostInput,
    ) -> Result<(Post, Post), AppError> {
        input.check_bounds()?;
        let now = self.ports.clock.now();
        let current = self.post_of(caller, id).await?;
        let mut changed = Post { updated_at: now, ..current.clone() };
        input.apply_to(&mut changed);
        if let Some(inputs) = input.targets.value() {
            let roster = self.roster(caller).await?;
            changed.targets = self.replaced(&roster, &current, inputs, now).await?;
        }
        Ok((current, changed))
    }

    /// Keeps what a post says, once it was stored. Where that fails the post is stored all the
    /// same, and lacks a version.
    pub(super) async fn note_version(&self, caller: &Caller, before: Option<&Post>, after: &Post) {
        // Versions are for people who write; what they cannot have is no reason to refuse a save.
        let _ = self.try_note_version(caller, before, after).await;
    }

    async fn try_note_version(
        &self,
        caller: &Caller,
        before: Option<&Post>,
        after: &Post,
    ) -> Result<(), StoreError> {
        if !matches!(after.status, PostStatus::Draft | PostStatus::Scheduled) {
            return Ok(());
        }
        let mut versions = self.store().versions(caller.workspace.id, after.id).await?;
        if let (true, Some(before)) = (versions.is_empty(), before) {
            let id = PostVersionId(self.ports.ids.next(before.updated_at));
            let first = PostVersion::of(id, before, None, VersionKind::Closed);
            if !first.content.parts_changed(&Before::of(after)).is_empty() {
                self.store().keep_version(&first, &[]).await?;
                versions.push(first);
            }
        }
        let version = self.version_of(caller, after, VersionKind::Open).await?;
        match version.follow(&versions) {
            Some(NewVersion { version, replaced }) => {
                self.store().keep_version(&version, &replaced).await
            }
            None => Ok(()),
        }
    }

    async fn version_of(
        &self,
        caller: &Caller,
        post: &Post,
        kind: VersionKind,
    ) -> Result<PostVersion, StoreError> {
        let Author { kind: actor, id, person } = caller.author();
        let name = match (id, &person) {
            (Some(id), None) => self.names_of((caller.workspace.id, actor)).await?.remove(&id),
            (None, _) | (_, Some(_)) => None,
        };
        let by = Actor::new(actor, id, name).named(person);
        let version = PostVersionId(self.ports.ids.next(post.updated_at));
        Ok(PostVersion::of(version, post, Some(by), kind))
    }
}
