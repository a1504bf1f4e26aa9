//! Everything of a workspace but secrets, as lines of JSON.
//!
//! What stands in them is a table of tables (`tables`): the columns of each row, and which of the
//! schema's are left out and why.

mod kind;
mod tables;

use std::collections::BTreeMap;

use scheduler_core::ids::WorkspaceId;
use serde_json::{Map, Value, json};
use sqlx::{ColumnIndex, Decode, Row, Type};
use uuid::Uuid;

use crate::database::{OpenError, of_url};
use crate::instant::Instant;
use tables::{Column, Columns, Lines, Rows, TABLES};

pub(crate) use kind::{ColumnType, Described, Kind, RowColumn};

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
        if let Rows::Left(reason) = table.rows {
            left.insert((table.name, ""), reason);
        }
        for column in table.columns().map_or(&[][..], |columns| columns.other) {
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
        let shown = table.columns().map(shown).unwrap_or_default();
        held.extend(shown.iter().map(|column| (table.name, column.name)));
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

/// A column that is written.
#[derive(Debug)]
struct ShownColumn {
    /// Its name in the table.
    name: &'static str,
    /// Its name in a line.
    field: String,
    kind: Kind,
}

/// The columns that are written, in the order in which they are read.
fn shown(columns: Columns) -> Vec<ShownColumn> {
    let is_as_its_row = |name: &str| columns.other.iter().all(|column| column.name() != name);
    let of_row = columns.row.iter().filter(|(name, _)| is_as_its_row(name));
    let of_row = of_row.filter_map(|(name, kind)| Some((*name, in_camel_case(name), (*kind)?)));
    let other = columns.other.iter().filter_map(|column| match *column {
        Column::Shown(name, kind) => Some((name, in_camel_case(name), kind)),
        Column::Named(name, field, kind) => Some((name, field.to_owned(), kind)),
        Column::Left(_, _) => None,
    });
    of_row.chain(other).map(|(name, field, kind)| ShownColumn { name, field, kind }).collect()
}

/// A column's name as names of fields are written: `created_at` is `createdAt`.
fn in_camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut field = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        field.push_str(&first.to_ascii_uppercase());
        field.push_str(rest);
    }
    field
}

/// How lines of one kind are read and written.
#[derive(Debug)]
pub(crate) struct LineKind {
    pub(crate) statement: String,
    name: &'static str,
    columns: Vec<ShownColumn>,
    /// The columns of the rows that stand in its list; none but posts have one.
    targets: Option<Vec<ShownColumn>>,
}

/// Each kind of line.
pub(crate) fn line_kinds() -> Vec<LineKind> {
    let lines = TABLES.iter().filter_map(|table| match table.rows {
        Rows::Lines(lines) => Some(line_kind(table.name, &lines)),
        Rows::InPosts(_) | Rows::Left(_) => None,
    });
    lines.collect()
}

fn line_kind(table: &str, lines: &Lines) -> LineKind {
    let columns = shown(lines.columns);
    let mut names: Vec<String> =
        columns.iter().map(|column| format!("t.{}", column.name)).collect();
    let (mut join, mut order) = (lines.join.to_owned(), lines.order.to_owned());
    let targets = in_posts(lines).map(shown);
    if let Some(targets) = &targets {
        names.extend(targets.iter().map(|column| format!("u.{}", column.name)));
        join.push_str("LEFT JOIN targets u ON u.post_id = t.id");
        order.push_str(", u.position");
    }
    let (names, workspace) = (names.join(", "), lines.workspace);
    let statement =
        format!("SELECT {names} FROM {table} t {join} WHERE {workspace} = $1 ORDER BY {order}");
    LineKind { statement, name: lines.kind, columns, targets }
}

/// The columns of the rows that stand in the list of a post.
fn in_posts(lines: &Lines) -> Option<Columns> {
    if lines.kind != "post" {
        return None;
    }
    TABLES.iter().find_map(|table| match table.rows {
        Rows::InPosts(columns) => Some(columns),
        Rows::Lines(_) | Rows::Left(_) => None,
    })
}

/// A line, with the list that several rows of a statement make up.
pub(crate) struct Gathered<'a> {
    kind: &'a LineKind,
    open: Option<Map<String, Value>>,
}

impl<'a> Gathered<'a> {
    pub(crate) const fn new(kind: &'a LineKind) -> Self {
        Self { kind, open: None }
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
        let mut fields = Map::new();
        fields.insert("type".to_owned(), json!(self.kind.name));
        for (index, column) in self.kind.columns.iter().enumerate() {
            fields.insert(column.field.clone(), value(row, index, column.kind)?);
        }
        let Some(targets) = &self.kind.targets else {
            return take(&Value::Object(fields)).map_err(ExportError::Write);
        };
        let mut target = Map::new();
        for (index, column) in (self.kind.columns.len()..).zip(targets) {
            target.insert(column.field.clone(), value(row, index, column.kind)?);
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
