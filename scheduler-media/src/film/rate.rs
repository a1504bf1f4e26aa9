//! Frame rates and lengths from whole numbers.

/// Seconds that a number of ticks lasts; `None` when it is not known.
pub(crate) fn seconds(ticks: u64, ticks_a_second: u32) -> Option<f64> {
    (ticks > 0 && ticks_a_second > 0).then(|| ticks as f64 / f64::from(ticks_a_second))
}

/// The mean frame rate of so many pictures in so many ticks, to a thousandth.
///
/// A length in ticks is exact to one tick. Where a whole rate explains it, that is the rate: a
/// hundred pictures in 1 667 thousandths of a second are 60 a second, not 59.988.
pub(crate) fn frames_a_second(frames: u64, ticks: u64, ticks_a_second: u32) -> Option<f64> {
    let length = seconds(ticks, ticks_a_second)?;
    if frames == 0 {
        return None;
    }
    let rate = frames as f64 / length;
    let explained = |rate: f64| {
        let wanted = frames as f64 / rate * f64::from(ticks_a_second);
        rate > 0.0 && (wanted - ticks as f64).abs() < 1.0
    };
    let whole = rate.round();
    if explained(whole) {
        return Some(whole);
    }
    Some((rate * 1_000.0).round() / 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        for (name, frames, ticks, ticks_a_second, want) in [
            ("exact", 300, 900_000, 90_000, Some(30.0)),
            ("NTSC", 300, 300 * 1_001, 30_000, Some(29.97)),
            ("film of NTSC", 240, 240 * 1_001, 24_000, Some(23.976)),
            ("thousandths, over", 100, 1_667, 1_000, Some(60.0)),
            ("thousandths, under", 100, 1_666, 1_000, Some(60.0)),
            ("two ticks off", 100, 1_669, 1_000, Some(59.916)),
            ("59.94 in thousandths", 1_000, 16_683, 1_000, Some(59.941)),
            ("one picture in ten seconds", 1, 10_000, 1_000, Some(0.1)),
            ("no picture", 0, 1_000, 1_000, None),
            ("no time", 10, 0, 1_000, None),
            ("no clock", 10, 1_000, 0, None),
            ("all there is", u64::MAX, 1, u32::MAX, Some(u64::MAX as f64 * f64::from(u32::MAX))),
        ] {
            assert_eq!(frames_a_second(frames, ticks, ticks_a_second), want, "{name}");
        }
    }
}
