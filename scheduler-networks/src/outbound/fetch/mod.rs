//! Fetching files from public addresses.
//!
//! Redirects are followed here, one by one, each checked like the first address. What comes is
//! passed on piece by piece; how much and how long is bounded in [`body`].

mod answer;
mod body;
mod feed;
#[cfg(test)]
mod feed_tests;
mod page;
#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::dns::Resolve;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
};
use reqwest::{Client, Response, StatusCode};
use scheduler_core::feeds::{FeedAnswer, FeedRequest};
use scheduler_core::ports::{FetchError, Fetched, Fetcher, PageFacts, PageImage};
use tokio::time::Instant;
use url::Url;

use super::client::{ClientError, builder};
use super::names::SystemNames;
use super::{Guard, Refusal};
use answer::{Verdict, elsewhere, failed, judge};
use page::PageSaid;

/// Redirects that are followed at most.
///
/// Source: our decision on fetching files.
const REDIRECTS_MAX: u32 = 5;

/// What is asked for.
const FILES: &str = "image/*, video/*, */*;q=0.1";
const PAGES: &str = "text/html, application/xhtml+xml;q=0.9";

/// Longest address, in bytes. Signed addresses of file stores reach 2 KiB.
const URL_BYTES_MAX: usize = 8_192;

/// How long things may take.
#[derive(Clone, Copy, Debug)]
struct Timeouts {
    /// Until a connection stands.
    connect: Duration,
    /// From the look-up of the name to the end of the answer's headers.
    head: Duration,
    /// From one piece of the body to the next.
    idle: Duration,
    /// All waiting for the body, on top of what its bytes may take.
    slack: Duration,
    /// The slowest mean rate, in bytes a second, once the slack is used up.
    slowest: u64,
    /// The whole fetch, however large the file is.
    whole: Duration,
}

/// Source: ours. A line of 1 Mbit/s is fast enough for 200 MiB, one of 50 Mbit/s for 10 GiB.
const TIMEOUT: Timeouts = Timeouts {
    connect: Duration::from_secs(10),
    head: Duration::from_secs(30),
    idle: Duration::from_secs(30),
    slack: Duration::from_secs(60),
    slowest: 125_000,
    whole: Duration::from_secs(30 * 60),
};

/// Fetches files over HTTP.
#[derive(Clone, Debug)]
pub struct MediaFetcher {
    client: Client,
    guard: Guard,
    timeouts: Timeouts,
}

impl MediaFetcher {
    /// A fetcher that calls only what `guard` lets through.
    ///
    /// # Errors
    /// [`ClientError`]
    pub fn new(guard: Guard) -> Result<Self, ClientError> {
        Self::within(guard, TIMEOUT, Arc::new(SystemNames), |builder| builder)
    }

    fn within(
        guard: Guard,
        timeouts: Timeouts,
        names: Arc<dyn Resolve>,
        adjust: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder,
    ) -> Result<Self, ClientError> {
        let builder = builder(guard.clone(), names, timeouts.connect)
            // A connection that is kept was checked for an earlier call, not for this one.
            .pool_max_idle_per_host(0)
            .referer(false)
            // What is kept is what is counted; and a small answer cannot become a huge file.
            .no_gzip();
        Ok(Self { client: adjust(builder).build()?, guard, timeouts })
    }

    /// Reads and checks an address as far as that goes without the network.
    fn parse(&self, text: &str) -> Result<Url, String> {
        if text.len() > URL_BYTES_MAX {
            return Err(format!(
                "The address of a file is longer than {URL_BYTES_MAX} bytes; shorten it."
            ));
        }
        let url = self.guard.parse(text).map_err(|refusal| not_fetched(&refusal))?;
        if holds_credentials(&url) {
            return Err("The address of a file must not hold a user name or password.".to_owned());
        }
        Ok(url)
    }

    /// Where a redirect leads, checked like a first address.
    fn follow(&self, url: &Url, location: &str) -> Result<Url, FetchError> {
        let host = host(url);
        let refused = |refusal: Refusal| {
            FetchError::Refused(format!(
                "{host} leads on to an address from which no file is fetched: {refusal}."
            ))
        };
        if location.len() > URL_BYTES_MAX {
            return Err(refused(Refusal::Unreadable));
        }
        let next = url.join(location).map_err(|_| refused(Refusal::Unreadable))?;
        self.guard.check(&next).map_err(refused)?;
        if holds_credentials(&next) {
            return Err(FetchError::Refused(format!(
                "{host} leads on to an address with a user name or password."
            )));
        }
        Ok(next)
    }

