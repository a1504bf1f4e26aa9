//! Durations, frame rates, numbers of frames and bit rates of videos.

use scheduler_core::platform::Platform;
use scheduler_core::rules::MediaFacts;
use serde_json::json;

use crate::case::{Case, files, image, one_file, video};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let long = |seconds| MediaFacts { duration_seconds: Some(seconds), ..video() };
    for seconds in [
        0.0, 0.000_99, 0.001, 2.9, 3.0, 3.9, 4.0, 60.0, 60.1, 90.0, 90.1, 180.0, 180.1, 300.0,
        300.1, 600.0, 600.1, 900.0, 900.1, 1200.0, 1200.1, 1800.0, 1800.1, 14_400.0, 14_400.1,
        43_200.0, 43_200.1,
    ] {
        cases.push(one_file(format!("a video of {seconds} s"), long(seconds)));
    }
    for seconds in [60.0, 60.1] {
        cases.push(
            one_file(format!("a story of {seconds} s"), long(seconds))
                .with(Platform::Instagram, json!({"placement": "story"}))
                .only(Platform::Instagram),
        );
        cases.push(files(
            format!("a carousel with a video of {seconds} s"),
            [image(), long(seconds)],
        ));
    }
    for seconds in [2.9, 3.0, 60.0, 60.1] {
        cases.push(story(format!("a story of Facebook of {seconds} s"), long(seconds)));
    }
    for seconds in [2.9, 3.0, 90.0, 90.1] {
        cases.push(reel(format!("a reel of Facebook of {seconds} s"), long(seconds)));
    }
    let rate = |fps| MediaFacts { fps: Some(fps), ..video() };
    for fps in [22.9, 23.0, 23.8, 23.9, 23.976, 24.9, 25.0, 60.0, 60.1, 120.0, 120.9, 121.0] {
        cases.push(one_file(format!("a video of {fps} fps"), rate(fps)));
    }
    for fps in [23.96, 23.976, 24.0, 60.0, 60.02, 60.04] {
        cases.push(reel(format!("a reel of Facebook of {fps} fps"), rate(fps)));
    }
    for seconds in [600.0, 600.1] {
        let file = MediaFacts { fps: Some(60.0), ..long(seconds) };
        cases.push(one_file(format!("{seconds} s of 60 fps"), file));
    }
    // 25 Mbit/s for Instagram, 100 Mbit/s for Threads
    for bound in [93_750_000, 375_000_000] {
        for bytes in [bound, bound + 1] {
            let file = MediaFacts { size_bytes: Some(bytes), ..video() };
            cases.push(one_file(format!("{bytes} bytes in 30 s"), file));
        }
    }
    let none = MediaFacts { duration_seconds: Some(f64::NAN), fps: Some(f64::INFINITY), ..video() };
    cases.push(one_file("a duration that is no number", none));
    cases
}

fn story(name: String, file: MediaFacts) -> Case {
    let options = json!({"placement": "story", "caption": ""});
    one_file(name, file).with(Platform::Facebook, options).only(Platform::Facebook)
}

fn reel(name: String, file: MediaFacts) -> Case {
    one_file(name, file).with(Platform::Facebook, json!({"asReel": true})).only(Platform::Facebook)
}
