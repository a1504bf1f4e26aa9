//! The secret of a link.

use scheduler_core::connecting::Pass;
use warp::reply::Response;

use crate::pages;

/// The secret of a path.
pub(super) fn pass(text: &str) -> Result<Pass, Box<Response>> {
    Pass::parse(text).ok_or_else(|| Box::new(pages::no_approval()))
}
