//! YouTube.

mod after;
mod connecting;
mod here;
mod large;
mod publishing;
