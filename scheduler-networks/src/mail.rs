//! Sending mail to people, through the operator's own mail server.

use std::error::Error;
use std::time::Duration;

use async_trait::async_trait;
use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use scheduler_core::notification::Message;
use scheduler_core::ports::Mailer;
use secrecy::{ExposeSecret as _, SecretString};

/// How long the mail server has for one message.
///
/// Source: our decision.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Where mail is handed over, and in whose name.
#[derive(Clone, Debug)]
pub struct MailSettings {
    /// `smtps://USER:PASSWORD@HOST:PORT`, or `smtp://HOST:PORT?tls=required` where the server turns
    /// to TLS by itself; without `tls` nothing is encrypted, as is right on one machine alone.
    pub url: SecretString,
    /// The mailbox that mail is from, such as `Scheduler <scheduler@example.com>`.
    pub from: String,
}

/// The settings of mail are of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// The address of the server is none.
    #[error(
        "is no address of a mail server: write smtps://USER:PASSWORD@HOST, or smtp://HOST:PORT?tls=required"
    )]
    Url,
    /// The sender is no mailbox.
    #[error("is no mailbox: write scheduler@example.com, or Scheduler <scheduler@example.com>")]
    From,
}

/// Hands messages over to a mail server by SMTP.
#[derive(Clone)]
pub struct MailSender {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl std::fmt::Debug for MailSender {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MailSender").field("from", &self.from).finish_non_exhaustive()
    }
}

impl MailSender {
    /// A sender with these settings; connects to nothing yet.
    ///
    /// # Errors
    /// [`MailError`]
    pub fn new(settings: &MailSettings) -> Result<Self, MailError> {
        let url = settings.url.expose_secret();
        let transport =
            AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| MailError::Url)?;
        let from = settings.from.parse().map_err(|_| MailError::From)?;
        Ok(Self { transport: transport.timeout(Some(TIME_LIMIT)).build(), from })
    }
}

#[async_trait]
impl Mailer for MailSender {
    fn check_mailbox(&self, mailbox: &str) -> Result<(), String> {
        match mailbox.parse::<Mailbox>() {
            Ok(_) => Ok(()),
            Err(_) => Err("This is no mailbox; write ana@example.com.".to_owned()),
        }
    }

    async fn send(&self, mailbox: &str, message: &Message) -> Result<(), String> {
        let to: Mailbox = mailbox.parse().map_err(|_| format!("{mailbox} is no mailbox."))?;
        // Answering machines leave such mail alone: RFC 3834, section 5.
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
        let mail = lettre::Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(message.title.as_str())
            .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
            .header(ContentType::TEXT_PLAIN)
            .body(message.lines.join("\n") + "\n")
            .map_err(|error| reason(&error))?;
        self.transport.send(mail).await.map(drop).map_err(|error| reason(&error))
    }
}

/// What went wrong, with its cause.
fn reason(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) => format!("The mail was not taken: {error}: {cause}"),
        None => format!("The mail was not taken: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(url: &str, from: &str) -> MailSettings {
        MailSettings { url: SecretString::from(url), from: from.to_owned() }
    }

    #[test]
    fn what_is_a_mail_server_and_a_mailbox() {
        let from = "Scheduler <scheduler@example.com>";
        for (url, from, want) in [
            ("smtp://127.0.0.1:25", from, None),
            ("smtps://me:secret@mail.example", from, None),
            ("smtp://mail.example:587?tls=required", "a@b.example", None),
            ("http://mail.example", from, Some(MailError::Url)),
            ("mail.example", from, Some(MailError::Url)),
            ("smtp://mail.example", "nobody", Some(MailError::From)),
        ] {
            let made = MailSender::new(&settings(url, from));
            assert_eq!(made.err(), want, "{url} {from}");
        }
    }

    #[tokio::test]
    async fn a_server_that_is_away_is_told_without_the_password() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("smtp://me:hunter2@{}", listener.local_addr().unwrap());
        drop(listener);
        let sender = MailSender::new(&settings(&url, "a@b.example")).unwrap();
        assert!(sender.check_mailbox("Ana <ana@b.example>").is_ok());
        assert!(sender.check_mailbox("ana").is_err());
        let message = Message { title: "a".to_owned(), lines: vec![] };
        let error = sender.send("ana@b.example", &message).await.unwrap_err();
        assert!(error.starts_with("The mail was not taken: "), "{error}");
        assert!(!error.contains("hunter2") && !format!("{sender:?}").contains("hunter2"));
    }
}
