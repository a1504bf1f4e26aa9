//! Live targets over HTTP.

mod comments;
mod figures;
mod leaving;
mod remote;
