//! Files that a network would refuse, and what is made of them instead; here, of pictures.

use super::conversion_of_videos;
use super::draft::DraftTarget;
use super::inspection::OfTarget;
use super::media_limits::is_above;
use super::media_type::is_taken;
use super::placement::placement;
use super::{Detail, Figure, MediaFacts, MediaKind, Place, Rule, Word, thumbnail};
use crate::media::{Decoding, Recipe};
use crate::platform::{
    AccountLimits, CapabilitySheet, GifPlay, Placement, Reaction, canonical_media_type,
    media_type_names,
};

pub(super) const RULE: Rule = Rule::Files(rule);

/// Largest picture that is decoded to make others of it, in pixels: some 60 MP.
///
/// Ours: what fits into the memory of an examiner as it is set. The JPEGs that are written in
/// several passes take more, and may be refused from 36 MP on.
pub const DECODED_PIXELS_MAX: u64 = 60_000_000;

/// Largest file that is decoded to make others of it, in bytes: 64 MiB.
///
/// Ours, as an examiner is set.
pub const DECODED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// What becomes of a file on its way to a network.
#[derive(Clone, Debug, PartialEq)]
pub enum Fit {
    /// It goes as it is, as far as converting is concerned: it is a document, the network takes
    /// it, or what the network refuses of it is not mended by another format or size.
    AsIs,
    /// Another file is made of it, which goes instead.
    Convert(Box<Conversion>),
    /// The network would refuse it, and nothing can be made of it.
    Impossible(Unfit),
}

/// What is made of a picture or a video.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Conversion {
    /// How: that of the sheet, within what the account allows.
    pub recipe: Recipe,
    /// What it will be. The type is the likeliest of [`Conversion::media_types`], and the size in
    /// bytes the greatest; neither is known before it is made.
    pub facts: MediaFacts,
    /// The types that it may get.
    pub media_types: Vec<&'static str>,
    /// Whether it is an animation, of which the first picture is taken.
    pub stands_still: bool,
    /// Whether transparent parts become white, if there are any.
    pub is_flattened: bool,
}

impl Conversion {
    /// Whether something of it looks other than before: it stands still, or is not transparent any
    /// more.
    const fn changes_looks(&self) -> bool {
        self.stands_still || self.is_flattened
    }
}

/// Why nothing can be made of a picture or a video that a network would refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Unfit {
    /// It is an animation, which the network plays and a still picture would not.
    Animation,
    /// It has more than [`DECODED_PIXELS_MAX`] pixels.
    TooManyPixels,
    /// It has more than [`DECODED_BYTES_MAX`] bytes.
    TooManyBytes,
    /// It takes `ffmpeg` to read it, which the server does not have.
    NeedsFfmpeg,
    /// It is of a type that is not read, or this server reads no files of its kind.
    Unreadable,
    /// The account takes no type that is made here.
    NoType,
    /// It is a video, and takes `ffmpeg`, which the server does not have.
    VideoNeedsFfmpeg,
    /// It is a video that is too long for the bytes that the network takes.
    VideoTooLong,
}

/// Tells what becomes of each file of a post on its way to a target.
///
/// ```
/// use scheduler_core::media::Decoding;
/// use scheduler_core::platform::{AccountLimits, Platform};
/// use scheduler_core::rules::{DraftTarget, Fit, MediaFacts, MediaKind, fits};
///
/// let png = MediaFacts {
///     mime_type: Some("image/png".to_owned()),
///     ..MediaFacts::of_kind(MediaKind::Image)
/// };
/// let (options, limits) = (Default::default(), AccountLimits::default());
/// let of = |platform| {
///     let target = DraftTarget::new(platform, &options, &limits);
///     fits(&target, &[png.clone()], Decoding::EVERYTHING).remove(0)
/// };
/// assert_eq!(of(Platform::Mastodon), Fit::AsIs);
/// assert!(matches!(of(Platform::Instagram), Fit::Convert(made) if made.recipe.takes("image/jpeg")));
/// ```
#[must_use]
pub fn fits(target: &DraftTarget<'_>, media: &[MediaFacts], decoding: Decoding) -> Vec<Fit> {
    let sheet = target.platform.sheet_for(target.limits);
    let placement = placement(&sheet.media, target.options, media);
    let pages = sheet.media.documents.pages_for(target.options);
    let of = |file: &MediaFacts| match pages {
        Some(pages) if file.kind.is_image() => {
            page_fit(file, pages.recipe, target.limits, decoding)
        }
        _ => fit(file, media.len(), sheet, target.limits, placement, decoding),
    };
    media.iter().map(of).collect()
}

/// Tells what becomes of the picture that the option `thumbnailMediaId` of a target names, or
/// `imageMediaId` of its link's card.
#[must_use]
pub fn thumbnail_fit(target: &DraftTarget<'_>, file: &MediaFacts, decoding: Decoding) -> Fit {
    let sheet = target.platform.sheet_for(target.limits);
    if thumbnail::keys(sheet).next().is_none() || !file.kind.is_image() {
        return Fit::AsIs;
    }
    let media_type = known_type(file);
    let is_of_type = media_type.as_deref().is_none_or(|own| sheet.media.image_types.has(own));
    if is_of_type && file.size_bytes.is_none_or(|bytes| bytes <= sheet.max_image_bytes) {
        return Fit::AsIs;
    }
    let plays = is_of_type;
    let limits = &AccountLimits::default();
    made_of(file, media_type.as_deref(), plays, sheet, limits, decoding)
}

