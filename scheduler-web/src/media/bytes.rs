//! What pages show of files and accounts: it comes from this server, whoever keeps it.

use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Method};
use scheduler_core::bytes::Bytes;
use scheduler_core::ids::{AccountId, MediaId};
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::visitor::{Visitor, entered};

/// The bytes of a file never change.
const FOR_A_DAY: HeaderValue = HeaderValue::from_static("private, max-age=86400, immutable");

/// The picture of an account may.
const FOR_A_WHILE: HeaderValue = HeaderValue::from_static("private, max-age=600");

pub(crate) static THUMB: Endpoint =
    Endpoint::page("web_thumb", Method::GET, "/w/{workspaceId}/media/{id}/thumb", |visit| {
        Box::pin(entered(visit, Role::Reader, thumb))
    });

pub(crate) static FILE: Endpoint =
    Endpoint::page("web_file", Method::GET, "/w/{workspaceId}/media/{id}/file", |visit| {
        Box::pin(entered(visit, Role::Reader, file))
    });

pub(crate) static AVATAR: Endpoint =
    Endpoint::page("web_avatar", Method::GET, "/w/{workspaceId}/avatars/{id}", |visit| {
        Box::pin(entered(visit, Role::Reader, avatar))
    });

/// The small picture of a file; an empty answer where it has none.
async fn thumb(visitor: Visitor) -> Result<Response, Declined> {
    let id: MediaId = visitor.id()?;
    let bytes = visitor.scheduler().media_preview(&visitor.caller, id).await?;
    Ok(picture(bytes, "image/webp", FOR_A_DAY))
}

/// The file itself, or a part of it: exactly what lies here.
async fn file(visitor: Visitor) -> Result<Response, Declined> {
    let id: MediaId = visitor.id()?;
    let range = visitor.visit().range();
    let opened = visitor.scheduler().open_media(&visitor.caller, id, range).await?;
    let mut response = visitor.visit().file(opened)?;
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, FOR_A_DAY);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

/// The picture of an account, which this server fetches from its network.
async fn avatar(visitor: Visitor) -> Result<Response, Declined> {
    let (caller, id): (_, AccountId) = (visitor.caller.clone(), visitor.id()?);
    let asked = visitor
        .visit()
        .to_its_end(move |scheduler| async move { scheduler.account_picture(&caller, id).await });
    let found = asked.await?;
    Ok(picture(found.bytes, found.media_type, FOR_A_WHILE))
}

fn picture(bytes: Bytes, kind: &'static str, kept: HeaderValue) -> Response {
    let mut response = Response::new(bytes.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, kept);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers
        .insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    response
}
