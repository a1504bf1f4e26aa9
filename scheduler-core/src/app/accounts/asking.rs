//! What is asked of an account's network while a post is written: boards, playlists, what a
//! creator may do, names to mention.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::account::Account;
use crate::app::answers::Question;
use crate::app::repeating::Repeatable;
use crate::app::targets::not_offered;
use crate::app::{Caller, Scheduler};
use crate::error::{AppError, ErrorCode, Refusal, Resource};
use crate::idempotency::{IdempotencyKey, KeyScope, Made};
use crate::ids::AccountId;
use crate::key::Scope;
use crate::platform::AccountList;
use crate::platform::tiktok::AS_DRAFT;
use crate::platform::youtube::PLAYLIST_TITLE_MAX_CHARACTERS;
use crate::ports::{Board, Creator, Mention, NewPlaylist, Playlist, PlaylistPrivacy};
use crate::post::{TargetInput, check_text};

/// A playlist that is to be made.
///
/// Source: interface description, POST /oauth/accounts/{id}/youtube/playlists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "NewPlaylist"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPlaylistInput {
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(required, !default, !skip_serializing_if, length(min = 1, max = PLAYLIST_TITLE_MAX_CHARACTERS)))]
    pub title: Option<String>,
    /// Who sees it; everybody when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<PlaylistPrivacy>"))]
    pub privacy: Option<String>,
}

impl NewPlaylistInput {
    /// # Errors
    /// `invalid_request` naming `title` or `privacy`.
    fn parse(self) -> Result<(String, PlaylistPrivacy), Refusal> {
        let title = self.title.as_deref().unwrap_or_default();
        check_text("title", title, PLAYLIST_TITLE_MAX_CHARACTERS)?;
        let title = title.trim();
        if title.is_empty() {
            return Err(Refusal::invalid("title", "title is required."));
        }
        let privacy = match self.privacy.as_deref() {
            None | Some("public") => PlaylistPrivacy::Public,
            Some("unlisted") => PlaylistPrivacy::Unlisted,
            Some("private") => PlaylistPrivacy::Private,
            Some(_) => {
                let message = "privacy is public, unlisted or private.";
                return Err(Refusal::invalid("privacy", message));
            }
        };
        Ok((title.to_owned(), privacy))
    }
}

impl Scheduler {
    /// The boards of an account of Pinterest.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found`; `unsupported` for another network's account;
    /// `rate_limited` when the network may not be asked now; what the network answers.
    pub async fn boards(&self, caller: &Caller, id: AccountId) -> Result<Vec<Board>, AppError> {
        caller.require(Scope::PostsRead)?;
        let account = self.account_on(caller, id, AccountList::Boards).await?;
        let boards = async {
            let asked =
                self.ask(&account, |after, access| async move { after.boards(&access).await });
            Ok(asked.await?)
        };
        self.answered(&account, Question::Boards, boards).await
    }

    /// The playlists of a YouTube channel.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found`; `unsupported` for another network's account;
    /// `rate_limited` when the network may not be asked now; what the network answers.
    pub async fn playlists(
        &self,
        caller: &Caller,
        id: AccountId,
    ) -> Result<Vec<Playlist>, AppError> {
        caller.require(Scope::PostsRead)?;
        let account = self.account_on(caller, id, AccountList::Playlists).await?;
        let playlists = async {
            let asked =
                self.ask(&account, |after, access| async move { after.playlists(&access).await });
            Ok(asked.await?)
        };
        self.answered(&account, Question::Playlists, playlists).await
    }

