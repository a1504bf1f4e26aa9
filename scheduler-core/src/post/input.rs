//! What a caller sends to create or change a post.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::bounds::Bounds;
use super::field::Field;
use super::{Post, annotations, options};
use crate::error::{Invalid, Refusal};
use crate::ids::{AccountId, MediaId};
use crate::links::LinkRules;
use crate::object::only_from_object;
use crate::platform::{Disclosure, FileDetails, LinkCard, Platform};
use crate::recurrence::OccurrenceOf;
use crate::target::TargetFiles;
use crate::timing::TimingInput;

/// Files that a post holds at most.
///
/// Source: interface description, Limits.
pub const MEDIA_MAX_COUNT: usize = 35;

/// Characters that one alt text holds at most.
///
/// Source: interface description, Limits.
pub const ALT_TEXT_MAX_CHARACTERS: usize = 1_000;

/// The body of a create or an update; of an update only the fields sent change.
///
/// Source: interface description, PostInput.
///
/// ```
/// use scheduler_core::post::PostInput;
///
/// let body = r#"{"content": "Hi", "queue": true, "targets": [{"platform": "bluesky"}]}"#;
/// let input: PostInput = serde_json::from_str(body)?;
/// assert!(input.timing().queue);
/// assert!(serde_json::from_str::<PostInput>(r#"{"contents": "Hi"}"#).is_err(), "a typo is told");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PostInput {
    /// The text. On YouTube it is the description, unless `description` is set.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(length(max = super::CONTENT_MAX_CHARACTERS)))]
    pub content: Field<String>,
    /// An http or https address. It goes where the network has a place for it, else on a new line
    /// of the text unless it is there already, and then counts.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(url))]
    pub link_url: Field<String>,
    /// The files, in order; each must be `ready`.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = MEDIA_MAX_COUNT), extend("uniqueItems" = true)))]
    pub media_ids: Field<Vec<MediaId>>,
    /// A description for each file, in the order of `mediaIds`.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(inner(length(max = ALT_TEXT_MAX_CHARACTERS))))]
    pub alt_texts: Field<Vec<Option<String>>>,
    /// What it tells of how it came about: each network that has a label shows it, unless the
    /// target's own options say otherwise.
    ///
    /// An addition to the contract.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    pub disclosure: Field<Disclosure>,
    /// What the card of the link shows, for each target whose network has it from us and whose
    /// options have none; it is kept in the options of those targets. `null` counts as not sent.
    ///
    /// An addition to the contract.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    pub link_card: Field<LinkCard>,
    /// Labels to find it by; one that repeats another but for its case is left out. They are sent
    /// to a network only where parameters of links name `{label}`.
    ///
    /// An addition to the contract.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(inner(length(min = 1, max = super::LABEL_MAX_CHARACTERS))))]
    pub labels: Field<Vec<String>>,
    /// What it wants of its links, in place of what its workspace wants; `{}` leaves them alone,
    /// `null` follows the workspace again.
    ///
    /// An addition to the contract.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    pub links: Field<LinkRules>,
    /// A note for the people of the workspace: never sent to a network, and not shown to clients
    /// who approve.
    ///
    /// An addition to the contract.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(length(max = super::POST_NOTE_MAX_CHARACTERS)))]
    pub note: Field<String>,
    /// Strings for programs, by their keys; never sent to a network. All are replaced at once.
    ///
    /// An addition to the contract.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(extend("maxProperties" = super::METADATA_MAX_COUNT, "propertyNames" = {"pattern": "^[A-Za-z0-9_.-]{1,40}$"}, "additionalProperties" = {"type": "string", "maxLength": super::METADATA_VALUE_MAX_CHARACTERS})))]
    pub metadata: Field<BTreeMap<String, String>>,
    /// That instant, for every target. With an offset or `Z`; `null` counts as not sent.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<chrono::DateTime<chrono::Utc>>"))]
    pub scheduled_at: Field<String>,
    /// That wall-clock time (`YYYY-MM-DDTHH:MM`, no zone), read in the zone of each target's
    /// account; `null` counts as not sent.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$")))]
    pub scheduled_local: Field<String>,
    /// Each target takes the next free slot of its account's posting schedule. `null` and `false`
    /// count as not sent.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    pub queue: Field<bool>,
    /// The slot that is taken of the queue, where it is not the next; no body of a request has it.
    #[serde(skip)]
    pub slot: Option<DateTime<Utc>>,
    /// Of which recurrence it is an occurrence; no body of a request has it.
    #[serde(skip)]
    pub occurrence: Option<OccurrenceOf>,
    /// Due at once. `null` and `false` count as not sent.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    pub publish_now: Field<bool>,
    /// Parked without a time. `null` and `false` count as not sent.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    pub save_as_draft: Field<bool>,
    /// With `saveAsDraft`: the draft is stored although networks would refuse it, also without a
    /// target; it gets a time only once they would not. `null` and `false` count as not sent.
    ///
    /// An addition to the contract.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    pub allow_issues: Field<bool>,
    /// Where it goes; each account once.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<TargetInput>"))]
    pub targets: Field<Vec<TargetInput>>,
}

