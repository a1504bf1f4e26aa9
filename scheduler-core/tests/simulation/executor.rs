//! Runs futures one poll at a time, in an order that a seed chooses, and kills them between polls.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};

use chrono::{DateTime, Utc};
use scheduler_core::ports::Clock as _;

use crate::world::World;

/// A machine that tasks run on; a crash takes all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A node with workers.
    Node(usize),
    /// A caller and the request that it makes.
    Caller,
    /// What nobody here can stop, such as a network that has been asked.
    Outside,
}

pub(crate) struct Task {
    place: Place,
    future: Pin<Box<dyn Future<Output = ()> + Send>>,
}

pub(crate) struct Executor {
    world: Arc<World>,
    tasks: Vec<Task>,
    /// Nodes that are stopped for a while, and until when.
    paused: Vec<(Place, DateTime<Utc>)>,
}

impl Executor {
    pub(crate) fn new(world: Arc<World>) -> Self {
        Self { world, tasks: Vec::new(), paused: Vec::new() }
    }

    pub(crate) fn spawn(
        &mut self,
        place: Place,
        future: impl Future<Output = ()> + Send + 'static,
    ) {
        self.tasks.push(Task { place, future: Box::pin(future) });
    }

    /// Drops every task of a place, wherever each of them is.
    pub(crate) fn crash(&mut self, place: Place) {
        self.tasks.retain(|task| task.place != place);
    }

    /// Stops a place for a while: nothing of it goes on, and nothing of it is lost.
    pub(crate) fn pause(&mut self, place: Place, until: DateTime<Utc>) {
        self.paused.push((place, until));
    }

    /// Until when a task is stopped, if it is.
    fn paused_until(&self, place: Place) -> Option<DateTime<Utc>> {
        let calm = self.world.calm.load(Ordering::Relaxed);
        let until = self.paused.iter().filter(|(paused, _)| *paused == place && !calm);
        until.map(|(_, until)| *until).max().filter(|until| *until > self.world.now())
    }

    /// Crashes one caller in the middle of its request.
    pub(crate) fn crash_a_caller(&mut self) {
        let callers: Vec<usize> = (0..self.tasks.len())
            .filter(|index| self.tasks[*index].place == Place::Caller)
            .collect();
        if !callers.is_empty() {
            let index = self.world.below(callers.len() as u64) as usize;
            drop(self.tasks.swap_remove(callers[index]));
        }
    }

    /// Polls one task. When all of them wait for time, moves the clock to the first of their
    /// instants. Returns false when there is nothing left to wait for before `end`.
    pub(crate) fn step(&mut self, end: DateTime<Utc>) -> bool {
        let mut waiting_for: Option<DateTime<Utc>> = None;
        let start = self.world.below(self.tasks.len().max(1) as u64) as usize;
        for offset in 0..self.tasks.len() {
            let index = (start + offset) % self.tasks.len();
            if let Some(until) = self.paused_until(self.tasks[index].place) {
                waiting_for = Some(waiting_for.map_or(until, |first| first.min(until)));
                continue;
            }
            self.world.clear_waiting();
            let mut context = Context::from_waker(Waker::noop());
            let polled = self.tasks[index].future.as_mut().poll(&mut context);
            let place = self.tasks[index].place;
            for (elsewhere, future) in self.world.take_spawned() {
                // A server goes on when one of its callers goes away.
                let here = if place == Place::Caller { Place::Outside } else { place };
                self.tasks.push(Task { place: elsewhere.unwrap_or(here), future });
            }
            match polled {
                Poll::Ready(()) => {
                    drop(self.tasks.swap_remove(index));
                    return true;
                }
                Poll::Pending => match self.world.waiting() {
                    None => return true,
                    Some(until) => {
                        waiting_for = Some(waiting_for.map_or(until, |first| first.min(until)));
                    }
                },
            }
        }
        match waiting_for {
            Some(until) if until <= end => {
                self.world.advance_to(until);
                true
            }
            _ => false,
        }
    }
}
