//! The cards of links, made of what their pages say where a post says nothing itself.

use bytes::Bytes;
use serde_json::{Map, Value};

use crate::app::{Caller, Scheduler};
use crate::ids::MediaId;
use crate::media::{FileKey, Media, MediaKind, Transfer};
use crate::platform::{
    CapabilitySheet, IMAGE_LINK_MAX, LINK_CARD, LINK_READ_MAX, LinkCard, Shape, TextUnit,
    card_members,
};
use crate::ports::{AddOutcome, ByteStream, PageFacts, PageImage};
use crate::post::Post;
use crate::target::Target;
use crate::text::compose;
use crate::text::count::over;

/// Bytes of a picture that a page names, at most. Our decision.
const IMAGE_BYTES_MAX: usize = 5_000_000;

/// Pixels of a side of such a picture, at most. Our decision: every network gets it made smaller.
const IMAGE_SIDE_MAX: u32 = 10_000;

/// The types of such pictures that are kept, which every network gets as they are or converted.
const IMAGE_TYPES: [&str; 3] = ["image/jpeg", "image/png", "image/webp"];

/// What was read for the cards of a post.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadCards {
    /// The picture that is kept for them.
    image: Option<MediaId>,
}

/// What is written into a card.
struct Written {
    title: Option<String>,
    description: Option<String>,
    read_from: Option<String>,
    /// The picture, and where it was read.
    image: Option<(MediaId, String)>,
}

impl Scheduler {
    /// Gives each target that shows a card of the post's link, and says nothing of it, what the
    /// page says of itself. What was read of an earlier link is forgotten. A page that cannot be
    /// read changes nothing: the card shows the host of the link.
    pub(super) async fn fill_cards(&self, caller: &Caller, post: &mut Post) -> ReadCards {
        let link = post.link_url.clone();
        for target in post.targets.iter_mut().filter(|target| !target.has_started()) {
            let card = LinkCard::of(&target.options).unwrap_or_default();
            if card.read_from.is_some() && card.read_from != link {
                forget(&mut target.options);
            }
        }
        let most = usize::try_from(LINK_READ_MAX).unwrap_or(usize::MAX);
        let is_short = |link: &String| over(TextUnit::CodePoints, link, most).is_none();
        let reads = self.settings.read_link_pages;
        let none = ReadCards::default();
        let Some(link) = link.filter(|link| reads && is_short(link)) else { return none };
        let open: Vec<usize> =
            (0..post.targets.len()).filter(|index| is_open(post, *index, &link)).collect();
        if open.is_empty() {
            return none;
        }
        let page = self.ports.fetcher.page(&link).await;
        // It may have taken long, and whoever watches for changes looks back a few seconds.
        post.updated_at = post.updated_at.max(self.ports.clock.now());
        let Ok(page) = page else { return none };
        let image = match &page.image {
            Some(image) => {
                let id = self.keep_image(caller, image).await;
                id.map(|id| (id, image.url.clone()))
            }
            None => None,
        };
        let targets = post.targets.iter_mut().enumerate();
        for (_, target) in targets.filter(|(index, _)| open.contains(index)) {
            let [title, description] = said(target.platform.sheet(), &page);
            let says = title.is_some() || description.is_some() || image.is_some();
            if says {
                let (read_from, image) = (Some(link.clone()), image.clone());
                write(&mut target.options, Written { title, description, read_from, image });
            }
        }
        ReadCards { image: image.map(|(id, _)| id) }
    }

    /// Keeps the picture of a page as a file of the workspace; `None` where it cannot be had, and
    /// nothing is left of it then.
    async fn keep_image(&self, caller: &Caller, image: &PageImage) -> Option<MediaId> {
        let most = usize::try_from(IMAGE_LINK_MAX).unwrap_or(usize::MAX);
        let is_long = over(TextUnit::CodePoints, &image.url, most).is_some();
        if image.bytes.len() > IMAGE_BYTES_MAX || is_long {
            return None;
        }
        let now = self.ports.clock.now();
        let id = MediaId(self.ports.ids.next(now));
        let transfer = Transfer::Ingest { source_url: image.url.clone() };
        let media = Media::declared(id, caller.workspace.id, MediaKind::Image, transfer, now);
        let kept = self.examined_image(media, &image.bytes).await;
        let bytes = self.allowances(caller).upload_bytes_a_month;
        if let Some(media) = &kept
            && let Ok(AddOutcome::Stored) = self.store().create_media(media, bytes, None).await
        {
            return Some(id);
        }
        // Nobody knows of it, so that nobody is left to try again.
        let _ = self.ports.files.erase(&FileKey::folder(caller.workspace.id, id)).await;
        None
    }

