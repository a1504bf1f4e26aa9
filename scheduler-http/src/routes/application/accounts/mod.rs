//! Connected accounts and their schedules.

mod connect;
mod defaults;
mod disconnect;
mod list;
mod schedule;
mod schedules;
mod show;
mod zone;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &list::ENDPOINT,
    &show::ENDPOINT,
    &connect::ENDPOINT,
    &disconnect::ENDPOINT,
    &defaults::ENDPOINT,
    &zone::ENDPOINT,
    &schedule::ENDPOINT,
    &schedules::ENDPOINT,
];
