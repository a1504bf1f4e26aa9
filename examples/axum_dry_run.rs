//! Dry runs behind axum: the body of `POST /v1/posts/check` in, its report out, with the rules of
//! every network and without an account, a database or a network.
//!
//! ```text
//! cargo run --example axum_dry_run -- 9000
//! cargo run --example axum_dry_run            # asks itself once
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::net::Ipv4Addr;

use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use scheduler_core::app::{CheckInput, CheckReport};
use serde_json::{Value, json};
use tokio::net::TcpListener;

async fn check(Json(input): Json<CheckInput>) -> Result<Json<CheckReport>, (StatusCode, String)> {
    // Pure work of some microseconds: it needs neither a task of its own nor a runtime.
    let report = input.check_by_sheets();
    report.map(Json).map_err(|refusal| (StatusCode::BAD_REQUEST, refusal.to_string()))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let port = std::env::args().nth(1).map(|text| text.parse::<u16>()).transpose()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).await?;
    let address = listener.local_addr()?;
    println!("Checking on http://{address}/check");
    let server = axum::serve(listener, Router::new().route("/check", post(check)));
    if port.is_some() {
        return Ok(server.await?);
    }
    tokio::spawn(server.into_future());
    ask(&format!("http://{address}/check")).await
}

/// Asks about a post that Bluesky takes and Instagram does not, and about one that is too long.
async fn ask(address: &str) -> Result<(), Box<dyn Error>> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build()?;
    let targets = json!([{"platform": "bluesky"}, {"platform": "instagram"}]);
    for (content, want) in [
        ("Good morning".to_owned(), vec!["instagram.media.required"]),
        ("a".repeat(301), vec!["bluesky.text.too_long", "instagram.media.required"]),
    ] {
        let body = json!({"content": content, "targets": targets});
        let report: Value = client.post(address).json(&body).send().await?.json().await?;
        let issues = report["issues"].as_array().ok_or("a report lists issues")?;
        let rules: Vec<&str> = issues.iter().filter_map(|issue| issue["rule"].as_str()).collect();
        println!("{rules:?}");
        if rules != want {
            return Err(format!("expected {want:?}").into());
        }
    }
    Ok(())
}
