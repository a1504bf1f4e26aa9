//! The body of a request.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _, stream};
use scheduler_core::connecting::Pass;
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::idempotency::{Fingerprint, IdempotencyKey};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::json::parse;
use scheduler_core::ports::{ByteStream, FilesError};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout, timeout_at};
use uuid::Uuid;

use super::form::Form;
use super::head::Head;
use super::json;
use crate::budget::{BodyBudget, Charge, Sender};
use crate::error::ApiError;

/// Bytes that a body holds at most.
///
/// Source: our decision; the interface description names the code and no figure.
const BODY_MAX_BYTES: usize = 1 << 20;

/// Bytes that a form of a page holds at most. Source: our decision.
const FORM_MAX_BYTES: usize = 16 << 10;

/// How long a body may take to arrive: so long, and a second for each of these bytes.
///
/// Source: our decision; 1 MiB has 21 seconds.
const TIMEOUT: Duration = Duration::from_secs(5);
const BYTES_A_SECOND: u64 = 64 << 10;

/// The same for files, which people send over slower lines.
///
/// Source: our decision; a part of 16 MiB has 18 minutes.
const FILE_TIMEOUT: Duration = Duration::from_secs(60);
const FILE_BYTES_A_SECOND: u64 = 16 << 10;

/// How long nothing of a file may come. Source: our decision.
pub(crate) const FILE_IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// A body that has not been read.
pub(crate) struct Body(Pin<Box<dyn Stream<Item = Result<Bytes, warp::Error>> + Send>>);

impl Body {
    pub(crate) fn new<B: Buf>(
        stream: impl Stream<Item = Result<B, warp::Error>> + Send + 'static,
    ) -> Self {
        let chunks =
            stream.map(|chunk| chunk.map(|mut chunk| chunk.copy_to_bytes(chunk.remaining())));
        Self(Box::pin(chunks))
    }

    /// Takes the body out of its place, where nothing is left of it.
    pub(crate) fn taken(&mut self) -> Self {
        std::mem::replace(self, Self(Box::pin(stream::empty())))
    }

