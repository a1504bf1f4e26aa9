//! Being told to stop.

use tokio::signal;

/// Listens for SIGTERM and ctrl-C from now on; the future waits for one of them.
///
/// A plain function, so that what arrives before the future is first polled is not lost and does
/// not end the process.
///
/// # Errors
/// When the system does not let the process listen for them.
pub(crate) fn stop_requested() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let (mut terminate, mut interrupt) = {
        use signal::unix::{SignalKind, signal};
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?)
    };
    #[cfg(windows)]
    let (mut terminate, mut interrupt) =
        (signal::windows::ctrl_close()?, signal::windows::ctrl_c()?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_signal_before_the_first_poll_is_not_lost() {
        let stop = stop_requested().unwrap();
        let id = std::process::id().to_string();
        let told = std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(told.success());
        stop.await;
    }
}
