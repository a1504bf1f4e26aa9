//! The composer: what is written, how long it is for each network, what will happen, and how it
//! will look.

mod captions;
mod check;
mod fields;
mod thread;
pub(crate) mod tiktok;
mod written;

use askama::Template;
use http::Method;
use scheduler_core::account::AccountView;
use scheduler_core::idempotency::IdempotencyKey;
use scheduler_core::ids::PostId;
use scheduler_core::media::{MediaKind, MediaListInput, MediaStatus, MediaView};
use scheduler_core::post::{Post, PostInput, PostStatus, PostView};
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form, Visit, changed};
use warp::reply::Response;

use crate::filters;
use crate::mark::{self, Mark};
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered};
use crate::when;
use captions::Captions;
use check::Check;
use fields::{Field, fields_of};
use tiktok::Panel;
use written::{When, Written};

/// Files of the library that the composer offers.
const LIBRARY: &str = "48";

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
    action: String,
    check_at: String,
    media_at: String,
    title: &'static str,
    key: String,
    written: Written,
    accounts: Vec<Picked>,
    has_threads: bool,
    captions: Option<Captions>,
    times: Vec<Time>,
    zone: String,
    library: Vec<Offered>,
    files: Vec<Tile>,
    check: Check,
    problem: Option<String>,
    button: &'static str,
    may_save: bool,
    stands: Option<String>,
    /// Whether something is agreed to by posting.
    declares: bool,
}

/// An account of the picker.
struct Picked {
    id: String,
    mark: Mark,
    name: String,
    is_picked: bool,
    /// Why it cannot be used.
    why_not: Option<&'static str>,
    own_text: String,
    fields: Vec<Field>,
    kept: Option<String>,
    /// What stands in place of the fields.
    panel: Option<Panel>,
}

impl Picked {
    fn new(account: &AccountView, written: &Written, panel: Option<Panel>) -> Self {
        let mut fields = fields_of(account, written.options.get(&account.id));
        fields.retain(|field| !tiktok::has_place(account.platform, field.key));
        let kept = written.kept.get(&account.id);
        Self {
            id: account.id.to_string(),
            mark: account.platform.into(),
            name: mark::name(account),
            is_picked: written.accounts.contains(&account.id),
            why_not: match (account.needs_reconnect, account.paused) {
                (true, _) => Some("connect it again"),
                (_, true) => Some("paused, beyond the plan"),
                (false, false) => None,
            },
            own_text: written.own_text(account.id).to_owned(),
            fields,
            kept: kept.map(|kept| serde_json::Value::Object(kept.clone()).to_string()),
            panel,
        }
    }
}

struct Time {
    name: &'static str,
    word: &'static str,
    is_chosen: bool,
}

/// A file of the library.
struct Offered {
    id: String,
    name: String,
    picture: String,
    alt: String,
}

/// A file of the post.
struct Tile {
    id: String,
    place: usize,
    picture: String,
    name: String,
    alt: String,
    word: String,
}

