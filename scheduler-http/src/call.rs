//! A request on its way through its endpoint.

use std::str::FromStr;
use std::sync::Arc;

use http::Method;
use scheduler_core::app::{Caller, Credential, Member};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::session::Role;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::access::Access;
use crate::api::Api;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json, Keyed, Query};
use crate::limits::Budget;
use crate::parameter::Parameter;
use crate::pattern;

/// A request that has come to an endpoint, and what its handler works with.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) api: Arc<Api>,
    pub(crate) method: Method,
    pub(crate) head: Head,
    /// Unread.
    pub(crate) body: Body,
    /// Empty for an endpoint without a key, which reads the query itself.
    pub(crate) query: Query,
    /// The pattern that the path has the form of.
    pub(crate) pattern: &'static str,
}

impl Call {
    /// Admits the request to an endpoint: by its key, by the limit of requests, by the scopes that
    /// the endpoint needs in any case, and by its query. What is left of the limit is noted in
    /// `budget`, whatever comes of the request.
    ///
    /// # Errors
    /// In this order: `unauthorized`, `rate_limited`, `forbidden`, `invalid_request`.
    pub(crate) async fn admit(
        &mut self,
        access: Access,
        known: &[Parameter],
        budget: &mut Option<Budget>,
    ) -> Result<Arc<Caller>, ApiError> {
        let caller = self.api.gate.admit(&self.head, access, budget).await?;
        self.query = Query::read(&self.head, known)?;
        Ok(caller)
    }

    /// The same of an endpoint of the application: by its session, by the limit of requests, by the
    /// role, and by its query.
    ///
    /// # Errors
    /// In this order: `unauthorized`, `rate_limited`, `forbidden`, `invalid_request`.
    pub(crate) async fn admit_member(
        &mut self,
        least: Role,
        known: &[Parameter],
        budget: &mut Option<Budget>,
    ) -> Result<Arc<Member>, ApiError> {
        let member = self.api.gate.admit_member(&self.head, least, budget).await?;
        self.query = Query::read(&self.head, known)?;
        Ok(member)
    }

    /// Counts an upload that a caller begins; the program's own are not.
    ///
    /// # Errors
    /// `rate_limited`, with the whole seconds until the next is taken.
    pub(crate) fn count_upload(&self, caller: &Caller) -> Result<(), ApiError> {
        if caller.by == Credential::Program {
            return Ok(());
        }
        self.api.uploads.count(caller.workspace.id)
    }

    /// What stands in the path for a parameter of the pattern; empty where it has no such
    /// parameter.
    pub(crate) fn segment(&self, name: &str) -> &str {
        pattern::segment(self.pattern, self.head.path(), name)
    }

    /// The parameter of the path with this name.
    ///
    /// # Errors
    /// `not_found` when what stands there is none.
    pub(crate) fn path<T: FromStr>(&self, name: &str) -> Result<T, ApiError> {
        self.segment(name).parse().map_err(|_| ApiError::no_such_path())
    }

    /// Reads the body as [`Body::json`] does.
    ///
    /// # Errors
    /// Those of [`Body::json`].
    pub(crate) async fn json<T: DeserializeOwned + Send + 'static>(
        &mut self,
        caller: &Caller,
    ) -> Result<Json<T>, ApiError> {
        self.body.json(&self.head, &self.api.bodies, caller.workspace.id).await
    }

    /// The same of a person's request.
    ///
    /// # Errors
    /// Those of [`Body::json`].
    pub(crate) async fn json_of<T: DeserializeOwned + Send + 'static>(
        &mut self,
        member: &Member,
    ) -> Result<T, ApiError> {
        let workspace = member.workspace.id;
        let read: Json<T> = self.body.json(&self.head, &self.api.bodies, workspace).await?;
        Ok(read.0)
    }

    /// The same, of a body that holds so many bytes at most.
    ///
    /// # Errors
    /// Those of [`Body::json`].
    pub(crate) async fn json_up_to<T: DeserializeOwned + Send + 'static>(
        &mut self,
        caller: &Caller,
        max_bytes: usize,
    ) -> Result<Json<T>, ApiError> {
        self.body.json_up_to(&self.head, &self.api.bodies, caller.workspace.id, max_bytes).await
    }

    /// The same where anyone calls: all of them share the room for bodies of one workspace.
    ///
    /// # Errors
    /// Those of [`Body::json`].
    pub(crate) async fn json_of_anyone<T: DeserializeOwned + Send + 'static>(
        &mut self,
    ) -> Result<T, ApiError> {
        let nobody = WorkspaceId(Uuid::nil());
        let read: Json<T> = self.body.json(&self.head, &self.api.bodies, nobody).await?;
        Ok(read.0)
    }

    /// Reads the body as [`Body::repeatable`] does.
    ///
    /// # Errors
    /// Those of [`Body::repeatable`].
    pub(crate) async fn repeatable<T: DeserializeOwned + Send + 'static>(
        &mut self,
        caller: &Caller,
    ) -> Result<Keyed<T>, ApiError> {
        self.body.repeatable(&self.head, &self.api.bodies, caller.workspace.id).await
    }
}
