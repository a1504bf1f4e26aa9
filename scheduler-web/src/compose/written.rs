//! What stands in the form of the composer: read from the form or from a post, and made a body of.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::ids::{AccountId, MediaId};
use scheduler_core::links::LinkRules;
use scheduler_core::platform::{CAPTION, OptionFact, OptionValue, Platform, THREAD};
use scheduler_core::post::{AskedTiming, Field, PostInput, PostStatus, PostView, TargetInput};
use scheduler_core::timing::{STOP_WITHIN, Zone, parse_local};
use scheduler_http::visit::Form;
use serde_json::{Map, Value};

use super::own_files::{self, OwnFiles};
use super::{cover, tiktok};
use crate::when;

/// When a post is to go out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum When {
    /// When it is to go out already.
    Kept,
    #[default]
    Queue,
    /// A slot that was chosen in the calendar.
    Slot,
    Local,
    Instant,
    Now,
    Draft,
}

impl When {
    pub(super) const ALL: [(Self, &'static str, &'static str); 7] = [
        (Self::Kept, "kept", "As planned"),
        (Self::Slot, "slot", "This slot"),
        (Self::Queue, "queue", "Next free slot"),
        (Self::Local, "local", "Each account’s clock"),
        (Self::Instant, "instant", "One instant"),
        (Self::Now, "now", "Now"),
        (Self::Draft, "draft", "No time yet"),
    ];

    fn parse(text: &str) -> Self {
        let found = Self::ALL.into_iter().find(|(_, name, _)| *name == text);
        found.map_or(Self::Queue, |(when, ..)| when)
    }
}

/// Whose clock shows a day and a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Clock {
    /// That of each account.
    #[default]
    Local,
    /// That of the page.
    Instant,
}

impl Clock {
    fn parse(text: &str) -> Self {
        if text == Self::Instant.as_str() { Self::Instant } else { Self::Local }
    }

    /// The choice of [`When`] that means it.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Instant => "instant",
        }
    }
}

impl From<Clock> for When {
    fn from(clock: Clock) -> Self {
        match clock {
            Clock::Local => Self::Local,
            Clock::Instant => Self::Instant,
        }
    }
}

/// What stands in the form.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Written {
    pub(super) content: String,
    pub(super) link: String,
    pub(super) note: String,
    pub(super) labels: String,
    /// What the post wants of its links itself; the form has no field for it.
    pub(super) links: Option<LinkRules>,
    /// The accounts that are picked.
    pub(super) accounts: Vec<AccountId>,
    /// The later parts of a thread.
    pub(super) thread: Vec<String>,
    /// The options of accounts, as texts, by their keys.
    pub(super) options: BTreeMap<AccountId, BTreeMap<String, String>>,
    /// Options that the form has no field for; they stay as they are.
    pub(super) kept: BTreeMap<AccountId, Map<String, Value>>,
    /// The files in order, with their descriptions.
    pub(super) files: Vec<(MediaId, String)>,
    /// The files of accounts' own.
    pub(super) own_files: BTreeMap<AccountId, OwnFiles>,
    /// An address that a file is to be fetched from, and no part of the post.
    pub(super) address: String,
    /// What a set of accounts is to be called, and no part of the post.
    pub(super) set_name: String,
    pub(super) when: When,
    pub(super) day: String,
    pub(super) time: String,
    /// The slot that was chosen in the calendar.
    pub(super) slot: Option<DateTime<Utc>>,
    /// When a scheduled post goes out now.
    pub(super) planned: Option<DateTime<Utc>>,
    /// The day and the time that the page was drawn with.
    pub(super) drawn: String,
    /// The clock by which day and time are meant where one of them is changed.
    pub(super) clock: Clock,
    pub(super) revision: Option<i64>,
    /// Captions that were proposed, and are no part of the post.
    pub(super) proposals: BTreeMap<Platform, String>,
}

