//! Posts as a client is shown them: what each network will get.

use chrono::{DateTime, NaiveDateTime, Utc};
use serde_json::Value;

use super::news::{self, ApprovalNews, FileNews};
use crate::account::Account;
use crate::app::Scheduler;
use crate::app::media::NamedFiles;
use crate::connecting::Pass;
use crate::error::AppError;
use crate::ids::{MediaId, PostId};
use crate::media::{Media, MediaKind};
use crate::platform::Platform;
use crate::ports::ApprovalsOf;
use crate::post::{Approval, ApprovalState, Post, PostStatus, Remark, decide};
use crate::target::{THUMBNAIL, Target, TargetStatus};
use crate::text::Composed;
use crate::timing::Zone;
use crate::workspace::Workspace;

/// What is behind a link.
#[derive(Clone, Debug, PartialEq)]
pub enum OpenedApproval {
    /// Its posts.
    Page(Box<ApprovalPage>),
    /// Nothing: it was replaced or withdrawn, its posts were removed, or there never was any.
    Unknown,
    /// Its time is over.
    Expired,
}

/// What a client is shown under a link.
#[derive(Clone, Debug, PartialEq)]
pub struct ApprovalPage {
    /// The name of the workspace that shows it.
    pub workspace: String,
    /// The picture of that workspace, where it has one.
    pub picture: Option<ApprovalFile>,
    /// Who is asked, where the team has said so.
    pub client: Option<String>,
    /// What the team tells them.
    pub message: Option<String>,
    /// The client's zone, or else that of the workspace, in which the times of the page itself are
    /// told.
    pub zone: Zone,
    /// From when on the link shows nothing.
    pub expires_at: DateTime<Utc>,
    /// Its posts, at least one, those first that go out first.
    pub posts: Vec<ApprovalPost>,
}

/// A post as its client sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ApprovalPost {
    /// The post.
    pub id: PostId,
    /// How far it has come.
    pub status: PostStatus,
    /// What the client said of it as it is now.
    pub state: Option<ApprovalState>,
    /// When the client last decided.
    pub decided_at: Option<DateTime<Utc>>,
    /// What client and team wrote about it, oldest first.
    pub remarks: Vec<Remark>,
    /// True while the client can decide.
    pub is_open: bool,
    /// What an answer has to name.
    pub seen: String,
    /// Each account that it goes to.
    pub targets: Vec<ApprovalTarget>,
    /// Its files, in order.
    pub files: Vec<ApprovalFile>,
    /// What is new since the client decided, where they are asked again and it is known.
    pub news: Option<ApprovalNews>,
}

/// A post as one network will get it.
#[derive(Clone, Debug, PartialEq)]
pub struct ApprovalTarget {
    /// The network.
    pub platform: Platform,
    /// The account, by the name that the network shows, or its handle.
    pub account: String,
    /// How far it has come.
    pub status: TargetStatus,
    /// When it goes out, by the client's clock, or by that of the account where the client's zone is
    /// not known; `None` while no time is set, and while it waits for an approval.
    pub local_time: Option<NaiveDateTime>,
    /// The zone of that clock.
    pub zone: Zone,
    /// True when its time has come and it waits for an approval, of the client or of the team.
    pub waits_for_approval: bool,
    /// What the network gets as text.
    pub text: Composed,
    /// The title that is set for the network.
    pub title: Option<String>,
    /// The picture that stands for the video, or in the card of the link.
    pub thumbnail: Option<ApprovalFile>,
    /// Its files, where they, or what is said of them, are not as the post has them.
    pub files: Option<Vec<ApprovalFile>>,
    /// The files of each later part of its thread.
    pub thread_files: Vec<Vec<ApprovalFile>>,
    /// Every other setting that is sent along, by its name for people.
    pub settings: Vec<(String, String)>,
}

/// A file of a post.
#[derive(Clone, PartialEq, Eq)]
pub struct ApprovalFile {
    /// The file.
    pub id: MediaId,
    /// Image or video.
    pub kind: MediaKind,
    /// Its name, where one is known.
    pub name: Option<String>,
    /// A short-lived link to it; `None` when it cannot be looked at.
    pub url: Option<String>,
    /// A short-lived link to a small picture of it.
    pub preview_url: Option<String>,
    /// What is said of it to those who do not see it.
    pub alt_text: Option<String>,
    /// What is new of it since the client decided.
    pub news: Option<FileNews>,
}

