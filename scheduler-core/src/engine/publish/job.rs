//! What an attempt at a target needs, and why it cannot begin.

use std::borrow::Cow;

use super::attempt::Attempt;
use super::machine::{Action, Machine};
use crate::account::Account;
use crate::app::Scheduler;
use crate::app::media::{NamedFiles, of_post, of_targets, refuse_deleted};
use crate::engine::NetworkCallError;
use crate::engine::fault::{disconnected, in_doubt};
use crate::engine::token::Need;
use crate::error::AppError;
use crate::media::{Media, MediaFacts};
use crate::platform::FileDetails;
use crate::ports::{
    Claim, ExamineError, FilesError, JobFile, NetworkError, NetworkErrorKind, PublishContext,
    PublishJob,
};
use crate::post::Post;
use crate::rules::{Cost, DraftTarget, Fit, Severity, fits, thumbnail_fit};
use crate::target::{FailureCode, Progress, RetriesUsed, Target, TargetStatus};

impl Scheduler {
    /// Brings together what an attempt needs, with what it does first.
    ///
    /// # Errors
    /// [`NetworkCallError::Network`]: why it cannot begin. [`NetworkCallError::Store`].
    pub(super) async fn attempt<'a>(
        &'a self,
        claim: &'a Claim,
        context: PublishContext,
        target: Target,
    ) -> Result<(Attempt<'a>, Action), NotBegun> {
        let was_held = context.target().is_some_and(|stored| {
            matches!(stored.status(), TargetStatus::Publishing | TargetStatus::Published)
        });
        let PublishContext { post, account, credentials, .. } = context;
        let Some(network) = self.ports().networks.network(target.platform).cloned() else {
            let message = format!("This server cannot publish to {}.", target.platform);
            return Err(permanent(message, FailureCode::Unsupported).into());
        };
        let Some(credentials) = credentials.filter(|_| !account.needs_reconnect) else {
            return Err(disconnected(&account).into());
        };
        let begins = target.progress().is_none();
        // As does what a person has retried.
        if begins || (!was_held && target.spent == RetriesUsed::NOTHING) {
            self.refuse_beyond_plan(&account).await?;
        }
        let checked = begins.then_some(&account);
        let mut sent = self.job_files(&post, &target, checked).await?;
        self.convert(&target, &account, &mut sent).await?;
        let JobFiles { files, thumbnail, thread_files, cost } = sent;
        self.spend_on_publish(&account, cost).await?;
        let now = self.ports().clock.now();
        let need = Need::before_use(credentials.credentials.expires_at, now);
        let in_doubt = in_doubt(&account, post.id);
        let sent = post.sent_to(&target);
        let options = post.disclosure.fill(target.platform.sheet(), &sent.options).into_owned();
        let job = PublishJob {
            target_id: target.id,
            revision: target.revision,
            content: sent.content.into_owned(),
            link_url: sent.link_url.map(Cow::into_owned),
            files,
            thumbnail,
            thread_files,
            options,
            account,
            credentials: credentials.credentials.clone(),
            begun_at: target.progress().map_or(now, |progress| progress.begun_at),
            now,
        };
        let progress = target.progress().cloned();
        let progress = progress.unwrap_or_else(|| Progress::new(network.begin(&job), now));
        let (machine, first) = Machine::begin(progress, need, in_doubt);
        let attempt =
            Attempt { scheduler: self, claim, network, job, credentials, target, machine };
        Ok((attempt, first))
    }

    /// The files that go with a target; with `checked`, before the first step, once more under the
    /// rules for that account: files and limits may have changed. Later the network decides, since
    /// something may be live already.
    async fn job_files(
        &self,
        post: &Post,
        target: &Target,
        checked: Option<&Account>,
    ) -> Result<JobFiles, NetworkCallError> {
        let files = self.files_to_send(post, target, checked.is_some()).await;
        let files = files.map_err(|error| match error {
            AppError::Store(error) => error.into(),
            AppError::Files(error) => {
                NetworkError::new(NetworkErrorKind::Temporary, error.to_string()).into()
            }
            AppError::Refused(refusal) => permanent(refusal.message(), FailureCode::MediaUnusable),
        })?;
        let mut cost = None;
        if checked.is_some() {
            let zone = self.zone_for_rules(post.workspace_id).await?;
            let (issues, mut costs) =
                self.issues_and_costs_of(post, &[(target, checked)], zone, &files);
            cost = costs.pop();
            let first = issues.into_iter().find(|issue| issue.severity == Severity::Error);
            if let Some(issue) = first {
                return Err(permanent(issue.message, FailureCode::ValidationFailed));
            }
        }
        let thumbnail = files.thumbnail(target.platform, Some(&target.options));
        let thumbnail = thumbnail.map(|media| job_file(media, None, FileDetails::default()));
        let of_target = files.of(post.media_of(target)).map(|media| {
            let alt_text = post.alt_text_of(target, media.id).map(str::to_owned);
            job_file(media, alt_text, target.files.details_of(media.id))
        });
        let of_target = of_target.collect();
        let of_parts = target.thread().into_iter().map(|part| {
            let of_part = files.of(&part.media_ids).enumerate();
            let of_part = of_part.map(|(index, media)| {
                let alt_text = part.alt_text(index).map(str::to_owned);
                job_file(media, alt_text, FileDetails::default())
            });
            of_part.collect()
        });
        Ok(JobFiles { files: of_target, thumbnail, thread_files: of_parts.collect(), cost })
    }

    /// Makes what the network takes of the pictures and videos that it would refuse, before anything
    /// is sent.
    ///
    /// What was made before is found again. Of files that are not ready, nothing is made.
    ///
    /// # Errors
    /// [`NotBegun::NotReady`] while a video is being made;
    /// [`FailureCode::MediaUnusable`] for a file of which it cannot be made, unless something may
    /// have been sent before.
    async fn convert(
        &self,
        target: &Target,
        account: &Account,
        sent: &mut JobFiles,
    ) -> Result<(), NotBegun> {
        let drafted = DraftTarget::new(target.platform, &target.options, &account.limits);
        let thumbnail = sent.thumbnail.as_mut().map(|file| {
            let fit = thumbnail_fit(&drafted, &file.facts, self.decoding());
            (file, fit)
        });
        let posts = std::iter::once(&mut sent.files).chain(&mut sent.thread_files);
        let files = posts.flat_map(|files| {
            let facts: Vec<MediaFacts> = files.iter().map(|file| file.facts.clone()).collect();
            let fits = fits(&drafted, &facts, self.decoding());
            files.iter_mut().zip(fits)
        });
        for (file, fit) in files.chain(thumbnail) {
            let Fit::Convert(made) = fit else { continue };
            if !file.facts.ready {
                continue;
            }
            let derived = self.ports().examiner.derive(&file.folder, &made.recipe).await;
            file.recipe = Some(made.recipe);
            file.facts = match derived {
                Ok(derived) => derived.facts,
                // It may have been sent, and is asked for again where it has not.
                Err(
                    ExamineError::Unusable(_)
                    | ExamineError::Files(FilesError::Missing)
                    | ExamineError::InProgress { .. },
                ) if target.progress().is_some() => made.facts,
                Err(ExamineError::InProgress { percent }) => {
                    let name = target.platform.sheet().name;
                    let message =
                        format!("A video is being converted for {name}: {percent} % is done.");
                    return Err(NotBegun::NotReady(message));
                }
                Err(error) => return Err(unconverted(error).into()),
            };
        }
        Ok(())
    }

    /// The files of a post and those that one of its targets names.
    ///
    /// # Errors
    /// `not_found` for a file that the workspace does not have; `media_unusable` for a deleted
    /// one where the publish begins.
    async fn files_to_send(
        &self,
        post: &Post,
        target: &Target,
        begins: bool,
    ) -> Result<NamedFiles, AppError> {
        let named = of_post(&post.media_ids).chain(of_targets([target]));
        let files = self.named_files(post.workspace_id, named).await?;
        if begins {
            refuse_deleted(files.all())?;
        }
        Ok(files)
    }
}

