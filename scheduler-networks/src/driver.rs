//! The only place that sends to networks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::header::{ACCEPT, HeaderValue as WireValue};
use reqwest::{Client, RequestBuilder};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    CallClass, Metered, NetworkCall, NetworkError, NetworkErrorKind, Observer, Unobserved,
};
use secrecy::ExposeSecret;
use url::Url;

use crate::conversation::{
    Answer, Body, CallTimeout, FormPart, HeaderValue, Method, PartContent, Request, Turn,
    TurnResult, base64_length,
};
use crate::handed_over::HandedOver;
use crate::image_document::{self, Page};
use crate::nonces::Nonces;
use crate::outbound::{ClientError, Guard, Limits, build};
use crate::proof::{Proof, Signing};
use crate::request_body::with_body;
use crate::stored_files::{OpenedFile, StoredFiles};
use crate::unanswered::{Unanswered, failed, lost, no_place, not_sent};

/// How long calls may take, but for visible ones whose network names a figure. Our decision.
const LIMITS: Limits =
    Limits { connect: Duration::from_secs(10), whole: CallTimeout::USUAL.answer };

/// Bytes of an answer beyond which it is not read. Our decision: the largest answers that are
/// asked for, pages of posts, stay far below.
const ANSWER_MAX_BYTES: usize = 1024 * 1024;

/// Requests of one conversation beyond which it is ended, so that no server keeps it going.
pub(crate) const REQUESTS_MAX: usize = 64;

/// How long a conversation lasts in all where nothing visible says how long, beside what its files
/// need. Our decision: less than the lease on a refresh, and enough for the longest look, some 50
/// requests of two seconds.
const WHOLE: Duration = Duration::from_secs(120);

/// Sends what conversations say, and tells whether a request that failed had left.
#[derive(Clone, Debug)]
pub struct Driver {
    client: Client,
    guard: Guard,
    files: StoredFiles,
    whole: Duration,
    observer: Arc<dyn Observer>,
    signing: Option<Signing>,
    nonces: Nonces,
    /// Whether the server reads files of this machine by their paths.
    sends_paths: bool,
}

/// What requests are made for, for whoever observes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose {
    /// The network.
    pub platform: Platform,
    /// What is done there, as [`NetworkCall::operation`].
    pub operation: &'static str,
}

/// A request under way; told of when it is dropped. One that nobody waits for any more is lost.
struct UnderWay<'a> {
    observer: &'a dyn Observer,
    purpose: Purpose,
    begun: Instant,
    class: CallClass,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let Purpose { platform, operation } = self.purpose;
        let (class, took) = (self.class, self.begun.elapsed());
        self.observer.called_network(&NetworkCall { platform, operation, class, took });
    }
}

/// Until when a conversation is over.
#[derive(Clone, Copy, Debug)]
struct Within {
    until: tokio::time::Instant,
    /// How long its visible request was expected to take, where it is the step of a publish.
    call_timeout: Option<CallTimeout>,
    /// What a later request fails with says nothing of what this one did.
    is_visible_sent: bool,
}

impl Within {
    fn from_now(call_timeout: Option<CallTimeout>) -> Self {
        let lasts = call_timeout.map_or(WHOLE, CallTimeout::of_step);
        Self { until: tokio::time::Instant::now() + lasts, call_timeout, is_visible_sent: false }
    }

    /// How long it is until a request that carries so many bytes of files must be answered.
    fn left(self, bytes: u64) -> Duration {
        let left = self.until.saturating_duration_since(tokio::time::Instant::now());
        match self.call_timeout {
            Some(_) => left,
            None if left.is_zero() => left,
            None => left + upload_time(bytes),
        }
    }

    fn too_late(self) -> Unanswered {
        let (kind, message) = match (self.call_timeout, self.is_visible_sent) {
            (None, _) => (
                NetworkErrorKind::Temporary,
                "The network's answers took too long in all, so no more was asked this time.",
            ),
            (Some(_), false) => (
                NetworkErrorKind::Temporary,
                "What comes before the post took too long, so it was not sent this time.",
            ),
            (Some(_), true) => (
                NetworkErrorKind::Unsettled,
                "What comes after the post took too long, so what became of it is looked up.",
            ),
        };
        Unanswered(CallClass::NotMade, NetworkError::new(kind, message))
    }
}

