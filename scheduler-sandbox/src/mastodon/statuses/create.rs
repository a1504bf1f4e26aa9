//! `POST /api/v1/statuses`.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use http::StatusCode;
use serde_json::{Map, Value};

use super::poll::Poll;
use super::{QuotePolicy, Status, Visibility};
use crate::answer::Answer;
use crate::mastodon::Mastodon;
use crate::mastodon::error::ApiError;
use crate::mastodon::instance::MAX_FILES;
use crate::mastodon::text::{Entity, MAX_CHARACTERS, count, entities};
use crate::network::Context;
use crate::params::{flag, params, text, texts};
use crate::picture::FileKind;
use crate::request::Request;

/// How long an `Idempotency-Key` is remembered.
///
/// Source: `app/services/post_status_service.rb`, `with_idempotency` (3,600 s).
const KEY_LIFE: TimeDelta = TimeDelta::hours(1);
/// What the imitated server takes for spam, in lower case; invented.
const SPAM: &str = "cheap watches";

impl Mastodon {
    /// Publishes a status, or answers the one that the same key made before.
    ///
    /// # Errors
    /// 404 for a reply to nothing or a key whose status is gone, 422 for what breaks a rule, 429,
    /// those of tokens.
    pub(in crate::mastodon) fn create_status(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.user(request, "write:statuses")?;
        let params = params(request);
        let parent = self.parent(&params, account)?;
        let key = request.header("idempotency-key").filter(|key| !key.is_empty());
        let key = key.map(|key| (account, key.to_owned()));
        // Before the checks of files: those of the first attempt are taken by now.
        if let Some(first) = key.as_ref().and_then(|key| self.keys.get(key))
            && first.1 + KEY_LIFE > context.now
        {
            let status = self.statuses.get(&first.0).ok_or_else(ApiError::not_found)?;
            return Ok(Answer::ok(&self.status_view(status, Some(account), context)));
        }
        if params.get("scheduled_at").is_some_and(|value| !value.is_null()) {
            let what = "scheduled_at is not imitated by this sandbox";
            return Err(ApiError::validation(what));
        }
        let quoted = self.quoted(&params, account)?;
        let media = self.files(&params, account, None, context)?;
        let poll = Poll::read(&params, context.now)?;
        if poll.is_some() && !media.is_empty() {
            // As the server words it, whose check of files finds the poll.
            let error = format!("Cannot attach more than {MAX_FILES} files");
            return Err(ApiError::unprocessable(error));
        }
        let spoiler_text = text(&params, "spoiler_text").unwrap_or_default();
        let written = text(&params, "status").unwrap_or_default();
        let written = self.filled(written, &spoiler_text, &media);
        check_text(&spoiler_text, &written, &media)?;
        let visibility = match text(&params, "visibility").filter(|name| !name.is_empty()) {
            None => Visibility::Public,
            Some(name) => Visibility::parse(&name)
                .ok_or_else(|| ApiError::validation("Visibility is not included in the list"))?,
        };
        let quote_policy = text(&params, "quote_approval_policy");
        let quote_policy = QuotePolicy::read(quote_policy.as_deref(), visibility)?;
        self.take_status_point(account, context)?;
        let app_name = self.app_name(request);
        let app_website =
            self.apps.values().find(|app| app.name == app_name).and_then(|app| app.website.clone());
        let id = self.next_id(context.now);
        let status = Status {
            id,
            account,
            is_sensitive: flag(&params, "sensitive").unwrap_or(false) || !spoiler_text.is_empty(),
            text: written,
            spoiler_text,
            visibility,
            language: text(&params, "language").filter(|language| !language.is_empty()),
            poll,
            quote_policy,
            quoted,
            in_reply_to: parent,
            in_reply_to_account: parent
                .and_then(|id| self.statuses.get(&id))
                .map(|status| status.account),
            created_at: context.now,
            edited_at: None,
            earlier: Vec::new(),
            media,
            favourited_by: BTreeSet::new(),
            app_name,
            app_website,
        };
        if is_spam(&status) {
            // Answered like any other, under an id of nothing, and not kept.
            return Ok(Answer::ok(&self.status_view(&status, Some(account), context)));
        }
        let answer = Answer::ok(&self.insert(status, context));
        if let Some(key) = key {
            self.remember_key(key, id, context);
        }
        Ok(answer)
    }

    /// Remembers what a key made, and forgets keys whose time is over.
    fn remember_key(&mut self, key: (u64, String), id: u64, context: &Context<'_>) {
        while let Some((at, oldest)) = self.key_ages.pop_front() {
            if at + KEY_LIFE > context.now {
                self.key_ages.push_front((at, oldest));
                break;
            }
            // The key may have been used again since, for a newer status.
            if self.keys.get(&oldest).is_some_and(|(_, used_at)| *used_at == at) {
                self.keys.remove(&oldest);
            }
        }
        self.key_ages.push_back((context.now, key.clone()));
        self.keys.insert(key, (id, context.now));
    }

