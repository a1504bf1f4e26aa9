//! Prints an OpenAPI document: `cargo run --example openapi`, and that of the application with
//! `cargo run --example openapi application`.
#![expect(clippy::print_stdout, reason = "it prints")]

fn main() {
    let document = match std::env::args().nth(1).as_deref() {
        Some("application") => scheduler_http::openapi::application(),
        _ => scheduler_http::openapi::document(),
    };
    println!("{document:#}");
}
