//! Taking back the last change that a caller made of a post.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::decide::{is_withheld, place, planned_at, reset_approval};
use super::{Annotations, AskedTiming, Post, PostEvent, PostPart, PostStatus};
use crate::error::{NotFound, PostRefusal, Refusal};
use crate::ids::{AccountId, MediaId, PostId, TargetId, WorkspaceId};
use crate::links::{LinkChange, LinkRules};
use crate::platform::{CAPTION, Disclosure, Platform, THREAD};
use crate::target::{Target, TargetFiles};

/// How long a change can be taken back.
///
/// Source: our decision.
pub const UNDO_WITHIN: TimeDelta = TimeDelta::minutes(10);

/// What a caller made of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It says something else, goes elsewhere, or at another time.
    Edited,
    /// It does not go out any more.
    Canceled,
}

impl ChangeKind {
    /// Every kind. Tables in tests run over it.
    pub const ALL: [Self; 2] = [Self::Edited, Self::Canceled];
}

/// The last change of a post, and what the post was before.
#[derive(Clone, Debug, PartialEq)]
pub struct LastChange {
    /// The post.
    pub post_id: PostId,
    /// Its workspace.
    pub workspace_id: WorkspaceId,
    /// When it was changed.
    pub at: DateTime<Utc>,
    /// The revision that the change has made.
    pub revision: i64,
    /// What was done.
    pub kind: ChangeKind,
    /// What it was before.
    pub before: Before,
}

/// What a caller can change of a post that has not begun to go out, as it was before a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Before {
    content: String,
    link_url: Option<String>,
    media_ids: Vec<MediaId>,
    alt_texts: Vec<Option<String>>,
    disclosure: Disclosure,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    links: Option<LinkRules>,
    annotations: Annotations,
    timing: AskedTiming,
    unfinished: bool,
    targets: Vec<TargetBefore>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetBefore {
    id: TargetId,
    platform: Platform,
    account_id: AccountId,
    options: Map<String, Value>,
    files: TargetFiles,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    links: Vec<LinkChange>,
    due_at: Option<DateTime<Utc>>,
    slot_at: Option<DateTime<Utc>>,
}

impl Before {
    pub(crate) fn of(post: &Post) -> Self {
        let target = |target: &Target| TargetBefore {
            id: target.id,
            platform: target.platform,
            account_id: target.account_id,
            options: target.options.clone(),
            files: target.files.clone(),
            links: target.links.clone(),
            due_at: planned_at(post, target),
            slot_at: target.slot_at(),
        };
        Self {
            content: post.content.clone(),
            link_url: post.link_url.clone(),
            media_ids: post.media_ids.clone(),
            alt_texts: post.alt_texts.clone(),
            disclosure: post.disclosure,
            links: post.links.clone(),
            annotations: post.annotations.clone(),
            timing: post.timing,
            unfinished: post.unfinished,
            targets: post.targets.iter().map(target).collect(),
        }
    }

