//! What a running process tells Prometheus.
//!
//! Every [`Metrics`] has a recorder of its own, so that several servers in one process do not mix
//! their figures.

mod assistant;
mod catalogue;
mod page;
mod runs;

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{Method, StatusCode};
use metrics::{
    Counter, Gauge, Histogram, Key, Label, Level, Metadata, Recorder as _, SharedString,
};
use metrics_exporter_prometheus::{
    BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder,
};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{CallClass, NetworkCall, Observer, StoreCall, WorkKind};
use tokio::sync::Mutex;

use page::Gathered;

pub use catalogue::{Bound, METRICS, Metric, MetricKind};
pub use page::{MetricsAccess, MetricsToken};

/// Observations of durations that are kept apart before they are added up, since nobody may ask.
const KEPT_APART: u32 = 4_096;

/// The outcome of a refresh that gave new credentials.
const REFRESHED: &str = "succeeded";

static METADATA: Metadata<'static> = Metadata::new("scheduler", Level::INFO, None);

/// The connections of a database, as [`Metrics::connections`] asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionCounts {
    /// Those that are open.
    pub open: u32,
    /// Those of them that nobody uses.
    pub idle: u32,
    /// How many may be open at most.
    pub max: u32,
}

/// The metrics of a process. Clones count together.
///
/// It is an [`Observer`] for the networks and the store; a server and a worker are given it by
/// their `with_metrics`.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    durations: AtomicU32,
    connections: OnceLock<Box<dyn Fn() -> ConnectionCounts + Send + Sync>>,
    gathered: Mutex<Option<Gathered>>,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    /// Metrics of a process that was started at this instant.
    ///
    /// # Errors
    /// [`BuildError`]: never, since every histogram has buckets.
    pub fn new(started_at: DateTime<Utc>) -> Result<Self, BuildError> {
        let mut builder = PrometheusBuilder::new();
        for metric in METRICS {
            if let MetricKind::Histogram(bounds) = metric.kind {
                let bounds: Vec<f64> = bounds.iter().map(|bound| bound.seconds()).collect();
                let matcher = Matcher::Full(metric.name.to_owned());
                builder = builder.set_buckets_for_metric(matcher, &bounds)?;
            }
        }
        let recorder = builder.build_recorder();
        for metric in METRICS {
            let (name, help) = (metric.name.into(), SharedString::const_str(metric.help));
            match metric.kind {
                MetricKind::Counter => recorder.describe_counter(name, None, help),
                MetricKind::Gauge => recorder.describe_gauge(name, None, help),
                MetricKind::Histogram(_) => recorder.describe_histogram(name, None, help),
            }
        }
        let handle = recorder.handle();
        let metrics = Self(Arc::new(Inner {
            recorder,
            handle,
            durations: AtomicU32::new(0),
            connections: OnceLock::new(),
            gathered: Mutex::default(),
        }));
        metrics.gauge(&catalogue::BUILD_INFO, [env!("CARGO_PKG_VERSION")]).set(1.0);
        metrics.gauge(&catalogue::START_TIME, [""; 0]).set(seconds_since_1970(started_at));
        metrics.begin_at_zero();
        Ok(metrics)
    }

    /// Asks this function for the connections of the database whenever the metrics are gathered.
    /// The first function stays.
    pub fn connections(&self, counts: impl Fn() -> ConnectionCounts + Send + Sync + 'static) {
        // A second one has no place, which its caller knows.
        let _ = self.0.connections.set(Box::new(counts));
    }

    /// Counters that are often asked for, or that an alert waits for, are there before they first
    /// count, so that their first rise is seen.
    fn begin_at_zero(&self) {
        for outcome in runs::DELIVERY_OUTCOMES {
            self.counter(&catalogue::DELIVERIES, [outcome]).increment(0);
        }
        for outcome in runs::MEDIA_OUTCOMES {
            self.counter(&catalogue::MEDIA_WORK, [outcome]).increment(0);
        }
        for outcome in assistant::OUTCOMES {
            self.counter(&catalogue::ASSISTANT_CALLS, [outcome]).increment(0);
        }
        for platform in Platform::ALL {
            let labels = [platform.as_str(), REFRESHED];
            self.counter(&catalogue::TOKEN_REFRESHES, labels).increment(0);
            for [outcome, class, code] in runs::PUBLISH_ENDS {
                let labels = [platform.as_str(), outcome, class, code];
                self.counter(&catalogue::PUBLISH_OUTCOMES, labels).increment(0);
            }
        }
        self.counter(&catalogue::RATE_LIMITED, [""; 0]).increment(0);
        for kind in WorkKind::ALL {
            for outcome in runs::FAULTS {
                self.counter(&catalogue::WORK, [kind.as_str(), outcome]).increment(0);
            }
        }
    }

    /// Counts a request that was answered; `pattern` is that of its endpoint, `None` for one that
    /// no endpoint took.
    pub(crate) fn request(
        &self,
        pattern: Option<&'static str>,
        method: &Method,
        status: StatusCode,
        took: Duration,
    ) {
        let endpoint = pattern.unwrap_or("none");
        let method = method_name(method);
        let labels: [SharedString; 3] =
            [endpoint.into(), method.into(), status.as_u16().to_string().into()];
        self.counter(&catalogue::REQUESTS, labels).increment(1);
        self.time(&catalogue::REQUEST_DURATION, [endpoint, method], took);
        if status == StatusCode::TOO_MANY_REQUESTS {
            self.counter(&catalogue::RATE_LIMITED, [""; 0]).increment(1);
        }
    }

    /// A lane of work is in flight until this is dropped.
    pub(crate) fn in_flight(&self, kind: WorkKind, platform: Option<Platform>) -> InFlight {
        let gauge = self.gauge(&catalogue::IN_FLIGHT, [kind.as_str(), network(platform)]);
        gauge.increment(1.0);
        InFlight(gauge)
    }

    fn counter<L: Into<SharedString>, const COUNT: usize>(
        &self,
        metric: &Metric,
        values: [L; COUNT],
    ) -> Counter {
        self.0.recorder.register_counter(&key(metric, values), &METADATA)
    }

    fn gauge<L: Into<SharedString>, const COUNT: usize>(
        &self,
        metric: &Metric,
        values: [L; COUNT],
    ) -> Gauge {
        self.0.recorder.register_gauge(&key(metric, values), &METADATA)
    }

    fn histogram<L: Into<SharedString>, const COUNT: usize>(
        &self,
        metric: &Metric,
        values: [L; COUNT],
    ) -> Histogram {
        self.0.recorder.register_histogram(&key(metric, values), &METADATA)
    }

    fn time<L: Into<SharedString>, const COUNT: usize>(
        &self,
        metric: &Metric,
        values: [L; COUNT],
        took: Duration,
    ) {
        self.histogram(metric, values).record(took.as_secs_f64());
        // Durations pile up in the recorder until somebody asks for them, which nobody may.
        if self.0.durations.fetch_add(1, Ordering::Relaxed) % KEPT_APART == KEPT_APART - 1 {
            self.0.handle.run_upkeep();
        }
    }
}

