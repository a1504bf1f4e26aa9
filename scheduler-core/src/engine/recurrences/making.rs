//! Making the post of an occurrence.

use super::run::{Run, Stop};
use crate::error::{AppError, ErrorCode, Refusal};
use crate::idempotency::{Fingerprint, IdempotencyKey};
use crate::ids::EventId;
use crate::post::{Field, Post, PostInput, PostStatus, TargetInput};
use crate::recurrence::{OccurrenceOf, OccurrencePlace, Planned, PlannedStage, Problem, TextMark};
use crate::timing::format_local;
use crate::webhook::Event;

impl Run<'_> {
    /// Makes the posts that are to be made.
    pub(super) async fn make_all(&mut self) -> Result<(), Stop> {
        for place in self.at_stage(PlannedStage::Making) {
            self.hold().await?;
            let body = self.planned(place).cloned().and_then(|one| self.body(&one));
            match body {
                Some(body) => self.make(place, body).await?,
                None => self.forget(place),
            }
        }
        Ok(())
    }

    async fn make(&mut self, place: OccurrencePlace, body: PostInput) -> Result<(), Stop> {
        let refusal = match self.create(place, body.clone()).await? {
            Ok(post) => {
                self.made += 1;
                return self.made(place, post).await;
            }
            Err(refusal) => refusal,
        };
        if is_passing(refusal.code) {
            return Err(Stop::Failed(refusal.into()));
        }
        if has_passed(&refusal) || refusal.code == ErrorCode::SlotTaken {
            self.forget(place);
            return Ok(());
        }
        // A draft with what was found; without what is missing where that is refused too.
        let message = refusal.message();
        let parked = parked(body);
        let post = match self.create(place, parked.clone()).await? {
            Ok(post) => Ok(post),
            Err(_) => self.create(place, self.reachable(parked)).await?,
        };
        match post {
            Ok(post) => {
                self.posts.insert(post.id, post.clone());
                self.keep(place, &post);
                self.tell(place, message, Some(&post)).await
            }
            Err(_) => {
                let told = self.tell(place, message, None).await;
                self.forget(place);
                told
            }
        }
    }

    async fn create(
        &self,
        place: OccurrencePlace,
        body: PostInput,
    ) -> Result<Result<Post, Refusal>, Stop> {
        let key = IdempotencyKey::stored(self.key_text(place), Some(hash(&body)));
        let created = self.scheduler.create_post(self.caller, body, Some(&key));
        match Box::pin(created).await {
            Ok(created) if self.is_ours(&created.value) => Ok(Ok(created.value)),
            Ok(_) => Ok(Err(Refusal::invalid("Idempotency-Key", KEY_TAKEN))),
            Err(AppError::Refused(refusal)) => Ok(Err(refusal)),
            Err(error) => Err(Stop::Failed(error)),
        }
    }

    /// Notes the post of a place; people are told of one that was kept as a draft before a process
    /// died.
    pub(super) async fn made(&mut self, place: OccurrencePlace, post: Post) -> Result<(), Stop> {
        let is_draft = post.status == PostStatus::Draft;
        self.posts.insert(post.id, post.clone());
        self.keep(place, &post);
        if is_draft {
            return self.tell(place, KEPT.to_owned(), Some(&post)).await;
        }
        Ok(())
    }

    /// Notes the post of a place, and what it was made of: that is not what its recurrence says by
    /// now where it was made by a process that died, and is changed then.
    fn keep(&mut self, place: OccurrencePlace, post: &Post) {
        let Some(mut one) = self.planned(place).cloned() else { return };
        if let Some(of) = &post.occurrence {
            (one.entry, one.text) = (of.entry_id, of.text.clone());
        }
        one.stage = PlannedStage::Made;
        // One that was just made has the first; another one was changed by hand since.
        (one.post, one.revision) = (Some(post.id), FIRST_REVISION);
        let made_of = post.idempotency_key.as_ref().and_then(IdempotencyKey::body);
        one.body = made_of.map(|body| hex::encode(body.0)).unwrap_or_default();
        if let (Some(wanted), Some(made_of)) = (self.body(&one), made_of) {
            // A draft stands for what could not be made as it was meant.
            let parked = parked(wanted.clone());
            if [self.reachable(parked.clone()), parked].iter().any(|body| hash(body) == made_of) {
                one.body = hex::encode(hash(&wanted).0);
            }
        }
        if let Some(kept) = self.planned(place) {
            *kept = one;
        }
    }

    /// True for a post of this recurrence.
    pub(super) fn is_ours(&self, post: &Post) -> bool {
        post.occurrence.as_ref().is_some_and(|of| of.recurrence_id == self.recurrence.id)
    }

    /// Tells people why a post is not as it was meant.
    pub(super) async fn tell(
        &mut self,
        place: OccurrencePlace,
        message: String,
        post: Option<&Post>,
    ) -> Result<(), Stop> {
        let at = self.scheduler.ports().clock.now();
        let Some(one) = self.planned(place) else { return Ok(()) };
        let (due_at, entry_id) = (one.at, one.entry);
        let post_id = post.map(|post| post.id);
        self.progress.problem =
            Some(Problem { at, due_at, entry_id, message: message.clone(), post_id });
        let target = post.and_then(|post| Some((post, post.targets.first()?)));
        let event = target.map(|(post, target)| {
            let id = EventId(self.scheduler.ports().ids.next(at));
            Event::kept_as_draft(id, post, target, message, at)
        });
        self.record(false, event.as_ref()).await?;
        if event.is_some() {
            self.scheduler.ports().wake.wake();
        }
        Ok(())
    }

    /// The key under which the post of a place is made.
    pub(super) fn key_text(&self, place: OccurrencePlace) -> String {
        format!("recurrence/{}/{place}", self.recurrence.id)
    }

    /// What the post of an occurrence is made of, as a hash, with its text: the one that it has,
    /// or another where its entry has that no longer.
    pub(super) fn wanted_body(&self, one: &Planned) -> Option<(TextMark, String)> {
        let body = self.body(one)?;
        let text = TextMark::of(body.content.value().map_or("", String::as_str));
        Some((text, hex::encode(hash(&body).0)))
    }

    /// The body of an occurrence's post; `None` where its entry is gone.
    pub(super) fn body(&self, one: &Planned) -> Option<PostInput> {
        let terms = &self.recurrence.terms;
        let entry = terms.entry(one.entry)?;
        let text = one.text_of(entry).or_else(|| entry.texts().next())?;
        let body = entry.with_text(text);
        let of = OccurrenceOf {
            recurrence_id: self.recurrence.id,
            entry_id: entry.id,
            text: TextMark::of(text),
        };
        let body = PostInput { occurrence: Some(of), ..body };
        Some(match one.place {
            OccurrencePlace::Local(local) => match terms.rule.as_ref().and_then(|rule| rule.zone) {
                Some(zone) => {
                    let at = zone.instant(local).to_rfc3339();
                    PostInput { scheduled_at: at.into(), ..body }
                }
                None => PostInput { scheduled_local: format_local(local).into(), ..body },
            },
            OccurrencePlace::Slot { account, at } => {
                let target = self.planner.target_of(entry, account)?;
                let targets = Field::Value(vec![target.clone().by(account)]);
                PostInput { queue: true.into(), slot: Some(at), targets, ..body }
            }
        })
    }

    /// The same body with what there is: without targets that nobody is connected for, and without
    /// files.
    pub(super) fn reachable(&self, body: PostInput) -> PostInput {
        let targets = body.targets.value().into_iter().flatten();
        let connected = targets.filter(|target| self.planner.reaches(target));
        let bare = connected.map(|target| TargetInput {
            media_ids: Field::Absent,
            files: Field::Absent,
            ..target.clone()
        });
        let targets = Field::Value(bare.collect());
        PostInput { targets, media_ids: Field::Absent, alt_texts: Field::Absent, ..body }
    }
}

