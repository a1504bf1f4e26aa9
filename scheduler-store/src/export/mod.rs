//! Everything of a workspace but secrets, as lines of JSON.
//!
//! What stands in them is a table of tables (`tables`), which names every column of the schema:
//! one that is written, or one that is left out and why.

mod tables;

use std::collections::BTreeMap;

use scheduler_core::ids::WorkspaceId;
use serde_json::{Map, Value, json};
use sqlx::{ColumnIndex, Decode, Row, Type};
use uuid::Uuid;

use crate::database::{OpenError, of_url};
use crate::instant::Instant;
use tables::{Column, Kind, Lines, Rows, TABLES};

/// An export could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The database could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database could not be read.
    #[error("the database could not be read")]
    Read(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A line could not be written.
    #[error("a line could not be written")]
    Write(#[source] std::io::Error),
}

impl From<sqlx::Error> for ExportError {
    fn from(error: sqlx::Error) -> Self {
        Self::Read(Box::new(crate::error::store_error(error)))
    }
}

/// Tells every column of every table that an export leaves out, and why; a table that is left out
/// as a whole has an empty column.
#[must_use]
pub fn left_out_of_exports() -> BTreeMap<(&'static str, &'static str), &'static str> {
    let mut left = BTreeMap::new();
    for table in TABLES {
        let columns = match table.rows {
            Rows::Lines(lines) => lines.columns,
            Rows::InPosts(columns) => columns,
            Rows::Left(reason) => {
                left.insert((table.name, ""), reason);
                continue;
            }
        };
        for column in columns {
            if let Column::Left(name, reason) = column {
                left.insert((table.name, *name), *reason);
            }
        }
    }
    left
}

/// Tells every column that an export holds.
#[must_use]
pub fn held_by_exports() -> Vec<(&'static str, &'static str)> {
    let mut held = Vec::new();
    for table in TABLES {
        let columns = match table.rows {
            Rows::Lines(lines) => lines.columns,
            Rows::InPosts(columns) => columns,
            Rows::Left(_) => continue,
        };
        for column in columns {
            if let Column::Shown(name, _, _) = column {
                held.push((table.name, *name));
            }
        }
    }
    held
}

/// Gives every line of the export of a workspace to `take`, all as of one moment, in an order that
/// is the same every time. Rows are read as they are taken, so that memory does not grow with
/// their number.
///
/// The schema has to be that of this release: open the [`Database`](crate::Database) before.
///
/// # Errors
/// [`ExportError`] by cause.
pub async fn export_workspace(
    url: &str,
    workspace: WorkspaceId,
    mut take: impl FnMut(&Value) -> std::io::Result<()>,
) -> Result<(), ExportError> {
    of_url!(url, driver => driver::export(url, workspace, &mut take).await)
}

/// The statement for each kind of line.
pub(crate) fn statements() -> Vec<(String, Lines)> {
    let lines = TABLES.iter().filter_map(|table| match table.rows {
        Rows::Lines(lines) => Some((table.name, lines)),
        Rows::InPosts(_) | Rows::Left(_) => None,
    });
    lines.map(|(table, lines)| (statement(table, &lines), lines)).collect()
}

fn statement(table: &str, lines: &Lines) -> String {
    let mut columns: Vec<String> =
        shown(lines.columns).map(|(column, _, _)| format!("t.{column}")).collect();
    let (mut join, mut order) = (lines.join.to_owned(), lines.order.to_owned());
    if let Some(targets) = in_posts(lines) {
        columns.extend(shown(targets).map(|(column, _, _)| format!("u.{column}")));
        join.push_str("LEFT JOIN targets u ON u.post_id = t.id");
        order.push_str(", u.position");
    }
    let (columns, workspace) = (columns.join(", "), lines.workspace);
    format!("SELECT {columns} FROM {table} t {join} WHERE {workspace} = $1 ORDER BY {order}")
}

/// The columns of the rows that stand in the list of a post.
fn in_posts(lines: &Lines) -> Option<&'static [Column]> {
    if lines.kind != "post" {
        return None;
    }
    TABLES.iter().find_map(|table| match table.rows {
        Rows::InPosts(columns) => Some(columns),
        Rows::Lines(_) | Rows::Left(_) => None,
    })
}

