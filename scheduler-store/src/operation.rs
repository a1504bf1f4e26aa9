//! What a store runs in a transaction.

use futures_util::future::BoxFuture;

use crate::error::Abort;

/// An operation over a connection. It gets its arguments by reference, since a store may have to
/// run it more than once.
pub(crate) trait Operation<Connection, Arguments, T>:
    for<'a> Fn(&'a mut Connection, &'a Arguments) -> BoxFuture<'a, Result<T, Abort<T>>>
    + Send
    + Sync
    + 'static
{
}

impl<Connection, Arguments, T, F> Operation<Connection, Arguments, T> for F where
    F: for<'a> Fn(&'a mut Connection, &'a Arguments) -> BoxFuture<'a, Result<T, Abort<T>>>
        + Send
        + Sync
        + 'static
{
}
