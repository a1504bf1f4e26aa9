//! Being told to stop.

use tokio::signal;

/// Waits for SIGTERM or ctrl-C.
///
/// # Errors
/// When the system does not let the process listen for them.
pub(crate) async fn stop_requested() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminate = signal::unix::signal(signal::unix::SignalKind::terminate())?;
        tokio::select! {
            interrupted = signal::ctrl_c() => interrupted,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    signal::ctrl_c().await
}