    /// What was answered when a playlist was made under an Idempotency-Key before.
    ///
    /// # Errors
    /// `forbidden` without `posts:publish`; `in_flight` when it stays under way; `in_doubt` when
    /// the network's answer was lost.
    pub async fn earlier_playlist(
        &self,
        caller: &Caller,
        id: AccountId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<Made<NewPlaylist>>, AppError> {
        caller.require(Scope::PostsPublish)?;
        self.earlier_act(caller, &KeyScope::playlists(id), key).await
    }

    /// Makes a playlist of a YouTube channel, unless one of that title is there.
    ///
    /// # Errors
    /// `forbidden` without `posts:publish`; `invalid_request` naming `title` or `privacy`;
    /// `not_found`; `unsupported` for another network's account; those of
    /// [`Self::earlier_playlist`]; what the network answers.
    pub async fn create_playlist(
        &self,
        caller: &Caller,
        id: AccountId,
        input: NewPlaylistInput,
        key: Option<&IdempotencyKey>,
    ) -> Result<Made<NewPlaylist>, AppError> {
        if let Some(earlier) = self.earlier_playlist(caller, id, key).await? {
            return Ok(earlier);
        }
        let (title, privacy) = input.parse()?;
        let title = title.as_str();
        let account = self.account_on(caller, id, AccountList::Playlists).await?;
        let made = self.change(&account, |after, access| async move {
            after.create_playlist(&access, title, privacy).await
        });
        let scope = KeyScope::playlists(id);
        self.make_once(caller, Repeatable { key, scope, belongs_to: id.0 }, made).await
    }

    /// What TikTok allows an account at present.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found`; `unsupported` for another network's account;
    /// `rate_limited` when the network may not be asked now; what the network answers.
    pub async fn creator(&self, caller: &Caller, id: AccountId) -> Result<Creator, AppError> {
        caller.require(Scope::PostsRead)?;
        let account = self.account_on(caller, id, AccountList::CreatorSettings).await?;
        let creator = async {
            let asked =
                self.ask(&account, |after, access| async move { after.creator(&access).await });
            Ok(asked.await?)
        };
        self.answered(&account, Question::Creator, creator).await
    }

    /// Asks, where a network says who may post, whether it takes a post of each account at present.
    /// What is handed over as a draft is not asked about.
    ///
    /// A network that does not answer now is no reason to refuse: the post waits for its time, and is
    /// tried again then. A target that names no account is not asked about.
    ///
    /// # Errors
    /// Those of [`Self::creator`] but `network_error`.
    pub async fn ask_whether_taken(
        &self,
        caller: &Caller,
        targets: &[TargetInput],
    ) -> Result<(), AppError> {
        for target in targets {
            let options = target.options.as_ref();
            let is_draft =
                options.is_some_and(|given| given.get(AS_DRAFT) == Some(&Value::Bool(true)));
            let is_told = target.platform.sheet().lists.contains(&AccountList::CreatorSettings);
            if let Some(account) = target.account_id
                && is_told
                && !is_draft
            {
                match self.creator(caller, account).await {
                    Err(AppError::Refused(refusal)) if refusal.code == ErrorCode::NetworkError => {}
                    asked => drop(asked?),
                }
            }
        }
        Ok(())
    }

    /// Names that can be mentioned and match a text; none where the network offers no look-up.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `invalid_request` naming `q`; `not_found`; `rate_limited`
    /// when the network may not be asked now; what the network answers.
    pub async fn mentions(
        &self,
        caller: &Caller,
        id: AccountId,
        query: Option<&str>,
    ) -> Result<Vec<Mention>, AppError> {
        caller.require(Scope::PostsRead)?;
        let query = query.map(str::trim).unwrap_or_default();
        if query.is_empty() {
            return Err(Refusal::invalid("q", "q is required: the begin of a name.").into());
        }
        check_text("q", query, MENTION_QUERY_MAX_CHARACTERS)?;
        let account = self.known_account(caller, id).await?;
        let mentions = async {
            let asked = self
                .ask(&account, |after, access| async move { after.mentions(&access, query).await });
            Ok(asked.await?)
        };
        self.answered(&account, Question::Mentions(query.to_owned()), mentions).await
    }

    async fn account_on(
        &self,
        caller: &Caller,
        id: AccountId,
        list: AccountList,
    ) -> Result<Account, AppError> {
        let account = self.known_account(caller, id).await?;
        if !account.platform.sheet().lists.contains(&list) {
            return Err(not_offered(account.platform, list.noun()).into());
        }
        Ok(account)
    }

    pub(super) async fn known_account(
        &self,
        caller: &Caller,
        id: AccountId,
    ) -> Result<Account, AppError> {
        let account = self.store().account(caller.workspace.id, id).await?;
        Ok(account.ok_or_else(|| Refusal::not_found(Resource::Account))?)
    }
}

/// Characters that are looked for at most.
///
/// Source: our decision; no name is longer.
pub const MENTION_QUERY_MAX_CHARACTERS: usize = 200;
