//! Clients, and the person who shows them posts.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use chrono::TimeDelta;
use scheduler_core::app::{ApprovalAnswer, ApprovalInput, Caller, OpenedApproval};
use scheduler_core::connecting::Pass;
use scheduler_core::ids::PostId;
use scheduler_core::ports::Clock as _;
use scheduler_core::post::{ApprovalState, Field, Post, PostInput, Verdict};
use scheduler_core::target::TargetStatus;

use crate::run::{Setting, block_on};

/// Shows posts, takes them back, changes them, and answers under the links, until it is calm.
pub(crate) async fn act(setting: Arc<Setting>, caller: Caller) {
    let world = &setting.world;
    let mut links: Vec<(PostId, Pass)> = Vec::new();
    while !setting.callers_done.load(Ordering::Relaxed) {
        let wait = i64::try_from(world.below(120)).expect("small");
        world.until(world.now() + TimeDelta::seconds(wait)).await;
        let posts = setting.store.inner.posts();
        if posts.is_empty() {
            continue;
        }
        let id = posts[usize::try_from(world.below(posts.len() as u64)).expect("small")].id;
        match world.below(8) {
            0..=2 => show(&setting, id, &mut links).await,
            3 => {
                let _ = setting.scheduler.withdraw_approval(setting.workspace, id).await;
            }
            4 => {
                // As long as the others, since that says how many parts it has.
                let content = Field::Value("zz".to_owned());
                let change = PostInput { content, ..PostInput::default() };
                let has_two = posts.iter().any(|post| post.id == id && post.content == "bb");
                if has_two {
                    let _ = setting.scheduler.update_post(&caller, id, change, None).await;
                }
            }
            _ if links.is_empty() => {}
            _ => {
                let last = links.len() as u64;
                let link = usize::try_from(world.below(last)).expect("small");
                answer(&setting, &links[link].1).await;
            }
        }
    }
}

async fn show(setting: &Setting, id: PostId, links: &mut Vec<(PostId, Pass)>) {
    let expires_at = Some(setting.world.now() + TimeDelta::days(1));
    let input = ApprovalInput { post_ids: vec![id], expires_at, ..ApprovalInput::default() };
    if let Ok(new) = setting.scheduler.create_approval(setting.workspace, &input).await {
        links.push((id, new.pass));
    }
}

/// What a client decides on a page that they have looked at for a while.
async fn answer(setting: &Setting, pass: &Pass) {
    let world = &setting.world;
    let Ok(OpenedApproval::Page(page)) = setting.scheduler.open_approval(pass).await else {
        return;
    };
    let wait = i64::try_from(world.below(60)).expect("small");
    world.until(world.now() + TimeDelta::seconds(wait)).await;
    let verdict = if world.below(3) == 0 { Verdict::Changes } else { Verdict::Approve };
    let Some(post) = page.posts.into_iter().next() else { return };
    let note = Some("as I said".to_owned());
    let answer = ApprovalAnswer { post_id: post.id, seen: post.seen, verdict, note };
    let _ = setting.scheduler.decide_approval(pass, &answer).await;
}

/// Withdraws what still waits for a client.
pub(crate) fn let_all_go(setting: &Setting) {
    for post in setting.store.inner.posts() {
        if matches!(post.approval_state, Some(ApprovalState::Pending | ApprovalState::Changes)) {
            let _ = block_on(setting.scheduler.withdraw_approval(setting.workspace, post.id));
        }
    }
}

/// How many targets of a post went out with an approval.
pub(crate) fn approved(post: &Post) -> usize {
    let is_out = |status| status == TargetStatus::Published;
    let out = post.targets.iter().filter(|target| is_out(target.status())).count();
    if post.approval_state == Some(ApprovalState::Approved) { out } else { 0 }
}
