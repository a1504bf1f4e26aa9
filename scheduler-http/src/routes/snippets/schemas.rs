//! Schemas of snippets.

use scheduler_core::snippet::{SnippetInput, SnippetView};

use crate::routes::prelude::*;

pub(super) fn saved(components: &mut Components) -> Value {
    read::<SnippetInput>(components);
    with_template(components, "SnippetInput")
}

pub(super) fn shown(components: &mut Components) -> Value {
    written::<SnippetView>(components);
    with_template(components, "Snippet")
}

/// A template is a body of a post that needs no field.
fn with_template(components: &mut Components, name: &str) -> Value {
    let post = components.take("PostInput");
    let words =
        "What is sent to create a post, without a time and files; no field has to be there.";
    let template = components.add("Template", said(post, words));
    let mut schema = components.take(name);
    schema["properties"]["post"] = template;
    components.add(name, schema)
}
