//! Where posts can go.

use scheduler_core::account::AccountView;
use scheduler_core::app::{CheckInput, CheckReport};
use serde_json::{Map, Value, json};

use crate::call::Call;
use crate::client::Client;
use crate::error::Error;

impl Client {
    /// The connected accounts, in the order of connection.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn accounts(&self) -> Result<Vec<AccountView>, Error> {
        self.repeat(Call::get("/oauth/accounts")).await?.data()
    }

    /// The capability sheet of every network, by its name. Needs no key.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn platforms(&self) -> Result<Map<String, Value>, Error> {
        let mut answer = self.repeat(Call::get("/platforms").keyless()).await?;
        serde_json::from_value(answer.body["data"].take()).map_err(Error::Unreadable)
    }

    /// What every network would say to a post, of which nothing is stored.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn check(&self, post: &CheckInput) -> Result<CheckReport, Error> {
        let body = json!(post);
        self.repeat(Call::post("/platforms/validate", &body).repeatable()).await?.read()
    }
}
