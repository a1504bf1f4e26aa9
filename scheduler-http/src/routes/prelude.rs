//! What the files of the endpoints are written with.

pub(crate) use std::sync::Arc;

pub(crate) use http::{HeaderValue, Method, StatusCode};
pub(crate) use scheduler_core::app::{Caller, Scheduler};
pub(crate) use scheduler_core::error::ErrorCode as Code;
pub(crate) use scheduler_core::key::Scope;
pub(crate) use serde_json::{Value, json};
pub(crate) use warp::reply::Response;

pub(crate) use crate::access::Access;
pub(crate) use crate::answer;
pub(crate) use crate::call::Call;
pub(crate) use crate::endpoint::{Endpoint, Handler};
pub(crate) use crate::error::ApiError;
pub(crate) use crate::extract::Json;
pub(crate) use crate::openapi::description::{Answer, Content, Description, Example, example};
pub(crate) use crate::openapi::schema::{
    address, amount, count, data_of, flag, instant, list, named, object, one_of, one_of_all,
    open_object, or_null, positive, said, text, up_to, uuid, with,
};
pub(crate) use crate::parameter::Parameter;
