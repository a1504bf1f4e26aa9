//! A bucket of a real S3 server in the test's own process, so that it outlives a killed server.

#[path = "../../../scheduler-store/tests/files/s3/server.rs"]
mod server;

use std::path::PathBuf;

use tempfile::TempDir;

/// An empty bucket.
pub(crate) struct Bucket {
    server: server::Server,
    folder: TempDir,
    files: String,
}

impl Bucket {
    pub(crate) async fn start() -> Self {
        let (server, folder) = server::Server::start().await;
        let files = format!("s3://media/some/prefix?endpoint={}", server.address);
        Self { server, folder, files }
    }

    /// Where its links begin.
    pub(crate) fn address(&self) -> &str {
        &self.server.address
    }

    /// The settings of a server that keeps its files here.
    pub(crate) fn variables(&self) -> [(&str, &str); 3] {
        [
            ("SCHEDULER_FILES", &self.files),
            ("AWS_ACCESS_KEY_ID", server::ACCESS_KEY_ID),
            ("AWS_SECRET_ACCESS_KEY", server::SECRET_ACCESS_KEY),
        ]
    }

    /// Where the server keeps the objects.
    pub(crate) fn objects(&self) -> PathBuf {
        self.folder.path().join("media")
    }

    pub(crate) fn open_uploads(&self) -> usize {
        self.server.open_uploads()
    }
}
