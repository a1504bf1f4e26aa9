//! Files: declared, uploaded, seen, deleted.

pub(super) mod complete;
pub(super) mod create;
pub(super) mod delete;
pub(super) mod list;
pub(super) mod posts;
pub(super) mod show;
pub(super) mod thumb;
pub(super) mod uploaded;
