//! The frame of a video that is its cover, where a network takes one: a number of seconds beside the
//! tile of the video.

use std::collections::BTreeMap;

use scheduler_core::account::AccountView;
use scheduler_core::ids::AccountId;
use scheduler_core::platform::{OptionFact, OptionValue};
use scheduler_http::visit::Form;

use super::issues::Place;
use super::written::Written;
use crate::mark::{self, Mark};

/// The option that holds it, in milliseconds.
const COVER: &str = "coverTimestampMs";

/// Before the account in the names of the fields, which hold seconds.
const FIELD: &str = "cover.";

const MS_OF_SECOND: i64 = 1_000;

/// The cover of a video for an account.
pub(super) struct Cover {
    pub(super) mark: Mark,
    pub(super) account: String,
    /// The id of the field, which is that of its option.
    pub(super) id: String,
    pub(super) name: String,
    /// In seconds.
    pub(super) value: String,
    pub(super) least: String,
    pub(super) most: String,
}

impl Cover {
    /// Those of the accounts that are picked, get the files of the post, and whose networks take one.
    /// An account with files of its own does not get this video, and has the option among its others.
    pub(super) fn of(written: &Written, accounts: &[AccountView]) -> Vec<Self> {
        let has_own =
            |id: &AccountId| written.own_files.get(id).is_some_and(|own| own.media_ids.is_some());
        let picked = accounts
            .iter()
            .filter(|account| written.accounts.contains(&account.id) && !has_own(&account.id));
        let taking = picked.filter_map(|account| {
            let OptionFact { value: OptionValue::Integer { least, most }, .. } =
                account.platform.sheet().option(COVER)?
            else {
                return None;
            };
            let given = written.options.get(&account.id).and_then(|options| options.get(COVER));
            Some(Self {
                mark: account.platform.into(),
                account: mark::name(account),
                id: Place::Option(account.id, COVER.to_owned()).field(),
                name: format!("{FIELD}{}", account.id),
                value: given.map_or_else(String::new, |given| seconds(given)),
                least: seconds(&least.to_string()),
                most: seconds(&most.to_string()),
            })
        });
        taking.collect()
    }

    /// The place in the video, as addresses name it: the second at which it begins to be shown.
    pub(super) fn place(&self) -> &str {
        if self.value.is_empty() { "0" } else { &self.value }
    }
}

/// Reads the fields of a form into the options of their accounts.
pub(super) fn read(form: &Form, options: &mut BTreeMap<AccountId, BTreeMap<String, String>>) {
    for (name, value) in form.iter() {
        let account = name.strip_prefix(FIELD).and_then(|id| id.parse().ok());
        if let Some(account) = account
            && !value.trim().is_empty()
        {
            options.entry(account).or_default().insert(COVER.to_owned(), milliseconds(value));
        }
    }
}

/// Milliseconds as seconds; what is no number stays as it is.
fn seconds(ms: &str) -> String {
    let Ok(ms) = ms.trim().parse::<i64>() else { return ms.to_owned() };
    let (whole, rest) = (ms / MS_OF_SECOND, (ms % MS_OF_SECOND).abs());
    let sign = if ms < 0 && whole == 0 { "-" } else { "" };
    let rest = format!(".{rest:03}");
    format!("{sign}{whole}{}", rest.trim_end_matches('0').trim_end_matches('.'))
}

/// Seconds as milliseconds; what is no number stays as it is, for the rules to refuse.
fn milliseconds(seconds: &str) -> String {
    let text = seconds.trim().replace(',', ".");
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    if !is_number(digits) || !(rest.is_empty() || is_number(rest)) {
        return seconds.to_owned();
    }
    let rest: String = rest.chars().chain("000".chars()).take(3).collect();
    let ms = format!("{whole}{rest}").parse::<i64>();
    ms.map_or_else(|_| seconds.to_owned(), |ms| ms.to_string())
}

#[cfg(test)]
mod tests {
    use scheduler_core::ids::MediaId;
    use scheduler_core::uuid::Uuid;
    use serde_json::json;

    use super::super::own_files::OwnFiles;
    use super::*;

    #[test]
    fn accounts_with_files_of_their_own_have_no_cover_beside_the_video() {
        let account = |number: u128, platform: &str| -> AccountView {
            let account = json!({
                "id": Uuid::from_u128(number), "platform": platform, "username": "kiln",
                "displayName": null, "avatarUrl": null, "connection": null,
                "canDeleteRemote": true, "needsReconnect": false, "paused": false,
                "timezone": null,
            });
            serde_json::from_value(account).unwrap()
        };
        let accounts = [account(1, "instagram"), account(2, "pinterest"), account(3, "bluesky")];
        let all = accounts.iter().map(|account| account.id).collect::<Vec<_>>();
        let own = |media_ids| OwnFiles { media_ids, ..OwnFiles::default() };
        let other = MediaId(Uuid::from_u128(9));
        for (name, picked, own, want) in [
            ("all that are picked", &all[..], None, &all[..2]),
            ("not picked", &all[1..], None, &all[1..2]),
            ("with words of its own", &all, Some(own(None)), &all[..2]),
            ("with files of its own", &all, Some(own(Some(vec![other]))), &all[1..2]),
            ("without files", &all, Some(own(Some(Vec::new()))), &all[1..2]),
        ] {
            let written = Written {
                accounts: picked.to_vec(),
                own_files: own.map(|own| (all[0], own)).into_iter().collect(),
                ..Written::default()
            };
            let covers = Cover::of(&written, &accounts);
            let found: Vec<&str> = covers.iter().map(|cover| cover.name.as_str()).collect();
            let want: Vec<String> = want.iter().map(|id| format!("{FIELD}{id}")).collect();
            assert_eq!(found, want, "{name}");
        }
    }

    #[test]
    fn seconds_and_milliseconds() {
        for (written, ms, shown) in [
            ("0", "0", "0"),
            ("2", "2000", "2"),
            ("1.5", "1500", "1.5"),
            (" 1,25 ", "1250", "1.25"),
            ("0.001", "1", "0.001"),
            ("0.0019", "1", "0.001"),
            ("900", "900000", "900"),
            ("-0.5", "-500", "-0.5"),
            ("-2", "-2000", "-2"),
            ("two", "two", "two"),
            ("1.x", "1.x", "1.x"),
            ("", "", ""),
            ("99999999999999999999", "99999999999999999999", "99999999999999999999"),
        ] {
            assert_eq!(milliseconds(written), ms, "{written}");
            assert_eq!(seconds(ms), shown, "{written}");
        }
    }
}
