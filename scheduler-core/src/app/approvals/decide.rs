//! What a client decides under their link.

use super::news::seen;
use super::page::{ApprovalPage, OpenedApproval};
use super::written;
use crate::app::posts::too_busy;
use crate::app::{DECIDE_ATTEMPTS, Scheduler};
use crate::connecting::Pass;
use crate::error::{AppError, Refusal};
use crate::ids::{EventId, PostId};
use crate::ports::ApprovalsOf;
use crate::post::{Approval, NOTE_MAX_CHARACTERS, Remark, RemarkBy, Verdict, decide};
use crate::webhook::Event;

/// What a client answers, and what they had before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalAnswer {
    /// The post, one of those under their link.
    pub post_id: PostId,
    /// [`ApprovalPost::seen`](super::ApprovalPost::seen) of it on the page that they answered on.
    pub seen: String,
    /// What they decided.
    pub verdict: Verdict,
    /// What they wrote; needed to ask for changes.
    pub note: Option<String>,
}

/// What became of a client's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Decided {
    /// It is stored, now or before.
    Stored,
    /// The post is not what they saw any more; nothing was stored, and this is how it looks now.
    Changed(Box<ApprovalPage>),
    /// There is no such link any more, or the post is not under it.
    Unknown,
    /// The link's time is over.
    Expired,
}

impl Scheduler {
    /// Stores what a client says of the post that they saw. They may change their mind until it
    /// has begun to go out. An answer that is given twice is stored once.
    ///
    /// # Errors
    /// `invalid_request` naming `note` when it is too long, or missing where changes are asked
    /// for; `already_started` once the post has begun to go out.
    pub async fn decide_approval(
        &self,
        pass: &Pass,
        answer: &ApprovalAnswer,
    ) -> Result<Decided, AppError> {
        let note = note(answer)?;
        for _ in 0..DECIDE_ATTEMPTS {
            let found = self.store().approvals(ApprovalsOf::Pass(pass.hash())).await?;
            let found = found.into_iter().find(|(_, post)| post.id == answer.post_id);
            let Some((approval, post)) = found else {
                return Ok(Decided::Unknown);
            };
            let now = self.ports.clock.now();
            if approval.expires_at <= now {
                return Ok(Decided::Expired);
            }
            if answer.seen != decide::content_fingerprint(&post) {
                return Ok(match self.open_approval(pass).await? {
                    OpenedApproval::Page(page) => Decided::Changed(page),
                    OpenedApproval::Unknown => Decided::Unknown,
                    OpenedApproval::Expired => Decided::Expired,
                });
            }
            if post.approval_state == Some(answer.verdict.state())
                && approval.note() == note.as_deref()
            {
                return Ok(Decided::Stored);
            }
            let seen = seen(&post, answer.verdict);
            let post = decide::record_decision(&post, answer.verdict, now)?;
            let mut approval = Approval { decided_at: Some(now), seen, ..approval };
            if let Some(text) = note.clone() {
                approval.remark(Remark { at: now, by: RemarkBy::Client, text });
            }
            let id = EventId(self.ports.ids.next(now));
            let event =
                Event::approval_decided(id, &post, answer.verdict.state(), note.clone(), now);
            if self.are_approvals_saved(&[(post, Some(approval))], Some(&event)).await? {
                return Ok(Decided::Stored);
            }
        }
        Err(too_busy().into())
    }
}

/// What the client wrote, without the white space around it.
fn note(answer: &ApprovalAnswer) -> Result<Option<String>, Refusal> {
    let note = answer.note.as_deref().unwrap_or_default();
    let note = written("note", "The note", note, NOTE_MAX_CHARACTERS)?;
    if note.is_none() && answer.verdict == Verdict::Changes {
        return Err(Refusal::invalid("note", "Write what should change."));
    }
    Ok(note)
}
