//! The words that posts are found by, as `post_words` keeps them.

use scheduler_core::ids::WorkspaceId;
use scheduler_core::post::Post;

/// The words of a post, of its workspace alone.
pub(crate) fn words_of(post: &Post) -> Vec<String> {
    within(post.workspace_id, post.search_words())
}

/// Words as they are kept for a workspace: letters and digits, after eight digits that few other
/// workspaces have. Ids begin with their time and end at random.
pub(crate) fn within(
    workspace: WorkspaceId,
    words: impl IntoIterator<Item = String>,
) -> Vec<String> {
    let id = workspace.0.simple().to_string();
    let mark = &id[id.len() - 8..];
    words.into_iter().map(|word| format!("{mark}{word}")).collect()
}
