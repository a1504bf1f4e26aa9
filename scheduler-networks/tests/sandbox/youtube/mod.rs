//! YouTube.

mod after;
mod connecting;
mod here;
mod publishing;
