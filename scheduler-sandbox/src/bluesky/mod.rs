//! Bluesky: an account's server (PDS) together with the service that gives counts and threads.
//!
//! Base URL of an adapter: the sandbox's URL and `/bluesky`. The server gives access on a page of
//! its own as well. The identity document in the answer to
//! `createSession` names the same URL, and `GET /bluesky/{did}` answers as the directory of
//! identities does. The service that takes and converts videos answers under the same URL.
//!
//! Source: <https://github.com/bluesky-social/atproto/tree/main/lexicons>, `packages/pds` there.

mod accounts;
mod actor;
mod blobs;
mod cid;
mod error;
mod feed;
mod input;
mod lexicon;
mod limits;
mod oauth;
mod read;
mod records;
mod server;
mod session;
mod tid;
#[cfg(test)]
mod time_tests;
mod video;
mod write;

use chrono::{DateTime, TimeDelta, Utc};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use self::accounts::Accounts;
use self::blobs::Blobs;
use self::error::XrpcError;
use self::lexicon::{LIKE, POST, REPOST, THREADGATE};
use self::oauth::{Grants, Proofs, check_scope, lacks_nonce};
use self::records::{Address, Records};
use self::session::Sessions;
use self::video::Videos;
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::quota::{Quotas, Standing};
use crate::request::Request;

const NAME: &str = "bluesky";
const XRPC: &str = "/xrpc/";
/// The service that questions about posts and people may be passed on to.
///
/// Source: <https://docs.bsky.app/docs/advanced-guides/api-directory>.
const VIEW_SERVICE: &str = "did:web:api.bsky.app#bsky_appview";

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Bluesky {
    accounts: Accounts,
    sessions: Sessions,
    grants: Grants,
    proofs: Proofs,
    records: Records,
    blobs: Blobs,
    videos: Videos,
    taken_down: Vec<LivePost>,
    last_key_at: Option<DateTime<Utc>>,
    quotas: Quotas,
    /// Where the caller of the request at hand stands within its limits.
    standing: Option<Standing>,
}

impl Bluesky {
    fn call(
        &mut self,
        method: &str,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        self.take_request_point(context)?;
        if let Some(service) = request.header("atproto-proxy")
            && service != VIEW_SERVICE
        {
            let message = "could not resolve proxy did service url";
            return Err(XrpcError::invalid(message));
        }
        let is_procedure = match method {
            "com.atproto.server.createSession"
            | "com.atproto.server.refreshSession"
            | "com.atproto.server.deleteSession"
            | "com.atproto.repo.putRecord"
            | "com.atproto.repo.createRecord"
            | "com.atproto.repo.deleteRecord"
            | "com.atproto.repo.uploadBlob"
            | "app.bsky.video.uploadVideo" => true,
            "com.atproto.server.getSession"
            | "com.atproto.server.getServiceAuth"
            | "app.bsky.video.getUploadLimits"
            | "app.bsky.video.getJobStatus"
            | "com.atproto.server.describeServer"
            | "com.atproto.identity.resolveHandle"
            | "com.atproto.repo.getRecord"
            | "com.atproto.repo.listRecords"
            | "app.bsky.feed.getAuthorFeed"
            | "app.bsky.feed.getPosts"
            | "app.bsky.feed.getPostThread"
            | "app.bsky.actor.getProfile"
            | "app.bsky.actor.searchActorsTypeahead" => false,
            _ => {
                return Err(XrpcError {
                    status: StatusCode::NOT_IMPLEMENTED,
                    error: "MethodNotImplemented",
                    message: "Method Not Implemented".to_owned(),
                });
            }
        };
        let expected = if is_procedure { Method::POST } else { Method::GET };
        if request.method != expected {
            let message = format!("Incorrect HTTP method ({}) expected {expected}", request.method);
            return Err(XrpcError::invalid(message));
        }
        self.check_grant(method, request, context)?;
        match method {
            "com.atproto.server.createSession" => self.create_session(request, context),
            "com.atproto.server.refreshSession" => self.refresh_session(request, context),
            "com.atproto.server.deleteSession" => self.delete_session(request, context),
            "com.atproto.server.getSession" => self.describe_session(request, context),
            "com.atproto.server.describeServer" => Ok(self.describe_server(context)),
            "com.atproto.identity.resolveHandle" => self.resolve_handle(request),
            "com.atproto.repo.putRecord" => self.put_record(request, context),
            "com.atproto.repo.createRecord" => self.create_record(request, context),
            "com.atproto.repo.deleteRecord" => self.delete_record(request, context),
            "com.atproto.repo.getRecord" => self.read_record(request),
            "com.atproto.repo.listRecords" => self.list_records(request),
            "com.atproto.repo.uploadBlob" => {
                let did = self.sessions.authenticate(request, context.now)?;
                Ok(Answer::ok(&self.blobs.upload(&did, request, context.now)?))
            }
            "com.atproto.server.getServiceAuth" => self.service_auth(request, context),
            "app.bsky.video.getUploadLimits" => self.upload_limits(request, context),
            "app.bsky.video.uploadVideo" => self.upload_video(request, context),
            "app.bsky.video.getJobStatus" => self.show_job(request, context),
            "app.bsky.feed.getAuthorFeed" => self.author_feed(request, context),
            "app.bsky.feed.getPosts" => self.posts_by_uri(request, context),
            "app.bsky.feed.getPostThread" => self.post_thread(request, context),
            "app.bsky.actor.getProfile" => self.profile(request, context),
            _ => self.typeahead(request, context),
        }
    }