    /// What differs in the content of another, of what a person writes: not the times.
    #[must_use]
    pub fn parts_changed(&self, after: &Self) -> Vec<PostPart> {
        let options = |of: &Self,
                       has: fn(&str) -> bool|
         -> BTreeMap<AccountId, Vec<(String, Value)>> {
            let of_target = |target: &TargetBefore| {
                let options = target.options.iter().filter(|(key, _)| has(key));
                let options = options.map(|(key, value)| (key.clone(), value.clone())).collect();
                (target.account_id, options)
            };
            let given = of.targets.iter().map(of_target);
            given.filter(|(_, options): &(_, Vec<_>)| !options.is_empty()).collect()
        };
        let differ = |has: fn(&str) -> bool| options(self, has) != options(after, has);
        let accounts = |of: &Self| -> BTreeSet<AccountId> {
            of.targets.iter().map(|target| target.account_id).collect()
        };
        let files = |of: &Self| -> (Vec<MediaId>, BTreeMap<AccountId, TargetFiles>) {
            let own = of.targets.iter().map(|target| (target.account_id, target.files.clone()));
            let own = own.filter(|(_, files)| *files != TargetFiles::default()).collect();
            (of.media_ids.clone(), own)
        };
        let (was, is) = (&self.annotations, &after.annotations);
        let looked = [
            (PostPart::Text, self.content != after.content),
            (PostPart::OwnTexts, differ(|key| key == CAPTION.key)),
            (PostPart::Thread, differ(|key| key == THREAD.key)),
            (PostPart::Accounts, accounts(self) != accounts(after)),
            (PostPart::Files, files(self) != files(after)),
            (PostPart::AltTexts, self.alt_texts != after.alt_texts),
            (PostPart::Options, differ(|key| key != CAPTION.key && key != THREAD.key)),
            (PostPart::Link, (&self.link_url, &self.links) != (&after.link_url, &after.links)),
            (PostPart::Labels, was.labels != is.labels),
            (PostPart::Note, was.note != is.note),
            (PostPart::Disclosure, self.disclosure != after.disclosure),
            (PostPart::Metadata, was.metadata != is.metadata),
        ];
        looked.into_iter().filter_map(|(part, differs)| differs.then_some(part)).collect()
    }

    /// A post as it was, with the times that it has now.
    #[must_use]
    pub fn of_post(&self, current: &Post) -> Post {
        let was = self.clone();
        Post {
            targets: self.targets(),
            content: was.content,
            link_url: was.link_url,
            media_ids: was.media_ids,
            alt_texts: was.alt_texts,
            disclosure: was.disclosure,
            links: was.links,
            annotations: was.annotations,
            ..current.clone()
        }
    }

    fn targets(&self) -> Vec<Target> {
        let target = |was: &TargetBefore| Target {
            files: was.files.clone(),
            links: was.links.clone(),
            ..Target::new(
                was.id,
                was.platform,
                was.account_id,
                was.options.clone(),
                was.due_at,
                was.slot_at,
            )
        };
        self.targets.iter().map(target).collect()
    }
}

impl LastChange {
    /// What a save makes of a post, where it can be taken back: a caller has edited or canceled a
    /// post of which nothing had begun to go out.
    #[must_use]
    pub fn of(before: &Post, after: &Post) -> Option<Self> {
        let kind = match (before.status, after.status) {
            (PostStatus::Draft | PostStatus::Scheduled, PostStatus::Canceled) => {
                ChangeKind::Canceled
            }
            (
                PostStatus::Draft | PostStatus::Scheduled,
                PostStatus::Draft | PostStatus::Scheduled,
            ) => ChangeKind::Edited,
            _ => return None,
        };
        let was = Before::of(before);
        let is_changed = kind == ChangeKind::Canceled || was != Before::of(after);
        let is_of_caller = after.revision > before.revision;
        (is_changed && is_of_caller).then_some(Self {
            post_id: after.id,
            workspace_id: after.workspace_id,
            at: after.updated_at,
            revision: after.revision,
            kind,
            before: was,
        })
    }

    /// Until when it can be taken back.
    #[must_use]
    pub fn until(&self) -> DateTime<Utc> {
        self.at + UNDO_WITHIN
    }

