//! What lists read of the query.

use scheduler_core::post::{LIMIT_DEFAULT, LIMIT_MAX, PageInput};

use serde_json::json;

use crate::call::Call;
use crate::openapi::schema::{count, text, up_to, with};
use crate::parameter::Parameter;

pub(crate) const LIMIT: Parameter =
    Parameter::optional("limit", "Posts in a page.", || up_to(LIMIT_MAX, LIMIT_DEFAULT));

/// Of lists that come whole where no page is asked for.
pub(crate) const LIMIT_OF_WHOLE: Parameter =
    Parameter::optional("limit", "Items in a page; all of them when it is left out.", || {
        with(count(), json!({"minimum": 1, "maximum": LIMIT_MAX}))
    });

pub(crate) const BEFORE: Parameter =
    Parameter::optional("before", "The `nextCursor` of the page before.", text);

/// The page that a call asks for.
pub(crate) fn of(call: &mut Call) -> PageInput {
    PageInput { limit: call.query.take("limit"), before: call.query.take("before") }
}
