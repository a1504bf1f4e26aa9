//! What is stored of what is written, and what is answered where nothing is.

use scheduler_core::account::AccountView;
use scheduler_core::error::{AppError, ErrorCode};
use scheduler_core::idempotency::IdempotencyKey;
use scheduler_core::ids::{AccountId, MediaId, PostId};
use scheduler_core::platform::CAPTION;
use scheduler_core::post::{Field, Post, PostInput, PostStatus, PostView};
use scheduler_core::rules;
use scheduler_core::timing::STOP_WITHIN;
use scheduler_http::visit::{Declined, Form, changed};
use warp::reply::Response;

use super::elsewhere::{self, Elsewhere};
use super::files::{self, Sent};
use super::written::{When, Written};
use super::{Compose, accounts, captions, compose, own_files, sets, slot, thread, tiktok};
use crate::page::{self, Said};
use crate::visitor::Visitor;

/// What a button does with what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Press {
    /// Keeps it as a draft.
    Keep,
    /// Keeps it as a draft, and goes on to whoever is to approve it.
    Ask,
    /// Keeps it as a draft, and goes on to cropping one of its files, for one account alone where
    /// that is named.
    Crop(MediaId, Option<AccountId>),
    /// Has it go out as it says.
    Schedule,
}

impl Press {
    fn of(form: &Form) -> Self {
        match form.only("do") {
            Some("save") => Self::Keep,
            Some("ask") => Self::Ask,
            _ => files::to_crop(form)
                .map_or(Self::Schedule, |(file, account)| Self::Crop(file, account)),
        }
    }

    fn is_draft(self) -> bool {
        self != Self::Schedule
    }
}

pub(super) async fn create(mut visitor: Visitor) -> Result<Response, Declined> {
    let sent = files::sent(&mut visitor).await?;
    let answer = created(&visitor, &sent).await?;
    Ok(sent.noted(answer))
}

async fn created(visitor: &Visitor, sent: &Sent) -> Result<Response, Declined> {
    if let Some(answer) = not_stored(visitor, sent, None).await? {
        return Ok(answer);
    }
    let (form, written) = (&sent.form, sent.written.clone());
    let accounts = accounts(visitor).await?;
    let press = Press::of(form);
    let input = match input(visitor, &written, &accounts, press.is_draft()).await {
        Ok(input) => input,
        Err(refused) => return again(visitor, None, written, refused).await,
    };
    // A button that is pressed twice makes one post.
    let key = form.only("key").map(|key| IdempotencyKey::new(key, None)).transpose()?;
    let made = visitor.scheduler().create_post(&visitor.caller, input.clone(), key.as_ref()).await;
    let stored = match made {
        // The form has been sent before: its draft was kept, and the answer was lost. What is
        // written since counts, unless somebody else has changed it.
        Ok(made) if made.replay.is_some() && made.value.status == PostStatus::Draft => {
            let (scheduler, post) = (visitor.scheduler(), made.value);
            if post.author != Some(visitor.caller.author()) {
                return stale(visitor, post.id, written, &accounts, &input, press).await;
            }
            let seen = Some(&[post.revision][..]);
            scheduler.update_post(&visitor.caller, post.id, input, seen).await
        }
        made => made.map(|made| made.value),
    };
    match stored {
        Ok(post) => done(visitor, &post, press),
        Err(error) if visitor.fragment().is_some() => Err(error.into()),
        Err(error) => again(visitor, None, written, error.into()).await,
    }
}

pub(super) async fn save(mut visitor: Visitor) -> Result<Response, Declined> {
    let sent = files::sent(&mut visitor).await?;
    let answer = saved(&visitor, &sent).await?;
    Ok(sent.noted(answer))
}

