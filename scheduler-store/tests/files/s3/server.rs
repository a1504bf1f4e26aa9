//! An S3 server in this process, over a folder, on a port of its own.
//!
//! The server of the crate `s3s-fs` checks signatures, expiry and the size of parts, but knows
//! no ETags of parts and forgets an upload whose parts are wrong. What stands around it here is
//! as the Amazon S3 API Reference has it: ListParts, CompleteMultipartUpload,
//! AbortMultipartUpload, ListMultipartUploads, and `response-content-type` of GetObject.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use hyper_util::rt::{TokioExecutor, TokioIo};
use s3s::auth::SimpleAuth;
use s3s::dto::*;
use s3s::service::S3ServiceBuilder;
use s3s::{S3, S3Request, S3Response, S3Result, s3_error};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;

pub(crate) const ACCESS_KEY_ID: &str = "AKIDEXAMPLE";
pub(crate) const SECRET_ACCESS_KEY: &str = "an example of a secret";

/// A running server; it ends with the runtime of its test.
pub(crate) struct Server {
    pub(crate) address: String,
    uploads: Uploads,
}

#[derive(Clone, Default)]
struct Uploads(Arc<Mutex<BTreeMap<String, OpenUpload>>>);

struct OpenUpload {
    key: String,
    parts: BTreeMap<i32, (ETag, i64)>,
}

impl Uploads {
    fn open(&self) -> MutexGuard<'_, BTreeMap<String, OpenUpload>> {
        self.0.lock().unwrap()
    }

    fn check(&self, upload: &str) -> S3Result<()> {
        if self.open().contains_key(upload) { Ok(()) } else { Err(s3_error!(NoSuchUpload)) }
    }
}

impl Server {
    /// Starts a server that has one empty bucket, `media`.
    pub(crate) async fn start() -> (Self, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("media")).unwrap();
        let uploads = Uploads::default();
        let bucket =
            Bucket { inner: FileSystem::new(folder.path()).unwrap(), uploads: uploads.clone() };
        let mut builder = S3ServiceBuilder::new(bucket);
        builder.set_auth(SimpleAuth::from_single(ACCESS_KEY_ID, SECRET_ACCESS_KEY));
        let service = builder.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let service = service.clone();
                tokio::spawn(async move {
                    let http = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                    // A caller that goes away ends its connection with an error.
                    let _ = http.serve_connection(TokioIo::new(socket), service).await;
                });
            }
        });
        (Self { address, uploads }, folder)
    }

    pub(crate) fn open_uploads(&self) -> usize {
        self.uploads.open().len()
    }
}

struct Bucket {
    inner: FileSystem,
    uploads: Uploads,
}

#[async_trait::async_trait]
impl S3 for Bucket {
    async fn put_object(
        &self,
        request: S3Request<PutObjectInput>,
    ) -> S3Result<S3Response<PutObjectOutput>> {
        self.inner.put_object(request).await
    }

    async fn get_object(
        &self,
        request: S3Request<GetObjectInput>,
    ) -> S3Result<S3Response<GetObjectOutput>> {
        let media_type = request.input.response_content_type.clone();
        let mut response = self.inner.get_object(request).await?;
        if let Some(media_type) = media_type {
            response.output.content_type = Some(media_type);
        }
        Ok(response)
    }

    async fn head_object(
        &self,
        request: S3Request<HeadObjectInput>,
    ) -> S3Result<S3Response<HeadObjectOutput>> {
        self.inner.head_object(request).await
    }

    async fn copy_object(
        &self,
        request: S3Request<CopyObjectInput>,
    ) -> S3Result<S3Response<CopyObjectOutput>> {
        self.inner.copy_object(request).await
    }

    async fn delete_object(
        &self,
        request: S3Request<DeleteObjectInput>,
    ) -> S3Result<S3Response<DeleteObjectOutput>> {
        self.inner.delete_object(request).await
    }

    async fn delete_objects(
        &self,
        request: S3Request<DeleteObjectsInput>,
    ) -> S3Result<S3Response<DeleteObjectsOutput>> {
        self.inner.delete_objects(request).await
    }

