//! Options that are objects and lists of them: what their values may be, at every depth.

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A text that is not blank, of at most so many code points.
    Text(u32),
    /// `true` or `false`.
    Flag,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A number in a string, of at most so many digits.
    Digits(u32),
    /// A whole number.
    Integer {
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
    /// The id of a file.
    Uuid,
    /// A colour, as `#rrggbb`.
    Color,
    /// An instant, as RFC 3339 writes it.
    Instant,
    /// A day, as `2026-12-01`.
    Date,
    /// A language tag such as `de` or `pt-BR`.
    Language,
    /// An address that begins with one of these, of at most so many characters.
    Address(&'static [&'static str], u32),
    /// A list.
    List {
        /// What each of its items may be.
        item: &'static Self,
        /// Most items.
        max_items: u32,
    },
    /// An object with these members.
    Object(&'static [Member]),
    /// `false`, or a value of another shape.
    FalseOr(&'static Self),
}

/// A member of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its key.
    pub key: &'static str,
    /// Whether the object needs it.
    pub is_required: bool,
    /// What it may be.
    pub shape: Shape,
}

impl Member {
    /// A member that may be left out.
    #[must_use]
    pub const fn new(key: &'static str, shape: Shape) -> Self {
        Self { key, is_required: false, shape }
    }

    /// The same where the object needs it.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }
}

/// What web addresses begin with.
pub const WEB: &[&str] = &["https://", "http://"];
