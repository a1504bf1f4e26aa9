//! Who is told what happens.

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use super::Scheduler;
use super::webhooks::check_url;
use crate::error::{AppError, Refusal, Resource};
use crate::ids::{NotifierId, WorkspaceId};
use crate::notification::{
    Channel, Message, NOTIFIERS_MAX, Notifier, NotifierState, NotifierView, QuietHours, TOLD,
};
use crate::object::only_from_object;
use crate::webhook::EventKind;
use crate::workspace::Workspace;

/// The body of a new notifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct NotifierInput {
    /// How people are reached.
    pub channel: Channel,
    /// Where: a mailbox; the address of an incoming webhook of Slack or of a webhook of Discord; the
    /// address of a topic of ntfy, such as `https://ntfy.sh/my-topic`.
    #[cfg_attr(feature = "schema", schemars(length(max = crate::webhook::URL_MAX_BYTES)))]
    pub address: String,
    /// What they are told of; what somebody has to see to when left out: `post.failed`,
    /// `post.approval_decided`, `account.needs_reconnect`, `account.token_expiring`, `media.failed`
    /// and `feed.failing`. Not `post.scheduled`, which is for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub events: Option<Vec<EventKind>>,
    /// When they are left alone; what happens meanwhile they are told at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<QuietHours>,
}

only_from_object!(NotifierInput);

/// What became of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "NotifierTest"))]
#[serde(rename_all = "camelCase")]
pub struct NotifierTest {
    /// True when the message was taken.
    pub sent: bool,
    /// Why it was not, for a person.
    pub error: Option<String>,
}

impl Scheduler {
    /// The notifiers of a workspace, oldest first.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn notifiers(&self, workspace: WorkspaceId) -> Result<Vec<NotifierView>, AppError> {
        let found = self.store().notifiers(workspace).await?;
        Ok(found.iter().map(|(notifier, state)| NotifierView::new(notifier, state)).collect())
    }

    /// Has people told what happens from now on.
    ///
    /// # Errors
    /// `invalid_request` naming the field: an address that the channel cannot have, or that is not
    /// public; no event, or one that people are not told of; a workspace that has
    /// [`NOTIFIERS_MAX`] already.
    pub async fn create_notifier(
        &self,
        workspace: WorkspaceId,
        input: NotifierInput,
    ) -> Result<NotifierView, AppError> {
        let NotifierInput { channel, address, events, quiet } = input;
        let address = address.trim();
        self.check_notified_address(channel, address)?;
        let kinds = EventKind::distinct(events.unwrap_or_else(|| TOLD.to_vec()));
        if kinds.contains(&EventKind::Scheduled) {
            let message = "People are not told of post.scheduled; a webhook is.";
            return Err(Refusal::invalid("events", message).into());
        }
        if kinds.is_empty() {
            let message = "events is empty; name some, or leave it out.";
            return Err(Refusal::invalid("events", message).into());
        }
        if quiet.is_some_and(|quiet| quiet.from == quiet.to) {
            let message = "Quiet hours begin and end at different times.";
            return Err(Refusal::invalid("quiet.to", message).into());
        }
        let now = self.ports.clock.now();
        let notifier = Notifier {
            id: NotifierId(self.ports.ids.next(now)),
            workspace_id: workspace,
            channel,
            address: SecretString::from(address),
            events: kinds,
            quiet,
            created_at: now,
        };
        let state = NotifierState::new(now);
        if self.store().create_notifier(&notifier, &state, NOTIFIERS_MAX).await? {
            return Ok(NotifierView::new(&notifier, &state));
        }
        let message = format!(
            "This workspace has {NOTIFIERS_MAX} notifiers, which is the limit; remove one before you add another."
        );
        Err(Refusal::invalid("channel", message).into())
    }

    /// Tells people nothing any more.
    ///
    /// # Errors
    /// `not_found`
    pub async fn remove_notifier(
        &self,
        workspace: WorkspaceId,
        id: NotifierId,
    ) -> Result<(), AppError> {
        if self.store().remove_notifier(workspace, id).await? {
            return Ok(());
        }
        Err(Refusal::not_found(Resource::Notifier).into())
    }

    /// Sends people a test, whatever their quiet hours, and says whether it was taken.
    ///
    /// # Errors
    /// `not_found`
    pub async fn test_notifier(
        &self,
        workspace: &Workspace,
        id: NotifierId,
    ) -> Result<NotifierTest, AppError> {
        let found = self.store().notifiers(workspace.id).await?;
        let found = found.into_iter().find(|(notifier, _)| notifier.id == id);
        let (notifier, _) = found.ok_or_else(|| Refusal::not_found(Resource::Notifier))?;
        let sent = self.send_message(&notifier, &Message::test(&workspace.name)).await;
        Ok(NotifierTest { sent: sent.is_ok(), error: sent.err() })
    }

    /// Sends a message where a notifier says.
    ///
    /// # Errors
    /// Why it was not taken, for a person.
    pub(crate) async fn send_message(
        &self,
        notifier: &Notifier,
        message: &Message,
    ) -> Result<(), String> {
        let address = notifier.address.expose_secret();
        if address.is_empty() {
            return Err("The address cannot be read: remove the notifier, and add it again.".into());
        }
        if notifier.channel == Channel::Email {
            return self.ports.mail.send(address, message).await;
        }
        let request = message.request(notifier.channel, address);
        let request = request.ok_or_else(|| NO_TOPIC.to_owned())?;
        match self.ports.sender.send(&request).await {
            Ok(answer) if (200..300).contains(&answer.status) => Ok(()),
            Ok(answer) => Err(format!("It answered {}: {}", answer.status, answer.body_start)),
            Err(error) => Err(error.to_string()),
        }
    }

    fn check_notified_address(&self, channel: Channel, address: &str) -> Result<(), Refusal> {
        let refused = |message: String| Refusal::invalid("address", message);
        check_url("address", address)?;
        if channel == Channel::Email {
            return self.ports.mail.check_mailbox(address).map_err(refused);
        }
        self.ports.sender.check_address(address).map_err(refused)?;
        if Message::test("").request(channel, address).is_none() {
            return Err(refused(NO_TOPIC.to_owned()));
        }
        Ok(())
    }
}

const NO_TOPIC: &str = "The address of ntfy ends with a topic, such as https://ntfy.sh/my-topic.";
