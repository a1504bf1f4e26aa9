//! What is done with several posts that were chosen in a list or a grid.

use http::Method;
use scheduler_core::app::RetryInput;
use scheduler_core::error::Refusal;
use scheduler_core::ids::PostId;
use scheduler_core::post::PostStatus;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form};
use warp::reply::Response;

use crate::page;
use crate::post::moving;
use crate::visitor::{Visitor, entered, query};

/// Posts of which something is done at once at most: those of a page of the list.
const CHOSEN_MAX: usize = 100;

/// Days that posts are moved by at most, ahead or back.
///
/// Source: our decision.
const DAYS_MAX: i64 = 366;

/// What is done, as forms name it and as the next page tells it.
const DONE: [(&str, &str, &str); 3] = [
    ("move", "moved", "Only what has not begun to go out moves, and to a time to come."),
    ("cancel", "cancelled", "Only what is still to go out is cancelled."),
    ("retry", "tried again", "Only what has failed, and cannot be live already, is tried again."),
];

pub(crate) static CHOSEN: Endpoint =
    Endpoint::page("web_change_posts", Method::POST, "/w/{workspaceId}/calendar/chosen", |visit| {
        Box::pin(entered(visit, Role::Drafter, chosen))
    });

async fn chosen(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let mut ids: Vec<PostId> = form.all("post").filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() || ids.len() > CHOSEN_MAX {
        let message = format!("Choose 1 to {CHOSEN_MAX} posts.");
        return Err(Refusal::invalid("post", message).into());
    }
    let back = back(&visitor, &form);
    let action = form.only("do").unwrap_or_default();
    if action == "ask" {
        return crate::approvals::ask(&visitor, &form, ids, back).await;
    }
    visitor.member.require(Role::Editor)?;
    let Some((name, ..)) = DONE.iter().find(|(name, ..)| *name == action) else {
        return Err(Refusal::invalid("do", "Choose what to do with the posts.").into());
    };
    let days = if *name == "move" { days(&form)? } else { 0 };
    let mut done = 0;
    for id in &ids {
        let outcome = match *name {
            "move" => move_one(&visitor, *id, days).await,
            "cancel" => cancel_one(&visitor, *id).await,
            _ => retry_one(&visitor, *id).await,
        };
        match outcome {
            Ok(is_done) => done += usize::from(is_done),
            // One that is refused is told with the others; what is wrong with the server is not.
            Err(declined) if declined.code().status() < 500 => {}
            Err(declined) => return Err(declined),
        }
    }
    let (count, left) = (done.to_string(), (ids.len() - done).to_string());
    let told = query(&[("done", *name), ("count", count.as_str()), ("left", left.as_str())]);
    let sign = if back.contains('?') { '&' } else { '?' };
    Ok(page::sent_to(&format!("{back}{sign}{told}")))
}

/// The view that the form was sent from, which is one of the calendar.
fn back(visitor: &Visitor, form: &Form) -> String {
    let calendar = visitor.at("calendar/");
    let back = form.only("back").filter(|back| back.starts_with(&calendar));
    back.map_or_else(|| format!("{calendar}list"), str::to_owned)
}

fn days(form: &Form) -> Result<i64, Refusal> {
    let days = form.only("days").and_then(|days| days.trim().parse().ok());
    let is_far = |days: &i64| *days != 0 && (-DAYS_MAX..=DAYS_MAX).contains(days);
    days.filter(is_far).ok_or_else(|| {
        Refusal::invalid("days", format!("Posts move by 1 to {DAYS_MAX} days, ahead or back."))
    })
}

async fn move_one(visitor: &Visitor, id: PostId, days: i64) -> Result<bool, Declined> {
    let post = visitor.post_of(id).await?;
    moving::by_days(visitor, &post, days).await
}

async fn cancel_one(visitor: &Visitor, id: PostId) -> Result<bool, Declined> {
    let post = visitor.scheduler().post(&visitor.caller, id).await?;
    // A draft, or what has ended, would be removed.
    let is_to_come = matches!(post.status, PostStatus::Scheduled | PostStatus::Publishing);
    if is_to_come {
        let expected = [post.revision];
        visitor.scheduler().delete_post(&visitor.caller, id, Some(&expected)).await?;
    }
    Ok(is_to_come)
}

async fn retry_one(visitor: &Visitor, id: PostId) -> Result<bool, Declined> {
    let post = visitor.scheduler().post(&visitor.caller, id).await?;
    // One in doubt has to be looked at first, on its own page.
    let is_doubtful = |failure: &scheduler_core::target::Failure| failure.is_in_doubt();
    if post.targets.iter().filter_map(|target| target.failure()).any(is_doubtful) {
        return Ok(false);
    }
    let input = RetryInput { ids: Some(vec![id]), ..RetryInput::default() };
    Ok(visitor.scheduler().retry_posts(&visitor.caller, &input).await?.retried > 0)
}

/// What became of the posts that were chosen, as the address of the page tells it.
pub(super) fn told(asked: &Form) -> Option<String> {
    let (_, word, why) = DONE.iter().find(|(name, ..)| asked.only("done") == Some(*name))?;
    let number = |name: &str| asked.only(name).and_then(|text| text.parse::<u16>().ok());
    let posts = |count| if count == 1 { "1 post".to_owned() } else { format!("{count} posts") };
    let (count, left) = (number("count")?, number("left")?);
    let done = format!("{} {word}.", posts(count));
    if left == 0 {
        return Some(done);
    }
    let was = if left == 1 { "was" } else { "were" };
    Some(format!(
        "{done} {} {was} left as {}. {why}",
        posts(left),
        if left == 1 { "it is" } else { "they are" }
    ))
}