    async fn list_objects_v2(
        &self,
        request: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        self.inner.list_objects_v2(request).await
    }

    async fn create_multipart_upload(
        &self,
        request: S3Request<CreateMultipartUploadInput>,
    ) -> S3Result<S3Response<CreateMultipartUploadOutput>> {
        let key = request.input.key.clone();
        let response = self.inner.create_multipart_upload(request).await?;
        let upload = response.output.upload_id.clone().unwrap();
        self.uploads.open().insert(upload, OpenUpload { key, parts: BTreeMap::new() });
        Ok(response)
    }

    async fn upload_part(
        &self,
        request: S3Request<UploadPartInput>,
    ) -> S3Result<S3Response<UploadPartOutput>> {
        let (upload, number) = (request.input.upload_id.clone(), request.input.part_number);
        let size = request.input.content_length.unwrap_or_default();
        self.uploads.check(&upload)?;
        let response = self.inner.upload_part(request).await?;
        let etag = response.output.e_tag.clone().unwrap();
        if let Some(open) = self.uploads.open().get_mut(&upload) {
            open.parts.insert(number, (etag, size));
        }
        Ok(response)
    }

    async fn list_parts(
        &self,
        request: S3Request<ListPartsInput>,
    ) -> S3Result<S3Response<ListPartsOutput>> {
        let after = request.input.part_number_marker.unwrap_or_default();
        let uploads = self.uploads.open();
        let open = uploads.get(&request.input.upload_id).ok_or(s3_error!(NoSuchUpload))?;
        // Pages of two, so that every list has several.
        let page: Vec<(&i32, &(ETag, i64))> = open.parts.range(after + 1..).take(2).collect();
        let last = page.last().map(|(number, _)| **number);
        let is_truncated = last.is_some_and(|last| open.parts.range(last + 1..).next().is_some());
        let parts = page.into_iter().map(|(number, (etag, size))| Part {
            part_number: Some(*number),
            e_tag: Some(etag.clone()),
            size: Some(*size),
            ..Default::default()
        });
        Ok(S3Response::new(ListPartsOutput {
            parts: Some(parts.collect()),
            is_truncated: Some(is_truncated),
            next_part_number_marker: last,
            ..Default::default()
        }))
    }

    async fn complete_multipart_upload(
        &self,
        request: S3Request<CompleteMultipartUploadInput>,
    ) -> S3Result<S3Response<CompleteMultipartUploadOutput>> {
        let upload = request.input.upload_id.clone();
        self.uploads.check(&upload)?;
        let listed = request.input.multipart_upload.clone().and_then(|listed| listed.parts);
        for part in listed.unwrap_or_default() {
            let uploads = self.uploads.open();
            let kept = part.part_number.and_then(|number| uploads[&upload].parts.get(&number));
            if kept.map(|(etag, _)| etag) != part.e_tag.as_ref() {
                return Err(s3_error!(InvalidPart));
            }
        }
        let response = self.inner.complete_multipart_upload(request).await?;
        self.uploads.open().remove(&upload);
        Ok(response)
    }

    async fn abort_multipart_upload(
        &self,
        request: S3Request<AbortMultipartUploadInput>,
    ) -> S3Result<S3Response<AbortMultipartUploadOutput>> {
        let upload = request.input.upload_id.clone();
        self.uploads.check(&upload)?;
        let response = self.inner.abort_multipart_upload(request).await?;
        self.uploads.open().remove(&upload);
        Ok(response)
    }

    async fn list_multipart_uploads(
        &self,
        request: S3Request<ListMultipartUploadsInput>,
    ) -> S3Result<S3Response<ListMultipartUploadsOutput>> {
        let prefix = request.input.prefix.unwrap_or_default();
        let uploads = self.uploads.open();
        let below = uploads.iter().filter(|(_, open)| open.key.starts_with(&prefix));
        let below = below.map(|(upload, open)| MultipartUpload {
            key: Some(open.key.clone()),
            upload_id: Some(upload.clone()),
            ..Default::default()
        });
        Ok(S3Response::new(ListMultipartUploadsOutput {
            uploads: Some(below.collect()),
            ..Default::default()
        }))
    }
}
