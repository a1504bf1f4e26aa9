//! Following a post until every target has ended.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::time::Duration;

use chrono::{DateTime, Utc};
use indicatif::{MultiProgress, ProgressBar, ProgressFinish, ProgressStyle};
use scheduler_client::{Following, SeenPost};
use scheduler_core::account::AccountView;
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::ports::Clock as _;
use scheduler_core::post::{ApprovalState, PostView, TargetView};
use scheduler_core::target::TargetStatus;
use scheduler_worker::SystemClock;

use super::target::label;
use super::view::{instant, without_link};
use crate::client::Client;
use crate::failure::Failure;
use crate::printer::{Printer, escape_control};
use crate::waiting::{draw_target, moving};

/// A post of which nothing goes out for longer is looked at less often.
const FAR: Duration = Duration::from_secs(30);
const SECOND: Duration = Duration::from_secs(1);

/// How far a target has come, on a terminal.
const SIGN: &str = "{spinner} {prefix}: {msg}";

/// Looks at a post until every target has ended, or nothing of it goes out any more, and shows how
/// far each has come.
///
/// # Errors
/// Those of the server; that it cannot be reached only when it stays so.
pub(crate) async fn follow(
    client: &Client,
    printer: Printer,
    id: PostId,
    accounts: &[AccountView],
) -> Result<SeenPost, Failure> {
    let clock = SystemClock::new();
    let mut display = Display::new(printer, accounts);
    let mut following = client.follow(id);
    let mut due = None;
    loop {
        if let Some(seen) = following.look().await? {
            if display.update(&seen.post, clock.now()) {
                following.hurry();
            }
            if seen.has_ended() {
                return Ok(seen);
            }
            due = next_due(&seen.post);
        }
        let mut left = longer(following.pause(), due, clock.now());
        while !left.is_zero() {
            let step = left.min(SECOND);
            tokio::time::sleep(step).await;
            left -= step;
            display.count_down(clock.now());
        }
    }
}

/// What a person recognises an account by: its handle, else its name, else its id.
fn shown(account: &AccountView) -> String {
    match (&account.username, &account.display_name) {
        (None, Some(name)) => format!("{}:{name}", account.platform),
        _ => label(account),
    }
}

/// When the next target goes out, if none is on its way.
fn next_due(post: &PostView) -> Option<DateTime<Utc>> {
    let open = || post.targets.iter().filter(|target| !target.status.has_ended());
    if open().any(|target| target.next_attempt_at.is_none()) {
        return None;
    }
    open().filter_map(|target| target.next_attempt_at).min()
}

/// A pause until the next look: longer where nothing goes out for a while, though what is changed
/// by others is to be seen as well.
fn longer(pause: Duration, due: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Duration {
    let until = due.and_then(|due| (due - now).to_std().ok()).unwrap_or_default();
    if until > FAR { pause.max(Following::FROM_AFAR) } else { pause }
}

/// Shows how far each target has come: a line each that changes in its place on a terminal, else a
/// line for each change.
struct Display<'a> {
    printer: Printer,
    bars: Option<MultiProgress>,
    accounts: &'a [AccountView],
    shown: BTreeMap<TargetId, (State, Option<ProgressBar>)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    text: String,
    /// When the text speaks of an instant to come.
    due: Option<DateTime<Utc>>,
}

impl<'a> Display<'a> {
    fn new(printer: Printer, accounts: &'a [AccountView]) -> Self {
        let bars = (!printer.is_json() && std::io::stderr().is_terminal())
            .then(|| MultiProgress::with_draw_target(draw_target()));
        Self { printer, bars, accounts, shown: BTreeMap::new() }
    }

    /// Shows the targets of a post; true when one has changed.
    fn update(&mut self, post: &PostView, now: DateTime<Utc>) -> bool {
        let mut has_changed = false;
        for target in &post.targets {
            let state = state(target, post.approval_state);
            let account = self.accounts.iter().find(|account| account.id == target.account_id);
            let name = account.map_or_else(|| target.platform.to_string(), shown);
            let (shown, bar) = self.shown.entry(target.id).or_insert_with(|| {
                // What has not ended stays as it is when following ends.
                let bar = || moving(None, SIGN, &name).with_finish(ProgressFinish::Abandon);
                (State::default(), self.bars.as_ref().map(|bars| bars.add(bar())))
            });
            if *shown == state {
                continue;
            }
            has_changed = true;
            match bar {
                Some(bar) if target.status.has_ended() => {
                    let sign = if target.status == TargetStatus::Failed { "✗" } else { "✓" };
                    if let Ok(style) = ProgressStyle::with_template("{msg}") {
                        bar.set_style(style);
                    }
                    bar.finish_with_message(format!(
                        "{sign} {name}: {}",
                        escape_control(&state.text)
                    ));
                }
                Some(bar) => bar.set_message(state.with_wait(now)),
                None => self.printer.message(&format!("{}: {}", escape_control(&name), state.text)),
            }
            *shown = state;
        }
        has_changed
    }

    /// Shows again how long it takes until something goes out.
    fn count_down(&self, now: DateTime<Utc>) {
        for (state, bar) in self.shown.values() {
            if let (Some(_), Some(bar)) = (state.due, bar) {
                bar.set_message(state.with_wait(now));
            }
        }
    }
}

impl State {
    /// The text, and how long it takes from now.
    fn with_wait(&self, now: DateTime<Utc>) -> String {
        let text = escape_control(&self.text);
        match self.due.and_then(|due| (due - now).to_std().ok()) {
            Some(wait) => format!("{text} (in {})", length(wait)),
            None => text.into_owned(),
        }
    }
}

