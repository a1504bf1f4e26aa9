//! Following a post until every target has ended.

use std::time::Duration;

use scheduler_core::ids::PostId;
use scheduler_core::post::{PostStatus, PostView};
use scheduler_core::target::TargetStatus;
use serde_json::Value;

use crate::call::Call;
use crate::client::Client;
use crate::error::Error;
use crate::pauses::Pauses;
use crate::posts::path_of;

/// Failed looks in a row after which following ends. With the pauses between them this spans the
/// restart of a server.
const LOOKS: u32 = 20;
/// Looks in a row, some thirty seconds, that have shown the same.
const QUIET_LOOKS: u32 = 20;

/// Looks at a post again and again, and goes on over answers that are lost.
#[derive(Debug)]
pub struct Following {
    client: Client,
    path: String,
    pauses: Pauses,
    failed: u32,
    /// How long the server has asked to be left alone.
    asked: Duration,
}

/// A post as it was seen.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SeenPost {
    /// The post as it came.
    pub document: Value,
    /// The same, read.
    pub post: PostView,
}

impl SeenPost {
    /// True when every target has ended, or nothing of it goes out any more.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        let goes_out = !matches!(self.post.status, PostStatus::Draft | PostStatus::Canceled);
        !goes_out || self.post.targets.iter().all(|target| target.status.has_ended())
    }

    /// True when a target has failed and is not tried again by itself.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.post.targets.iter().any(|target| target.status == TargetStatus::Failed)
    }
}

impl Client {
    /// Follows a post.
    #[must_use]
    pub fn follow(&self, id: PostId) -> Following {
        let (client, path) = (self.clone(), path_of(id));
        Following { client, path, pauses: Pauses::new(), failed: 0, asked: Duration::ZERO }
    }
}

impl Following {
    /// The least pause between looks at a post of which nothing is to be seen for a while.
    pub const FROM_AFAR: Duration = Duration::from_secs(10);

    /// Looks once. `None` when no answer came, or one that passes, and the next look may bring it.
    ///
    /// # Errors
    /// Those of [`Client::send`]; that the server cannot be reached only when it stays so.
    pub async fn look(&mut self) -> Result<Option<SeenPost>, Error> {
        match self.client.send(Call::get(&self.path)).await {
            Ok(answer) => {
                self.failed = 0;
                let post = answer.read()?;
                Ok(Some(SeenPost { document: answer.body, post }))
            }
            Err(error) if self.failed < LOOKS && error.is_passing() => {
                self.failed += 1;
                self.asked = error.retry_after().unwrap_or_default();
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// How long to wait until the next look.
    pub fn pause(&mut self) -> Duration {
        self.pauses.take().max(std::mem::take(&mut self.asked))
    }

    /// Has the next looks come soon: something has changed.
    pub fn hurry(&mut self) {
        self.pauses = Pauses::new();
    }

    /// Looks until every target has ended, or nothing of the post goes out any more, and returns
    /// the post. A post that is to come in a month is looked at every ten seconds for as long.
    ///
    /// # Errors
    /// Those of [`look`](Self::look).
    pub async fn until_ended(mut self) -> Result<PostView, Error> {
        let (mut last, mut quiet) = (None, 0);
        loop {
            if let Some(seen) = self.look().await? {
                if seen.has_ended() {
                    return Ok(seen.post);
                }
                if last.as_ref() == Some(&seen.post) {
                    quiet += 1;
                } else {
                    quiet = 0;
                    self.hurry();
                }
                last = Some(seen.post);
            }
            let pause = self.pause();
            let is_quiet = quiet > QUIET_LOOKS;
            tokio::time::sleep(if is_quiet { pause.max(Self::FROM_AFAR) } else { pause }).await;
        }
    }
}
