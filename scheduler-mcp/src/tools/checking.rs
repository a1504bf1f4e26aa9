//! What networks would say, before anything is stored or sent.

use futures_util::FutureExt as _;
use scheduler_core::app::CheckReport;
use scheduler_core::key::Scope;
use scheduler_core::post::PostInput;
use scheduler_core::rules::Detail;
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::targets_shape;
use crate::arguments::Arguments;
use crate::check::{TIMES, Timing, body_of, check, kept_links};
use crate::failure::Failure;
use crate::plan::BODY;
use crate::schema::{Shape, text};
use crate::tool::{Definition, Hints, Outcome};
use crate::work::Work;

pub(crate) static CHECK_POST: Definition = Definition {
    name: "check_post",
    title: "Check a post",
    description: "What each network would get and say, of a draft (postId) or a body, at one time or none: findings with rule and remedy, counts, local times, costs. The planId names what was shown; scheduling and publishing take it.",
    hints: Hints::READS,
    scopes: &[Scope::PostsRead],
    is_repeatable: false,
    input: || {
        Shape::default()
            .with("postId", text())
            .read::<PostInput>(&BODY)
            .with("targets", targets_shape())
            .read::<PostInput>(&TIMES)
            .says("scheduledLocal", "YYYY-MM-DDTHH:MM, each account's clock")
    },
    output: || {
        Shape::default()
            .written::<CheckReport>(&["ok", "issues", "counts", "times", "costs"])
            .with("texts", json!({"type": "array"}))
            .needs("planId", text())
    },
    run: |work, arguments| check_post(work, arguments).boxed(),
};

async fn check_post(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let id = arguments.text("postId")?;
    let timing = Timing::take(&mut arguments);
    let mut body: Map<String, Value> = arguments.given(&BODY);
    let targets = arguments.take("targets");
    arguments.finish()?;
    let (body, kept) = match (id, targets) {
        (Some(_), Some(_)) => return Err(both()),
        (Some(_), None) if !body.is_empty() => return Err(both()),
        (Some(id), None) => {
            let post = work.post(&id).await?;
            (body_of(&post), kept_links(&post))
        }
        (None, Some(targets)) => {
            body.insert("targets".to_owned(), work.placed(targets).await?);
            (body, None)
        }
        (None, None) => {
            return Err(Failure::argument(
                "targets",
                "Name a postId, or targets and what they get.",
            ));
        }
    };
    let checked = check(work, body, &timing, kept).await?;
    let mut shown = checked.report.clone();
    for issue in shown["issues"].as_array_mut().into_iter().flatten() {
        if let Ok(detail) = Detail::deserialize(&issue["detail"]) {
            issue["remedy"] = json!(detail.remedy());
        }
    }
    if let Some(fields) = shown.as_object_mut() {
        fields.insert("texts".to_owned(), checked.texts());
        fields.insert("planId".to_owned(), json!(checked.plan.id()));
    }
    Ok(Outcome::Done(shown))
}

fn both() -> Failure {
    Failure::argument("postId", "Give a postId or a body, not both; update_post changes a draft.")
}