    /// Checks the proof of a request in the name of who has given access on the page, and whether
    /// that allows it. Any other request passes.
    fn check_grant(
        &mut self,
        method: &str,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<(), XrpcError> {
        let Some(token) = request.bound() else { return Ok(()) };
        let no_nonce = "Resource server requires nonce in DPoP proof";
        self.proofs
            .check(request, Some(token), context, no_nonce)
            .map_err(|(error, message)| XrpcError::unauthorized(error, message))?;
        let (_, bound) = self.sessions.grant(token, request, context.now)?;
        check_scope(&bound.scopes, method, request)
    }

    /// Returns a post as the control shows it; `None` when the record is none or not there.
    fn live_post(&self, address: &Address, is_deleted: bool) -> Option<LivePost> {
        if address.collection != POST {
            return None;
        }
        let record = self.records.find(address)?;
        let text = |pointer| record.value.pointer(pointer).and_then(Value::as_str);
        let author = self.accounts.find(&address.did).map(|account| account.handle.clone());
        Some(LivePost {
            platform: NAME,
            account: address.did.clone(),
            author: author.unwrap_or_default(),
            remote_id: address.uri(),
            text: text("/text").unwrap_or_default().to_owned(),
            media: record.media.clone(),
            reply_to: text("/reply/parent/uri").map(str::to_owned),
            created_at: record.indexed_at,
            is_deleted,
        })
    }

    /// Says what a write is for: replies to others and likes are comments.
    fn write_operation(request: &Request) -> Operation {
        let Some(body) = request.json() else { return Operation::Publish };
        match body["collection"].as_str() {
            Some(LIKE | REPOST | THREADGATE) => Operation::Comment,
            Some(POST) => {
                let parent = body.pointer("/record/reply/parent/uri").and_then(Value::as_str);
                let parent = parent.and_then(Address::parse);
                let is_own =
                    parent.is_none_or(|parent| body["repo"].as_str() == Some(parent.did.as_str()));
                if is_own { Operation::Publish } else { Operation::Comment }
            }
            _ => Operation::Other,
        }
    }
}

impl Network for Bluesky {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        if lacks_nonce(request) {
            return Operation::Other;
        }
        if request.path == "/oauth/token" {
            return Operation::Token;
        }
        match request.path.strip_prefix(XRPC) {
            Some("com.atproto.repo.putRecord" | "com.atproto.repo.createRecord") => {
                Self::write_operation(request)
            }
            Some("com.atproto.repo.uploadBlob" | "app.bsky.video.uploadVideo") => Operation::Upload,
            Some("app.bsky.video.getJobStatus") => Operation::Poll,
            Some("app.bsky.feed.getPostThread") => Operation::Comment,
            Some("app.bsky.feed.getPosts" | "app.bsky.actor.getProfile") => Operation::Metrics,
            Some(
                "com.atproto.server.createSession"
                | "com.atproto.server.refreshSession"
                | "com.atproto.server.deleteSession",
            ) => Operation::Token,
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        if let Some(did) = request.path.strip_prefix('/').filter(|path| path.starts_with("did:")) {
            return self.document(did, context);
        }
        if let Some(answer) = self.of_access(request, context) {
            return answer;
        }
        let Some(method) = request.path.strip_prefix(XRPC) else {
            let message = "There is nothing here.";
            return Answer::json(StatusCode::NOT_FOUND, &json!({"message": message}));
        };
        let answer = self.call(method, request, context);
        let answer = self.with_standing(answer.unwrap_or_else(XrpcError::into_answer), context);
        match request.bound() {
            Some(_) => answer.with_header("dpop-nonce", &self.proofs.nonce(context.now)),
            None => answer,
        }
    }

