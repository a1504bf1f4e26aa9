//! Faults of the database itself.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use scheduler_store::testing::TestPostgres;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqliteConnection};
use url::Url;

use super::planted::{Fault, block_on, in_postgres, problem, set, sql, warning};
use super::stand_in::silent;
use crate::running::scheduler;

pub(super) fn faults(postgres: Option<&Extras>) -> Vec<Fault> {
    let mut faults = of_a_file();
    faults.extend(of_a_server());
    faults.extend(postgres.into_iter().flat_map(of_postgres));
    faults
}

fn of_a_file() -> Vec<Fault> {
    let latest = "WHERE version = (SELECT max(version) FROM _sqlx_migrations)";
    let statements = |text: String| sql(Box::leak(text.into_boxed_str()));
    vec![
        Fault::new(
            "a database of an earlier release",
            statements(format!("DELETE FROM _sqlx_migrations {latest}")),
            warning(
                ["database", "database-older"],
                ["one migration is missing", "`scheduler migrate`"],
            ),
        ),
        Fault::new(
            "a database of a newer release",
            statements(format!("UPDATE _sqlx_migrations SET version = 9999 {latest}")),
            problem(["database", "database-newer"], ["a newer release", "run that release"]),
        ),
        Fault::new(
            "a migration that was broken off",
            statements(format!("UPDATE _sqlx_migrations SET success = FALSE {latest}")),
            problem(
                ["database", "database-halfway"],
                ["a migration was broken off", "`scheduler migrate`"],
            ),
        ),
        Fault::new(
            "a database that is none",
            |folder: &Path, _: &mut Command| {
                for end in ["-wal", "-shm"] {
                    let _ = std::fs::remove_file(folder.join(format!("data/scheduler.db{end}")));
                }
                std::fs::write(folder.join("data/scheduler.db"), "nonsense".repeat(1000)).unwrap();
            },
            problem(["database", "database-damaged"], ["could not be opened", "bring back a copy"]),
        ),
        Fault::new(
            "a database with a hole",
            |folder: &Path, command: &mut Command| {
                // Everything into the file, so that the hole is not healed from the log.
                sql("PRAGMA wal_checkpoint(TRUNCATE)")(folder, command);
                let file = folder.join("data/scheduler.db");
                let mut bytes = std::fs::read(&file).unwrap();
                let last_pages = bytes.len() - 8 * 4096;
                bytes[last_pages..].fill(0xaa);
                std::fs::write(file, bytes).unwrap();
            },
            problem(["database", "database-damaged"], ["", "bring back a copy"]),
        ),
        Fault::new(
            "a database that has lost an index",
            sql("PRAGMA writable_schema = ON; \
                 DELETE FROM sqlite_schema WHERE name = 'posts_by_moment'"),
            problem(["database", "database-damaged"], ["contradicts itself", "bring back a copy"]),
        ),
        Fault::new(
            "a database that another program holds",
            |folder: &Path, _: &mut Command| {
                let url = format!("sqlite:{}", folder.join("data/scheduler.db").display());
                block_on(async {
                    let mut connection = SqliteConnection::connect(&url).await.unwrap();
                    connection.execute("BEGIN IMMEDIATE").await.unwrap();
                    connection
                })
            },
            problem(["database", "database-locked"], ["within seconds", "lsof"]),
        ),
        Fault::new(
            "two servers on one file",
            |folder: &Path, _: &mut Command| {
                let first = Server::start(folder, |command| {
                    command.arg("--sandbox");
                });
                // As with a server of an earlier release, which takes no lock.
                std::fs::remove_file(folder.join("data/scheduler.db.server-lock")).unwrap();
                let named = |command: &mut Command| {
                    command.env("SCHEDULER_SANDBOX_URL", "http://127.0.0.1:1");
                };
                [first, Server::start(folder, named)]
            },
            warning(["other servers", "database-shared"], ["share one file", "postgres://"]),
        )
        // The second knows nothing of the sandbox of the first.
        .among_others(),
    ]
}

/// A server on the data of a folder, which ends when it is dropped.
struct Server(Child);

