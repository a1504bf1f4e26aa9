//! The approval of clients.

mod create;
mod list;
mod remark;
mod show;
mod withdraw;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&list::ENDPOINT, &create::ENDPOINT, &show::ENDPOINT, &withdraw::ENDPOINT, &remark::ENDPOINT];
