//! Posts: create, list, show, change, delete, retry.

mod batch;
mod cards;
mod conversions;
mod create;
mod delete;
mod list;
mod origin;
mod placing;
mod refresh;
mod retry;
mod retry_many;
mod undo;
mod update;
mod versions;
mod view;

pub use batch::{BATCH_MAX_COUNT, BatchInput, BatchItem, BatchReport, BatchResult};
pub use origin::PostOrigin;
pub use retry_many::{RETRY_MAX_POSTS, RetryInput, RetryReport};
pub use undo::ChangeView;
pub use versions::VersionView;

pub(crate) use placing::{Missing, Roster, refuse_repeated};

use crate::account::Account;
use crate::error::{AppError, Refusal, RefusalKind, Resource};
use crate::ids::{PostId, WorkspaceId, beginning};
use crate::key::Scope;
use crate::plan::Allowances;
use crate::platform::AccountLimits;
use crate::ports::{SaveOutcome, StoreError};
use crate::post::{Post, PostInput, check_described};
use crate::rules::{Context, Cost, Draft, DraftTarget, Severity, ValidationIssue, costs};
use crate::target::Target;
use crate::timing::Zone;
use crate::workspace::Workspace;

use super::media::{NamedFiles, TargetFacts, file_deleted};
use super::{Caller, Scheduler};

impl Scheduler {
    /// The post with this id.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found`.
    pub async fn post(&self, caller: &Caller, id: PostId) -> Result<Post, AppError> {
        caller.require(Scope::PostsRead)?;
        self.post_of(caller, id).await
    }

    /// The only post whose id begins as a text does, with [`BEGINNING_MIN`] characters at least.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found` when there is none; `invalid_request` naming
    /// `id` when there are several.
    ///
    /// [`BEGINNING_MIN`]: crate::ids::BEGINNING_MIN
    pub async fn post_beginning(&self, caller: &Caller, text: &str) -> Result<Post, AppError> {
        caller.require(Scope::PostsRead)?;
        let (from, to) = beginning(text).ok_or_else(|| Refusal::not_found(Resource::Post))?;
        let (workspace, from, to) = (caller.workspace.id, PostId(from), PostId(to));
        match *self.store().post_ids(workspace, from, to, 2).await? {
            [] => Err(Refusal::not_found(Resource::Post).into()),
            [id] => self.post_of(caller, id).await,
            [first, second, ..] => {
                let message = format!(
                    "Several posts begin with {text}, such as {first} and {second}; give more of the id."
                );
                Err(Refusal::invalid("id", message).into())
            }
        }
    }

    pub(in crate::app) async fn post_of(
        &self,
        caller: &Caller,
        id: PostId,
    ) -> Result<Post, AppError> {
        let post = self.store().post(caller.workspace.id, id).await?;
        Ok(post.ok_or_else(|| Refusal::not_found(Resource::Post))?)
    }

    /// The zone of a workspace, where a rule may ask for it.
    pub(crate) async fn zone_for_rules(
        &self,
        workspace: WorkspaceId,
    ) -> Result<Option<Zone>, StoreError> {
        if !self.rules.has_own() {
            return Ok(None);
        }
        let workspace = self.store().workspace(workspace).await?;
        Ok(workspace.and_then(|workspace| workspace.timezone))
    }

    /// Whether a save has stored posts, which the engine is then told; `false` where another was
    /// faster or holds a slot, and it is decided on anew.
    ///
    /// # Errors
    /// `not_found` when a post is gone, `media_unusable` when a file that it needs is, `post_limit`.
    pub(in crate::app) fn is_saved(
        &self,
        workspace: &Workspace,
        outcome: SaveOutcome,
    ) -> Result<bool, Refusal> {
        match outcome {
            SaveOutcome::Saved => {
                self.ports.wake.wake();
                Ok(true)
            }
            SaveOutcome::Missing => Err(Refusal::not_found(Resource::Post)),
            SaveOutcome::FileDeleted => Err(file_deleted()),
            SaveOutcome::LimitReached => Err(self.settings.plans.post_limit(workspace.plan).into()),
            SaveOutcome::Stale | SaveOutcome::SlotTaken => Ok(false),
        }
    }

