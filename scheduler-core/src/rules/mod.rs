//! The publishing rules: one rule a file, and one function that runs them all.

mod issue;

pub use issue::{Severity, ValidationIssue};