/// Why an attempt does not begin.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotBegun {
    /// The network, or what keeps us from it; or the store.
    #[error(transparent)]
    Call(#[from] NetworkCallError),
    /// A file is still being made, which the sentence says.
    #[error("{0}")]
    NotReady(String),
}

impl From<NetworkError> for NotBegun {
    fn from(error: NetworkError) -> Self {
        Self::Call(error.into())
    }
}

/// The files of a job, and what the publish costs where one begins at a network that charges.
struct JobFiles {
    files: Vec<JobFile>,
    thumbnail: Option<JobFile>,
    thread_files: Vec<Vec<JobFile>>,
    cost: Option<Cost>,
}

fn job_file(media: &Media, alt_text: Option<String>, details: FileDetails) -> JobFile {
    let details = FileDetails { alt_text: None, ..details };
    let file_name = media.file_name.clone();
    JobFile {
        alt_text,
        file_name,
        details,
        ..JobFile::new(media.id, media.folder(), media.facts())
    }
}

/// What it means for a publish that a picture cannot be made to fit.
fn unconverted(error: ExamineError) -> NetworkError {
    match error {
        ExamineError::Unusable(reason) => NetworkError::unusable_media(reason),
        ExamineError::Files(FilesError::Missing) => {
            NetworkError::unusable_media("The bytes of a file of the post are gone.")
        }
        ExamineError::Files(error) => {
            let message = format!("A file of the post could not be read: {error}.");
            NetworkError::new(NetworkErrorKind::Temporary, message)
        }
        ExamineError::Temporary(reason) => NetworkError::new(NetworkErrorKind::Temporary, reason),
        ExamineError::InProgress { .. } => NetworkError::temporary(error.to_string()),
    }
}

fn permanent(message: String, code: FailureCode) -> NetworkCallError {
    NetworkError::new(NetworkErrorKind::Permanent, message).with_code(code).into()
}
