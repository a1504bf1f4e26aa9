//! The pages on which clients see posts and decide on them. The secret in the path stands in place
//! of a key.

pub(super) mod decide;
pub(super) mod show;

use scheduler_core::connecting::Pass;
use warp::reply::Response;

use crate::pages;

/// The secret of a path.
fn pass(text: &str) -> Result<Pass, Box<Response>> {
    Pass::parse(text).ok_or_else(|| Box::new(pages::no_approval()))
}
