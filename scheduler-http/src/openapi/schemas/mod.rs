//! The schemas that several endpoints or events use; those of one endpoint stand in its file.

mod errors;
mod media;
mod options;
mod posts;
mod webhooks;

use scheduler_core::platform::Platform;
use serde_json::Value;

use super::schema::{one_of_all, said};

/// Each with its name.
pub(super) fn shared() -> Vec<(String, Value)> {
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
    schemas.extend(webhooks::schemas());
    schemas.extend(errors::schemas());
    schemas
}