    fn refuse(&self, refusal: Refusal, request: &Request, context: &Context<'_>) -> Answer {
        match refusal {
            Refusal::ServerError => XrpcError::internal().into_answer(),
            Refusal::RateLimited(wait) => {
                let wait = TimeDelta::from_std(wait).unwrap_or(TimeDelta::days(1));
                let mut pretended = Self {
                    standing: Some(limits::pretended(context.now + wait)),
                    ..Self::default()
                };
                pretended.with_standing(limits::rate_limited().into_answer(), context)
            }
            Refusal::Permanent if request.path.ends_with("refreshSession") => {
                XrpcError::bad("ExpiredToken", "Token has been revoked").into_answer()
            }
            Refusal::Permanent if request.path == "/oauth/token" => oauth::refused(),
            Refusal::Permanent if request.path.ends_with("getJobStatus") => {
                video::failed_job(request)
            }
            Refusal::Permanent => permanent(self.operation(request)).into_answer(),
        }
    }

    fn expire_tokens(&mut self, request: &Request, context: &Context<'_>) {
        self.sessions.expire(request, context.now);
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        let account = self.accounts.create(name, context.now)?;
        Ok(json!({
            "platform": NAME,
            "account": account.did,
            "identifier": account.handle,
            "handle": account.handle,
            "did": account.did,
            "appPassword": account.app_password,
            "pds": context.base,
        }))
    }

    fn posts(&self) -> Vec<LivePost> {
        let mut live: Vec<(u64, LivePost)> = self
            .records
            .posts()
            .filter_map(|(did, rkey, record)| {
                let address = Address {
                    did: did.to_owned(),
                    collection: POST.to_owned(),
                    rkey: rkey.to_owned(),
                };
                Some((record.sequence, self.live_post(&address, false)?))
            })
            .collect();
        live.sort_by_key(|(sequence, _)| *sequence);
        let mut posts = self.taken_down.clone();
        posts.extend(live.into_iter().map(|(_, post)| post));
        posts.sort_by_key(|post| post.created_at);
        posts
    }

    fn reset(&mut self, accounts: bool) {
        if accounts {
            *self = Self::default();
        } else {
            self.records = Records::default();
            self.blobs = Blobs::default();
            self.videos.clear();
            self.taken_down.clear();
            self.quotas.clear();
        }
    }
}

/// Returns the refusal that a call of the operation typically meets.
fn permanent(operation: Operation) -> XrpcError {
    match operation {
        Operation::Publish | Operation::Comment => XrpcError::invalid(
            "Invalid app.bsky.feed.post record: grapheme too big (maximum 300, got 301) at $.text",
        ),
        Operation::Upload => XrpcError::too_large(),
        Operation::Token => {
            let message = "Invalid identifier or password";
            XrpcError::unauthorized("AuthenticationRequired", message)
        }
        Operation::Metrics | Operation::Poll | Operation::Other => {
            XrpcError::invalid("Error: the request is not valid")
        }
    }
}
