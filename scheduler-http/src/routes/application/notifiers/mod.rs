//! Who is told what happens.

mod create;
mod list;
mod remove;
mod test;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&list::ENDPOINT, &create::ENDPOINT, &remove::ENDPOINT, &test::ENDPOINT];
