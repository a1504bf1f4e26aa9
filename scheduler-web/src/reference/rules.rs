//! Every rule that posts are checked by, as a page: what an issue leads to.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use askama::Template;
use http::Method;
use scheduler_core::platform::Platform;
use scheduler_core::rules::{Severity, catalogue};
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Visit, Written};
use warp::reply::Response;

use crate::door::{self, Forms};
use crate::page::{self, Assets};

pub(crate) static SHOW: Endpoint =
    Endpoint::page("show_rules", Method::GET, "/docs/rules", |visit| Box::pin(show(visit)));

static PAGE: LazyLock<Written> = LazyLock::new(|| Written::new(written()));

async fn show(visit: Visit) -> Response {
    let response = visit.answer(&PAGE, page::HTML);
    door::guarded(response, Forms::Here, "")
}

#[derive(Template)]
#[template(path = "reference/rules.html")]
struct Show {
    assets: Assets,
    places: Vec<Place>,
}

/// The rules of one network, or of posts as a whole.
struct Place {
    id: String,
    name: &'static str,
    rules: Vec<Rule>,
}

struct Rule {
    name: String,
    /// A rule that finds errors and warnings stands here twice, and is led to once.
    is_first: bool,
    is_error: bool,
    sentence: String,
}

fn written() -> String {
    let entries = catalogue();
    let mut seen = BTreeSet::new();
    let mut places: Vec<Place> = Vec::new();
    for entry in entries {
        let id = entry.platform.map_or("post", Platform::as_str);
        if places.last().is_none_or(|place| place.id != id) {
            let name = entry.platform.map_or("The post as a whole", |of| of.sheet().name);
            places.push(Place { id: id.to_owned(), name, rules: Vec::new() });
        }
        let rule = Rule {
            is_first: seen.insert(entry.rule.clone()),
            name: entry.rule,
            is_error: entry.severity == Severity::Error,
            sentence: entry.sentence,
        };
        if let Some(place) = places.last_mut() {
            place.rules.push(rule);
        }
    }
    // Writing into a text does not fail.
    Show { assets: Assets::under("../"), places }.render().unwrap_or_default()
}
