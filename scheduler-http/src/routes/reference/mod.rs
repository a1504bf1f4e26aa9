//! The description of the API, for programs and for people; made once, when the server starts.

pub(super) mod openapi;
pub(super) mod page;
