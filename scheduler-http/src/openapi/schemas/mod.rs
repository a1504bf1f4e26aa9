//! The bodies, by the names that the document gives them.

mod accounts;
mod ai;
mod errors;
mod media;
mod options;
mod platforms;
mod posts;
mod webhooks;

use scheduler_core::platform::Platform;
use serde_json::{Map, Value};

use super::schema::{one_of_all, said};

/// Every schema that has a name.
pub(super) fn all() -> Map<String, Value> {
    let mut schemas = vec![(
        "Platform".to_owned(),
        said(
            one_of_all(&Platform::ALL),
            "A network. `twitter` is X: text only, and new accounts only where the operator allows them.",
        ),
    )];
    schemas.extend(posts::schemas());
    schemas.extend(options::schemas());
    schemas.extend(media::schemas());
    schemas.extend(accounts::schemas());
    schemas.extend(platforms::schemas());
    schemas.extend(ai::schemas());
    schemas.extend(webhooks::schemas());
    schemas.extend(errors::schemas());
    schemas.into_iter().collect()
}
