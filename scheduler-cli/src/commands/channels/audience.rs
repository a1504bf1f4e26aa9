//! `scheduler channels audience`

use chrono::NaiveDate;
use clap::Args;
use comfy_table::Cell;
use scheduler_core::ids::AccountId;
use scheduler_core::platform::Platform;
use serde::Deserialize;

use crate::client::Call;
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Column, cell, count};

/// What the help shows last.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler channels audience --days 90
  scheduler channels audience --daily";

/// How far back, and how much of it.
#[derive(Args, Debug)]
pub(crate) struct AudienceArguments {
    /// How many days to look back [default: 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=730))]
    days: Option<u32>,
    /// Show each day
    #[arg(long)]
    daily: bool,
    #[command(flatten)]
    client: ClientOptions,
}

/// How many follow an account, day by day, the oldest first.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Series {
    account_id: AccountId,
    platform: Platform,
    #[serde(default)]
    username: Option<String>,
    #[serde(default)]
    display_name: Option<String>,
    readings: Vec<Day>,
}

#[derive(Debug, Deserialize)]
struct Day {
    date: NaiveDate,
    followers: u64,
}

/// Shows how many follow each account.
pub(super) async fn run(context: &Context, arguments: AudienceArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let answer = client.send(Call::get("/oauth/audience").query("days", arguments.days)).await?;
    let audience: Vec<Series> = answer.data()?;
    let (columns, rows) = if arguments.daily { daily(&audience) } else { summary(&audience) };
    let empty = match audience[..] {
        [] => "No account's network reports followers.",
        [..] => "No followers were counted yet.",
    };
    context.show(&answer.body, |printer| printer.columns(&columns, rows, empty))
}

/// A row for each account: how many there are, and how many more than at first.
fn summary(series: &[Series]) -> (Vec<Column>, Vec<Vec<Cell>>) {
    let columns = vec![
        Column::words("network"),
        Column::words("account"),
        Column::numbers("followers"),
        Column::numbers("change"),
        Column::words("since"),
        Column::words("counted"),
    ];
    let row = |series: &Series| {
        let (first, last) = (series.readings.first(), series.readings.last());
        let date = |day: Option<&Day>| day.map(|day| day.date.to_string());
        let change = first.zip(last).map(|(first, last)| change(first.followers, last.followers));
        vec![
            cell(series.platform),
            cell(name(series)),
            cell(last.map(|day| count(day.followers)).unwrap_or_default()),
            cell(change.unwrap_or_default()),
            cell(date(first).unwrap_or_default()),
            cell(date(last).unwrap_or_else(|| "not yet".to_owned())),
        ]
    };
    (columns, series.iter().map(row).collect())
}

/// A row for each account and day.
fn daily(series: &[Series]) -> (Vec<Column>, Vec<Vec<Cell>>) {
    let columns = vec![
        Column::words("network"),
        Column::words("account"),
        Column::words("date"),
        Column::numbers("followers"),
    ];
    let rows = series.iter().flat_map(|series| {
        series.readings.iter().map(|day| {
            let followers = cell(count(day.followers));
            vec![cell(series.platform), cell(name(series)), cell(day.date), followers]
        })
    });
    (columns, rows.collect())
}

/// The handle of an account, else its name, else its id.
fn name(series: &Series) -> String {
    match (&series.username, &series.display_name) {
        (Some(handle), _) => format!("@{handle}"),
        (None, Some(name)) => name.clone(),
        (None, None) => series.account_id.to_string(),
    }
}

/// How many more there are, or fewer.
fn change(first: u64, last: u64) -> String {
    match last.checked_sub(first) {
        Some(0) => "0".to_owned(),
        Some(more) => format!("+{}", count(more)),
        None => format!("-{}", count(first - last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printer::table;
    use serde_json::{Value, json};

    fn series() -> Vec<Series> {
        let id = |number: u8| format!("00000000-0000-0000-0000-0000000000{number:02}");
        let series = |number: u8, platform: &str, username: Option<&str>, readings: Value| {
            json!({
                "accountId": id(number), "platform": platform, "username": username,
                "displayName": null, "readings": readings,
            })
        };
        let read = |date: &str, followers: u64| json!({"date": date, "followers": followers});
        serde_json::from_value(json!([
            series(
                1,
                "bluesky",
                Some("ann.test"),
                json!([
                    read("2026-11-01", 1_000),
                    read("2026-11-02", 990),
                    read("2026-11-03", 2_345)
                ]),
            ),
            series(2, "youtube", None, json!([read("2026-11-03", 10), read("2026-11-04", 7)])),
            series(3, "mastodon", Some("ann"), json!([])),
        ]))
        .unwrap()
    }

    fn cells(shown: (Vec<Column>, Vec<Vec<Cell>>)) -> Vec<Vec<String>> {
        let shown = table(&shown.0, shown.1).unwrap();
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        shown.lines().map(words).collect()
    }

    #[test]
    fn a_row_for_each_account() {
        let rows = cells(summary(&series()));
        assert_eq!(rows[0], ["NETWORK", "ACCOUNT", "FOLLOWERS", "CHANGE", "SINCE", "COUNTED"]);
        let bluesky = ["bluesky", "@ann.test", "2,345", "+1,345", "2026-11-01", "2026-11-03"];
        assert_eq!(rows[1], bluesky);
        assert_eq!(rows[2][2..], ["7", "-3", "2026-11-03", "2026-11-04"]);
        assert_eq!(rows[3], ["mastodon", "@ann", "not", "yet"]);
    }

    #[test]
    fn a_row_for_each_day() {
        let rows = cells(daily(&series()));
        assert_eq!(rows.len(), 6, "headings and five days");
        assert_eq!(rows[3], ["bluesky", "@ann.test", "2026-11-03", "2,345"]);
    }

    #[test]
    fn changes() {
        for (first, last, want) in [(5, 5, "0"), (1, 1_001, "+1,000"), (1_001, 1, "-1,000")] {
            assert_eq!(change(first, last), want);
        }
    }
}
