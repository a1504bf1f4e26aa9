//! What calendars read, which send no credentials. The secret of the address stands in their place.

mod ics;
mod lines;
mod read;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&read::ENDPOINT];
