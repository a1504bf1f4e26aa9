//! Every metric as data: what is described to Prometheus, and what documentation and tests walk.

/// What a metric is to Prometheus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// Only grows, and begins at 0 with the process.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Counts by size, with these upper bounds of its buckets.
    Histogram(&'static [Bound]),
}

/// The upper bound of a bucket, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound(pub u64);

impl Bound {
    /// In seconds, the unit of every histogram.
    #[must_use]
    pub fn seconds(self) -> f64 {
        std::time::Duration::from_micros(self.0).as_secs_f64()
    }
}

impl MetricKind {
    /// The name in the lines `# TYPE`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram(_) => "histogram",
        }
    }
}

/// One metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name, with its unit.
    pub name: &'static str,
    /// What it is.
    pub kind: MetricKind,
    /// The names of its labels. Every label has few values: none holds an id, a host or a text.
    pub labels: &'static [&'static str],
    /// What it means, in one sentence.
    pub help: &'static str,
}

const fn counter(
    name: &'static str,
    labels: &'static [&'static str],
    help: &'static str,
) -> Metric {
    Metric { name, kind: MetricKind::Counter, labels, help }
}

const fn gauge(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Gauge, labels, help }
}

const fn histogram(
    name: &'static str,
    labels: &'static [&'static str],
    bounds: &'static [Bound],
    help: &'static str,
) -> Metric {
    Metric { name, kind: MetricKind::Histogram(bounds), labels, help }
}

const fn micros<const COUNT: usize>(bounds: [u64; COUNT]) -> [Bound; COUNT] {
    let mut found = [Bound(0); COUNT];
    let mut index = 0;
    while index < COUNT {
        found[index] = Bound(bounds[index]);
        index += 1;
    }
    found
}

const fn millis<const COUNT: usize>(bounds: [u64; COUNT]) -> [Bound; COUNT] {
    let mut found = micros(bounds);
    let mut index = 0;
    while index < COUNT {
        found[index].0 *= 1_000;
        index += 1;
    }
    found
}

/// From 5 ms, the goal of being on time, to an hour.
static LATENESS: [Bound; 16] = millis([
    5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000,
    3_600_000,
]);

/// From the quickest network to a video that takes hours, or a publish that was retried.
static UNTIL_LIVE: [Bound; 15] = millis([
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 900_000,
    1_800_000, 3_600_000, 21_600_000,
]);

/// Calls to networks end within 30 s, those that carry files later.
static NETWORK_CALL: [Bound; 12] =
    millis([10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000]);

/// Deliveries end within 10 s.
static DELIVERY: [Bound; 11] = millis([5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]);

static ASSISTANT_CALL: [Bound; 10] =
    millis([250, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000]);

static REQUEST: [Bound; 13] = micros([
    1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    5_000_000, 10_000_000,
]);

static STORE_ACT: [Bound; 14] = micros([
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 5_000_000,
]);

/// `scheduler_build_info`
pub(super) static BUILD_INFO: Metric =
    gauge("scheduler_build_info", &["version"], "Always 1; its label is the release.");
