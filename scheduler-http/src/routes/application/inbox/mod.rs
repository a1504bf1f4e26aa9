//! What others have written under live posts.

mod list;
mod mark;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&list::ENDPOINT, &mark::ENDPOINT];
