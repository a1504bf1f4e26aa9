//! Rate limits, which are refused only when the sandbox is told to.
//!
//! Source: <https://core.telegram.org/bots/faq>, "My bot is hitting limits". Each message of an
//! album counts.

use super::error::ApiError;
use super::{Call, Telegram};
use crate::quota::Limit;

/// Messages to one group or channel.
const CHAT: Limit = Limit { name: "chat", points: 20, window_seconds: 60 };
/// Messages to all chats of a bot.
const BOT: Limit = Limit { name: "bot", points: 30, window_seconds: 1 };

impl Telegram {
    /// Counts messages against the limits of their chat and their bot.
    ///
    /// # Errors
    /// 429.
    pub(super) fn take_sends(
        &mut self,
        call: &Call<'_>,
        chat: i64,
        count: u32,
    ) -> Result<(), ApiError> {
        if !call.context.options.quotas {
            return Ok(());
        }
        let now = call.context.now;
        for (limit, caller) in [(CHAT, chat), (BOT, call.bot)] {
            let standing = self.quotas.take(limit, &caller.to_string(), count, now);
            if standing.is_exceeded {
                let wait = (standing.resets_at - now).num_seconds() + 1;
                return Err(ApiError::flood(wait.unsigned_abs()));
            }
        }
        Ok(())
    }
}
