//! What the assistant writes and judges.

pub(super) mod captions;
pub(super) mod review;
pub(super) mod show_review;