/// How long so many bytes of files may take.
fn upload_time(bytes: u64) -> Duration {
    CallTimeout { answer: Duration::ZERO, bytes }.of_request()
}

impl Driver {
    /// A driver that calls only what `guard` lets through, and takes the bytes of files from
    /// `files`.
    ///
    /// # Errors
    /// [`ClientError`]
    pub fn new(guard: Guard, files: StoredFiles) -> Result<Self, ClientError> {
        Self::within(guard, files, LIMITS)
    }

    /// The same driver, which also calls the server at this address wherever it is.
    ///
    /// # Errors
    /// [`ClientError`]
    pub(crate) fn trusting(&self, address: Url) -> Result<Self, ClientError> {
        let guard = self.guard.clone().trusting(address);
        Ok(Self { client: build(guard.clone(), LIMITS)?, guard, ..self.clone() })
    }

    fn within(guard: Guard, files: StoredFiles, limits: Limits) -> Result<Self, ClientError> {
        let client = build(guard.clone(), limits)?;
        let (observer, nonces) = (Arc::new(Unobserved), Nonces::default());
        let (whole, signing, sends_paths) = (limits.whole, None, false);
        Ok(Self { client, guard, files, whole, observer, signing, nonces, sends_paths })
    }

    /// The same, which tells this observer of every request whose purpose it is told.
    #[must_use]
    pub fn observed_by(self, observer: Arc<dyn Observer>) -> Self {
        Self { observer, ..self }
    }

    /// The same, which signs what conversations want to be signed.
    #[must_use]
    pub fn signing_with(self, signing: Signing) -> Self {
        Self { signing: Some(signing), ..self }
    }

    /// The same for a server that reads files of this machine by their paths: their addresses stand
    /// in forms in place of their bytes.
    pub(crate) fn sending_paths(self) -> Self {
        Self { sends_paths: true, ..self }
    }

    /// Who is told of its requests.
    pub(crate) fn observer(&self) -> &dyn Observer {
        &*self.observer
    }

    /// Holds a conversation: sends what each turn says until one is the last.
    ///
    /// # Errors
    /// Those of the conversation and of [`Driver::send`]; [`NetworkErrorKind::Temporary`] for a
    /// conversation without an end.
    pub async fn hold<T>(
        &self,
        next: impl FnMut(&[Answer]) -> TurnResult<T> + Send,
    ) -> Result<T, NetworkError> {
        self.hold_for(None, None, None, next).await
    }

    /// Holds a conversation, and tells the observer of each of its requests. It is over in time,
    /// that of its timeout or else two minutes: a visible request that could outlast it is not
    /// begun. One with a meter is over when that refuses its next request.
    ///
    /// # Errors
    /// As [`Driver::hold`]; those of [`Metered::before`]; [`NetworkErrorKind::Temporary`] where too
    /// little time was left for the visible request, so that nothing was sent;
    /// [`NetworkErrorKind::Unsettled`] where a request that follows the visible one has no answer.
    pub async fn hold_for<T>(
        &self,
        purpose: Option<Purpose>,
        call_timeout: Option<CallTimeout>,
        meter: Option<&Metered>,
        mut next: impl FnMut(&[Answer]) -> TurnResult<T> + Send,
    ) -> Result<T, NetworkError> {
        let mut answers = Vec::new();
        let mut within = Within::from_now(call_timeout);
        loop {
            let request = match next(&answers)? {
                Turn::Done(result) => return Ok(result),
                Turn::Send(request) => request,
            };
            if answers.len() == REQUESTS_MAX {
                let kind = NetworkErrorKind::Temporary;
                return Err(NetworkError::new(kind, "The network's answers had no end."));
            }
            if let Some(meter) = meter {
                meter.before().await?;
            }
            let is_after = call_timeout.is_some() && within.is_visible_sent;
            let answer = self.send_for(purpose, &mut within, &request).await;
            answers.push(answer.map_err(|error| match is_after && !request.is_visible {
                // What the visible request did is not undone by what follows it.
                true => NetworkError { kind: NetworkErrorKind::Unsettled, ..error },
                false => error,
            })?);
            within.is_visible_sent |= request.is_visible;
        }
    }

