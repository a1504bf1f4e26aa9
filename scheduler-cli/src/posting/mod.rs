//! What the posting commands share: the targets, options and files that a person names, the body
//! that is sent, what a check has found, following a post to its end, and showing it and its
//! figures.

mod arguments;
mod attach;
mod body;
mod figures;
mod findings;
mod follow;
mod media;
mod naming;
mod option;
mod target;
mod view;

pub(crate) use arguments::{
    ContentArguments, EditArguments, MediaArgument, MediaArguments, TimingArguments,
};
pub(crate) use attach::{Attached, Attachments, usable};
pub(crate) use body::{
    Reach, accounts, create_body, draft_of, known_accounts, target_body, update_body,
};
pub(crate) use figures::{figure_cells, figure_columns, figure_names};
pub(crate) use findings::{Findings, needs_account_names};
pub(crate) use follow::{Followed, follow};
pub(crate) use media::{LocalFile, size};
pub(crate) use naming::{
    Name, TargetArguments, named_account, named_target, target_label, target_path,
};
pub(crate) use option::{OptionArgument, Options};
pub(crate) use target::{Wish, choose, label};
pub(crate) use view::{account_name, instant, post_tone, show_post, target_tone};
