use std::sync::Arc;

use scheduler_core::ports::{Assistant, AssistantError, CallClass, Prompt};

use super::*;

fn metrics() -> Metrics {
    Metrics::new(DateTime::from_timestamp(1_763_728_200, 500_000_000).unwrap()).unwrap()
}

/// The value of one series.
fn value(metrics: &Metrics, series: &str) -> Option<f64> {
    let page = metrics.0.handle.render();
    let line = page.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map(|value| value.parse().unwrap())
}

#[test]
fn two_in_one_process_count_apart() {
    let (one, other) = (metrics(), metrics());
    one.refreshed_token(Platform::Threads, None);
    let series = r#"scheduler_token_refreshes_total{network="threads",outcome="succeeded"}"#;
    assert_eq!(value(&one, series), Some(1.0));
    assert_eq!(value(&other, series), Some(0.0));
}

#[test]
fn the_start_and_the_release_are_told() {
    let metrics = metrics();
    let start = value(&metrics, "scheduler_process_start_time_seconds");
    assert_eq!(start, Some(1_763_728_200.5));
    let build = format!("scheduler_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    assert_eq!(value(&metrics, &build), Some(1.0));
}

/// An alert that looks for a rise does not see a counter that begins at 1.
#[test]
fn what_alerts_wait_for_is_there_before_it_first_counts() {
    let metrics = metrics();
    for (outcome, class, code) in [
        ("published", "none", "none"),
        ("failed", "reconnect", "account_not_connected"),
        ("failed", "in_doubt", "in_doubt"),
        ("failed", "temporary", "in_doubt"),
    ] {
        let labels =
            format!(r#"network="mastodon",outcome="{outcome}",class="{class}",code="{code}""#);
        let series = format!("scheduler_publish_outcomes_total{{{labels}}}");
        assert_eq!(value(&metrics, &series), Some(0.0), "{series}");
    }
    let panicked = r#"scheduler_work_total{kind="publish",outcome="panicked"}"#;
    assert_eq!(value(&metrics, panicked), Some(0.0));
}

#[test]
fn calls_to_networks_are_counted_and_those_that_were_made_timed() {
    let metrics = metrics();
    let call = |class| NetworkCall {
        platform: Platform::Bluesky,
        operation: "advance",
        class,
        took: Duration::from_millis(30),
    };
    for class in CallClass::ALL {
        metrics.called_network(&call(class));
    }
    metrics.called_network(&call(CallClass::Lost));
    let counted = |class: &str| {
        let labels = format!(r#"network="bluesky",operation="advance",class="{class}""#);
        value(&metrics, &format!("scheduler_network_calls_total{{{labels}}}"))
    };
    for class in CallClass::ALL {
        let want = if class == CallClass::Lost { 2.0 } else { 1.0 };
        assert_eq!(counted(class.as_str()), Some(want), "{class:?}");
    }
    let timed = |rest: &str| {
        let name = "scheduler_network_call_duration_seconds";
        value(&metrics, &format!(r#"{name}{rest}"#))
    };
    let made = Some(8.0);
    assert_eq!(timed(r#"_count{network="bluesky",operation="advance"}"#), made);
    assert_eq!(timed(r#"_bucket{network="bluesky",operation="advance",le="0.025"}"#), Some(0.0));
    assert_eq!(timed(r#"_bucket{network="bluesky",operation="advance",le="0.05"}"#), made);
}

#[test]
fn methods_that_nobody_knows_are_one() {
    let metrics = metrics();
    let none = |method: &str| {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        metrics.request(None, &method, StatusCode::NOT_FOUND, Duration::ZERO);
    };
    for method in ["GET", "BREW", "WHEN", "TRACE"] {
        none(method);
    }
    let counted = |method: &str| {
        let labels = format!(r#"endpoint="none",method="{method}",status="404""#);
        value(&metrics, &format!("scheduler_http_requests_total{{{labels}}}"))
    };
    assert_eq!(counted("GET"), Some(1.0));
    assert_eq!(counted("other"), Some(3.0));
    assert_eq!(counted("BREW"), None);
}

#[test]
fn durations_that_are_added_up_before_anybody_asks_are_all_told() {
    let metrics = metrics();
    let call = StoreCall { operation: "claim", succeeded: true, took: Duration::from_micros(90) };
    for _ in 0..KEPT_APART * 2 + 3 {
        metrics.called_store(&call);
    }
    let series = r#"scheduler_store_operation_duration_seconds_count{operation="claim"}"#;
    assert_eq!(value(&metrics, series), Some(f64::from(KEPT_APART * 2 + 3)), "none is lost");
}

struct Scripted(Result<String, AssistantError>, bool);

#[async_trait::async_trait]
impl Assistant for Scripted {
    fn is_configured(&self) -> bool {
        self.1
    }

    async fn answer(&self, _: &Prompt) -> Result<String, AssistantError> {
        self.0.clone()
    }
}

#[tokio::test]
async fn prompts_are_counted_by_what_came_of_them() {
    let metrics = metrics();
    let prompt = Prompt { instructions: String::new(), input: String::new(), json: false };
    for (answer, outcome) in [
        (Ok("a caption".to_owned()), "answered"),
        (Err(AssistantError::Declined(None)), "declined"),
        (Err(AssistantError::Unavailable("no answer".to_owned())), "unavailable"),
    ] {
        let series = format!(r#"scheduler_assistant_calls_total{{outcome="{outcome}"}}"#);
        assert_eq!(value(&metrics, &series), Some(0.0), "{outcome} is there before it counts");
        let assistant = metrics.assistant(Arc::new(Scripted(answer.clone(), true)));
        assert_eq!(assistant.answer(&prompt).await, answer, "{outcome}");
        assert_eq!(value(&metrics, &series), Some(1.0), "{outcome}");
        let none = metrics.assistant(Arc::new(Scripted(answer, false)));
        assert!(!none.is_configured());
        let _ = none.answer(&prompt).await;
        assert_eq!(value(&metrics, &series), Some(1.0), "one that is not there is not asked");
    }
}