fn state(target: &TargetView, approval: Option<ApprovalState>) -> State {
    let status = target.status.as_str();
    let attempts = target.attempts;
    let again = |attempts: u32| {
        if attempts > 1 { format!(" after {attempts} attempts") } else { String::new() }
    };
    let error = target.error.as_deref();
    let text = match target.status {
        TargetStatus::Pending => match (target.next_attempt_at, error) {
            (Some(at), Some(error)) => {
                format!("attempt {attempts} failed: {error}; next attempt {}", instant(at))
            }
            (_, _) if approval == Some(ApprovalState::Pending) => "waits for approval".to_owned(),
            (Some(at), None) => format!("{status}, due {}", instant(at)),
            (None, Some(error)) => format!("{status}: {error}"),
            (None, None) => status.to_owned(),
        },
        TargetStatus::Publishing if attempts > 1 => format!("{status}, attempt {attempts}"),
        TargetStatus::Publishing => status.to_owned(),
        TargetStatus::Published => match &target.remote_url {
            Some(url) => format!("{status}{} {url}", again(attempts)),
            None => {
                let reason = without_link(target);
                let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
                format!("{status}{}{reason}", again(attempts))
            }
        },
        TargetStatus::Failed | TargetStatus::Skipped => match error {
            Some(error) => format!("{status}{}: {error}", again(attempts)),
            None => status.to_owned(),
        },
    };
    let is_pending = target.status == TargetStatus::Pending;
    State { text, due: target.next_attempt_at.filter(|_| is_pending) }
}

/// A length of time in its two largest units.
fn length(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, _, _) => format!("{hours} h {minutes} min"),
        (_, _, _) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use scheduler_client::Pauses;
    use serde_json::{Value, json};

    use super::*;

    fn target(status: &str, attempts: u32, changes: &Value) -> TargetView {
        let mut target = json!({
            "id": "00000000-0000-0000-0000-000000000001", "platform": "bluesky",
            "accountId": "00000000-0000-0000-0000-000000000002", "status": status,
            "remoteId": null, "remoteUrl": null, "publishedAt": null, "error": null,
            "errorCode": null, "errorPermanent": false, "attempts": attempts,
            "nextAttemptAt": null, "canEditRemote": false, "canDeleteRemote": false,
            "options": {}, "metrics": null,
        });
        for (name, value) in changes.as_object().unwrap() {
            target[name] = value.clone();
        }
        serde_json::from_value(target).unwrap()
    }

    #[test]
    fn how_far_a_target_has_come() {
        let at = "2026-12-01T09:00:00Z";
        let shown = instant(at.parse().unwrap());
        let (due, next) = (
            format!("pending, due {shown}"),
            format!("attempt 2 failed: No answer.; next attempt {shown}"),
        );
        for (status, attempts, changes, want) in [
            ("pending", 0, json!({"nextAttemptAt": at}), due.as_str()),
            ("pending", 2, json!({"nextAttemptAt": at, "error": "No answer."}), &next),
            ("publishing", 1, json!({}), "publishing"),
            ("publishing", 3, json!({}), "publishing, attempt 3"),
            (
                "published",
                1,
                json!({"remoteUrl": "https://a.example/1"}),
                "published https://a.example/1",
            ),
            (
                "published",
                2,
                json!({"remoteUrl": "https://a.example/1"}),
                "published after 2 attempts https://a.example/1",
            ),
            ("published", 1, json!({}), "published"),
            (
                "published",
                1,
                json!({"platform": "telegram"}),
                "published (Telegram gives links to messages in channels and supergroups alone.)",
            ),
            ("failed", 6, json!({"error": "Refused."}), "failed after 6 attempts: Refused."),
            ("skipped", 0, json!({}), "skipped"),
        ] {
            assert_eq!(state(&target(status, attempts, &changes), None).text, want);
        }
        let waits = target("pending", 0, &json!({"nextAttemptAt": at}));
        let state = state(&waits, Some(ApprovalState::Pending));
        assert_eq!(state.text, "waits for approval");
    }

    #[test]
    fn the_time_until_it_is_due_is_counted_down() {
        let state = State { text: "pending".into(), due: "2026-12-01T09:00:00Z".parse().ok() };
        for (now, want) in [
            ("2026-12-01T08:59:57Z", "pending (in 3 s)"),
            ("2026-12-01T08:58:57Z", "pending (in 1 min 3 s)"),
            ("2026-12-01T07:00:00Z", "pending (in 2 h 0 min)"),
            ("2026-11-28T07:00:00Z", "pending (in 3 d 2 h)"),
            ("2026-12-01T09:00:01Z", "pending"),
        ] {
            assert_eq!(state.with_wait(now.parse().unwrap()), want);
        }
    }

    #[test]
    fn what_is_far_away_is_looked_at_less_often() {
        let now: DateTime<Utc> = "2026-12-01T09:00:00Z".parse().unwrap();
        let after = |seconds| Some(now + chrono::TimeDelta::seconds(seconds));
        for (due, want) in [
            (None, Pauses::SHORTEST),
            (after(-5), Pauses::SHORTEST),
            (after(20), Pauses::SHORTEST),
            (after(3_600), Following::FROM_AFAR),
        ] {
            assert_eq!(longer(Pauses::SHORTEST, due, now), want, "{due:?}");
        }
        let asked = Duration::from_secs(30);
        assert_eq!(longer(asked, after(3_600), now), asked, "the server asks for more");
    }
}
