//! A message as it is sent, and as it is known again.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{JobFile, LivePost, PublishJob};
use scheduler_core::text::compose;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::extras;
use super::wire::Message;
use crate::conversation::{Body, FileBody, FormPart};
use crate::document_name::document_name;
use crate::likeness::Likeness;
use crate::request_body::extension;

/// Characters of a nonce.
///
/// Source: <https://docs.discord.com/developers/resources/message#create-message>.
const NONCE_LENGTH: usize = 25;

const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The text of the post.
pub(super) fn text(job: &PublishJob) -> String {
    let link = job.link_url.as_deref();
    let has_files = !job.files.is_empty();
    let composed = compose(&job.content, link, has_files, Platform::Discord, &job.options);
    composed.text().to_owned()
}

/// The text that takes the place of the one that was published; what was said of the link and of
/// files still holds.
pub(super) fn new_text(
    content: &str,
    link_url: Option<&str>,
    has_files: bool,
    options: &serde_json::Map<String, Value>,
) -> String {
    let mut options = options.clone();
    // It stood in the place of the text that is now replaced.
    options.remove("caption");
    compose(content, link_url, has_files, Platform::Discord, &options).text().to_owned()
}

/// The name of the thread that the post opens.
pub(super) fn thread_name(job: &PublishJob) -> Option<&str> {
    let name = job.options.get("threadName").and_then(Value::as_str).map(str::trim);
    name.filter(|name| !name.is_empty())
}

/// What stands above the files and the poll of the message; a text that its poll asks stands there
/// alone.
fn content(job: &PublishJob) -> String {
    if extras::asks_by_text(job) { String::new() } else { text(job) }
}

/// The message of a post, without its files. Ids of files are text, as all ids.
///
/// Source: <https://github.com/discord/discord-api-spec>, `MessageAttachmentRequest`.
pub(super) fn message(job: &PublishJob) -> Value {
    let mut message = json!({ "allowed_mentions": extras::mentions(&job.options) });
    let content = content(job);
    if !content.is_empty() {
        message["content"] = content.into();
    }
    extras::add_to(&mut message, job, &text(job));
    if !job.files.is_empty() {
        let attachments = job.files.iter().enumerate().map(|(index, file)| {
            let id = index.to_string();
            let mut attachment = json!({ "id": id, "filename": file_name(job, index) });
            if let Some(alt) = file.alt_text.as_deref().filter(|alt| !alt.is_empty()) {
                attachment["description"] = alt.into();
            }
            attachment
        });
        message["attachments"] = attachments.collect();
    }
    message
}

/// The body of a call with the files of a post, if it has some.
pub(super) fn body(job: &PublishJob, value: Value) -> Body {
    if job.files.is_empty() {
        return Body::Json(value);
    }
    let files = job.files.iter().enumerate().map(|(index, file)| {
        let name = stem(job, file);
        FormPart::file(format!("files[{index}]"), name, FileBody::of(file))
    });
    Body::Multipart([FormPart::json("payload_json", value)].into_iter().chain(files).collect())
}

/// What a file is called.
fn file_name(job: &PublishJob, index: usize) -> String {
    job.files.get(index).map_or_else(String::new, |file| {
        let media_type = FileBody::of(file).media_type;
        format!("{}.{}", stem(job, file), extension(&media_type))
    })
}

/// The name of a file without its extension: its id, so that it is known again, behind the name
/// of a document, which is what people see of it.
fn stem(job: &PublishJob, file: &JobFile) -> String {
    let name = document_name(file).map_or_else(String::new, |name| name + "-");
    format!("{}{name}{}", prefix(job, file), file.id)
}

/// How the names of files begin: that of a covered one says so.
///
/// Source: <https://github.com/discord/discord-api-docs/discussions/3094>.
fn prefix(job: &PublishJob, file: &JobFile) -> &'static str {
    if extras::hides_file(job, file) { "SPOILER_" } else { "" }
}

/// The nonce of a publish: the same on every repeat.
pub(super) fn nonce(job: &PublishJob) -> String {
    nonce_of(&format!("{}:{}", job.target_id, job.revision))
}

/// The nonce of an answer to a comment: the same for the same text.
pub(super) fn reply_nonce(post: &LivePost, comment: &str, text: &str) -> String {
    nonce_of(&format!("{}:reply:{comment}:{text}", post.target_id))
}

fn nonce_of(name: &str) -> String {
    let digest = Sha256::digest(name);
    // Five bits of each byte, which are as random as all eight.
    let letters = digest.iter().take(NONCE_LENGTH);
    letters.map(|byte| char::from(BASE32[usize::from(byte & 31)])).collect()
}

/// How much a message is like the post of the job. Discord keeps every file of a message that
/// nobody has edited.
pub(super) fn likeness(found: &Message, job: &PublishJob) -> Likeness {
    let is_edited = found.edited_timestamp.is_some();
    if found.attachments.len() != job.files.len() {
        return Likeness::Other.edited(is_edited);
    }
    let names = found.attachments.iter().map(|file| file.filename.clone());
    let wanted = (0..job.files.len()).map(|index| file_name(job, index));
    let likeness = Likeness::of_texts(&content(job), &found.content, plain);
    likeness.unless(!names.eq(wanted)).edited(is_edited)
}

/// A text without what the server may drop: space, controls and marks that nobody sees.
pub(super) fn plain(text: &str) -> String {
    let is_unseen = |character: char| {
        character.is_whitespace()
            || character.is_control()
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{ffff}')
    };
    text.chars().filter(|character| !is_unseen(*character)).collect()
}

#[cfg(test)]
mod tests {
    use scheduler_core::ids::TargetId;
    use uuid::Uuid;

    use super::super::testing::webhook_job;
    use super::*;
    use crate::testing::with_options;

    #[test]
    fn a_nonce_belongs_to_one_target_and_revision() {
        let job = webhook_job();
        let mut other = job.clone();
        other.target_id = TargetId(Uuid::from_u128(7));
        let mut anew = job.clone();
        anew.revision = 1;
        assert_eq!(nonce(&job), nonce(&job.clone()));
        assert_ne!(nonce(&job), nonce(&other));
        assert_ne!(nonce(&job), nonce(&anew));
        assert_eq!(nonce(&job).chars().count(), 25);
    }

    #[test]
    fn texts_are_compared_without_what_nobody_sees() {
        for (name, sent, shown, want) in [
            ("the same", "Hello", "Hello", true),
            ("space around", " a \n", "a", true),
            ("a mark that nobody sees", "a\u{200b}b", "ab", true),
            ("a noncharacter", "a\u{ffff}", "a", true),
            ("another letter", "a", "b", false),
            ("case", "a", "A", false),
            ("emoji", "👍", "", false),
        ] {
            assert_eq!(plain(sent) == plain(shown), want, "{name}");
        }
    }

    #[test]
    fn a_thread_has_a_name_or_there_is_none() {
        for (options, want) in [
            (json!({}), None),
            (json!({ "threadName": "  News " }), Some("News")),
            (json!({ "threadName": "  " }), None),
            (json!({ "threadName": 5 }), None),
        ] {
            let job = with_options(webhook_job(), options.clone());
            assert_eq!(thread_name(&job), want, "{options}");
        }
    }

    #[test]
    fn a_new_text_takes_the_place_of_the_caption_and_keeps_the_link() {
        let options = json!({ "caption": "Before" });
        let options = options.as_object().unwrap();
        assert_eq!(
            new_text("After", Some("https://a.example/x"), false, options),
            "After\nhttps://a.example/x"
        );
    }
}
