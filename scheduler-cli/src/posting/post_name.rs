//! Posts as people name them.

use std::fmt;
use std::str::FromStr;

use scheduler_core::ids::{PostId, beginning};
use scheduler_core::post::PostView;
use scheduler_core::uuid::Uuid;

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

    /// True when it names this id, that of a post or of a target.
    pub(crate) fn is_of(&self, id: Uuid) -> bool {
        beginning(&self.0).is_some_and(|(first, last)| (first..=last).contains(&id))
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

    #[test]
    fn the_ids_that_it_names() {
        let id: Uuid = "01993b5c-2b7e-7000-8000-00000000000a".parse().unwrap();
        for (name, text, want) in [
            ("the whole", "01993b5c-2b7e-7000-8000-00000000000a", true),
            ("another", "01993b5c-2b7e-7000-8000-00000000000b", false),
            ("its beginning", "01993b5c", true),
            ("in capitals", "01993B5C-2B7E", true),
            ("that of another", "01993b5d", false),
        ] {
            assert_eq!(text.parse::<PostName>().unwrap().is_of(id), want, "{name}");
        }
    }
}
