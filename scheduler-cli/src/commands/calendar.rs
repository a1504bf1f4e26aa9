//! `scheduler calendar`: a month of posts in the terminal, and the address for other calendars.

mod feed;

use std::collections::BTreeMap;
use std::io;

use chrono::{
    DateTime, Datelike as _, Days, Months, NaiveDate, NaiveTime, SecondsFormat, TimeZone as _, Utc,
};
use clap::{Args, Subcommand};
use scheduler_core::post::PostView;

use super::posts::{FilterArguments, pages, time};
use crate::client::Call;
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{own_slot, post_status};
use crate::printer::{Printer, excerpt, one_line};
use crate::times::Reader;

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler calendar
  scheduler calendar 2026-12 --network bluesky
  scheduler calendar feed make";

/// Characters of a text that stand on a line of the calendar.
const TEXT_SHOWN: usize = 60;

/// What to do with the calendar; showing a month when nothing is said.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct CalendarArguments {
    #[command(subcommand)]
    command: Option<CalendarCommand>,
    #[command(flatten)]
    month: MonthArguments,
}

#[derive(Debug, Subcommand)]
enum CalendarCommand {
    /// Have Google, Apple and other calendars show posts, by an address that they subscribe to
    #[command(
        subcommand,
        after_help = "Examples:\n  scheduler calendar feed make\n  scheduler calendar feed show\n  scheduler calendar feed remove"
    )]
    Feed(feed::FeedCommand),
}

/// Which month is shown, and which posts of it.
#[derive(Args, Debug)]
struct MonthArguments {
    /// The month, such as 2026-12 [default: this month]
    #[arg(value_parser = month)]
    month: Option<NaiveDate>,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    client: ClientOptions,
}

/// The first day of a month.
fn month(text: &str) -> Result<NaiveDate, &'static str> {
    format!("{text}-01").parse().map_err(|_| "write a year and a month, such as 2026-12")
}

pub(crate) async fn run(context: Context, arguments: CalendarArguments) -> Result<Exit, Failure> {
    match arguments.command {
        Some(CalendarCommand::Feed(command)) => feed::run(&context, command).await,
        None => show_month(&context, arguments.month).await,
    }
}

async fn show_month(context: &Context, arguments: MonthArguments) -> Result<Exit, Failure> {
    let reader = Reader::here();
    let today = reader.now().date_naive();
    let first = arguments.month.or(today.with_day(1)).unwrap_or(today);
    let end = first.checked_add_months(Months::new(1)).unwrap_or(first);
    let client = context.client(arguments.client).await?;
    let accounts = arguments.filter.accounts(&client).await?;
    let [from, to] = [first, end].map(|day| begin_of(reader, day));
    let written = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Secs, true);
    let call = || {
        let call = Call::get("/posts")
            .query("from", Some(written(from)))
            .query("to", Some(written(to)))
            .query("limit", Some(500));
        arguments.filter.add_to(call, &accounts)
    };
    let found = pages(context, &client, call, None, true).await?;
    context
        .show(&found.document, |printer| show(printer, reader, (first, end), today, &found.posts))
}

/// The instant at which a day begins for the reader; where clocks skip midnight, the first after.
fn begin_of(reader: Reader, day: NaiveDate) -> DateTime<Utc> {
    let midnight = day.and_time(NaiveTime::MIN);
    let times =
        (0..24).filter_map(|hour| midnight.checked_add_signed(chrono::TimeDelta::hours(hour)));
    let mut instants = times.filter_map(|time| reader.zone().from_local_datetime(&time).earliest());
    instants.next().map_or_else(|| midnight.and_utc(), |at| at.to_utc())
}

fn show(
    printer: Printer,
    reader: Reader,
    (first, end): (NaiveDate, NaiveDate),
    today: NaiveDate,
    posts: &[PostView],
) -> io::Result<()> {
    let mut days: BTreeMap<NaiveDate, Vec<Entry<'_>>> = BTreeMap::new();
    for entry in posts.iter().flat_map(entries) {
        days.entry(reader.local(entry.at).date_naive()).or_default().push(entry);
    }
    printer.line(&format!("{}, {}", first.format("%B %Y"), reader.zone()))?;
    printer.line("  Mon     Tue     Wed     Thu     Fri     Sat     Sun")?;
    let mut week = String::new();
    for _ in 0..first.weekday().num_days_from_monday() {
        week.push_str(&" ".repeat(CELL));
    }
    let mut day = first;
    while day < end {
        week.push_str(&day_cell(day, today, days.get(&day).map_or(0, Vec::len)));
        let next = day.checked_add_days(Days::new(1)).unwrap_or(end);
        if next.weekday() == chrono::Weekday::Mon || next >= end {
            printer.line(week.trim_end())?;
            week.clear();
        }
        day = next;
    }
    for (day, mut entries) in days {
        entries.sort_by_key(|entry| (entry.at, entry.post.id));
        printer.line("")?;
        printer.line(&day.format("%A %-d %B").to_string())?;
        for Entry { at, post, networks } in entries {
            printer.line(&format!(
                "  {}  {}  {} [{}]",
                reader.local(at).format("%H:%M"),
                excerpt(&one_line(&post.content), TEXT_SHOWN),
                networks.join(", "),
                post_status(post)
            ))?;
        }
    }
    Ok(())
}

/// What of a post goes out, or went out, at one time.
struct Entry<'a> {
    at: DateTime<Utc>,
    post: &'a PostView,
    networks: Vec<&'static str>,
}

/// The times of a post: accounts of a queued post each have a slot of their own.
fn entries(post: &PostView) -> Vec<Entry<'_>> {
    let of_post = time(post);
    let mut times: BTreeMap<DateTime<Utc>, Vec<&'static str>> = BTreeMap::new();
    for target in &post.targets {
        if let Some(at) = own_slot(post, target).or(of_post) {
            times.entry(at).or_default().push(target.platform.as_str());
        }
    }
    times.into_iter().map(|(at, networks)| Entry { at, post, networks }).collect()
}

/// Characters of a day in the grid.
const CELL: usize = 8;

/// A day, marked where it is today, and how many posts it has.
fn day_cell(day: NaiveDate, today: NaiveDate, posts: usize) -> String {
    let mark = if day == today { '>' } else { ' ' };
    let posts = match posts {
        0 => String::new(),
        posts => format!(" ·{posts}"),
    };
    format!("{:<CELL$}", format!("{mark}{:>2}{posts}", day.day()))
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::*;

    #[test]
    fn days_of_a_month() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let (one, other) = (day("2026-12-01"), day("2026-12-24"));
        assert_eq!(day_cell(one, other, 0), "  1     ");
        assert_eq!(day_cell(other, other, 12), ">24 ·12 ");
        assert_eq!(month("2026-12"), Ok(one));
        assert!(month("December").is_err());
    }

    #[test]
    fn a_day_begins_where_clocks_say_so() {
        // Clocks skip midnight in Beirut on that day.
        let beirut = Reader::at(Tz::Asia__Beirut, "2026-01-01T00:00:00Z");
        let begin = begin_of(beirut, "2022-03-27".parse().unwrap());
        assert_eq!(begin.to_rfc3339(), "2022-03-26T22:00:00+00:00");
    }
}