/// `scheduler_process_start_time_seconds`
pub(super) static START_TIME: Metric = gauge(
    "scheduler_process_start_time_seconds",
    &[],
    "When the process was started, in seconds since 1970.",
);
/// `scheduler_worker_last_turn_timestamp_seconds`
pub(super) static LAST_TURN: Metric = gauge(
    "scheduler_worker_last_turn_timestamp_seconds",
    &[],
    "When the worker's loop has last looked for work, in seconds since 1970; it does so at least once a second.",
);
/// `scheduler_work_due`
pub(super) static WORK_DUE: Metric = gauge(
    "scheduler_work_due",
    &["kind"],
    "Pieces of work that are due and that no node has taken, the oldest 10000 at most.",
);
/// `scheduler_work_oldest_due_seconds`
pub(super) static OLDEST_DUE: Metric = gauge(
    "scheduler_work_oldest_due_seconds",
    &["kind"],
    "For how long the oldest work has been due that no node has taken; 0 when none is.",
);
/// `scheduler_work_in_flight`
pub(super) static IN_FLIGHT: Metric = gauge(
    "scheduler_work_in_flight",
    &["kind", "network"],
    "Lanes of work that this process is doing now.",
);
/// `scheduler_work_total`
pub(super) static WORK: Metric = counter(
    "scheduler_work_total",
    &["kind", "outcome"],
    "Pieces of work that this process has taken up, by what came of them.",
);
/// `scheduler_publish_lateness_seconds`
pub(super) static PUBLISH_LATENESS: Metric = histogram(
    "scheduler_publish_lateness_seconds",
    &["network"],
    &LATENESS,
    "From the instant at which a publish was due until a worker began it.",
);
/// `scheduler_publish_until_live_seconds`
pub(super) static PUBLISH_UNTIL_LIVE: Metric = histogram(
    "scheduler_publish_until_live_seconds",
    &["network"],
    &UNTIL_LIVE,
    "From the instant at which a target was due until it was live; of one that was retried, from the beginning of its first attempt.",
);
/// `scheduler_publish_outcomes_total`
pub(super) static PUBLISH_OUTCOMES: Metric = counter(
    "scheduler_publish_outcomes_total",
    &["network", "outcome", "class", "code"],
    "Attempts to publish that ended as published, deferred or failed, with the class and the error code of the failure.",
);
/// `scheduler_network_calls_total`
pub(super) static NETWORK_CALLS: Metric = counter(
    "scheduler_network_calls_total",
    &["network", "operation", "class"],
    "Requests to networks, by what they were part of and what became of them.",
);
/// `scheduler_network_call_duration_seconds`
pub(super) static NETWORK_CALL_DURATION: Metric = histogram(
    "scheduler_network_call_duration_seconds",
    &["network", "operation"],
    &NETWORK_CALL,
    "How long requests to networks took, the reading of the answer included.",
);
/// `scheduler_token_refreshes_total`
pub(super) static TOKEN_REFRESHES: Metric = counter(
    "scheduler_token_refreshes_total",
    &["network", "outcome"],
    "Exchanges of an account's credentials for new ones, by what came of them.",
);
/// `scheduler_deliveries_total`
pub(super) static DELIVERIES: Metric = counter(
    "scheduler_deliveries_total",
    &["outcome"],
    "Attempts to deliver an event to a webhook that ended as delivered, deferred or failed.",
);
/// `scheduler_delivery_duration_seconds`
pub(super) static DELIVERY_DURATION: Metric = histogram(
    "scheduler_delivery_duration_seconds",
    &["answer"],
    &DELIVERY,
    "How long receivers of events took to answer, by the class of their answer.",
);
/// `scheduler_media_work_total`
pub(super) static MEDIA_WORK: Metric = counter(
    "scheduler_media_work_total",
    &["outcome"],
    "Work on files that ended as fetched, examined, erased, given_up or deferred.",
);
/// `scheduler_readings_total`
pub(super) static READINGS: Metric = counter(
    "scheduler_readings_total",
    &["network", "outcome"],
    "Runs that read the figures of an account's posts, or looked at the account, that ended as read or deferred.",
);
/// `scheduler_assistant_calls_total`
pub(super) static ASSISTANT_CALLS: Metric = counter(
    "scheduler_assistant_calls_total",
    &["outcome"],
    "Prompts that the text model answered, declined, or was unavailable for.",
);
/// `scheduler_assistant_call_duration_seconds`
pub(super) static ASSISTANT_DURATION: Metric = histogram(
    "scheduler_assistant_call_duration_seconds",
    &[],
    &ASSISTANT_CALL,
    "How long the text model took to answer a prompt.",
);
/// `scheduler_http_requests_total`
pub(super) static REQUESTS: Metric = counter(
    "scheduler_http_requests_total",
    &["endpoint", "method", "status"],
    "Requests that were answered, by the pattern of their path.",
);
/// `scheduler_http_request_duration_seconds`
pub(super) static REQUEST_DURATION: Metric = histogram(
    "scheduler_http_request_duration_seconds",
    &["endpoint", "method"],
    &REQUEST,
    "How long requests took until the head of their answer was there.",
);
/// `scheduler_http_rate_limited_total`
pub(super) static RATE_LIMITED: Metric = counter(
    "scheduler_http_rate_limited_total",
    &[],
    "Requests that were refused since there were too many, with the status 429.",
);
/// `scheduler_store_up`
pub(super) static STORE_UP: Metric = gauge(
    "scheduler_store_up",
    &[],
    "1 when the database answered while the metrics were gathered, else 0.",
);
/// `scheduler_store_operations_total`
pub(super) static STORE_OPERATIONS: Metric = counter(
    "scheduler_store_operations_total",
    &["operation", "outcome"],
    "Operations of the store that succeeded, or failed, be it that nobody waited for their end.",
);
/// `scheduler_store_operation_duration_seconds`
pub(super) static STORE_OPERATION_DURATION: Metric = histogram(
    "scheduler_store_operation_duration_seconds",
    &["operation"],
    &STORE_ACT,
    "How long operations of the store took, waiting for their turn and for the commit included.",
);
/// `scheduler_store_connections`
pub(super) static CONNECTIONS: Metric = gauge(
    "scheduler_store_connections",
    &["state"],
    "Connections to the database that are open, idle or used; of an SQLite file those that read.",
);
/// `scheduler_store_connections_max`
pub(super) static CONNECTIONS_MAX: Metric = gauge(
    "scheduler_store_connections_max",
    &[],
    "How many connections to the database may be open at most.",
);

