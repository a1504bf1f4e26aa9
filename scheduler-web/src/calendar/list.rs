//! Posts one below the other: those of a range, what is to come, or what was and drafts.

use super::*;
use crate::mark::{self, Mark};

/// Posts of a page of the list.
const PER_PAGE: &str = "100";

/// The order of the list that has the latest first; what is to come has none in its address.
const RECENT: &str = "recent";

#[derive(Template)]
#[template(path = "calendar/list.html")]
struct List {
    frame: Frame,
    bar: Bar,
    script: String,
    /// What is chosen between: to come, or latest first. A range has no choice.
    order: Option<Order>,
    days: Vec<ListDay>,
    empty: Option<Empty>,
    is_cut: bool,
    next: Option<String>,
    here: String,
}

struct Order {
    is_past: bool,
    upcoming: String,
    past: String,
}

/// The posts of a day.
pub(super) struct ListDay {
    title: String,
    pub(super) lines: Vec<Line>,
}

pub(super) struct Line {
    pub(super) card: Card,
    marks: Vec<Mark>,
    accounts: String,
}

pub(super) async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    if asked.only("from").is_none() && asked.only("to").is_none() {
        return listed(visitor, &asked).await;
    }
    let (from, to) = range(&asked)?;
    of_range(visitor, &asked, from, to).await
}

/// The first day that the address asks for, and the day after the last.
pub(super) fn range(asked: &Form) -> Result<(NaiveDate, NaiveDate), Declined> {
    let from = date("from", asked.only("from"))?;
    let to = date("to", asked.only("to"))?;
    // Only the very last date that can be written has no day after it.
    let end = to.checked_add_days(Days::new(1)).unwrap_or(to);
    if from >= end {
        return Err(Refusal::invalid("to", "to must not be before from.").into());
    }
    Ok((from, end))
}

fn date(name: &str, text: Option<&str>) -> Result<NaiveDate, Declined> {
    let message = "A range of the list has a first and a last day: from=2026-10-01&to=2026-10-31.";
    let read = text.and_then(|text| text.parse().ok()).filter(Period::has);
    read.ok_or_else(|| Refusal::invalid(name, message).into())
}

/// What goes out or went out in a range: the same posts that the other views show of it.
async fn of_range(
    visitor: Visitor,
    asked: &Form,
    from: NaiveDate,
    to: NaiveDate,
) -> Result<Response, Declined> {
    let zone = visitor.zone()?;
    let accounts = visitor.accounts().await?;
    let reader = Reader {
        scheduler: visitor.scheduler(),
        caller: &visitor.caller,
        accounts: &accounts,
        zone,
    };
    let mut found = reader.between(asked, from, to).await?;
    let (first, last) = (when::day_of_year(from), when::day(to - Days::new(1)));
    let title = format!("{first} – {last}");
    let range = (when::begin(from, zone), when::begin(to, zone));
    let marks = rehearsal::marks(&visitor, asked, range).await?;
    found.mark(&marks);
    let shown = Shown { anchor: from, range, marks: Some(&marks) };
    let bar = Bar::new(&visitor, LIST, title.clone(), &found.cards, &accounts, shown)?;
    let days = days_of(found.shown(asked), zone);
    let empty = days.is_empty().then(|| Empty::of(&bar, &visitor, LIST, &format!("from {title}")));
    let view = List {
        frame: Frame::of(&visitor, "calendar", format!("{title} · Calendar")).await?,
        bar,
        script: crate::assets::address("calendar.js"),
        order: None,
        days,
        empty,
        is_cut: found.is_cut,
        next: None,
        here: link(&visitor, asked, LIST),
    };
    Ok(page::shown(&view))
}

