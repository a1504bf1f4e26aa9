//! A fault: what plants it, and what is then told.

use std::any::Any;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqliteConnection};

use crate::running::run;

/// Plants a fault in a folder, or in the settings of a command. What it returns is kept until the
/// command has ended.
trait Plant: Fn(&Path, &mut Command) -> Box<dyn Any> + Send + Sync {}

impl<F: Fn(&Path, &mut Command) -> Box<dyn Any> + Send + Sync> Plant for F {}

/// A fault: the name under which it is told, its verdict, words of what was found, and of the
/// remedy.
pub(super) struct Fault {
    pub(super) name: &'static str,
    plant: Box<dyn Plant>,
    pub(super) told: Told,
    /// Whether nothing else is wrong then that is as bad.
    pub(super) is_alone: bool,
}

/// What is told of a fault.
pub(super) struct Told {
    pub(super) check: &'static str,
    pub(super) id: &'static str,
    pub(super) verdict: &'static str,
    pub(super) found: &'static str,
    pub(super) advice: &'static str,
}

/// What is told of a fault that keeps something from working.
pub(super) const fn problem(
    [check, id]: [&'static str; 2],
    [found, advice]: [&'static str; 2],
) -> Told {
    Told { check, id, verdict: "problem", found, advice }
}

/// What is told of a fault that leaves the rest working.
pub(super) const fn warning(told: [&'static str; 2], words: [&'static str; 2]) -> Told {
    Told { verdict: "warning", ..problem(told, words) }
}

impl Fault {
    pub(super) fn new<T: 'static>(
        name: &'static str,
        plant: impl Fn(&Path, &mut Command) -> T + Send + Sync + 'static,
        told: Told,
    ) -> Self {
        let plant = Box::new(move |folder: &Path, command: &mut Command| {
            Box::new(plant(folder, command)) as Box<dyn Any>
        });
        Self { name, plant, told, is_alone: true }
    }

    /// A fault that brings worse ones with it.
    pub(super) fn among_others(self) -> Self {
        Self { is_alone: false, ..self }
    }

    pub(super) fn plant(&self, folder: &Path, command: &mut Command) -> Box<dyn Any> {
        (self.plant)(folder, command)
    }

    /// Whether this is told of it.
    pub(super) fn is_told_by(&self, finding: &Value) -> bool {
        let Told { check, id, verdict, found, advice } = self.told;
        let holds = |key: &str, part| finding[key].as_str().is_some_and(|it| it.contains(part));
        finding["check"] == check
            && finding["id"] == id
            && finding["verdict"] == verdict
            && holds("found", found)
            && holds("advice", advice)
    }
}

/// Sets variables.
pub(super) fn set<const N: usize>(
    variables: [(&'static str, &'static str); N],
) -> impl Fn(&Path, &mut Command) + Send + Sync {
    move |_, command| {
        command.envs(variables);
    }
}

/// Sets variables of a server on the networks themselves.
pub(super) fn set_real<const N: usize>(
    variables: [(&'static str, &'static str); N],
) -> impl Fn(&Path, &mut Command) + Send + Sync {
    move |_, command| {
        command.env_remove("SCHEDULER_SANDBOX").envs(variables);
    }
}

/// Writes a file of the data folder, in place of whatever was there.
pub(super) fn write(
    path: &'static str,
    text: &'static str,
) -> impl Fn(&Path, &mut Command) + Send + Sync {
    move |folder, _| {
        let path = folder.join("data").join(path);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::write(path, text).unwrap();
    }
}

/// Runs statements in the database of the data folder.
pub(super) fn sql(statements: &'static str) -> impl Fn(&Path, &mut Command) + Send + Sync {
    move |folder, _| {
        let url = format!("sqlite:{}", folder.join("data/scheduler.db").display());
        block_on(async {
            let mut connection = SqliteConnection::connect(&url).await.unwrap();
            connection.execute(statements).await.unwrap();
            connection.close().await.unwrap();
        });
    }
}

/// Runs statements in a database of PostgreSQL.
pub(super) fn in_postgres(url: &str, statements: &str) {
    block_on(async {
        let mut connection = PgConnection::connect(url).await.unwrap();
        connection.execute(AssertSqlSafe(statements.to_owned())).await.unwrap();
        connection.close().await.unwrap();
    });
}

/// Runs a command of ours in the folder.
pub(super) fn done(
    arguments: &'static [&'static str],
) -> impl Fn(&Path, &mut Command) + Send + Sync {
    move |folder, _| {
        let ran = run(folder, arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(future)
}
