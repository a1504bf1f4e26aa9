//! A database of a move, of either kind: rows go in and out as texts, so that both read the same.

use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, TryStreamExt as _};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Row as _};
#[cfg(feature = "postgres")]
use sqlx::{PgConnection, postgres::PgConnectOptions};
#[cfg(feature = "sqlite")]
use sqlx::{SqliteConnection, sqlite::SqliteConnectOptions};

use super::schema::{Column, Form, Table};
use crate::database::OpenError;

/// How long a statement waits for others that write to the file.
#[cfg(feature = "sqlite")]
const BUSY_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);

/// The values of a row as texts; `None` for NULL.
pub(super) type Texts = Vec<Option<String>>;

/// What the writers of a database that was moved are told.
const MOVED: &str = "this installation is moved to another database";

/// A connection to one of the two databases.
pub(super) enum Side {
    #[cfg(feature = "sqlite")]
    Sqlite(SqliteConnection),
    #[cfg(feature = "postgres")]
    Postgres(PgConnection),
}

/// Binds texts to a statement.
macro_rules! bound {
    ($statement:expr, $values:expr) => {
        $values
            .iter()
            .fold(sqlx::query(AssertSqlSafe($statement)), |query, value| query.bind(value.clone()))
    };
}

/// The rows of a statement, all of whose columns are texts.
macro_rules! rows {
    ($connection:expr, $statement:expr, $values:expr) => {
        bound!($statement, $values)
            .fetch($connection)
            .and_then(|row| async move {
                (0..row.len()).map(|index| row.try_get(index)).collect::<Result<Texts, _>>()
            })
            .boxed()
    };
}

