//! The bodies that the OpenAPI document shows, read and written by the types of the core: what a
//! Rust client writes is what the document says.

use std::collections::BTreeSet;

use scheduler_core::app::{
    AccountChoice, BatchInput, CaptionsInput, CheckInput, CommentInput, CompleteInput, EditInput,
    NewPlaylistInput, RetryInput, ReviewInput, WebhookInput,
};
use scheduler_core::media::{MediaChange, MediaInput, VersionInput};
use scheduler_core::post::PostInput;
use scheduler_core::snippet::SnippetInput;
use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Serialize};
use serde_json::Value;

use crate::exchange::operations;

/// What is written of a body that was read.
fn through<T: DeserializeOwned + Serialize>(body: &Value) -> Result<Value, serde_json::Error> {
    serde_json::to_value(T::deserialize(body)?)
}

/// The same with every number as a float: 30 and 30.0 are one number of JSON.
fn with_floats(value: Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(items) => items.into_iter().map(with_floats).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(key, value)| (key, with_floats(value))).collect()
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value,
    }
}

#[test]
fn every_body_of_the_document_is_written_as_it_is_read() {
    let mut seen = BTreeSet::new();
    for operation in operations() {
        let examples = &operation.value["requestBody"]["content"]["application/json"]["examples"];
        for (name, example) in examples.as_object().into_iter().flatten() {
            let body = &example["value"];
            let back = match operation.id() {
                "createPost" | "updatePost" => through::<PostInput>(body),
                "createPosts" => through::<BatchInput>(body),
                "retryPosts" => through::<RetryInput>(body),
                "checkPost" => through::<CheckInput>(body),
                "declareMedia" => through::<MediaInput>(body),
                "createVersion" => through::<VersionInput>(body),
                "updateMedia" => through::<MediaChange>(body),
                "completeUpload" => through::<CompleteInput>(body),
                "saveSnippet" => through::<SnippetInput>(body),
                "createWebhook" => through::<WebhookInput>(body),
                "createPlaylist" => through::<NewPlaylistInput>(body),
                "writeCaptions" => through::<CaptionsInput>(body),
                "reviewTarget" => through::<ReviewInput>(body),
                "actOnComment" => through::<CommentInput>(body),
                "editLivePost" => through::<EditInput>(body),
                "moveTarget" => through::<AccountChoice>(body),
                other => panic!("{other} reads a body of no type"),
            };
            let back = back.unwrap_or_else(|error| panic!("{}, {name}: {error}", operation.id()));
            assert_eq!(with_floats(back), with_floats(body.clone()), "{}, {name}", operation.id());
            seen.insert(operation.id().to_owned());
        }
    }
    assert_eq!(seen.len(), 17, "{seen:?}");
}

#[test]
fn a_dry_run_takes_what_a_create_takes() {
    let create = operations().find(|operation| operation.id() == "createPost").unwrap();
    let examples = &create.value["requestBody"]["content"]["application/json"]["examples"];
    for (name, example) in examples.as_object().unwrap() {
        let input = PostInput::deserialize(&example["value"]).unwrap();
        let check = serde_json::to_value(CheckInput::from(input)).unwrap();
        for (field, value) in check.as_object().unwrap() {
            assert_eq!(value, &example["value"][field], "{name}: {field}");
        }
        let sent = example["value"].as_object().unwrap().keys();
        let sent = sent.filter(|field| *field != "saveAsDraft");
        assert_eq!(sent.count(), check.as_object().unwrap().len(), "{name}");
    }
}
