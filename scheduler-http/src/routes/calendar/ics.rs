//! Posts as iCalendar.
//!
//! Source: RFC 5545, RFC 7986.

use chrono::TimeDelta;
use scheduler_core::app::CalendarPage;
use scheduler_core::calendar::{CalendarEntry, EntryState};

use super::lines::{Lines, plain};

/// How often calendars are asked to read it again.
///
/// Source: our decision; Google and Apple take this as a wish.
const AGAIN: &str = "PT15M";

/// How long an entry lasts: calendars draw nothing of what lasts no time.
///
/// Source: our decision.
const LASTS: TimeDelta = TimeDelta::minutes(15);

/// Characters of the text in the title of an entry.
///
/// Source: our decision; a day of a month shows fewer.
const TITLE_CHARACTERS: usize = 80;

/// A calendar of these entries.
pub(super) fn written(page: &CalendarPage) -> String {
    let mut lines = Lines::default();
    lines.value("BEGIN", "VCALENDAR");
    lines.value("VERSION", "2.0");
    lines.value("PRODID", "-//scheduler//calendar feed//EN");
    lines.value("CALSCALE", "GREGORIAN");
    lines.value("METHOD", "PUBLISH");
    lines.text("NAME", &page.name);
    lines.text("X-WR-CALNAME", &page.name);
    lines.value("REFRESH-INTERVAL;VALUE=DURATION", AGAIN);
    lines.value("X-PUBLISHED-TTL", AGAIN);
    for entry in &page.entries {
        event(&mut lines, entry, page.pages.as_deref());
    }
    lines.value("END", "VCALENDAR");
    lines.into_text()
}

fn event(lines: &mut Lines, entry: &CalendarEntry, pages: Option<&str>) {
    lines.value("BEGIN", "VEVENT");
    lines.value("UID", &entry.target_id.to_string());
    lines.instant("DTSTAMP", entry.updated_at);
    lines.instant("LAST-MODIFIED", entry.updated_at);
    // Source: RFC 5545, section 3.3.8: an integer of 32 bits.
    lines.value("SEQUENCE", &i32::try_from(entry.revision).unwrap_or(i32::MAX).to_string());
    lines.instant("DTSTART", entry.at);
    lines.instant("DTEND", entry.at + LASTS);
    lines.text("SUMMARY", &title(entry));
    lines.text("DESCRIPTION", &description(entry));
    lines.value("STATUS", status(entry.state));
    // Nobody is busy while a post goes out.
    lines.value("TRANSP", "TRANSPARENT");
    if let Some(pages) = pages {
        lines.value("URL", &format!("{pages}/posts/{}", entry.post_id));
    }
    lines.value("END", "VEVENT");
}

/// What is certain as far as anybody can tell, what may still come to nothing, and what does not
/// take place. What has failed waits for a person.
const fn status(state: EntryState) -> &'static str {
    match state {
        EntryState::Planned | EntryState::Publishing | EntryState::Published => "CONFIRMED",
        EntryState::AwaitingApproval | EntryState::Failed => "TENTATIVE",
        EntryState::Canceled | EntryState::TakenDown => "CANCELLED",
    }
}

/// The account and how the text begins, on one line; before them the state, where somebody has to
/// know it at a glance.
fn title(entry: &CalendarEntry) -> String {
    let words: Vec<&str> = entry.text.split_whitespace().collect();
    let words = words.join(" ");
    let text = plain(&words);
    let text = match text.char_indices().nth(TITLE_CHARACTERS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.into_owned(),
    };
    let state = match entry.state {
        EntryState::Planned | EntryState::Publishing | EntryState::Published => String::new(),
        state => format!("[{state}] "),
    };
    let account = plain(&entry.account);
    if text.is_empty() { format!("{state}{account}") } else { format!("{state}{account}: {text}") }
}

/// The text, the link and the state.
fn description(entry: &CalendarEntry) -> String {
    let state = entry.state.to_string();
    let link = entry.link_url.as_deref().unwrap_or_default();
    let parts = [entry.text.as_str(), link, &state].map(plain);
    let parts: Vec<&str> =
        parts.iter().map(AsRef::as_ref).filter(|part: &&str| !part.is_empty()).collect();
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use scheduler_core::ids::{PostId, TargetId};
    use uuid::Uuid;

    use super::*;

    fn entry(state: EntryState, text: &str) -> CalendarEntry {
        CalendarEntry {
            target_id: TargetId(Uuid::from_u128(1)),
            post_id: PostId(Uuid::from_u128(2)),
            account: "mastodon @ana".to_owned(),
            at: "2026-12-24T17:00:00Z".parse().unwrap(),
            state,
            text: text.to_owned(),
            link_url: None,
            revision: 3,
            updated_at: "2026-12-01T09:00:00Z".parse().unwrap(),
        }
    }

    #[test]
    fn titles() {
        let long = "ab ".repeat(40);
        for (name, entry, want) in [
            ("planned", entry(EntryState::Planned, "Hi"), "mastodon @ana: Hi".to_owned()),
            ("failed", entry(EntryState::Failed, "Hi"), "[failed] mastodon @ana: Hi".to_owned()),
            ("lines", entry(EntryState::Published, "a\r\n\tb"), "mastodon @ana: a b".to_owned()),
            ("no text", entry(EntryState::Planned, ""), "mastodon @ana".to_owned()),
            (
                "long",
                entry(EntryState::Planned, &long),
                format!("mastodon @ana: {}…", long[..TITLE_CHARACTERS].trim_end()),
            ),
        ] {
            assert_eq!(title(&entry), want, "{name}");
        }
    }

    #[test]
    fn nothing_breaks_out_of_its_line() {
        let text = "a\r\nEND:VEVENT\rBEGIN:VALARM\n\u{0}\u{b}b";
        let page = CalendarEntry { account: text.to_owned(), ..entry(EntryState::Planned, text) };
        let page = CalendarEntry { link_url: Some(text.to_owned()), ..page };
        let page = CalendarPage::new(text.to_owned(), None, vec![page]);
        let written = written(&page);
        let count = |line: &str| written.split("\r\n").filter(|other| *other == line).count();
        assert_eq!((count("END:VEVENT"), count("BEGIN:VALARM")), (1, 0), "{written}");
        let is_allowed = |sign: char| !sign.is_control() || "\r\n".contains(sign);
        assert!(written.replace("\r\n", "").chars().all(|sign| !"\r\n".contains(sign)));
        assert!(written.chars().all(is_allowed), "{written}");
    }
}