async fn saved(visitor: &Visitor, sent: &Sent) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    if let Some(answer) = not_stored(visitor, sent, Some(&post)).await? {
        return Ok(answer);
    }
    let (form, written) = (&sent.form, sent.written.clone());
    let accounts = accounts(visitor).await?;
    if form.only("do") == Some(elsewhere::TAKE_THEIRS) {
        return elsewhere::take_theirs(visitor, &post, &written, &accounts).await;
    }
    let over = elsewhere::kept_over(form);
    let (mut press, mut written) = (Press::of(form), written);
    let is_scheduled = post.status != PostStatus::Draft;
    if is_scheduled && over.is_some() {
        press = Press::Schedule;
        if written.planned.is_none() {
            // The page knew it as a draft: which text stays was asked, and not when it goes out.
            written.when = When::Kept;
        }
    } else if is_scheduled && press == Press::Keep {
        // Somebody has scheduled it since: nothing that is kept by itself may change that.
        return asked(visitor, &post, written, &accounts).await;
    } else if is_scheduled {
        press = Press::Schedule;
    } else if over.is_some() {
        press = Press::Keep;
    }
    let input = match input(visitor, &written, &accounts, press.is_draft()).await {
        Ok(input) => input,
        Err(refused) => return again(visitor, Some(&post), written, refused).await,
    };
    if over.is_some() {
        visitor
            .scheduler()
            .close_version(&visitor.caller, post.id)
            .await
            .map_err(AppError::from)?;
    }
    let expected = over.or(written.revision).map(|revision| vec![revision]);
    let saved = visitor.scheduler().update_post(
        &visitor.caller,
        post.id,
        input.clone(),
        expected.as_deref(),
    );
    match saved.await {
        Ok(saved) => {
            if over.is_some() || press == Press::Keep && visitor.fragment().is_none() {
                // What somebody has pressed a button for stays a version of its own.
                let closed = visitor.scheduler().close_version(&visitor.caller, post.id).await;
                closed.map_err(AppError::from)?;
            }
            done(visitor, &saved, press)
        }
        Err(error) => {
            let refused = Declined::from(error);
            if refused.code() == ErrorCode::Stale {
                return stale(visitor, post.id, written, &accounts, &input, press).await;
            }
            if visitor.fragment().is_some() {
                return Err(refused);
            }
            again(visitor, Some(&post), written, refused).await
        }
    }
}

/// Somebody has changed the post since the page was drawn. Where that was this very form, whose
/// answer was lost, it is done; else whoever writes is asked which text is to stay.
async fn stale(
    visitor: &Visitor,
    id: PostId,
    written: Written,
    accounts: &[AccountView],
    input: &PostInput,
    press: Press,
) -> Result<Response, Declined> {
    let post = visitor.post_of(id).await?;
    let scheduler = visitor.scheduler();
    let is_stored = if press.is_draft() {
        post.status == PostStatus::Draft
    } else {
        written.is_timed_as(&post, visitor.zone()?, visitor.now())
    };
    if is_stored && scheduler.says_already(&visitor.caller, post.id, input).await? {
        return done(visitor, &scheduler.post(&visitor.caller, post.id).await?, press);
    }
    asked(visitor, &post, written, accounts).await
}

/// Asks whoever writes which text is to stay.
async fn asked(
    visitor: &Visitor,
    post: &PostView,
    mut written: Written,
    accounts: &[AccountView],
) -> Result<Response, Declined> {
    if post.status != PostStatus::Draft && written.planned.is_some() {
        written.planned = post.scheduled_at;
    }
    let elsewhere = Elsewhere::of(visitor, post, &written, accounts).await?;
    if visitor.fragment().is_some() {
        return Ok(elsewhere.part());
    }
    let composer = compose(visitor, Some(post), written, None).await?;
    let composer = Compose { elsewhere: Some(elsewhere), is_unsaved: true, ..composer };
    Ok(page::shown_as(http::StatusCode::PRECONDITION_FAILED, &composer))
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
    let mut input = agreed.scheduled(accounts, zone);
    if written.when == When::Now {
        // It waits a little, so that it can be stopped.
        let at = visitor.now() + STOP_WITHIN;
        (input.publish_now, input.scheduled_at) = (Field::Absent, at.to_rfc3339().into());
    }
    let (caller, targets) = (visitor.caller.clone(), input.targets.clone().or_current(None));
    let asked = visitor.visit().to_its_end(move |scheduler| async move {
        scheduler.ask_whether_taken(&caller, targets.as_deref().unwrap_or_default()).await
    });
    asked.await?;
    Ok(input)
}