/// The same body as a draft.
pub(super) fn parked(body: PostInput) -> PostInput {
    PostInput {
        scheduled_at: Field::Absent,
        scheduled_local: Field::Absent,
        queue: Field::Absent,
        slot: None,
        save_as_draft: true.into(),
        allow_issues: true.into(),
        ..body
    }
}

/// What a body says, as a hash.
fn hash(body: &PostInput) -> Fingerprint {
    Fingerprint::of(&serde_json::to_vec(body).unwrap_or_default())
}

/// True where a draft is refused as well as a post, for a fault that passes.
pub(in crate::engine) const fn is_passing(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::Unavailable
            | ErrorCode::StorageFull
            | ErrorCode::RateLimited
            | ErrorCode::Internal
            | ErrorCode::Unsupported
    )
}

/// True when a post was refused because its time has passed.
pub(super) fn has_passed(refusal: &Refusal) -> bool {
    let field = refusal.field.as_deref();
    refusal.code == ErrorCode::InvalidRequest
        && matches!(field, Some("scheduledAt" | "scheduledLocal"))
}

/// The revision that a post is created with.
const FIRST_REVISION: i64 = 1;

const KEY_TAKEN: &str = "Another post has the key of this one; remove that post.";

const KEPT: &str = "A post that comes again could not be given its time, and was kept as a draft.";
