//! What the network allows an account at present. It is asked before each post.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-query-creator-info>
//! and <https://developers.tiktok.com/docs/en/content-sharing-guidelines>.

use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{Creator, NetworkError, Step};
use scheduler_core::target::FailureCode;
use secrecy::SecretString;

use super::api::Api;
use super::errors::{lacks_scope, taken};
use super::progress::{Allowed, Progress};
use super::wire::CreatorInfo;
use crate::conversation::{Answer, Body, Job, Request, Session, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// The scope with which it is asked, and with which posts are published.
pub(super) const PUBLISH: &str = "video.publish";

/// The request for what an account is allowed.
pub(super) fn query(api: &Api, token: &SecretString) -> Request {
    api.call(token, &["post", "publish", "creator_info", "query"], None, Body::Empty)
}

/// The next turn of asking what the account is allowed, before a post that goes by it.
pub(super) fn check(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(query(api, &job.credentials.access_token)));
    };
    let info: CreatorInfo = taken(answer, false, Some(job.now))?;
    let privacy = progress.post.privacy.as_ref();
    if !privacy.is_some_and(|privacy| info.privacy_level_options.contains(privacy)) {
        let levels = info.privacy_level_options.join(", ");
        return Err(invalid(format!(
            "This account allows {levels}. Set tiktok.privacy to one of them."
        )));
    }
    let seconds = f64::from(u32::try_from(info.max_video_post_duration_sec).unwrap_or(u32::MAX));
    let is_longer = |file: &&scheduler_core::ports::JobFile| {
        file.facts.duration_seconds.is_some_and(|length| length > seconds)
    };
    if progress.post.is_video && progress.files(job)?.iter().any(is_longer) {
        return Err(invalid(format!(
            "TikTok takes videos of up to {seconds} seconds from this account. Use a shorter one."
        )));
    }
    let allowed = Allowed {
        username: info.creator_username,
        comments_disabled: info.comment_disabled,
        duets_disabled: info.duet_disabled,
        stitches_disabled: info.stitch_disabled,
    };
    let progress = progress.allowed(Some(allowed), job.now);
    Ok(Turn::Done(Step::Next(progress)))
}

/// The next turn of reading what the account is allowed, for whoever makes a post.
pub(super) fn creator(
    api: &Api,
    session: &Session<'_, Tokens>,
    answers: &[Answer],
) -> TurnResult<Creator> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(query(api, &session.credentials.access_token)));
    };
    let info: CreatorInfo = taken(answer, false, Some(session.now))?;
    Ok(Turn::Done(Creator {
        privacy_levels: info.privacy_level_options,
        comment_disabled: info.comment_disabled,
        duet_disabled: info.duet_disabled,
        stitch_disabled: info.stitch_disabled,
        max_video_duration_seconds: info.max_video_post_duration_sec,
        nickname: Some(info.creator_nickname).filter(|name| !name.is_empty()),
        username: Some(info.creator_username).filter(|name| !name.is_empty()),
        avatar_url: Some(info.creator_avatar_url).filter(|url| !url.is_empty()),
    }))
}

/// The next turn of reading what the rules go by; `None` for an account that may only send drafts.
pub(super) fn limits(
    api: &Api,
    session: &Session<'_, Tokens>,
    answers: &[Answer],
) -> TurnResult<Option<AccountLimits>> {
    if !session.credentials.may(&[PUBLISH]) {
        return Ok(Turn::Done(None));
    }
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(query(api, &session.credentials.access_token)));
    };
    if lacks_scope(answer) {
        return Ok(Turn::Done(None));
    }
    let info: CreatorInfo = taken(answer, false, Some(session.now))?;
    Ok(Turn::Done(Some(info.limits())))
}

fn invalid(message: String) -> NetworkError {
    NetworkError::permanent(message).with_code(FailureCode::ValidationFailed)
}

#[cfg(test)]
#[path = "creator_tests.rs"]
mod tests;