impl Written {
    /// What a browser has sent.
    pub(super) fn from_form(form: &Form) -> Self {
        let text = |name: &str| form.only(name).unwrap_or_default().replace("\r\n", "\n");
        let accounts: Vec<AccountId> =
            form.all("account").filter_map(|id| id.parse().ok()).collect();
        let mut options: BTreeMap<AccountId, BTreeMap<String, String>> = BTreeMap::new();
        let (mut kept, mut proposals) = (BTreeMap::new(), BTreeMap::new());
        for (name, value) in form.iter() {
            if let Some(platform) = name.strip_prefix("proposal.")
                && let Ok(platform) = platform.parse()
            {
                proposals.insert(platform, value.replace("\r\n", "\n"));
            }
            if let Some((id, key)) =
                name.strip_prefix("option.").and_then(|name| name.split_once('.'))
                && let Ok(id) = id.parse()
                && !value.trim().is_empty()
            {
                let value = value.replace("\r\n", "\n");
                let value_so_far = options.entry(id).or_default().entry(key.to_owned());
                // Of several boxes each is sent apart.
                value_so_far
                    .and_modify(|so_far| *so_far = format!("{so_far}, {value}"))
                    .or_insert(value);
            }
            if let Some(id) = name.strip_prefix("kept.")
                && let (Ok(id), Ok(value)) = (id.parse(), serde_json::from_str(value))
            {
                kept.insert(id, value);
            }
        }
        let (day, time) = (text("day"), text("time"));
        let drawn = form.only("drawn").map_or_else(|| format!("{day} {time}"), str::to_owned);
        let clock = Clock::parse(form.only("clock").unwrap_or_default());
        let mut when = When::parse(form.only("when").unwrap_or_default());
        if when == When::Kept && drawn != format!("{day} {time}") {
            // Whoever changes the day or the time means them.
            when = clock.into();
        }
        tiktok::read(form, &mut options);
        cover::read(form, &mut options);
        let mut files: Vec<(MediaId, String)> = Vec::new();
        for media in form.all("media").filter_map(|id| id.parse::<MediaId>().ok()) {
            if files.iter().all(|(file, _)| *file != media) {
                files.push((media, text(&format!("alt.{media}"))));
            }
        }
        Self {
            content: text("content"),
            link: text("link"),
            note: text("note"),
            labels: text("labels"),
            links: form.only("links").and_then(|links| serde_json::from_str(links).ok()),
            accounts,
            thread: form.all("part").map(|part| part.replace("\r\n", "\n")).collect(),
            options,
            kept,
            files,
            own_files: own_files::read(form),
            address: text("address"),
            set_name: text("set-name"),
            when,
            day,
            time,
            drawn,
            slot: form.only("slot").and_then(|slot| slot.parse().ok()),
            planned: form.only("planned").and_then(|planned| planned.parse().ok()),
            clock,
            revision: form.only("revision").and_then(|revision| revision.parse().ok()),
            proposals,
        }
    }

    /// A post that is to be changed.
    pub(super) fn from_post(post: &PostView, zone: Zone) -> Self {
        let mut written = Self {
            content: post.content.clone(),
            link: post.link_url.clone().unwrap_or_default(),
            note: post.note.clone().unwrap_or_default(),
            labels: post.labels.join(", "),
            links: post.links.clone(),
            accounts: post.targets.iter().map(|target| target.account_id).collect(),
            revision: Some(post.revision),
            ..Self::default()
        };
        let alts = post.alt_texts.iter().map(|alt| alt.clone().unwrap_or_default());
        let alts = alts.chain(std::iter::repeat(String::new()));
        written.files = post.media_ids.iter().copied().zip(alts).collect();
        let own = post.targets.iter();
        let own = own.filter_map(|target| Some((target.account_id, OwnFiles::of(target)?)));
        written.own_files = own.collect();
        for target in &post.targets {
            let sheet = target.platform.sheet();
            let mut kept = Map::new();
            for (key, value) in &target.options {
                if key == THREAD.key
                    && let Some(parts) = plain_texts(value)
                {
                    if written.thread.is_empty() {
                        written.thread = parts;
                    }
                } else if let Some(text) = sheet.option(key).and_then(|fact| shown(fact, value)) {
                    let options = written.options.entry(target.account_id).or_default();
                    options.insert(key.clone(), text);
                } else if !tiktok::has_place(target.platform, key) {
                    kept.insert(key.clone(), value.clone());
                }
            }
            if !kept.is_empty() {
                written.kept.insert(target.account_id, kept);
            }
        }
        let (when, local) = match (post.timing, post.scheduled_at) {
            (Some(AskedTiming::Local { local }), _) => (When::Local, Some(local)),
            (Some(AskedTiming::Queue), at) => (When::Queue, at.map(|at| zone.local(at))),
            (Some(AskedTiming::Draft) | None, None) => (When::Draft, None),
            (_, at) => (When::Instant, at.map(|at| zone.local(at))),
        };
        written.clock = if when == When::Instant { Clock::Instant } else { Clock::Local };
        written.when = when;
        if post.status != PostStatus::Draft {
            (written.when, written.planned) = (When::Kept, post.scheduled_at);
        }
        if let Some(local) = local {
            written.day = local.date().to_string();
            written.time = when::clock(local);
        }
        written.drawn = format!("{} {}", written.day, written.time);
        written
    }

