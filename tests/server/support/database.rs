//! The databases that a test runs on.

use scheduler_store::testing::TestPostgres;

/// A database for one server.
#[derive(Debug)]
pub(crate) enum Backend {
    /// The file in the server's own folder.
    Sqlite,
    /// A fresh database of a real PostgreSQL.
    Postgres(String),
}

impl Backend {
    /// The address to start the server with; `None` for its default.
    pub(crate) fn url(&self) -> Option<String> {
        match self {
            Self::Sqlite => None,
            Self::Postgres(url) => Some(url.clone()),
        }
    }
}

/// SQLite, and PostgreSQL where its programs are installed.
pub(crate) async fn backends() -> Vec<Backend> {
    todo_postgres().await
}
