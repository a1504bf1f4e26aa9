//! A network of the core, made of conversations and the driver.

use async_trait::async_trait;
use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    ConnectInput, Connected, Located, Network, NetworkError, NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::{FailureCode, Remote};
use serde_json::Value;

use crate::conversation::Conversation;
use crate::driver::Driver;

/// Holds a network's conversations over the driver.
#[derive(Clone, Debug)]
pub struct Adapter<C> {
    conversation: C,
    driver: Driver,
}

impl<C: Conversation> Adapter<C> {
    /// An adapter of a network.
    #[must_use]
    pub const fn new(conversation: C, driver: Driver) -> Self {
        Self { conversation, driver }
    }

    /// Names the part of a thread that failed.
    fn of_part(&self, progress: &Value, error: NetworkError) -> NetworkError {
        match self.conversation.part(progress) {
            Some(part) if part.of > 1 => {
                let message =
                    format!("Part {} of {} of the thread: {}", part.number, part.of, error.message);
                NetworkError { message, ..error }
            }
            Some(_) | None => error,
        }
    }
}

#[async_trait]
impl<C: Conversation> Network for Adapter<C> {
    async fn connect(&self, input: &ConnectInput) -> Result<Connected, NetworkError> {
        self.driver.hold(|answers| self.conversation.connect(input, answers)).await
    }

    fn begin(&self, job: &PublishJob) -> Value {
        self.conversation.begin(job)
    }

    fn is_visible(&self, progress: &Value) -> bool {
        self.conversation.is_visible(progress)
    }

    async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError> {
        if !job.files.is_empty() && !self.conversation.sends_files() {
            let message = format!("This server cannot send files to {}.", job.account.platform);
            let error = NetworkError::new(NetworkErrorKind::Permanent, message);
            return Err(error.with_code(FailureCode::Unsupported));
        }
        self.driver
            .hold(|answers| self.conversation.advance(job, progress, answers))
            .await
            .map_err(|error| self.of_part(progress, error))
    }

    async fn locate(&self, job: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        self.driver
            .hold(|answers| self.conversation.locate(job, progress, answers))
            .await
            .map_err(|error| self.of_part(progress, error))
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        self.conversation.live_part(progress)
    }

    async fn refresh(
        &self,
        account: &Account,
        credentials: &Credentials,
    ) -> Result<Credentials, NetworkError> {
        self.driver.hold(|answers| self.conversation.refresh(account, credentials, answers)).await
    }
}
