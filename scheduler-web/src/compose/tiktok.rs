//! The panel of TikTok, as its guidelines want a page to be from which posts are made: who posts,
//! who sees it, what others may do, what is promoted, and what a creator agrees to.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-sharing-guidelines>.

use std::collections::BTreeMap;

use scheduler_core::account::AccountView;
use scheduler_core::ids::AccountId;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::tiktok::{AS_DRAFT, BRANDED_IS_NOT_PRIVATE, SHOWN_LATER};
use scheduler_core::platform::{Effect, Platform};
use scheduler_core::ports::Creator;
use scheduler_core::post::TargetView;
use scheduler_core::target::TargetStatus;
use scheduler_http::visit::{Declined, Form};
use serde_json::{Map, Value};

use super::written::Written;
use crate::visitor::Visitor;

pub(super) use scheduler_core::platform::tiktok::{
    BRANDED_CONTENT_POLICY, MUSIC_USAGE_CONFIRMATION, PAID_PARTNERSHIP, PROMOTES_NOTHING,
    PROMOTIONAL_CONTENT,
};

const PRIVACY: &str = "privacy";
const PRIVATE: &str = "SELF_ONLY";
const PROMOTES: &str = "commercialContent";
const OWN: &str = "ownBrand";
const BRANDED: &str = "brandedContent";
const AGREED: &str = "musicUsageConfirmed";

/// What others may do, with the words of the page.
const SWITCHES: [(&str, &str); 3] =
    [("allowComments", "Comment"), ("allowDuet", "Make a duet"), ("allowStitch", "Stitch")];

/// The panel of an account.
pub(super) struct Panel {
    pub(super) id: AccountId,
    /// The address of the creator's picture, on this server.
    pub(super) picture: Option<String>,
    has_picture: bool,
    /// Whose name the post carries.
    pub(super) nickname: Option<String>,
    pub(super) username: Option<String>,
    /// The longest video, in words.
    pub(super) longest: Option<String>,
    /// Why nothing is taken at present.
    pub(super) refused: Option<String>,
    pub(super) is_draft: bool,
    pub(super) levels: Vec<Level>,
    pub(super) switches: Vec<Switch>,
    pub(super) discloses: bool,
    pub(super) own: bool,
    pub(super) branded: bool,
    /// Why it cannot promote somebody else.
    pub(super) not_branded: Option<&'static str>,
    /// What was chosen before, while nothing can be chosen.
    pub(super) kept: Vec<(String, String)>,
}

/// Who may see a post.
pub(super) struct Level {
    pub(super) value: String,
    pub(super) word: String,
    pub(super) is_chosen: bool,
    /// Why it cannot be chosen.
    pub(super) why_not: Option<&'static str>,
}

/// What others may do.
pub(super) struct Switch {
    pub(super) key: &'static str,
    pub(super) word: &'static str,
    pub(super) is_on: bool,
    pub(super) is_disabled: bool,
}

impl Panel {
    /// The panel of an account that is picked, with what TikTok says of it now; `None` for another
    /// network's.
    pub(super) async fn of(
        visitor: &Visitor,
        account: &AccountView,
        written: &Written,
        kinds: &[MediaKind],
    ) -> Option<Self> {
        if account.platform != Platform::Tiktok || !written.accounts.contains(&account.id) {
            return None;
        }
        let (caller, id) = (visitor.caller.clone(), account.id);
        let told = visitor
            .visit()
            .to_its_end(move |scheduler| async move { scheduler.creator(&caller, id).await })
            .await;
        let mut panel = Self::new(account, written.options.get(&id), kinds, told);
        panel.picture = panel.has_picture.then(|| visitor.at(&format!("avatars/{id}")));
        Some(panel)
    }