    /// What the post wants of its links itself, for the form to keep.
    pub(super) fn kept_links(&self) -> Option<String> {
        self.links.as_ref().and_then(|links| serde_json::to_string(links).ok())
    }

    /// Chooses a slot.
    pub(super) fn take_slot(&mut self, at: DateTime<Utc>, zone: Zone) {
        let local = zone.local(at);
        (self.when, self.slot) = (When::Slot, Some(at));
        self.day = local.date().to_string();
        self.time = when::clock(local);
    }

    /// The body of a create or an update, with its time.
    pub(super) fn scheduled(&self, accounts: &[AccountView], zone: Zone) -> PostInput {
        let mut input = self.input(accounts);
        let local = format!("{}T{}", self.day, self.time);
        match self.when {
            When::Kept => {}
            When::Queue => input.queue = true.into(),
            When::Slot => (input.queue, input.slot) = (true.into(), self.slot),
            When::Local => input.scheduled_local = local.into(),
            // What is no time is refused by the rules of times, under its field.
            When::Instant => {
                let at = parse_local(&local).map(|local| zone.instant(local).to_rfc3339());
                input.scheduled_at = at.unwrap_or(local).into();
            }
            When::Now => input.publish_now = true.into(),
            When::Draft => input.save_as_draft = true.into(),
        }
        input
    }

    /// Whether a post goes out when it is to, by what is written here.
    pub(super) fn is_timed_as(&self, post: &PostView, zone: Zone, now: DateTime<Utc>) -> bool {
        let local = parse_local(&format!("{}T{}", self.day, self.time)).ok();
        match (self.when, post.timing) {
            (When::Kept, _) => post.status != PostStatus::Draft,
            (When::Draft, _) => post.status == PostStatus::Draft,
            (When::Queue, timing) => timing == Some(AskedTiming::Queue),
            (When::Slot, timing) => {
                timing == Some(AskedTiming::Queue) && post.scheduled_at == self.slot
            }
            (When::Local, Some(AskedTiming::Local { local: asked })) => Some(asked) == local,
            (When::Instant, Some(AskedTiming::Instant)) => {
                post.scheduled_at == local.map(|local| zone.instant(local))
            }
            (When::Now, Some(AskedTiming::Instant | AskedTiming::Now)) => {
                post.scheduled_at.is_some_and(|at| at <= now + STOP_WITHIN)
            }
            (When::Local | When::Instant | When::Now, _) => false,
        }
    }

    /// The body of a draft that may have everything wrong with it.
    pub(super) fn draft(&self, accounts: &[AccountView]) -> PostInput {
        PostInput { save_as_draft: true.into(), allow_issues: true.into(), ..self.input(accounts) }
    }

    fn input(&self, accounts: &[AccountView]) -> PostInput {
        let text = |text: &str| match text.trim() {
            "" => Field::Null,
            text => Field::Value(text.to_owned()),
        };
        let labels = self.labels.split(',').map(str::trim).filter(|label| !label.is_empty());
        let picked = accounts.iter().filter(|account| self.accounts.contains(&account.id));
        let (media, alts): (Vec<_>, Vec<_>) = self
            .files
            .iter()
            .map(|(media, alt)| (*media, Some(alt.trim().to_owned()).filter(|alt| !alt.is_empty())))
            .unzip();
        let has_files = !media.is_empty();
        PostInput {
            content: self.content.clone().into(),
            link_url: text(&self.link),
            note: text(&self.note),
            labels: labels.map(str::to_owned).collect::<Vec<_>>().into(),
            links: self.links.clone().map_or(Field::Absent, Field::Value),
            media_ids: if has_files { media.into() } else { Field::Null },
            alt_texts: if has_files { alts.into() } else { Field::Null },
            targets: picked.map(|account| self.target_of(account)).collect::<Vec<_>>().into(),
            ..PostInput::default()
        }
    }

