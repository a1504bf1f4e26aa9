//! How a file changes, decided without asking anybody.

use chrono::{DateTime, TimeDelta, Utc};

use super::{Media, MediaEvent, MediaFacts, MediaStatus, Transfer};
use crate::error::{MediaRefusal, Refusal};

/// How long an upload may take before it is given up.
///
/// Source: our decision on uploads that are not finished.
pub const UPLOAD_TIMEOUT: TimeDelta = TimeDelta::hours(24);

/// How long a signed link lives.
///
/// Source: our decision on signed addresses.
pub const LINK_LIFETIME: TimeDelta = TimeDelta::hours(1);

/// What was found of a file whose upload a caller calls finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrived {
    /// Nothing.
    Nothing,
    /// So many bytes.
    Bytes(u64),
}

impl Media {
    /// The file once its upload is finished.
    ///
    /// `None` when that was known before: it changes nothing.
    ///
    /// ```
    /// use scheduler_core::ids::{MediaId, WorkspaceId};
    /// use scheduler_core::media::{Arrived, Media, MediaKind, MediaStatus, Transfer};
    /// use uuid::Uuid;
    ///
    /// let now = "2026-11-21T12:00:00Z".parse()?;
    /// let (id, workspace) = (MediaId(Uuid::nil()), WorkspaceId(Uuid::nil()));
    /// let declared = Media {
    ///     size_bytes: Some(1_000),
    ///     ..Media::declared(id, workspace, MediaKind::Image, Transfer::Single, now)
    /// };
    /// assert!(declared.confirmed(Arrived::Bytes(999), now).is_err(), "a byte is missing");
    /// let arrived = declared.confirmed(Arrived::Bytes(1_000), now).unwrap().unwrap();
    /// assert_eq!(arrived.status, MediaStatus::Processing);
    /// # Ok::<(), chrono::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// `media_unusable` when bytes are missing or of another size, when it was given up or
    /// deleted, or when the server fetches it.
    pub fn confirmed(&self, arrived: Arrived, now: DateTime<Utc>) -> Result<Option<Self>, Refusal> {
        match self.status {
            MediaStatus::Processing | MediaStatus::Ready => return Ok(None),
            MediaStatus::AwaitingUpload => {}
            MediaStatus::Ingesting => {
                return Err(MediaRefusal::Fetched.into());
            }
            MediaStatus::Failed => return Err(MediaRefusal::Failed(self.reason()).into()),
            MediaStatus::Deleted => return Err(MediaRefusal::Deleted.into()),
        }
        match (arrived, self.size_bytes) {
            (Arrived::Nothing, _) => Err(MediaRefusal::NothingArrived.into()),
            (Arrived::Bytes(found), Some(declared)) if found != declared => {
                Err(MediaRefusal::WrongSize { found, declared }.into())
            }
            (Arrived::Bytes(found), _) => Ok(Some(self.arrived(found, now))),
        }
    }

    /// Refuses a file that is not ready.
    ///
    /// # Errors
    /// `media_unusable`, saying whether to wait.
    pub(crate) fn refuse_unready(&self) -> Result<(), Refusal> {
        match self.status {
            MediaStatus::Ready => Ok(()),
            MediaStatus::Failed => Err(MediaRefusal::Failed(self.reason()).into()),
            MediaStatus::Deleted => Err(MediaRefusal::Deleted.into()),
            MediaStatus::AwaitingUpload | MediaStatus::Ingesting | MediaStatus::Processing => {
                Err(MediaRefusal::NotReady.into())
            }
        }
    }

    /// Why it can never be used, in a sentence for a person; `None` where it can, or may once.
    pub(super) fn failure(&self) -> Option<String> {
        match self.status {
            MediaStatus::Failed => Some(self.reason()),
            MediaStatus::Deleted => Some("It was deleted.".to_owned()),
            MediaStatus::AwaitingUpload
            | MediaStatus::Ingesting
            | MediaStatus::Processing
            | MediaStatus::Ready => None,
        }
    }

    /// Why it has failed.
    fn reason(&self) -> String {
        self.error.clone().unwrap_or_else(|| "It was given up.".to_owned())
    }