/// What becomes of an image that is to be a page of a document.
fn page_fit(file: &MediaFacts, recipe: Recipe, limits: &AccountLimits, decoding: Decoding) -> Fit {
    made(file, known_type(file).as_deref(), false, recipe, |_| true, limits, decoding)
}

/// What becomes of one of several files.
fn fit(
    file: &MediaFacts,
    files: usize,
    sheet: &'static CapabilitySheet,
    limits: &AccountLimits,
    placement: Placement,
    decoding: Decoding,
) -> Fit {
    if file.kind == MediaKind::Video {
        return conversion_of_videos::fit(file, sheet, limits, placement, decoding);
    }
    if !file.kind.is_image() || !sheet.takes(MediaKind::Image) {
        return Fit::AsIs;
    }
    let media_type = known_type(file);
    let is_of_type = media_type.as_deref().is_none_or(|media_type| {
        sheet.media.image_types.others != Reaction::Refuses
            || is_taken(sheet, limits, MediaKind::Image, media_type)
    });
    if is_of_type && !is_above(sheet, limits, placement, file) {
        return Fit::AsIs;
    }
    let plays = is_of_type
        && match sheet.media.gif {
            GifPlay::Plays | GifPlay::RatherAlone | GifPlay::Alone => true,
            GifPlay::StandsStill => false,
            GifPlay::StandsStillInCarousel => files == 1,
        };
    made_of(file, media_type.as_deref(), plays, sheet, limits, decoding)
}

/// What is made of a picture that is refused as it is, by the sheet's recipe.
fn made_of(
    file: &MediaFacts,
    media_type: Option<&str>,
    plays: bool,
    sheet: &'static CapabilitySheet,
    limits: &AccountLimits,
    decoding: Decoding,
) -> Fit {
    let Some(recipe) = sheet.media.picture_recipe else { return Fit::AsIs };
    let takes = |made: &str| is_taken(sheet, limits, MediaKind::Image, made);
    made(file, media_type, plays, recipe, takes, limits, decoding)
}

/// What is made of a picture by a recipe; `plays` says whether the network would show an animation
/// of that type as one, `takes` which types it takes.
fn made(
    file: &MediaFacts,
    media_type: Option<&str>,
    plays: bool,
    recipe: Recipe,
    takes: impl Fn(&str) -> bool,
    limits: &AccountLimits,
    decoding: Decoding,
) -> Fit {
    let is_animation = match media_type {
        Some("image/gif") => file.frame_count != Some(1),
        _ => file.frame_count.is_some_and(|frames| frames > 1),
    };
    let pixels = file
        .width
        .zip(file.height)
        .map(|(width, height)| u64::from(width).saturating_mul(u64::from(height)));
    let recipe = Recipe {
        bytes_max: limits.max_image_bytes.unwrap_or(u64::MAX).min(recipe.bytes_max),
        pixels_max: match (recipe.pixels_max, limits.max_image_pixels) {
            (Some(own), Some(of_account)) => Some(own.min(of_account)),
            (own, of_account) => own.or(of_account),
        },
        ..recipe
    };
    let media_types = types_of(&recipe, media_type);
    let unfit = if let Some(unfit) = undecoded(media_type, decoding) {
        Some(unfit)
    } else if is_animation && plays {
        Some(Unfit::Animation)
    } else if pixels.is_some_and(|pixels| pixels > DECODED_PIXELS_MAX) {
        Some(Unfit::TooManyPixels)
    } else if file.size_bytes.is_some_and(|bytes| bytes > DECODED_BYTES_MAX) {
        Some(Unfit::TooManyBytes)
    } else if media_types.iter().any(|made| !takes(made)) {
        Some(Unfit::NoType)
    } else {
        None
    };
    if let Some(unfit) = unfit {
        return Fit::Impossible(unfit);
    }
    let size = file.width.zip(file.height).map(|(width, height)| recipe.scaled(width, height));
    let facts = MediaFacts {
        mime_type: media_types.first().map(|made| (*made).to_owned()),
        size_bytes: file.size_bytes.map(|bytes| bytes.min(recipe.bytes_max)),
        width: size.map(|size| size.0),
        height: size.map(|size| size.1),
        frame_count: Some(1),
        ..file.clone()
    };
    Fit::Convert(Box::new(Conversion {
        recipe,
        facts,
        is_flattened: media_types == ["image/jpeg"] && may_be_transparent(media_type),
        media_types,
        stands_still: is_animation,
    }))
}