impl std::fmt::Debug for ApprovalFile {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The links open what they name.
        formatter.debug_struct("ApprovalFile").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// The options that a client sees in another place than among the settings.
const SHOWN: [&str; 6] = ["caption", "description", "thread", "title", "spoilerText", THUMBNAIL];

impl Scheduler {
    /// What a client sees under their link.
    ///
    /// # Errors
    /// [`AppError::Store`], [`AppError::Files`]
    pub async fn open_approval(&self, pass: &Pass) -> Result<OpenedApproval, AppError> {
        let mut found = self.store().approvals(ApprovalsOf::Pass(pass.hash())).await?;
        let Some((link, _)) = found.first().cloned() else {
            return Ok(OpenedApproval::Unknown);
        };
        if link.expires_at <= self.ports.clock.now() {
            return Ok(OpenedApproval::Expired);
        }
        let Some(workspace) = self.store().workspace(link.workspace_id).await? else {
            return Ok(OpenedApproval::Unknown);
        };
        found.sort_by_key(|(_, post)| (post.scheduled_at.is_none(), post.scheduled_at, post.id));
        let mut posts = Vec::with_capacity(found.len());
        for (approval, post) in found {
            posts.push(self.approval_post(&workspace, approval, &post).await?);
        }
        let picture = self.workspace_picture(&workspace).await?;
        Ok(OpenedApproval::Page(Box::new(ApprovalPage {
            workspace: workspace.name,
            picture,
            client: link.client,
            message: link.message,
            zone: link.timezone.or(workspace.timezone).unwrap_or(Zone::UTC),
            expires_at: link.expires_at,
            posts,
        })))
    }

    /// The picture of a workspace, while it can be looked at.
    async fn workspace_picture(
        &self,
        workspace: &Workspace,
    ) -> Result<Option<ApprovalFile>, AppError> {
        let Some(id) = workspace.picture else { return Ok(None) };
        let found = self.store().media(workspace.id, &[id]).await?.pop();
        let Some(media) = found else { return Ok(None) };
        let file = self.approval_file(&media, None).await?;
        Ok((file.kind == MediaKind::Image && file.url.is_some()).then_some(file))
    }

    async fn approval_post(
        &self,
        workspace: &Workspace,
        approval: Approval,
        post: &Post,
    ) -> Result<ApprovalPost, AppError> {
        let named = self.files_of(post).await?;
        let of_post = |index: usize, _| post.alt_texts.get(index)?.clone();
        let files = self.approval_files(&named, &post.media_ids, of_post).await?;
        let mut targets = Vec::with_capacity(post.targets.len());
        for target in &post.targets {
            let account = self.store().account(post.workspace_id, target.account_id).await?;
            let thumbnail = match named.thumbnail(target.platform, Some(&target.options)) {
                Some(media) => Some(self.approval_file(media, None).await?),
                None => None,
            };
            let own = if target.files.are_those_of_the_post() {
                None
            } else {
                let words = |_, id| post.alt_text_of(target, id).map(str::to_owned);
                Some(self.approval_files(&named, post.media_of(target), words).await?)
            };
            let mut thread_files = Vec::new();
            for part in target.thread() {
                let words = |index, _| part.alt_text(index).map(str::to_owned);
                thread_files.push(self.approval_files(&named, &part.media_ids, words).await?);
            }
            let zone = approval.timezone.unwrap_or_else(|| {
                let of_workspace = workspace.timezone;
                account.as_ref().map_or_else(
                    || of_workspace.unwrap_or(Zone::UTC),
                    |account| account.zone(of_workspace),
                )
            });
            let shown = shown(post, target, account.as_ref(), zone);
            targets.push(ApprovalTarget { thumbnail, files: own, thread_files, ..shown });
        }
        let mut shown = ApprovalPost {
            id: post.id,
            status: post.status,
            state: post.approval_state,
            decided_at: approval.decided_at,
            remarks: approval.remarks.clone(),
            is_open: decide::is_open_to_client(post),
            seen: decide::content_fingerprint(post),
            targets,
            files,
            news: None,
        };
        news::tell(&approval, &mut shown, post);
        Ok(shown)
    }

