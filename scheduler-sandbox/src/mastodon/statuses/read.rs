//! Reading statuses: one, several, their source, what surrounds them.

use serde_json::{Value, json};

use super::Status;
use crate::answer::Answer;
use crate::mastodon::error::ApiError;
use crate::mastodon::{Mastodon, html};
use crate::network::Context;
use crate::outside::timestamp;
use crate::params::{params, texts};
use crate::request::Request;

/// Statuses that one call may ask for.
///
/// Source: `app/controllers/api/v1/statuses_controller.rb` (20).
const MAX_IDS: usize = 20;
/// Statuses above that `context` answers.
const MAX_ANCESTORS: usize = 4096;
/// Statuses below that `context` answers.
const MAX_DESCENDANTS: usize = 4096;

impl Mastodon {
    /// Answers a status.
    ///
    /// # Errors
    /// Not found, those of tokens.
    pub(in crate::mastodon) fn show_status(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let (status, viewer) = self.visible(request, id)?;
        Ok(Answer::ok(&self.status_view(status, viewer, context)))
    }

    /// Answers the status that an address names; nothing else is searched for.
    ///
    /// Source: <https://docs.joinmastodon.org/methods/search/#v2>.
    ///
    /// # Errors
    /// Those of tokens.
    pub(in crate::mastodon) fn search(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let viewer = self.user(request, "read:search")?;
        let named = request.query("q").unwrap_or_default();
        let statuses =
            self.statuses.values().filter(|status| self.is_visible(status, Some(viewer)));
        let views = statuses.map(|status| self.status_view(status, Some(viewer), context));
        let found: Vec<Value> =
            views.filter(|view| view["url"] == named || view["uri"] == named).take(1).collect();
        Ok(Answer::ok(&json!({ "accounts": [], "hashtags": [], "statuses": found })))
    }

    /// Answers several statuses by id; those that are gone are left out.
    ///
    /// # Errors
    /// 422 for too many, those of tokens.
    pub(in crate::mastodon) fn show_statuses(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let viewer = self.viewer(request, "read:statuses")?;
        let ids = texts(&params(request), "id").unwrap_or_default();
        if ids.len() > MAX_IDS {
            return Err(ApiError::unprocessable(format!(
                "Too many statuses, maximum is {MAX_IDS}"
            )));
        }
        let found: Vec<Value> = ids
            .iter()
            .filter_map(|id| self.statuses.get(&id.parse().ok()?))
            .filter(|status| self.is_visible(status, viewer))
            .map(|status| self.status_view(status, viewer, context))
            .collect();
        Ok(Answer::ok(&Value::from(found)))
    }

    /// Answers the text of a status as it was written.
    ///
    /// # Errors
    /// Not found, those of tokens.
    pub(in crate::mastodon) fn status_source(
        &self,
        request: &Request,
        id: &str,
    ) -> Result<Answer, ApiError> {
        let account = self.user(request, "read:statuses")?;
        let (status, _) = self.visible(request, id)?;
        if status.account != account {
            return Err(ApiError::not_found());
        }
        let id = status.id.to_string();
        let (text, spoiler_text) = (&status.text, &status.spoiler_text);
        Ok(Answer::ok(&json!({"id": id, "text": text, "spoiler_text": spoiler_text})))
    }

    /// Answers how a status was before each edit and how it is, the oldest first.
    ///
    /// Source: <https://docs.joinmastodon.org/methods/statuses/#history>.
    ///
    /// # Errors
    /// Not found, those of tokens.
    pub(in crate::mastodon) fn status_history(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let (status, _) = self.visible(request, id)?;
        let account = self.account_view(status.account, context);
        let is_known = |name: &str| self.account_named(name).is_some();
        let versions = status.earlier.iter().cloned().chain([status.version()]);
        let shown = versions.map(|version| {
            let files = version.media.iter().filter_map(|id| self.media.get(id));
            json!({
                "content": html::content(&version.text, context.base, is_known),
                "spoiler_text": version.spoiler_text,
                "sensitive": version.is_sensitive,
                "created_at": timestamp(version.since),
                "account": account,
                "media_attachments": files.map(|file| file.view(context)).collect::<Vec<_>>(),
                "emojis": [],
            })
        });
        Ok(Answer::ok(&shown.collect()))
    }

    /// Answers what a status replies to and all that replies to it.
    ///
    /// # Errors
    /// Not found, those of tokens.
    pub(in crate::mastodon) fn status_context(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let (status, viewer) = self.visible(request, id)?;
        let shown = |found: &[&Status]| -> Vec<Value> {
            found
                .iter()
                .filter(|status| self.is_visible(status, viewer))
                .map(|status| self.status_view(status, viewer, context))
                .collect()
        };
        let mut ancestors = Vec::new();
        let mut above = status.in_reply_to;
        while let Some(parent) = above.and_then(|id| self.statuses.get(&id)) {
            if ancestors.len() == MAX_ANCESTORS {
                break;
            }
            ancestors.push(parent);
            above = parent.in_reply_to;
        }
        ancestors.reverse();
        let mut descendants = Vec::new();
        let mut waiting = vec![status.id];
        while let Some(id) = waiting.pop() {
            let children = self.replies.get(&id).into_iter().flatten();
            waiting.extend(children.rev());
            if id != status.id
                && descendants.len() < MAX_DESCENDANTS
                && let Some(found) = self.statuses.get(&id)
            {
                descendants.push(found);
            }
        }
        Ok(Answer::ok(&json!({
            "ancestors": shown(&ancestors),
            "descendants": shown(&descendants),
        })))
    }

    /// Finds a status that the reader may see.
    pub(super) fn visible(
        &self,
        request: &Request,
        id: &str,
    ) -> Result<(&Status, Option<u64>), ApiError> {
        let viewer = self.viewer(request, "read:statuses")?;
        id.parse()
            .ok()
            .and_then(|id: u64| self.statuses.get(&id))
            .filter(|status| self.is_visible(status, viewer))
            .map(|status| (status, viewer))
            .ok_or_else(ApiError::not_found)
    }
}