async fn listed(visitor: Visitor, asked: &Form) -> Result<Response, Declined> {
    let zone = visitor.zone()?;
    let is_past = asked.only("order") == Some(RECENT);
    let input = ListInput {
        order: Some(if is_past { RECENT } else { "due" }.to_owned()),
        limit: Some(PER_PAGE.to_owned()),
        before: asked.only("before").map(str::to_owned),
        ..filtered(asked)
    };
    let page = visitor.scheduler().list_posts(&visitor.caller, &input).await?;
    let accounts = visitor.accounts().await?;
    let chosen: Vec<&str> = asked.all("state").collect();
    let mut lines: Vec<Line> = Vec::new();
    let mut all = Vec::new();
    for post in &page.data {
        let of_post = std::slice::from_ref(post);
        let mut cards = cards(of_post, &accounts, visitor.workspace().timezone, zone);
        if cards.is_empty() {
            cards = vec![without_time(post, zone)];
        }
        let card = cards.swap_remove(0);
        all.push(card.clone());
        // A list shows what was cancelled too.
        if !chosen.is_empty() && !chosen.contains(&card.state.name()) {
            continue;
        }
        let names = post.targets.iter().map(|target| {
            accounts
                .get(&target.account_id)
                .map_or_else(|| target.platform.sheet().name.to_owned(), mark::name)
        });
        let names: Vec<String> = names.collect();
        let marks = post.targets.iter().map(|target| target.platform.into()).collect();
        lines.push(Line { card, marks, accounts: names.join(", ") });
    }
    let days = by_day(lines, zone);
    let now = visitor.now();
    let shown = Shown { anchor: zone.local(now).date(), range: (now, now), marks: None };
    let bar = Bar::new(&visitor, LIST, "All posts".to_owned(), &all, &accounts, shown)?;
    let here = link(&visitor, asked, LIST);
    let next = page.next_cursor.map(|cursor| {
        let sign = if here.contains('?') { '&' } else { '?' };
        format!("{here}{sign}{}", query(&[("before", cursor.as_str())]))
    });
    let of_all = if is_past { "among all posts" } else { "among what is to come" };
    // States are chosen among the posts of each page, so that the next one may have some.
    let is_empty = days.is_empty() && next.is_none();
    let empty = is_empty.then(|| Empty::of(&bar, &visitor, LIST, of_all));
    let order = Order {
        is_past,
        upcoming: ordered(&visitor, asked, None),
        past: ordered(&visitor, asked, Some(RECENT)),
    };
    let view = List {
        frame: Frame::of(&visitor, "calendar", "All posts · Calendar").await?,
        bar,
        script: crate::assets::address("calendar.js"),
        here,
        order: Some(order),
        days,
        empty,
        is_cut: false,
        next,
    };
    Ok(page::shown(&view))
}

/// The days of a range, with a line for each of these cards.
pub(super) fn days_of(cards: Vec<Card>, zone: Zone) -> Vec<ListDay> {
    let lines = cards.into_iter().map(|card| {
        let marks = card.marks.clone();
        let accounts = card.networks.clone();
        Line { card, marks, accounts }
    });
    by_day(lines.collect(), zone)
}

/// Lines that follow each other on one day.
fn by_day(lines: Vec<Line>, zone: Zone) -> Vec<ListDay> {
    let mut days: Vec<(NaiveDate, ListDay)> = Vec::new();
    for line in lines {
        let date = zone.local(line.card.instant).date();
        match days.last_mut().filter(|(last, _)| *last == date) {
            Some((_, day)) => day.lines.push(line),
            None => days.push((date, ListDay { title: when::day(date), lines: vec![line] })),
        }
    }
    days.into_iter().map(|(_, day)| day).collect()
}

/// The card of a post that has no time: at the moment of its last change.
fn without_time(post: &PostView, zone: Zone) -> Card {
    let local = zone.local(post.updated_at);
    let networks: Vec<&str> =
        post.targets.iter().map(|target| target.platform.sheet().name).collect();
    Card {
        id: post.id.to_string(),
        targets: post.targets.iter().map(|target| target.id).collect(),
        revision: post.revision,
        changed: post.updated_at.timestamp_micros(),
        instant: post.updated_at,
        local,
        is_again: false,
        clock: "–".to_owned(),
        state: State::of(post),
        marks: Vec::new(),
        more: 0,
        networks: networks.join(", "),
        words: crate::card::first_words(post),
        why: None,
        part: None,
        asked: None,
        stuck: None,
        rehearsed: None,
    }
}
