//! `GET /docs`

use std::sync::Arc;

use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::api::Api;
use crate::endpoints::SHOW_REFERENCE;
use crate::error::ApiError;
use crate::extract::{Head, Parameters};
use crate::pages;
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("docs")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|head, api| answered(&SHOW_REFERENCE, show(head, api)))
        .boxed()
}

async fn show(head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    Parameters::read(&head, &SHOW_REFERENCE)?;
    Ok(pages::reference_answer(api.reference.page.answer(&head, pages::HTML)))
}