/// One network account that a post goes to, as a caller names it.
///
/// Source: interface description, TargetInput.
///
/// ```
/// use scheduler_core::platform::Platform;
/// use scheduler_core::platform::youtube::{Youtube, YoutubePrivacy};
/// use scheduler_core::post::TargetInput;
///
/// let plain = TargetInput::from(Platform::Bluesky);
/// assert_eq!(serde_json::to_string(&plain)?, r#"{"platform":"bluesky"}"#);
/// let video = Youtube { privacy: Some(YoutubePrivacy::Unlisted), ..Youtube::default() };
/// let target = TargetInput::from(video);
/// assert_eq!(target.platform, Platform::Youtube);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetInput {
    /// The network.
    pub platform: Platform,
    /// Which connected account. May be left out when the workspace has one of the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// Settings for the network.
    ///
    /// At most [`OPTIONS_MAX_BYTES`](super::OPTIONS_MAX_BYTES) and
    /// [`OPTIONS_MAX_VALUES`](super::OPTIONS_MAX_VALUES).
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "options::read")]
    pub options: Option<Map<String, Value>>,
    /// Its files, in order, in place of those of the post; an empty list for none. `null` for
    /// those of the post.
    ///
    /// An addition to the contract.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(length(max = MEDIA_MAX_COUNT), extend("uniqueItems" = true)))]
    pub media_ids: Field<Vec<MediaId>>,
    /// What it says of its files, by their ids.
    ///
    /// An addition to the contract.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    pub files: Field<BTreeMap<MediaId, FileDetails>>,
}

only_from_object!(TargetInput);

impl From<Platform> for TargetInput {
    /// The network's only account, without settings.
    fn from(platform: Platform) -> Self {
        Self {
            platform,
            account_id: None,
            options: None,
            media_ids: Field::Absent,
            files: Field::Absent,
        }
    }
}

impl TargetInput {
    /// The same with a card of the link in its options, where they have none and the network has it
    /// from us.
    pub(crate) fn carded(mut self, card: Option<&LinkCard>) -> Self {
        if let Some(card) = card {
            let mut options = self.options.take().unwrap_or_default();
            card.fill(self.platform.sheet(), &mut options);
            self.options = Some(options).filter(|options| !options.is_empty());
        }
        self
    }

    /// The same by this account.
    #[must_use]
    pub fn by(self, account: AccountId) -> Self {
        Self { account_id: Some(account), ..self }
    }

    /// The same with these settings, in place of those that it had.
    #[must_use]
    pub fn with_options(self, options: Map<String, Value>) -> Self {
        Self { options: Some(options), ..self }
    }

    /// The same with these files in place of those of the post.
    #[must_use]
    pub fn with_files(self, media: Vec<MediaId>) -> Self {
        Self { media_ids: Field::Value(media), ..self }
    }

    /// The same, which says this of one of its files.
    #[must_use]
    pub fn with_details(mut self, file: MediaId, details: FileDetails) -> Self {
        let mut files = self.files.or_current(None).unwrap_or_default();
        files.insert(file, details);
        self.files = Field::Value(files);
        self
    }

    /// The files that it has and describes itself.
    pub(crate) fn target_files(&self) -> TargetFiles {
        let mut files = TargetFiles::default();
        self.apply_files(&mut files);
        files
    }

    /// Changes the files of a target to what was sent.
    pub(crate) fn apply_files(&self, files: &mut TargetFiles) {
        files.media_ids = self.media_ids.clone().or_current(files.media_ids.take());
        self.files.apply_to(&mut files.details);
    }
}

