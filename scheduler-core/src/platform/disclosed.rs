//! What authors have to tell, and networks show as a label.

use std::str::FromStr;

/// Something that an author has to tell of a post, which networks show as a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Disclosed {
    /// It was made or changed by artificial intelligence.
    AiGenerated,
    /// Somebody paid for it.
    PaidPartnership,
    /// It promotes what is the author's own.
    OwnBrand,
}

impl Disclosed {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::AiGenerated, Self::PaidPartnership, Self::OwnBrand];

    /// Its field of [`Disclosure`](super::Disclosure), as the API spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AiGenerated => "aiGenerated",
            Self::PaidPartnership => "paidPartnership",
            Self::OwnBrand => "ownBrand",
        }
    }
}

impl FromStr for Disclosed {
    type Err = String;

    /// Reads the API's word for it.
    ///
    /// # Errors
    /// A sentence that names the words there are.
    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|what| what.as_str() == word).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            format!("\"{word}\" is none of {known}")
        })
    }
}
