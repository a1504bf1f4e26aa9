//! Connected accounts.

pub(super) mod list;
