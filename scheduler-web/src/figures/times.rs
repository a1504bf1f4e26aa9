//! When the posts of an account do well.

use super::*;
use scheduler_core::analytics::{ENOUGH_POSTS, Field, HOURS};
use scheduler_core::app::GoodTimes;

pub(crate) static TIMES: Endpoint =
    Endpoint::page("web_figures_times", Method::GET, "/w/{workspaceId}/figures/times", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

#[derive(Template)]
#[template(path = "figures/times.html")]
struct Show {
    frame: Frame,
    head: Head,
    /// The best field, and what it has.
    best: Option<(String, String)>,
    sentence: String,
    account: String,
    measure: String,
    hours: Vec<String>,
    days: Vec<(String, Vec<Cell>)>,
    changes: Vec<String>,
    hint: String,
}

struct Cell {
    /// 1 to 4; nothing where there are too few posts.
    level: Option<u8>,
    median: String,
    count: usize,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let found = visitor.scheduler().best_times(&visitor.caller, &input(&asked)).await?;
    if asked.only("format") == Some("csv") {
        return Ok(csv("best-times", &lines(&found)));
    }
    let frame = Frame::of(&visitor, "figures", "Best times · Analytics").await?;
    let head = head(&visitor, &asked, &found.asked, TIMES_PATH);
    let measure = found.asked.measure.map_or("figures", Measure::name).to_lowercase();
    let cells = |field: &Field| Cell {
        level: field.level,
        median: field.median.map(words::number).unwrap_or_default(),
        count: field.count,
    };
    let best = found.times.best.and_then(|field| {
        let text = format!(
            "median {} {measure} in the first day, n = {}.",
            words::number(field.median?),
            field.count
        );
        Some((format!("{} {}", day(&field), hours(field.hours)), text))
    });
    Ok(page::shown(&Show {
        best,
        sentence: sentence(&found),
        account: found.account.as_ref().map_or_else(String::new, |account| {
            format!("{} on {}", mark::name(account), account.platform.sheet().name)
        }),
        hours: HOURS.map(hours).into(),
        days: found
            .times
            .fields
            .chunks(HOURS.len())
            .filter_map(|of| Some((day(of.first()?), of.iter().map(cells).collect())))
            .collect(),
        changes: found.since.map(|change| since(&change)).into_iter().collect(),
        hint: hint(&found, &measure),
        measure,
        frame,
        head,
    }))
}

fn since(change: &MetricChange) -> String {
    let on = change.on.format("%-d %B %Y");
    format!("Only posts since {on} are compared: {} from then on.", change.since)
}

/// What is said where no field has enough posts.
fn sentence(found: &GoodTimes) -> String {
    match (&found.account, found.times.nearest) {
        (None, _) => "No connected account reports figures of posts.".to_owned(),
        (_, None) => format!(
            "Too few posts to tell. None of the {ENOUGH_POSTS} needed has been read in its first day."
        ),
        (_, Some(field)) => format!(
            "Too few posts to tell. {} of the {ENOUGH_POSTS} needed, on {} {}.",
            field.count,
            day(&field),
            part_of_day(field.hours)
        ),
    }
}

fn hint(found: &GoodTimes, measure: &str) -> String {
    let outside = match found.times.outside {
        0 => String::new(),
        1 => " 1 post went out at other hours.".to_owned(),
        count => format!(" {count} posts went out at other hours."),
    };
    format!(
        "Median {measure} in the first 24 hours of a post, by its reading nearest to that age, of \
         those taken 18 to 30 hours after it went out. Over a year, by the clocks of {}. Fields \
         with fewer than {ENOUGH_POSTS} posts say only how many there are: too few to tell \
         anything.{outside}",
        when::zone(found.zone, found.asked.period.now),
    )
}

fn day(field: &Field) -> String {
    use chrono::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};
    let name = match field.weekday {
        Mon => "Monday",
        Tue => "Tuesday",
        Wed => "Wednesday",
        Thu => "Thursday",
        Fri => "Friday",
        Sat => "Saturday",
        Sun => "Sunday",
    };
    name.to_owned()
}

fn hours((from, to): (u32, u32)) -> String {
    format!("{from}–{to}")
}

fn part_of_day((from, _): (u32, u32)) -> &'static str {
    match from {
        ..10 => "mornings",
        10..14 => "middays",
        14..18 => "afternoons",
        18.. => "evenings",
    }
}

/// The table for other programs.
fn lines(found: &GoodTimes) -> Vec<Vec<String>> {
    let heads = ["weekday", "from hour", "to hour", "posts", "median"].map(str::to_owned).into();
    let row = |field: &Field| {
        let (from, to) = field.hours;
        let median = field.median.map(|median| median.to_string()).unwrap_or_default();
        vec![day(field), from.to_string(), to.to_string(), field.count.to_string(), median]
    };
    [heads].into_iter().chain(found.times.fields.iter().map(row)).collect()
}
