//! Whether the server can listen where its settings say.

use std::io::ErrorKind;
use std::net::TcpListener;

use super::finding::{Finding, Id, needed};
use super::subject::Subject;

/// Listens there for a moment, unless a scheduler does already.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    let server = needed(&subject.settings.server, "its setting cannot be read")?;
    let listen = server.listen;
    if !server.roles.api {
        return Ok(Finding::ok("this server has no API, so it listens nowhere"));
    }
    if listen.port() == 0 {
        return Ok(Finding::ok("a free port is chosen at the start"));
    }
    if subject.runs_here().await {
        return Ok(Finding::ok(format!("a scheduler listens on {listen}")));
    }
    // Nobody is let in before it is closed again.
    let Err(error) = TcpListener::bind(listen) else {
        return Ok(Finding::ok(format!("{listen} is free")));
    };
    let other = "name another address by --listen";
    Ok(match error.kind() {
        ErrorKind::AddrInUse => Finding::problem(
            Id::ListenTaken,
            format!("another program listens on {listen}, which does not answer as a scheduler"),
            format!("end it (`ss -ltnp` shows which it is), or {other}"),
        ),
        ErrorKind::AddrNotAvailable => Finding::problem(
            Id::ListenNotHere,
            format!("{} is no address of this machine", listen.ip()),
            format!("{other}, such as 127.0.0.1:{0} or, for all, 0.0.0.0:{0}", listen.port()),
        ),
        ErrorKind::PermissionDenied => Finding::problem(
            Id::ListenNotAllowed,
            format!("this user may not listen on port {}", listen.port()),
            format!(
                "{other}, with a port from 1024 on, and let a reverse proxy take {}",
                listen.port()
            ),
        ),
        _ => Finding::problem(
            Id::ListenNotHere,
            format!("it cannot listen on {listen}: {error}"),
            other,
        ),
    })
}
