//! What pages load: embedded, compressed when the program is built, and named by its content, so
//! that browsers keep it for ever.

use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Method, StatusCode};
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Visit;
use warp::reply::Response;

/// A file that pages load.
struct Asset {
    /// Its name in the repository.
    file: &'static str,
    /// Its name in addresses, with a hash of its content.
    name: &'static str,
    kind: &'static str,
    identity: &'static [u8],
    gzip: &'static [u8],
    zstd: &'static [u8],
}

static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The address of a file of `assets`.
pub(crate) fn address(file: &str) -> String {
    let found = ASSETS.iter().find(|asset| asset.file == file);
    found.map_or_else(String::new, |asset| format!("/assets/{}", asset.name))
}

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_asset", Method::GET, "/assets/{name}", |visit| Box::pin(show(visit)));

async fn show(visit: Visit) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == visit.segment("name")) else {
        let mut response = Response::new("There is no such file.\n".into());
        *response.status_mut() = StatusCode::NOT_FOUND;
        return response;
    };
    let accepted = visit.header(&ACCEPT_ENCODING).unwrap_or_default();
    let takes =
        |form| accepted.split(',').any(|one| one.split(';').next().map(str::trim) == Some(form));
    let (bytes, encoding) = if takes("zstd") {
        (asset.zstd, Some("zstd"))
    } else if takes("gzip") {
        (asset.gzip, Some("gzip"))
    } else {
        (asset.identity, None)
    };
    let mut response = Response::new(bytes.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    headers.insert(CACHE_CONTROL, forever);
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(encoding) = encoding {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the budgets of the design, compressed: 25 KB of styles; 60 KB of scripts, of which a
    /// page has 30.
    #[test]
    fn what_pages_load_is_small() {
        let of = |ending: &str| {
            let files = ASSETS.iter().filter(|asset| asset.file.ends_with(ending));
            files.map(|asset| asset.gzip.len()).sum::<usize>()
        };
        assert!(of(".css") <= 25_000, "{}", of(".css"));
        assert!(of(".js") <= 60_000, "{}", of(".js"));
        // A page has two of them and those of its screen.
        for screen in [
            &["calendar.js"][..],
            &["files.js", "composer.js", "mentions.js"],
            &["crop.js"],
            &["slots.js"],
            &["inbox.js"],
        ] {
            let page: usize =
                ["frame.js", "live.js"].iter().chain(screen).map(|file| of(file)).sum();
            assert!(page <= 30_000, "{screen:?}: {page}");
        }
    }

    /// A page is mirrored for scripts that run from right to left.
    #[test]
    fn styles_name_no_side() {
        let styles = include_str!("../assets/ui.css");
        for side in ["left", "right"] {
            for word in ["margin-", "padding-", "border-", "text-align: ", "float: ", "clear: "] {
                assert!(!styles.contains(&format!("{word}{side}")), "{word}{side}");
            }
            for before in [' ', '{', ';'] {
                assert!(!styles.contains(&format!("{before}{side}:")), "{side}");
            }
        }
    }
}
