//! The tools over an API that answers from a script, and over the API itself.

mod agents;
mod listing;
mod publishing;
mod scripted;
mod writing;
