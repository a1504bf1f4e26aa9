//! Posts as people name them.

use std::fmt;
use std::str::FromStr;

use scheduler_core::ids::{PostId, beginning};
use scheduler_core::post::PostView;

use crate::client::{Answer, Call, Client};
use crate::failure::Failure;

/// A post as people name it: by its id, or by the first characters of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PostName(String);

impl fmt::Display for PostName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl PostName {
    /// The id, where the whole of it was given.
    pub(crate) fn whole(&self) -> Option<PostId> {
        self.0.parse().ok()
    }

    /// The id of the post; a server of the API is asked which begins so.
    ///
    /// # Errors
    /// Those of the server: there is none that begins so, or several.
    pub(crate) async fn id(&self, client: &Client) -> Result<PostId, Failure> {
        match self.whole() {
            Some(id) => Ok(id),
            None => found(client.send(Call::get(&format!("/posts/{self}"))).await?),
        }
    }

    /// The same, of the application.
    ///
    /// # Errors
    /// As [`Self::id`].
    pub(crate) async fn id_of_application(&self, client: &Client) -> Result<PostId, Failure> {
        match self.whole() {
            Some(id) => Ok(id),
            None => found(client.ask(Call::get(&format!("/posts/{self}"))).await?),
        }
    }
}

fn found(answer: Answer) -> Result<PostId, Failure> {
    Ok(answer.read::<PostView>()?.id)
}

impl FromStr for PostName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match beginning(text) {
            Some(_) => Ok(Self(text.to_owned())),
            None => Err(
                "an id looks like 01993b5c-2b7e-7000-8000-000000000001, and its first 8 characters or more do as well; `scheduler posts list` shows them",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_a_post() {
        for (text, want) in [
            ("01993b5c-2b7e-7000-8000-000000000001", true),
            ("01993b5c", true),
            ("01993b5c-2b7", true),
            ("01993b5", false),
            ("Out now", false),
        ] {
            let name = text.parse::<PostName>();
            assert_eq!(name.is_ok(), want, "{text}");
            let words = name.err().unwrap_or("`scheduler posts list`");
            assert!(words.contains("`scheduler posts list`"), "{words}");
        }
    }
}
