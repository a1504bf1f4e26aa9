//! The files of a post in the composer: their tiles in order, what else the library has, and the
//! buttons that arrange them.

use scheduler_core::account::AccountView;
use scheduler_core::ids::{AccountId, MediaId};
use scheduler_core::media::{MediaKind, MediaListInput, MediaStatus, MediaView};
use scheduler_core::platform::Platform;
use scheduler_core::post::MEDIA_MAX_COUNT;
use scheduler_core::rules::keeps_description;
use scheduler_http::visit::{Brought, Declined, Form, changed};
use warp::reply::Response;

use super::cover::Cover;
use super::written::Written;
use crate::media::{self, FIELD, Shown};
use crate::visitor::Visitor;

/// Files of the library that are offered.
const LIBRARY: &str = "48";

/// What the buttons of a tile do, and what stands on them.
pub(super) const EARLIER: (&str, &str) = ("earlier", "Earlier");
pub(super) const LATER: (&str, &str) = ("later", "Later");
pub(super) const REMOVE: (&str, &str) = ("remove", "Remove");

/// What the composer shows of files.
pub(super) struct Files {
    pub(super) tiles: Vec<Tile>,
    pub(super) library: Vec<Offered>,
    /// True while nothing else can be added.
    pub(super) is_full: bool,
    /// An address that was refused, to be mended.
    pub(super) address: String,
}

/// A file of the library.
pub(super) struct Offered {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) picture: String,
    pub(super) alt: String,
}

/// A file of the post.
pub(super) struct Tile {
    pub(super) id: String,
    pub(super) place: usize,
    pub(super) href: String,
    /// `None` until there is one.
    pub(super) picture: Option<String>,
    pub(super) name: String,
    pub(super) alt: String,
    pub(super) word: String,
    pub(super) is_failed: bool,
    pub(super) is_busy: bool,
    pub(super) may_crop: bool,
    /// The networks of the post that would keep a description and get none, in words.
    pub(super) lacks: String,
    /// The frame that is its cover, by accounts; of the first video alone.
    pub(super) covers: Vec<Cover>,
    /// The video itself, where its frames can be shown.
    pub(super) video: Option<String>,
}

impl Files {
    pub(super) async fn of(
        visitor: &Visitor,
        written: &Written,
        views: &[MediaView],
        accounts: &[AccountView],
    ) -> Result<Self, Declined> {
        let mut platforms: Vec<Platform> = accounts
            .iter()
            .filter(|account| written.accounts.contains(&account.id))
            .map(|account| account.platform)
            .collect();
        platforms.sort_unstable();
        platforms.dedup();
        let first_video = views.iter().position(|view| view.kind == MediaKind::Video);
        let tiles = views.iter().zip(&written.files).enumerate();
        let tiles: Vec<Tile> = tiles
            .map(|(index, (view, (id, alt)))| Tile {
                id: id.to_string(),
                place: index + 1,
                href: visitor.at(&format!("media/{id}")),
                picture: media::preview(visitor, view),
                name: media::name(view),
                alt: alt.clone(),
                word: media::word(view),
                is_failed: view.status == MediaStatus::Failed,
                is_busy: media::is_busy(view),
                may_crop: media::may_crop(view),
                lacks: lacks(&platforms, view.kind),
                covers: match first_video {
                    Some(first) if first == index => Cover::of(written, accounts),
                    _ => Vec::new(),
                },
                video: match Shown::of(visitor, view) {
                    Shown::Video { address, .. } => Some(address),
                    _ => None,
                },
            })
            .collect();
        let input = MediaListInput { limit: Some(LIBRARY.to_owned()), ..MediaListInput::default() };
        let page = visitor.scheduler().list_media(&visitor.caller, &input).await?;
        let library = page.data.into_iter().map(|listed| listed.media);
        let library = library
            .filter(|media| media.status == MediaStatus::Ready)
            .filter(|media| !written.files.iter().any(|(id, _)| *id == media.id));
        Ok(Self {
            is_full: tiles.len() >= MEDIA_MAX_COUNT,
            tiles,
            library: library
                .map(|media| Offered {
                    id: media.id.to_string(),
                    name: media::name(&media),
                    picture: visitor.at(&format!("media/{}/thumb", media.id)),
                    alt: media.alt_text.clone().unwrap_or_default(),
                })
                .collect(),
            address: written.address.clone(),
        })
    }

    /// Whether the field of this id stands beside a tile.
    pub(super) fn has_field(&self, id: &str) -> bool {
        self.tiles.iter().any(|tile| tile.covers.iter().any(|cover| cover.id == id))
    }