    /// Reads the body as JSON, once it is its turn.
    ///
    /// # Errors
    /// `invalid_request` for a content type that is not JSON (415), a body that is not JSON, or
    /// a field of another type, unknown or missing, which is named; `payload_too_large`;
    /// `unavailable` when too many bodies are in progress.
    pub(crate) async fn json<T: DeserializeOwned + Send + 'static>(
        &mut self,
        head: &Head,
        budget: &BodyBudget,
        workspace: WorkspaceId,
    ) -> Result<Json<T>, ApiError> {
        self.json_up_to(head, budget, workspace, BODY_MAX_BYTES).await
    }

    /// The same, of a body that holds so many bytes at most.
    ///
    /// # Errors
    /// Those of [`Self::json`].
    pub(crate) async fn json_up_to<T: DeserializeOwned + Send + 'static>(
        &mut self,
        head: &Head,
        budget: &BodyBudget,
        workspace: WorkspaceId,
        max_bytes: usize,
    ) -> Result<Json<T>, ApiError> {
        let (bytes, charge) = self.bytes(head, budget, workspace, max_bytes).await?;
        Ok(Json(json::read(bytes, parse).await??, charge))
    }

    /// Reads the body of a request that may be sent again under an Idempotency-Key. With a key a
    /// body that cannot be read is no error yet: the key may have an answer, whatever it says.
    ///
    /// # Errors
    /// `invalid_request` naming `Idempotency-Key`; without a key those of [`Self::json`].
    pub(crate) async fn repeatable<T: DeserializeOwned + Send + 'static>(
        &mut self,
        head: &Head,
        budget: &BodyBudget,
        workspace: WorkspaceId,
    ) -> Result<Keyed<T>, ApiError> {
        let Some(text) = head.idempotency_key()? else {
            let Json(input, charge) = self.json(head, budget, workspace).await?;
            return Ok(Keyed { input: Ok(input), key: None, _charge: Some(charge) });
        };
        let (bytes, charge) = match self.bytes(head, budget, workspace, BODY_MAX_BYTES).await {
            Ok(read) => read,
            Err(error) => {
                // What was not read may be what the first request said.
                let unread = IdempotencyKey::new(text, None)?;
                return Ok(Keyed { input: Err(error), key: Some(unread), _charge: None });
            }
        };
        let work = |bytes: &[u8]| (Fingerprint::of(bytes), parse(bytes));
        let (body, input) = json::read(bytes, work).await?;
        let key = IdempotencyKey::new(text, Some(body))?;
        let input = input.map_err(ApiError::from);
        Ok(Keyed { input, key: Some(key), _charge: Some(charge) })
    }

    /// The bytes of a body of JSON, once it is its turn, and what they are charged with.
    ///
    /// # Errors
    /// Those of [`Self::json`] but for what the JSON says.
    pub(crate) async fn bytes(
        &mut self,
        head: &Head,
        budget: &BodyBudget,
        workspace: WorkspaceId,
        max_bytes: usize,
    ) -> Result<(Bytes, Charge), ApiError> {
        if !head.is_json() {
            return Err(ApiError::wrong_content_type());
        }
        if !head.is_unencoded() {
            return Err(ApiError::wrong_content_encoding());
        }
        let bytes = length(head, max_bytes)?;
        let charge = budget.charge(Sender::Workspace(workspace), bytes).await?;
        Ok((self.whole(bytes, max_bytes).await?, charge))
    }

    /// Reads the body as a form of a page, sent by whoever has shown this pass.
    ///
    /// # Errors
    /// `invalid_request` for a body that is none; `payload_too_large`; `unavailable` when too many
    /// forms are in progress.
    pub(crate) async fn form(
        &mut self,
        head: &Head,
        budget: &BodyBudget,
        pass: &Pass,
    ) -> Result<Form, ApiError> {
        refuse_other_than_form(head)?;
        let bytes = length(head, FORM_MAX_BYTES)?;
        let _charge = budget.charge_form(Sender::Visitor(pass.hash()), bytes).await?;
        Ok(Form::parse(&self.whole(bytes, FORM_MAX_BYTES).await?)?)
    }

    /// The same, sent by a member of a workspace, of so many bytes at most.
    ///
    /// # Errors
    /// Those of [`Self::form`].
    pub(crate) async fn form_of_member(
        &mut self,
        head: &Head,
        budget: &BodyBudget,
        workspace: WorkspaceId,
        max_bytes: usize,
    ) -> Result<Form, ApiError> {
        refuse_other_than_form(head)?;
        let bytes = length(head, max_bytes)?;
        let _charge = budget.charge(Sender::Workspace(workspace), bytes).await?;
        Ok(Form::parse(&self.whole(bytes, max_bytes).await?)?)
    }

    /// The same, sent by whoever signs in: all of them share the room of one sender.
    ///
    /// # Errors
    /// Those of [`Self::form`].
    pub(crate) async fn form_of_anyone(
        &mut self,
        head: &Head,
        budget: &BodyBudget,
    ) -> Result<Form, ApiError> {
        let nobody = WorkspaceId(Uuid::nil());
        self.form_of_member(head, budget, nobody, FORM_MAX_BYTES).await
    }

    /// Collects a body of so many bytes, or of fewer where it was not said how many come.
    async fn whole(&mut self, bytes: u64, max_bytes: usize) -> Result<Bytes, Refusal> {
        let time_limit = TIMEOUT + Duration::from_secs(bytes.div_ceil(BYTES_A_SECOND));
        timeout(time_limit, self.collect(max_bytes)).await.unwrap_or_else(|_| {
            let seconds = time_limit.as_secs();
            let message = format!("The body did not arrive within {seconds} seconds.");
            Err(Refusal::new(ErrorCode::InvalidRequest, message))
        })
    }

    async fn collect(&mut self, max_bytes: usize) -> Result<Bytes, Refusal> {
        let mut body = BytesMut::new();
        while let Some(chunk) = self.0.next().await {
            let chunk = chunk.map_err(|_| {
                Refusal::new(ErrorCode::InvalidRequest, "The body broke off while it was sent.")
            })?;
            if body.len() + chunk.len() > max_bytes {
                return Err(too_large(max_bytes));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }

    /// The body piece by piece, of this length. It breaks off when nothing comes for `idle`, and
    /// when it takes longer in all than its length explains.
    pub(crate) fn pieces(self, idle: Duration, bytes: u64) -> ByteStream {
        let in_all = FILE_TIMEOUT + Duration::from_secs(bytes.div_ceil(FILE_BYTES_A_SECOND));
        let end = Instant::now() + in_all;
        let pieces = stream::try_unfold(self, move |mut body| async move {
            let stopped = |message: String| Err(FilesError::Interrupted(message));
            let rest_until = Instant::now() + idle;
            match timeout_at(rest_until.min(end), body.0.next()).await {
                Ok(Some(Ok(piece))) => Ok(Some((piece, body))),
                Ok(None) => Ok(None),
                Ok(Some(Err(_))) => stopped("The body broke off while it was sent.".to_owned()),
                Err(_) if rest_until <= end => {
                    stopped(format!("Nothing of the body came for {} seconds.", idle.as_secs()))
                }
                Err(_) => {
                    stopped(format!("The body did not arrive within {} seconds.", in_all.as_secs()))
                }
            }
        });
        ByteStream(Box::pin(pieces))
    }
}

/// What was sent as JSON. The request is charged with its body for as long as the second part is
/// kept, which should be until it is answered.
#[derive(Debug)]
pub(crate) struct Json<T>(pub(crate) T, pub(crate) Charge);

/// What was sent as JSON with the key under which it may be sent again, if it has one.
#[derive(Debug)]
pub(crate) struct Keyed<T> {
    /// What it says, or why that cannot be read.
    pub(crate) input: Result<T, ApiError>,
    /// The key with the fingerprint of the body.
    pub(crate) key: Option<IdempotencyKey>,
    /// Given back when this is dropped, which should be once the request is answered.
    _charge: Option<Charge>,
}

impl fmt::Debug for Body {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Body")
    }
}

