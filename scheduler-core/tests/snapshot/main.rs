//! What every network says to a corpus of posts, kept in text files that a person can review.
//!
//! `corpus` holds the posts by theme; `expected` holds one file a theme with the answers. After a
//! change of a rule or a figure,
//! `SCHEDULER_RENEW=1 cargo test -p scheduler-core --test snapshot` writes the files again, and
//! the difference shows who changed.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test")]

mod bounds;
mod case;
mod corpus;
mod counting;
mod coverage;
mod expected;
mod figures;
mod render;
mod seeds;
mod shown;