/// The types that what is made of a picture may have, the likeliest first.
fn types_of(recipe: &Recipe, media_type: Option<&str>) -> Vec<&'static str> {
    let usual = recipe.usual_type();
    if !may_be_transparent(media_type) {
        return vec![usual];
    }
    let others = recipe.media_types.iter().copied();
    let is_written = |other: &&str| *other != usual && matches!(*other, "image/png" | "image/webp");
    std::iter::once(usual).chain(others.filter(is_written)).collect()
}

/// Whether pictures of a type may be transparent, or are kept without losses where that fits.
/// The transparency of an AVIF is not read.
fn may_be_transparent(media_type: Option<&str>) -> bool {
    media_type != Some("image/jpeg") && !media_type.is_some_and(takes_ffmpeg)
}

/// Whether a type is read by `ffmpeg` alone.
fn takes_ffmpeg(media_type: &str) -> bool {
    matches!(media_type, "image/heic" | "image/heif" | "image/avif")
}

fn undecoded(media_type: Option<&str>, decoding: Decoding) -> Option<Unfit> {
    match media_type {
        _ if !decoding.pictures => Some(Unfit::Unreadable),
        // What it is shows when it is here.
        None => None,
        Some(
            "image/jpeg" | "image/png" | "image/gif" | "image/webp" | "image/bmp" | "image/tiff",
        ) => None,
        Some(heif) if takes_ffmpeg(heif) => (!decoding.heif).then_some(Unfit::NeedsFfmpeg),
        Some(_) => Some(Unfit::Unreadable),
    }
}

/// Whether pictures of a type are read; one of an unknown type is.
#[cfg(feature = "engine")]
pub(crate) fn is_read(media_type: Option<&str>, decoding: Decoding) -> bool {
    undecoded(media_type.map(canonical_media_type).as_deref(), decoding).is_none()
}

/// The canonical type of a file; an empty one is as little known as none.
pub(super) fn known_type(file: &MediaFacts) -> Option<String> {
    let media_type = file.mime_type.as_deref().map(canonical_media_type);
    media_type.filter(|media_type| !media_type.is_empty())
}

fn rule(on: &mut OfTarget<'_, '_>) {
    let sheet = on.sheet;
    let Some(recipe) = sheet.media.picture_recipe else { return };
    if !sheet.takes(MediaKind::Image) && thumbnail::keys(sheet).next().is_none() {
        return;
    }
    let converted = on.warning(
        ("media", "converted"),
        format_args!(
            "A picture that would be refused is sent as {} of at most {} pixels a side and {} bytes.",
            media_type_names(types_of(&recipe, None)),
            recipe.longest_side,
            recipe.bytes_max
        ),
    );
    let not_converted = on.warning(
        ("media", "not_converted"),
        "A picture that is refused cannot be converted: it is an animation, too large to be read, \
         or of a type that is not read.",
    );
    let Some(target) = on.subject() else { return };
    let files = target.draft.media.iter().zip(&target.fits).enumerate();
    let files = files.map(|(index, (file, fit))| (Place::File(index), file, fit));
    let thumbnail = target.thumbnail.zip(target.thumbnail_fit.as_ref());
    let thumbnail = thumbnail.zip(thumbnail::key_of(target));
    let thumbnail = thumbnail.map(|((file, fit), key)| (Place::option(key), file, fit));
    for (place, file, fit) in files.chain(thumbnail) {
        if file.kind == MediaKind::Video {
            continue;
        }
        match fit {
            Fit::AsIs => {}
            // Of an image that becomes a page, only what its readers see is told.
            Fit::Convert(made) if target.pages.is_some() && !made.changes_looks() => {}
            Fit::Convert(made) => on.report(converted, detail(place, file, made)),
            Fit::Impossible(reason) => {
                // The error says what is taken, and nothing here could be done about it.
                if *reason != Unfit::Unreadable {
                    on.report(not_converted, Detail::NotConverted { place, reason: *reason });
                }
            }
        }
    }
}

/// What changes of a file that is converted.
pub(super) fn detail(place: Place, file: &MediaFacts, made: &Conversion) -> Detail {
    let size = |facts: &MediaFacts| facts.width.zip(facts.height);
    let is_scaled = size(file) != size(&made.facts);
    let is_over = file.size_bytes.is_some_and(|bytes| bytes > made.recipe.bytes_max);
    let is_recoded = file.video_codec != made.facts.video_codec;
    let is_slowed = file.fps != made.facts.fps;
    let said = |types: Vec<Word>, facts: &MediaFacts| super::detail::Picture {
        types,
        width: facts.width.filter(|_| is_scaled),
        height: facts.height.filter(|_| is_scaled),
        bytes: facts.size_bytes.filter(|_| is_over),
        codec: facts.video_codec.filter(|_| is_recoded),
        fps: facts.fps.filter(|_| is_slowed).map(Figure::new),
    };
    let found: Vec<Word> = known_type(file).into_iter().map(Word::Owned).collect();
    let becomes = made.media_types.iter().map(|made| Word::Borrowed(*made)).collect();
    Detail::Converted {
        place,
        from: said(found, file),
        to: said(becomes, &made.facts),
        stands_still: made.stands_still,
        is_flattened: made.is_flattened,
    }
}
