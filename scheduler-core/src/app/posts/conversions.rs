//! Videos that have to be converted, begun as a post is saved.

use super::placing::Roster;
use crate::app::Scheduler;
use crate::app::media::NamedFiles;
use crate::ids::MediaId;
use crate::media::{MediaFacts, MediaStatus};
use crate::post::{Post, PostStatus};
use crate::rules::{DraftTarget, Fit, fits};

impl Scheduler {
    /// Begins to convert the videos that the networks of a post would refuse, so that they are
    /// there when it is due; of a draft, nothing.
    ///
    /// Nothing is waited for, and a failure is not told: publishing asks for the same, and says
    /// what became of it.
    pub(super) async fn begin_conversions(&self, post: &Post, roster: &Roster, files: &NamedFiles) {
        if post.status != PostStatus::Scheduled || !self.decoding().films {
            return;
        }
        let accounts = roster.by_id();
        for target in &post.targets {
            let Some(account) = accounts.get(&target.account_id) else { continue };
            let drafted = DraftTarget::new(target.platform, &target.options, &account.limits);
            let of_parts = target.thread().into_iter().map(|part| part.media_ids);
            let posts = std::iter::once(post.media_of(target).to_vec()).chain(of_parts);
            for ids in posts {
                self.begin_conversions_of(&drafted, &ids, files).await;
            }
        }
    }

    async fn begin_conversions_of(
        &self,
        target: &DraftTarget<'_>,
        ids: &[MediaId],
        files: &NamedFiles,
    ) {
        let facts: Vec<MediaFacts> = files.facts(ids);
        let fits = fits(target, &facts, self.decoding());
        for (file, fit) in files.of(ids).zip(fits) {
            let Fit::Convert(made) = fit else { continue };
            if made.recipe.is_of_videos() && file.status == MediaStatus::Ready {
                let _ = self.ports.examiner.derive(&file.folder(), &made.recipe).await;
            }
        }
    }
}
