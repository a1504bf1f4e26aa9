//! The description of the API as a page: made from the OpenAPI document, usable without a script.

mod operation;
mod schema;
mod words;

use http::HeaderMap;
use serde_json::{Map, Value};
use warp::reply::Response;

use super::html::Html;
use super::{guard_under, policy_of};

/// The style of the page.
const STYLE: &str = ":root{color-scheme:light dark;--line:#8885;--soft:#8882}\
*{box-sizing:border-box}\
html{scroll-padding-top:1rem}\
body{margin:0;font:16px/1.55 system-ui,sans-serif}\
main{max-width:52rem;margin:0 auto;padding:1rem}\
h1{font-size:1.8rem;line-height:1.2;margin:.5rem 0}\
h2{font-size:1.4rem;margin:3rem 0 .5rem}\
h3{font-size:1.05rem;margin:0 0 .5rem;overflow-wrap:anywhere}\
h4{font-size:.95rem;margin:1.2rem 0 .3rem}\
section.part{margin:1.2rem 0;padding:1rem;border:1px solid var(--line);border-radius:.5rem}\
section.part:target{outline:2px solid #48c}\
nav ul{list-style:none;margin:.2rem 0 .8rem;padding:0}\
nav li{margin:.1rem 0}\
nav a{text-decoration:none;color:inherit}\
nav a:hover,nav a:focus{text-decoration:underline}\
nav.side{display:none}\
details{margin:.4rem 0}\
summary{cursor:pointer}\
code,pre{font:.88em/1.5 ui-monospace,monospace}\
code{background:var(--soft);padding:.1em .3em;border-radius:.25rem;overflow-wrap:anywhere}\
pre{background:var(--soft);padding:.7rem;border-radius:.4rem;overflow:auto;max-height:32rem;\
white-space:pre;tab-size:2}\
dl{margin:.3rem 0;padding-left:.8rem;border-left:2px solid var(--line)}\
dt{margin-top:.5rem}\
dd{margin:0 0 0 .2rem}\
dd p{margin:.1rem 0}\
small{opacity:.8}\
.method{display:inline-block;min-width:3.6rem;padding:0 .4rem;border-radius:.25rem;color:#fff;\
font:600 .8rem/1.6 ui-monospace,monospace;text-align:center}\
.get{background:#256abf}.post{background:#1d7a3d}.patch{background:#94610a}\
.delete{background:#b3261e}\
.need{color:#b3261e;font-size:.85em}\
@media (prefers-color-scheme:dark){.need{color:#f4867e}}\
@media (min-width:70rem){main{margin:0 0 0 19rem;max-width:60rem;padding:1rem 2rem}\
nav.top{display:none}\
nav.side{display:block;position:fixed;top:0;bottom:0;left:0;width:18rem;overflow:auto;padding:1rem;\
border-right:1px solid var(--line);font-size:.88rem}}";

/// The page, out of the document.
pub(crate) fn reference(document: &Value) -> String {
    let info = &document["info"];
    let title = words::text_of(info, "title");
    let mut page = Html::new();
    page.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>")
        .text(title)
        .raw(" API reference</title><style>")
        .raw(STYLE)
        .raw("</style></head><body><nav class=\"side\" aria-label=\"Contents\">");
    contents(&mut page, document);
    page.raw("</nav><main><h1>").text(title).raw(" API</h1><p><small>Version ");
    page.text(words::text_of(info, "version"));
    page.raw(" · <a href=\"/v1/openapi.json\">OpenAPI document</a></small></p>");
    words::render(&mut page, words::text_of(info, "description"));
    page.raw("<nav class=\"top\" aria-label=\"Contents\"><details><summary>Contents</summary>");
    contents(&mut page, document);
    page.raw("</details></nav>");
    for tag in tags(document) {
        page.raw("<h2 id=\"tag-").text(tag).raw("\">").text(tag).raw("</h2>");
        for (path, method, operation) in operations(document, tag) {
            operation::render(&mut page, document, path, method, operation);
        }
    }
    page.raw("<h2 id=\"schemas\">Schemas</h2>");
    for (name, schema) in fields(&document["components"]["schemas"]) {
        page.raw("<section class=\"part\" id=\"schema-").text(name).raw("\"><h3>");
        page.text(name).raw("</h3>");
        schema::render(&mut page, schema);
        page.raw("</section>");
    }
    page.raw("</main></body></html>\n");
    page.into_string()
}

/// The answer with the page, with what guards it.
pub(crate) fn reference_answer(mut response: Response) -> Response {
    let headers: &mut HeaderMap = response.headers_mut();
    guard_under(headers, &format!("{}; form-action 'none'", policy_of(STYLE)));
    response
}

fn contents(page: &mut Html, document: &Value) {
    for tag in tags(document) {
        page.raw("<strong><a href=\"#tag-").text(tag).raw("\">").text(tag).raw("</a></strong><ul>");
        for (_, method, operation) in operations(document, tag) {
            let id = words::text_of(operation, "operationId");
            page.raw("<li><a href=\"#").text(id).raw("\">");
            page.raw("<small>").text(&method.to_ascii_uppercase()).raw("</small> ");
            page.text(words::text_of(operation, "summary")).raw("</a></li>");
        }
        page.raw("</ul>");
    }
    page.raw("<strong><a href=\"#schemas\">Schemas</a></strong><ul>");
    for (name, _) in fields(&document["components"]["schemas"]) {
        page.raw("<li><a href=\"#schema-").text(name).raw("\">").text(name).raw("</a></li>");
    }
    page.raw("</ul>");
}

fn tags(document: &Value) -> impl Iterator<Item = &str> {
    document["tags"].as_array().into_iter().flatten().map(|tag| words::text_of(tag, "name"))
}

/// The operations under a tag: path, method, operation. An event has no path.
fn operations<'a>(
    document: &'a Value,
    tag: &'a str,
) -> impl Iterator<Item = (Option<&'a str>, &'a str, &'a Value)> {
    let paths = fields(&document["paths"]).map(|(path, item)| (Some(path), item));
    let events = fields(&document["webhooks"]).map(|(_, item)| (None, item));
    paths.chain(events).flat_map(move |(path, item)| {
        let operations = fields(item).filter(move |(_, operation)| operation["tags"][0] == tag);
        operations.map(move |(method, operation)| (path, method, operation))
    })
}

/// The fields of an object, in order; none of what is no object.
fn fields(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter).map(|(name, value)| (name.as_str(), value))
}
