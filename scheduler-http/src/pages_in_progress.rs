//! How many pages of posts are built and sent at once: each may hold 8 MiB, and a caller that
//! does not read would hold it for ever.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::post::PostPage;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_util::task::AbortOnDropHandle;
use warp::reply::Response;

use crate::answer::json_bytes;
use crate::error::ApiError;

/// Pages that are built or sent at once. Source: our decision; with what is read to build them they
/// hold less than 100 MiB.
const PAGES: usize = 4;

/// Those of one workspace among them. Source: our decision.
const PAGES_OF_WORKSPACE: usize = 2;

/// How long a request waits for its place. Source: our decision.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Seconds after which a caller that found no place may try again. Source: our decision.
const AGAIN_SECONDS: u64 = 5;

/// Bytes of an answer that needs no place while it is sent: no more than what is passed on at once.
/// Source: our decision.
const PIECE_BYTES: usize = 64 << 10;

/// How long a caller may take to read a page. Source: our decision; 8 MiB at 70 KiB a second.
const READ_WITHIN: Duration = Duration::from_secs(120);

/// Gives out the places for pages.
pub(crate) struct PagesInProgress {
    all: Arc<Semaphore>,
    of_workspaces: Mutex<HashMap<WorkspaceId, Weak<Semaphore>>>,
}

/// The place of one page until it is sent.
#[derive(Debug)]
pub(crate) struct Place {
    _of_all: OwnedSemaphorePermit,
    _of_workspace: OwnedSemaphorePermit,
    /// Kept for as long as one of its places is taken.
    _workspace: Arc<Semaphore>,
}

impl PagesInProgress {
    pub(crate) fn new() -> Self {
        Self { all: Arc::new(Semaphore::new(PAGES)), of_workspaces: Mutex::default() }
    }

    /// Waits for a place of a workspace.
    ///
    /// # Errors
    /// `rate_limited` when none becomes free.
    pub(crate) async fn place(&self, workspace: WorkspaceId) -> Result<Place, ApiError> {
        let own = self.of_workspace(workspace);
        let waiting = async {
            let of_workspace = Arc::clone(&own).acquire_owned().await.ok()?;
            let of_all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some(Place { _of_all: of_all, _of_workspace: of_workspace, _workspace: own })
        };
        let place = timeout(TIMEOUT, waiting).await.ok().flatten();
        place.ok_or_else(|| ApiError::rate_limited(AGAIN_SECONDS))
    }

    fn of_workspace(&self, workspace: WorkspaceId) -> Arc<Semaphore> {
        let mut own = lock(&self.of_workspaces);
        own.retain(|_, places| places.strong_count() > 0);
        if let Some(places) = own.get(&workspace).and_then(Weak::upgrade) {
            return places;
        }
        let places = Arc::new(Semaphore::new(PAGES_OF_WORKSPACE));
        own.insert(workspace, Arc::downgrade(&places));
        places
    }
}

impl fmt::Debug for PagesInProgress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PagesInProgress")
    }
}

impl Place {
    /// The answer with a page. A large one keeps the place until it was read, and is given up when
    /// that takes too long.
    pub(crate) fn answer(self, page: PostPage) -> Response {
        let bytes: Bytes = match serde_json::to_vec(&page) {
            Ok(bytes) => bytes.into(),
            // A page is a plain value of ours, of which none refuses to be written.
            Err(error) => return ApiError::internal(error).into_response(),
        };
        drop(page);
        if bytes.len() <= PIECE_BYTES {
            return json_bytes(StatusCode::OK, bytes);
        }
        let length = HeaderValue::from(bytes.len());
        let mut response =
            warp::reply::Reply::into_response(warp::reply::stream(self.pieces(bytes)));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(CONTENT_LENGTH, length);
        response
    }

    fn pieces(
        self,
        bytes: Bytes,
    ) -> impl stream::Stream<Item = std::io::Result<Bytes>> + Send + Sync + 'static {
        let held = Arc::new(Mutex::new(Some((bytes, self))));
        let sent = Arc::downgrade(&held);
        let end = AbortOnDropHandle::new(tokio::spawn(async move {
            sleep(READ_WITHIN).await;
            if let Some(held) = sent.upgrade() {
                drop(lock(&held).take());
            }
        }));
        // Who compresses an answer asks again after its end.
        let pieces = stream::unfold((held, end), async |(held, end)| {
            let piece = {
                let mut held = lock(&held);
                match held.as_mut() {
                    Some((bytes, _)) if bytes.is_empty() => return None,
                    Some((bytes, _)) => Ok(bytes.split_to(bytes.len().min(PIECE_BYTES))),
                    None => Err(std::io::ErrorKind::TimedOut.into()),
                }
            };
            Some((piece, (held, end)))
        });
        pieces.fuse()
    }
}

fn lock<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;
    use scheduler_core::error::ErrorCode;
    use uuid::Uuid;

    use super::*;

    const fn workspace(number: u128) -> WorkspaceId {
        WorkspaceId(Uuid::from_u128(number))
    }

    #[tokio::test(start_paused = true)]
    async fn a_workspace_has_its_share_of_the_places() {
        let pages = PagesInProgress::new();
        let first = pages.place(workspace(1)).await.unwrap();
        let second = pages.place(workspace(1)).await.unwrap();
        assert_eq!(pages.place(workspace(1)).await.unwrap_err().code(), ErrorCode::RateLimited);
        let others =
            [pages.place(workspace(2)).await.unwrap(), pages.place(workspace(3)).await.unwrap()];
        assert_eq!(
            pages.place(workspace(4)).await.unwrap_err().code(),
            ErrorCode::RateLimited,
            "all are taken"
        );
        drop((first, others));
        let (again, other) = tokio::join!(pages.place(workspace(1)), pages.place(workspace(4)));
        assert!(again.is_ok() && other.is_ok());
        drop((second, again, other));
        pages.of_workspace(workspace(5));
        assert_eq!(pages.of_workspaces.lock().unwrap().len(), 1, "who rests is forgotten");
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_is_not_read_gives_its_place_back() {
        let pages = PagesInProgress::new();
        let place = pages.place(workspace(1)).await.unwrap();
        let bytes = Bytes::from(vec![b' '; 3 * PIECE_BYTES - 1]);
        let mut pieces = Box::pin(place.pieces(bytes));
        assert_eq!(pieces.next().await.unwrap().unwrap().len(), PIECE_BYTES);
        assert_eq!(pages.all.available_permits(), PAGES - 1);
        sleep(READ_WITHIN + Duration::from_secs(1)).await;
        assert_eq!(pages.all.available_permits(), PAGES);
        assert!(pieces.next().await.unwrap().is_err(), "the connection breaks off");

        let place = pages.place(workspace(1)).await.unwrap();
        let bytes = Bytes::from(vec![b' '; 3 * PIECE_BYTES - 1]);
        let read: Vec<_> = place.pieces(bytes).map(|piece| piece.unwrap().len()).collect().await;
        assert_eq!(read.iter().sum::<usize>(), 3 * PIECE_BYTES - 1);
        assert_eq!(pages.all.available_permits(), PAGES);
    }
}
