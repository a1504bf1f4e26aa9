//! The cards of links, made of what their pages say where a post says nothing itself.

use crate::app::Scheduler;
use crate::platform::LinkCard;
use crate::post::Post;
use crate::target::Target;
use crate::text::compose;

impl Scheduler {
    /// Gives each target that shows a card of the post's link, and says nothing of it, what the
    /// page says of itself. What was read of an earlier link is forgotten. A page that cannot be
    /// read changes nothing: the card shows the host of the link.
    pub(super) async fn fill_cards(&self, post: &mut Post) {
        let link = post.link_url.clone();
        for target in &mut post.targets {
            let card = LinkCard::of(&target.options).unwrap_or_default();
            if is_changeable(target) && card.read_from.is_some() && card.read_from != link {
                let LinkCard { image_media_id, .. } = card;
                LinkCard { image_media_id, ..LinkCard::default() }.set(&mut target.options);
            }
        }
        let Some(link) = link.filter(|_| self.settings.read_link_pages) else { return };
        let open: Vec<usize> =
            (0..post.targets.len()).filter(|index| is_open(post, *index, &link)).collect();
        if open.is_empty() {
            return;
        }
        let Ok(page) = self.ports.fetcher.page(&link).await else { return };
        let (title, description) = (page.title.as_deref(), page.description.as_deref());
        let targets = post.targets.iter_mut().enumerate();
        for (_, target) in targets.filter(|(index, _)| open.contains(index)) {
            let read = LinkCard::read(target.platform.sheet(), &link, title, description);
            if let Some(read) = read {
                let given = LinkCard::of(&target.options).unwrap_or_default();
                LinkCard { image_media_id: given.image_media_id, ..read }.set(&mut target.options);
            }
        }
    }
}

/// Whether a target may still become another one.
const fn is_changeable(target: &Target) -> bool {
    !target.has_started()
}

/// Whether a target shows a card of the link and says nothing of it.
fn is_open(post: &Post, index: usize, link: &str) -> bool {
    let Some(target) = post.targets.get(index) else { return false };
    let card = LinkCard::of(&target.options).unwrap_or_default();
    let says = card.title.is_some() || card.description.is_some();
    let has_files = !post.media_of(target).is_empty();
    let knows_cards = LinkCard::is_known_to(|key| target.platform.sheet().option(key));
    let shows = || {
        let composed =
            compose(&post.content, Some(link), has_files, target.platform, &target.options);
        composed.link_card.is_some()
    };
    is_changeable(target) && knows_cards && !says && shows()
}
