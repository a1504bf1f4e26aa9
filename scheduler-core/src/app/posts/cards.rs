//! The cards of links, made of what their pages say where a post says nothing itself.

use serde_json::{Map, Value};

use crate::app::Scheduler;
use crate::platform::{
    CapabilitySheet, LINK_CARD, LINK_READ_MAX, LinkCard, OptionValue, Shape, TextUnit,
};
use crate::ports::PageFacts;
use crate::post::Post;
use crate::target::Target;
use crate::text::compose;
use crate::text::count::over;

impl Scheduler {
    /// Gives each target that shows a card of the post's link, and says nothing of it, what the
    /// page says of itself. What was read of an earlier link is forgotten. A page that cannot be
    /// read changes nothing: the card shows the host of the link.
    pub(super) async fn fill_cards(&self, post: &mut Post) {
        let link = post.link_url.clone();
        for target in post.targets.iter_mut().filter(|target| !target.has_started()) {
            let card = LinkCard::of(&target.options).unwrap_or_default();
            if card.read_from.is_some() && card.read_from != link {
                write(&mut target.options, [None, None, None]);
            }
        }
        let most = usize::try_from(LINK_READ_MAX).unwrap_or(usize::MAX);
        let is_short = |link: &String| over(TextUnit::CodePoints, link, most).is_none();
        let reads = self.settings.read_link_pages;
        let Some(link) = link.filter(|link| reads && is_short(link)) else { return };
        let open: Vec<usize> =
            (0..post.targets.len()).filter(|index| is_open(post, *index, &link)).collect();
        if open.is_empty() {
            return;
        }
        let Ok(page) = self.ports.fetcher.page(&link).await else { return };
        let targets = post.targets.iter_mut().enumerate();
        for (_, target) in targets.filter(|(index, _)| open.contains(index)) {
            let [title, description] = said(target.platform.sheet(), &page);
            if title.is_some() || description.is_some() {
                write(&mut target.options, [title, description, Some(link.clone())]);
            }
        }
    }
}

/// Whether a target shows a card of the link and says nothing of it.
fn is_open(post: &Post, index: usize, link: &str) -> bool {
    let Some(target) = post.targets.get(index).filter(|target| !target.has_started()) else {
        return false;
    };
    let Target { platform, options, .. } = target;
    let card = LinkCard::of(options).unwrap_or_default();
    if !LinkCard::is_known_to(platform.sheet()) || card.title.or(card.description).is_some() {
        return false;
    }
    let has_files = !post.media_of(target).is_empty();
    let composed = compose(&post.content, Some(link), has_files, *platform, options);
    composed.link_card.is_some()
}

/// The title and the description of a page, as far as the card of a network takes them.
fn said(sheet: &CapabilitySheet, page: &PageFacts) -> [Option<String>; 2] {
    let members = match sheet.option(LINK_CARD).map(|option| option.value) {
        Some(OptionValue::Shaped(Shape::Object(members))) => *members,
        _ => &[],
    };
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

/// Writes title, description and where they were read into the card of a target. What else the card
/// says stays; one that says nothing is taken out.
fn write(options: &mut Map<String, Value>, read: [Option<String>; 3]) {
    let card = options.get(LINK_CARD).and_then(Value::as_object);
    let mut card = card.cloned().unwrap_or_default();
    for (key, text) in ["title", "description", "readFrom"].into_iter().zip(read) {
        match text {
            Some(text) => card.insert(key.to_owned(), text.into()),
            None => card.remove(key),
        };
    }
    if card.is_empty() {
        options.remove(LINK_CARD);
    } else {
        options.insert(LINK_CARD.to_owned(), card.into());
    }
}
