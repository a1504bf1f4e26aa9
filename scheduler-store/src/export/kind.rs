//! How columns are written.

use uuid::Uuid;

use crate::instant::Instant;

/// How a column is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An id.
    Id,
    /// A text.
    Text,
    /// JSON that is kept as text; a text where it is none.
    Json,
    /// An instant, as RFC 3339.
    Instant,
    /// A whole number.
    Whole,
    /// A number.
    Real,
    /// True or false.
    Flag,
}

/// The name of a column of a row, and how it is written; bytes, as which secrets are kept, are not.
pub(crate) type RowColumn = (&'static str, Option<Kind>);

/// A row that names its columns.
pub(crate) trait Described {
    /// Its columns.
    const COLUMNS: &'static [RowColumn];
}

/// A type of columns.
pub(crate) trait ColumnType {
    /// How they are written; `None` for bytes.
    const KIND: Option<Kind>;
}

macro_rules! column_types {
    ($($type:ty: $kind:expr,)+) => {
        $(impl ColumnType for $type {
            const KIND: Option<Kind> = $kind;
        })+
    };
}

column_types! {
    Uuid: Some(Kind::Id),
    String: Some(Kind::Text),
    &str: Some(Kind::Text),
    Instant: Some(Kind::Instant),
    i64: Some(Kind::Whole),
    f64: Some(Kind::Real),
    bool: Some(Kind::Flag),
    Vec<u8>: None,
}

impl<T: ColumnType> ColumnType for Option<T> {
    const KIND: Option<Kind> = T::KIND;
}