    /// What the account of a target gets.
    pub(super) fn target_of(&self, account: &AccountView) -> TargetInput {
        let sheet = account.platform.sheet();
        let mut options = self.kept.get(&account.id).cloned().unwrap_or_default();
        for (key, text) in self.options.get(&account.id).into_iter().flatten() {
            if let Some(fact) = sheet.option(key) {
                options.insert(key.clone(), read(fact, text));
            }
        }
        let parts: Vec<&String> =
            self.thread.iter().filter(|part| !part.trim().is_empty()).collect();
        if sheet.supports_thread && !parts.is_empty() {
            options.insert(THREAD.key.to_owned(), parts.into_iter().cloned().collect());
        }
        tiktok::leave_unset(account.platform, &mut options);
        let mut target = TargetInput::from(account.platform).by(account.id).with_options(options);
        let own = self.own_files.get(&account.id);
        own.unwrap_or(&OwnFiles::default()).give(&mut target, &self.files);
        target
    }

    /// The place of the part that is sent as this one of the later parts: empty ones are not sent.
    pub(super) fn place_of_part(&self, index: usize) -> usize {
        let sent = self.thread.iter().enumerate().filter(|(_, part)| !part.trim().is_empty());
        sent.map(|(place, _)| place + 1).nth(index).unwrap_or_default()
    }

    /// The text of an account's own; empty where it has that of all.
    pub(super) fn own_text(&self, account: AccountId) -> &str {
        let options = self.options.get(&account);
        options.and_then(|options| options.get(CAPTION.key)).map_or("", String::as_str)
    }
}

/// The texts of a list that holds nothing else.
fn plain_texts(value: &Value) -> Option<Vec<String>> {
    let texts = value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
    texts.collect()
}

/// The value of an option as a field shows it; `None` where no field can.
fn shown(fact: &OptionFact, value: &Value) -> Option<String> {
    match (fact.value, value) {
        (OptionValue::Thread { .. } | OptionValue::Subtitles { .. }, _) => None,
        (_, Value::String(text)) => Some(text.clone()),
        (OptionValue::Flag, Value::Bool(flag)) => Some(flag.to_string()),
        (OptionValue::Integer { .. }, Value::Number(number)) => Some(number.to_string()),
        (OptionValue::Texts { .. }, list) => plain_texts(list).map(|texts| texts.join("\n")),
        (
            OptionValue::Tags(_)
            | OptionValue::SomeOf(_)
            | OptionValue::UserNames { .. }
            | OptionValue::Languages { .. },
            list,
        ) => plain_texts(list).map(|texts| texts.join(", ")),
        (OptionValue::Poll(_) | OptionValue::Shaped(_), value) => Some(value.to_string()),
        _ => None,
    }
}

/// The value that a field holds. What is no value of the option's kind stays a text, which the
/// rules refuse with what is allowed.
fn read(fact: &OptionFact, text: &str) -> Value {
    let as_text = || Value::String(text.to_owned());
    match fact.value {
        OptionValue::Flag => text.parse().map_or_else(|_| as_text(), Value::Bool),
        OptionValue::Integer { .. } => {
            text.trim().parse::<i64>().map_or_else(|_| as_text(), Value::from)
        }
        OptionValue::Texts { .. } => text.lines().filter(|line| !line.trim().is_empty()).collect(),
        OptionValue::Tags(_)
        | OptionValue::SomeOf(_)
        | OptionValue::UserNames { .. }
        | OptionValue::Languages { .. } => {
            text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect()
        }
        OptionValue::Poll(_) | OptionValue::Shaped(_) => {
            serde_json::from_str(text).unwrap_or_else(|_| as_text())
        }
        _ => as_text(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_that_a_field_shows_is_read_back() {
        for platform in Platform::ALL {
            for fact in platform.sheet().options {
                for value in [
                    Value::from("a, b"),
                    Value::from(true),
                    Value::from(7),
                    serde_json::json!(["a", "b"]),
                    serde_json::json!({"options": ["a", "b"]}),
                ] {
                    if let Some(text) = shown(fact, &value) {
                        let again = read(fact, &text);
                        // A text is a list of its words, or of itself.
                        let lists = [serde_json::json!(["a", "b"]), serde_json::json!(["a, b"])];
                        assert!(
                            again == value || lists.contains(&again),
                            "{platform}.{}: {value} became {again}",
                            fact.key
                        );
                    }
                }
            }
        }
    }
}
