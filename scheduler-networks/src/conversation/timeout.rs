//! How long the visible call of a step may take.

use std::time::Duration;

use scheduler_core::ports::PublishJob;

/// Bytes of a file that are sent in a second at least; a call with a file may take that much
/// longer. Our decision: about 1 Mbit/s, below which a connection cannot be told from one that
/// stands still.
const UPLOAD_BYTES_A_SECOND: u64 = 128 * 1024;

/// How long all that comes before the visible request of a step may take: reads, and opening its
/// files. Our decision; most steps begin with the visible request.
const BEFORE: Duration = Duration::from_secs(15);

/// How long after nobody waits for it any more a network can still do what a request asked for.
/// Our decision: what stands in front of a server, and the server itself, end about as soon as the
/// connection does; the rest is for a request that waited in a line.
const AFTER: Duration = Duration::from_secs(15);

/// How long the visible call of a step may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTimeout {
    /// From the beginning of the request to the last byte of its answer, without what its files
    /// need.
    pub answer: Duration,
    /// Bytes of the files that the request carries.
    pub bytes: u64,
}

impl CallTimeout {
    /// That of a request without files to a network that names no figure: 30 s. Our decision.
    pub const USUAL: Self = Self { answer: Duration::from_secs(30), bytes: 0 };

    /// The same for a request that carries every file of the post.
    #[must_use]
    pub fn with_files_of(self, job: &PublishJob) -> Self {
        let sizes = job.files.iter().map(|file| file.facts.size_bytes.unwrap_or_default());
        Self { bytes: sizes.fold(0, u64::saturating_add), ..self }
    }

    /// The same for a request in which its files stand as base64.
    #[must_use]
    pub const fn as_base64(self) -> Self {
        Self { bytes: base64_length(self.bytes), ..self }
    }

    /// The same for another wait for the answer.
    #[must_use]
    pub const fn answered_within(self, answer: Duration) -> Self {
        Self { answer, ..self }
    }

    /// How long the request may take, with its files.
    #[must_use]
    pub const fn of_request(self) -> Duration {
        let upload = Duration::from_secs(self.bytes / UPLOAD_BYTES_A_SECOND);
        self.answer.saturating_add(upload)
    }

    /// How long after the beginning of the step the conversation is over.
    #[must_use]
    pub const fn of_step(self) -> Duration {
        BEFORE.saturating_add(self.of_request())
    }

    /// How long after the beginning of the step the network can have had an effect for the last
    /// time.
    #[must_use]
    pub const fn of_effect(self) -> Duration {
        self.of_step().saturating_add(AFTER)
    }
}

/// Bytes of so many as base64.
pub(crate) const fn base64_length(bytes: u64) -> u64 {
    bytes.div_ceil(3).saturating_mul(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bluesky_job;
    use crate::testing::files::with_images;

    #[test]
    fn a_text_is_over_after_a_minute_and_files_take_as_long_as_they_need() {
        let mut job = with_images(bluesky_job(), 2);
        job.files[0].facts.size_bytes = Some(10 * 1024 * 1024);
        job.files[1].facts.size_bytes = None;
        let slow = CallTimeout::USUAL.answered_within(Duration::from_secs(600));
        for (name, call_timeout, request, step, effect) in [
            ("text", CallTimeout::USUAL, 30, 45, 60),
            ("files", CallTimeout::USUAL.with_files_of(&job), 110, 125, 140),
            ("files as base64", CallTimeout::USUAL.with_files_of(&job).as_base64(), 136, 151, 166),
            ("files, a slow network", slow.with_files_of(&job), 680, 695, 710),
        ] {
            let found =
                [call_timeout.of_request(), call_timeout.of_step(), call_timeout.of_effect()];
            assert_eq!(found.map(|time| time.as_secs()), [request, step, effect], "{name}");
        }
    }
}
