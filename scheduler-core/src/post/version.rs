//! What a post has said at earlier times, for whoever wants to go back there.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::{Before, Post, json_bytes};
use crate::audit::Actor;
use crate::ids::{PostId, PostVersionId, WorkspaceId};

/// Versions that are kept of a post at most; the oldest go first.
///
/// Source: our decision, 50 steps back and what it says now.
pub const VERSIONS_MAX: usize = 51;

/// Bytes that the versions of a post take at most, as JSON; the oldest go first, but for the newest
/// one.
///
/// Source: our decision, some 20 versions of a post with as much text as it may have.
pub const VERSIONS_MAX_BYTES: usize = 2 << 20;

/// How long what the same person writes goes into one version.
///
/// Source: our decision; a page saves every two seconds while somebody types.
pub const VERSION_SPAN: TimeDelta = TimeDelta::seconds(30);

/// Whether a version takes up what is written next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VersionKind {
    /// What the same person changes soon after goes into it.
    Open,
    /// It stays as it is.
    Closed,
    /// Somebody has written it while another text was stored; the post has never said it.
    Beside,
}

impl VersionKind {
    /// Every kind. Tables in tests run over it.
    pub const ALL: [Self; 3] = [Self::Open, Self::Closed, Self::Beside];
}

/// What a person writes of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PostPart {
    /// The text for all accounts.
    Text,
    /// The texts that accounts have of their own.
    OwnTexts,
    /// The later parts of a thread.
    Thread,
    /// Where it goes.
    Accounts,
    /// Its files, or their order.
    Files,
    /// The descriptions of its files.
    AltTexts,
    /// Settings for networks.
    Options,
    /// The link.
    Link,
    /// Labels.
    Labels,
    /// The note.
    Note,
    /// What it tells of how it came about.
    Disclosure,
    /// What programs have written down.
    Metadata,
}

/// What a post said at some time.
#[derive(Clone, Debug, PartialEq)]
pub struct PostVersion {
    /// Its id, a UUID v7 of when it was stored.
    pub id: PostVersionId,
    /// The post.
    pub post_id: PostId,
    /// Its workspace.
    pub workspace_id: WorkspaceId,
    /// When it was begun.
    pub began_at: DateTime<Utc>,
    /// When it was written last.
    pub at: DateTime<Utc>,
    /// Who has written it; `None` where that is not known any more.
    pub by: Option<Actor>,
    /// Whether it takes up what is written next.
    pub kind: VersionKind,
    /// What the post said.
    pub content: Before,
}

/// What becomes of the versions of a post when it is saved.
#[derive(Clone, Debug, PartialEq)]
pub struct NewVersion {
    /// What is to be kept.
    pub version: PostVersion,
    /// What goes for it.
    pub replaced: Vec<PostVersionId>,
}

impl PostVersion {
    /// What a post says now.
    #[must_use]
    pub fn of(id: PostVersionId, post: &Post, by: Option<Actor>, kind: VersionKind) -> Self {
        Self {
            id,
            post_id: post.id,
            workspace_id: post.workspace_id,
            began_at: post.updated_at,
            at: post.updated_at,
            by,
            kind,
            content: Before::of(post),
        }
    }

