//! Instagram.

mod after;
mod connecting;
mod publishing;
mod world;
