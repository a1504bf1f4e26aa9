//! Tumblr.

mod after;
mod connecting;
mod faults;
mod here;
mod publishing;
