//! Rows as tables: each column is said once, with its type.

use sqlx::Database;
use sqlx::query::Query;

/// A statement with what is bound to it.
pub(crate) type Bound<'q, D> = Query<'q, D, <D as Database>::Arguments>;

/// A row that is written.
pub(crate) trait Values<D: Database>: Sized {
    /// Binds the columns, in their order.
    fn bind_to(self, query: Bound<'_, D>) -> Bound<'_, D>;
}

/// Rows that are written by one statement of PostgreSQL, which takes an array for each column.
#[cfg(feature = "postgres")]
pub(crate) trait Columns: Sized {
    /// Binds the arrays, in the order of the columns.
    fn bind_all(rows: Vec<Self>, query: Bound<'_, sqlx::Postgres>) -> Bound<'_, sqlx::Postgres>;
}

/// Declares the struct of a row and how it is read.
///
/// A field is a column of the same name, `name = column: Type` one of another. `..name: Row` reads
/// another row of the same answer.
///
/// `by LIST` makes a macro of that name beside the struct: `LIST!()` is the list of the columns for a
/// `SELECT` from tables of these aliases, and `LIST!(names)` their names alone, for an `INSERT`.
/// Statements are literals, so a list is one too. What stands under `with` is read, but not in the
/// list.
macro_rules! row {
    (
        $(#[$meta:meta])*
        $vis:vis struct $row:ident by $list:ident {
            $($table:ident {
                $($field_vis:vis $field:ident $(= $column:ident)?: $type:ty,)+
            })+
        }
        $(with { $($also_vis:vis $also:ident: $also_type:ty,)+ })?
    ) => {
        $crate::rows::row! {
            $(#[$meta])*
            $vis struct $row {
                $($($field_vis $field: $type,)+)+
                $($($also_vis $also: $also_type,)+)?
            }
        }
        $crate::rows::list! { $list $($([$table $field $($column)?])+)+ }
        pub(crate) use $list;
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $row:ident {
            $(..$part_vis:vis $part:ident: $part_type:ty,)*
            $($field_vis:vis $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$meta])*
        $vis struct $row {
            $($part_vis $part: $part_type,)*
            $($field_vis $field: $type,)*
        }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $row
        where
            &'static str: sqlx::ColumnIndex<R>,
            $($part_type: sqlx::FromRow<'r, R>,)*
            $($type: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,)*
        {
            fn from_row(row: &'r R) -> Result<Self, sqlx::Error> {
                Ok(Self {
                    $($part: <$part_type as sqlx::FromRow<'r, R>>::from_row(row)?,)*
                    $($field: row.try_get(stringify!($field))?,)*
                })
            }
        }
    };
}

/// Declares the macro that is a list of columns.
macro_rules! list {
    (
        $list:ident [$first_table:ident $first:ident $($first_column:ident)?]
        $([$table:ident $field:ident $($column:ident)?])*
    ) => {
        macro_rules! $list {
            () => {
                concat!(
                    $crate::rows::column!($first_table $first $($first_column)?),
                    $(", ", $crate::rows::column!($table $field $($column)?),)*
                )
            };
            (names) => {
                concat!(stringify!($first), $(", ", stringify!($field),)*)
            };
        }
    };
}

/// A column in a list of a `SELECT`.
macro_rules! column {
    ($table:ident $field:ident) => {
        $crate::rows::column!($table $field $field)
    };
    ($table:ident $field:ident $column:ident) => {
        concat!(stringify!($table), ".", stringify!($column), " AS ", stringify!($field))
    };
}

/// Declares the struct of a row that is written. `LIST!()` is the list of its columns, in the order
/// in which [`Values`] binds them; an export knows them as `COLUMNS`.
macro_rules! values {
    (
        $(#[$meta:meta])*
        $vis:vis struct $row:ident by $list:ident {
            $first_vis:vis $first:ident: $first_type:ty,
            $($field_vis:vis $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$meta])*
        $vis struct $row {
            $first_vis $first: $first_type,
            $($field_vis $field: $type,)*
        }

        macro_rules! $list {
            () => {
                concat!(stringify!($first), $(", ", stringify!($field),)*)
            };
        }
        pub(crate) use $list;

        impl $crate::export::Described for $row {
            const COLUMNS: &'static [$crate::export::RowColumn] = &[
                (stringify!($first), <$first_type as $crate::export::ColumnType>::KIND),
                $((stringify!($field), <$type as $crate::export::ColumnType>::KIND),)*
            ];
        }

        impl<D: sqlx::Database> $crate::rows::Values<D> for $row
        where
            for<'t> $first_type: sqlx::Encode<'t, D> + sqlx::Type<D>,
            $(for<'t> $type: sqlx::Encode<'t, D> + sqlx::Type<D>,)*
        {
            fn bind_to(self, query: $crate::rows::Bound<'_, D>) -> $crate::rows::Bound<'_, D> {
                query.bind(self.$first)$(.bind(self.$field))*
            }
        }

        #[cfg(feature = "postgres")]
        impl $crate::rows::Columns for $row {
            fn bind_all(
                rows: Vec<Self>,
                query: $crate::rows::Bound<'_, sqlx::Postgres>,
            ) -> $crate::rows::Bound<'_, sqlx::Postgres> {
                let mut $first: Vec<$first_type> = Vec::with_capacity(rows.len());
                $(let mut $field: Vec<$type> = Vec::with_capacity(rows.len());)*
                for row in rows {
                    $first.push(row.$first);
                    $($field.push(row.$field);)*
                }
                query.bind($first)$(.bind($field))*
            }
        }
    };
}

/// Writes the placeholders of a statement. `{name}` in the template stands for those of a group of
/// this name: `$1, $2` and so on, as many as the group has, in the order in which groups are bound.
pub(crate) fn numbered(template: &str, groups: &[(&str, usize)]) -> String {
    let mut statement = template.to_owned();
    let mut first = 1;
    for (name, count) in groups {
        let places: Vec<String> = (first..first + count).map(|n| format!("${n}")).collect();
        statement = statement.replace(&format!("{{{name}}}"), &places.join(", "));
        first += count;
    }
    statement
}

pub(crate) use {column, list, row, values};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_follow_the_order_of_their_groups() {
        let groups = [("id", 1), ("post", 3), ("files", 1)];
        for (name, template, want) in [
            ("each once", "VALUES ({id}, {post})", "VALUES ($1, $2, $3, $4)"),
            ("in another order", "{files}; {id}", "$5; $1"),
            ("twice", "{id} = {id}", "$1 = $1"),
            ("none", "SELECT 1", "SELECT 1"),
        ] {
            assert_eq!(numbered(template, &groups), want, "{name}");
        }
    }
}