    /// What is kept of a post that was saved, beside its versions so far, newest first. `None`
    /// where it says what it said.
    #[must_use]
    pub fn follow(mut self, versions: &[Self]) -> Option<NewVersion> {
        let said = versions.iter().find(|version| version.kind != VersionKind::Beside);
        let says_the_same = |one: &Self| one.content.parts_changed(&self.content).is_empty();
        let is_kept = match self.kind {
            VersionKind::Beside => {
                versions.iter().any(|one| one.kind == VersionKind::Beside && says_the_same(one))
            }
            VersionKind::Open | VersionKind::Closed => said.is_some_and(says_the_same),
        };
        if is_kept {
            return None;
        }
        let goes_on = |last: &&Self| {
            let same = |one: &Actor| (one.kind, one.id);
            last.kind == VersionKind::Open
                && self.kind == VersionKind::Open
                && last.by.as_ref().map(same) == self.by.as_ref().map(same)
                && self.at - last.began_at < VERSION_SPAN
        };
        let mut replaced = Vec::new();
        if let Some(last) = versions.first().filter(goes_on) {
            self.began_at = last.began_at;
            replaced.push(last.id);
        }
        let kept = versions.iter().filter(|version| !replaced.contains(&version.id));
        let (mut count, mut bytes) = (1, json_bytes(&self.content));
        let mut gone = Vec::new();
        for version in kept {
            (count, bytes) = (count + 1, bytes + json_bytes(&version.content));
            if count > VERSIONS_MAX || bytes > VERSIONS_MAX_BYTES {
                gone.push(version.id);
            }
        }
        replaced.extend(gone);
        Some(NewVersion { version: self, replaced })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::audit::ActorKind;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    fn version(
        number: u128,
        content: &str,
        second: i64,
        who: u128,
        kind: VersionKind,
    ) -> PostVersion {
        let nil = Uuid::nil();
        let post = Post {
            content: content.to_owned(),
            updated_at: at(second),
            ..Post::new(PostId(nil), WorkspaceId(nil), at(0))
        };
        let by = Actor::new(ActorKind::Session, Some(Uuid::from_u128(who)), None);
        PostVersion::of(PostVersionId(Uuid::from_u128(number)), &post, Some(by), kind)
    }

    #[test]
    fn what_is_written_at_a_stretch_is_one_version() {
        use VersionKind::{Beside, Closed, Open};
        let last = |kind| vec![version(1, "one", 0, 7, kind)];
        let first = vec![PostVersionId(Uuid::from_u128(1))];
        for (name, before, new, want) in [
            ("the first", vec![], version(2, "two", 5, 7, Open), Some((5, vec![]))),
            ("soon after", last(Open), version(2, "two", 29, 7, Open), Some((0, first))),
            ("later", last(Open), version(2, "two", 30, 7, Open), Some((30, vec![]))),
            ("another", last(Open), version(2, "two", 5, 8, Open), Some((5, vec![]))),
            ("after a press", last(Closed), version(2, "two", 5, 7, Open), Some((5, vec![]))),
            ("beside it", last(Open), version(2, "two", 5, 7, Beside), Some((5, vec![]))),
            ("the same", last(Open), version(2, "one", 5, 7, Open), None),
            ("the same beside", last(Open), version(2, "one", 5, 7, Beside), Some((5, vec![]))),
        ] {
            let made = new.follow(&before);
            let told = made.map(|made| (made.version.began_at, made.replaced));
            assert_eq!(told, want.map(|(second, gone)| (at(second), gone)), "{name}");
        }
    }

    #[test]
    fn versions_are_bounded_by_number_and_size() {
        let many: Vec<PostVersion> = (0..VERSIONS_MAX as u128 + 1)
            .map(|number| version(number, &number.to_string(), 0, 7, VersionKind::Closed))
            .collect();
        let made = version(99, "new", 1, 7, VersionKind::Closed).follow(&many).unwrap();
        let gone: Vec<u128> = made.replaced.iter().map(|id| id.0.as_u128()).collect();
        let kept = VERSIONS_MAX as u128 - 1;
        assert_eq!(gone, [kept, kept + 1], "the oldest");

        let large = "x".repeat(VERSIONS_MAX_BYTES / 2);
        let many = [0, 1, 2].map(|number| version(number, &large, 0, 7, VersionKind::Closed));
        let made = version(99, &"y".repeat(VERSIONS_MAX_BYTES), 1, 7, VersionKind::Closed);
        assert_eq!(made.follow(&many).unwrap().replaced.len(), 3, "the new one stays");
    }

    #[test]
    fn what_has_changed_is_named() {
        use crate::ids::{AccountId, MediaId, TargetId};
        use crate::platform::Platform;
        use crate::target::Target;

        let nil = Uuid::nil();
        let target = |options: serde_json::Value| {
            let options = options.as_object().cloned().unwrap_or_default();
            let (id, account) = (TargetId(nil), AccountId(nil));
            Target::new(id, Platform::Bluesky, account, options, None, None)
        };
        let with = |change: &dyn Fn(&mut Post)| {
            let mut post = Post::new(PostId(nil), WorkspaceId(nil), at(0));
            post.targets = vec![target(serde_json::json!({}))];
            change(&mut post);
            Before::of(&post)
        };
        let before = with(&|_| {});
        for (part, after) in [
            (PostPart::Text, with(&|post| post.content = "a".to_owned())),
            (
                PostPart::OwnTexts,
                with(&|post| post.targets = vec![target(serde_json::json!({"caption": "a"}))]),
            ),
            (
                PostPart::Thread,
                with(&|post| post.targets = vec![target(serde_json::json!({"thread": ["a"]}))]),
            ),
            (
                PostPart::Options,
                with(&|post| post.targets = vec![target(serde_json::json!({"languages": ["en"]}))]),
            ),
            (PostPart::Accounts, with(&|post| post.targets.clear())),
            (PostPart::Files, with(&|post| post.media_ids = vec![MediaId(nil)])),
            (
                PostPart::Files,
                with(&|post| post.targets[0].files.media_ids = Some(vec![MediaId(nil)])),
            ),
            (PostPart::AltTexts, with(&|post| post.alt_texts = vec![None])),
            (PostPart::Link, with(&|post| post.link_url = Some(String::new()))),
            (PostPart::Labels, with(&|post| post.annotations.labels = vec![String::new()])),
            (PostPart::Note, with(&|post| post.annotations.note = Some(String::new()))),
        ] {
            assert_eq!(before.parts_changed(&after), [part]);
            assert_eq!(
                before.of_post(&Post::new(PostId(nil), WorkspaceId(nil), at(0))).targets.len(),
                1
            );
        }
        let moved = with(&|post| post.targets[0].reschedule(Some(at(9)), None));
        assert_eq!(before.parts_changed(&moved), [], "a time is nothing that is written");
    }
}
