//! SQLite and PostgreSQL behind the store ports of `scheduler-core`, with secrets sealed at rest;
//! and folders and buckets behind its port for the bytes of files.
//!
//! # Map
//!
//! - [`Database`] opens what a URL names and gives the store.
//! - `sqlite`, `postgres` (features): one store each. How operations run, what each dialect does in
//!   its own way,
//!   and how due work is claimed.
//! - `both`: the operations whose statements are the same, compiled for each of the two.
//! - `rows`: rows, and the values of the core that they hold.
//! - `sealing`: secrets at rest.
//! - `files`: the bytes of files, in a folder of the server or in a bucket.
//! - `testing` (a feature): a PostgreSQL for tests, shared or of a test's own.
//! - `export`: everything of a workspace but secrets, as lines; `sqlite/backup.rs`: a copy of a
//!   database that is in use.
//! - `inspect`: a look at a database that changes nothing in it.
//! - `obstacle`: what keeps a database from being used.
//! - `operation`: what runs in a transaction; `observed`: how long operations take, for an observer.
//! - `migrations`: the schema, forward only, run when a database is opened.
//!
//! Every method of a port is one operation and one transaction. What two callers may both want is
//! settled by the database: by a unique index, by a guard inside the statement, by a lock on the
//! row that both depend on, or by the version that a change was decided on.
//!
//! # Adding a table
//!
//! 1. The port in `scheduler-core`: one method for each operation, its outcomes as an enum; and the
//!    same in its store in memory.
//! 2. A case in `scheduler-conformance`, which runs over every store.
//! 3. `migrations/sqlite/` and `migrations/postgres/`: a new file each, of the same number, or one
//!    in `migrations/both/` where the text is the same; and a line in `migrations.rs`.
//!    Additive first; drop in a later release. An enum gets a `CHECK` in both, and a line in
//!    `tests/schema.rs`.
//! 4. A row in `rows`, the operation in `both`, and in both `dialect`s what differs.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    all(feature = "sqlite", feature = "postgres"),
    expect(clippy::duplicate_mod, reason = "`both` is compiled for each driver")
)]

mod database;
mod derived_id;
mod error;
mod export;
mod files;
mod inspect;
mod instant;
mod migrations;
mod moving;
mod observed;
mod obstacle;
mod operation;
#[cfg(feature = "postgres")]
mod postgres;
mod private;
mod rows;
mod sealing;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "testing")]
pub mod testing;
mod window;

pub use database::{Connections, Database, OpenError};
pub use export::{ExportError, export_workspace, held_by_exports, left_out_of_exports};
pub use files::{
    Addressing, BucketUrl, CopiedFiles, FREE_BYTES_MIN, FilesUrl, FilesUrlError, FolderFiles,
    FolderSettings, copy_files, has_copied_file,
};
#[cfg(feature = "s3")]
pub use files::{S3Files, S3Keys, S3OpenError};
pub use inspect::{Inspection, SchemaState, Seals};
pub use moving::{MoveError, MoveState, Moved, cancel_move, move_database, move_state_of};
pub use obstacle::Obstacle;
#[cfg(feature = "postgres")]
pub use postgres::PostgresStore;
pub use sealing::{Resealed, Sealer, SealingKey, SealingKeyError};
#[cfg(feature = "sqlite")]
pub use sqlite::{
    CopyContents, CopyError, SqliteStore, close_sqlite_files, copy_sqlite, sqlite_file,
    sqlite_files_open_to_others, verify_sqlite,
};

#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
compile_error!(
    "scheduler-store needs a database: build it with the feature `sqlite` or `postgres`"
);
