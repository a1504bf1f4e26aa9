//! The composer: what is written, how long it is for each network, what will happen, and how it
//! will look.

mod captions;
mod check;
mod cover;
mod elsewhere;
mod fields;
mod files;
mod issues;
pub(crate) mod mentions;
mod own_files;
mod saving;
mod sets;
mod slot;
mod thread;
pub(crate) mod tiktok;
pub(crate) mod versions;
mod will;
mod written;

use askama::Template;
use http::Method;
use scheduler_core::account::{AccountView, LeftOutReason, SET_NAME_MAX_CHARACTERS};
use scheduler_core::ids::PostId;
use scheduler_core::media::MediaKind;
use scheduler_core::post::{Piece, PostInput, PostStatus, PostView};
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Visit};
use warp::reply::Response;

use crate::filters;
use crate::mark::{self, Mark};
use crate::media::Shown;
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered};
use crate::when;
use captions::Captions;
use check::Check;
use elsewhere::Elsewhere;
use fields::{Field, fields_of, fill_from_account};
use files::{Files, Sent};
use own_files::{FilesById, Own};
use saving::{create, save};
use sets::Sets;
use tiktok::Panel;
use will::Approval;
use written::{When, Written};

/// As many accounts are searched among.
///
/// Source: our decision, a screen of a phone.
const SEARCHED_FROM: usize = 12;

pub(crate) static NEW: Endpoint =
    Endpoint::page("web_compose", Method::GET, "/w/{workspaceId}/compose", |visit| {
        Box::pin(entered(visit, Role::Reader, new))
    });

pub(crate) static CREATE: Endpoint =
    Endpoint::page("web_write_post", Method::POST, "/w/{workspaceId}/compose", |visit| {
        Box::pin(entered(visit, Role::Drafter, create))
    });

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_compose_post", Method::GET, "/w/{workspaceId}/compose/{id}", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

pub(crate) static SAVE: Endpoint =
    Endpoint::page("web_rewrite_post", Method::POST, "/w/{workspaceId}/compose/{id}", |visit| {
        Box::pin(entered(visit, Role::Drafter, save))
    });

pub(crate) static CHECK: Endpoint =
    Endpoint::page("web_check_post", Method::POST, "/w/{workspaceId}/check", |visit| {
        Box::pin(checked(visit))
    });

#[derive(Template)]
#[template(path = "compose/show.html")]
struct Compose {
    frame: Frame,
    script: String,
    mentions_script: String,
    action: String,
    check_at: String,
    mentions_at: String,
    media_at: String,
    title: &'static str,
    key: String,
    written: Written,
    accounts: Vec<Picked>,
    sets: Sets,
    has_threads: bool,
    captions: Option<Captions>,
    times: Vec<Time>,
    zone: String,
    files: Files,
    check: Check,
    problem: Option<String>,
    /// What the main button sends, and its word.
    button: (&'static str, &'static str),
    may_save: bool,
    stands: Option<String>,
    /// What somebody else has stored meanwhile.
    elsewhere: Option<Elsewhere>,
    /// Where the earlier versions are; none of what is not stored.
    versions: Option<String>,
    /// The post that a client is asked about.
    asked: Option<PostId>,
    /// Whether the rules have refused it, so that what is wrong is listed.
    is_refused: bool,
    /// Whether what is written is not stored yet.
    is_unsaved: bool,
    /// Whether something is agreed to by posting.
    declares: bool,
}

/// An account of the picker.
struct Picked {
    id: String,
    mark: Mark,
    name: String,
    is_picked: bool,
    /// Whether it has just been picked or left out.
    is_at: bool,
    /// Why it cannot be used.
    why_not: Option<&'static str>,
    own_text: String,
    own_files: Option<Own>,
    is_focused: bool,
    fields: Vec<Field>,
    kept: Option<String>,
    /// What stands in place of the fields.
    panel: Option<Panel>,
}