    fn new(
        account: &AccountView,
        chosen: Option<&BTreeMap<String, String>>,
        kinds: &[MediaKind],
        told: Result<Creator, Declined>,
    ) -> Self {
        let chosen = |key: &str| chosen.and_then(|chosen| chosen.get(key)).map(String::as_str);
        let is_on = |key: &str| chosen(key) == Some("true");
        let promoted = chosen(PROMOTES).unwrap_or_default();
        let promotes = |what: &str| promoted.split(',').any(|word| word.trim() == what);
        let (branded, is_private) = (promotes(BRANDED), chosen(PRIVACY) == Some(PRIVATE));
        let mut panel = Self {
            id: account.id,
            picture: None,
            has_picture: account.avatar_url.is_some(),
            nickname: account.display_name.clone(),
            username: account.username.clone(),
            longest: None,
            refused: None,
            is_draft: is_on(AS_DRAFT),
            levels: Vec::new(),
            switches: Vec::new(),
            discloses: chosen(PROMOTES).is_some(),
            own: promotes(OWN),
            branded,
            not_branded: (is_private && !branded).then_some(BRANDED_IS_NOT_PRIVATE),
            kept: Vec::new(),
        };
        let creator = match told {
            Ok(creator) => creator,
            Err(declined) => {
                panel.refused = Some(declined.message().to_owned());
                panel.kept = kept(account.id, chosen);
                return panel;
            }
        };
        panel.levels = creator
            .privacy_levels
            .iter()
            .map(|level| Level {
                value: level.clone(),
                word: word(level).to_owned(),
                is_chosen: chosen(PRIVACY) == Some(level.as_str()),
                why_not: (branded && level == PRIVATE && !is_private)
                    .then_some(BRANDED_IS_NOT_PRIVATE),
            })
            .collect();
        let has_photos = kinds.iter().any(|kind| kind.is_image());
        let disabled = [creator.comment_disabled, creator.duet_disabled, creator.stitch_disabled];
        panel.switches = SWITCHES
            .into_iter()
            .zip(disabled)
            .filter(|((key, _), _)| {
                let effect = account.platform.sheet().option(key).map(|fact| fact.effect);
                !(has_photos && effect == Some(Effect::WithVideo))
            })
            .map(|((key, word), is_disabled)| Switch {
                key,
                word,
                is_on: is_on(key) && !is_disabled,
                is_disabled,
            })
            .collect();
        panel.longest = Some(longest(creator.max_video_duration_seconds));
        panel.has_picture |= creator.avatar_url.is_some();
        panel.nickname = creator.nickname.or(panel.nickname);
        panel.username = creator.username.or(panel.username);
        panel
    }
}

impl Panel {
    /// The id of a field of the panel.
    pub(super) fn field(&self, name: &str) -> String {
        format!("{name}-{}", self.id)
    }
}

/// Who sees a post of this level.
fn word(level: &str) -> &str {
    match level {
        "PUBLIC_TO_EVERYONE" => "Everyone",
        "MUTUAL_FOLLOW_FRIENDS" => "Friends",
        "FOLLOWER_OF_CREATOR" => "Followers",
        PRIVATE => "Only me",
        other => other,
    }
}

fn longest(seconds: u64) -> String {
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("videos up to {seconds} s"),
        (minutes, 0) => format!("videos up to {minutes} min"),
        (minutes, seconds) => format!("videos up to {minutes} min {seconds} s"),
    }
}

/// What was chosen, as fields of the form.
fn kept<'a>(id: AccountId, chosen: impl Fn(&str) -> Option<&'a str>) -> Vec<(String, String)> {
    let keys = SWITCHES.iter().map(|(key, _)| *key).chain([PRIVACY]);
    let options =
        keys.filter_map(|key| Some((format!("option.{id}.{key}"), chosen(key)?.to_owned())));
    let promoted = chosen(PROMOTES);
    let discloses = promoted.map(|_| (format!("discloses.{id}"), "true".to_owned()));
    let promoted = promoted.unwrap_or_default().split(',').map(str::trim);
    let promoted = promoted.filter(|what| !what.is_empty());
    let promoted = promoted.map(|what| (format!("promotes.{id}"), what.to_owned()));
    options.chain(discloses).chain(promoted).collect()
}

/// Reads what the panels of a form say of commercial content: nothing where it is switched off,
/// whatever else is ticked.
pub(super) fn read(form: &Form, options: &mut BTreeMap<AccountId, BTreeMap<String, String>>) {
    for (name, _) in form.iter() {
        if let Some(account) = name.strip_prefix("discloses.")
            && let Ok(id) = account.parse()
        {
            let name = format!("promotes.{account}");
            let promoted: Vec<&str> = form.all(&name).collect();
            options.entry(id).or_default().insert(PROMOTES.to_owned(), promoted.join(", "));
        }
    }
}

