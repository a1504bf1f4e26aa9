//! The alternative texts that files have themselves, for posts that say nothing else of them.

use serde_json::{Map, Value, json};

use super::named::NamedFiles;
use crate::app::CheckInput;
use crate::ids::MediaId;
use crate::platform::{Platform, THREAD, ThreadPart};
use crate::post::{Field, Post, PostInput, TargetInput};
use crate::target::TargetFiles;

impl NamedFiles {
    /// Gives a post the texts of the files that a request names and says nothing of: those of the
    /// post where there are no `altTexts`, and those of its targets and the parts of threads.
    pub(crate) fn describe(&self, post: &mut Post, input: &PostInput) {
        if input.media_ids.is_sent() && !input.alt_texts.is_sent() {
            self.fill(&post.media_ids, &mut post.alt_texts);
        }
        if input.targets.is_sent() {
            for target in post.targets.iter_mut().filter(|target| !target.has_started()) {
                self.fill_parts(target.platform, &mut target.options);
                self.fill_details(&mut target.files, (&post.media_ids, &post.alt_texts));
            }
        }
    }

    /// The same for a dry run.
    pub(in crate::app) fn describe_checked(
        &self,
        input: &mut CheckInput,
        targets: &mut [TargetInput],
    ) {
        let ids = input.media_ids.clone().unwrap_or_default();
        if input.alt_texts.is_none() {
            self.fill(&ids, input.alt_texts.get_or_insert_default());
        }
        for target in targets {
            if let Some(options) = &mut target.options {
                self.fill_parts(target.platform, options);
            }
            let mut files = target.target_files();
            self.fill_details(&mut files, (&ids, input.alt_texts.as_deref().unwrap_or_default()));
            target.files = Field::Value(files.details);
        }
    }

    fn alt_text(&self, id: MediaId) -> Option<&String> {
        self.get(id)?.description.alt_text.as_ref()
    }

    fn fill(&self, ids: &[MediaId], texts: &mut Vec<Option<String>>) {
        for (index, id) in ids.iter().enumerate() {
            let Some(text) = self.alt_text(*id) else { continue };
            if texts.len() <= index {
                texts.resize(index + 1, None);
            }
            texts[index].get_or_insert_with(|| text.clone());
        }
    }

    fn fill_details(&self, files: &mut TargetFiles, of_post: (&[MediaId], &[Option<String>])) {
        for id in files.media_ids.clone().unwrap_or_default() {
            if let (None, Some(text)) = (files.alt_text_of(id, of_post), self.alt_text(id)) {
                files.details.entry(id).or_default().alt_text = Some(text.clone());
            }
        }
    }

    fn fill_parts(&self, platform: Platform, options: &mut Map<String, Value>) {
        let mut parts = ThreadPart::all(platform, options);
        for part in &mut parts {
            if part.alt_texts.is_empty() {
                self.fill(&part.media_ids, &mut part.alt_texts);
            }
        }
        if parts != ThreadPart::all(platform, options) {
            options.insert(THREAD.key.to_owned(), json!(parts));
        }
    }
}