    /// A file with these bytes, once they were looked at; `None` where they are no such picture.
    async fn examined_image(&self, media: Media, bytes: &Bytes) -> Option<Media> {
        let (files, folder) = (&self.ports.files, media.folder());
        files.check_room(u64::try_from(bytes.len()).ok()?).await.ok()?;
        let (original, stream) = (folder.original(), ByteStream::once(bytes.clone()));
        let size = files.write(&original, "application/octet-stream", stream).await.ok()?;
        let now = media.created_at;
        let media = self.examined(&media.arrived(size, now)).await?;
        let is_small = |side: Option<u32>| side.is_some_and(|side| side <= IMAGE_SIDE_MAX);
        let is_taken = media.kind == MediaKind::Image
            && media.mime_type.as_deref().is_some_and(|own| IMAGE_TYPES.contains(&own))
            && is_small(media.width)
            && is_small(media.height);
        is_taken.then_some(media)
    }

    /// Deletes what was read for the cards of a post that was not stored.
    pub(super) async fn forget_cards(&self, caller: &Caller, read: &ReadCards) {
        let Some(image) = read.image else { return };
        let now = self.ports.clock.now();
        // Where it fails, the file is one that no post has.
        let _ = self.store().erase_media(caller.workspace.id, image, now).await;
        self.ports.wake.wake();
    }
}

/// Whether a target shows a card of the link and says nothing of it.
fn is_open(post: &Post, index: usize, link: &str) -> bool {
    let Some(target) = post.targets.get(index).filter(|target| !target.has_started()) else {
        return false;
    };
    let Target { platform, options, .. } = target;
    let card = LinkCard::of(options).unwrap_or_default();
    if !LinkCard::is_ours_on(platform.sheet()) || card.title.or(card.description).is_some() {
        return false;
    }
    let has_files = !post.media_of(target).is_empty();
    let composed = compose(&post.content, Some(link), has_files, *platform, options);
    composed.link_card.is_some()
}

/// The title and the description of a page, as far as the card of a network takes them.
fn said(sheet: &CapabilitySheet, page: &PageFacts) -> [Option<String>; 2] {
    let members = card_members(sheet);
    [("title", &page.title), ("description", &page.description)].map(|(key, text)| {
        let member = members.iter().find(|member| member.key == key)?;
        let Shape::Text(most) = member.shape else { return None };
        text.as_deref().map(|text| shortened(text, most))
    })
}

/// A text of at most so many code points, which shows where it was cut.
fn shortened(text: &str, most: u32) -> String {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Takes out of the card of a target what was read of a page.
fn forget(options: &mut Map<String, Value>) {
    let card = LinkCard::of(options).unwrap_or_default();
    let nothing = Written { title: None, description: None, read_from: None, image: None };
    write(options, nothing);
    if card.image_read_from.is_some()
        && let Some(Value::Object(card)) = options.get_mut(LINK_CARD)
    {
        card.remove("imageMediaId");
        card.remove("imageReadFrom");
        if card.is_empty() {
            options.remove(LINK_CARD);
        }
    }
}

/// Writes what was read into the card of a target. What else the card says stays, its own picture
/// too; one that says nothing is taken out.
fn write(options: &mut Map<String, Value>, written: Written) {
    let card = options.get(LINK_CARD).and_then(Value::as_object);
    let mut card = card.cloned().unwrap_or_default();
    let Written { title, description, read_from, image } = written;
    let texts = [("title", title), ("description", description), ("readFrom", read_from)];
    for (key, text) in texts {
        match text {
            Some(text) => card.insert(key.to_owned(), text.into()),
            None => card.remove(key),
        };
    }
    if let Some((id, url)) = image.filter(|_| !card.contains_key("imageMediaId")) {
        card.insert("imageMediaId".to_owned(), id.to_string().into());
        card.insert("imageReadFrom".to_owned(), url.into());
    }
    if card.is_empty() {
        options.remove(LINK_CARD);
    } else {
        options.insert(LINK_CARD.to_owned(), card.into());
    }
}
