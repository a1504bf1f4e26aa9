//! What is said to a network about posts that are live, and about accounts.

use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{
    Access, Board, Comment, CommentAction, Comments, Creator, Figures, Insights, LivePost, Mention,
    NewPlaylist, Playlist, PlaylistPrivacy, RemoteEdit, unsupported,
};

use super::{Answer, Turn, TurnResult};

/// The conversations of one network after publishing; what it does not offer is refused as the
/// core's [`AfterPublishing`](scheduler_core::ports::AfterPublishing) says.
pub trait AfterConversation: Send + Sync {
    /// The next turn of changing a live post.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn edit(
        &self,
        access: &Access,
        _post: &LivePost,
        _edit: &RemoteEdit,
        _answers: &[Answer],
    ) -> TurnResult<()> {
        Err(unsupported(access.account.platform))
    }

    /// The next turn of taking a live post down.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn take_down(&self, access: &Access, _post: &LivePost, _answers: &[Answer]) -> TurnResult<()> {
        Err(unsupported(access.account.platform))
    }

    /// How many posts one conversation about figures may name.
    fn figures_at_once(&self) -> usize {
        1
    }

    /// The next turn of reading the figures of posts.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn figures(
        &self,
        access: &Access,
        _posts: &[LivePost],
        _answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        Err(unsupported(access.account.platform))
    }

    /// The next turn of reading the comments of a post.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn comments(
        &self,
        _access: &Access,
        _post: &LivePost,
        _answers: &[Answer],
    ) -> TurnResult<Option<Comments>> {
        Ok(Turn::Done(None))
    }

    /// The next turn of doing something with a comment.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn act_on_comment(
        &self,
        access: &Access,
        _post: &LivePost,
        _comment: &str,
        _act: &CommentAction,
        _answers: &[Answer],
    ) -> TurnResult<Option<Comment>> {
        Err(unsupported(access.account.platform))
    }

    /// The next turn of reading what is known of a video beyond its figures.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn insights(
        &self,
        _access: &Access,
        _post: &LivePost,
        _answers: &[Answer],
    ) -> TurnResult<Option<Insights>> {
        Ok(Turn::Done(None))
    }

    /// The next turn of counting followers.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn followers(&self, _access: &Access, _answers: &[Answer]) -> TurnResult<Option<u64>> {
        Ok(Turn::Done(None))
    }

    /// The next turn of reading what the network allows this account.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn limits(&self, _access: &Access, _answers: &[Answer]) -> TurnResult<Option<AccountLimits>> {
        Ok(Turn::Done(None))
    }

    /// The next turn of listing boards.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn boards(&self, access: &Access, _answers: &[Answer]) -> TurnResult<Vec<Board>> {
        Err(unsupported(access.account.platform))
    }

    /// The next turn of listing playlists.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn playlists(&self, access: &Access, _answers: &[Answer]) -> TurnResult<Vec<Playlist>> {
        Err(unsupported(access.account.platform))
    }

    /// The next turn of making a playlist.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn create_playlist(
        &self,
        access: &Access,
        _title: &str,
        _privacy: PlaylistPrivacy,
        _answers: &[Answer],
    ) -> TurnResult<NewPlaylist> {
        Err(unsupported(access.account.platform))
    }

    /// The next turn of reading what a creator may do.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn creator(&self, access: &Access, _answers: &[Answer]) -> TurnResult<Creator> {
        Err(unsupported(access.account.platform))
    }

    /// The next turn of looking for names that can be mentioned.
    ///
    /// # Errors
    /// [`NetworkError`](scheduler_core::ports::NetworkError) by kind.
    fn mentions(
        &self,
        _access: &Access,
        _query: &str,
        _answers: &[Answer],
    ) -> TurnResult<Vec<Mention>> {
        Ok(Turn::Done(Vec::new()))
    }
}
