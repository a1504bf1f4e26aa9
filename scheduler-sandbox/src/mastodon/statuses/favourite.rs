//! `POST /api/v1/statuses/{id}/favourite` and `…/unfavourite`.

use crate::answer::Answer;
use crate::mastodon::Mastodon;
use crate::mastodon::error::ApiError;
use crate::network::Context;
use crate::request::Request;

impl Mastodon {
    /// Likes a status, or takes the like back; both can be repeated.
    ///
    /// # Errors
    /// Not found, those of tokens.
    pub(in crate::mastodon) fn favourite(
        &mut self,
        request: &Request,
        id: &str,
        is_liked: bool,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.user(request, "write:favourites")?;
        let status = id
            .parse()
            .ok()
            .and_then(|id: u64| self.statuses.get(&id))
            .filter(|status| self.is_visible(status, Some(account)))
            .ok_or_else(ApiError::not_found)?;
        let mut changed = status.clone();
        if is_liked {
            changed.favourited_by.insert(account);
        } else {
            changed.favourited_by.remove(&account);
        }
        let answer = Answer::ok(&self.status_view(&changed, Some(account), context));
        self.statuses.insert(changed.id, changed);
        Ok(answer)
    }
}
