//! Files that networks can fetch by their links.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::media::{FileFolder, FileKey, PartPlan, UploadedPart};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::ports::{ByteStream, Files, FilesError, FinishError, UploadLink};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// Files in memory, whose links are served on this machine.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) kept: Arc<MemoryFiles>,
    base: String,
    links: Mutex<Vec<(FileKey, String)>>,
    is_away: AtomicBool,
}

impl Served {
    /// Begins to serve.
    pub(crate) async fn start() -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let served = Arc::new(Self {
            kept: Arc::default(),
            base,
            links: Mutex::default(),
            is_away: AtomicBool::default(),
        });
        let files = Arc::clone(&served);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    match stream.read_u8().await {
                        Ok(byte) => head.push(byte),
                        Err(_) => break,
                    }
                }
                let head = String::from_utf8(head).unwrap();
                let number = head.split(['/', ' ']).nth(2).and_then(|text| text.parse().ok());
                let answer = files.answer(number).await;
                // Whoever has gone away has no use for it.
                let _ = stream.write_all(&answer).await;
            }
        });
        served
    }

    /// From now on no link leads anywhere.
    pub(crate) fn leave(&self) {
        self.is_away.store(true, Ordering::SeqCst);
    }

    /// Links lead to their files again.
    pub(crate) fn come_back(&self) {
        self.is_away.store(false, Ordering::SeqCst);
    }

    async fn answer(&self, number: Option<usize>) -> Vec<u8> {
        let link = number.and_then(|number| self.links.lock().unwrap().get(number).cloned());
        let link = link.filter(|_| !self.is_away.load(Ordering::SeqCst));
        let Some((key, media_type)) = link else {
            return b"HTTP/1.0 404 Not Found\r\n\r\n".to_vec();
        };
        let bytes = self.kept.read(&key, None).await.unwrap().collect().await.unwrap();
        let head = format!(
            "HTTP/1.0 200 OK\r\ncontent-type: {media_type}\r\ncontent-length: {}\r\n\r\n",
            bytes.len()
        );
        [head.as_bytes(), &bytes].concat()
    }
}

#[async_trait]
impl Files for Served {
    async fn upload_link(
        &self,
        key: &FileKey,
        size_bytes: u64,
        expires_at: DateTime<Utc>,
    ) -> Result<UploadLink, FilesError> {
        self.kept.upload_link(key, size_bytes, expires_at).await
    }

    async fn begin_parts(&self, key: &FileKey) -> Result<String, FilesError> {
        self.kept.begin_parts(key).await
    }

    async fn part_links(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        expires_at: DateTime<Utc>,
    ) -> Result<Vec<String>, FilesError> {
        self.kept.part_links(key, upload, plan, expires_at).await
    }

    async fn finish_parts(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        parts: &[UploadedPart],
    ) -> Result<(), FinishError> {
        self.kept.finish_parts(key, upload, plan, parts).await
    }

    async fn abandon_parts(&self, key: &FileKey, upload: &str) -> Result<(), FilesError> {
        self.kept.abandon_parts(key, upload).await
    }

    async fn size(&self, key: &FileKey) -> Result<Option<u64>, FilesError> {
        self.kept.size(key).await
    }

    async fn read(
        &self,
        key: &FileKey,
        range: Option<Range<u64>>,
    ) -> Result<ByteStream, FilesError> {
        self.kept.read(key, range).await
    }

    async fn write(
        &self,
        key: &FileKey,
        media_type: &str,
        bytes: ByteStream,
    ) -> Result<u64, FilesError> {
        self.kept.write(key, media_type, bytes).await
    }

    async fn settle(&self, from: &FileKey, to: &FileKey) -> Result<(), FilesError> {
        self.kept.settle(from, to).await
    }

    async fn erase(&self, folder: &FileFolder) -> Result<(), FilesError> {
        self.kept.erase(folder).await
    }

    async fn read_link(
        &self,
        key: &FileKey,
        media_type: &str,
        _: DateTime<Utc>,
    ) -> Result<String, FilesError> {
        let mut links = self.links.lock().unwrap();
        links.push((key.clone(), media_type.to_owned()));
        Ok(format!("{}/{}", self.base, links.len() - 1))
    }
}
