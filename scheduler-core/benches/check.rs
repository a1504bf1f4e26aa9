//! Checking a post against every network.
//!
//! The goal is 20 µs for a typical post against all 13 networks, and time that grows no faster
//! than the text.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::rules::{Context, Draft, DraftTarget, MediaFacts, MediaKind, check};
use serde_json::{Map, Value};

const TYPICAL: &str = "We rebuilt the queue from the ground up: slots fill in order, retries wait \
their turn, and nothing goes out twice. Thanks to everyone who sent traces – they helped 🙏 \
Notes: https://example.com/notes/queue #scheduling";

fn video() -> MediaFacts {
    MediaFacts {
        mime_type: Some("video/mp4".to_owned()),
        size_bytes: Some(8_000_000),
        duration_seconds: Some(45.0),
        fps: Some(30.0),
        width: Some(1080),
        height: Some(1920),
        ..MediaFacts::of_kind(MediaKind::Video)
    }
}

fn options_for(platform: Platform) -> Map<String, Value> {
    let mut options = Map::new();
    if platform == Platform::Pinterest {
        options.insert("boardId".to_owned(), Value::from("1234567890"));
    }
    if platform == Platform::Tiktok {
        options.insert("privacy".to_owned(), Value::from("SELF_ONLY"));
    }
    options
}

fn bench_check(criterion: &mut Criterion) {
    let limits = AccountLimits::default();
    let options = Platform::ALL.map(options_for);
    let targets: Vec<DraftTarget<'_>> = Platform::ALL
        .into_iter()
        .zip(&options)
        .map(|(platform, options)| DraftTarget::new(platform, options, &limits))
        .collect();
    let context = Context::default();

    for (name, media) in [("text", vec![]), ("video", vec![video()])] {
        let draft = Draft {
            content: TYPICAL,
            link_url: None,
            media: &media,
            alt_texts: &[],
            targets: &targets,
        };
        criterion.bench_function(&format!("check/typical {name} on 13 networks"), |bencher| {
            bencher.iter(|| check(black_box(&draft), &context));
        });
    }

    let mut group = criterion.benchmark_group("check/length");
    for characters in [1_000_usize, 4_000, 16_000, 64_000] {
        let content: String = TYPICAL.chars().cycle().take(characters).collect();
        let draft = Draft {
            content: &content,
            link_url: None,
            media: &[],
            alt_texts: &[],
            targets: &targets,
        };
        group.throughput(Throughput::Elements(u64::try_from(characters).unwrap_or(u64::MAX)));
        group.bench_with_input(
            BenchmarkId::from_parameter(characters),
            &draft,
            |bencher, draft| {
                bencher.iter(|| check(black_box(draft), &context));
            },
        );
    }
    group.finish();
}

criterion_group!(benches, bench_check);
criterion_main!(benches);