    /// The post as it was before, with a revision of its own. It is a draft where its time has
    /// passed meanwhile, unless a client has yet to approve it.
    ///
    /// # Errors
    /// `not_found` when it was changed again, or the ten minutes are over; `already_started` when
    /// it has begun to go out.
    pub fn undo(&self, current: &Post, now: DateTime<Utc>) -> Result<Post, Refusal> {
        match current.status {
            PostStatus::Draft | PostStatus::Scheduled | PostStatus::Canceled => {}
            PostStatus::Publishing | PostStatus::Done => return Err(PostRefusal::Started.into()),
        }
        if current.revision != self.revision || now > self.until() {
            return Err(NotFound::Change.into());
        }
        let was = self.before.clone();
        let targets = was.targets();
        let mut post = Post {
            content: was.content,
            link_url: was.link_url,
            media_ids: was.media_ids,
            alt_texts: was.alt_texts,
            disclosure: was.disclosure,
            links: was.links,
            annotations: was.annotations,
            timing: was.timing,
            unfinished: was.unfinished,
            ..current.clone()
        };
        if post.status == PostStatus::Canceled {
            let refused = |refused| Refusal::from(PostRefusal::NoSuchMove(refused));
            post.status = post.status.transition(PostEvent::Restored).map_err(refused)?;
            post.scheduled_at = None;
        }
        place(&mut post, targets)?;
        reset_approval(current, &mut post);
        let has_passed = |target: &Target| {
            target.due_at().is_some_and(|at| at < now) && !is_withheld(&post, target)
        };
        if post.targets.iter().any(has_passed) {
            let mut targets = std::mem::take(&mut post.targets);
            targets.iter_mut().for_each(|target| target.reschedule(None, None));
            post.timing = AskedTiming::Draft;
            place(&mut post, targets)?;
        }
        post.touch(now);
        Ok(post)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::error::ErrorCode;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    fn post(status: PostStatus) -> Post {
        let nil = Uuid::nil();
        Post { status, ..Post::new(PostId(nil), WorkspaceId(nil), at(0)) }
    }

    #[test]
    fn what_a_save_makes_of_every_pair_of_statuses() {
        use PostStatus::{Canceled, Draft, Scheduled};
        for (before, after) in
            PostStatus::ALL.into_iter().flat_map(|one| PostStatus::ALL.map(|other| (one, other)))
        {
            let want = match (before, after) {
                (Draft | Scheduled, Canceled) => Some(ChangeKind::Canceled),
                (Draft | Scheduled, Draft | Scheduled) => Some(ChangeKind::Edited),
                _ => None,
            };
            let content = "another".to_owned();
            let changed = Post { content, revision: 2, updated_at: at(5), ..post(after) };
            let made = LastChange::of(&post(before), &changed);
            let told = made.as_ref().map(|change| (change.kind, change.at, change.revision));
            assert_eq!(told, want.map(|kind| (kind, at(5), 2)), "{before:?} to {after:?}");
        }
        let [draft, later] = [1, 2].map(|revision| Post { revision, ..post(Draft) });
        assert_eq!(LastChange::of(&draft, &later), None, "nothing is another");
        let of_engine = Post { content: "another".to_owned(), ..draft.clone() };
        assert_eq!(LastChange::of(&draft, &of_engine), None, "no caller has changed it");
    }

    #[test]
    fn what_is_not_taken_back() {
        let was = post(PostStatus::Draft);
        let changed = |status| {
            let content = "another".to_owned();
            Post { content, revision: 2, updated_at: at(0), ..post(status) }
        };
        let change = LastChange::of(&was, &changed(PostStatus::Draft)).unwrap();
        let last = UNDO_WITHIN.num_seconds();
        for (name, status, revision, second, want) in [
            ("in time", PostStatus::Draft, 2, last, None),
            ("too late", PostStatus::Draft, 2, last + 1, Some(ErrorCode::NotFound)),
            ("changed since", PostStatus::Draft, 3, 1, Some(ErrorCode::NotFound)),
            ("going out", PostStatus::Publishing, 2, 1, Some(ErrorCode::AlreadyStarted)),
            ("done", PostStatus::Done, 2, 1, Some(ErrorCode::AlreadyStarted)),
        ] {
            let current = Post { revision, ..changed(status) };
            let undone = change.undo(&current, at(second));
            assert_eq!(undone.as_ref().err().map(|refusal| refusal.code), want, "{name}");
            assert!(undone.is_err() || undone.unwrap().content == was.content, "{name}");
        }
    }
}
