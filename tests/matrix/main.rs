//! What becomes of a post when something goes wrong at a network, for every network: each fault
//! at the first three publishing requests of a post and at the first two of every other operation,
//! alone and with the process killed there. The first publishing request meets each fault twice as
//! well, and after each fault that loses its answer the next request, or the repeat, is refused for
//! good. Requests that the control of the sandbox has no name for meet it at the first request of
//! all, whatever that is. Of accounts that a person has connected, one kind of post is sent, and
//! publishing requests alone are hit. The fault that does a request in part is for albums of
//! Telegram.
//!
//! Everything is put together as the product does it. Accounts come from `sandbox::connect_new`,
//! as for `serve --sandbox`, or from the network's page, as for `accounts connect`; the adapters
//! come from the registry and talk over HTTP; the engine publishes. What counts is what stands at
//! the network in the end.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test ends by panicking"
)]

mod browser;
#[path = "../../scheduler-cli/src/commands/demo/document.rs"]
mod document;
#[path = "../../scheduler-cli/src/commands/demo/film.rs"]
mod film;
mod rows;
#[path = "../../scheduler-networks/tests/sandbox/served.rs"]
#[expect(dead_code, reason = "tests of adapters take files away as well")]
mod served;
mod shapes;
mod world;

use scheduler_core::platform::Platform;

use crate::rows::run_rows;
use crate::shapes::shapes;
use crate::world::Wiring;

/// Runs the rows of one network over accounts that were connected in one way.
async fn run(platform: Platform, wiring: Wiring) {
    let mut count = 0;
    let mut wrong = Vec::new();
    for shape in shapes(platform, wiring) {
        let (rows, failed) = Box::pin(run_rows(platform, wiring, *shape)).await;
        count += rows;
        wrong.extend(failed);
    }
    println!("matrix {platform} {wiring:?}: rows={count} wrong={}", wrong.len());
    assert!(wrong.is_empty(), "{platform} {wiring:?}:\n{}", wrong.join("\n"));
}

macro_rules! networks {
    ($($name:ident: $platform:ident,)*) => {
        $(mod $name {
            use super::*;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn as_a_server_on_a_sandbox_connects_it() {
                run(Platform::$platform, Wiring::Served).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn as_a_person_connects_it_and_under_another_application_since() {
                run(Platform::$platform, Wiring::Connected).await;
            }
        })*

        #[test]
        fn no_network_is_left_out() {
            let mut here = vec![$(Platform::$platform),*];
            here.sort_unstable();
            let mut all = Platform::ALL.to_vec();
            all.sort_unstable();
            assert_eq!(here, all);
        }
    };
}

networks! {
    bluesky: Bluesky,
    discord: Discord,
    facebook: Facebook,
    instagram: Instagram,
    linkedin: Linkedin,
    mastodon: Mastodon,
    pinterest: Pinterest,
    telegram: Telegram,
    threads: Threads,
    tiktok: Tiktok,
    tumblr: Tumblr,
    twitter: Twitter,
    youtube: Youtube,
}
