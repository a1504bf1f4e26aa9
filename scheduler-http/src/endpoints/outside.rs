//! The endpoints outside the API: files under signed links, pages for people, the description of
//! the API.

use http::Method;

use super::{Access, Endpoint};

/// `PUT /files/…`, outside the API: takes bytes under a signed link.
pub static SEND_FILE: Endpoint = Endpoint {
    name: "send_file",
    method: Method::PUT,
    pattern: "/files/{workspaceId}/{mediaId}/{name}",
    access: Access::Keyless,
    parameters: &[],
};
/// `GET /files/…`, outside the API: gives bytes under a signed link.
pub static READ_FILE: Endpoint = Endpoint {
    name: "read_file",
    method: Method::GET,
    pattern: "/files/{workspaceId}/{mediaId}/{name}",
    access: Access::Keyless,
    parameters: &[],
};

/// The endpoints of signed links. Their signature stands in place of a key, and their query is the
/// link's own.
pub static FILE_ENDPOINTS: [&Endpoint; 2] = [&READ_FILE, &SEND_FILE];

/// `GET /connect/<network>`, outside the API: what connecting an account means.
pub static SHOW_CONNECTION: Endpoint = page("show_connection", Method::GET, "/connect/{name}");
/// `POST /connect/<network>`, outside the API: goes on to the network, or takes what it has given.
pub static START_CONNECTION: Endpoint = page("start_connection", Method::POST, "/connect/{name}");
/// `GET /connect/<network>/callback`, outside the API: comes back from the network.
pub static RETURN_CONNECTION: Endpoint =
    page("return_connection", Method::GET, "/connect/{name}/callback");
/// `GET /connect/<network>/pick`, outside the API: what the network has opened.
pub static SHOW_PICK: Endpoint = page("show_pick", Method::GET, "/connect/{name}/pick");
/// `POST /connect/<network>/pick`, outside the API: connects what is picked.
pub static PICK_ACCOUNTS: Endpoint = page("pick_accounts", Method::POST, "/connect/{name}/pick");

/// The pages on which a person connects accounts. What their browser shows stands in place of a
/// key, and their query is the networks' own.
pub static CONNECT_ENDPOINTS: [&Endpoint; 5] =
    [&SHOW_CONNECTION, &START_CONNECTION, &RETURN_CONNECTION, &SHOW_PICK, &PICK_ACCOUNTS];

/// `GET /approve/<secret>`, outside the API: a post as its client sees it.
pub static SHOW_APPROVAL: Endpoint = page("show_approval", Method::GET, "/approve/{name}");
/// `POST /approve/<secret>`, outside the API: what the client says of it.
pub static DECIDE_APPROVAL: Endpoint = page("decide_approval", Method::POST, "/approve/{name}");

/// The pages on which clients approve posts. The secret of their link stands in place of a key.
pub static APPROVAL_ENDPOINTS: [&Endpoint; 2] = [&SHOW_APPROVAL, &DECIDE_APPROVAL];

/// `GET /v1/openapi.json`, beside the API: its description.
pub static SHOW_OPENAPI: Endpoint = page("show_openapi", Method::GET, "/v1/openapi.json");
/// `GET /docs`, outside the API: its description as a page.
pub static SHOW_REFERENCE: Endpoint = page("show_reference", Method::GET, "/docs");

/// The description of the API, which is no part of what it describes.
pub static REFERENCE_ENDPOINTS: [&Endpoint; 2] = [&SHOW_OPENAPI, &SHOW_REFERENCE];

const fn page(name: &'static str, method: Method, pattern: &'static str) -> Endpoint {
    Endpoint { name, method, pattern, access: Access::Keyless, parameters: &[] }
}
