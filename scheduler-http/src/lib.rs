//! The REST API over scheduler-core.
//!
//! - [`Server`] answers requests; [`endpoints`] lists them as data, [`openapi`] describes them.
//! - [`Metrics`] counts what it and a worker do, for Prometheus; [`METRICS`] lists it as data.
//!
//! Nothing here decides anything about posts: a route reads a request, calls one use case of the
//! core, and writes the answer.
//!
//! # Adding an endpoint
//! A row in [`endpoints`], a file `routes/<resource>/<verb>.rs`, its line in the list of routes,
//! and its cases in `tests/http`; a test fails for a row that has none.
#![forbid(unsafe_code)]

mod access;
mod answer;
mod api;
mod budget;
mod connect_pages;
pub mod directions;
pub mod endpoints;
mod error;
mod extract;
mod limits;
mod metrics;
pub mod openapi;
mod pages;
mod pages_in_progress;
mod routes;
mod server;
mod uploads;
mod written;

pub use crate::metrics::{
    Bound, ConnectionCounts, METRICS, Metric, MetricKind, Metrics, MetricsAccess, MetricsToken,
};
pub use connect_pages::ConnectPages;
pub use limits::RateLimit;
pub use server::{App, ConnectionLimits, Server, ServerSettings};