    /// Reads the page that an address leads to; also where it is in the end.
    async fn read_page(&self, url: &str) -> Result<(PageSaid, Url), FetchError> {
        let mut url = self.parse(url).map_err(FetchError::Refused)?;
        for _ in 0..=page::REDIRECTS_MAX {
            let answer = self.ask(&url, PAGES, HeaderMap::new()).await?;
            match elsewhere(host(&url), &answer)? {
                Some(location) => url = self.follow(&url, &location)?,
                None => return Ok((page::read(answer, &url).await?, url)),
            }
        }
        Err(too_far(&url, page::REDIRECTS_MAX))
    }

    /// Reads the picture that a page names; `None` where it cannot be had in time.
    async fn read_image(&self, named: &str, page: &Url) -> Option<PageImage> {
        let url = page.join(named).ok()?;
        let read = async {
            let fetched = self.fetch(url.as_str(), page::IMAGE_BYTES_MAX).await.ok()?;
            fetched.bytes.collect().await.ok()
        };
        let bytes = tokio::time::timeout(page::WITHIN, read).await.ok()??;
        Some(PageImage { url: url.into(), bytes })
    }

    /// Reads the feed that an address leads to.
    async fn read_feed(&self, request: &FeedRequest) -> Result<FeedAnswer, FetchError> {
        let mut url = self.parse(&request.url).map_err(FetchError::Refused)?;
        let mut conditions = HeaderMap::new();
        for (name, value) in
            [(IF_NONE_MATCH, &request.etag), (IF_MODIFIED_SINCE, &request.last_modified)]
        {
            let value = value.as_ref().and_then(|value| HeaderValue::from_str(value).ok());
            conditions.extend(value.map(|value| (name, value)));
        }
        for _ in 0..=REDIRECTS_MAX {
            let answer = self.ask(&url, feed::FEEDS, conditions.clone()).await?;
            if answer.status() == StatusCode::NOT_MODIFIED && !conditions.is_empty() {
                return Ok(FeedAnswer::NotModified);
            }
            match elsewhere(host(&url), &answer)? {
                Some(location) => url = self.follow(&url, &location)?,
                None => return Ok(FeedAnswer::Read(feed::read(answer, &url).await?)),
            }
        }
        Err(too_far(&url, REDIRECTS_MAX))
    }

    async fn ask(
        &self,
        url: &Url,
        accept: &'static str,
        conditions: HeaderMap,
    ) -> Result<Response, FetchError> {
        let call = self
            .client
            .get(url.clone())
            .headers(conditions)
            .header(ACCEPT, HeaderValue::from_static(accept))
            .header(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        match tokio::time::timeout(self.timeouts.head, call.send()).await {
            Ok(answer) => answer.map_err(|error| failed(host(url), &error)),
            Err(_) => Err(FetchError::Temporary(format!("{} does not answer.", host(url)))),
        }
    }
}

#[async_trait]
impl Fetcher for MediaFetcher {
    fn check_address(&self, url: &str) -> Result<(), String> {
        self.parse(url).map(|_| ())
    }

    async fn fetch(&self, url: &str, max_bytes: u64) -> Result<Fetched, FetchError> {
        let mut url = self.parse(url).map_err(FetchError::Refused)?;
        let until = Instant::now() + self.timeouts.whole;
        for _ in 0..=REDIRECTS_MAX {
            let answer = self.ask(&url, FILES, HeaderMap::new()).await?;
            match judge(host(&url), &answer, max_bytes)? {
                Verdict::File => {
                    let host = host(&url).to_owned();
                    let bytes = body::stream(answer, host, max_bytes, self.timeouts, until);
                    return Ok(Fetched { bytes });
                }
                Verdict::Elsewhere(location) => url = self.follow(&url, &location)?,
            }
        }
        Err(too_far(&url, REDIRECTS_MAX))
    }

    async fn page(&self, url: &str) -> Result<PageFacts, FetchError> {
        let read = tokio::time::timeout(page::WITHIN, self.read_page(url)).await;
        let late = || FetchError::Temporary("The page does not answer.".to_owned());
        let (said, url) = read.unwrap_or_else(|_| Err(late()))?;
        let image = match &said.image {
            Some(named) => self.read_image(named, &url).await,
            None => None,
        };
        Ok(PageFacts { title: said.title, description: said.description, image })
    }

    async fn feed(&self, request: &FeedRequest) -> Result<FeedAnswer, FetchError> {
        let read = tokio::time::timeout(feed::WITHIN, self.read_feed(request)).await;
        read.unwrap_or_else(|_| Err(FetchError::Temporary("The feed does not answer.".to_owned())))
    }
}

fn too_far(url: &Url, redirects_max: u32) -> FetchError {
    let host = host(url);
    FetchError::Refused(format!(
        "The address leads on to another one more than {redirects_max} times, at last from {host}."
    ))
}

fn not_fetched(refusal: &Refusal) -> String {
    format!("The address of a file must be https and public: {refusal}.")
}

fn holds_credentials(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

/// All of an address that a message may hold.
fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}