    /// The files that can be chosen, by id and name.
    pub(super) fn named(&self) -> Vec<(String, String)> {
        let tiles = self.tiles.iter().filter(|tile| tile.picture.is_some());
        let tiles = tiles.map(|tile| (tile.id.clone(), tile.name.clone()));
        let library = self.library.iter().map(|file| (file.id.clone(), file.name.clone()));
        tiles.chain(library).collect()
    }
}

/// The networks that keep a description of a file of this kind, in words.
fn lacks(platforms: &[Platform], kind: MediaKind) -> String {
    let keep = platforms.iter().filter(|platform| keeps_description(**platform, kind));
    keep.map(|platform| platform.sheet().name).collect::<Vec<_>>().join(", ")
}

/// The files of a post, in order.
pub(super) async fn views(
    visitor: &Visitor,
    written: &Written,
) -> Result<Vec<MediaView>, Declined> {
    let ids: Vec<MediaId> = written.files.iter().map(|(id, _)| *id).collect();
    Ok(visitor.scheduler().files_named(&visitor.caller, &ids).await?)
}

/// What a form says, with the files that came with it.
pub(super) struct Sent {
    pub(super) form: Form,
    pub(super) written: Written,
    /// Why a file that came with it was not taken.
    pub(super) refused: Option<String>,
    has_taken: bool,
}

impl Sent {
    /// The answer, which has changed something where files were taken.
    pub(super) fn noted(&self, answer: Response) -> Response {
        if self.has_taken { changed(answer) } else { answer }
    }
}

/// Reads the form of the composer. A file that is new in it has the description of the library.
pub(super) async fn sent(visitor: &mut Visitor) -> Result<Sent, Declined> {
    let Brought { form, taken, refused } = visitor.form_with_files(FIELD).await?;
    let mut written = Written::from_form(&form);
    let is_new = |id: &MediaId| form.only(&format!("alt.{id}")).is_none();
    if written.files.iter().any(|(id, _)| is_new(id)) {
        let views = views(visitor, &written).await?;
        for ((id, alt), view) in written.files.iter_mut().zip(views) {
            if is_new(id) {
                *alt = view.alt_text.unwrap_or_default();
            }
        }
    }
    let refused = refused.map(|declined| declined.message().to_owned());
    Ok(Sent { form, written, refused, has_taken: taken > 0 })
}

/// Does what a button of a tile says; false for any other button.
pub(super) fn arrange(written: &mut Written, button: &str) -> bool {
    let Some((act, id)) = button.split_once('.') else { return false };
    let Some(place) = written.files.iter().position(|(file, _)| file.to_string() == id) else {
        return false;
    };
    let last = written.files.len() - 1;
    if act == EARLIER.0 {
        written.files.swap(place, place.saturating_sub(1));
    } else if act == LATER.0 {
        written.files.swap(place, (place + 1).min(last));
    } else if act == REMOVE.0 {
        written.files.remove(place);
    } else {
        return false;
    }
    true
}

/// The file that is to be cropped, and the account for which alone, by the button that was pressed.
pub(super) fn to_crop(form: &Form) -> Option<(MediaId, Option<AccountId>)> {
    let named = form.only("do")?.strip_prefix("crop.")?;
    Some(match named.split_once('.') {
        Some((file, account)) => (file.parse().ok()?, Some(account.parse().ok()?)),
        None => (named.parse().ok()?, None),
    })
}

#[cfg(test)]
mod tests {
    use scheduler_core::uuid::Uuid;

    use super::*;

    #[test]
    fn files_are_put_in_order() {
        let id = |number| MediaId(Uuid::from_u128(number));
        for (name, button, place, want) in [
            ("earlier", "earlier", 2, Some([2, 1, 3].as_slice())),
            ("the first stays", "earlier", 1, Some(&[1, 2, 3])),
            ("later", "later", 2, Some(&[1, 3, 2])),
            ("the last stays", "later", 3, Some(&[1, 2, 3])),
            ("removed", "remove", 2, Some(&[1, 3])),
            ("another button", "crop", 2, None),
            ("another file", "later", 9, None),
        ] {
            let mut written = Written {
                files: [1, 2, 3].map(|number| (id(number), number.to_string())).into(),
                ..Written::default()
            };
            let is_done = arrange(&mut written, &format!("{button}.{}", id(place)));
            assert_eq!(is_done, want.is_some(), "{name}");
            let found: Vec<u128> = written.files.iter().map(|(id, _)| id.0.as_u128()).collect();
            assert_eq!(found, want.unwrap_or(&[1, 2, 3]), "{name}");
            let alts = written.files.iter().all(|(id, alt)| *alt == id.0.as_u128().to_string());
            assert!(alts, "{name}: descriptions go with their files");
        }
        assert!(!arrange(&mut Written::default(), "check"));
    }
}