/// True for an option that the panel has a place for.
pub(super) fn has_place(platform: Platform, key: &str) -> bool {
    let of_panel = [PRIVACY, PROMOTES, AGREED, AS_DRAFT];
    platform == Platform::Tiktok
        && (of_panel.contains(&key) || SWITCHES.iter().any(|(own, _)| *own == key))
}

/// What the panel calls an option, where it has another word for it than the table of options.
pub(super) fn word_of(platform: Platform, key: &str) -> Option<&'static str> {
    if platform != Platform::Tiktok {
        return None;
    }
    let of_switch = SWITCHES.iter().find(|(own, _)| *own == key).map(|(_, word)| *word);
    match key {
        PRIVACY => Some("Who can see it"),
        PROMOTES => Some("Discloses commercial content"),
        AS_DRAFT => Some("Send as draft to the TikTok app"),
        _ => of_switch,
    }
}

/// The field of the panel in which an option is chosen.
pub(super) fn field_of(id: AccountId, platform: Platform, key: &str) -> Option<String> {
    let name = match key {
        _ if !has_place(platform, key) => return None,
        PROMOTES => "disc",
        AS_DRAFT => "draft",
        _ => "who",
    };
    Some(format!("{name}-{id}"))
}

/// Says of what nobody has chosen that nobody has, so that nothing is chosen beforehand.
pub(super) fn leave_unset(platform: Platform, options: &mut Map<String, Value>) {
    if platform == Platform::Tiktok {
        for key in SWITCHES.iter().map(|(key, _)| *key).chain([PRIVACY, PROMOTES, AS_DRAFT]) {
            options.entry(key).or_insert(Value::Null);
        }
    }
}

/// Notes that whoever has pressed the button agrees to what stands beside it.
pub(super) fn agree(written: &mut Written, accounts: &[AccountView]) {
    for account in accounts.iter().filter(|account| account.platform == Platform::Tiktok) {
        let options = written.options.entry(account.id).or_default();
        if options.get(AS_DRAFT).is_none_or(|flag| flag != "true") {
            options.insert(AGREED.to_owned(), "true".to_owned());
        }
    }
}

/// What is said of a target that is sent and cannot be seen yet.
pub(crate) fn shown_later(target: &TargetView) -> Option<&'static str> {
    let is_sent = matches!(target.status, TargetStatus::Publishing | TargetStatus::Published);
    let is_hidden = is_sent && target.remote_url.is_none();
    (target.platform == Platform::Tiktok && is_hidden).then_some(SHOWN_LATER)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_is_chosen_beforehand() {
        let chosen = || Map::from_iter([("privacy".to_owned(), json!("SELF_ONLY"))]);
        let mut options = chosen();
        leave_unset(Platform::Bluesky, &mut options);
        assert_eq!(options, chosen());
        leave_unset(Platform::Tiktok, &mut options);
        let want = json!({
            "privacy": "SELF_ONLY", "allowComments": null, "allowDuet": null,
            "allowStitch": null, "commercialContent": null, "asDraft": null,
        });
        assert_eq!(json!(options), want);
    }

    #[test]
    fn what_is_promoted() {
        let id = AccountId(scheduler_core::uuid::Uuid::nil());
        for (form, want) in [
            ("promotes.ID=ownBrand", None),
            ("discloses.ID=true", Some("")),
            (
                "discloses.ID=true&promotes.ID=ownBrand&promotes.ID=brandedContent",
                Some("ownBrand, brandedContent"),
            ),
        ] {
            let form = Form::parse(form.replace("ID", &id.to_string()).as_bytes()).unwrap();
            let mut options = BTreeMap::new();
            read(&form, &mut options);
            let found = options.get(&id).and_then(|options| options.get(PROMOTES));
            assert_eq!(found.map(String::as_str), want);
        }
    }

    #[test]
    fn the_longest_video_in_words() {
        for (seconds, want) in
            [(4, "4 s"), (60, "1 min"), (600, "10 min"), (61, "1 min 1 s"), (0, "0 s")]
        {
            assert_eq!(longest(seconds), format!("videos up to {want}"));
        }
    }
}
