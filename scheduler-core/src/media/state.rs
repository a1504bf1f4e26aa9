//! The states of a file and the only moves between them.

use serde::{Deserialize, Serialize};

/// How far a file has come.
///
/// Source: interface description, Media.status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MediaStatus {
    /// Declared; its bytes are to come within 24 hours.
    AwaitingUpload,
    /// The server fetches it.
    Ingesting,
    /// It is being examined.
    Processing,
    /// It can be used.
    Ready,
    /// It cannot be used; `error` says why.
    Failed,
    /// Its bytes are gone, the record stays.
    Deleted,
}

impl MediaStatus {
    /// Every status, in the order of the interface description. Tables in tests run over it.
    pub const ALL: [Self; 6] = [
        Self::AwaitingUpload,
        Self::Ingesting,
        Self::Processing,
        Self::Ready,
        Self::Failed,
        Self::Deleted,
    ];

    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AwaitingUpload => "awaiting_upload",
            Self::Ingesting => "ingesting",
            Self::Processing => "processing",
            Self::Ready => "ready",
            Self::Failed => "failed",
            Self::Deleted => "deleted",
        }
    }

    /// The status after `event`.
    ///
    /// ```
    /// use scheduler_core::media::{MediaEvent, MediaStatus};
    /// let arrived = MediaStatus::AwaitingUpload.transition(MediaEvent::BytesArrived);
    /// assert_eq!(arrived, Ok(MediaStatus::Processing));
    /// assert!(MediaStatus::Deleted.transition(MediaEvent::Examined).is_err());
    /// ```
    ///
    /// # Errors
    /// [`MediaRefused`] for every pair that is not a move of the interface description.
    pub const fn transition(self, event: MediaEvent) -> Result<Self, MediaRefused> {
        match (self, event) {
            (Self::AwaitingUpload | Self::Ingesting, MediaEvent::BytesArrived) => {
                Ok(Self::Processing)
            }
            (Self::Processing, MediaEvent::Examined) => Ok(Self::Ready),
            (Self::AwaitingUpload | Self::Ingesting | Self::Processing, MediaEvent::GaveUp) => {
                Ok(Self::Failed)
            }
            (
                Self::AwaitingUpload
                | Self::Ingesting
                | Self::Processing
                | Self::Ready
                | Self::Failed,
                MediaEvent::Deleted,
            ) => Ok(Self::Deleted),
            (from, event) => Err(MediaRefused { from, event }),
        }
    }
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MediaEvent {
    /// All bytes are stored.
    BytesArrived,
    /// It was examined and found good.
    Examined,
    /// It was found bad, or never arrived.
    GaveUp,
    /// A person deleted it.
    Deleted,
}

impl MediaEvent {
    /// Every event. Tables in tests run over it.
    pub const ALL: [Self; 4] = [Self::BytesArrived, Self::Examined, Self::GaveUp, Self::Deleted];
}

/// A move that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a file that is {from:?} takes no {event:?}")]
pub struct MediaRefused {
    /// The status it has.
    pub from: MediaStatus,
    /// What was asked of it.
    pub event: MediaEvent,
}

#[cfg(test)]
mod tests {
    use super::{MediaEvent as E, MediaStatus as S};

    /// Source: interface description, States and transitions, and our decisions on media.
    const ALLOWED: [(S, E, S); 11] = [
        (S::AwaitingUpload, E::BytesArrived, S::Processing),
        (S::AwaitingUpload, E::GaveUp, S::Failed),
        (S::AwaitingUpload, E::Deleted, S::Deleted),
        (S::Ingesting, E::BytesArrived, S::Processing),
        (S::Ingesting, E::GaveUp, S::Failed),
        (S::Ingesting, E::Deleted, S::Deleted),
        (S::Processing, E::Examined, S::Ready),
        (S::Processing, E::GaveUp, S::Failed),
        (S::Processing, E::Deleted, S::Deleted),
        (S::Ready, E::Deleted, S::Deleted),
        (S::Failed, E::Deleted, S::Deleted),
    ];

    #[test]
    fn every_pair_of_status_and_event() {
        for (from, event) in S::ALL.into_iter().flat_map(|s| E::ALL.map(|e| (s, e))) {
            let want = ALLOWED.iter().find(|row| (row.0, row.1) == (from, event)).map(|row| row.2);
            assert_eq!(from.transition(event).ok(), want, "{from:?} + {event:?}");
        }
    }

    #[test]
    fn wire_names() {
        for status in S::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        }
    }
}
