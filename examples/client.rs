//! Posts through a server, waits until the post is live, and reads what became of it.
//!
//! ```text
//! SCHEDULER_API_KEY=sk_… cargo run --example client -- http://127.0.0.1:8080 mastodon "Hello"
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::env;
use std::error::Error;

use futures_util::TryStreamExt as _;
use scheduler_client::Client;
use scheduler_core::app::CheckInput;
use scheduler_core::platform::Platform;
use scheduler_core::post::{ListInput, NewPost};
use sha2::{Digest as _, Sha256};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let url = arguments.next().unwrap_or_else(|| "http://127.0.0.1:8080".to_owned());
    let network: Platform = arguments.next().as_deref().unwrap_or("mastodon").parse()?;
    let text = arguments.next().unwrap_or_else(|| "Hello from a program".to_owned());
    let client = Client::builder(url).key(env::var("SCHEDULER_API_KEY")?).build()?;

    let post = NewPost::text(&text).to(network).now();
    let report = client.check(&CheckInput::from(post.clone())).await?;
    for issue in &report.issues {
        println!("{}: {}", issue.rule, issue.message);
    }
    if !report.ok {
        return Err("the network would not take it".into());
    }

    // The key is what the post is about: the same text is posted once, however often this runs.
    let about = Sha256::digest(format!("{network}\n{text}"));
    let key = format!("client-example:{}", hex::encode(about));
    let made = client.create_post(&post.into(), &key).await?;
    if made.is_of_other_body {
        let earlier = made.value.id;
        return Err(format!("nothing was posted: {key} has made another post, {earlier}").into());
    }
    println!("{}: {}", if made.is_new { "made" } else { "was made before" }, made.value.id);

    let ended = client.follow(made.value.id).until_ended().await?;
    for target in &ended.targets {
        let place = target.remote_url.as_deref().or(target.error.as_deref()).unwrap_or_default();
        println!("{}: {} {place}", target.platform, target.status.as_str());
    }

    let done = ListInput { status: Some("done".to_owned()), ..ListInput::default() };
    let done: Vec<_> = client.posts(&done).items().try_collect().await?;
    println!("{} posts are done", done.len());
    Ok(())
}
