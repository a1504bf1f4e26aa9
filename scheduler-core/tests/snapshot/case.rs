//! A post of the corpus, and what each network says to it.

use scheduler_core::media::{Decoding, VideoCodec};
use scheduler_core::platform::{
    AccountLimits, Disclosed, Disclosure, FileDetails, LinkCard, Platform, RequiredMedia,
};
use scheduler_core::rules::{
    Context, Draft, DraftFiles, DraftTarget, MediaFacts, MediaKind, ValidationIssue, check,
};
use serde_json::{Map, Value, json};

/// The files of a post.
#[derive(Clone)]
pub(crate) enum Files {
    /// Networks that cannot do without a file get a video that suits all of them; others none.
    AsNeeded,
    /// These, whatever the network.
    These(Vec<MediaFacts>),
}

/// A named post that goes to every network.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) content: String,
    pub(crate) link_url: Option<String>,
    pub(crate) files: Files,
    pub(crate) alt_texts: Vec<Option<String>>,
    pub(crate) options: Vec<(Platform, Map<String, Value>)>,
    pub(crate) limits: Vec<(Platform, AccountLimits)>,
    pub(crate) context: Context,
    pub(crate) disclosure: Disclosure,
    /// The file that the option `thumbnailMediaId` names.
    pub(crate) thumbnail: Option<MediaFacts>,
    /// Files that each target has in place of those of the post.
    pub(crate) own_files: Option<Vec<MediaFacts>>,
    /// What each target says of its files.
    pub(crate) details: Vec<FileDetails>,
    /// The networks that are asked.
    pub(crate) platforms: Vec<Platform>,
    /// Whether networks get the options that they cannot do without.
    has_needed_options: bool,
}

/// A post of a text alone.
pub(crate) fn text(name: impl Into<String>, content: impl Into<String>) -> Case {
    Case {
        name: name.into(),
        content: content.into(),
        link_url: None,
        files: Files::AsNeeded,
        alt_texts: Vec::new(),
        options: Vec::new(),
        limits: Vec::new(),
        // A server without ffmpeg for videos, so that what is refused of them shows.
        context: Context {
            decoding: Decoding { films: false, ..Decoding::EVERYTHING },
            ..Context::default()
        },
        disclosure: Disclosure::NONE,
        thumbnail: None,
        own_files: None,
        details: Vec::new(),
        platforms: Platform::ALL.to_vec(),
        has_needed_options: true,
    }
}

/// A post of this text and these files to one network alone.
pub(crate) fn post(
    platform: Platform,
    name: &str,
    content: &str,
    media: Vec<MediaFacts>,
    options: Value,
) -> Case {
    let case = text(format!("{platform}: {name}"), content).media(media);
    case.only(platform).with(platform, options)
}

/// A post of a short text and files.
pub(crate) fn files(name: impl Into<String>, media: impl Into<Vec<MediaFacts>>) -> Case {
    Case { files: Files::These(media.into()), ..text(name, "Hello") }
}

/// A post of one file, for the networks that take files of its kind.
pub(crate) fn one_file(name: impl Into<String>, file: MediaFacts) -> Case {
    let takes = |platform: &Platform| platform.sheet().takes(file.kind);
    let platforms = Platform::ALL.into_iter().filter(takes).collect();
    Case { platforms, ..files(name, [file]) }
}

impl Case {
    pub(crate) fn link(self, link_url: &str) -> Self {
        Self { link_url: Some(link_url.to_owned()), ..self }
    }

    pub(crate) fn media(self, media: impl Into<Vec<MediaFacts>>) -> Self {
        Self { files: Files::These(media.into()), ..self }
    }

    pub(crate) fn alt_texts(self, texts: &[Option<&str>]) -> Self {
        let alt_texts = texts.iter().map(|text| text.map(str::to_owned)).collect();
        Self { alt_texts, ..self }
    }

    /// Options of one network.
    pub(crate) fn with(mut self, platform: Platform, options: Value) -> Self {
        self.options.push((platform, options.as_object().cloned().expect("options are an object")));
        self
    }

    /// The same options for every network that knows all of them.
    pub(crate) fn with_wherever_known(mut self, options: &Value) -> Self {
        let options = options.as_object().expect("options are an object");
        let knows =
            |platform: &Platform| options.keys().all(|key| platform.sheet().option(key).is_some());
        let those = Platform::ALL.into_iter().filter(knows);
        self.options.extend(those.map(|platform| (platform, options.clone())));
        self
    }

    /// Whatever a network cannot do without, nothing is added.
    pub(crate) fn bare(self) -> Self {
        let files = match self.files {
            Files::AsNeeded => Files::These(Vec::new()),
            Files::These(media) => Files::These(media),
        };
        Self { files, has_needed_options: false, ..self }
    }

    /// Asks one network alone.
    pub(crate) fn only(self, platform: Platform) -> Self {
        Self { platforms: vec![platform], ..self }
    }

    pub(crate) fn limited(mut self, platform: Platform, limits: AccountLimits) -> Self {
        self.limits.push((platform, limits));
        self
    }

    pub(crate) fn context(self, context: Context) -> Self {
        Self { context, ..self }
    }

    pub(crate) fn disclosing(self, what: &[Disclosed]) -> Self {
        Self { disclosure: what.iter().copied().collect(), ..self }
    }

