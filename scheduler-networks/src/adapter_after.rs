//! A network's side after publishing, made of conversations and the driver.

use async_trait::async_trait;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{
    Access, AfterPublishing, Board, Comment, CommentAction, Comments, Creator, Figures, Insights,
    LivePost, Mention, NetworkError, NewPlaylist, Playlist, PlaylistPrivacy, RemoteEdit,
};

use crate::adapter::Adapter;
use crate::conversation::{AfterConversation, Conversation};

#[async_trait]
impl<C: Conversation + AfterConversation> AfterPublishing for Adapter<C> {
    async fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
    ) -> Result<(), NetworkError> {
        self.hold_metered("edit", access, |answers| {
            self.conversation.edit(access, post, edit, answers)
        })
        .await
    }

    async fn take_down(&self, access: &Access, post: &LivePost) -> Result<(), NetworkError> {
        self.hold_metered("take_down", access, |answers| {
            self.conversation.take_down(access, post, answers)
        })
        .await
    }

    fn figures_at_once(&self) -> usize {
        self.conversation.figures_at_once()
    }

    async fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
    ) -> Result<Vec<Option<Figures>>, NetworkError> {
        self.hold_metered("figures", access, |answers| {
            self.conversation.figures(access, posts, answers)
        })
        .await
    }

    async fn comments(
        &self,
        access: &Access,
        post: &LivePost,
    ) -> Result<Option<Comments>, NetworkError> {
        self.hold_metered("comments", access, |answers| {
            self.conversation.comments(access, post, answers)
        })
        .await
    }

    async fn act_on_comment(
        &self,
        access: &Access,
        post: &LivePost,
        comment: &str,
        act: &CommentAction,
    ) -> Result<Option<Comment>, NetworkError> {
        self.hold_metered("act_on_comment", access, |answers| {
            self.conversation.act_on_comment(access, post, comment, act, answers)
        })
        .await
    }

    async fn insights(
        &self,
        access: &Access,
        post: &LivePost,
    ) -> Result<Option<Insights>, NetworkError> {
        self.hold_metered("insights", access, |answers| {
            self.conversation.insights(access, post, answers)
        })
        .await
    }

    async fn followers(&self, access: &Access) -> Result<Option<u64>, NetworkError> {
        self.hold_metered("followers", access, |answers| {
            self.conversation.followers(access, answers)
        })
        .await
    }

    async fn limits(&self, access: &Access) -> Result<Option<AccountLimits>, NetworkError> {
        self.hold_metered("limits", access, |answers| self.conversation.limits(access, answers))
            .await
    }

    async fn boards(&self, access: &Access) -> Result<Vec<Board>, NetworkError> {
        self.hold_metered("boards", access, |answers| self.conversation.boards(access, answers))
            .await
    }

    async fn playlists(&self, access: &Access) -> Result<Vec<Playlist>, NetworkError> {
        self.hold_metered("playlists", access, |answers| {
            self.conversation.playlists(access, answers)
        })
        .await
    }

    async fn create_playlist(
        &self,
        access: &Access,
        title: &str,
        privacy: PlaylistPrivacy,
    ) -> Result<NewPlaylist, NetworkError> {
        self.hold_metered("create_playlist", access, |answers| {
            self.conversation.create_playlist(access, title, privacy, answers)
        })
        .await
    }

    async fn creator(&self, access: &Access) -> Result<Creator, NetworkError> {
        self.hold_metered("creator", access, |answers| self.conversation.creator(access, answers))
            .await
    }

    async fn mentions(&self, access: &Access, query: &str) -> Result<Vec<Mention>, NetworkError> {
        self.hold_metered("mentions", access, |answers| {
            self.conversation.mentions(access, query, answers)
        })
        .await
    }
}