/// A lane of work in flight; ends when it is dropped.
pub(crate) struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

impl Observer for Metrics {
    fn called_network(&self, call: &NetworkCall) {
        let (network, operation) = (call.platform.as_str(), call.operation);
        let labels = [network, operation, call.class.as_str()];
        self.counter(&catalogue::NETWORK_CALLS, labels).increment(1);
        // What was not made took no time of the network's.
        if call.class != CallClass::NotMade {
            self.time(&catalogue::NETWORK_CALL_DURATION, [network, operation], call.took);
        }
    }

    fn called_store(&self, call: &StoreCall) {
        let outcome = if call.succeeded { "succeeded" } else { "failed" };
        self.counter(&catalogue::STORE_OPERATIONS, [call.operation, outcome]).increment(1);
        self.time(&catalogue::STORE_OPERATION_DURATION, [call.operation], call.took);
    }

    fn refreshed_token(&self, platform: Platform, failure: Option<&'static str>) {
        let labels = [platform.as_str(), failure.unwrap_or(REFRESHED)];
        self.counter(&catalogue::TOKEN_REFRESHES, labels).increment(1);
    }
}

fn key<L: Into<SharedString>, const COUNT: usize>(metric: &Metric, values: [L; COUNT]) -> Key {
    debug_assert_eq!(metric.labels.len(), COUNT, "{}", metric.name);
    let labels: Vec<Label> =
        metric.labels.iter().zip(values).map(|(name, value)| Label::new(*name, value)).collect();
    Key::from_parts(metric.name, labels)
}

/// The network of work that has one.
fn network(platform: Option<Platform>) -> &'static str {
    platform.map_or("none", Platform::as_str)
}

/// The methods that anybody may send are without number; those that are known have their names.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// As Prometheus tells instants.
#[expect(clippy::cast_precision_loss, reason = "exact to the microsecond for 200 years")]
fn seconds_since_1970(at: DateTime<Utc>) -> f64 {
    at.timestamp_micros() as f64 / 1e6
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