impl Picked {
    async fn new(
        visitor: &Visitor,
        account: &AccountView,
        written: &Written,
        panel: Option<Panel>,
        (files, own_files): (&Files, &FilesById),
    ) -> Self {
        let is_picked = written.accounts.contains(&account.id);
        let mut fields = fields_of(account, written.options.get(&account.id), &files.named());
        fields.retain(|field| !tiktok::has_place(account.platform, field.key));
        // The cover stands beside the video that the account gets.
        fields.retain(|field| !files.has_field(&field.id));
        if is_picked {
            fill_from_account(visitor, account, &mut fields).await;
        }
        let kept = written.kept.get(&account.id);
        Self {
            id: account.id.to_string(),
            mark: account.platform.into(),
            name: mark::name(account),
            is_picked,
            is_at: false,
            why_not: account.left_out().map(LeftOutReason::words),
            own_text: written.own_text(account.id).to_owned(),
            own_files: Own::of(visitor, account, written, own_files),
            is_focused: false,
            fields,
            kept: kept.map(|kept| serde_json::Value::Object(kept.clone()).to_string()),
            panel,
        }
    }
}

impl Picked {
    /// The id of the field of its own text.
    fn own_field(&self) -> String {
        format!("own-{}", self.id)
    }

    /// Whether it gets other files than those of all.
    fn has_own_files(&self) -> bool {
        self.own_files.as_ref().is_some_and(|own| own.has_files)
    }
}

struct Time {
    name: &'static str,
    word: &'static str,
    is_chosen: bool,
}

async fn new(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let zone = visitor.zone()?;
    let mut written = Written {
        accounts: asked.all("account").filter_map(|id| id.parse().ok()).collect(),
        ..Written::default()
    };
    if let Some(slot) = asked.only("slot").and_then(|slot| slot.parse().ok()) {
        written.take_slot(slot, zone);
    } else if let Some(at) = asked.only("at") {
        let instant = at.parse().map(|at| zone.local(at));
        if let Ok(local) = instant.or_else(|_| scheduler_core::timing::parse_local(at)) {
            written.when = When::Instant;
            written.day = local.date().to_string();
            written.time = when::clock(local);
        }
    }
    // Whoever has one account means that one.
    if written.accounts.is_empty()
        && let [only] = &accounts(&visitor).await?[..]
    {
        written.accounts.push(only.id);
    }
    if written.day.is_empty() {
        let tomorrow = zone.local(visitor.now()).date().succ_opt();
        written.day = tomorrow.map_or_else(String::new, |date| date.to_string());
        written.time = "09:00".to_owned();
    }
    Ok(page::shown(&compose(&visitor, None, written, None).await?))
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    if !matches!(post.status, PostStatus::Draft | PostStatus::Scheduled) {
        return Ok(page::sent_to(&visitor.at(&format!("posts/{}", post.id))));
    }
    let written = Written::from_post(&post, visitor.zone()?);
    Ok(page::shown(&compose(&visitor, Some(&post), written, None).await?))
}

/// What the server says of what is written, as a part of the page: it is asked while somebody
/// types.
async fn checked(visit: Visit) -> Response {
    entered(visit, Role::Reader, |mut visitor| async move {
        let Sent { form, written, .. } = files::sent(&mut visitor).await?;
        if visitor.fragment() == Some("files") {
            let views = files::views(&visitor, &written).await?;
            let accounts = accounts(&visitor).await?;
            let files = Files::of(&visitor, &written, &views, &accounts).await?;
            let icons = crate::assets::address("icons.svg");
            let may_save = form.only("scheduled").is_none();
            let check = Check::default();
            return Ok(page::shown(&FilesAlone { icons, files, may_save, check }));
        }
        let accounts = accounts(&visitor).await?;
        // What is chosen in a panel can change what else can be chosen there.
        let mut panels = Vec::new();
        if visitor.fragment() == Some("panels") {
            let kinds: Vec<MediaKind> =
                files::views(&visitor, &written).await?.iter().map(|file| file.kind).collect();
            for account in &accounts {
                panels.extend(Panel::of(&visitor, account, &written, &kinds).await);
            }
        }
        let approval = match form.only("asked").and_then(|id| id.parse().ok()) {
            Some(post) => Approval::of(&visitor, post).await?,
            None => None,
        };
        let own_files = own_files::views(&visitor, &written).await?;
        let check = Check::of(&visitor, &written, &accounts, &own_files, approval.as_ref()).await?;
        let icons = crate::assets::address("icons.svg");
        Ok(page::shown(&Checked { icons, check, panels }))
    })
    .await
}

/// The tiles of the files, which a script asks for after it has sent one.
#[derive(Template)]
#[template(path = "compose/files_fragment.html")]
struct FilesAlone {
    icons: String,
    files: Files,
    may_save: bool,
    /// Nothing: a script asks for it as well.
    check: Check,
}

