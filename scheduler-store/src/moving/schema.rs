//! The tables of a database, as a move sees them.

use std::collections::BTreeMap;

use super::MoveError;
use super::side::{Side, Texts};

/// Tables that are not copied: what a start makes anew, and what belongs to the database itself.
const LEFT: [&str; 4] = ["_sqlx_migrations", "moves", "last_writes", "post_words"];

/// What a start finds out anew.
const MADE_ANEW: (&str, &str) = ("posts", "searchable");

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Bytes,
    Uuid,
    Whole,
    Flag,
    Instant,
    /// Written with as many digits as tell it from any other.
    Real,
}

/// A column, and its place in the key of its table, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) form: Form,
    key: usize,
}

impl Column {
    /// An instant, whatever its name.
    pub(super) const fn instant() -> Self {
        Self { name: String::new(), form: Form::Instant, key: 0 }
    }
}

/// A table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) name: String,
    /// The columns of the key first, in their order.
    pub(super) columns: Vec<Column>,
    /// The tables that it refers to.
    refers_to: Vec<String>,
}

impl Table {
    /// The columns of its key.
    pub(super) fn key(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().take_while(|column| column.key > 0)
    }

    /// A row of it, with its numbers written the same by both.
    pub(super) fn alike(&self, mut row: Texts) -> Texts {
        for (value, column) in row.iter_mut().zip(&self.columns) {
            if column.form == Form::Real {
                let number = value.as_deref().and_then(|text| text.parse::<f64>().ok());
                *value = number.map(|number| number.to_string()).or(value.take());
            }
        }
        row
    }

    /// How many columns its key has.
    pub(super) fn key_width(&self) -> usize {
        self.key().count()
    }
}

const SQLITE_COLUMNS: &str = "SELECT m.name, c.name, c.type, CAST(c.pk AS TEXT) \
    FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' \
    AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'post_words_index%' \
    ORDER BY m.name, c.cid";
const SQLITE_REFERENCES: &str = "SELECT m.name, f.\"table\" FROM sqlite_schema m \
    JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'";
const POSTGRES_COLUMNS: &str = "SELECT c.table_name::text, c.column_name::text, c.data_type::text, \
    coalesce((SELECT k.ordinal_position FROM information_schema.table_constraints t \
      JOIN information_schema.key_column_usage k ON k.constraint_name = t.constraint_name \
        AND k.table_schema = t.table_schema AND k.table_name = t.table_name \
      WHERE t.constraint_type = 'PRIMARY KEY' AND t.table_schema = c.table_schema \
        AND t.table_name = c.table_name AND k.column_name = c.column_name), 0)::text \
    FROM information_schema.columns c JOIN information_schema.tables b \
      ON b.table_schema = c.table_schema AND b.table_name = c.table_name \
    WHERE c.table_schema = current_schema() AND b.table_type = 'BASE TABLE' \
    ORDER BY c.table_name, c.ordinal_position";
const POSTGRES_REFERENCES: &str = "SELECT conrelid::regclass::text, confrelid::regclass::text \
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace";

/// The tables of a database that a move copies, in an order in which none refers to a later one.
pub(super) async fn tables(side: &mut Side) -> Result<Vec<Table>, MoveError> {
    let (columns, references) = if side.is_sqlite() {
        (SQLITE_COLUMNS, SQLITE_REFERENCES)
    } else {
        (POSTGRES_COLUMNS, POSTGRES_REFERENCES)
    };
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    for row in side.all(columns).await? {
        let [Some(table), Some(name), Some(kind), Some(key)] = row.as_slice() else { continue };
        let is_left = LEFT.contains(&table.as_str());
        if is_left || (table.as_str(), name.as_str()) == MADE_ANEW {
            continue;
        }
        let form = form_of(kind).ok_or_else(|| MoveError::Form(format!("{table}.{name}")))?;
        let column = Column { name: name.clone(), form, key: key.parse().unwrap_or_default() };
        let empty = Table { name: table.clone(), columns: Vec::new(), refers_to: Vec::new() };
        tables.entry(table.clone()).or_insert(empty).columns.push(column);
    }
    for row in side.all(references).await? {
        let [Some(table), Some(of)] = row.as_slice() else { continue };
        if let Some(table) = tables.get_mut(table).filter(|table| table.name != *of) {
            table.refers_to.push(of.clone());
        }
    }
    for table in tables.values_mut() {
        // What is no part of the key comes after it; the sort keeps their order.
        table.columns.sort_by_key(|column| if column.key == 0 { usize::MAX } else { column.key });
        if table.key_width() == 0 {
            return Err(MoveError::Form(table.name.clone()));
        }
    }
    Ok(in_order(tables.into_values().collect()))
}

/// Tables behind those that they refer to.
fn in_order(mut rest: Vec<Table>) -> Vec<Table> {
    let mut ordered: Vec<Table> = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let is_free = |table: &Table, rest: &[Table]| {
            table.refers_to.iter().all(|of| rest.iter().all(|other| other.name != *of))
        };
        let next = rest.iter().position(|table| is_free(table, &rest)).unwrap_or_default();
        ordered.push(rest.remove(next));
    }
    ordered
}

/// What a column of a declared type holds.
fn form_of(kind: &str) -> Option<Form> {
    match kind.to_ascii_lowercase().as_str() {
        "text" => Some(Form::Text),
        "blob" | "bytea" => Some(Form::Bytes),
        "uuid" => Some(Form::Uuid),
        "integer" | "bigint" => Some(Form::Whole),
        "boolean" => Some(Form::Flag),
        "real" | "double precision" => Some(Form::Real),
        "timestamp with time zone" => Some(Form::Instant),
        _ => None,
    }
}

/// The tables as the other database has them, in the order of these and with their columns in that
/// order.
///
/// # Errors
/// [`MoveError::Form`] where a table, a column or a key is not in both.
pub(super) fn matched(these: &[Table], others: &[Table]) -> Result<Vec<Table>, MoveError> {
    let differs = |name: &str| MoveError::Form(name.to_owned());
    if let Some(more) = others.iter().find(|other| these.iter().all(|one| one.name != other.name)) {
        return Err(differs(&more.name));
    }
    let mut found = Vec::with_capacity(these.len());
    for table in these {
        let other = others.iter().find(|other| other.name == table.name);
        let other = other.ok_or_else(|| differs(&table.name))?;
        let column = |one: &Column| {
            other.columns.iter().find(|column| column.name == one.name && column.key == one.key)
        };
        let columns: Option<Vec<Column>> =
            table.columns.iter().map(|one| column(one).cloned()).collect();
        let columns = columns.filter(|columns| columns.len() == other.columns.len());
        let columns = columns.ok_or_else(|| differs(&table.name))?;
        found.push(Table { columns, ..other.clone() });
    }
    Ok(found)
}