impl Side {
    /// Connects to the database of a URL; it makes none.
    pub(super) async fn open(url: &str) -> Result<Self, OpenError> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            #[cfg(feature = "sqlite")]
            Some("sqlite") => {
                let options: SqliteConnectOptions = url.parse().map_err(|_| OpenError::Address)?;
                let options = options.create_if_missing(false).foreign_keys(true);
                let options = options.busy_timeout(BUSY_TIMEOUT);
                let connected = options.connect();
                Ok(Self::Sqlite(connected.await.map_err(OpenError::unavailable)?))
            }
            #[cfg(feature = "postgres")]
            Some("postgres" | "postgresql") => {
                let options: PgConnectOptions = url.parse().map_err(|_| OpenError::Address)?;
                let options = options.application_name("scheduler move");
                let options = options.options([("lock_timeout", "10s")]);
                Ok(Self::Postgres(options.connect().await.map_err(OpenError::unavailable)?))
            }
            scheme => Err(OpenError::scheme(scheme)),
        }
    }

    /// True for SQLite.
    pub(super) const fn is_sqlite(&self) -> bool {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => true,
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => false,
        }
    }

    /// Runs a statement; how many rows it has changed.
    pub(super) async fn execute(
        &mut self,
        statement: String,
        values: &[Option<String>],
    ) -> Result<u64, sqlx::Error> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(connection) => {
                Ok(bound!(statement, values).execute(connection).await?.rows_affected())
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => {
                Ok(bound!(statement, values).execute(connection).await?.rows_affected())
            }
        }
    }

    /// Reads rows as they are taken.
    pub(super) fn rows(
        &mut self,
        statement: String,
        values: Vec<Option<String>>,
    ) -> BoxStream<'_, Result<Texts, sqlx::Error>> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(connection) => rows!(connection, statement, values),
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => rows!(connection, statement, values),
        }
    }

    /// Reads a few rows.
    pub(super) async fn all(&mut self, statement: &str) -> Result<Vec<Texts>, sqlx::Error> {
        self.rows(statement.to_owned(), Vec::new()).try_collect().await
    }

    /// Runs statements in one transaction.
    pub(super) async fn together(&mut self, statements: Vec<String>) -> Result<(), sqlx::Error> {
        let begin = if self.is_sqlite() { "BEGIN IMMEDIATE" } else { "BEGIN" };
        self.execute(begin.to_owned(), &[]).await?;
        for statement in statements {
            if let Err(error) = self.execute(statement, &[]).await {
                self.execute("ROLLBACK".to_owned(), &[]).await?;
                return Err(error);
            }
        }
        self.execute("COMMIT".to_owned(), &[]).await?;
        Ok(())
    }

    /// An expression that gives a column as text.
    pub(super) fn read(&self, column: &Column) -> String {
        let name = &column.name;
        match (column.form, self.is_sqlite()) {
            (Form::Text, _) => name.clone(),
            (Form::Bytes | Form::Uuid, true) => {
                format!("iif({name} IS NULL, NULL, lower(hex({name})))")
            }
            (Form::Whole | Form::Instant | Form::Flag, true) => format!("CAST({name} AS TEXT)"),
            (Form::Real, true) => format!("iif({name} IS NULL, NULL, printf('%!.17g', {name}))"),
            (Form::Uuid, false) => format!("replace({name}::text, '-', '')"),
            (Form::Bytes, false) => format!("encode({name}, 'hex')"),
            (Form::Whole | Form::Real, false) => format!("{name}::text"),
            (Form::Flag, false) => format!("{name}::int::text"),
            (Form::Instant, false) => {
                format!("(extract(epoch from {name}) * 1000000)::bigint::text")
            }
        }
    }

    /// An expression that makes a value of the text at a place.
    pub(super) fn write(&self, column: &Column, place: usize) -> String {
        match (column.form, self.is_sqlite()) {
            (Form::Text, _) => format!("${place}"),
            (Form::Bytes | Form::Uuid, true) => format!("unhex(${place})"),
            (Form::Whole | Form::Instant | Form::Flag, true) => {
                format!("CAST(${place} AS INTEGER)")
            }
            (Form::Uuid, false) => format!("${place}::uuid"),
            (Form::Bytes, false) => format!("decode(${place}, 'hex')"),
            (Form::Real, true) => format!("CAST(${place} AS REAL)"),
            (Form::Real, false) => format!("${place}::double precision"),
            (Form::Whole, false) => format!("${place}::bigint"),
            (Form::Flag, false) => format!("${place}::int::boolean"),
            (Form::Instant, false) => format!(
                "timestamptz 'epoch' + ${place}::bigint / 1000000 * interval '1 second' \
                 + ${place}::bigint % 1000000 * interval '1 microsecond'"
            ),
        }
    }

    /// A column of a key, compared and ordered by its bytes in both.
    fn key(&self, column: &Column) -> String {
        let collation =
            if column.form == Form::Text && !self.is_sqlite() { " COLLATE \"C\"" } else { "" };
        format!("{}{collation}", column.name)
    }

    /// The statement that reads a table by its key, behind a key where one is given.
    pub(super) fn select(&self, table: &Table, is_behind: bool) -> String {
        let columns: Vec<String> = table.columns.iter().map(|column| self.read(column)).collect();
        let keys: Vec<String> = table.key().map(|column| self.key(column)).collect();
        let places = table.key().enumerate().map(|(index, column)| self.write(column, index + 1));
        let places: Vec<String> = places.collect();
        let (columns, keys, places) = (columns.join(", "), keys.join(", "), places.join(", "));
        let behind =
            if is_behind { format!(" WHERE ({keys}) > ({places})") } else { String::new() };
        format!("SELECT {columns} FROM {}{behind} ORDER BY {keys}", table.name)
    }

    /// The statement that reads the last key of a table.
    pub(super) fn last_key(&self, table: &Table) -> String {
        let read: Vec<String> = table.key().map(|column| self.read(column)).collect();
        let keys = table.key().map(|column| format!("{} DESC", self.key(column)));
        let keys: Vec<String> = keys.collect();
        format!(
            "SELECT {} FROM {} ORDER BY {} LIMIT 1",
            read.join(", "),
            table.name,
            keys.join(", ")
        )
    }

    /// The statement that stores so many rows of a table.
    pub(super) fn insert(&self, table: &Table, rows: usize) -> String {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let width = table.columns.len();
        let row = |index: usize| {
            let columns = table.columns.iter().enumerate();
            let places = columns.map(|(at, column)| self.write(column, index * width + at + 1));
            format!("({})", places.collect::<Vec<_>>().join(", "))
        };
        let rows: Vec<String> = (0..rows).map(row).collect();
        format!("INSERT INTO {} ({}) VALUES {}", table.name, names.join(", "), rows.join(", "))
    }

    /// The statements that keep everybody from writing to these tables from now on.
    pub(super) fn closing(&self, tables: &[String]) -> Vec<String> {
        let mut statements = self.opening(tables);
        if !self.is_sqlite() {
            statements.push(format!(
                "CREATE OR REPLACE FUNCTION scheduler_moved() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN RAISE EXCEPTION '{MOVED}' USING ERRCODE = '25006'; END $$"
            ));
        }
        for table in tables {
            if self.is_sqlite() {
                statements.extend(OPERATIONS.map(|operation| {
                    format!(
                        "CREATE TRIGGER moved_{table}_{operation} BEFORE {operation} ON {table} \
                         BEGIN SELECT RAISE(ABORT, '{MOVED}'); END"
                    )
                }));
            } else {
                statements.push(format!(
                    "CREATE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE ON {table} \
                     FOR EACH STATEMENT EXECUTE FUNCTION scheduler_moved()"
                ));
            }
        }
        statements
    }

    /// The statements that let everybody write to these tables again.
    pub(super) fn opening(&self, tables: &[String]) -> Vec<String> {
        let of_table = |table: &String| -> Vec<String> {
            if self.is_sqlite() {
                OPERATIONS
                    .map(|operation| format!("DROP TRIGGER IF EXISTS moved_{table}_{operation}"))
                    .to_vec()
            } else {
                vec![format!("DROP TRIGGER IF EXISTS moved ON {table}")]
            }
        };
        tables.iter().flat_map(of_table).collect()
    }
}

/// What a trigger of SQLite stands before, one each.
const OPERATIONS: [&str; 3] = ["INSERT", "UPDATE", "DELETE"];
