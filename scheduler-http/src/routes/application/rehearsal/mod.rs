//! What would become of the calendar.

mod show;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&show::ENDPOINT];
