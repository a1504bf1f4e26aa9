//! What a workspace keeps to write with.

use super::{Caller, Scheduler};
use crate::error::{AppError, Refusal, Resource};
use crate::key::Scope;
use crate::post::{CONTENT_MAX_CHARACTERS, PostInput, TargetInput, check_text};
use crate::snippet::{Kept, SNIPPETS_MAX, Snippet, SnippetInput, SnippetName, SnippetView};

impl Scheduler {
    /// The snippets of a workspace by their names.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`.
    pub async fn snippets(&self, caller: &Caller) -> Result<Vec<SnippetView>, AppError> {
        caller.require(Scope::PostsRead)?;
        let snippets = self.store().snippets(caller.workspace.id).await?;
        Ok(snippets.into_iter().map(SnippetView::from).collect())
    }

    /// Saves a snippet, in place of the one of its name where there is one.
    ///
    /// # Errors
    /// `forbidden` without `posts:write`; `invalid_request` naming the field: both a text and a post
    /// or neither, a text of no or too many characters, a post that has a time or files or is not
    /// well-formed, a workspace that keeps [`SNIPPETS_MAX`] already.
    pub async fn save_snippet(
        &self,
        caller: &Caller,
        name: SnippetName,
        input: SnippetInput,
    ) -> Result<SnippetView, AppError> {
        caller.require(Scope::PostsWrite)?;
        let kept = match (input.text, input.post) {
            (Some(text), None) => Kept::Text(checked_text(text)?),
            (None, Some(post)) => Kept::Post(Box::new(checked_post(post)?)),
            (Some(_), Some(_)) | (None, None) => {
                let message = "Send either text or post: a text to add, or a template.";
                return Err(Refusal::invalid("text", message).into());
            }
        };
        let updated_at = self.ports.clock.now();
        let snippet = Snippet { workspace_id: caller.workspace.id, name, kept, updated_at };
        if self.store().save_snippet(&snippet, SNIPPETS_MAX).await? {
            return Ok(snippet.into());
        }
        let message = format!(
            "This workspace keeps {SNIPPETS_MAX} snippets, which is the limit; remove one before you add another."
        );
        Err(Refusal::invalid("name", message).into())
    }

    /// Removes a snippet. Posts that were made with it stay as they are.
    ///
    /// # Errors
    /// `forbidden` without `posts:write`; `not_found`.
    pub async fn remove_snippet(
        &self,
        caller: &Caller,
        name: &SnippetName,
    ) -> Result<(), AppError> {
        caller.require(Scope::PostsWrite)?;
        if self.store().remove_snippet(caller.workspace.id, name).await? {
            return Ok(());
        }
        Err(Refusal::not_found(Resource::Snippet).into())
    }
}

fn checked_text(text: String) -> Result<String, Refusal> {
    if text.trim().is_empty() {
        let message = format!("A text has 1 to {CONTENT_MAX_CHARACTERS} characters.");
        return Err(Refusal::invalid("text", message));
    }
    check_text("text", &text, CONTENT_MAX_CHARACTERS)?;
    Ok(text)
}

const OF_ONE_POST: &str =
    "A template has neither a time nor files; each post that is made with it has.";

/// A template is the beginning of posts to come: it has neither a time nor files of its own.
fn checked_post(post: PostInput) -> Result<PostInput, Refusal> {
    let files = [("mediaIds", post.media_ids.is_sent()), ("altTexts", post.alt_texts.is_sent())];
    let files = files.into_iter().find_map(|(field, is_sent)| is_sent.then_some(field));
    if let Some(field) = post.field_of_one_post().or(files) {
        return Err(Refusal::invalid(format!("post.{field}"), OF_ONE_POST));
    }
    let own_files = |target: &TargetInput| target.media_ids.is_sent() || target.files.is_sent();
    if post.targets.value().is_some_and(|targets| targets.iter().any(own_files)) {
        return Err(Refusal::invalid("post.targets", OF_ONE_POST));
    }
    post.check_bounds().map_err(|refusal| {
        let field = refusal.field.as_deref().unwrap_or_default();
        let field = format!("post.{field}");
        refusal.at(field)
    })?;
    Ok(post)
}