    /// Sends one request and reads its answer, whatever its status.
    ///
    /// # Errors
    /// - [`NetworkErrorKind::Permanent`]: the address is not public, the request is not one that
    ///   HTTP can carry, or its file cannot be used; nothing was sent.
    /// - [`NetworkErrorKind::Temporary`]: the request did not leave, or nobody can see what it
    ///   did.
    /// - [`NetworkErrorKind::InDoubt`]: a visible request left, and its answer was lost.
    pub async fn send(&self, request: &Request) -> Result<Answer, NetworkError> {
        self.send_for(None, &mut Within::from_now(None), request).await
    }

    async fn send_for(
        &self,
        purpose: Option<Purpose>,
        within: &mut Within,
        request: &Request,
    ) -> Result<Answer, NetworkError> {
        let mut call = purpose.map(|purpose| UnderWay {
            observer: &*self.observer,
            purpose,
            begun: Instant::now(),
            class: CallClass::Lost,
        });
        let mut answer = self.exchange(request, within).await;
        if let (Some(_), Ok(refused)) = (request.proof(), &answer)
            && self.nonces.take(&request.url, refused)
        {
            answer = self.exchange(request, within).await;
        }
        if let Some(call) = &mut call {
            call.class = match &answer {
                Ok(answer) => CallClass::of_status(answer.status),
                Err(Unanswered(class, _)) => *class,
            };
        }
        answer.map_err(|Unanswered(_, error)| error)
    }

    async fn exchange(&self, request: &Request, within: &mut Within) -> Result<Answer, Unanswered> {
        let not_made = |error| Unanswered(CallClass::NotMade, error);
        let host = request.url.host_str().unwrap_or_default();
        self.guard.check(&request.url).map_err(|refusal| not_sent(host, &refusal.to_string()))?;
        let linked = self.linked(&request.body).await.map_err(not_made)?;
        let authenticated = self.authenticated(request);
        let body = authenticated.as_ref().or(linked.as_ref()).unwrap_or(&request.body);
        let mut files = Vec::new();
        for file in body.files() {
            files.push(self.files.open(file).await.map_err(not_made)?);
        }
        let handed_over = HandedOver::of(&files);
        let in_json = matches!(body, Body::JsonWithFiles(_));
        let lengths = files.iter().map(|file| file.length);
        let bytes = lengths.map(|bytes| if in_json { base64_length(bytes) } else { bytes }).sum();
        let call = self.call(request, body, files, &handed_over);
        let call = call.map_err(|reason| not_sent(host, reason))?;
        let call = call.timeout(self.time_for(request, bytes, *within)?);
        if within.call_timeout.is_none() {
            within.until += upload_time(bytes);
        }
        let mut answer =
            call.send().await.map_err(|error| failed(request, &handed_over, &error))?;

        let status = answer.status().as_u16();
        let headers = answer.headers().iter().filter_map(|(name, value)| {
            Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
        });
        let headers = headers.collect();
        let mut body = Vec::new();
        while let Some(chunk) =
            answer.chunk().await.map_err(|error| failed(request, &handed_over, &error))?
        {
            if body.len() + chunk.len() > ANSWER_MAX_BYTES {
                return Err(lost(request, "it is longer than 1 MiB"));
            }
            body.extend_from_slice(&chunk);
        }
        tracing::debug!(host, status, visible = request.is_visible, "network answered");
        Ok(Answer { status, headers, body })
    }

    /// How long a request that carries so many bytes of files may take.
    fn time_for(
        &self,
        request: &Request,
        bytes: u64,
        within: Within,
    ) -> Result<Duration, Unanswered> {
        let answer = match within.call_timeout {
            Some(call_timeout) if request.is_visible => call_timeout.answer,
            Some(_) | None => self.whole,
        };
        let wanted = CallTimeout { answer, bytes }.of_request();
        let left = within.left(bytes);
        // Files that are larger than expected are sent as far as there is time.
        let bytes = within.call_timeout.map_or(bytes, |call_timeout| bytes.min(call_timeout.bytes));
        let least = CallTimeout { answer, bytes }.of_request();
        let is_enough = if request.is_visible { left >= least } else { !left.is_zero() };
        if is_enough { Ok(wanted.min(left)) } else { Err(within.too_late()) }
    }

