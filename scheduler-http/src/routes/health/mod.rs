//! Whether the process lives and can work; outside the API.

pub(super) mod live;
pub(super) mod ready;