/// Every metric, in the order of the documentation.
pub static METRICS: [&Metric; 27] = [
    &BUILD_INFO,
    &START_TIME,
    &LAST_TURN,
    &WORK_DUE,
    &OLDEST_DUE,
    &IN_FLIGHT,
    &WORK,
    &PUBLISH_LATENESS,
    &PUBLISH_UNTIL_LIVE,
    &PUBLISH_OUTCOMES,
    &NETWORK_CALLS,
    &NETWORK_CALL_DURATION,
    &TOKEN_REFRESHES,
    &DELIVERIES,
    &DELIVERY_DURATION,
    &MEDIA_WORK,
    &READINGS,
    &ASSISTANT_CALLS,
    &ASSISTANT_DURATION,
    &REQUESTS,
    &REQUEST_DURATION,
    &RATE_LIMITED,
    &STORE_UP,
    &STORE_OPERATIONS,
    &STORE_OPERATION_DURATION,
    &CONNECTIONS,
    &CONNECTIONS_MAX,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_follow_the_rules_of_prometheus() {
        let mut names = BTreeSet::new();
        for metric in METRICS {
            let name = metric.name;
            assert!(names.insert(name), "{name} twice");
            assert!(name.starts_with("scheduler_"), "{name}");
            assert!(name.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase()), "{name}");
            let is_counter = metric.kind == MetricKind::Counter;
            assert_eq!(name.ends_with("_total"), is_counter, "{name}");
            if let MetricKind::Histogram(bounds) = metric.kind {
                assert!(name.ends_with("_seconds"), "{name}: the base unit");
                assert!(bounds.windows(2).all(|pair| pair[0] < pair[1]), "{name}: bounds rise");
                assert!(bounds.first().is_some_and(|bound| bound.0 > 0), "{name}");
            }
            assert!(metric.help.ends_with('.') && !metric.help.contains('\n'), "{name}");
        }
    }

    #[test]
    fn lateness_is_told_from_five_milliseconds_to_an_hour() {
        let seconds: Vec<f64> = LATENESS.iter().map(|bound| bound.seconds()).collect();
        assert_eq!((seconds.first(), seconds.last()), (Some(&0.005), Some(&3_600.0)));
        assert_eq!(STORE_ACT[0].seconds(), 0.0001);
    }
}