    /// The body with links, or addresses of files of this machine, in their places, or with what is
    /// made of files as they are sent; `None` for one that has none.
    async fn linked(&self, body: &Body) -> Result<Option<Body>, NetworkError> {
        match body {
            Body::JsonWithLinks(json) => {
                let mut value = json.value.clone();
                for (pointer, file) in &json.links {
                    let link = self.files.link(file).await?;
                    let place = value.pointer_mut(pointer).ok_or_else(no_place)?;
                    *place = link.into();
                }
                Ok(Some(Body::Json(value)))
            }
            Body::FormWithLinks(form) => {
                let mut fields = form.fields.clone();
                for (name, file) in &form.links {
                    fields.push((name, self.files.link(file).await?));
                }
                Ok(Some(Body::Form(fields)))
            }
            Body::ImagesAsPdf(images) => {
                let mut pages = Vec::new();
                for image in images {
                    pages.push(Page { image: image.clone(), jpeg: self.files.jpeg(image).await? });
                }
                Ok(Some(image_document::of(pages)))
            }
            Body::Multipart(parts) if self.sends_paths => {
                let mut addressed = Vec::new();
                for part in parts {
                    let address = match &part.content {
                        PartContent::File { file, .. } => self.files.local_address(file).await?,
                        PartContent::Text(_) | PartContent::Json(_) | PartContent::Bytes { .. } => {
                            None
                        }
                    };
                    addressed.push(match address {
                        Some(address) => FormPart::text(part.name.clone(), address),
                        None => part.clone(),
                    });
                }
                Ok(Some(Body::Multipart(addressed)))
            }
            Body::Empty
            | Body::Json(_)
            | Body::Form(_)
            | Body::Bytes { .. }
            | Body::File(_)
            | Body::Joined { .. }
            | Body::Multipart(_)
            | Body::JsonWithFiles(_) => Ok(None),
        }
    }

    /// The form of a call about tokens in which an application says who it is; `None` for any other
    /// request.
    fn authenticated(&self, request: &Request) -> Option<Body> {
        let client = request.proof()?.client.as_ref()?;
        let Body::Form(fields) = &request.body else { return None };
        let mut fields = fields.clone();
        fields.extend(self.signing.as_ref()?.assertion(client));
        Some(Body::Form(fields))
    }

    /// The value of a header that proves who sends the request.
    fn signed(&self, proof: &Proof, request: &Request) -> Result<String, &'static str> {
        let signing = self.signing.as_ref().ok_or("this program has nothing to sign it with")?;
        let nonce = self.nonces.of(&request.url);
        Ok(signing.proof(proof, request.method, &request.url, nonce.as_deref()))
    }

    fn call(
        &self,
        request: &Request,
        body: &Body,
        files: Vec<OpenedFile>,
        handed_over: &HandedOver,
    ) -> Result<RequestBuilder, &'static str> {
        let url = request.url.clone();
        let mut call = match request.method {
            Method::Get => self.client.get(url),
            Method::Post => self.client.post(url),
            Method::Put => self.client.put(url),
            Method::Patch => self.client.patch(url),
            Method::Delete => self.client.delete(url),
        };
        call = call.header(ACCEPT, WireValue::from_static("application/json"));
        for header in &request.headers {
            let value = match &header.value {
                HeaderValue::Plain(text) => WireValue::from_str(text),
                HeaderValue::Secret(text) => WireValue::from_str(text.expose_secret()),
                HeaderValue::Signed(proof) => WireValue::from_str(&self.signed(proof, request)?),
            };
            let mut value =
                value.map_err(|_| "a header holds characters that HTTP cannot carry")?;
            value.set_sensitive(!matches!(header.value, HeaderValue::Plain(_)));
            call = call.header(header.name, value);
        }
        with_body(call, request, body, files, handed_over)
    }
}

#[cfg(test)]
#[path = "driver_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "driver_time_tests.rs"]
mod time_tests;

#[cfg(test)]
#[path = "driver_files_tests.rs"]
mod files_tests;

#[cfg(test)]
#[path = "driver_observed_tests.rs"]
mod observed_tests;

#[cfg(test)]
#[path = "driver_signed_tests.rs"]
mod signed_tests;