impl Server {
    fn start(folder: &Path, settings: impl FnOnce(&mut Command)) -> Self {
        let mut command = scheduler(folder, &["serve", "--listen", "127.0.0.1:0"]);
        settings(&mut command);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = std::io::BufReader::new(child.stdout.take().unwrap());
        let mut lines = std::io::BufRead::lines(lines).map_while(Result::ok);
        assert!(lines.any(|line| line.starts_with("Listening on")));
        Self(child)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn of_a_server() -> Vec<Fault> {
    let silent = silent();
    let nowhere = "postgres://me:hunter2@127.0.0.1:1/d";
    vec![
        Fault::new(
            "no database server",
            set([("SCHEDULER_DATABASE", nowhere)]),
            problem(
                ["database", "database-unreachable"],
                ["could not be opened", "the host and the port of --database"],
            ),
        ),
        Fault::new(
            "a database server that never answers",
            move |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_DATABASE", format!("postgres://me:hunter2@{silent}/d"));
            },
            problem(["database", "database-silent"], ["does not answer in time", "firewall"]),
        ),
        Fault::new(
            "a host of a database that nobody knows",
            set([("SCHEDULER_DATABASE", "postgres://me:hunter2@database.invalid/d")]),
            problem(["database", "database-unreachable"], ["", "the host"]),
        ),
    ]
}

/// The same database by another user, or another one of its server.
fn varied(url: &str, user: &str, password: &str, database: Option<&str>) -> String {
    let mut url = Url::parse(url).unwrap();
    url.set_username(user).unwrap();
    url.set_password(Some(password)).unwrap();
    if let Some(database) = database {
        url.set_path(database);
    }
    url.into()
}

fn of_postgres(Extras { url, name }: &Extras) -> Vec<Fault> {
    let (user, locked, empty) =
        (format!("{name}_user"), format!("{name}_locked"), format!("{name}_empty"));
    let own = Url::parse(url).unwrap();
    let admin = varied(url, own.username(), own.password().unwrap_or_default(), Some(&empty));
    in_postgres(&admin, "REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    let rule = is_asked_for_a_password(url, &locked);
    let database = |url: String| {
        move |_: &Path, command: &mut Command| {
            command.env("SCHEDULER_DATABASE", &url);
        }
    };
    let login = ["database", "database-login"];
    let mut faults = vec![
        Fault::new(
            "a user that the database server does not know",
            database(varied(url, "nobody_like_that", "hunter2", None)),
            problem(login, ["could not be opened", "the user and the password of --database"]),
        ),
        Fault::new(
            "a database that its server does not have",
            database(varied(url, &user, "hunter2", Some("no_such_database"))),
            problem(["database", "database-absent"], ["could not be opened", "`createdb`"]),
        ),
        Fault::new(
            "a user without rights on the tables",
            database(varied(url, &user, "hunter2", None)),
            problem(["database", "database-rights"], ["", "the owner of the tables"]),
        ),
        Fault::new(
            "a user that may make no tables",
            database(varied(url, &user, "hunter2", Some(&empty))),
            problem(["database", "database-rights"], ["may make no tables", "GRANT CREATE"]),
        ),
    ];
    if rule {
        faults.push(Fault::new(
            "a wrong password of the database",
            database(varied(url, &locked, "hunter2", None)),
            problem(login, ["28P01", "the user and the password of --database"]),
        ));
    }
    faults
}

/// Has the server ask one user for a password, where the tests may say so.
fn is_asked_for_a_password(url: &str, user: &str) -> bool {
    if std::env::var_os("SCHEDULER_TEST_POSTGRES").is_some() {
        eprintln!("LEFT OUT: a wrong password, since the PostgreSQL is not the tests' own");
        return false;
    }
    // The rules of a server are lines of a file, and the first that fits counts.
    block_on(async {
        let mut connection = PgConnection::connect(url).await.unwrap();
        let file = "SELECT current_setting('hba_file'), pg_read_file(current_setting('hba_file'))";
        let (path, rules): (String, String) =
            sqlx::query_as(file).fetch_one(&mut connection).await.unwrap();
        let first = format!("local all {user} scram-sha-256\nhost all {user} all scram-sha-256");
        let write = format!(
            "COPY (SELECT unnest(string_to_array($rules${first}\n{rules}$rules$, E'\\n'))) \
             TO '{path}'; SELECT pg_reload_conf()"
        );
        connection.execute(AssertSqlSafe(write)).await.unwrap();
        connection.close().await.unwrap();
    });
    let as_user = varied(url, user, "hunter2", None);
    while block_on(PgConnection::connect(&as_user)).is_ok() {
        std::thread::yield_now();
    }
    true
}

/// What the faults have made beside the database of the test. Dropping it removes it.
pub(super) struct Extras {
    url: String,
    name: String,
}

impl Extras {
    pub(super) fn new(postgres: &TestPostgres) -> Self {
        let url = postgres.url().to_owned();
        let name = Url::parse(&url).unwrap().path().trim_start_matches('/').to_owned();
        for statement in [
            format!("CREATE ROLE {name}_user LOGIN"),
            format!("CREATE ROLE {name}_locked LOGIN PASSWORD 'x'"),
            format!("CREATE DATABASE {name}_empty"),
        ] {
            in_postgres(&url, &statement);
        }
        Self { url, name }
    }
}

impl Drop for Extras {
    fn drop(&mut self) {
        let name = &self.name;
        for statement in [
            format!("DROP DATABASE {name}_empty WITH (FORCE)"),
            format!("DROP ROLE {name}_user"),
            format!("DROP ROLE {name}_locked"),
        ] {
            let dropped = block_on(async {
                let mut connection = PgConnection::connect(&self.url).await?;
                connection.execute(AssertSqlSafe(statement)).await
            });
            assert!(dropped.is_ok() || std::thread::panicking(), "{dropped:?}");
        }
    }
}
