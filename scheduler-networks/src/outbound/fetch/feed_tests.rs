//! Polls of feeds: what is asked for, and where they never lead.

use std::net::{IpAddr, Ipv4Addr};

use scheduler_core::feeds::FeedRequest;
use scheduler_core::ports::Fetcher as _;
use tokio::net::TcpListener;

use super::testing::{NAME, Names, PUBLIC, Reply, Site, strict};
use super::*;

const INNER: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

const FEED: &[u8] = b"<rss version=\"2.0\"><channel><title>B</title><link>l</link>\
    <description/><item><guid>1</guid><title>One</title></item></channel></rss>";

fn of(url: String) -> FeedRequest {
    FeedRequest { url, ..FeedRequest::default() }
}

#[tokio::test]
async fn a_feed_leads_to_no_address_that_is_not_public() {
    // A connection here would be a hole in the guard.
    let trap = TcpListener::bind((INNER, 0)).await.unwrap();
    let port = trap.local_addr().unwrap().port();
    let inside = format!("https://127.0.0.1:{port}/feed");
    let named = format!("https://{NAME}:{port}/feed");
    let replies = [("/inside", Reply::to(&inside)), ("/named", Reply::to(&named))];
    let site = Site::secure(&replies).await;
    let fetcher = strict(&site, Names::new(&[(NAME, &[&[INNER], &[INNER]])]));
    let at = |path: &str| format!("https://{}{path}", site.address);
    for (name, url) in [
        ("an inner address", inside.clone()),
        ("a name that leads inside", named.clone()),
        ("without encryption", format!("http://{PUBLIC}/feed")),
        ("led on inside", at("/inside")),
        ("led on to a name that leads inside", at("/named")),
    ] {
        let answer = fetcher.feed(&of(url)).await;
        assert!(matches!(answer, Err(FetchError::Refused(_))), "{name}: {answer:?}");
    }
    assert!(tokio::time::timeout(Duration::ZERO, trap.accept()).await.is_err(), "connected");
}

#[tokio::test]
async fn what_is_known_of_a_feed_is_sent_also_where_it_leads_on() {
    let replies = [("/old", Reply::to("/feed")), ("/feed", Reply::file("", FEED))];
    let site = Site::secure(&replies).await;
    let fetcher = strict(&site, Names::new(&[]));
    let url = format!("https://{}/old", site.address);
    let known = FeedRequest {
        etag: Some("\"one\"".to_owned()),
        last_modified: Some("Tue, 01 Dec 2026 09:00:00 GMT".to_owned()),
        ..of(url.clone())
    };
    for (request, is_known) in [(of(url), false), (known, true)] {
        let before = site.heads().len();
        let answer = fetcher.feed(&request).await.unwrap();
        let FeedAnswer::Read(document) = answer else { panic!("{answer:?}") };
        assert_eq!(document.items.len(), 1);
        let heads = site.heads().split_off(before);
        assert_eq!(heads.len(), 2, "{heads:?}");
        for head in heads {
            assert_eq!(head.contains("if-none-match: \"one\""), is_known, "{head}");
            let since = "if-modified-since: Tue, 01 Dec 2026 09:00:00 GMT";
            assert_eq!(head.contains(since), is_known, "{head}");
        }
    }
}
