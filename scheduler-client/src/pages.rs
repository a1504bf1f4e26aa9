//! Lists that come in pages.

use std::marker::PhantomData;

use futures_util::{Stream, StreamExt as _, TryStreamExt as _, stream};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::call::Call;
use crate::client::Client;
use crate::error::Error;

/// A list that is read page by page.
#[derive(Debug)]
pub struct Pages<T> {
    client: Client,
    path: String,
    query: Vec<(&'static str, String)>,
    /// `None` once the last page was read.
    next: Option<Option<String>>,
    items: PhantomData<fn() -> T>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page<T> {
    data: Vec<T>,
    #[serde(default)]
    next_cursor: Option<String>,
}

impl<T: DeserializeOwned> Pages<T> {
    /// The list at a path, from this cursor on.
    pub(crate) fn new(
        client: &Client,
        path: impl Into<String>,
        query: Vec<(&'static str, String)>,
        before: Option<String>,
    ) -> Self {
        let client = client.clone();
        Self { client, path: path.into(), query, next: Some(before), items: PhantomData }
    }

    /// The next page; `None` after the last.
    ///
    /// # Errors
    /// Those of [`Client::send`]; the same page is asked for the next time.
    pub async fn next_page(&mut self) -> Result<Option<Vec<T>>, Error> {
        let Some(before) = &self.next else { return Ok(None) };
        let call = Call::get(&self.path).query("before", before.as_ref());
        let query = self.query.iter();
        let call = query.fold(call, |call, (name, value)| call.query(name, Some(value)));
        let page: Page<T> = self.client.repeat(call).await?.read()?;
        self.next = page.next_cursor.map(Some);
        Ok(Some(page.data))
    }

    /// Every item, page after page, asked for as they are taken. The stream ends with the first
    /// error.
    pub fn items(self) -> impl Stream<Item = Result<T, Error>> + Unpin {
        let pages = stream::try_unfold(self, async |mut pages| {
            Ok::<_, Error>(pages.next_page().await?.map(|page| (page, pages)))
        });
        let items = pages.map_ok(|page| stream::iter(page.into_iter().map(Ok))).try_flatten();
        Box::pin(items).fuse()
    }
}
