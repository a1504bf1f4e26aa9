//! What the lists of posts read of the query.

use scheduler_core::post::{LIMIT_DEFAULT, LIMIT_MAX};

use crate::openapi::schema::{text, up_to};
use crate::parameter::Parameter;

pub(crate) const LIMIT: Parameter =
    Parameter::optional("limit", "Posts in a page.", || up_to(LIMIT_MAX, LIMIT_DEFAULT));

pub(crate) const BEFORE: Parameter =
    Parameter::optional("before", "The `nextCursor` of the page before.", text);
