//! Prints the OpenAPI document: `cargo run --example openapi`.
#![expect(clippy::print_stdout, reason = "it prints")]

fn main() {
    println!("{:#}", scheduler_http::openapi::document());
}
