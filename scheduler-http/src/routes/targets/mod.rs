//! Single targets of a post, most of all once they are live.

pub(super) mod act_on_comment;
pub(super) mod change_account;
pub(super) mod edit;
pub(super) mod list_comments;
pub(super) mod list_readings;
pub(super) mod read_metrics;
pub(super) mod show_insights;
pub(super) mod take_down;