#[derive(Template)]
#[template(path = "compose/fragment.html")]
struct Checked {
    icons: String,
    check: Check,
    panels: Vec<Panel>,
}

async fn accounts(visitor: &Visitor) -> Result<Vec<AccountView>, Declined> {
    Ok(visitor.scheduler().account_views(&visitor.caller).await?)
}

async fn compose(
    visitor: &Visitor,
    post: Option<&PostView>,
    written: Written,
    problem: Option<String>,
) -> Result<Compose, Declined> {
    let accounts = accounts(visitor).await?;
    let zone: Zone = visitor.zone()?;
    let views = files::views(visitor, &written).await?;
    let kinds: Vec<MediaKind> = views.iter().map(|view| view.kind).collect();
    let files = Files::of(visitor, &written, &views, &accounts).await?;
    let own_files = own_files::views(visitor, &written).await?;
    let mut picked = Vec::with_capacity(accounts.len());
    for account in &accounts {
        // Asked before the rules are, which then know what it said.
        let panel = Panel::of(visitor, account, &written, &kinds).await;
        let files = (&files, &own_files);
        picked.push(Picked::new(visitor, account, &written, panel, files).await);
    }
    let asked = post.filter(|post| post.approval_state.is_some()).map(|post| post.id);
    let approval = match asked {
        Some(post) => Approval::of(visitor, post).await?,
        None => None,
    };
    let check = Check::of(visitor, &written, &accounts, &own_files, approval.as_ref()).await?;
    let sets = Sets::of(visitor, &written, &accounts).await?;
    let captions = Captions::of(visitor, &written, &accounts).await?;
    let is_scheduled = post.is_some_and(|post| post.status == PostStatus::Scheduled);
    let title = if post.is_some() { "Edit post" } else { "New post" };
    let action = post.map_or_else(|| "compose".to_owned(), |post| format!("compose/{}", post.id));
    let ports = visitor.scheduler().ports();
    Ok(Compose {
        frame: Frame::of(visitor, "compose", title).await?,
        script: crate::assets::address("composer.js"),
        mentions_script: crate::assets::address("mentions.js"),
        action: visitor.at(&action),
        check_at: visitor.at("check"),
        mentions_at: visitor.at("mentions"),
        media_at: visitor.at("media"),
        title,
        key: ports.ids.next(visitor.now()).to_string(),
        declares: picked.iter().any(|account| account.panel.is_some()),
        accounts: picked,
        sets,
        has_threads: accounts.iter().any(|account| {
            account.platform.sheet().supports_thread && written.accounts.contains(&account.id)
        }),
        captions,
        times: When::ALL
            .into_iter()
            .filter(|(when, ..)| match when {
                When::Slot => written.slot.is_some(),
                When::Kept => is_scheduled,
                _ => true,
            })
            .map(|(when, name, word)| Time { name, word, is_chosen: when == written.when })
            .collect(),
        zone: when::zone(zone, visitor.now()),
        files,
        button: match (is_scheduled, visitor.may(Role::Editor)) {
            (true, _) => ("schedule", "Save changes"),
            (false, true) => ("schedule", "Schedule"),
            (false, false) => ("ask", "Ask for approval"),
        },
        elsewhere: None,
        versions: post.map(|post| visitor.at(&format!("compose/{}/versions", post.id))),
        asked,
        is_refused: false,
        is_unsaved: false,
        may_save: post.is_none_or(|post| post.status == PostStatus::Draft),
        stands: is_scheduled
            .then(|| "It is scheduled. Changes count once you press Save changes.".to_owned()),
        written,
        check,
        problem,
    })
}

/// Stores a draft that says what a post says, for those of its targets whose accounts are
/// connected.
pub(crate) async fn copy_of(visitor: &Visitor, view: &PostView) -> Result<PostId, Declined> {
    let (scheduler, accounts) = (visitor.scheduler(), accounts(visitor).await?);
    let mut post = scheduler.post(&visitor.caller, view.id).await?;
    post.targets.retain(|target| {
        view.targets.iter().any(|shown| shown.id == target.id)
            && accounts.iter().any(|account| account.id == target.account_id)
    });
    let copy = PostInput {
        save_as_draft: true.into(),
        allow_issues: true.into(),
        ..PostInput::copy_of(&post)
    };
    Ok(scheduler.create_post(&visitor.caller, copy, None).await?.value.id)
}
