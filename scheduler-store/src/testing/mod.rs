//! A PostgreSQL for tests: the one that the environment names, else one of the tests' own.
//!
//! Where there is neither, tests that need one are left out, loudly; with
//! `SCHEDULER_REQUIRE_POSTGRES=1` they fail instead.
#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[cfg(unix)]
mod own;
#[cfg(unix)]
pub mod programs;
#[cfg(unix)]
mod server;

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, PgConnection};
use url::Url;

use crate::postgres::PostgresStore;
use crate::sealing::{Sealer, SealingKey};

#[cfg(unix)]
pub use own::OwnPostgres;

/// Names a server by a URL of the form `postgres://…`, whose user may create databases.
const SERVER: &str = "SCHEDULER_TEST_POSTGRES";

/// Makes a missing PostgreSQL a failure when it is `1`.
const REQUIRED: &str = "SCHEDULER_REQUIRE_POSTGRES";

/// How durable the tests' own server is. A server that the environment names is as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Every commit waits for the disk, as in production.
    Full,
    /// No commit waits for the disk.
    None,
}

/// An empty database of a test's own, with the schema of this release. Dropping it removes it.
///
/// All tests of a run share one server, also when each is a process of its own, as under
/// cargo-nextest; it ends with the run.
#[derive(Debug)]
pub struct TestPostgres {
    server: Url,
    name: String,
    url: String,
}

impl TestPostgres {
    /// Makes a database; `None` when there is no PostgreSQL, after saying so on standard error.
    ///
    /// # Panics
    /// When there is one but it cannot be used, or when there is none and
    /// `SCHEDULER_REQUIRE_POSTGRES` is `1`.
    pub async fn create(durability: Durability) -> Option<Self> {
        let (server, template) = match std::env::var(SERVER) {
            Ok(url) => (url.parse().expect("SCHEDULER_TEST_POSTGRES is a URL"), None),
            Err(_) => match own_server(durability).await {
                Some(server) => (server, Some(TEMPLATE)),
                None => {
                    left_out();
                    return None;
                }
            },
        };
        let mut random = [0; 8];
        getrandom::fill(&mut random).expect("the system gives random bytes");
        let name = format!("scheduler_test_{}", hex::encode(random));
        let mut connection = connect(&server).await;
        create_database(&mut connection, &name, template).await;
        connection.close().await.expect("the connection is closed");
        let mut url = server.clone();
        url.set_path(&name);
        if template.is_none() {
            migrate(&url).await;
        }
        Some(Self { server, name, url: url.into() })
    }

    /// The URL of the database.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for TestPostgres {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // A test may end in a runtime that takes no more tasks, so the thread has its own.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime is made").block_on(async move {
                let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                let mut connection = connect(&server).await;
                connection.execute(AssertSqlSafe(drop)).await.expect("the database is dropped");
            });
        });
        if dropping.join().is_err() && !std::thread::panicking() {
            panic!("the database of the test could not be dropped");
        }
    }
}

/// Says that a test is left out since there is no PostgreSQL, or fails where one is required.
fn left_out() {
    let is_required = std::env::var(REQUIRED).is_ok_and(|value| value == "1");
    assert!(!is_required, "there is no PostgreSQL, and SCHEDULER_REQUIRE_POSTGRES asks for one");
    eprintln!(
        "LEFT OUT: there is no PostgreSQL; install its server, or name one by \
         SCHEDULER_TEST_POSTGRES"
    );
}

/// The database that every other is a copy of.
const TEMPLATE: &str = "scheduler_template";

async fn connect(server: &Url) -> PgConnection {
    let options: PgConnectOptions = server.as_str().parse().expect("the URL is one of PostgreSQL");
    options.connect().await.expect("the PostgreSQL of the tests answers")
}

async fn create_database(connection: &mut PgConnection, name: &str, template: Option<&str>) {
    let template = template.map(|template| format!(" TEMPLATE {template}")).unwrap_or_default();
    let create = format!("CREATE DATABASE {name}{template}");
    connection.execute(AssertSqlSafe(create)).await.expect("a database is created");
}

/// Gives a database the schema of this release.
async fn migrate(url: &Url) {
    let sealer = Sealer::new(&SealingKey::from_bytes([0; 32]));
    let store = PostgresStore::open(url.as_str(), sealer).await;
    store.expect("the database is migrated").close().await;
}

#[cfg(unix)]
async fn own_server(durability: Durability) -> Option<Url> {
    server::share(durability).await
}

#[cfg(not(unix))]
async fn own_server(_: Durability) -> Option<Url> {
    None
}
