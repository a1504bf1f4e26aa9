//! A network of the core, made of conversations and the driver.

use async_trait::async_trait;
use chrono::TimeDelta;
use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, ConnectInput, Connected, Located, Network, NetworkError,
    NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::{FailureCode, Remote};
use serde_json::Value;

use crate::conversation::{Answer, ApiVersion, Conversation, TurnResult};
use crate::driver::{Driver, Purpose};

/// Holds a network's conversations over the driver.
#[derive(Clone, Debug)]
pub struct Adapter<C> {
    pub(crate) conversation: C,
    pub(crate) driver: Driver,
    /// The address in place of the network's own.
    server_url: Option<String>,
    /// The network that it is of, for whoever observes its calls.
    platform: Option<Platform>,
}

impl<C: Conversation> Adapter<C> {
    /// An adapter of a network.
    #[must_use]
    pub const fn new(conversation: C, driver: Driver) -> Self {
        Self { conversation, driver, server_url: None, platform: None }
    }

    /// The same at another address than the network's own, by which its accounts are known.
    #[must_use]
    pub fn at(self, server_url: Option<String>) -> Self {
        Self { server_url, ..self }
    }

    /// The same, known to whoever observes its calls as this network.
    #[must_use]
    pub fn of(self, platform: Platform) -> Self {
        Self { platform: Some(platform), ..self }
    }

    /// Holds a conversation as part of an operation.
    async fn hold<T>(
        &self,
        operation: &'static str,
        next: impl FnMut(&[Answer]) -> TurnResult<T> + Send,
    ) -> Result<T, NetworkError> {
        self.driver.hold_for(self.purpose(operation), None, None, next).await
    }

    /// The same besides publishing, where each request is counted.
    pub(crate) async fn hold_metered<T>(
        &self,
        operation: &'static str,
        access: &Access,
        next: impl FnMut(&[Answer]) -> TurnResult<T> + Send,
    ) -> Result<T, NetworkError> {
        self.driver.hold_for(self.purpose(operation), None, Some(&access.meter), next).await
    }

