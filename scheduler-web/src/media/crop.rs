//! Cropping: a new file is made of a part of a picture, for all accounts of a post or for one, and
//! the picture stays as it is.

use askama::Template;
use http::Method;
use scheduler_core::account::AccountView;
use scheduler_core::ids::{AccountId, MediaId, PostId};
use scheduler_core::media::{
    Crop, CropInput, MediaStatus, MediaView, Rectangle, VERSION_SIDE_MAX, VersionInput,
};
use scheduler_core::platform::Platform;
use scheduler_core::post::{PostInput, PostStatus, PostView, TargetView};
use scheduler_core::rules::{MediaFacts, least_part, shapes};
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form};
use warp::reply::Response;

use super::replacing::{files_of, for_all, for_one};
use super::{Shown, name};
use crate::filters;
use crate::mark;
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered};

pub(crate) static CROP: Endpoint =
    Endpoint::page("web_crop", Method::GET, "/w/{workspaceId}/media/{id}/crop", |visit| {
        Box::pin(entered(visit, Role::Drafter, show))
    });

pub(crate) static CUT: Endpoint =
    Endpoint::page("web_crop_media", Method::POST, "/w/{workspaceId}/media/{id}/crop", |visit| {
        Box::pin(entered(visit, Role::Drafter, cut))
    });

#[derive(Template)]
#[template(path = "media/crop.html")]
struct Cropping {
    frame: Frame,
    script: String,
    name: String,
    back: String,
    post: Option<String>,
    takers: Vec<Taker>,
    /// Whether all accounts can get the new file at once.
    is_of_all: bool,
    picture: String,
    width: u32,
    height: u32,
    part: Rectangle,
    max_side: String,
    ratios: Vec<Ratio>,
    least: (u32, u32),
    /// The networks whose shapes are offered, in words.
    networks: String,
    problem: Option<String>,
}

impl Cropping {
    /// Whether an account is chosen that gets the new file alone.
    fn is_for_one(&self) -> bool {
        self.takers.iter().any(|taker| taker.is_chosen)
    }
}

/// An account that can get the new file alone.
struct Taker {
    id: AccountId,
    network: &'static str,
    name: String,
    is_chosen: bool,
}

/// A shape that is offered.
struct Ratio {
    value: String,
    word: String,
    networks: String,
    part: Rectangle,
    is_chosen: bool,
}

/// True for a file of which a part can be cut out.
pub(crate) fn may_crop(media: &MediaView) -> bool {
    media.kind.is_image()
        && media.status == MediaStatus::Ready
        && media.width.zip(media.height).is_some()
}

/// A shape for people, who know one of a hundred by its fraction: `1.91:1`.
fn word((wide, high): (u32, u32)) -> String {
    match high {
        100 => format!("{}.{:02}:1", wide / 100, wide % 100),
        _ => format!("{wide}:{high}"),
    }
}

/// The draft for which a picture is cropped.
async fn draft(visitor: &Visitor, form: &Form) -> Result<Option<PostView>, Declined> {
    let Some(id) = form.only("post").filter(|id| !id.is_empty()) else { return Ok(None) };
    let id: PostId = id.parse().map_err(|_| Visitor::nothing_here())?;
    let post = visitor.scheduler().post(&visitor.caller, id).await?;
    let post = visitor.scheduler().post_view(&post).await?;
    Ok(Some(post).filter(|post| post.status == PostStatus::Draft))
}

/// The account for which alone a file is to be made.
fn only_for(form: &Form) -> Option<AccountId> {
    form.only("for")?.parse().ok()
}

/// The accounts of a post that get a file.
fn takers(
    post: &PostView,
    id: MediaId,
    accounts: &[AccountView],
    chosen: Option<AccountId>,
) -> Vec<Taker> {
    let getting = post.targets.iter().filter(|target| files_of(post, target).contains(&id));
    let takers = getting.filter_map(|target| {
        let account = accounts.iter().find(|account| account.id == target.account_id)?;
        Some(Taker {
            id: account.id,
            network: account.platform.sheet().name,
            name: mark::name(account),
            is_chosen: chosen == Some(account.id),
        })
    });
    takers.collect()
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let post = draft(&visitor, &asked).await?;
    Ok(page::shown(&cropping(&visitor, &asked, post.as_ref(), None).await?))
}

