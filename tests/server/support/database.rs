//! The databases that a test runs on.

use scheduler_store::testing::{Durability, TestPostgres};

/// A database for one server.
#[derive(Debug)]
pub(crate) enum Backend {
    /// The file in the server's own folder.
    Sqlite,
    /// A fresh database of a real PostgreSQL.
    Postgres(TestPostgres),
}

impl Backend {
    /// What it is called.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres(_) => "PostgreSQL",
        }
    }

    /// The address to start the server with; `None` for its default.
    pub(crate) fn url(&self) -> Option<String> {
        match self {
            Self::Sqlite => None,
            Self::Postgres(postgres) => Some(postgres.url().to_owned()),
        }
    }
}

/// SQLite, and PostgreSQL where its programs are installed.
pub(crate) async fn backends() -> Vec<Backend> {
    let mut backends = vec![Backend::Sqlite];
    backends.extend(TestPostgres::create(Durability::Full).await.map(Backend::Postgres));
    backends
}
