//! What the service lists of uploads in parts.

use std::collections::BTreeMap;

use object_store::path::Path;
use reqwest::StatusCode;
use scheduler_core::ports::FilesError;
use serde::Deserialize;

use super::S3Files;

/// A part that has arrived, as the service knows it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ListedPart {
    /// Its number, from 1.
    pub(super) part_number: u32,
    /// How many bytes it has.
    pub(super) size: u64,
    /// Its ETag, with quotes; some services leave it out.
    #[serde(rename = "ETag")]
    pub(super) etag: Option<String>,
}

/// Source: Amazon S3 API Reference, ListParts.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct PartsPage {
    is_truncated: bool,
    next_part_number_marker: Option<String>,
    #[serde(rename = "Part")]
    parts: Vec<ListedPart>,
}

/// Source: Amazon S3 API Reference, ListMultipartUploads.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct UploadsPage {
    #[serde(rename = "Upload")]
    uploads: Vec<ListedUpload>,
}

/// An upload in parts that is open.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ListedUpload {
    /// The key of the bucket that it leads to.
    pub(super) key: String,
    /// What the service calls it.
    pub(super) upload_id: String,
}

impl S3Files {
    /// Every part that has arrived, by its number; `None` for an upload that is not open.
    pub(super) async fn list_parts(
        &self,
        path: &Path,
        upload: &str,
    ) -> Result<Option<BTreeMap<u32, ListedPart>>, FilesError> {
        let mut all = BTreeMap::new();
        let mut marker = String::new();
        loop {
            let mut query = vec![("uploadId", upload)];
            if !marker.is_empty() {
                query.push(("part-number-marker", marker.as_str()));
            }
            let page: PartsPage = match self.ask(path, &query).await? {
                Ok(text) => read(&text)?,
                Err(StatusCode::NOT_FOUND) => return Ok(None),
                Err(status) => return Err(refused(status)),
            };
            all.extend(page.parts.into_iter().map(|part| (part.part_number, part)));
            match page.next_part_number_marker {
                Some(next) if page.is_truncated && next != marker => marker = next,
                Some(_) | None => return Ok(Some(all)),
            }
        }
    }

    /// The uploads in parts that are open below a path; none where the service does not list
    /// them.
    pub(super) async fn list_uploads(&self, below: &Path) -> Result<Vec<ListedUpload>, FilesError> {
        let prefix = format!("{below}/");
        let query = [("uploads", ""), ("prefix", prefix.as_str())];
        match self.ask(&Path::default(), &query).await? {
            Ok(text) => {
                let page: UploadsPage = read(&text)?;
                let mut uploads = page.uploads;
                uploads.retain(|upload| upload.key.starts_with(&prefix));
                Ok(uploads)
            }
            Err(StatusCode::NOT_IMPLEMENTED | StatusCode::METHOD_NOT_ALLOWED) => Ok(Vec::new()),
            Err(status) => Err(refused(status)),
        }
    }
}

fn read<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, FilesError> {
    quick_xml::de::from_str(text).map_err(|_| {
        FilesError::Unavailable("the S3 service gave a list that cannot be read".to_owned())
    })
}

fn refused(status: StatusCode) -> FilesError {
    FilesError::Unavailable(format!("the S3 service answered a list with {}", status.as_u16()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_as_the_service_writes_them() {
        let page: PartsPage = read(
            r#"<?xml version="1.0" encoding="UTF-8"?>
            <ListPartsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Bucket>media</Bucket><Key>a/b</Key><UploadId>u</UploadId>
              <NextPartNumberMarker>3</NextPartNumberMarker><MaxParts>2</MaxParts>
              <IsTruncated>true</IsTruncated>
              <Part><PartNumber>2</PartNumber><ETag>"7778"</ETag><Size>10485760</Size></Part>
              <Owner><ID>x</ID></Owner>
              <Part><PartNumber>3</PartNumber><Size>1</Size></Part>
            </ListPartsResult>"#,
        )
        .unwrap();
        assert!(page.is_truncated);
        assert_eq!(page.next_part_number_marker.as_deref(), Some("3"));
        let etags: Vec<Option<&str>> = page.parts.iter().map(|part| part.etag.as_deref()).collect();
        assert_eq!(etags, [Some("\"7778\""), None]);

        let empty: PartsPage =
            read("<ListPartsResult><Bucket>m</Bucket></ListPartsResult>").unwrap();
        assert!(empty.parts.is_empty() && !empty.is_truncated);

        let uploads: UploadsPage = read(
            "<ListMultipartUploadsResult><Upload><Key>a/b</Key><UploadId>u</UploadId>\
             <Initiated>2026-11-21T12:00:00.000Z</Initiated></Upload></ListMultipartUploadsResult>",
        )
        .unwrap();
        assert_eq!(uploads.uploads[0].upload_id, "u");
        assert!(read::<PartsPage>("<html>").is_err());
    }
}