    /// The file once all its bytes are here.
    #[must_use]
    pub fn arrived(&self, size_bytes: u64, now: DateTime<Utc>) -> Self {
        Self {
            size_bytes: Some(size_bytes),
            due_at: Some(now),
            tries: 0,
            ..self.moved(MediaEvent::BytesArrived)
        }
    }

    /// The file once it was examined: what was measured takes the place of what was declared.
    ///
    /// Of an upload in one piece, what the link brings from now on is removed when it has ended.
    #[must_use]
    pub fn examined(&self, facts: &MediaFacts, has_preview: bool) -> Self {
        let is_single = self.transfer == Transfer::Single;
        Self {
            kind: facts.kind,
            mime_type: facts.mime_type.clone(),
            size_bytes: facts.size_bytes.or(self.size_bytes),
            duration_seconds: facts.duration_seconds,
            fps: facts.fps,
            width: facts.width,
            height: facts.height,
            video_codec: facts.video_codec,
            frame_count: facts.frame_count,
            has_preview,
            due_at: is_single.then(|| self.last_link_end()),
            tries: 0,
            ..self.moved(MediaEvent::Examined)
        }
    }

    /// The file once trying has stopped; its bytes are removed at once.
    #[must_use]
    pub fn given_up(&self, reason: impl Into<String>, now: DateTime<Utc>) -> Self {
        Self {
            error: Some(reason.into()),
            due_at: Some(now),
            tries: 0,
            ..self.moved(MediaEvent::GaveUp)
        }
    }

    /// The file once a person has deleted it; its bytes are removed at once.
    #[must_use]
    pub fn deleted(&self, now: DateTime<Utc>) -> Self {
        Self { has_preview: false, due_at: Some(now), tries: 0, ..self.moved(MediaEvent::Deleted) }
    }

    /// The file once its bytes were removed; they are removed twice.
    ///
    /// What is on its way while they are removed would bring some of them back: an upload to a
    /// link that still lives, or a worker that has lost its claim. Neither lives until the second
    /// time.
    #[must_use]
    pub fn erased(&self, now: DateTime<Utc>) -> Self {
        let is_second = self.tries > 0;
        let due_at = (!is_second).then(|| now + UPLOAD_TIMEOUT + LINK_LIFETIME);
        Self { due_at, has_preview: false, tries: 1, ..self.clone() }
    }

    /// When the last link to send its bytes has ended.
    #[must_use]
    pub fn last_link_end(&self) -> DateTime<Utc> {
        self.created_at + UPLOAD_TIMEOUT + LINK_LIFETIME
    }

    /// The same file in the state that an event brings; as it is where the event brings none.
    fn moved(&self, event: MediaEvent) -> Self {
        let status = self.status.transition(event).unwrap_or(self.status);
        Self { status, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::super::MediaKind;
    use super::*;
    use crate::ids::{MediaId, WorkspaceId};

    #[test]
    fn the_rules_learn_why_a_file_can_never_be_used() {
        let now = DateTime::UNIX_EPOCH;
        let (id, workspace) = (MediaId(Uuid::nil()), WorkspaceId(Uuid::nil()));
        let declared = Media::declared(id, workspace, MediaKind::Image, Transfer::Single, now);
        let failed = declared.given_up("This is not a picture.", now);
        let unexplained = Media { error: None, ..failed.clone() };
        for (name, media, want) in [
            ("awaits its bytes", declared.clone(), None),
            ("failed", failed.clone(), Some("This is not a picture.")),
            ("failed without a reason", unexplained, Some("It was given up.")),
            ("deleted", declared.deleted(now), Some("It was deleted.")),
            ("deleted after it has failed", failed.deleted(now), Some("It was deleted.")),
        ] {
            let facts = media.facts();
            assert!(!facts.ready, "{name}");
            assert_eq!(facts.failure.as_deref(), want, "{name}");
        }
        let ready = Media { status: MediaStatus::Ready, ..declared }.facts();
        assert_eq!((ready.ready, ready.failure), (true, None));
    }
}