    pub(in crate::app) fn allowances(&self, caller: &Caller) -> &Allowances {
        self.settings.plans.of(caller.plan())
    }

    /// Runs the rules over a post as it would go out, with the account of each target; `zone` is that
    /// of the workspace, `files` are those that the post and the targets name.
    pub(crate) fn issues_of(
        &self,
        post: &Post,
        targets: &[(&Target, Option<&Account>)],
        zone: Option<Zone>,
        files: &NamedFiles,
    ) -> Vec<ValidationIssue> {
        self.issues_and_costs_of(post, targets, zone, files).0
    }

    /// The same, and what its targets cost.
    pub(crate) fn issues_and_costs_of(
        &self,
        post: &Post,
        targets: &[(&Target, Option<&Account>)],
        zone: Option<Zone>,
        files: &NamedFiles,
    ) -> (Vec<ValidationIssue>, Vec<Cost>) {
        let sheet = AccountLimits::default();
        let media = files.facts(&post.media_ids);
        let of_post = (&*post.media_ids, &*post.alt_texts);
        let of_targets: Vec<TargetFacts> = targets
            .iter()
            .map(|(target, _)| {
                let options = Some(&target.options);
                TargetFacts::new(target.platform, options, &target.files, of_post, files)
            })
            .collect();
        let parts: Vec<_> = of_targets.iter().map(TargetFacts::parts).collect();
        let sent: Vec<_> = targets.iter().map(|(target, _)| post.sent_to(target)).collect();
        let targets: Vec<DraftTarget<'_>> = targets
            .iter()
            .zip(&sent)
            .zip(of_targets.iter().zip(&parts))
            .map(|(((target, account), sent), (facts, parts))| {
                let drafted = DraftTarget::new(target.platform, &sent.options, &sheet)
                    .with_text(sent.text())
                    .disclosing(post.disclosure)
                    .due_at(target.due_at());
                let drafted = facts.add_to(drafted, parts);
                account.map_or(drafted, |account| drafted.of_account(account, zone))
            })
            .collect();
        let draft = Draft {
            content: &post.content,
            link_url: post.link_url.as_deref(),
            media: &media,
            alt_texts: &post.alt_texts,
            targets: &targets,
        };
        let context = Context { decoding: self.decoding(), ..Context::default() };
        (self.rules.check(&draft, &context), costs(&draft))
    }
}

/// A post as it is stored after it was saved.
pub(crate) fn saved(post: Post) -> Post {
    Post { version: post.version + 1, ..post }
}

/// The same for a draft that may have everything wrong with it.
fn as_draft(input: PostInput) -> PostInput {
    PostInput { save_as_draft: true.into(), allow_issues: true.into(), ..input }
}

/// The refusal of a change that others kept overtaking.
pub(crate) fn too_busy() -> Refusal {
    RefusalKind::TooBusy.into()
}

/// Refuses a post that says something of files which a target does not have.
///
/// # Errors
/// `invalid_request` naming the file.
fn refuse_unknown_files(post: &Post) -> Result<(), Refusal> {
    let mut targets = post.targets.iter().enumerate();
    targets.try_for_each(|(index, target)| check_described(index, &target.files, &post.media_ids))
}

/// True when a network would refuse the post.
fn has_errors(issues: &[ValidationIssue]) -> bool {
    issues.iter().any(|issue| issue.severity == Severity::Error)
}

/// Refuses a post that the rules find an error in; gives back the warnings.
///
/// # Errors
/// `validation_failed` with every issue, warnings included.
pub(in crate::app) fn refuse_errors(
    issues: Vec<ValidationIssue>,
) -> Result<Vec<ValidationIssue>, Refusal> {
    if has_errors(&issues) {
        return Err(Refusal::validation(issues));
    }
    Ok(issues)
}
