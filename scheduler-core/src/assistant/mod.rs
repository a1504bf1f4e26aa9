//! What the assistant is asked, and what is made of its answers. Pure.
//!
//! Texts of people stand in the input of a prompt, as JSON, and nowhere in its instructions.
//! Whatever a model answers is checked: nothing here relies on its doing as it was told.

mod answer;
mod call;
mod captions;
mod review;

pub use call::AssistantCall;
pub(crate) use captions::{Tried, ask, ask_again, read_captions};
pub use review::{Review, ReviewView, Reviewed};
pub(crate) use review::{judge, read_review};
