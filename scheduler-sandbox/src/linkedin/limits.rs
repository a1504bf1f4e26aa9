//! Daily limits, counted only when the sandbox is told to.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/share-on-linkedin>
//! (150 requests of a member a day), reset at midnight UTC.

use super::Linkedin;
use super::error::ApiError;
use crate::network::Context;
use crate::quota::Limit;
use crate::request::Request;

const MEMBER: Limit = Limit { name: "member", points: 150, window_seconds: 86_400 };

impl Linkedin {
    /// Counts a call against its member's day.
    ///
    /// # Errors
    /// 429.
    pub(super) fn take_point(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        if !context.options.quotas {
            return Ok(());
        }
        let Some(token) = request.bearer().and_then(|token| self.tokens.get(token)) else {
            return Ok(());
        };
        // A window for each day, so that midnight opens a new one.
        let caller = format!("{} {}", token.member, context.now.date_naive());
        let standing = self.quotas.take(MEMBER, &caller, 1, context.now);
        if standing.is_exceeded { Err(ApiError::too_many()) } else { Ok(()) }
    }
}
