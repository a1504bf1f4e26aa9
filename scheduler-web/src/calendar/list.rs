//! Posts one below the other: what is to come, or what was and drafts.

use super::*;

/// Posts of a page of the list.
const PER_PAGE: &str = "100";

#[derive(Template)]
#[template(path = "calendar/list.html")]
struct List {
    frame: Frame,
    bar: Bar,
    is_past: bool,
    upcoming: String,
    past: String,
    days: Vec<ListDay>,
    next: Option<String>,
    write: String,
}

/// The posts of a day.
struct ListDay {
    title: String,
    lines: Vec<Line>,
}

struct Line {
    card: Card,
    marks: Vec<Mark>,
    accounts: String,
}

pub(super) async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let zone = visitor.zone()?;
    let is_past = asked.only("order") == Some("recent");
    let input = ListInput {
        order: Some(if is_past { "recent" } else { "due" }.to_owned()),
        limit: Some(PER_PAGE.to_owned()),
        before: asked.only("before").map(str::to_owned),
        ..filtered(&asked)
    };
    let page = visitor.scheduler().list_posts(&visitor.caller, &input).await?;
    let accounts = visitor.accounts().await?;
    let chosen: Vec<&str> = asked.all("state").collect();
    let mut lines: Vec<(DateTime<Utc>, Line)> = Vec::new();
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
        lines.push((card.instant, Line { card, marks, accounts: names.join(", ") }));
    }
    let mut days: Vec<(NaiveDate, ListDay)> = Vec::new();
    for (at, line) in lines {
        let date = zone.local(at).date();
        match days.last_mut().filter(|(last, _)| *last == date) {
            Some((_, day)) => day.lines.push(line),
            None => days.push((date, ListDay { title: when::day(date), lines: vec![line] })),
        }
    }
    let today = zone.local(visitor.now()).date();
    let bar = Bar::new(&visitor, "list", "All posts".to_owned(), &all, &accounts, today)?;
    let here = link(&visitor, &asked, "list");
    let joined = |pair: String| {
        let sign = if here.contains('?') { '&' } else { '?' };
        format!("{here}{sign}{pair}")
    };
    let next = page.next_cursor.map(|cursor| {
        let mut pairs = vec![("before", cursor.as_str())];
        if is_past {
            pairs.push(("order", "recent"));
        }
        joined(query(&pairs))
    });
    let frame = Frame::of(&visitor, "calendar", "All posts · Calendar").await?;
    Ok(page::shown(&List {
        frame,
        bar,
        is_past,
        upcoming: here.clone(),
        past: joined("order=recent".to_owned()),
        days: days.into_iter().map(|(_, day)| day).collect(),
        next,
        write: visitor.at("compose"),
    }))
}

/// The card of a post that has no time: at the moment of its last change.
fn without_time(post: &PostView, zone: Zone) -> Card {
    let local = zone.local(post.updated_at);
    let networks: Vec<&str> =
        post.targets.iter().map(|target| target.platform.sheet().name).collect();
    Card {
        id: post.id.to_string(),
        revision: post.revision,
        changed: post.updated_at.timestamp_micros(),
        instant: post.updated_at,
        local,
        clock: "–".to_owned(),
        state: State::of(post),
        marks: Vec::new(),
        more: 0,
        networks: networks.join(", "),
        words: crate::card::first_words(post),
        why: None,
        part: None,
        asked: None,
        is_movable: false,
    }
}
