//! The files that an account gets in place of those of the post, and what it says of files.

use std::collections::{BTreeMap, BTreeSet};

use scheduler_core::account::AccountView;
use scheduler_core::ids::{AccountId, MediaId};
use scheduler_core::media::MediaView;
use scheduler_core::platform::FileDetails;
use scheduler_core::post::{Field, TargetInput, TargetView};
use scheduler_core::rules::keeps_description;
use scheduler_http::visit::{Declined, Form};
use serde::{Deserialize, Serialize};

use super::check::FileShown;
use super::written::Written;
use crate::media;
use crate::visitor::Visitor;

/// Before the account in the names of the fields that keep them.
const FIELD: &str = "own-files.";
/// Before the account and the file in the names of the fields that describe its own files.
const ALT: &str = "own-alt.";
/// What gives an account the files of all again.
pub(super) const ALL: (&str, &str) = ("files-all", "Back to the files of all");

/// What an account gets of files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct OwnFiles {
    /// In place of those of the post; `None` for those.
    pub(super) media_ids: Option<Vec<MediaId>>,
    /// What is said of files, its own or those of the post.
    pub(super) files: BTreeMap<MediaId, FileDetails>,
}

impl OwnFiles {
    /// Those of a target that has any.
    pub(super) fn of(target: &TargetView) -> Option<Self> {
        let (media_ids, files) = (target.media_ids.clone(), target.files.clone());
        (media_ids.is_some() || !files.is_empty()).then_some(Self { media_ids, files })
    }

    /// Describes a file for the account alone; an empty text leaves it to what is said for all.
    fn describe(&mut self, file: MediaId, text: &str) {
        let details = self.files.entry(file).or_default();
        details.alt_text = Some(text.to_owned()).filter(|text| !text.trim().is_empty());
        if *details == FileDetails::default() {
            self.files.remove(&file);
        }
    }

    /// What is said of a file for the account alone.
    fn description(&self, file: MediaId) -> Option<&String> {
        self.files.get(&file).and_then(|details| details.alt_text.as_ref())
    }

    /// Gives them to a target. What is said of files that the post has no more is left out.
    pub(super) fn give(&self, target: &mut TargetInput, of_post: &[(MediaId, String)]) {
        let is_there = |id: &MediaId| match &self.media_ids {
            Some(own) => own.contains(id),
            None => of_post.iter().any(|(file, _)| file == id),
        };
        let mut files = self.files.clone();
        files.retain(|id, _| is_there(id));
        target.media_ids = self.media_ids.clone().map_or(Field::Null, Field::Value);
        target.files = if files.is_empty() { Field::Null } else { Field::Value(files) };
    }
}

/// Reads the fields of a form that keep them.
pub(super) fn read(form: &Form) -> BTreeMap<AccountId, OwnFiles> {
    let fields = form.iter().filter_map(|(name, value)| {
        let id = name.strip_prefix(FIELD)?.parse().ok()?;
        Some((id, serde_json::from_str(value).ok()?))
    });
    let mut own: BTreeMap<AccountId, OwnFiles> = fields.collect();
    for (name, value) in form.iter() {
        if let Some((account, file)) = name.strip_prefix(ALT).and_then(|ids| ids.split_once('.'))
            && let (Ok(account), Ok(file)) = (account.parse(), file.parse())
            && let Some(own) = own.get_mut(&account)
        {
            own.describe(file, &value.replace("\r\n", "\n"));
        }
    }
    own
}

/// Gives an account the files of all again, as a button says; false for any other button.
pub(super) fn press(written: &mut Written, button: &str) -> bool {
    let id = button.strip_prefix(ALL.0).and_then(|rest| rest.strip_prefix('.'));
    let Some(Ok(id)) = id.map(str::parse::<AccountId>) else { return false };
    written.own_files.remove(&id);
    true
}

/// Files by their ids.
pub(super) type FilesById = BTreeMap<MediaId, MediaView>;

/// The files of accounts' own.
pub(super) async fn views(visitor: &Visitor, written: &Written) -> Result<FilesById, Declined> {
    let ids = written.own_files.values().filter_map(|own| own.media_ids.as_ref()).flatten();
    let ids: Vec<MediaId> = ids.copied().collect::<BTreeSet<_>>().into_iter().collect();
    let views = visitor.scheduler().files_named(&visitor.caller, &ids).await?;
    Ok(views.into_iter().map(|view| (view.id, view)).collect())
}

