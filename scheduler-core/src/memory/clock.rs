//! A clock that was set back.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::Tables;
use crate::effects::set_back;
use crate::ports::Heartbeat;
use crate::target::TargetStatus;

impl Tables {
    pub(super) fn heartbeat(&mut self, at: DateTime<Utc>) -> Heartbeat {
        let (set_back, seen_at) = set_back(self.seen_at.unwrap_or(at), at);
        self.seen_at = Some(seen_at);
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
                if waits_for_retry || target.status() != TargetStatus::Pending {
                    begun.insert(target.id.0);
                }
                if waits_for_retry {
                    target.move_back(by);
                }
            }
        }
        self.queue.move_back(now, by, |subject| begun.contains(&subject));
        self.readings.move_back(by);
        for media in self.media.values_mut() {
            media.due_at = media.due_at.map(|due_at| due_at - by);
        }
        let feeds = self.feeds.values_mut().map(|(_, state)| state);
        for state in feeds.filter(|state| !state.is_due_after_rest()) {
            state.next_at -= by;
            state.rests_until = state.rests_until.map(|until| until - by);
        }
        for row in self.accounts.values_mut() {
            row.refresh_until = row.refresh_until.map(|until| until - by);
        }
    }
}