    /// A video with this picture to be shown by until it plays.
    pub(crate) fn thumbnail(self, thumbnail: MediaFacts) -> Self {
        let id = json!({"thumbnailMediaId": "0192f0c1-7e4b-7c3a-9d2e-5b6a7c8d9e0f"});
        let takes = |platform: &Platform| platform.sheet().supports_thumbnail;
        let those: Vec<Platform> = self.platforms.iter().copied().filter(takes).collect();
        let case = those.into_iter().fold(self, |case, platform| case.with(platform, id.clone()));
        Self { thumbnail: Some(thumbnail), ..case }
    }

    /// The same with the file that an option of its own names.
    pub(crate) fn naming(self, thumbnail: MediaFacts) -> Self {
        Self { thumbnail: Some(thumbnail), ..self }
    }

    /// The same with other files for its targets.
    pub(crate) fn own_files(self, media: impl Into<Vec<MediaFacts>>) -> Self {
        Self { own_files: Some(media.into()), ..self }
    }

    /// The same where the targets say this of their files.
    pub(crate) fn details(self, details: impl Into<Vec<FileDetails>>) -> Self {
        Self { details: details.into(), ..self }
    }

    pub(crate) fn media_for(&self, platform: Platform) -> Vec<MediaFacts> {
        match &self.files {
            Files::These(media) => media.clone(),
            Files::AsNeeded => match platform.sheet().requires_media {
                RequiredMedia::None => Vec::new(),
                RequiredMedia::Image | RequiredMedia::Video | RequiredMedia::ImageOrVideo => {
                    vec![video()]
                }
            },
        }
    }

    pub(crate) fn options_for(&self, platform: Platform) -> Map<String, Value> {
        let mut options = Map::new();
        if self.has_needed_options {
            if platform == Platform::Pinterest {
                options.insert("boardId".to_owned(), json!("1234567890"));
            }
            if platform == Platform::Tiktok {
                options.insert("privacy".to_owned(), json!("SELF_ONLY"));
            }
        }
        for (_, given) in self.options.iter().filter(|(of, _)| *of == platform) {
            options.extend(given.clone());
        }
        options
    }

    pub(crate) fn limits_for(&self, platform: Platform) -> AccountLimits {
        let given = self.limits.iter().find(|(of, _)| *of == platform);
        given.map(|(_, limits)| limits.clone()).unwrap_or_default()
    }

    /// Whether its images become the pages of a document.
    pub(crate) fn makes_pages(&self, platform: Platform) -> bool {
        let options = self.options_for(platform);
        platform.sheet().media.documents.pages_for(&options).is_some()
    }

    /// What one network says.
    pub(crate) fn check(&self, platform: Platform) -> Vec<ValidationIssue> {
        self.check_all(&[platform])
    }

    /// What some networks say to the post together; they get the files that the first one needs.
    pub(crate) fn check_all(&self, platforms: &[Platform]) -> Vec<ValidationIssue> {
        let media = platforms.first().map(|first| self.media_for(*first)).unwrap_or_default();
        let options: Vec<_> = platforms.iter().map(|of| self.options_for(*of)).collect();
        let limits: Vec<_> = platforms.iter().map(|of| self.limits_for(*of)).collect();
        let of_target = self.details.iter().map(|details| details.alt_text.clone());
        let alt_texts: Vec<_> =
            if self.details.is_empty() { self.alt_texts.clone() } else { of_target.collect() };
        let own = DraftFiles {
            media: self.own_files.as_deref(),
            alt_texts: &alt_texts,
            details: &self.details,
        };
        let has_own = self.own_files.is_some() || !self.details.is_empty();
        let targets: Vec<DraftTarget<'_>> = platforms
            .iter()
            .zip(options.iter().zip(&limits))
            .map(|(platform, (options, limits))| {
                let thumbnail = self.thumbnail.as_ref();
                let has_card =
                    LinkCard::of(options).is_some_and(|card| card.image_media_id.is_some());
                let is_named = platform.sheet().supports_thumbnail || has_card;
                let thumbnail = thumbnail.filter(|_| is_named);
                DraftTarget::new(*platform, options, limits)
                    .with_thumbnail(thumbnail)
                    .with_files(has_own.then_some(own))
                    .disclosing(self.disclosure)
            })
            .collect();
        let draft = Draft {
            content: &self.content,
            link_url: self.link_url.as_deref(),
            media: &media,
            alt_texts: &self.alt_texts,
            targets: &targets,
        };
        check(&draft, &self.context)
    }
}

/// An image that every network with images takes.
pub(crate) fn image() -> MediaFacts {
    MediaFacts {
        mime_type: Some("image/jpeg".to_owned()),
        size_bytes: Some(100_000),
        width: Some(1080),
        height: Some(1080),
        ..MediaFacts::of_kind(MediaKind::Image)
    }
}

/// A video that every network with videos takes.
pub(crate) fn video() -> MediaFacts {
    MediaFacts {
        mime_type: Some("video/mp4".to_owned()),
        size_bytes: Some(1_000_000),
        duration_seconds: Some(30.0),
        fps: Some(30.0),
        width: Some(1080),
        height: Some(1920),
        video_codec: Some(VideoCodec::H264),
        ..MediaFacts::of_kind(MediaKind::Video)
    }
}

/// A document that every network with documents takes.
pub(crate) fn document() -> MediaFacts {
    MediaFacts {
        mime_type: Some("application/pdf".to_owned()),
        size_bytes: Some(1_000_000),
        ..MediaFacts::of_kind(MediaKind::Document)
    }
}
