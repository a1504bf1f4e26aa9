//! Whether the process lives and can work, and how it does; outside the API.

pub(super) mod live;
pub(super) mod metrics;
pub(super) mod ready;
