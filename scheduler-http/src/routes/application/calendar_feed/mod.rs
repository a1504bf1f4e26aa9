//! The address at which calendars read the posts of a workspace.

mod make;
mod remove;
mod show;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&show::ENDPOINT, &make::ENDPOINT, &remove::ENDPOINT];
