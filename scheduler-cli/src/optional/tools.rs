//! The tools for clients of the Model Context Protocol.

pub(crate) use scheduler_mcp::endpoints;
