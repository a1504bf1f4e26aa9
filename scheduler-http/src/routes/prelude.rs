//! What the files of the endpoints are written with.

pub(crate) use std::sync::Arc;

pub(crate) use http::{HeaderValue, Method, StatusCode};
pub(crate) use scheduler_core::app::{Caller, Credential, Member, Scheduler};
pub(crate) use scheduler_core::error::ErrorCode as Code;
pub(crate) use scheduler_core::key::Scope;
pub(crate) use scheduler_core::session::Role;
pub(crate) use serde_json::{Value, json};
pub(crate) use warp::reply::Response;

pub(crate) use crate::access::Access;
pub(crate) use crate::answer;
pub(crate) use crate::call::Call;
pub(crate) use crate::endpoint::{Endpoint, Handler};
pub(crate) use crate::error::ApiError;
pub(crate) use crate::extract::Json;
pub(crate) use crate::openapi::derived::{Components, list_of, read, written};
pub(crate) use crate::openapi::description::{Answer, Content, Description, Example, example};
pub(crate) use crate::openapi::schema::{
    count, data_of, instant, named, object, one_of, open_object, said, text, up_to, with,
};
pub(crate) use crate::parameter::Parameter;
