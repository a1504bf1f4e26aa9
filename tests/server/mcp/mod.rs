//! The tools for clients of the Model Context Protocol, by the built server and the built command.

mod acting;
mod admission;
mod client;
mod documented;
mod everything;
mod listing;
mod naming;
mod refused;
mod repeated;
mod stdio;