fn shown(columns: &'static [Column]) -> impl Iterator<Item = (&'static str, &'static str, Kind)> {
    columns.iter().filter_map(|column| match column {
        Column::Shown(column, name, kind) => Some((*column, *name, *kind)),
        Column::Left(_, _) => None,
    })
}

/// A line, with the list that several rows of a statement make up.
pub(crate) struct Gathered<'a> {
    lines: &'a Lines,
    open: Option<Map<String, Value>>,
}

impl<'a> Gathered<'a> {
    pub(crate) const fn new(lines: &'a Lines) -> Self {
        Self { lines, open: None }
    }

    pub(crate) fn take<R>(
        &mut self,
        row: &R,
        take: &mut impl FnMut(&Value) -> std::io::Result<()>,
    ) -> Result<(), ExportError>
    where
        R: Row,
        usize: ColumnIndex<R>,
        for<'r> Uuid: Decode<'r, R::Database> + Type<R::Database>,
        for<'r> String: Decode<'r, R::Database> + Type<R::Database>,
        for<'r> Instant: Decode<'r, R::Database> + Type<R::Database>,
        for<'r> i64: Decode<'r, R::Database> + Type<R::Database>,
        for<'r> f64: Decode<'r, R::Database> + Type<R::Database>,
        for<'r> bool: Decode<'r, R::Database> + Type<R::Database>,
    {
        let mut index = 0;
        let mut fields = Map::new();
        fields.insert("type".to_owned(), json!(self.lines.kind));
        for (_, name, kind) in shown(self.lines.columns) {
            fields.insert(name.to_owned(), value(row, index, kind)?);
            index += 1;
        }
        let Some(columns) = in_posts(self.lines) else {
            return take(&Value::Object(fields)).map_err(ExportError::Write);
        };
        let mut target = Map::new();
        for (_, name, kind) in shown(columns) {
            target.insert(name.to_owned(), value(row, index, kind)?);
            index += 1;
        }
        let is_same = self.open.as_ref().is_some_and(|open| open.get("id") == fields.get("id"));
        if !is_same {
            self.finish(take)?;
            fields.insert("targets".to_owned(), json!([]));
            self.open = Some(fields);
        }
        // A post without targets has one row of nothing.
        if target.get("id").is_some_and(|id| !id.is_null())
            && let Some(targets) = self.open.as_mut().and_then(|open| open.get_mut("targets"))
            && let Some(targets) = targets.as_array_mut()
        {
            targets.push(Value::Object(target));
        }
        Ok(())
    }

    pub(crate) fn finish(
        &mut self,
        take: &mut impl FnMut(&Value) -> std::io::Result<()>,
    ) -> Result<(), ExportError> {
        match self.open.take() {
            Some(fields) => take(&Value::Object(fields)).map_err(ExportError::Write),
            None => Ok(()),
        }
    }
}

fn value<R>(row: &R, index: usize, kind: Kind) -> Result<Value, sqlx::Error>
where
    R: Row,
    usize: ColumnIndex<R>,
    for<'r> Uuid: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> String: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> Instant: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> i64: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> f64: Decode<'r, R::Database> + Type<R::Database>,
    for<'r> bool: Decode<'r, R::Database> + Type<R::Database>,
{
    Ok(match kind {
        Kind::Id => json!(row.try_get::<Option<Uuid>, _>(index)?),
        Kind::Text => json!(row.try_get::<Option<String>, _>(index)?),
        Kind::Json => match row.try_get::<Option<String>, _>(index)? {
            None => Value::Null,
            Some(text) => serde_json::from_str(&text).unwrap_or_else(|_| json!(text)),
        },
        Kind::Instant => {
            let at = row.try_get::<Option<Instant>, _>(index)?;
            json!(at.map(|Instant(at)| at))
        }
        Kind::Whole => json!(row.try_get::<Option<i64>, _>(index)?),
        Kind::Real => json!(row.try_get::<Option<f64>, _>(index)?),
        Kind::Flag => json!(row.try_get::<Option<bool>, _>(index)?),
    })
}
