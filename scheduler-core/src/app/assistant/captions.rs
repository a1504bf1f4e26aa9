//! Captions of a text, one for each network.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::assistant::{AssistantCall, Tried, ask, ask_again, read_captions};
use crate::error::{AppError, AssistantRefusal, Invalid, Refusal};
use crate::key::Scope;
use crate::platform::Platform;
use crate::ports::AssistantError;
use crate::post::{Month, check_content};
use crate::rules::fit::{findings, fitted};

use super::super::{Caller, Scheduler};
use super::nonsense;

/// The body of a request for captions.
///
/// Source: interface description, POST /ai/captions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaptionsInput {
    /// The text that somebody wants to publish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(required, !default, !skip_serializing_if, length(min = 1, max = crate::post::CONTENT_MAX_CHARACTERS)))]
    pub content: Option<String>,
    /// The networks that captions are wanted for; one that is named twice counts once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(required, !default, !skip_serializing_if, with = "Option<Vec<Platform>>", length(min = 1)))]
    pub platforms: Option<Vec<String>>,
}

/// A caption for each network that was named.
///
/// Source: interface description, POST /ai/captions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Captions {
    /// The captions, by network.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, String>"))]
    pub captions: BTreeMap<Platform, String>,
}

/// How many calls for captions a plan allows in a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaptionAllowance {
    /// Those that are left of this month.
    pub left: u64,
    /// Those of a month.
    pub limit: u64,
}

impl Scheduler {
    /// How many calls for captions are left of this month; `None` where no assistant is configured.
    ///
    /// # Errors
    /// `forbidden` without `posts:write`.
    pub async fn caption_allowance(
        &self,
        caller: &Caller,
    ) -> Result<Option<CaptionAllowance>, AppError> {
        caller.require(Scope::PostsWrite)?;
        if !self.ports.assistant.is_configured() {
            return Ok(None);
        }
        let (month, call) = (Month::of(self.ports.clock.now()), AssistantCall::Captions);
        let used = self.store().calls_in_month(caller.workspace.id, month, call).await?;
        let limit = self.allowances(caller).captions_a_month;
        Ok(Some(CaptionAllowance { left: limit.saturating_sub(used), limit }))
    }

    /// Has captions of a text written. Each keeps the rules of its network.
    ///
    /// All are asked for in one call to the assistant. Those that a network would refuse are asked
    /// for again in a second call, and are cut if that does not help. Both count as one call
    /// against the allowance, and neither does when no captions come of it.
    ///
    /// # Errors
    /// `forbidden` without `posts:write`; `invalid_request` naming the field; `ai_not_in_plan`;
    /// `ai_limit`; `ai_declined`; `ai_unavailable`.
    pub async fn write_captions(
        &self,
        caller: &Caller,
        input: CaptionsInput,
    ) -> Result<Captions, AppError> {
        caller.require(Scope::PostsWrite)?;
        let (content, platforms) = checked(input)?;
        let taken = self.take_call(caller, AssistantCall::Captions).await?;
        let captions = self.captions_of(&content, &platforms).await;
        self.give_back_unless_ok(caller, taken, captions.map(|captions| Captions { captions }))
            .await
    }

    async fn captions_of(
        &self,
        content: &str,
        platforms: &[Platform],
    ) -> Result<BTreeMap<Platform, String>, AppError> {
        let answer = self.answer(&ask(content, platforms)).await.map_err(refusal)?;
        let mut captions = read_captions(&answer, platforms.iter().copied());
        let tried = tried(platforms, &captions);
        if tried.is_empty() {
            return Ok(captions);
        }
        match self.answer(&ask_again(content, &tried)).await {
            Ok(answer) => {
                let asked = tried.iter().map(|tried| tried.platform);
                captions.extend(read_captions(&answer, asked));
            }
            // What the first answer holds can still be cut.
            Err(_) if tried.iter().all(|tried| tried.caption.is_some()) => {}
            Err(error) => return Err(refusal(error)),
        }
        for platform in platforms {
            let caption = captions.get(platform).ok_or_else(nonsense)?;
            let fit = fitted(*platform, caption).ok_or_else(nonsense)?;
            captions.insert(*platform, fit);
        }
        Ok(captions)
    }
}

/// The text and the networks of a body.
///
/// # Errors
/// `invalid_request` naming the field.
fn checked(input: CaptionsInput) -> Result<(String, Vec<Platform>), Refusal> {
    let content =
        input.content.ok_or_else(|| Refusal::invalid("content", Invalid::Required("content")))?;
    if content.trim().is_empty() {
        let message = "content is empty; send the text that the captions are to be made of.";
        return Err(Refusal::invalid("content", message));
    }
    check_content(&content)?;
    let named = input
        .platforms
        .ok_or_else(|| Refusal::invalid("platforms", Invalid::Required("platforms")))?;
    if named.is_empty() {
        return Err(Refusal::invalid("platforms", "platforms is empty; name at least one."));
    }
    let mut platforms = Vec::new();
    for (index, name) in named.iter().enumerate() {
        let platform: Platform = name.parse().map_err(|error| {
            let error: crate::platform::UnknownPlatform = error;
            Refusal::invalid(format!("platforms[{index}]"), format!("{error}."))
        })?;
        if !platforms.contains(&platform) {
            platforms.push(platform);
        }
    }
    Ok((content, platforms))
}

/// The networks whose captions do not do.
fn tried(platforms: &[Platform], captions: &BTreeMap<Platform, String>) -> Vec<Tried> {
    let look = |platform: &Platform| {
        let caption = captions.get(platform);
        let findings = caption.map(|caption| findings(*platform, caption)).unwrap_or_default();
        let does = caption.is_some() && findings.is_empty();
        (!does).then(|| Tried { platform: *platform, caption: caption.cloned(), findings })
    };
    platforms.iter().filter_map(look).collect()
}

fn refusal(error: AssistantError) -> AppError {
    let refusal = match error {
        AssistantError::Declined(words) => AssistantRefusal::Declined(words),
        AssistantError::Unavailable(reason) => AssistantRefusal::Unavailable(reason),
    };
    refusal.into()
}
