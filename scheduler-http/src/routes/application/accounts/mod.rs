//! Connected accounts and their schedules.

mod connect;
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
    &zone::ENDPOINT,
    &schedule::ENDPOINT,
    &schedules::ENDPOINT,
];
