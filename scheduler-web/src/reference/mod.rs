//! The description of the API as a page, made once out of the OpenAPI document, for whoever asks
//! first.

mod operation;
pub(crate) mod rules;
mod schema;
mod words;

use std::sync::LazyLock;

use askama::Template;
use http::Method;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::openapi;
use scheduler_http::visit::{Visit, Written};
use serde_json::{Map, Value};
use warp::reply::Response;

use self::operation::Operation;
use self::schema::Schema;
use self::words::Words;
use crate::door::{self, Forms};
use crate::page::{self, Assets};

pub(crate) static SHOW: Endpoint =
    Endpoint::page("show_reference", Method::GET, "/docs", |visit| Box::pin(show(visit)));

/// Making it takes some megabytes, which a server that nobody asks for it does not hold.
static PAGE: LazyLock<Written> = LazyLock::new(|| Written::new(written(&openapi::document())));

async fn show(visit: Visit) -> Response {
    let response = visit.answer(&PAGE, page::HTML);
    door::guarded(response, Forms::Here, "")
}

#[derive(Template)]
#[template(path = "reference/show.html")]
struct Show<'a> {
    assets: Assets,
    title: &'a str,
    version: &'a str,
    about: Words<'a>,
    tags: Vec<Tag<'a>>,
    schemas: Vec<Schema<'a>>,
}

/// The operations of one kind.
struct Tag<'a> {
    name: &'a str,
    operations: Vec<Operation<'a>>,
}

/// The page, out of the document.
fn written(document: &Value) -> String {
    let info = &document["info"];
    let tags = document["tags"].as_array().into_iter().flatten().map(|tag| text_of(tag, "name"));
    let page = Show {
        assets: Assets::under(""),
        title: text_of(info, "title"),
        version: text_of(info, "version"),
        about: Words::of(info),
        tags: tags.map(|name| Tag { name, operations: operations(document, name) }).collect(),
        schemas: fields(&document["components"]["schemas"])
            .map(|(name, schema)| Schema::of(name, schema))
            .collect(),
    };
    // Writing into a text does not fail.
    page.render().unwrap_or_default()
}

/// The operations under a tag. An event has no path.
fn operations<'a>(document: &'a Value, tag: &str) -> Vec<Operation<'a>> {
    let paths = fields(&document["paths"]).map(|(path, item)| (Some(path), item));
    let events = fields(&document["webhooks"]).map(|(_, item)| (None, item));
    let operations = paths.chain(events).flat_map(|(path, item)| {
        let operations = fields(item).filter(|(_, operation)| operation["tags"][0] == tag);
        operations.map(move |(method, operation)| Operation::of(document, path, method, operation))
    });
    operations.collect()
}

/// The fields of an object, in order; none of what is no object.
fn fields(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter).map(|(name, value)| (name.as_str(), value))
}

/// A text field; empty when there is none.
fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}