    /// Files with what each shows; `alt_text` says so by its place and its id.
    async fn approval_files(
        &self,
        named: &NamedFiles,
        ids: &[MediaId],
        alt_text: impl Fn(usize, MediaId) -> Option<String> + Send,
    ) -> Result<Vec<ApprovalFile>, AppError> {
        let mut files = Vec::with_capacity(ids.len());
        for (index, media) in named.of(ids).enumerate() {
            files.push(self.approval_file(media, alt_text(index, media.id)).await?);
        }
        Ok(files)
    }

    async fn approval_file(
        &self,
        media: &Media,
        alt_text: Option<String>,
    ) -> Result<ApprovalFile, AppError> {
        let links = self.links_to_look_at(media).await?;
        let [url, preview_url] = links;
        Ok(ApprovalFile {
            id: media.id,
            kind: media.kind,
            name: media.file_name.clone(),
            url,
            preview_url,
            alt_text,
            news: None,
        })
    }
}

/// What a client sees of a target, without its files.
pub(super) fn shown(
    post: &Post,
    target: &Target,
    account: Option<&Account>,
    zone: Zone,
) -> ApprovalTarget {
    let due_at = target.due_at().filter(|_| !target.waits_for_approval());
    let has_files = !post.media_of(target).is_empty();
    let sent = post.sent_to(target);
    let title = target.options.get("title").and_then(Value::as_str);
    let options = post.disclosure.fill(target.platform.sheet(), &sent.options);
    let settings =
        options.iter().filter(|(key, value)| !SHOWN.contains(&key.as_str()) && !value.is_null());
    ApprovalTarget {
        platform: target.platform,
        account: account.map_or_else(|| target.account_id.to_string(), name),
        status: target.status(),
        local_time: due_at.map(|at| zone.local(at)),
        zone,
        waits_for_approval: target.waits_for_approval(),
        text: sent.compose(has_files, target.platform),
        title: title.map(str::to_owned),
        thumbnail: None,
        files: None,
        thread_files: Vec::new(),
        settings: settings.map(|(key, value)| (words(key), plain(value))).collect(),
    }
}

fn name(account: &Account) -> String {
    match (&account.display_name, &account.username) {
        (Some(name), Some(handle)) => format!("{name} (@{handle})"),
        (Some(name), None) => name.clone(),
        (None, Some(handle)) => format!("@{handle}"),
        (None, None) => account.network_id.clone(),
    }
}

/// The key of an option as a person reads it: `firstComment` as `First comment`.
fn words(key: &str) -> String {
    let mut words = String::new();
    for (index, letter) in key.chars().enumerate() {
        match (index, letter.is_uppercase()) {
            (0, _) => words.extend(letter.to_uppercase()),
            (_, true) => {
                words.push(' ');
                words.extend(letter.to_lowercase());
            }
            (_, false) => words.push(letter),
        }
    }
    words
}

/// A setting as a person reads it.
fn plain(value: &Value) -> String {
    match value {
        // A name of the network, such as `PUBLIC_TO_EVERYONE`.
        Value::String(text) if is_name(text) => text.replace('_', " ").to_lowercase(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            let members = members.map(|(key, value)| format!("{}: {}", words(key), plain(value)));
            members.collect::<Vec<_>>().join("; ")
        }
        value @ (Value::Null | Value::Number(_)) => value.to_string(),
    }
}

fn is_name(text: &str) -> bool {
    text.contains('_') && text.bytes().all(|byte| byte == b'_' || byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_read_as_people_read() {
        for (key, want) in
            [("visibility", "Visibility"), ("firstComment", "First comment"), ("", "")]
        {
            assert_eq!(words(key), want);
        }
        for (value, want) in [
            (json!("unlisted"), "unlisted"),
            (json!("PUBLIC_TO_EVERYONE"), "public to everyone"),
            (json!("LOUD"), "LOUD"),
            (json!("A_b"), "A_b"),
            (json!(true), "yes"),
            (json!(["a", false, 3]), "a, no, 3"),
            (
                json!({"options": ["Cake", "Tart"], "durationMinutes": 60, "question": null}),
                "Duration minutes: 60; Options: Cake, Tart",
            ),
        ] {
            assert_eq!(plain(&value), want, "{value}");
        }
    }
}
