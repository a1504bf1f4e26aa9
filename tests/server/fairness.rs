//! Many due targets of one workspace beside few of another: the few are among the first to go.
//!
//! `SCHEDULER_FAIRNESS=long` has 10 000 beside 100.
#![expect(clippy::print_stdout, reason = "the figures are for a person")]

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::support::{Networks, Setup, Tenant, backends, post_ended, wait_for};

/// Accounts of the one workspace, and of the other.
const ACCOUNTS: (usize, usize) = (20, 10);

/// Posts to all accounts of a workspace, due at one instant.
async fn schedule(tenant: &Tenant, posts: usize, due: DateTime<Utc>) -> usize {
    let targets = tenant.targets("bluesky").await;
    for number in 0..posts {
        let body = json!({
            "content": format!("post {number}"),
            "scheduledAt": due.to_rfc3339(),
            "targets": targets,
        });
        tenant.api.create(&body).await;
    }
    posts * targets.len()
}

/// Every post of a workspace.
async fn posts(tenant: &Tenant) -> Vec<Value> {
    let mut all = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = tenant.api.get(&format!("/posts?limit=500{cursor}")).await;
        all.extend(page["data"].as_array().unwrap().clone());
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return all,
        }
    }
}

/// When each target of a workspace went.
async fn published(tenant: &Tenant) -> Vec<DateTime<Utc>> {
    let posts = posts(tenant).await;
    let targets = posts.iter().flat_map(|post| post["targets"].as_array().unwrap());
    let published = targets.map(|target| {
        let at = target["publishedAt"].as_str();
        at.unwrap_or_else(|| panic!("{target}")).parse().unwrap()
    });
    published.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn few_due_targets_are_among_the_first_beside_many_of_another_workspace() {
    let is_long = std::env::var("SCHEDULER_FAIRNESS").is_ok_and(|form| form == "long");
    let (posts_of_one, posts_of_two) = if is_long { (500, 10) } else { (50, 1) };
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let service = setup.serve();
        let one = Tenant::first(&service, &setup);
        let two = Tenant::new(&service, &setup, "two");
        one.connect("bluesky", ACCOUNTS.0 - 1);
        two.connect("bluesky", ACCOUNTS.1);

        #[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
        let now = DateTime::<Utc>::from(std::time::SystemTime::now());
        let due = now + TimeDelta::seconds(if is_long { 120 } else { 20 });
        let many = schedule(&one, posts_of_one, due).await;
        let few = schedule(&two, posts_of_two, due).await;
        #[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
        let now = DateTime::<Utc>::from(std::time::SystemTime::now());
        assert!(now < due, "all were there when they became due");

        wait_for("all to go", async || {
            let all = [posts(&two).await, posts(&one).await];
            all.iter().flatten().all(post_ended).then_some(())
        })
        .await;
        let (of_one, of_two) = (published(&one).await, published(&two).await);
        assert_eq!((of_one.len(), of_two.len()), (many, few));
        let last = of_two.iter().max().unwrap();
        let place = of_one.iter().chain(&of_two).filter(|at| *at <= last).count();
        let name = if backend.url().is_none() { "SQLite" } else { "PostgreSQL" };
        let took = *of_one.iter().max().unwrap() - due;
        println!(
            "{name}: the last of {few} went as number {place} of {}; all within {took}",
            many + few
        );
        assert!(place * 20 <= many + few, "{name}: as number {place}");
    }
}
