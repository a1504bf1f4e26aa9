//! What a server answers.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Error;

/// An answer that is no refusal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The JSON as it came; `Null` for an empty body.
    pub body: Value,
    /// True for 201: something was made.
    pub created: bool,
    /// True for 202: the server is not done with it yet.
    pub is_pending: bool,
    /// True when the call's idempotency key was used before with another body, of which nothing
    /// was made now.
    pub is_of_other_body: bool,
}

/// What a call under an idempotency key has made, now or the first time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Made<T> {
    /// The thing as it is now.
    pub value: T,
    /// False when an earlier call with the same key has made it.
    pub is_new: bool,
    /// True when that earlier call had another body, of which the thing is made; nothing of this
    /// one was taken.
    pub is_of_other_body: bool,
}

impl Answer {
    /// The body as a value of the contract.
    ///
    /// # Errors
    /// [`Error::Unreadable`] when it is none.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        T::deserialize(&self.body).map_err(Error::Unreadable)
    }

    /// What is listed in the body, as values of the contract.
    ///
    /// # Errors
    /// [`Error::Unreadable`] when it lists none.
    pub fn data<T: DeserializeOwned>(&self) -> Result<Vec<T>, Error> {
        #[derive(Deserialize)]
        struct Data<T> {
            data: Vec<T>,
        }
        Ok(self.read::<Data<T>>()?.data)
    }

    /// The thing that was made.
    ///
    /// # Errors
    /// [`Error::Unreadable`] when there is none.
    pub(crate) fn made<T: DeserializeOwned>(&self) -> Result<Made<T>, Error> {
        let (is_new, is_of_other_body) = (self.created, self.is_of_other_body);
        Ok(Made { value: self.read()?, is_new, is_of_other_body })
    }
}
