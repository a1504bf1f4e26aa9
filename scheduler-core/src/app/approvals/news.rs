//! What is new in a post since its client decided on it.

use std::collections::BTreeMap;

use super::page::{ApprovalFile, ApprovalPost, ApprovalTarget, shown};
use crate::ids::MediaId;
use crate::platform::Platform;
use crate::post::{Approval, ApprovalState, Piece, Place, Post, Seen, SeenTarget, Verdict};
use crate::timing::Zone;

/// What is new in a post since its client decided on it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApprovalNews {
    /// What they decided.
    pub verdict: Verdict,
    /// What is new for each account, in the order of the post.
    pub targets: Vec<TargetNews>,
    /// The networks of accounts to which it goes no more.
    pub gone: Vec<Platform>,
    /// How many of its files are there no more.
    pub files_gone: usize,
}

/// What is new in what one account gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TargetNews {
    /// True of an account to which the post was not to go.
    pub is_new: bool,
    /// The title.
    pub title: Vec<Piece>,
    /// The content warning.
    pub spoiler: Vec<Piece>,
    /// The text of the post, then of each later post of its thread, with those that are gone.
    pub parts: Vec<Vec<Piece>>,
    /// The link, where the network has a field of its own for it.
    pub link: Vec<Piece>,
    /// Every other setting, by its name for people, with those that are gone.
    pub settings: Vec<(String, Vec<Piece>)>,
}

impl ApprovalNews {
    /// True when the texts, accounts and number of files are as the client has seen them.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        let is_same = |pieces: &[Piece]| pieces.iter().all(|piece| matches!(piece, Piece::Same(_)));
        let is_target_same = |target: &TargetNews| {
            let texts = [&target.title, &target.spoiler, &target.link];
            let settings = target.settings.iter().map(|(_, pieces)| pieces);
            let mut all = texts.into_iter().chain(&target.parts).chain(settings);
            !target.is_new && all.all(|pieces| is_same(pieces))
        };
        self.gone.is_empty() && self.files_gone == 0 && self.targets.iter().all(is_target_same)
    }
}

/// What is new of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileNews {
    /// It was not with the post.
    Added,
    /// It was, with other words.
    Described,
}

/// What a client has before them who decides on a post, as far as it is kept.
pub(super) fn seen(post: &Post, verdict: Verdict) -> Option<Seen> {
    let target = |target| {
        // Neither name nor clock of an account is anything that is decided on.
        let shown = shown(post, target, None, Zone::UTC);
        SeenTarget {
            account_id: target.account_id,
            platform: target.platform,
            texts: texts(&shown).map(|(place, text)| (place, text.to_owned())).collect(),
        }
    };
    let targets = post.targets.iter().map(target).collect();
    Seen { verdict, targets, files: files(post) }.kept()
}

/// The files of a post and of its targets, with their descriptions.
fn files(post: &Post) -> BTreeMap<MediaId, Option<String>> {
    let mut files = BTreeMap::new();
    for (index, id) in post.media_ids.iter().enumerate() {
        files.entry(*id).or_insert_with(|| post.alt_texts.get(index).cloned().flatten());
    }
    for target in &post.targets {
        for id in target.files.media_ids.iter().flatten() {
            let words = || post.alt_text_of(target, *id).map(str::to_owned);
            files.entry(*id).or_insert_with(words);
        }
        for part in target.thread() {
            for (index, id) in part.media_ids.iter().enumerate() {
                files.entry(*id).or_insert_with(|| part.alt_text(index).map(str::to_owned));
            }
        }
        for id in target.named_files() {
            files.entry(id).or_insert(None);
        }
    }
    files
}

/// Every text of what an account gets, by where it stands.
fn texts(target: &ApprovalTarget) -> impl Iterator<Item = (Place, &str)> {
    let own = [
        (Place::Title, &target.title),
        (Place::Spoiler, &target.text.spoiler),
        (Place::Link, &target.text.link_card),
    ];
    let own = own.into_iter().filter_map(|(place, text)| Some((place, text.as_deref()?)));
    let parts = target.text.parts.iter().enumerate();
    let settings = target.settings.iter();
    own.chain(parts.map(|(index, text)| (Place::Part(index), text.as_str())))
        .chain(settings.map(|(name, text)| (Place::Setting(name.clone()), text.as_str())))
}

/// Finds what is new in a post on which its client has decided and is asked again.
pub(super) fn tell(approval: &Approval, shown: &mut ApprovalPost, post: &Post) {
    let is_asked_again =
        shown.state == Some(ApprovalState::Pending) && approval.decided_at.is_some();
    let Some(seen) = approval.seen.as_ref().filter(|_| is_asked_again) else { return };
    let targets = shown.targets.iter().zip(&post.targets);
    let news = targets.map(|(shown, target)| {
        let before = seen.target(target.account_id);
        before.map_or_else(TargetNews::of_new_account, |before| news(before, shown))
    });
    let is_gone =
        |target: &&SeenTarget| post.targets.iter().all(|now| now.account_id != target.account_id);
    let files = files(post);
    shown.news = Some(ApprovalNews {
        verdict: seen.verdict,
        targets: news.collect(),
        gone: seen.targets.iter().filter(is_gone).map(|target| target.platform).collect(),
        files_gone: seen.files.keys().filter(|id| !files.contains_key(id)).count(),
    });
    for file in all_files(shown) {
        file.news = match (seen.files.get(&file.id), files.get(&file.id)) {
            (None, _) => Some(FileNews::Added),
            (Some(before), Some(now)) if before != now => Some(FileNews::Described),
            (Some(_), _) => None,
        };
    }
}

fn all_files(post: &mut ApprovalPost) -> impl Iterator<Item = &mut ApprovalFile> {
    let of_targets = post.targets.iter_mut().flat_map(|target| {
        let own = target.files.iter_mut().flatten();
        target.thumbnail.iter_mut().chain(own).chain(target.thread_files.iter_mut().flatten())
    });
    post.files.iter_mut().chain(of_targets)
}

impl TargetNews {
    fn of_new_account() -> Self {
        Self { is_new: true, ..Self::default() }
    }
}

fn news(before: &SeenTarget, shown: &ApprovalTarget) -> TargetNews {
    let now: BTreeMap<Place, &str> = texts(shown).collect();
    let places = now.keys().chain(before.texts.keys().filter(|place| !now.contains_key(place)));
    let mut news = TargetNews::default();
    for place in places {
        let pieces = before.compared(place, now.get(place).copied().unwrap_or_default());
        match place {
            Place::Title => news.title = pieces,
            Place::Spoiler => news.spoiler = pieces,
            Place::Link => news.link = pieces,
            // Those that are there no more come last, in their order.
            Place::Part(_) => news.parts.push(pieces),
            Place::Setting(name) => news.settings.push((name.clone(), pieces)),
        }
    }
    news
}
