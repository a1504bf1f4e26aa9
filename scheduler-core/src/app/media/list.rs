//! Seeing files.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::app::item_page::first_page;
use crate::app::{Caller, Scheduler};
use crate::error::{AppError, Refusal, Resource};
use crate::ids::MediaId;
use crate::key::Scope;
use crate::media::{Media, MediaCursor, MediaListInput, MediaQuery, MediaStatus, MediaView};
use crate::ports::FilesError;
use crate::post::{ListOrder, PageInput, PageQuery, PostPage};

use super::UploadView;
use super::named::FileField;

/// Files that are read at once where only some of them are listed.
///
/// Source: our decision.
const READ_AT_ONCE: usize = 500;

/// A file. While it awaits its bytes, a key with media:write is shown fresh addresses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShownMedia {
    /// The file.
    #[serde(flatten)]
    pub media: MediaView,
    /// Where the bytes go, as long as they are awaited.
    ///
    /// Fresh addresses, so that an upload can go on after the first ones have expired. (An addition
    /// to the contract.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upload: Option<UploadView>,
}

/// A file of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListedMedia {
    /// The file.
    #[serde(flatten)]
    pub media: MediaView,
    /// How many posts use it.
    pub post_count: u64,
}

/// A page of files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MediaPage {
    /// The files, newest first.
    pub data: Vec<ListedMedia>,
    /// Where the next page begins; `None` on the last.
    pub next_cursor: Option<String>,
}

impl Scheduler {
    /// A page of the files of the caller's workspace, newest first, each with the number of posts
    /// that use it.
    ///
    /// # Errors
    /// `forbidden` without `media:read`; `invalid_request` naming the parameter.
    pub async fn list_media(
        &self,
        caller: &Caller,
        input: &MediaListInput,
    ) -> Result<MediaPage, AppError> {
        caller.require(Scope::MediaRead)?;
        let MediaQuery { filter, limit, mut before } = MediaQuery::parse(input)?;
        let at_once = if filter.is_none() { limit + 1 } else { READ_AT_ONCE };
        let mut found = Vec::new();
        while found.len() <= limit {
            let most = u32::try_from(at_once).unwrap_or(u32::MAX);
            let files = self.store().list_media(caller.workspace.id, most, before).await?;
            before = files.last().map(|(media, _)| MediaCursor::of(media));
            let is_last = files.len() < at_once;
            found.extend(files.into_iter().filter(|(media, posts)| filter.takes(media, *posts)));
            if is_last {
                break;
            }
        }
        let cursor = |(media, _): &(Media, u64)| MediaCursor::of(media).encode();
        let (found, next_cursor) = first_page(found, limit, cursor);
        let mut data = Vec::with_capacity(found.len());
        for (media, post_count) in found {
            data.push(ListedMedia { media: self.media_view(&media).await?, post_count });
        }
        Ok(MediaPage { data, next_cursor })
    }

    /// One file of the caller's workspace.
    ///
    /// # Errors
    /// `forbidden` without `media:read`; `not_found`.
    pub async fn show_media(&self, caller: &Caller, id: MediaId) -> Result<ShownMedia, AppError> {
        caller.require(Scope::MediaRead)?;
        let media = self.file(caller, id).await?;
        // Addresses to write to are for those who may write.
        let may_upload = caller.require(Scope::MediaWrite).is_ok();
        let upload = match media.status {
            MediaStatus::AwaitingUpload if may_upload => Some(self.upload_view(&media).await?),
            MediaStatus::AwaitingUpload
            | MediaStatus::Ingesting
            | MediaStatus::Processing
            | MediaStatus::Ready
            | MediaStatus::Failed
            | MediaStatus::Deleted => None,
        };
        Ok(ShownMedia { media: self.media_view(&media).await?, upload })
    }

    /// Some files of the caller's workspace, in the order in which they are named.
    ///
    /// # Errors
    /// `forbidden` without `media:read`; `not_found` for one that the workspace does not have.
    pub async fn files_named(
        &self,
        caller: &Caller,
        ids: &[MediaId],
    ) -> Result<Vec<MediaView>, AppError> {
        caller.require(Scope::MediaRead)?;
        let named = ids.iter().enumerate().map(|(place, id)| (FileField::Post(place), *id));
        let found = self.named_files(caller.workspace.id, named).await?;
        let mut views = Vec::with_capacity(ids.len());
        for media in found.of(ids) {
            views.push(self.media_view(media).await?);
        }
        Ok(views)
    }

    /// The preview of a file, a WebP picture.
    ///
    /// # Errors
    /// `forbidden` without `media:read`; `not_found` also for a file without a preview.
    pub async fn media_preview(&self, caller: &Caller, id: MediaId) -> Result<Bytes, AppError> {
        caller.require(Scope::MediaRead)?;
        let media = self.file(caller, id).await?;
        if media.status != MediaStatus::Ready || !media.has_preview {
            return Err(Refusal::not_found(Resource::Preview).into());
        }
        // Previews are small pictures of our own making.
        let read = match self.ports.files.read(&media.folder().preview(), None).await {
            Ok(bytes) => bytes.collect().await,
            Err(error) => Err(error),
        };
        read.map_err(|error| match error {
            // It was deleted since the record was read.
            FilesError::Missing => Refusal::not_found(Resource::Preview).into(),
            other @ (FilesError::Unavailable(_)
            | FilesError::Full
            | FilesError::Refused(_)
            | FilesError::Interrupted(_)) => other.into(),
        })
    }

    /// A page of the posts that use a file, newest first. It ends as one of
    /// [`list_posts`](Self::list_posts) does.
    ///
    /// # Errors
    /// `forbidden` without `media:read`; `not_found`; `invalid_request` naming the parameter.
    pub async fn posts_of_media(
        &self,
        caller: &Caller,
        id: MediaId,
        input: &PageInput,
    ) -> Result<PostPage, AppError> {
        caller.require(Scope::MediaRead)?;
        let query = PageQuery::parse(input.limit.as_deref(), input.before.as_deref())?;
        let media = self.file(caller, id).await?;
        self.page_of_posts(ListOrder::Recent, query, |page| {
            self.store().posts_of_media(caller.workspace.id, media.id, page)
        })
        .await
    }
}
