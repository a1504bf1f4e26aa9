//! What the posting commands share: the targets and options that a person names, the body that
//! is sent, following a post to its end, and showing it.

mod arguments;
mod body;
mod follow;
mod option;
mod target;
mod view;

pub(crate) use arguments::{ContentArguments, EditArguments, TimingArguments};
pub(crate) use body::{accounts, create_body, draft_of, known_accounts, update_body};
pub(crate) use follow::{Followed, follow};
pub(crate) use view::{account_name, instant, post_tone, show_post, target_tone};
