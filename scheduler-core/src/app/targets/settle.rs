//! What a person has found who looked whether a post is live.

use url::Url;

use crate::app::posts::{saved, too_busy};
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, Refusal};
use crate::ids::{PostId, TargetId};
use crate::key::Scope;
use crate::post::{Post, decide};

/// The longest link to a live post, in bytes.
///
/// Source: our decision; as long as browsers show.
const LINK_MAX_BYTES: usize = 2_000;

impl Scheduler {
    /// Writes down that a target is live of which that was not known, because a person has looked
    /// and found it under `link`. Its network has not told its id, so nothing is read of it, and it
    /// is changed and taken down on the network alone.
    ///
    /// # Errors
    /// `forbidden` without `posts:write` and `posts:publish`; `invalid_request` naming `link` when
    /// it is no address of a page; `not_found`; `in_flight`; `already_started` for a target of which
    /// it is known.
    pub async fn found_live(
        &self,
        caller: &Caller,
        post_id: PostId,
        target_id: TargetId,
        link: &str,
    ) -> Result<Post, AppError> {
        caller.require(Scope::PostsWrite)?;
        caller.require(Scope::PostsPublish)?;
        let link = parse_link(link)?;
        for _ in 0..DECIDE_ATTEMPTS {
            let current = self.post_of(caller, post_id).await?;
            let now = self.ports.clock.now();
            let post = decide::found_live(&current, target_id, link.clone(), now)?;
            // It was counted when it first went out.
            let outcome = self.store().save_post(&post, u64::MAX).await?;
            if self.is_saved(&caller.workspace, outcome)? {
                return Ok(saved(post));
            }
        }
        Err(too_busy().into())
    }
}

fn parse_link(link: &str) -> Result<String, Refusal> {
    let link = link.trim();
    let message =
        "Give the address of the post on its network, such as https://example.com/post/1.";
    let url = Url::parse(link).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let is_page = url.is_some_and(|url| url.host_str().is_some() && url.username().is_empty());
    if !is_page || link.len() > LINK_MAX_BYTES {
        return Err(Refusal::invalid("link", message));
    }
    Ok(link.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_pages() {
        for (link, is_one) in [
            (" https://example.com/@a/1 ", true),
            ("http://localhost:8080/post/1", true),
            ("example.com/post", false),
            ("javascript:alert(1)", false),
            ("https://a:b@example.com/", false),
            ("", false),
        ] {
            assert_eq!(parse_link(link).is_ok(), is_one, "{link}");
        }
        assert!(parse_link(&format!("https://example.com/{}", "a".repeat(2_000))).is_err());
    }
}
