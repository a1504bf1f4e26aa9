//! A clock that was set back.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::Tables;
use crate::ports::{Heartbeat, SET_BACK_MIN};
use crate::target::TargetStatus;

impl Tables {
    pub(super) fn heartbeat(&mut self, at: DateTime<Utc>) -> Heartbeat {
        let seen_at = self.seen_at.unwrap_or(at);
        let set_back = Some(seen_at - at).filter(|set_back| *set_back > SET_BACK_MIN);
        self.seen_at = Some(if set_back.is_some() { at } else { seen_at.max(at) });
        if let Some(set_back) = set_back {
            self.move_waits_back(at, set_back);
        }
        Heartbeat { store_time: at, set_back }
    }

    fn move_waits_back(&mut self, now: DateTime<Utc>, by: TimeDelta) {
        let mut begun: BTreeSet<Uuid> = BTreeSet::new();
        for post in self.posts.values_mut() {
            let scheduled_at = post.scheduled_at;
            for target in &mut post.targets {
                let waits_for_retry = target.waits_for_retry(scheduled_at);
                if waits_for_retry || target.status != TargetStatus::Pending {
                    begun.insert(target.id.0);
                }
                if waits_for_retry {
                    target.due_at = target.due_at.map(|due_at| due_at - by);
                }
            }
        }
        self.queue.move_back(now, by, |subject| begun.contains(&subject));
        self.readings.move_back(by);
        for media in self.media.values_mut() {
            media.due_at = media.due_at.map(|due_at| due_at - by);
        }
        for row in self.accounts.values_mut() {
            row.refresh_until = row.refresh_until.map(|until| until - by);
        }
    }
}
