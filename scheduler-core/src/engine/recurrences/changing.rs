//! Changing and taking back the posts of a recurrence that has changed.

use super::making::{has_passed, is_passing, parked};
use super::run::{Run, Stop};
use crate::error::{AppError, ErrorCode};
use crate::ids::PostId;
use crate::post::{Field, Post, PostInput, PostStatus};
use crate::recurrence::{OccurrencePlace, Planned, PlannedStage};

impl Run<'_> {
    /// Changes the posts that are to be changed as their recurrence was.
    pub(super) async fn change_all(&mut self) -> Result<(), Stop> {
        for place in self.at_stage(PlannedStage::Changing) {
            self.hold().await?;
            let Some(one) = self.planned(place).cloned() else { continue };
            if let (Some(id), Some(body)) = (one.post, self.body(&one)) {
                self.change(place, id, one.revision, body).await?;
            }
            if let Some(one) = self.planned(place) {
                one.stage = PlannedStage::Made;
            }
        }
        Ok(())
    }

    async fn change(
        &mut self,
        place: OccurrencePlace,
        id: PostId,
        revision: i64,
        body: PostInput,
    ) -> Result<(), Stop> {
        let body = in_full(body);
        let message = match self.update(id, revision, body.clone()).await {
            Ok(post) => {
                self.changed(place, post);
                return Ok(());
            }
            Err(AppError::Refused(refusal)) if is_changed_by_hand(refusal.code) => return Ok(()),
            // It is too late for it: it goes out as it is.
            Err(AppError::Refused(refusal)) if has_passed(&refusal) => return Ok(()),
            Err(AppError::Refused(refusal)) if is_passing(refusal.code) => {
                return Err(Stop::Failed(refusal.into()));
            }
            Err(AppError::Refused(refusal)) => refusal.message(),
            Err(error) => return Err(Stop::Failed(error)),
        };
        // It must not go out as it was before: it is kept as a draft with what was found.
        let parked = parked(body);
        let kept = match self.update(id, revision, parked.clone()).await {
            Ok(post) => Ok(post),
            Err(_) => self.update(id, revision, self.reachable(parked)).await,
        };
        match kept {
            Ok(post) => {
                self.changed(place, post.clone());
                self.tell(place, message, Some(&post)).await
            }
            Err(AppError::Refused(_)) => self.tell(place, message, None).await,
            Err(error) => Err(Stop::Failed(error)),
        }
    }

    async fn update(&self, id: PostId, revision: i64, body: PostInput) -> Result<Post, AppError> {
        let expected = [revision];
        Box::pin(self.scheduler.update_post(self.caller, id, body, Some(&expected))).await
    }

    fn changed(&mut self, place: OccurrencePlace, post: Post) {
        if let Some(one) = self.planned(place) {
            one.revision = post.revision;
        }
        self.posts.insert(post.id, post);
    }

    /// True when a post that has changed once is what its recurrence was to change it to.
    pub(super) fn is_changed_alike(&self, one: &Planned, post: &Post) -> bool {
        let Some(body) = self.body(one) else { return false };
        let mut changed = post.clone();
        in_full(body).apply_to(&mut changed);
        (&changed.content, &changed.link_url, &changed.media_ids, &changed.annotations)
            == (&post.content, &post.link_url, &post.media_ids, &post.annotations)
    }

    /// Takes the posts back that are not wanted any more: nothing is left of them, so that they can
    /// be made again. Says whether the place of any is free now.
    pub(super) async fn take_back_all(&mut self) -> Result<bool, Stop> {
        let mut is_freed = false;
        for place in self.at_stage(PlannedStage::Removing) {
            self.hold().await?;
            let Some(one) = self.planned(place).cloned() else { continue };
            let Some(id) = one.post else { continue };
            if self.take_back(id, one.revision).await? {
                is_freed = true;
                self.forget(place);
            } else if let Some(one) = self.planned(place) {
                one.stage = PlannedStage::Made;
            }
        }
        Ok(is_freed)
    }

    /// Cancels and removes a post, unless somebody has changed it or it goes out; says whether it is
    /// gone.
    async fn take_back(&mut self, id: PostId, revision: i64) -> Result<bool, Stop> {
        let (scheduler, caller) = (self.scheduler, self.caller);
        let workspace = self.recurrence.workspace_id;
        let mut expected = revision;
        // A scheduled post is cancelled first, and removed then.
        for _ in 0..2 {
            let Some(post) = scheduler.ports().store.post(workspace, id).await? else {
                return Ok(true);
            };
            let is_over = post.targets.iter().any(|target| target.attempts > 0);
            let is_canceled = post.status == PostStatus::Canceled;
            // One whose taking back was broken off is cancelled already.
            let is_begun = is_canceled && post.revision == expected + 1;
            if is_over || (post.revision != expected && !is_begun) {
                self.posts.insert(id, post);
                return Ok(false);
            }
            match scheduler.delete_post(caller, id, Some(&[post.revision])).await {
                Ok(()) => expected = post.revision + 1,
                Err(AppError::Refused(_)) => return Ok(false),
                Err(error) => return Err(Stop::Failed(error)),
            }
        }
        Ok(scheduler.ports().store.post(workspace, id).await?.is_none())
    }
}

/// The same body, which clears what it does not say.
fn in_full(body: PostInput) -> PostInput {
    PostInput {
        link_url: body.link_url.or(Field::Null),
        media_ids: body.media_ids.or(Field::Null),
        alt_texts: body.alt_texts.or(Field::Null),
        disclosure: body.disclosure.or(Field::Null),
        links: body.links.or(Field::Null),
        labels: body.labels.or(Field::Null),
        note: body.note.or(Field::Null),
        metadata: body.metadata.or(Field::Null),
        ..body
    }
}

/// True for the refusals of a post that somebody has changed, or that goes out already.
const fn is_changed_by_hand(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::Stale
            | ErrorCode::NotFound
            | ErrorCode::AlreadyStarted
            | ErrorCode::TargetsLocked
            | ErrorCode::InFlight
    )
}