/// The files of accounts' own, as they are shown.
pub(super) fn shown(
    visitor: &Visitor,
    written: &Written,
    views: &FilesById,
) -> BTreeMap<AccountId, Vec<FileShown>> {
    let picked = written.own_files.iter().filter(|(id, _)| written.accounts.contains(id));
    let shown = picked.filter_map(|(account, own)| {
        let ids = own.media_ids.as_ref()?;
        let files = ids.iter().filter_map(|id| views.get(id)).map(|view| {
            let alt = own.description(view.id).or_else(|| of_all(written, view.id));
            FileShown::of(visitor, view, alt.map_or("", String::as_str))
        });
        Some((*account, files.collect()))
    });
    shown.collect()
}

/// What is said of a file for all accounts.
fn of_all(written: &Written, file: MediaId) -> Option<&String> {
    written.files.iter().find(|(id, _)| *id == file).map(|(_, alt)| alt)
}

/// The own files of an account in the form.
pub(super) struct Own {
    /// The name of the field that keeps them, and what it holds.
    pub(super) field: String,
    pub(super) kept: String,
    /// Those that stand in place of the files of all.
    pub(super) files: Vec<OwnFile>,
    pub(super) has_files: bool,
    /// The button that gives them up.
    pub(super) button: String,
}

/// A file of an account's own.
pub(super) struct OwnFile {
    pub(super) id: MediaId,
    pub(super) name: String,
    pub(super) href: String,
    /// `None` until there is one.
    pub(super) picture: Option<String>,
    pub(super) word: String,
    pub(super) may_crop: bool,
    /// Its description; `None` where the network keeps none.
    pub(super) description: Option<Description>,
}

/// What the account says of one of its files, in a field.
pub(super) struct Description {
    pub(super) field: String,
    pub(super) said: String,
    /// What is said for all, which counts while the field is empty.
    pub(super) of_all: String,
}

impl Description {
    fn of(
        account: &AccountView,
        written: &Written,
        own: &OwnFiles,
        file: &MediaView,
    ) -> Option<Self> {
        let said = own.description(file.id);
        let is_kept = said.is_some() || keeps_description(account.platform, file.kind);
        is_kept.then(|| Self {
            field: format!("{ALT}{}.{}", account.id, file.id),
            said: said.cloned().unwrap_or_default(),
            of_all: of_all(written, file.id).cloned().unwrap_or_default(),
        })
    }
}

impl Own {
    pub(super) fn of(
        visitor: &Visitor,
        account: &AccountView,
        written: &Written,
        views: &FilesById,
    ) -> Option<Self> {
        let own = written.own_files.get(&account.id)?;
        let ids = own.media_ids.iter().flatten();
        let files = ids.filter_map(|id| views.get(id)).map(|view| OwnFile {
            id: view.id,
            name: media::name(view),
            href: visitor.at(&format!("media/{}", view.id)),
            picture: media::preview(visitor, view),
            word: media::word(view),
            may_crop: media::may_crop(view),
            description: Description::of(account, written, own, view),
        });
        Some(Self {
            field: format!("{FIELD}{}", account.id),
            kept: serde_json::to_string(own).unwrap_or_default(),
            files: files.collect(),
            has_files: own.media_ids.is_some(),
            button: format!("{}.{}", ALL.0, account.id),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_said_of_a_file() {
        let id = |end: u8| format!("01890a5d-ac96-774b-bcce-b302099a805{end}").parse().unwrap();
        let [mine, other]: [MediaId; 2] = [id(1), id(2)];
        let own =
            json!({"mediaIds": [mine, other], "files": {(mine.to_string()): {"spoiler": true}}});
        let own: OwnFiles = serde_json::from_value(own).unwrap();
        let described = |file, texts: &[&str]| {
            let mut own = own.clone();
            texts.iter().for_each(|text| own.describe(file, text));
            own
        };
        let said = described(mine, &["A ring"]);
        assert_eq!(said.description(mine).map(String::as_str), Some("A ring"));
        assert_eq!(said.files[&mine].spoiler, Some(true), "the rest stays");
        assert_eq!(described(mine, &["A ring", " "]), own, "an empty text takes it back");
        assert_eq!(described(other, &["A ring", ""]), own, "and leaves nothing");
    }
}
