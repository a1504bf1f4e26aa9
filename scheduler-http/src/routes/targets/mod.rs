//! Single targets of a post.

pub(super) mod change_account;
