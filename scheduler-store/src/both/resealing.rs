//! Sealing secrets anew under the present key, a few in each transaction.

use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::{Backend, Connection};
use crate::error::Failure;
use crate::sealing::{Resealed, Sealed, Sealer};

/// Secrets that one transaction looks at, at most: it holds up other writers for milliseconds.
///
/// Source: our decision.
const PIECE: i64 = 100;

/// A column of sealed secrets.
#[derive(Clone, Copy)]
struct Column {
    what: Sealed,
    /// The secrets of the next rows.
    next: &'static str,
    /// Replaces a secret that is still the one that was read.
    replace: &'static str,
}

macro_rules! column {
    ($what:ident, $table:literal, $column:literal) => {
        Column {
            what: Sealed::$what,
            next: concat!(
                "SELECT id, ",
                $column,
                " FROM ",
                $table,
                " WHERE id > $1 AND ",
                $column,
                " IS NOT NULL ORDER BY id LIMIT $2"
            ),
            replace: concat!(
                "UPDATE ",
                $table,
                " SET ",
                $column,
                " = $1 WHERE id = $2 AND ",
                $column,
                " = $3"
            ),
        }
    };
}

const COLUMNS: [Column; 5] = [
    column!(Credentials, "accounts", "credentials"),
    column!(ConnectingStage, "pending_connections", "stage"),
    column!(WebhookSecret, "webhooks", "secret"),
    column!(SourceUrl, "media", "source_url"),
    column!(NotifierAddress, "notifiers", "address"),
];

/// What was done with some rows, and the last of them if there may be more.
struct Piece {
    done: Resealed,
    last: Option<Uuid>,
}

impl Backend {
    /// Looks at every secret once, and seals anew what is not sealed with the present key.
    pub(crate) async fn reseal(&self) -> Result<Resealed, StoreError> {
        let mut done = Resealed::default();
        for column in COLUMNS {
            let mut after = Some(Uuid::nil());
            while let Some(place) = after {
                let arguments = (column, place, self.sealer.clone());
                let piece =
                    self.write("reseal", arguments, |connection, (column, after, sealer)| {
                        Box::pin(
                            async move { Ok(piece(connection, *column, *after, sealer).await?) },
                        )
                    });
                let piece = piece.await?;
                done += piece.done;
                after = piece.last;
            }
        }
        Ok(done)
    }
}

async fn piece(
    connection: &mut Connection,
    column: Column,
    after: Uuid,
    sealer: &Sealer,
) -> Result<Piece, Failure> {
    let rows: Vec<(Uuid, Vec<u8>)> =
        sqlx::query_as(column.next).bind(after).bind(PIECE).fetch_all(&mut *connection).await?;
    let mut done = Resealed::default();
    for (row, stored) in &rows {
        if sealer.is_current(stored) {
            continue;
        }
        let Ok(secret) = sealer.open(column.what, *row, stored) else {
            done.closed += 1;
            continue;
        };
        let replaced = sqlx::query(column.replace)
            .bind(sealer.seal(column.what, *row, &secret)?)
            .bind(*row)
            .bind(stored)
            .execute(&mut *connection)
            .await?;
        done.sealed += replaced.rows_affected();
    }
    Ok(Piece { done, last: rows.last().map(|(row, _)| *row) })
}