    /// Stores a new status and returns how its author sees it.
    fn insert(&mut self, status: Status, context: &Context<'_>) -> Value {
        let id = status.id;
        for media in &status.media {
            if let Some(media) = self.media.get_mut(media) {
                media.status = Some(id);
            }
        }
        self.by_account.entry(status.account).or_default().insert(id);
        if let Some(parent) = status.in_reply_to {
            self.replies.entry(parent).or_default().insert(id);
        }
        let account = status.account;
        self.statuses.insert(id, status);
        self.statuses
            .get(&id)
            .map_or(Value::Null, |status| self.status_view(status, Some(account), context))
    }

    /// Finds the status that is replied to.
    fn parent(&self, params: &Map<String, Value>, account: u64) -> Result<Option<u64>, ApiError> {
        let Some(id) = text(params, "in_reply_to_id").filter(|id| !id.is_empty()) else {
            return Ok(None);
        };
        id.parse()
            .ok()
            .and_then(|id: u64| self.statuses.get(&id))
            .filter(|status| self.is_visible(status, Some(account)))
            .map(|status| Some(status.id))
            .ok_or_else(|| {
                let error = "The post you are trying to reply to does not appear to exist.";
                ApiError::new(StatusCode::NOT_FOUND, error)
            })
    }

    /// Finds the status that is quoted.
    ///
    /// Source: <https://docs.joinmastodon.org/methods/statuses/#create>, `quoted_status_id`; of the
    /// answer, Mastodon's `Api::V1::StatusesController#set_quoted_status`.
    ///
    /// # Errors
    /// Not found, also for one that the account may not quote.
    fn quoted(&self, params: &Map<String, Value>, account: u64) -> Result<Option<u64>, ApiError> {
        let Some(id) = text(params, "quoted_status_id").filter(|id| !id.is_empty()) else {
            return Ok(None);
        };
        let status = id.parse().ok().and_then(|id: u64| self.statuses.get(&id));
        let status = status
            .filter(|status| self.is_visible(status, Some(account)))
            .filter(|status| status.may_be_quoted_by(account));
        let status = status.ok_or_else(|| {
            let error = "The post you are trying to quote does not appear to exist.";
            ApiError::new(StatusCode::NOT_FOUND, error)
        })?;
        Ok(Some(status.id))
    }

    /// Checks the files of a new or changed status; `shown_by` may keep those that it shows.
    pub(super) fn files(
        &self,
        params: &Map<String, Value>,
        account: u64,
        shown_by: Option<u64>,
        context: &Context<'_>,
    ) -> Result<Vec<u64>, ApiError> {
        let wanted = texts(params, "media_ids").unwrap_or_default();
        if wanted.len() > MAX_FILES {
            let error = format!("Cannot attach more than {MAX_FILES} files");
            return Err(ApiError::unprocessable(error));
        }
        let mut files = Vec::new();
        let mut missing = Vec::new();
        for id in &wanted {
            let media = id.parse().ok().and_then(|id: u64| self.media.get(&id)).filter(|media| {
                let is_shown = shown_by.is_some() && media.status == shown_by;
                media.account == account && (is_shown || media.is_free(context.now))
            });
            match media {
                Some(media) => files.push(media),
                None => missing.push(id.as_str()),
            }
        }
        if !missing.is_empty() {
            return Err(ApiError::unprocessable(format!(
                "Media {} not found or already attached to another post",
                missing.join(", ")
            )));
        }
        if files.len() > 1 && files.iter().any(|media| media.is_alone()) {
            let error = "Cannot attach a video to a post that already contains images";
            return Err(ApiError::unprocessable(error));
        }
        if files.iter().any(|media| !media.is_ready(context.now)) {
            return Err(ApiError::unprocessable(
                "Cannot attach files that have not finished processing. Try again in a moment!",
            ));
        }
        Ok(files.into_iter().map(|media| media.id).collect())
    }

    /// Fills a blank text below a content warning, as the server does.
    pub(super) fn filled(&self, written: String, spoiler_text: &str, media: &[u64]) -> String {
        if !written.trim().is_empty() || spoiler_text.trim().is_empty() {
            return written;
        }
        let first = media.first().and_then(|id| self.media.get(id)).map(|media| media.kind);
        let filling = match first {
            Some(FileKind::Image | FileKind::Gif) => "🖼",
            Some(FileKind::Video) => "📹",
            Some(FileKind::Audio) => "🎵",
            None => ".",
        };
        filling.to_owned()
    }
}

/// Says whether a status is one that the server drops: it holds a phrase of spam and speaks to
/// somebody, of whom nobody follows anybody here.
///
/// Source: `app/lib/antispam.rb` of the server.
fn is_spam(status: &Status) -> bool {
    let speaks_to_somebody = status.in_reply_to.is_some()
        || entities(&status.text)
            .iter()
            .any(|(_, entity)| matches!(entity, Entity::Mention { .. }));
    speaks_to_somebody && status.text.to_lowercase().contains(SPAM)
}

/// Checks that there is a text and that it is not too long.
pub(super) fn check_text(spoiler_text: &str, text: &str, media: &[u64]) -> Result<(), ApiError> {
    if text.trim().is_empty() && media.is_empty() {
        return Err(ApiError::validation("Text can't be blank"));
    }
    if count(spoiler_text, text) > MAX_CHARACTERS {
        let what = format!("Text character limit of {MAX_CHARACTERS} exceeded");
        return Err(ApiError::validation(&what));
    }
    Ok(())
}