fn refuse_other_than_form(head: &Head) -> Result<(), Refusal> {
    if head.is_form() {
        return Ok(());
    }
    Err(Refusal::new(ErrorCode::InvalidRequest, "Send the form of the page."))
}

/// How many bytes come at most.
fn length(head: &Head, max_bytes: usize) -> Result<u64, Refusal> {
    let max = u64::try_from(max_bytes).unwrap_or(u64::MAX);
    match head.content_length() {
        Some(declared) if declared > max => Err(too_large(max_bytes)),
        declared => Ok(declared.unwrap_or(max)),
    }
}

fn too_large(max_bytes: usize) -> Refusal {
    let message = format!("The body is larger than {max_bytes} bytes.");
    Refusal::new(ErrorCode::PayloadTooLarge, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_body_may_take_long_but_not_rest_long() {
        let coming = stream::unfold(0_u8, |sent| async move {
            tokio::time::sleep(Duration::from_secs(if sent < 3 { 59 } else { 61 })).await;
            Some((Ok::<_, warp::Error>(Bytes::from_static(b"x")), sent + 1))
        });
        let mut pieces = Body::new(coming).pieces(Duration::from_secs(60), 16 << 20);
        for _ in 0..3 {
            assert_eq!(pieces.next().await, Some(Ok(Bytes::from_static(b"x"))));
        }
        let message = "Nothing of the body came for 60 seconds.".to_owned();
        assert_eq!(pieces.next().await, Some(Err(FilesError::Interrupted(message))));
        assert_eq!(pieces.next().await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_drips_has_an_end() {
        let drips = || {
            Body::new(stream::unfold((), |()| async {
                tokio::time::sleep(Duration::from_secs(2)).await;
                Some((Ok::<_, warp::Error>(Bytes::from_static(b"x")), ()))
            }))
        };
        let pieces = drips().pieces(Duration::from_secs(60), 16 << 10).0;
        let came: Vec<_> = pieces.collect().await;
        let message = "The body did not arrive within 61 seconds.".to_owned();
        assert_eq!((came.len(), came.last()), (31, Some(&Err(FilesError::Interrupted(message)))));
        for (bytes, seconds) in [(1, 6), (64 << 10, 6), (1 << 20, 21)] {
            let refused = drips().whole(bytes, BODY_MAX_BYTES).await.unwrap_err();
            let want = format!("The body did not arrive within {seconds} seconds.");
            assert_eq!(refused.message(), want);
        }
    }
}
