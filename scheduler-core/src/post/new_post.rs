//! A post as a program writes it.

use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};

use super::{Field, PostInput, TargetInput};
use crate::ids::MediaId;
use crate::platform::Disclosure;
use crate::timing::{Timing, format_local};

/// A post to be created or checked, put together step by step: what it says, where it goes, and
/// when.
///
/// It becomes the [`PostInput`] of a create and the
/// [`CheckInput`](crate::app::CheckInput) of a dry run. Of the ways to say when, the last one
/// counts; a create without one is refused.
///
/// ```
/// use scheduler_core::app::CheckInput;
/// use scheduler_core::platform::Platform;
/// use scheduler_core::platform::mastodon::Mastodon;
/// use scheduler_core::post::{NewPost, PostInput};
///
/// let post = NewPost::text("Good morning")
///     .link("https://example.com/")
///     .to(Platform::Bluesky)
///     .to(Mastodon { spoiler_text: Some("Breakfast".to_owned()), ..Mastodon::default() })
///     .at("2026-12-01T09:00:00Z".parse()?);
/// assert!(CheckInput::from(post.clone()).check_by_sheets().unwrap().ok);
/// let body = serde_json::to_value(PostInput::from(post))?;
/// assert_eq!(body["scheduledAt"], "2026-12-01T09:00:00Z");
/// assert_eq!(body["targets"][1]["options"]["spoilerText"], "Breakfast");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewPost {
    input: PostInput,
}

impl NewPost {
    /// A post with this text, which all its targets share.
    #[must_use]
    pub fn text(content: impl Into<String>) -> Self {
        let content = Field::Value(content.into());
        Self { input: PostInput { content, ..PostInput::default() } }
    }

    /// The same with a link.
    #[must_use]
    pub fn link(mut self, url: impl Into<String>) -> Self {
        self.input.link_url = Field::Value(url.into());
        self
    }

    /// The same with one more uploaded file, and what it shows for those who do not see it.
    #[must_use]
    pub fn file(mut self, id: MediaId, alt_text: Option<String>) -> Self {
        let mut ids = self.input.media_ids.or_current(None).unwrap_or_default();
        let mut texts = self.input.alt_texts.or_current(None).unwrap_or_default();
        ids.push(id);
        texts.push(alt_text);
        (self.input.media_ids, self.input.alt_texts) = (ids.into(), texts.into());
        self
    }

    /// The same, which tells this of how it came about.
    #[must_use]
    pub fn disclosing(mut self, disclosure: Disclosure) -> Self {
        self.input.disclosure = disclosure.into();
        self
    }

    /// The same with one more target: a network, its typed options, or a [`TargetInput`].
    #[must_use]
    pub fn to(mut self, target: impl Into<TargetInput>) -> Self {
        let mut targets = self.input.targets.or_current(None).unwrap_or_default();
        targets.push(target.into());
        self.input.targets = targets.into();
        self
    }

    /// Goes out at this instant on every target.
    #[must_use]
    pub fn at(self, instant: DateTime<Utc>) -> Self {
        self.timed(Timing::At(instant))
    }

    /// Goes out at this wall-clock time in the zone of each account; seconds do not count.
    #[must_use]
    pub fn local(self, local: NaiveDateTime) -> Self {
        self.timed(Timing::Local(local))
    }

    /// Goes out in the next free slot of each account.
    #[must_use]
    pub fn queue(self) -> Self {
        self.timed(Timing::NextSlot)
    }

    /// Goes out at this instant, which is the slot of each account that has one then.
    #[must_use]
    pub fn slot(self, at: DateTime<Utc>) -> Self {
        self.timed(Timing::Slot(at))
    }

    /// Goes out at once.
    #[must_use]
    pub fn now(self) -> Self {
        self.timed(Timing::Now)
    }

    /// Stays a draft.
    #[must_use]
    pub fn draft(self) -> Self {
        self.timed(Timing::Draft)
    }

    fn timed(self, timing: Timing) -> Self {
        let mut input = PostInput {
            scheduled_at: Field::Absent,
            scheduled_local: Field::Absent,
            queue: Field::Absent,
            slot: None,
            publish_now: Field::Absent,
            save_as_draft: Field::Absent,
            ..self.input
        };
        match timing {
            Timing::At(at) => {
                input.scheduled_at = at.to_rfc3339_opts(SecondsFormat::AutoSi, true).into();
            }
            Timing::Local(local) => input.scheduled_local = format_local(local).into(),
            Timing::NextSlot => input.queue = true.into(),
            Timing::Slot(at) => (input.queue, input.slot) = (true.into(), Some(at)),
            Timing::Now => input.publish_now = true.into(),
            Timing::Draft => input.save_as_draft = true.into(),
        }
        Self { input }
    }
}

impl From<NewPost> for PostInput {
    fn from(post: NewPost) -> Self {
        post.input
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::app::CheckInput;
    use crate::ids::AccountId;
    use crate::platform::Platform;

    #[test]
    fn the_last_way_to_say_when_counts() {
        let now: DateTime<Utc> = "2026-12-01T08:00:00Z".parse().unwrap();
        let at: DateTime<Utc> = "2026-12-01T09:00:00.000250Z".parse().unwrap();
        let local = "2026-12-01T09:00:00".parse().unwrap();
        let post = NewPost::text("Hi").to(Platform::Bluesky);
        for (post, want) in [
            (post.clone().draft().at(at), Timing::At(at)),
            (post.clone().at(at).local(local), Timing::Local(local)),
            (post.clone().local(local).queue(), Timing::NextSlot),
            (post.clone().queue().slot(at), Timing::Slot(at)),
            (post.clone().slot(at).queue(), Timing::NextSlot),
            (post.clone().queue().now(), Timing::Now),
            (post.clone().now().draft(), Timing::Draft),
        ] {
            let input = PostInput::from(post);
            assert_eq!(Timing::parse(&input.timing(), now), Ok(Some(want)), "{input:?}");
        }
        let input = PostInput::from(post);
        assert_eq!(Timing::parse(&input.timing(), now), Ok(None));
    }

    #[test]
    fn it_is_the_body_that_somebody_would_write() {
        let (media, account) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let post = NewPost::text("Hi")
            .link("https://a.example/")
            .file(MediaId(media), Some("A cake".to_owned()))
            .file(MediaId(account), None)
            .to(TargetInput::from(Platform::Threads).by(AccountId(account)))
            .queue();
        let body = serde_json::json!({
            "content": "Hi",
            "linkUrl": "https://a.example/",
            "mediaIds": [media, account],
            "altTexts": ["A cake", null],
            "queue": true,
            "targets": [{"platform": "threads", "accountId": account}],
        });
        let input: PostInput = serde_json::from_value(body.clone()).unwrap();
        assert_eq!(PostInput::from(post.clone()), input);
        assert_eq!(serde_json::to_value(&input).unwrap(), body);
        let check: CheckInput = input.into();
        assert_eq!(check, CheckInput::from(post));
        assert_eq!(check.media_ids.map(|ids| ids.len()), Some(2));
    }
}
