//! Limits, counted only when the sandbox is told to.
//!
//! Source: <https://developers.pinterest.com/docs/>, "reference/rate-limits": the figures of
//! Standard access, and of Trial access for applications whose id begins with `trial`.

use super::Pinterest;
use super::accounts::Caller;
use super::error::ApiError;
use crate::network::{Context, Operation};
use crate::quota::Limit;
use crate::request::Request;

const WRITE: Limit = Limit { name: "org_write", points: 100, window_seconds: 60 };
const READ: Limit = Limit { name: "org_read", points: 1_000, window_seconds: 60 };
const ANALYTICS: Limit = Limit { name: "org_analytics", points: 60, window_seconds: 60 };
const TRIAL: Limit = Limit { name: "trial", points: 1_000, window_seconds: 86_400 };
const TRIAL_WRITE: Limit = Limit { name: "trial_write", points: 300, window_seconds: 86_400 };

/// Says whether an application has Trial access.
pub(super) fn is_trial(client_id: &str) -> bool {
    client_id.starts_with("trial")
}

impl Pinterest {
    /// Counts a call against the limits of its caller.
    ///
    /// # Errors
    /// 429.
    pub(super) fn take_point(
        &mut self,
        caller: &Caller,
        request: &Request,
        operation: Operation,
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        if !context.options.quotas {
            return Ok(());
        }
        let is_write = request.method != http::Method::GET;
        let (limits, who) = if is_trial(&caller.client_id) {
            let limits = if is_write { vec![TRIAL, TRIAL_WRITE] } else { vec![TRIAL] };
            (limits, caller.client_id.clone())
        } else {
            let limit = match operation {
                Operation::Metrics => ANALYTICS,
                _ if is_write => WRITE,
                _ => READ,
            };
            (vec![limit], format!("{} {}", caller.client_id, caller.user))
        };
        for limit in limits {
            let standing = self.quotas.take(limit, &who, 1, context.now);
            if standing.is_exceeded {
                let seconds = (standing.resets_at - context.now).num_seconds().max(1);
                return Err(ApiError::too_many(seconds));
            }
        }
        Ok(())
    }
}
