//! The REST API over scheduler-core.
//!
//! - [`Server`] answers requests; [`endpoints`] lists what it takes as data, [`openapi`] describes
//!   it.
//! - [`Metrics`] counts what it and a worker do, for Prometheus; [`METRICS`] lists it as data.
//!
//! Nothing here decides anything about posts: a route reads a request, calls one use case of the
//! core, and writes the answer.
//!
//! # Adding an endpoint
//! A file `routes/<resource>/<verb>.rs` with its [`endpoints::Endpoint`], its line in the list of
//! `routes/<resource>/mod.rs`, and its row and cases in `tests/contract`, which fails for an endpoint
//! that has none. All else is made from the declaration.
#![forbid(unsafe_code)]

mod access;
mod answer;
mod api;
mod app;
mod audit;
mod budget;
mod call;
mod connect_pages;
pub mod directions;
mod endpoint;
mod error;
mod extract;
mod feed;
mod limits;
mod local;
mod metrics;
pub mod openapi;
mod pages_in_progress;
mod parameter;
mod pattern;
mod router;
mod routes;
mod server;
mod uploads;
pub mod visit;
mod written;

pub use crate::metrics::{
    Bound, ConnectionCounts, METRICS, Metric, MetricKind, Metrics, MetricsAccess, MetricsToken,
};
pub use app::{App, Doctor, ServerSettings};
pub use connect_pages::ConnectPages;
pub use limits::RateLimit;
pub use local::Local;
pub use server::Server;
pub use server::connections::ConnectionLimits;

/// Every endpoint as data: what the router and the OpenAPI document are made from.
pub mod endpoints {
    pub use crate::access::Access;
    pub use crate::endpoint::{Endpoint, Surface};
    pub use crate::parameter::Parameter;
    pub use crate::routes::{all, api, application, monitoring};
}