/// What is answered without storing anything: a look at what is written, with its texts and files
/// as a button wants them.
async fn not_stored(
    visitor: &Visitor,
    sent: &Sent,
    post: Option<&PostView>,
) -> Result<Option<Response>, Declined> {
    let (form, mut written) = (&sent.form, sent.written.clone());
    let (mut focused, mut refused, mut own) = (None, None, None);
    let (mut problem, mut has_changed) = (sent.refused.clone(), false);
    let mut pressed = None;
    let is_draft = post.is_none_or(|post| post.status == PostStatus::Draft);
    let button = form.only("do").unwrap_or_default();
    match button {
        // Nothing goes out without a file that was meant to go with it.
        _ if problem.is_some() => {}
        "check" => {}
        "fetch" => match crate::media::fetched(visitor, &written.address).await {
            Ok(made) => {
                written.files.push((made.media.id, String::new()));
                written.address.clear();
                has_changed = true;
            }
            Err(declined) => problem = Some(declined.message().to_owned()),
        },
        // What is scheduled is not saved for it.
        _ if files::to_crop(form).is_some() && !is_draft => {}
        "part" => {
            written.thread.push(String::new());
            focused = Some(written.thread.len());
        }
        "split" => {
            let cut = thread::cut(&mut written, &accounts(visitor).await?);
            problem = cut.err().map(str::to_owned);
        }
        "suggest" => {
            let accounts = accounts(visitor).await?;
            refused = captions::suggest(visitor, &mut written, &accounts).await.err();
        }
        button => {
            let accounts = accounts(visitor).await?;
            if let Some(Ok(platform)) = button.strip_prefix("use.").map(str::parse) {
                captions::accept(&mut written, &accounts, platform);
            } else if let Some(account) = own_text(&mut written, &accounts, button) {
                own = Some(account);
            } else if let Some(part) = thread::arrange(&mut written, button) {
                focused = Some(part);
            } else if !files::arrange(&mut written, button)
                && !own_files::press(&mut written, button)
            {
                let done = sets::press(visitor, form, &mut written, &accounts).await?;
                let Some(done) = done else { return Ok(None) };
                has_changed = done.has_changed;
                pressed = Some(done);
            }
        }
    }
    let mut composer = compose(visitor, post, written, problem).await?;
    composer.is_unsaved = true;
    if let Some(sets::Pressed { problem, focused, .. }) = pressed {
        (composer.sets.problem, composer.sets.focused) = (problem, focused);
    }
    if let Some(part) = focused.and_then(|place: usize| composer.check.parts.get_mut(place)) {
        part.is_focused = true;
    }
    if let Some(account) = form.only("at") {
        let of = composer.accounts.iter_mut().find(|picked| picked.id == account);
        of.into_iter().for_each(|picked| picked.is_at = true);
    }
    if let Some(account) = own {
        let of = composer.accounts.iter_mut().find(|picked| picked.id == account);
        of.into_iter().for_each(|picked| picked.is_focused = true);
    }
    if let (Some(captions), Some(refused)) = (&mut composer.captions, refused) {
        captions.refused = Some(refused.message().to_owned());
    }
    let answer = page::shown(&composer);
    Ok(Some(if has_changed { changed(answer) } else { answer }))
}

/// Gives an account a text of its own, or that of all again, as a button says; whose it was.
fn own_text(written: &mut Written, accounts: &[AccountView], button: &str) -> Option<String> {
    let (act, id) = button.split_once('.')?;
    let account = accounts.iter().find(|account| account.id.to_string() == id)?;
    let own = written.own_text(account.id);
    let text = if own.is_empty() { written.content.as_str() } else { own };
    let text = match act {
        "own" => Some(text.to_owned()),
        "fit" => rules::fitted(account.platform, text).or_else(|| Some(text.to_owned())),
        "all" => None,
        _ => return None,
    };
    let options = written.options.entry(account.id).or_default();
    match text {
        Some(text) => options.insert(CAPTION.key.to_owned(), text),
        None => options.remove(CAPTION.key),
    };
    Some(id.to_owned())
}

/// On to what was stored: a draft is written on, the others are looked at. A script that keeps what
/// is typed is told under which address and revision it is kept.
fn done(visitor: &Visitor, post: &Post, press: Press) -> Result<Response, Declined> {
    let id = post.id;
    let is_crop = matches!(press, Press::Crop(..));
    if visitor.fragment().is_some() && !is_crop {
        let at = visitor.zone()?.local(visitor.now()).format("%H:%M:%S");
        let action = visitor.at(&format!("compose/{id}"));
        let kept = serde_json::json!({ "action": action, "revision": post.revision, "at": at.to_string() });
        return Ok(changed(Response::new(kept.to_string().into())));
    }
    let to = match press {
        Press::Keep => format!("compose/{id}?{}", Said::Draft.query()),
        Press::Crop(file, account) => {
            let only = account.map(|account| format!("&for={account}")).unwrap_or_default();
            format!("media/{file}/crop?post={id}{only}")
        }
        Press::Ask => format!("posts/{id}?{}#client", Said::Draft.query()),
        Press::Schedule => format!("posts/{id}?{}", Said::Stored.query()),
    };
    Ok(page::sent_to(&visitor.at(&to)))
}

/// The composer with what was written, and why it was not stored. Where somebody else was faster
/// to take the slot, the next one is chosen, and nothing is stored before somebody agrees to it.
async fn again(
    visitor: &Visitor,
    post: Option<&PostView>,
    mut written: Written,
    mut refused: Declined,
) -> Result<Response, Declined> {
    if refused.code() == ErrorCode::SlotTaken
        && let (When::Slot, Some(taken)) = (written.when, written.slot)
    {
        refused = slot::other(visitor, &mut written, taken).await?;
    }
    let composer = compose(visitor, post, written, None).await?;
    // What the rules have found is told in the words of the page.
    let is_refused = refused.code() == ErrorCode::ValidationFailed && composer.check.errors > 0;
    Ok(refused.into_page(|status, message| {
        let problem = Some(message.to_owned());
        page::shown_as(status, &Compose { problem, is_refused, is_unsaved: true, ..composer })
    }))
}