impl PostInput {
    /// The first field that is sent of those that say when one post goes out, and how it is kept.
    pub(crate) fn field_of_one_post(&self) -> Option<&'static str> {
        let fields = [
            ("scheduledAt", self.scheduled_at.is_sent()),
            ("scheduledLocal", self.scheduled_local.is_sent()),
            ("queue", self.queue.is_sent()),
            ("publishNow", self.publish_now.is_sent()),
            ("saveAsDraft", self.save_as_draft.is_sent()),
            ("allowIssues", self.allow_issues.is_sent()),
        ];
        fields.into_iter().find_map(|(field, is_sent)| is_sent.then_some(field))
    }

    /// Changes the post's own fields to what was sent; times and targets are decided apart.
    pub fn apply_to(&self, post: &mut Post) {
        self.content.apply_to(&mut post.content);
        post.link_url = self.link_url.clone().or_current(post.link_url.take());
        self.media_ids.apply_to(&mut post.media_ids);
        self.alt_texts.apply_to(&mut post.alt_texts);
        self.disclosure.apply_to(&mut post.disclosure);
        post.links = self.links.clone().or_current(post.links.take());
        let annotations = &mut post.annotations;
        if self.labels.is_sent() {
            let labels = self.labels.value().map(Vec::as_slice).unwrap_or_default();
            annotations.labels = annotations::distinct_labels(labels);
        }
        annotations.note = self.note.clone().or_current(annotations.note.take());
        self.metadata.apply_to(&mut annotations.metadata);
    }

    /// True when a draft is to be stored although networks would refuse it.
    #[must_use]
    pub fn allows_issues(&self) -> bool {
        self.allow_issues.value() == Some(&true)
    }

    /// The timing fields alone.
    #[must_use]
    pub fn timing(&self) -> TimingInput {
        TimingInput {
            scheduled_at: self.scheduled_at.value().cloned(),
            scheduled_local: self.scheduled_local.value().cloned(),
            queue: self.queue.value() == Some(&true),
            slot: self.slot,
            publish_now: self.publish_now.value() == Some(&true),
            save_as_draft: self.save_as_draft.value() == Some(&true),
        }
    }

    /// Checks the bounds that hold for every network.
    ///
    /// # Errors
    /// `invalid_request` naming the first field that is out of bounds.
    pub fn check_bounds(&self) -> Result<(), Refusal> {
        let bounds = Bounds {
            content: self.content.value().map(String::as_str),
            link_url: self.link_url.value().map(String::as_str),
            media_ids: self.media_ids.value().map(Vec::as_slice),
            alt_texts: self.alt_texts.value().map(Vec::as_slice),
            targets: self.targets.value().map(Vec::as_slice),
            may_lack_targets: self.allows_issues(),
        };
        bounds.check()?;
        self.labels.value().map_or(Ok(()), |labels| annotations::check_labels(labels))?;
        self.note.value().map_or(Ok(()), |note| annotations::check_note(note))?;
        self.metadata.value().map_or(Ok(()), annotations::check_metadata)?;
        if self.allows_issues() && self.save_as_draft.value() != Some(&true) {
            return Err(Refusal::invalid("allowIssues", Invalid::IssuesOfNoDraft));
        }
        match &self.targets {
            Field::Null => {
                Err(Refusal::invalid("targets", "targets cannot be null; a post needs at least 1."))
            }
            Field::Absent | Field::Value(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn field_refused(body: Value) -> Option<String> {
        let input: PostInput = serde_json::from_value(body).unwrap();
        input.check_bounds().err().and_then(|refusal| refusal.field)
    }

    #[test]
    fn bounds() {
        let id = |n: u8| format!("00000000-0000-0000-0000-0000000000{n:02}");
        let labels = |count: u8| (0..count).map(|n| format!("L{n}")).collect::<Vec<_>>();
        let entries =
            |count: u8| (0..count).map(|n| (format!("k{n}"), "v")).collect::<BTreeMap<_, _>>();
        for (name, body, want) in [
            ("nothing sent", json!({}), None),
            ("longest content", json!({"content": "é".repeat(64_000)}), None),
            ("content too long", json!({"content": "é".repeat(64_001)}), Some("content")),
            ("content cleared", json!({"content": null}), None),
            ("content with U+0000", json!({"content": "a\u{0}b"}), Some("content")),
            ("alt text with U+0000", json!({"altTexts": ["a\u{0}"]}), Some("altTexts[0]")),
            ("link with U+0000", json!({"linkUrl": "https://e.com/\u{0}"}), Some("linkUrl")),
            ("no file in the list", json!({"mediaIds": []}), Some("mediaIds")),
            ("35 files", json!({"mediaIds": (0..35).map(id).collect::<Vec<_>>()}), None),
            (
                "36 files",
                json!({"mediaIds": (0..36).map(id).collect::<Vec<_>>()}),
                Some("mediaIds"),
            ),
            ("a file twice", json!({"mediaIds": [id(1), id(2), id(1)]}), Some("mediaIds[2]")),
            ("alt text at the limit", json!({"altTexts": [null, "x".repeat(1_000)]}), None),
            ("alt text over", json!({"altTexts": [null, "x".repeat(1_001)]}), Some("altTexts[1]")),
            ("no target", json!({"targets": []}), Some("targets")),
            (
                "no target yet",
                json!({"targets": [], "saveAsDraft": true, "allowIssues": true}),
                None,
            ),
            ("issues of no draft", json!({"allowIssues": true}), Some("allowIssues")),
            ("20 labels", json!({"labels": labels(20)}), None),
            ("21 labels", json!({"labels": labels(21)}), Some("labels")),
            (
                "20 labels and one of them again",
                json!({"labels": Vec::from_iter(labels(20).into_iter().chain(["l1".to_owned()]))}),
                None,
            ),
            ("a long label", json!({"labels": ["x".repeat(51)]}), Some("labels[0]")),
            ("an empty label", json!({"labels": ["a", " "]}), Some("labels[1]")),
            ("a note", json!({"note": "é".repeat(2_000)}), None),
            ("a long note", json!({"note": "é".repeat(2_001)}), Some("note")),
            ("metadata", json!({"metadata": {"order.id-7_A": "x".repeat(500)}}), None),
            ("a long value", json!({"metadata": {"a": "x".repeat(501)}}), Some("metadata.a")),
            ("a key with a space", json!({"metadata": {"a b": "x"}}), Some("metadata")),
            ("an empty key", json!({"metadata": {"": "x"}}), Some("metadata")),
            ("a long key", json!({"metadata": {"k".repeat(41): "x"}}), Some("metadata")),
            ("21 entries", json!({"metadata": entries(21)}), Some("metadata")),
            ("20 entries", json!({"metadata": entries(20)}), None),
            ("targets null", json!({"targets": null}), Some("targets")),
            ("a link", json!({"linkUrl": "https://example.com/a"}), None),
            ("not a link", json!({"linkUrl": "example.com"}), Some("linkUrl")),
            ("a link in capitals", json!({"linkUrl": "HTTPS://EXAMPLE.COM/Ä"}), None),
            ("a link with a space", json!({"linkUrl": "https://e.com/a b"}), Some("linkUrl")),
            ("a link with a line end", json!({"linkUrl": "https://e.com/a\n"}), Some("linkUrl")),
            ("a link of one slash", json!({"linkUrl": "https:/e.com"}), Some("linkUrl")),
            ("a link without slashes", json!({"linkUrl": "https:e.com"}), Some("linkUrl")),
            ("a link without a host", json!({"linkUrl": "https://"}), Some("linkUrl")),
            ("another scheme", json!({"linkUrl": "javascript:alert(1)"}), Some("linkUrl")),
            ("a link of another script", json!({"linkUrl": "https://例え.みんな/の"}), None),
            ("a space before a link", json!({"linkUrl": " https://e.com"}), Some("linkUrl")),
            ("a link with three slashes", json!({"linkUrl": "https:///e.com"}), Some("linkUrl")),
            ("a link with backslashes", json!({"linkUrl": "https:\\\\e.com"}), Some("linkUrl")),
        ] {
            assert_eq!(field_refused(body).as_deref(), want, "{name}");
        }
    }

    #[test]
    fn false_and_null_timing_fields_count_as_not_sent() {
        let input: PostInput = serde_json::from_value(
            json!({"queue": false, "publishNow": null, "saveAsDraft": false, "scheduledAt": null}),
        )
        .unwrap();
        assert_eq!(input.timing(), TimingInput::default());
    }

    #[test]
    fn absent_null_and_value_are_three_things() {
        let input: PostInput =
            serde_json::from_value(json!({"content": null, "linkUrl": "https://e.com"})).unwrap();
        assert_eq!(input.content, Field::Null);
        assert_eq!(input.link_url, Field::Value("https://e.com".to_owned()));
        assert_eq!(input.media_ids, Field::Absent);
    }

    #[test]
    fn a_list_is_no_object() {
        let file = |details: Value| {
            let id = "01890a5d-ac96-774b-bcce-b302099a8057";
            json!({"targets": [{"platform": "bluesky", "files": {id: details}}]})
        };
        for (name, input) in [
            ("a target", json!({"targets": [["bluesky"]]})),
            ("a card", json!({"linkCard": [null, null]})),
            ("what is disclosed", json!({"disclosure": [true]})),
            ("what is said of a file", file(json!(["A loaf"]))),
            ("somebody who is seen", file(json!({"userTags": [["anna"]]}))),
            ("a point", file(json!({"focus": [0.2, 0.5]}))),
        ] {
            let error = serde_json::from_value::<PostInput>(input).unwrap_err();
            assert!(error.to_string().contains("expected an object"), "{name}: {error}");
        }
    }

    #[test]
    fn unknown_fields_are_refused_by_name() {
        let error = serde_json::from_value::<PostInput>(json!({"publish_now": true})).unwrap_err();
        assert!(error.to_string().contains("unknown field `publish_now`"), "{error}");
    }
}