async fn new(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let zone = visitor.zone()?;
    let mut written = Written {
        accounts: asked.all("account").filter_map(|id| id.parse().ok()).collect(),
        ..Written::default()
    };
    if let Some(at) = asked.only("at") {
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

async fn create(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let written = Written::from_form(&form);
    if let Some(answer) = not_stored(&visitor, &form, None, &written).await? {
        return Ok(answer);
    }
    let accounts = accounts(&visitor).await?;
    let is_draft = form.only("do") == Some("save");
    let input = match input(&visitor, &written, &accounts, is_draft).await {
        Ok(input) => input,
        Err(refused) => return again(&visitor, None, written, refused).await,
    };
    // A button that is pressed twice makes one post.
    let key = form.only("key").map(|key| IdempotencyKey::new(key, None)).transpose()?;
    let made = visitor.scheduler().create_post(&visitor.caller, input.clone(), key.as_ref()).await;
    let stored = match made {
        // The form has been sent before: its draft was kept, and the answer was lost. What is
        // written since counts.
        Ok(made) if made.replay.is_some() && made.value.status == PostStatus::Draft => {
            let scheduler = visitor.scheduler();
            scheduler.update_post(&visitor.caller, made.value.id, input, None).await
        }
        made => made.map(|made| made.value),
    };
    match stored {
        Ok(post) => done(&visitor, &post, is_draft),
        Err(error) if visitor.fragment().is_some() => Err(error.into()),
        Err(error) => again(&visitor, None, written, error.into()).await,
    }
}

async fn save(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let written = Written::from_form(&form);
    let post = visitor.post().await?;
    if let Some(answer) = not_stored(&visitor, &form, Some(&post), &written).await? {
        return Ok(answer);
    }
    let accounts = accounts(&visitor).await?;
    let is_draft = form.only("do") == Some("save") && post.status == PostStatus::Draft;
    let input = match input(&visitor, &written, &accounts, is_draft).await {
        Ok(input) => input,
        Err(refused) => return again(&visitor, Some(&post), written, refused).await,
    };
    let expected = written.revision.map(|revision| vec![revision]);
    let saved =
        visitor.scheduler().update_post(&visitor.caller, post.id, input, expected.as_deref());
    match saved.await {
        Ok(saved) => done(&visitor, &saved, is_draft),
        Err(error) if visitor.fragment().is_some() => Err(error.into()),
        Err(error) => again(&visitor, Some(&post), written, error.into()).await,
    }
}

/// The body that stores what is written. Of what is to go out, the networks that say who may post
/// are asked first.
async fn input(
    visitor: &Visitor,
    written: &Written,
    accounts: &[AccountView],
    is_draft: bool,
) -> Result<PostInput, Declined> {
    if is_draft {
        return Ok(written.draft(accounts));
    }
    let zone = visitor.zone()?;
    if written.when == When::Draft {
        return Ok(written.scheduled(accounts, zone));
    }
    let mut agreed = written.clone();
    tiktok::agree(&mut agreed, accounts);
    let input = agreed.scheduled(accounts, zone);
    let (caller, targets) = (visitor.caller.clone(), input.targets.clone().or_current(None));
    let asked = visitor.visit().to_its_end(move |scheduler| async move {
        scheduler.ask_whether_taken(&caller, targets.as_deref().unwrap_or_default()).await
    });
    asked.await?;
    Ok(input)
}

/// What is answered without storing anything: a look at what is written, with the parts of its
/// thread as a button wants them.
async fn not_stored(
    visitor: &Visitor,
    form: &Form,
    post: Option<&PostView>,
    written: &Written,
) -> Result<Option<Response>, Declined> {
    let mut written = written.clone();
    let (mut problem, mut focused, mut refused) = (None, None, None);
    match form.only("do").unwrap_or_default() {
        "check" => {}
        "part" => {
            written.thread.push(String::new());
            focused = Some(written.thread.len());
        }
        "split" => problem = thread::cut(&mut written, &accounts(visitor).await?).err(),
        "suggest" => {
            let accounts = accounts(visitor).await?;
            refused = captions::suggest(visitor, &mut written, &accounts).await.err();
        }
        button => {
            if let Some(Ok(platform)) = button.strip_prefix("use.").map(str::parse) {
                captions::accept(&mut written, &accounts(visitor).await?, platform);
            } else if let Some(part) = thread::arrange(&mut written, button) {
                focused = Some(part);
            } else {
                return Ok(None);
            }
        }
    }
    let mut composer = compose(visitor, post, written, problem.map(str::to_owned)).await?;
    if let Some(part) = focused.and_then(|place: usize| composer.check.parts.get_mut(place)) {
        part.is_focused = true;
    }
    if let (Some(captions), Some(refused)) = (&mut composer.captions, refused) {
        captions.refused = Some(refused.message().to_owned());
    }
    Ok(Some(page::shown(&composer)))
}

/// On to what was stored: a draft is written on, the others are looked at. A script that keeps what
/// is typed is told under which address and revision it is kept.
fn done(visitor: &Visitor, post: &Post, is_draft: bool) -> Result<Response, Declined> {
    let id = post.id;
    if visitor.fragment().is_some() {
        let at = visitor.zone()?.local(visitor.now()).format("%H:%M:%S");
        let action = visitor.at(&format!("compose/{id}"));
        let kept = serde_json::json!({ "action": action, "revision": post.revision, "at": at.to_string() });
        return Ok(changed(Response::new(kept.to_string().into())));
    }
    let (place, said) = if is_draft { ("compose", Said::Draft) } else { ("posts", Said::Stored) };
    Ok(page::sent_to(&visitor.at(&format!("{place}/{id}?{}", said.query()))))
}

/// The composer with what was written, and why it was not stored.
async fn again(
    visitor: &Visitor,
    post: Option<&PostView>,
    written: Written,
    refused: Declined,
) -> Result<Response, Declined> {
    let composer = compose(visitor, post, written, None).await?;
    Ok(refused.into_page(|status, message| {
        page::shown_as(status, &Compose { problem: Some(message.to_owned()), ..composer })
    }))
}

/// What the server says of what is written, as a part of the page: it is asked while somebody
/// types.
async fn checked(visit: Visit) -> Response {
    entered(visit, Role::Reader, |mut visitor| async move {
        let form = visitor.form().await?;
        let written = Written::from_form(&form);
        let accounts = accounts(&visitor).await?;
        // What is chosen in a panel can change what else can be chosen there.
        let mut panels = Vec::new();
        if visitor.fragment() == Some("panels") {
            let kinds: Vec<MediaKind> =
                files(&visitor, &written).await?.iter().map(|file| file.kind).collect();
            for account in &accounts {
                panels.extend(Panel::of(&visitor, account, &written, &kinds).await);
            }
        }
        let check = Check::of(&visitor, &written, &accounts).await?;
        let icons = crate::assets::address("icons.svg");
        Ok(page::shown(&Checked { icons, check, panels }))
    })
    .await
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
    let views = files(visitor, &written).await?;
    let kinds: Vec<MediaKind> = views.iter().map(|view| view.kind).collect();
    let mut picked = Vec::with_capacity(accounts.len());
    for account in &accounts {
        // Asked before the rules are, which then know what it said.
        let panel = Panel::of(visitor, account, &written, &kinds).await;
        picked.push(Picked::new(account, &written, panel));
    }
    let check = Check::of(visitor, &written, &accounts).await?;
    let captions = Captions::of(visitor, &written, &accounts).await?;
    let media = library(visitor).await?;
    let is_scheduled = post.is_some_and(|post| post.status == PostStatus::Scheduled);
    let title = if post.is_some() { "Edit post" } else { "New post" };
    let action = post.map_or_else(|| "compose".to_owned(), |post| format!("compose/{}", post.id));
    let ports = visitor.scheduler().ports();
    let files =
        views.iter().zip(&written.files).enumerate().map(|(place, (view, (id, alt)))| Tile {
            id: id.to_string(),
            place: place + 1,
            picture: visitor.at(&format!("media/{id}/thumb")),
            name: name_of(view),
            alt: alt.clone(),
            word: crate::media::word(view),
        });
    let files = files.collect();
    Ok(Compose {
        frame: Frame::of(visitor, "compose", title).await?,
        script: crate::assets::address("composer.js"),
        action: visitor.at(&action),
        check_at: visitor.at("check"),
        media_at: visitor.at("media"),
        title,
        key: ports.ids.next(visitor.now()).to_string(),
        declares: picked.iter().any(|account| account.panel.is_some()),
        accounts: picked,
        has_threads: accounts.iter().any(|account| {
            account.platform.sheet().supports_thread && written.accounts.contains(&account.id)
        }),
        captions,
        times: When::ALL
            .into_iter()
            .map(|(when, name, word)| Time { name, word, is_chosen: when == written.when })
            .collect(),
        zone: when::zone(zone, visitor.now()),
        library: media
            .iter()
            .filter(|media| media.status == MediaStatus::Ready)
            .filter(|media| !written.files.iter().any(|(id, _)| *id == media.id))
            .map(|media| Offered {
                id: media.id.to_string(),
                name: name_of(media),
                picture: visitor.at(&format!("media/{}/thumb", media.id)),
                alt: media.alt_text.clone().unwrap_or_default(),
            })
            .collect(),
        files,
        button: if is_scheduled { "Save changes" } else { "Schedule" },
        may_save: post.is_none_or(|post| post.status == PostStatus::Draft),
        stands: is_scheduled
            .then(|| "It is scheduled. Changes count once you press Save changes.".to_owned()),
        written,
        check,
        problem,
    })
}

/// The files of a post, in order.
async fn files(visitor: &Visitor, written: &Written) -> Result<Vec<MediaView>, Declined> {
    let mut views = Vec::with_capacity(written.files.len());
    for (id, _) in &written.files {
        views.push(visitor.scheduler().show_media(&visitor.caller, *id).await?.media);
    }
    Ok(views)
}

async fn library(visitor: &Visitor) -> Result<Vec<MediaView>, Declined> {
    let input = MediaListInput { limit: Some(LIBRARY.to_owned()), ..MediaListInput::default() };
    let page = visitor.scheduler().list_media(&visitor.caller, &input).await?;
    Ok(page.data.into_iter().map(|listed| listed.media).collect())
}

fn name_of(media: &MediaView) -> String {
    let name = media.name.as_deref().or(media.file_name.as_deref());
    name.map_or_else(|| media.id.to_string(), filters::cleaned)
}

/// Stores a draft that says what a post says.
pub(crate) async fn copy_of(visitor: &Visitor, post: &PostView) -> Result<PostId, Declined> {
    let written = Written::from_post(post, visitor.zone()?);
    let input = written.draft(&accounts(visitor).await?);
    Ok(visitor.scheduler().create_post(&visitor.caller, input, None).await?.value.id)
}
