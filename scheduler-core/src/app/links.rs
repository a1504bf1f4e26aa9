//! The links of posts: what becomes of them, and the short ones that a workspace has.

use chrono::{DateTime, Duration, Utc};

use super::item_page::first_page;
use super::{Caller, Scheduler, WorkspaceChange};
use crate::error::AppError;
use crate::ids::{PostId, WorkspaceId};
use crate::key::Scope;
use crate::links::{
    CLICK_DAYS, CODE_CHARACTERS, LinkChange, LinkRules, Sent, ShortLink, ShortLinkPage,
    ShortLinkView, ShortLinks, Tagging, changes,
};
use crate::platform::Platform;
use crate::post::{PageInput, Post, parse_number, unreadable_cursor};
use crate::workspace::Workspace;

/// Short links in a page, unless another number is asked for.
///
/// Source: our decision.
pub const SHORT_LINKS_DEFAULT: i64 = 50;

/// The most short links in a page.
///
/// Source: our decision.
pub const SHORT_LINKS_MAX: i64 = 200;

/// What the links of a post are changed by, whatever the network.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct LinksOf<'a> {
    /// Whose post it is.
    pub(in crate::app) workspace: &'a Workspace,
    /// What the post wants itself.
    pub(in crate::app) own: Option<&'a LinkRules>,
    /// Its labels.
    pub(in crate::app) labels: &'a [String],
    /// When it is written.
    pub(in crate::app) now: DateTime<Utc>,
}

impl Scheduler {
    /// The same with short links, at an address of its server.
    #[must_use]
    pub fn with_short_links(self, short: ShortLinks) -> Self {
        Self { short_links: Some(short), ..self }
    }

    /// What makes short links, where the server has an address.
    #[must_use]
    pub const fn short_links(&self) -> Option<&ShortLinks> {
        self.short_links.as_ref()
    }

    /// Sets what a workspace wants of its links, and returns the workspace as it is then. Posts that
    /// are there keep what was worked out for them until they are changed.
    ///
    /// # Errors
    /// `invalid_request` naming the field; `not_found` when the workspace is gone.
    pub async fn set_link_rules(
        &self,
        workspace: &Workspace,
        rules: LinkRules,
    ) -> Result<Workspace, AppError> {
        self.check_links("", Some(&rules)).await?;
        self.rewrite_workspace(workspace.id, WorkspaceChange::default(), Some(rules)).await
    }

    /// Refuses what cannot be done with links.
    ///
    /// # Errors
    /// `invalid_request` naming the field, below `place`; `unsupported` where the store keeps no
    /// short links.
    pub(in crate::app) async fn check_links(
        &self,
        place: &str,
        rules: Option<&LinkRules>,
    ) -> Result<(), AppError> {
        let Some(rules) = rules else { return Ok(()) };
        rules.check(place, self.short_links.is_some())?;
        if rules.shorten {
            self.store().clicks(&[], self.ports.clock.now().date_naive()).await?;
        }
        Ok(())
    }

    /// What is sent in place of the links of one target.
    pub(in crate::app) fn link_changes(
        &self,
        of: LinksOf<'_>,
        platform: Platform,
        sent: &Sent<'_>,
    ) -> Vec<LinkChange> {
        let zone = of.workspace.timezone;
        let tagging = Tagging {
            rules: of.own.unwrap_or(&of.workspace.links),
            platform,
            labels: of.labels,
            date: zone.map_or(of.now.naive_utc(), |zone| zone.local(of.now)).date(),
            workspace: of.workspace.id,
            short: self.short_links.as_ref(),
        };
        changes(&sent.content, sent.link_url.as_deref(), &sent.options, &tagging)
    }

    /// Works out what becomes of the links of a post, for those of its targets that have not begun.
    pub(in crate::app) fn change_links(
        &self,
        workspace: &Workspace,
        post: &mut Post,
        now: DateTime<Utc>,
    ) {
        let mut targets = std::mem::take(&mut post.targets);
        let labels = &post.annotations.labels;
        let of = LinksOf { workspace, own: post.links.as_ref(), labels, now };
        for target in targets.iter_mut().filter(|target| !target.has_started()) {
            let link = post.link_url.as_deref();
            let sent = Sent::of(&post.content, link, &target.options, &[]);
            target.links = self.link_changes(of, target.platform, &sent);
        }
        post.targets = targets;
    }

    /// A page of the short links of a workspace with their clicks, those that were made last first;
    /// with `post`, those that stand in a post.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `invalid_request` naming `limit` or `before`; `not_found`
    /// for a post that is not there.
    pub async fn list_short_links(
        &self,
        caller: &Caller,
        page: &PageInput,
        post: Option<PostId>,
    ) -> Result<ShortLinkPage, AppError> {
        caller.require(Scope::PostsRead)?;
        let workspace = caller.workspace.id;
        let limit =
            parse_number("limit", page.limit.as_deref(), SHORT_LINKS_DEFAULT, SHORT_LINKS_MAX)?;
        let limit = u32::try_from(limit).unwrap_or_default();
        let before = match &page.before {
            Some(code) => Some(self.short_link_of(workspace, code).await?),
            None => None,
        };
        let (links, next_cursor) = match post {
            Some(id) => {
                let mut links = Vec::new();
                for ShortLink { code, .. } in self.post_of(caller, id).await?.short_links() {
                    links.extend(self.store().short_link(&code).await?);
                }
                (links, None)
            }
            None => {
                let found = self.store().short_links(workspace, before, limit + 1).await?;
                first_page(found, limit as usize, |link: &ShortLink| link.code.clone())
            }
        };
        let codes: Vec<_> = links.iter().map(|link| link.code.clone()).collect();
        let today = self.ports.clock.now().date_naive();
        let since = today - Duration::days(i64::from(CLICK_DAYS) - 1);
        let clicks = self.store().clicks(&codes, since).await?;
        let short = self.short_links.as_ref();
        let views = links.into_iter().zip(clicks);
        let views = views.map(|(link, clicks)| ShortLinkView::new(link, clicks, short)).collect();
        Ok(ShortLinkPage::new(views, next_cursor))
    }

    async fn short_link_of(
        &self,
        workspace: WorkspaceId,
        code: &str,
    ) -> Result<ShortLink, AppError> {
        let link = self.store().short_link(code).await?;
        let link = link.filter(|link| link.workspace_id == workspace);
        Ok(link.ok_or_else(unreadable_cursor)?)
    }

    /// Where a short link leads, `None` where there is none of that code. With `counted` it is
    /// counted as followed; where that fails it leads there all the same.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn follow_short_link(
        &self,
        code: &str,
        counted: bool,
    ) -> Result<Option<String>, AppError> {
        let is_code =
            code.len() == CODE_CHARACTERS && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_code {
            return Ok(None);
        }
        let Some(link) = self.store().short_link(code).await? else { return Ok(None) };
        if counted {
            // Whoever follows a link wants to get there; a click less is no reason to keep them.
            let _ = self.store().count_click(code, self.ports.clock.now().date_naive()).await;
        }
        Ok(Some(link.destination))
    }
}
