//! The API over HTTP, and the worker, over a store in memory.

mod support;
mod worker;
