//! `PUT` and `DELETE /api/v1/statuses/{id}`.

use serde_json::Value;

use super::create::check_text;
use super::poll::Poll;
use super::{QuotePolicy, Status};
use crate::answer::Answer;
use crate::mastodon::Mastodon;
use crate::mastodon::error::ApiError;
use crate::mastodon::media::describe;
use crate::network::Context;
use crate::params::{flag, params, text};
use crate::request::Request;

impl Mastodon {
    /// Replaces text, content warning and files of a status; what is not sent is cleared.
    ///
    /// # Errors
    /// Not found, 422 for what breaks a rule, 429, those of tokens.
    pub(in crate::mastodon) fn edit_status(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.user(request, "write:statuses")?;
        let status = self.own_status(id, account)?.clone();
        let params = params(request);
        let media = self.files(&params, account, Some(status.id), context)?;
        let mut described = Vec::new();
        if let Some(Value::Array(attributes)) = params.get("media_attributes") {
            for attributes in attributes.iter().filter_map(Value::as_object) {
                let file = text(attributes, "id")
                    .and_then(|id| id.parse::<u64>().ok())
                    .filter(|id| media.contains(id))
                    .and_then(|id| self.media.get(&id));
                let Some(mut file) = file.cloned() else { continue };
                let before = file.description.clone();
                describe(&mut file, attributes)?;
                described.push((file.description != before, file));
            }
        }
        let spoiler_text = text(&params, "spoiler_text").unwrap_or_default();
        let written = text(&params, "status").unwrap_or_default();
        let written = self.filled(written, &spoiler_text, &media);
        check_text(&spoiler_text, &written, &media)?;
        let is_sensitive = flag(&params, "sensitive").unwrap_or(status.is_sensitive);
        let quote_policy = match text(&params, "quote_approval_policy") {
            Some(name) => QuotePolicy::read(Some(&name), status.visibility)?,
            None => status.quote_policy,
        };
        let changed = Status {
            // What is not sent is taken away, with the votes on it.
            poll: Poll::read(&params, context.now)?,
            quote_policy,
            is_sensitive: is_sensitive || !spoiler_text.is_empty(),
            language: text(&params, "language").or_else(|| status.language.clone()),
            text: written,
            spoiler_text,
            media,
            ..status.clone()
        };
        let is_changed = changed.text != status.text
            || changed.spoiler_text != status.spoiler_text
            || changed.media != status.media
            || changed.is_sensitive != status.is_sensitive
            || changed.language != status.language
            || changed.quote_policy != status.quote_policy
            || changed.poll.is_some() != status.poll.is_some()
            || described.iter().any(|(is_changed, _)| *is_changed);
        if !is_changed {
            return Ok(Answer::ok(&self.status_view(&status, Some(account), context)));
        }
        self.take_status_point(account, context)?;
        for (_, file) in described {
            self.media.insert(file.id, file);
        }
        // A file that is taken out is gone; one that is put in is taken.
        for dropped in status.media.iter().filter(|id| !changed.media.contains(id)) {
            self.media.remove(dropped);
        }
        for kept in &changed.media {
            if let Some(media) = self.media.get_mut(kept) {
                media.status = Some(status.id);
            }
        }
        let earlier = status.earlier.iter().cloned().chain([status.version()]).collect();
        let changed = Status { edited_at: Some(context.now), earlier, ..changed };
        let answer = Answer::ok(&self.status_view(&changed, Some(account), context));
        self.statuses.insert(changed.id, changed);
        Ok(answer)
    }

    /// Takes a status down and answers it with its source.
    ///
    /// # Errors
    /// Not found, those of tokens.
    pub(in crate::mastodon) fn delete_status(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.user(request, "write:statuses")?;
        let status = self.own_status(id, account)?.clone();
        let mut view = self.status_view(&status, Some(account), context);
        view["text"] = Value::from(status.text.as_str());
        self.taken_down.push(self.live_post(&status, true));
        self.statuses.remove(&status.id);
        if let Some(ids) = self.by_account.get_mut(&account) {
            ids.remove(&status.id);
        }
        if let Some(siblings) = status.in_reply_to.and_then(|id| self.replies.get_mut(&id)) {
            siblings.remove(&status.id);
        }
        for id in &status.media {
            self.media.remove(id);
        }
        Ok(Answer::ok(&view))
    }

    fn own_status(&self, id: &str, account: u64) -> Result<&Status, ApiError> {
        id.parse()
            .ok()
            .and_then(|id: u64| self.statuses.get(&id))
            .filter(|status| status.account == account)
            .ok_or_else(ApiError::not_found)
    }
}