async fn cropping(
    visitor: &Visitor,
    asked: &Form,
    post: Option<&PostView>,
    problem: Option<String>,
) -> Result<Cropping, Declined> {
    let id: MediaId = visitor.id()?;
    let media = visitor.scheduler().show_media(&visitor.caller, id).await?.media;
    let size = media.width.zip(media.height).filter(|_| may_crop(&media));
    let (width, height) = size.ok_or_else(Visitor::nothing_here)?;
    let chosen = only_for(asked);
    let takers = match post {
        Some(post) => {
            let accounts = visitor.scheduler().account_views(&visitor.caller).await?;
            takers(post, id, &accounts, chosen)
        }
        None => Vec::new(),
    };
    let platforms: Vec<Platform> = match post {
        Some(post) if !post.targets.is_empty() => {
            let is_meant = |target: &&TargetView| chosen.is_none_or(|id| id == target.account_id);
            let meant = post.targets.iter().filter(is_meant);
            let mut of_post: Vec<_> = meant.map(|target| target.platform).collect();
            of_post.sort_unstable();
            of_post.dedup();
            of_post
        }
        _ => Platform::ALL.to_vec(),
    };
    let takes = |platform: &Platform| platform.sheet().takes(media.kind);
    let platforms: Vec<Platform> = platforms.into_iter().filter(takes).collect();
    let facts = MediaFacts {
        width: Some(width),
        height: Some(height),
        mime_type: media.mime_type.clone(),
        ..MediaFacts::of_kind(media.kind)
    };
    let chosen = asked.only("ratio").unwrap_or_default();
    let ratios: Vec<Ratio> = shapes(&platforms, &facts)
        .into_iter()
        .map(|shape| {
            let value = format!("{}:{}", shape.ratio.0, shape.ratio.1);
            let names: Vec<&str> =
                shape.platforms.iter().map(|platform| platform.sheet().name).collect();
            Ratio {
                is_chosen: value == chosen,
                word: word(shape.ratio),
                value,
                networks: names.join(", "),
                part: shape.part,
            }
        })
        .collect();
    let number = |name: &str| asked.only(name).and_then(|text| text.trim().parse::<u32>().ok());
    let whole = Rectangle { x: 0, y: 0, width, height };
    let written = Rectangle {
        x: number("x").unwrap_or_default(),
        y: number("y").unwrap_or_default(),
        width: number("width").unwrap_or(width),
        height: number("height").unwrap_or(height),
    };
    // What somebody has written stays as it is beside the reason why it is refused.
    let written = if problem.is_some() || Crop::Rectangle(written).of(width, height).is_some() {
        written
    } else {
        whole
    };
    let part = ratios.iter().find(|ratio| ratio.is_chosen).map_or(written, |ratio| ratio.part);
    let is_of_post = post.is_some_and(|post| !post.targets.is_empty());
    let names: Vec<&str> = platforms.iter().map(|platform| platform.sheet().name).collect();
    let least = if is_of_post { least_part(&platforms, &facts) } else { (1, 1) };
    let picture = match Shown::of(visitor, &media) {
        Shown::Picture { address, .. } => address,
        _ => visitor.at(&format!("media/{id}/thumb")),
    };
    Ok(Cropping {
        frame: Frame::of(visitor, "media", format!("Crop {}", name(&media))).await?,
        script: crate::assets::address("crop.js"),
        name: name(&media),
        back: match post {
            Some(post) => visitor.at(&format!("compose/{}", post.id)),
            None => visitor.at(&format!("media/{id}")),
        },
        post: post.map(|post| post.id.to_string()),
        is_of_all: post.is_some_and(|post| post.media_ids.contains(&id)),
        takers,
        picture,
        width,
        height,
        part,
        max_side: asked.only("maxSide").unwrap_or_default().to_owned(),
        ratios,
        least: (least.0.min(width), least.1.min(height)),
        networks: if is_of_post { names.join(", ") } else { "all networks".to_owned() },
        problem,
    })
}

/// Makes the new file, and puts it in the place of the picture where that is in a draft.
async fn cut(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: MediaId = visitor.id()?;
    let post = draft(&visitor, &form).await?;
    let made = match version(&form) {
        Ok(input) => {
            let made = visitor.scheduler().create_version(&visitor.caller, id, input, None).await;
            made.map(|made| made.value).map_err(Declined::from)
        }
        Err(message) => Err(scheduler_core::error::Refusal::invalid("crop", message).into()),
    };
    let made = match made {
        Ok(made) => made,
        Err(refused) => {
            let shown = cropping(&visitor, &form, post.as_ref(), Some(String::new())).await?;
            return Ok(refused.into_page(|status, message| {
                let problem = Some(message.to_owned());
                page::shown_as(status, &Cropping { problem, ..shown })
            }));
        }
    };
    let replaced = match (post.as_ref(), only_for(&form)) {
        (Some(post), Some(account)) => for_one(post, account, (made.id, made.kind), id),
        (Some(post), None) => for_all(post, made.id, id),
        (None, _) => None,
    };
    let (Some(post), Some(replaced)) = (post, replaced) else {
        let address = format!("media/{}?{}", made.id, Said::Cropped.query());
        return Ok(page::sent_to(&visitor.at(&address)));
    };
    let input = PostInput { save_as_draft: true.into(), allow_issues: true.into(), ..replaced };
    let expected = [post.revision];
    visitor.scheduler().update_post(&visitor.caller, post.id, input, Some(&expected)).await?;
    let address = format!("compose/{}?{}", post.id, Said::Cropped.query());
    Ok(page::sent_to(&visitor.at(&address)))
}

/// What the form asks for.
fn version(form: &Form) -> Result<VersionInput, String> {
    let number = |name: &'static str, word: &str| match form.only(name).map(str::trim) {
        None | Some("") => Ok(None),
        Some(text) => text
            .parse::<u32>()
            .map(Some)
            .map_err(|_| format!("{word} is no whole number: write pixels, such as 800.")),
    };
    let crop = CropInput {
        ratio: None,
        x: number("x", "From the left")?,
        y: number("y", "From the top")?,
        width: number("width", "Width")?,
        height: number("height", "Height")?,
    };
    Ok(VersionInput {
        crop: Some(crop),
        max_side: number("maxSide", "Longest side")?,
        format: None,
    })
}
