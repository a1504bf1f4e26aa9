//! What the posting commands share: the targets, options and files that a person names, the body
//! that is sent, what a check has found, following a post to its end, and showing it and its
//! figures.

mod arguments;
mod attach;
mod body;
mod editor;
mod figures;
mod findings;
mod follow;
mod kept;
mod media;
mod media_for;
mod naming;
mod option;
mod own_texts;
mod post_name;
mod sets;
mod snippet;
mod target;
mod view;

pub(crate) use arguments::{
    ContentArguments, EditArguments, MediaArgument, MediaArguments, TimingArguments,
    idempotency_key, random_key,
};
pub(crate) use attach::{Attached, Attachments, DraftFile, describe_files, keep_checked, usable};
pub(crate) use body::{
    NewBody, TIMES, accounts, create_body, draft_of, known_accounts, read_body, read_named,
    update_body,
};
pub(crate) use figures::{figure_cells, figure_columns, figure_names};
pub(crate) use findings::{Findings, needs_account_names};
pub(crate) use follow::follow;
pub(crate) use media::{LocalFile, kind_of, size};
pub(crate) use naming::{
    AskedArguments, Name, TargetArguments, named_account, named_target, target_label, target_path,
};
pub(crate) use option::{OptionArgument, OptionChange, Options};
pub(crate) use post_name::PostName;
pub(crate) use sets::{account_sets, set_named, without_sets};
pub(crate) use snippet::snippet_named;
pub(crate) use target::{
    TargetSpec, choose, find, label, labels, not_connected, of_network, read_network,
};
pub(crate) use view::{
    account_name, instant, own_slot, post_status, post_tone, show_post, target_tone, target_word,
};