    fn purpose(&self, operation: &'static str) -> Option<Purpose> {
        self.platform.map(|platform| Purpose { platform, operation })
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
    async fn authorize(&self, input: &AuthorizeInput) -> Result<Authorization, NetworkError> {
        self.hold("authorize", |answers| self.conversation.authorize(input, answers)).await
    }

    fn api_version(&self) -> Option<ApiVersion> {
        self.conversation.api_version()
    }

    fn client_document(&self, redirect_uri: &str) -> Option<Value> {
        self.conversation.client_document(redirect_uri)
    }

    async fn connect(&self, input: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        let mut opened =
            self.hold("connect", |answers| self.conversation.connect(input, answers)).await?;
        for account in &mut opened {
            if account.server_url.is_none() {
                account.server_url.clone_from(&self.server_url);
            }
        }
        Ok(opened)
    }

    fn begin(&self, job: &PublishJob) -> Value {
        self.conversation.begin(job)
    }

    fn is_visible(&self, progress: &Value) -> bool {
        self.conversation.is_visible(progress)
    }

    fn call_within(&self, job: &PublishJob, progress: &Value) -> TimeDelta {
        let call_timeout = self.conversation.call_timeout(job, progress);
        TimeDelta::from_std(call_timeout.of_effect()).unwrap_or(TimeDelta::MAX)
    }

    async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError> {
        if !job.files.is_empty() && !self.conversation.sends_files() {
            let message = format!("This server cannot send files to {}.", job.account.platform);
            let error = NetworkError::new(NetworkErrorKind::Permanent, message);
            return Err(error.with_code(FailureCode::Unsupported));
        }
        let purpose = self.purpose("advance");
        let is_visible = self.conversation.is_visible(progress);
        let call_timeout = is_visible.then(|| self.conversation.call_timeout(job, progress));
        self.driver
            .hold_for(purpose, call_timeout, None, |answers| {
                self.conversation.advance(job, progress, answers)
            })
            .await
            .map_err(|error| self.of_part(progress, error))
    }

    async fn locate(&self, job: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        self.hold("locate", |answers| self.conversation.locate(job, progress, answers))
            .await
            .map_err(|error| self.of_part(progress, error))
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        self.conversation.live_part(progress)
    }

    fn skip(&self, progress: &Value) -> Option<Value> {
        self.conversation.skip(progress)
    }

    fn renews(&self, _account: &Account, credentials: &Credentials) -> bool {
        self.conversation.renews(credentials)
    }

    async fn refresh(
        &self,
        account: &Account,
        credentials: &Credentials,
    ) -> Result<Credentials, NetworkError> {
        let refreshed = self
            .hold("refresh", |answers| self.conversation.refresh(account, credentials, answers))
            .await;
        if let Some(platform) = self.platform {
            let failure = refreshed.as_ref().err().map(|error| error.kind.as_str());
            self.driver.observer().refreshed_token(platform, failure);
        }
        refreshed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::{CallTimeout, Part, Turn};
    use crate::outbound::Guard;
    use crate::testing::files::with_images;
    use crate::testing::{bluesky_job, no_files};

    /// A network whose posts are live at once, and that knows nothing of files.
    #[derive(Clone, Debug)]
    struct TextOnly;

    fn live() -> Remote {
        Remote::new("1", None)
    }

    fn unused<T>() -> Result<T, NetworkError> {
        Err(NetworkError::new(NetworkErrorKind::Permanent, "not asked for"))
    }

    impl Conversation for TextOnly {
        fn begin(&self, _: &PublishJob) -> Value {
            Value::Null
        }

        fn is_visible(&self, _: &Value) -> bool {
            true
        }

        fn call_timeout(&self, job: &PublishJob, _: &Value) -> CallTimeout {
            CallTimeout::USUAL.with_files_of(job)
        }

        fn live_part(&self, _: &Value) -> Option<Remote> {
            None
        }

        fn part(&self, _: &Value) -> Option<Part> {
            None
        }

        fn advance(&self, _: &PublishJob, _: &Value, _: &[Answer]) -> TurnResult<Step> {
            Ok(Turn::Done(Step::Live(live().into())))
        }

        fn locate(&self, _: &PublishJob, _: &Value, _: &[Answer]) -> TurnResult<Located> {
            unused()
        }

        fn refresh(&self, _: &Account, _: &Credentials, _: &[Answer]) -> TurnResult<Credentials> {
            unused()
        }

        fn connect(&self, _: &ConnectInput, _: &[Answer]) -> TurnResult<Vec<Connected>> {
            let unnamed = Connected::new("1", Credentials::new("", None));
            let named = Connected {
                server_url: Some("https://one.example".to_owned()),
                ..Connected::new("2", Credentials::new("", None))
            };
            Ok(Turn::Done(vec![unnamed, named]))
        }
    }

    #[test]
    fn a_call_may_last_as_long_as_the_driver_lets_it_and_the_network_goes_on() {
        let driver = Driver::new(Guard::new(false), no_files()).unwrap();
        let adapter = Adapter::new(TextOnly, driver);
        let mut job = with_images(bluesky_job(), 1);
        job.files[0].facts.size_bytes = Some(128 * 1024 * 40);
        for (name, job, seconds) in [("text", bluesky_job(), 60), ("a file", job, 100)] {
            assert_eq!(adapter.call_within(&job, &Value::Null).num_seconds(), seconds, "{name}");
        }
    }

    #[tokio::test]
    async fn accounts_at_another_address_are_known_by_it() {
        let driver = Driver::new(Guard::new(false), no_files()).unwrap();
        let own = Some("https://one.example");
        for (name, server, want) in [
            ("the network itself", None, [None, own]),
            ("another address", Some("http://s.example"), [Some("http://s.example"), own]),
        ] {
            let adapter = Adapter::new(TextOnly, driver.clone()).at(server.map(str::to_owned));
            let opened = adapter.connect(&ConnectInput::default()).await.unwrap();
            let found: Vec<Option<&str>> =
                opened.iter().map(|account| account.server_url.as_deref()).collect();
            assert_eq!(found, want, "{name}");
        }
    }

    #[tokio::test]
    async fn a_post_with_files_is_refused_where_they_cannot_be_sent() {
        let driver = Driver::new(Guard::new(false), no_files()).unwrap();
        let adapter = Adapter::new(TextOnly, driver);
        let job = bluesky_job();
        let progress = adapter.begin(&job);
        assert_eq!(adapter.advance(&job, &progress).await, Ok(Step::Live(live().into())));
        let job = with_images(job, 1);
        let error = adapter.advance(&job, &progress).await.unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Permanent);
        assert_eq!(error.code, FailureCode::Unsupported);
        assert_eq!(
            error.message,
            format!("This server cannot send files to {}.", Platform::Bluesky)
        );
    }
}
