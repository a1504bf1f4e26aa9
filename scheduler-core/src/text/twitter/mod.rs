//! X's weighted count: links weigh a fixed number, emoji and most scripts of the East weigh two.
//!
//! This is the counting of the library twitter-text, configuration 3, which X names as the one
//! that decides. Two lists are newer here than in its last release: top-level domains, as the
//! root zone has them, and emoji, of which X says that it counts those of its own picture set.
//!
//! Source: <https://docs.x.com/fundamentals/counting-characters> and
//! <https://github.com/twitter/twitter-text>.

mod count;
mod domain;
mod emoji;
mod entities;
mod links;
mod punycode;
mod tail;
#[cfg(test)]
mod tests;

pub use count::{WEIGHT_OF_LINK, length, normalized, over};
pub use entities::{cashtags, hashtags, mentions};
pub use links::links;
