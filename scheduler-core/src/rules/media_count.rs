//! How many files a post may have.

use super::draft::{TargetView, widened};
use super::inspection::OfTarget;
use super::{Counted, Detail, Place, Rule};

pub(super) const RULE: Rule = Rule::Files(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let sheet = on.sheet;
    // Where no file is taken at all, the rule of kinds says so.
    if sheet.max_media_per_post == 0 {
        return;
    }
    let (files, videos) = (sheet.max_media_per_post, sheet.media.max_videos);
    let plural = |count| if count == 1 { "" } else { "s" };
    let too_many = on.error(
        ("media", "too_many"),
        format_args!("The post has more than {files} file{}.", plural(files)),
    );
    let too_many_videos = (sheet.supports_video && videos < files).then(|| {
        on.error(
            ("media", "too_many_videos"),
            format_args!("The post has more than {videos} video{}.", plural(videos)),
        )
    });
    let documents = sheet.media.documents.most;
    let too_many_documents = (documents > 0 && documents < files).then(|| {
        on.error(
            ("media", "too_many_documents"),
            format_args!("The post has more than {documents} document{}.", plural(documents)),
        )
    });
    // The same holds for a kind that is not taken.
    let takes_all =
        |target: &&TargetView<'_>| target.media.iter().all(|file| sheet.takes(file.kind));
    let Some(target) = on.subject().filter(takes_all) else { return };
    let as_they_are = target.limits.max_media.unwrap_or(files);
    let limit = target.pages.map_or(as_they_are, |pages| pages.most);
    for (finding, unit, found, most) in [
        (Some(too_many), Counted::Files, target.media.len(), limit),
        (too_many_videos, Counted::Videos, target.videos, videos),
        (too_many_documents, Counted::Documents, target.documents, documents),
    ] {
        if let Some(finding) = finding
            && found > widened(most)
        {
            let (most, place) = (widened(most), Place::Post);
            on.report(finding, Detail::TooMany { unit, found, most, place });
        }
    }
}
